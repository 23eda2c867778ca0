// In place of server.cpp where Boost.Beast was not found.
#include "lissom/view/server.h"

namespace lissom::view {

struct Server::Impl {};

Server::Server(Scene, const ServerOptions&) {
  throw Error(
      "this build cannot serve a page, because Boost (Debian: libboost-dev) was not found when it was configured; "
      "install it, configure and build again, or save the page in a file (--save)");
}
Server::~Server() = default;
bool Server::is_public() const {
  return false;
}
std::string Server::address() const {
  return {};
}
int Server::port() const {
  return 0;
}
int Server::clients() const {
  return 0;
}
void Server::write(double, std::span<const recording::Row>) {}
void Server::set_status(const LiveStatus&) {}
Controls Server::controls() const {
  return {};
}

}  // namespace lissom::view
