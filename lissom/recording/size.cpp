#include "lissom/recording/size.h"

#include <algorithm>

#include "lissom/recording/mcap_format.h"
#include "lissom/recording/ros2_topics.h"

namespace lissom::recording {
namespace {

constexpr double index_entry = 16;
constexpr double message_frame = double(mcap::record_head + mcap::message_head) + index_entry;

}  // namespace

double estimated_bytes(const std::string& path, std::span<const Signal> signals, double frames) {
  constexpr double csv_number = 20;
  double mcap = 0, values = 1;  // of one frame; the first value is the time
  for (const auto& signal : signals) {
    const auto columns = double(signal.columns.size());
    mcap += message_frame + double(mcap::cdr_head.size()) + sizeof(double) * (1 + columns);
    values += columns;
  }
  if (path.ends_with(".csv")) return frames * csv_number * values;
  if (path.ends_with(".npz")) return frames * (mcap + sizeof(double) * values);
  return frames * mcap;
}

double estimated_bytes(const std::string& path, const Header& header, const std::vector<Signal>& signals,
                       const RecorderOptions& options, double frames, double seconds) {
  double bytes = estimated_bytes(path, signals, frames);
  if (!path.ends_with(".mcap")) return bytes;
  const Ros2Topics topics(header, signals, options, {});
  for (std::size_t c = 0; c < topics.channels().size(); ++c)
    bytes += (message_frame + double(topics.message(c).size())) *
             (topics.once(c) ? 1 : std::min(frames, seconds * options.ros.max_rate + 1));
  return bytes;
}

}  // namespace lissom::recording
