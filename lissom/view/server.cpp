#include "lissom/view/server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <thread>
#include <unistd.h>

#include "lissom/model/limits.h"
#include "lissom/view/mesh_files.h"
#include "lissom/view/socket.h"

namespace lissom::view {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace asio = boost::asio;
using asio::ip::tcp;
using beast::error_code;
using Request = http::request<http::string_body>;
using Response = http::response<http::span_body<const char>>;

std::string_view view(beast::string_view text) {
  return {text.data(), text.size()};
}

// One connection that speaks HTTP, until it asks for a WebSocket.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<ServerState> state, tcp::socket socket)
      : state_(std::move(state)), stream_(std::move(socket)) {
    ++state_->connections;
  }
  ~Connection() { --state_->connections; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read() {
    parser_.emplace();
    parser_->body_limit(state_->options.picture ? limits::page_picture_bytes : limits::page_message_bytes);
    stream_.expires_after(std::chrono::seconds(10));
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](error_code failed, std::size_t) {
      if (failed) return self->close();
      self->take(self->parser_->release());
    });
  }

 private:
  void take(Request request) {
    const auto target = target_of(view(request.target()));
    const auto why = state_->access.refusal(view(request[http::field::host]), view(request[http::field::origin]),
                                            view(request[http::field::cookie]), target);
    if (!why.empty()) return reply(request, http::status::forbidden, "text/plain", why + "\n");
    if (target.path == "stream" && beast::websocket::is_upgrade(request)) {
      if (state_->streams >= limits::page_streams)
        return reply(request, http::status::service_unavailable, "text/plain", "too many pages are open\n");
      return serve_socket(state_, std::move(stream_), std::move(request));
    }
    if (request.method() == http::verb::post) return take_picture(request, target.path);
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return reply(request, http::status::method_not_allowed, "text/plain", "only GET is answered here\n");
    serve(request, target.path);
  }

  void serve(const Request& request, const std::string& path) {
    if (path.empty() || path == "index.html")
      return send(request, http::status::ok, "text/html; charset=utf-8", state_->page);
    if (path == "scene.json") return send(request, http::status::ok, "application/json", state_->scene_json);
    for (std::size_t i = 0; i < state_->scene.blocks().size(); ++i)
      if (path == "runs/" + std::to_string(i))
        return send(request, http::status::ok, "application/octet-stream", state_->scene.blocks()[i]);
    if (const auto* file = state_->scene.meshes().find(path)) {
      if (auto bytes = file_bytes(*file); !bytes.empty())
        return reply(request, http::status::ok, content_type(path), std::move(bytes));
    }
    reply(request, http::status::not_found, "text/plain", "there is nothing of this name here\n");
  }

  void take_picture(const Request& request, const std::string& path) {
    constexpr std::string_view folder = "pictures/";
    if (!state_->options.picture || !path.starts_with(folder))
      return reply(request, http::status::not_found, "text/plain", "nothing is taken here\n");
    const auto name = path.substr(folder.size());
    if (name == "done" || name == "failed") {
      if (state_->options.pictures_done)
        state_->options.pictures_done(name == "done" ? "" : "the page could not render: " + request.body());
    } else if (!name.empty() && name.size() < 9 && name.find_first_not_of("0123456789") == std::string::npos) {
      state_->options.picture(std::stol(name), request.body());
    } else {
      return reply(request, http::status::not_found, "text/plain", "expected the number of a picture\n");
    }
    reply(request, http::status::ok, "text/plain", "taken\n");
  }

  void reply(const Request& request, http::status status, std::string_view type, std::string body) {
    body_ = std::move(body);
    send(request, status, type, body_);
  }
  // The body belongs to the server or to this connection, and is sent from where it is.
  void send(const Request& request, http::status status, std::string_view type, std::string_view body) {
    response_.emplace(status, request.version());
    auto& r = *response_;
    r.set(http::field::content_type, beast::string_view(type.data(), type.size()));
    r.set(http::field::cache_control, "no-store");
    r.set("X-Content-Type-Options", "nosniff");
    r.set("Referrer-Policy", "no-referrer");
    r.set("Cross-Origin-Resource-Policy", "same-origin");
    r.set("Content-Security-Policy",
          "default-src 'none'; script-src 'self' 'unsafe-inline' blob:; style-src 'unsafe-inline'; worker-src blob:; "
          "img-src 'self' blob: data:; connect-src 'self' ws: blob: data:; frame-ancestors 'self'; base-uri 'none'");
    const auto& access = state_->access;
    if (status == http::status::ok)
      r.set(http::field::set_cookie, access.cookie_name() + "=" + access.token + "; HttpOnly; SameSite=Strict; Path=/");
    r.keep_alive(request.keep_alive() && status == http::status::ok);
    const auto size = body.size();
    if (request.method() != http::verb::head) r.body() = {body.data(), size};
    r.content_length(size);
    // Even a slow line takes 50 kB a second.
    stream_.expires_after(std::chrono::seconds(30 + size / 50'000));
    http::async_write(stream_, r, [self = shared_from_this()](error_code failed, std::size_t) {
      if (failed || !self->response_->keep_alive()) return self->close();
      self->read();
    });
  }

  void close() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  std::shared_ptr<ServerState> state_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::string body_;
  std::optional<Response> response_;
};

// Opens the first free port of some; port 0 lets the system choose.
tcp::acceptor listen(asio::io_context& context, const ServerOptions& options) {
  error_code failed;
  const auto address = asio::ip::make_address(options.bind, failed);
  if (failed)
    throw Error("'" + options.bind + "' is not an address to listen on; expected one such as 127.0.0.1 or 0.0.0.0");
  constexpr int tries = 100;
  for (int port = options.port; port < options.port + tries && port < 65536; ++port) {
    tcp::acceptor acceptor(context);
    const tcp::endpoint endpoint(address, std::uint16_t(port));
    acceptor.open(endpoint.protocol(), failed);
    if (!failed) acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
    if (!failed) acceptor.bind(endpoint, failed);
    if (!failed) acceptor.listen(asio::socket_base::max_listen_connections, failed);
    if (!failed) return acceptor;
    if (failed != asio::error::address_in_use)
      throw Error("cannot listen on " + options.bind + ", port " + std::to_string(port) + ": " + failed.message());
  }
  throw Error("the ports from " + std::to_string(options.port) + " to " +
              std::to_string(std::min(options.port + tries, 65536) - 1) + " are all in use; choose another one, or 0");
}

std::string host_name() {
  char name[256] = "localhost";
  gethostname(name, sizeof(name) - 1);
  return name;
}

}  // namespace

