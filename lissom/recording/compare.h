#pragma once
// How far two recordings are apart: at which time, in which column.
#include <optional>

#include "lissom/recording/recording.h"

namespace lissom::recording {

struct CompareOptions {
  double tolerance = 1e-9;                // of numbers, in their units
  double time_tolerance = 1e-9;           // frames this close in time are the same moment, s
  std::vector<std::string> signals = {};  // only these; all where empty
};

// Where something was found.
struct Place {
  double time = 0;
  std::string column, unit;
  double difference = 0;
};

struct SignalComparison {
  std::string signal;
  std::size_t columns = 0;              // that both have
  std::vector<std::string> complaints;  // columns that one lacks, other units
  Place largest;                        // difference; infinite where one number is finite and the other is not
  double rms = 0;                       // over all numbers that both have
  std::optional<Place> parted;          // the first difference above the tolerance
};

struct Comparison {
  std::size_t frames = 0;  // at moments that both have
  std::size_t only_first = 0, only_second = 0;
  std::vector<SignalComparison> signals;
  std::vector<std::string> complaints;  // signals that one lacks, moments that one lacks
  std::vector<std::string> settings;    // what differs in the headers: for information, it does not make them different
  bool alike = true;                    // same signals, columns and times, and no difference above the tolerance
};

// Numbers are compared at moments that both have. A quaternion and its negative are the same; so are two NaN. Error
// where a signal in the options is in neither.
Comparison compare(const Recording& first, const Recording& second, const CompareOptions& options = {});

}  // namespace lissom::recording
