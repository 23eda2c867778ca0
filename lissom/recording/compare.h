#pragma once
// Compares two recordings: by how much they differ, at which time, in which column.
#include <optional>

#include "lissom/recording/recording.h"

namespace lissom::recording {

/// What is compared, and when two values count as equal.
struct CompareOptions {
  double tolerance = 1e-9;                ///< largest difference of values that count as equal, in their units
  double time_tolerance = 1e-9;           ///< frames whose times differ by no more are compared, s
  std::vector<std::string> signals = {};  ///< the signals to compare; if empty, all
};

/// A difference between two recordings, and where it was found.
struct Deviation {
  double time = 0;
  std::string column, unit;
  double difference = 0;  ///< infinite if one value is finite and the other is not
};

/// How far a signal of one recording is from that of the other.
struct SignalComparison {
  std::string signal;
  std::size_t columns = 0;                   ///< number of columns that both have
  std::vector<std::string> complaints;       ///< columns that only one has, and units that differ
  Deviation max_deviation;                   ///< the largest difference
  double rms = 0;                            ///< root mean square over all values that both have
  std::optional<Deviation> first_deviation;  ///< the first difference above the tolerance
};

/// How far two recordings are from each other.
struct Comparison {
  std::size_t frames = 0;                       ///< number of frames whose times both have
  std::size_t only_first = 0, only_second = 0;  ///< number of frames whose times only one has
  std::vector<SignalComparison> signals;
  std::vector<std::string> complaints;  ///< signals and times that only one has
  std::vector<std::string> settings;    ///< differences of the headers; they do not affect `alike`
  bool alike = true;                    ///< same signals, columns and times, and no difference above the tolerance
};

/// Compares values at times that both recordings have. A quaternion equals its negative, and NaN equals NaN. Throws an
/// Error if a signal in the options is in neither recording.
Comparison compare(const Recording& first, const Recording& second, const CompareOptions& options = {});

}  // namespace lissom::recording
