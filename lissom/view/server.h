#pragma once
// Serves a scene to pages in browsers: HTTP for the page and its data, a WebSocket for the frames of a live run and for
// questions. It runs in a thread of its own.
//
//   view::Scene scene(view::Mode::pose, model.name());
//   scene.add_robot(model, neutral(model));
//   view::Server server(std::move(scene), {});
//   std::cout << server.address() << "\n";
//
// It listens on this machine only, unless `bind` says otherwise. Every request needs the token of its address, so that
// other users of the machine cannot see or pull the robot.
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "lissom/recording/recorder.h"
#include "lissom/view/scene.h"

namespace lissom::view {

/// Where a server listens, and what it does with what pages send.
struct ServerOptions {
  std::string bind = "127.0.0.1";  ///< the address to listen on; "0.0.0.0": every network of this machine
  int port = 8420;                 ///< 0: any free one; if it is busy, one of the next ones
  /// Takes pictures that a page renders (`lissom view --video`): their number and a PNG. Empty: none is taken.
  std::function<void(long number, std::string_view png)> picture = {};
  /// The page has rendered all pictures, or could not: then `error` says why.
  std::function<void(const std::string& error)> pictures_done = {};
};

/// What pages ask a live run to do.
struct Controls {
  bool paused = false;
  long steps = 0;    ///< how many steps were asked for while paused, since the beginning
  double speed = 1;  ///< simulated seconds per second; 0: as fast as possible
  struct Pull {
    FrameId on;
    Vec3<double> point;  ///< in the frame
    Vec3<double> to;     ///< in the world
  };
  std::optional<Pull> pull = {};
};

/// What pages are told about a live run.
struct LiveStatus {
  std::string status = "running";  ///< running, paused, finished or failed
  double time = 0;
  double speed = 1;
  std::string text = {};
};

/// Serves a scene to browsers. It runs in threads of its own until it is destroyed.
class Server {
 public:
  /// Throws an Error if there is no page in this build, or no port is free.
  Server(Scene scene, const ServerOptions& options = {});
  ~Server();

  /// What to open in a browser, with the token.
  std::string address() const;
  int port() const;
  /// Whether other machines can reach it.
  bool is_public() const;
  int clients() const;  ///< how many pages are connected to the stream

  /// A frame of the live run, as for a Recorder. It never waits for a page.
  void write(double time, std::span<const recording::Row> rows);
  void set_status(const LiveStatus& status);
  Controls controls() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::view
