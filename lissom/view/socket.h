#pragma once
// One page's WebSocket. Not for users.
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>

#include "lissom/view/server_state.h"

namespace lissom::view {

// Takes over a connection whose HTTP request asks for a WebSocket, and serves it until either side ends it.
void serve_socket(std::shared_ptr<ServerState> state, boost::beast::tcp_stream stream,
                  boost::beast::http::request<boost::beast::http::string_body> request);

}  // namespace lissom::view
