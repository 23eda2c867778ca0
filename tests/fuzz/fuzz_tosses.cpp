// Measured tosses of a cube: the gzip file, or the texts of both files with a zero between them.
#include <cmath>

#include "lissom/benchmarks/csv_table.h"
#include "lissom/benchmarks/tosses.h"
#include "targets.h"

namespace lissom::fuzz {

void tosses(std::string_view input) {
  try {
    if (input.starts_with("\x1f\x8b")) {
      benchmarks::unpacked("input", input);
      return;
    }
    const auto middle = std::min(input.find('\0'), input.size());
    const auto found =
        benchmarks::parse_tosses("input", input.substr(0, middle), input.substr(std::min(middle + 1, input.size())));
    expect(!found.empty(), "there is a toss, or an error");
    auto first = found.front();
    expect(first.frames.size() >= 2, "a toss has frames");
    first.frames.resize(2);
    const auto error = benchmarks::simulate(first);
    expect(!std::isnan(error.position) && !std::isnan(error.rotation), "errors are numbers");
  } catch (const Error&) {
  }
}

}  // namespace lissom::fuzz
