#pragma once
// Which requests the viewer's server answers: those of pages that it has served itself, and of programs that know its
// token, since any user of this machine can connect to it. A web page from elsewhere that is open in the same browser
// is refused by its Origin, and one whose name was made to point here (DNS rebinding) by its Host. Not for users.
#include <string>
#include <string_view>

namespace lissom::view {

// The address that a request asks for: "/meshes/0/foot.stl?token=…" in parts.
struct Target {
  std::string path;   // without the first slash, escapes decoded
  std::string token;  // of the query; empty if there is none
};
Target target_of(std::string_view target);

// Who may ask.
struct Access {
  int port = 0;
  bool loopback = true;  // whether it listens on this machine only
  std::string token;     // that every request must have

  // Why a request is refused; empty: it is not. origin and cookies may be empty.
  std::string refusal(std::string_view host, std::string_view origin, std::string_view cookies,
                      const Target& target) const;
  // The name of the cookie that holds the token. Cookies of one host are shared by its ports, so the port is part of
  // it.
  std::string cookie_name() const { return "lissom_" + std::to_string(port); }
};

// 128 random bits as 32 digits.
std::string random_token();

// The type of a file for HTTP, by its ending.
std::string_view content_type(std::string_view path);

}  // namespace lissom::view
