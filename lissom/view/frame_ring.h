#pragma once
// The last frames of a live run. One thread writes them, others read them; a reader that is too slow loses the oldest
// ones, and neither memory nor the writer's time depends on readers. Not for users.
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace lissom::view {

class FrameRing {
 public:
  explicit FrameRing(std::size_t columns);

  // Allocates nothing. rows: their values one after another are the columns.
  template <class Rows>
  void write(double time, const Rows& rows) {
    const std::lock_guard lock(mutex_);
    const std::size_t slot = written_ % times_.size();
    times_[slot] = time;
    std::size_t at = slot * columns_;
    const std::size_t end = at + columns_;
    for (const auto& row : rows)
      for (const double x : row.values())
        if (at < end) values_[at++] = float(x);
    ++written_;
  }

  // The frames after the first `next` ones as a block, at most 1024 of them, or of the last ones if others are lost
  // already; `next` becomes the number of frames up to the end of it. Empty if there is none.
  std::string read(std::uint64_t& next) const;

 private:
  std::size_t columns_;
  std::vector<double> times_;
  std::vector<float> values_;
  std::uint64_t written_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace lissom::view
