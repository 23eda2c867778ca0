#pragma once
// What the connections of a server share. Everything but the ring, the controls and the status is used by the server's
// thread alone. Not for users.
#include <atomic>
#include <mutex>

#include "lissom/view/answers.h"
#include "lissom/view/frame_ring.h"
#include "lissom/view/page.h"
#include "lissom/view/requests.h"
#include "lissom/view/server.h"

namespace lissom::view {

struct ServerState {
  ServerState(Scene s, const ServerOptions& o)
      : scene(std::move(s)),
        scene_json(scene.json_text()),
        page(page_with_scene(scene_json)),
        options(o),
        answers(scene.models()),
        ring(scene.live_columns()),
        live(scene.live_columns() > 0) {}

  Scene scene;
  std::string scene_json, page;
  ServerOptions options;
  Access access;
  Answers answers;
  FrameRing ring;
  bool live;
  std::atomic<int> connections = 0, streams = 0;

  // Carries out a command of a page (docs/stream.md), which is told from others by `who`. Throws an Error if it makes
  // no sense.
  void command(const std::string& name, std::string_view text, const void* who);
  // The page is gone, and with it the hand that pulled.
  void forget(const void* who);
  Controls controls() const {
    const std::lock_guard lock(mutex_);
    return controls_;
  }
  void set_status(const LiveStatus& status);
  // The status as JSON, and its number, which grows with each change.
  std::pair<std::string, long> status() const {
    const std::lock_guard lock(mutex_);
    return {status_, status_number_};
  }

 private:
  mutable std::mutex mutex_;
  Controls controls_;
  const void* puller_ = nullptr;
  std::string status_;
  long status_number_ = 0;
};

}  // namespace lissom::view