struct Server::Impl {
  std::shared_ptr<ServerState> state;
  asio::io_context context{1};
  tcp::acceptor acceptor;
  asio::steady_timer pause{context};
  asio::ip::address bound;
  std::thread thread;

  Impl(Scene scene, const ServerOptions& options)
      : state(std::make_shared<ServerState>(std::move(scene), options)), acceptor(listen(context, options)) {
    bound = acceptor.local_endpoint().address();
    state->access.port = acceptor.local_endpoint().port();
    state->access.loopback = bound.is_loopback();
    state->access.token = random_token();
    accept();
    thread = std::thread([this] { serve(); });
  }
  ~Impl() {
    context.stop();
    thread.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  // An exception (no memory for a reply, say) ends the connection whose handler threw it, and nothing else.
  void serve() {
    while (!context.stopped()) try {
        context.run();
      } catch (const std::exception&) {
        continue;
      }
  }

  void accept() {
    acceptor.async_accept([this](error_code failed, tcp::socket socket) {
      if (failed == asio::error::operation_aborted) return;
      if (failed) return accept_later();
      accept();
      // Further ones wait no longer than it takes to close them.
      if (state->connections < limits::page_connections) std::make_shared<Connection>(state, std::move(socket))->read();
    });
  }
  // There are no more file descriptors, say.
  void accept_later() {
    pause.expires_after(std::chrono::milliseconds(100));
    pause.async_wait([this](error_code canceled) {
      if (!canceled) accept();
    });
  }
};

Server::Server(Scene scene, const ServerOptions& options) {
  impl_ = std::make_unique<Impl>(std::move(scene), options);
}
Server::~Server() = default;

bool Server::is_public() const {
  return !impl_->state->access.loopback;
}

std::string Server::address() const {
  const auto& access = impl_->state->access;
  const auto port = ":" + std::to_string(access.port);
  const auto& bound = impl_->bound;
  const std::string host = bound.is_unspecified() ? host_name()
                           : bound.is_v6()        ? "[" + bound.to_string() + "]"
                                                  : bound.to_string();
  return "http://" + host + port + "/?token=" + access.token;
}
int Server::port() const {
  return impl_->state->access.port;
}
int Server::clients() const {
  return impl_->state->streams;
}
void Server::write(double time, std::span<const recording::Row> rows) {
  impl_->state->ring.write(time, rows);
}
void Server::set_status(const LiveStatus& status) {
  impl_->state->set_status(status);
}
Controls Server::controls() const {
  return impl_->state->controls();
}

}  // namespace lissom::view
