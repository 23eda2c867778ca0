#include "lissom/view/frame_ring.h"

#include <algorithm>

#include "lissom/model/limits.h"
#include "lissom/view/block.h"

namespace lissom::view {
namespace {

constexpr std::size_t frames_of_block = 1024;

}  // namespace

FrameRing::FrameRing(std::size_t columns)
    : columns_(columns),
      times_(std::clamp<std::size_t>(limits::page_values / std::max<std::size_t>(columns, 1), 16, limits::page_frames)),
      values_(times_.size() * columns) {}

std::string FrameRing::read(std::uint64_t& next) const {
  std::vector<double> times;
  std::vector<float> values;
  std::uint32_t skipped = 0;
  {
    const std::lock_guard lock(mutex_);
    const std::uint64_t oldest = written_ > times_.size() ? written_ - times_.size() : 0;
    const std::uint64_t first = std::max(next, oldest);
    skipped = std::uint32_t(std::min<std::uint64_t>(first - next, UINT32_MAX));
    next = std::min(written_, first + frames_of_block);
    for (auto frame = first; frame < next; ++frame) {
      const std::size_t slot = frame % times_.size();
      times.push_back(times_[slot]);
      values.insert(values.end(), values_.begin() + long(slot * columns_),
                    values_.begin() + long((slot + 1) * columns_));
    }
  }
  return times.empty() ? std::string() : block(std::uint32_t(columns_), skipped, times, values);
}

}  // namespace lissom::view
