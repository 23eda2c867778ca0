#include "lissom/recording/size.h"

#include "lissom/recording/mcap_format.h"

namespace lissom::recording {

double estimated_bytes(const std::string& path, std::span<const Signal> signals, double frames) {
  constexpr double index_entry = 16, csv_number = 20;
  double mcap = 0, values = 1;  // of one frame; the first value is the time
  for (const auto& signal : signals) {
    const auto columns = double(signal.columns.size());
    mcap += double(mcap::record_head + mcap::message_head + mcap::cdr_head.size()) + index_entry +
            sizeof(double) * (1 + columns);
    values += columns;
  }
  if (path.ends_with(".csv")) return frames * csv_number * values;
  if (path.ends_with(".npz")) return frames * (mcap + sizeof(double) * values);
  return frames * mcap;
}

}  // namespace lissom::recording
