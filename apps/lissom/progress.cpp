#include "progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

#include "lissom/model/printable.h"

Progress::Progress(bool quiet) : on_(!quiet && isatty(STDERR_FILENO)) {}

void Progress::show(double done, const std::string& what) {
  if (!on_) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  std::string line;
  if (done >= 0) {
    done = std::min(done, 1.);
    const int width = 30, filled = int(done * width);
    line = fmt::format("[{}{}] {:3.0f} %  ", std::string(std::size_t(filled), '#'),
                       std::string(std::size_t(width - filled), '.'), 100 * done);
  }
  line += lissom::printable(what) + ", " +
          (done > 0 ? duration_text(elapsed * (1 - done) / done) + " left" : duration_text(elapsed) + " so far");
  // The cursor goes to the beginning of the line, and what was there is erased.
  fmt::print(stderr, "\r{}\x1b[K", line);
  (void)std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
}

Waiting::Waiting(bool quiet, std::string what) : progress_(quiet), what_(std::move(what)) {
  if (!progress_.is_on()) return;
  thread_ = std::jthread([this](const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      ended_.wait_for(lock, stop, std::chrono::milliseconds(200), [] { return false; });
      if (!stop.stop_requested()) progress_.show(-1, what_);
    }
  });
}

Waiting::~Waiting() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void ProgressOfParts::show(std::size_t index, const std::string& what) {
  if (index > 0) {
    first_.reset();
    progress_.show(double(index) / double(count_), what);
  } else if (!first_) {
    first_.emplace(quiet_, what);
  }
}

void ProgressOfParts::clear() {
  first_.reset();
  progress_.clear();
}

std::string duration_text(double seconds) {
  if (!(seconds < 1e9)) return "years";
  const long s = long(std::ceil(seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  if (s < 48 * 3600L) return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
  return fmt::format("{} days", s / 86400);
}
