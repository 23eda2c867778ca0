#include "lissom/view/socket.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <deque>

#include "lissom/files/json_text.h"
#include "lissom/model/limits.h"

namespace lissom::view {
namespace {

namespace beast = boost::beast;
namespace asio = boost::asio;
using beast::error_code;
using namespace std::chrono_literals;

// A page that takes longer to take one message is dropped.
constexpr auto write_timeout = 10s;
constexpr auto picture_time = std::chrono::microseconds(16'667);
// Answers that a page has not taken yet; more are not computed.
constexpr std::size_t max_waiting = 8;

class Socket : public std::enable_shared_from_this<Socket> {
 public:
  Socket(std::shared_ptr<ServerState> state, beast::tcp_stream stream)
      : state_(std::move(state)), socket_(std::move(stream)), timer_(socket_.get_executor()) {
    ++state_->streams;
  }
  ~Socket() {
    state_->forget(this);
    --state_->streams;
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void start(const beast::http::request<beast::http::string_body>& request) {
    beast::get_lowest_layer(socket_).expires_never();
    socket_.set_option(beast::websocket::stream_base::timeout::suggested(beast::role_type::server));
    socket_.read_message_max(limits::page_message_bytes);
    socket_.auto_fragment(false);
    socket_.async_accept(request, [self = shared_from_this()](error_code failed) {
      if (failed) return;
      self->tick();
      self->read();
    });
  }

 private:
  void read() {
    reading_ = true;
    socket_.async_read(buffer_, [self = shared_from_this()](error_code failed, std::size_t) {
      self->reading_ = false;
      if (failed) return self->end();
      self->take(beast::buffers_to_string(self->buffer_.data()));
      self->buffer_.consume(self->buffer_.size());
      self->read_on();
    });
  }
  // A page that asks faster than it takes answers has to wait.
  void read_on() {
    if (!ended_ && !reading_ && waiting_.size() < max_waiting) read();
  }

  void take(const std::string& message) {
    std::string error;
    try {
      const auto parsed = parse_json<nlohmann::json>(message, JsonComments::refuse, 8);
      if (!parsed.is_object() || !parsed.contains("do")) return send(state_->answers.answer(message));
      if (!parsed["do"].is_string()) throw Error("do: expected the name of a command");
      if (!state_->live) throw Error("nothing is being computed here, so there is nothing to control");
      return state_->command(parsed["do"], message, this);
    } catch (const std::exception& wrong) {
      error = wrong.what();
    }
    send(nlohmann::json{{"error", error}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }

  // Sixty times a second: frames and the status, if the last message has been taken.
  void tick() {
    if (ended_) return;
    if (writing_ && std::chrono::steady_clock::now() - began_ > write_timeout) return end();
    if (!writing_) {
      if (auto [status, number] = state_->status(); number != status_number_) {
        status_number_ = number;
        send(std::move(status));
      } else if (auto frames = state_->ring.read(next_frame_); !frames.empty()) {
        binary_ = std::move(frames);
        write(binary_, true);
      }
    }
    timer_.expires_after(picture_time);
    timer_.async_wait([self = shared_from_this()](error_code canceled) {
      if (canceled) return;
      try {
        self->tick();
      } catch (const std::exception&) {  // no memory: the page asks again
        self->end();
      }
    });
  }

  void send(std::string text) {
    waiting_.push_back(std::move(text));
    if (!writing_) write_next();
  }
  void write_next() {
    text_ = std::move(waiting_.front());
    waiting_.pop_front();
    write(text_, false);
  }
  void write(const std::string& message, bool binary) {
    writing_ = true;
    began_ = std::chrono::steady_clock::now();
    socket_.binary(binary);
    socket_.async_write(asio::buffer(message), [self = shared_from_this()](error_code failed, std::size_t) {
      self->writing_ = false;
      if (failed) return self->end();
      if (!self->waiting_.empty()) self->write_next();
      self->read_on();
    });
  }

  void end() {
    if (ended_) return;
    ended_ = true;
    state_->forget(this);
    error_code ignored;
    timer_.cancel();
    beast::get_lowest_layer(socket_).socket().close(ignored);
  }

  std::shared_ptr<ServerState> state_;
  beast::websocket::stream<beast::tcp_stream> socket_;
  asio::steady_timer timer_;
  beast::flat_buffer buffer_;
  std::deque<std::string> waiting_;
  std::string text_, binary_;
  bool reading_ = false, writing_ = false, ended_ = false;
  std::chrono::steady_clock::time_point began_;
  std::uint64_t next_frame_ = 0;
  long status_number_ = 0;
};

}  // namespace

void serve_socket(std::shared_ptr<ServerState> state, beast::tcp_stream stream,
                  beast::http::request<beast::http::string_body> request) {
  std::make_shared<Socket>(std::move(state), std::move(stream))->start(request);
}

}  // namespace lissom::view
