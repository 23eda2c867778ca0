// lissom compare FIRST SECOND: reports whether two recordings are equal within a tolerance, and where they first
// differ.
#include "lissom/recording/compare.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "number_checks.h"
#include "output.h"
#include "progress.h"
#include "recording_arguments.h"
#include "verbs.h"

namespace verb::compare {
namespace {

using lissom::recording::Comparison;
using lissom::recording::Deviation;
using nlohmann::json;

struct Options {
  std::string first, second;
  std::vector<std::string> signals;
  lissom::recording::CompareOptions compare;
  bool json = false, quiet = false;
};

json to_json(const Deviation& deviation) {
  return {{"difference", deviation.difference},
          {"infinite", std::isinf(deviation.difference)},
          {"time", deviation.time},
          {"column", deviation.column},
          {"unit", deviation.unit}};
}

json to_json(const Options& options, const Comparison& c) {
  json signals = json::array();
  for (const auto& signal : c.signals)
    signals.push_back({{"signal", signal.signal},
                       {"columns", signal.columns},
                       {"largest", signal.max_deviation.difference > 0 ? to_json(signal.max_deviation) : json(nullptr)},
                       {"rms", signal.rms},
                       {"parted", signal.first_deviation ? to_json(*signal.first_deviation) : json(nullptr)},
                       {"complaints", signal.complaints}});
  return {{"first", options.first},
          {"second", options.second},
          {"tolerance", options.compare.tolerance},
          {"time_tolerance", options.compare.time_tolerance},
          {"alike", c.alike},
          {"frames", c.frames},
          {"only_in_first", c.only_first},
          {"only_in_second", c.only_second},
          {"signals", std::move(signals)},
          {"complaints", c.complaints},
          {"settings", c.settings}};
}

void print(const Options& options, const Comparison& c) {
  std::cout << fmt::format("{} and {}: {} frame{} at the same times\n", lissom::printable(options.first),
                           lissom::printable(options.second), c.frames, c.frames == 1 ? "" : "s");
  std::size_t width = 8;
  for (const auto& signal : c.signals) width = std::max(width, signal.signal.size() + 2);
  if (!c.signals.empty())
    std::cout << fmt::format("\n{:{}}{:>8}{:>12}{:>12}  {}\n", "signal", width, "columns", "largest", "rms",
                             "where it is largest; where they first differ");
  for (const auto& signal : c.signals) {
    std::string where;
    if (signal.max_deviation.difference > 0)
      where = fmt::format("{} [{}] at {:g} s", signal.max_deviation.column, signal.max_deviation.unit,
                          signal.max_deviation.time);
    if (signal.first_deviation)
      where += fmt::format("; {} at {:g} s", signal.first_deviation->column, signal.first_deviation->time);
    std::cout << fmt::format("{:{}}{:>8}{:>12.2e}{:>12.2e}  {}\n", signal.signal, width, signal.columns,
                             signal.max_deviation.difference, signal.rms, where);
  }
  std::cout << "\n";
  for (const auto& setting : c.settings) std::cout << "note: " << setting << "\n";
  for (const auto& complaint : c.complaints) std::cout << "different: " << complaint << "\n";
  for (const auto& signal : c.signals)
    for (const auto& complaint : signal.complaints)
      std::cout << "different: signal " << signal.signal << ": " << complaint << "\n";
  std::cout << (c.alike ? fmt::format("equal within {:g}\n", options.compare.tolerance)
                        : fmt::format("different (tolerance {:g})\n", options.compare.tolerance));
}

int run(Options& options) {
  std::vector<lissom::recording::Recording> both;
  both.push_back(read_and_warn(options.first, options.quiet));
  both.push_back(read_and_warn(options.second, options.quiet));
  options.compare.signals = signal_names(options.signals, both);
  const auto comparison = [&] {
    const Waiting waiting(options.quiet, "comparing");
    return lissom::recording::compare(both[0], both[1], options.compare);
  }();
  if (options.json)
    print_json(to_json(options, comparison));
  else
    print(options, comparison);
  return comparison.alike ? 0 : 1;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb = app.add_subcommand(
      "compare", "report whether two recordings are equal within a tolerance, and where they first differ");
  const auto options = std::make_shared<Options>();
  verb->add_option("FILE", options->first, "recording (.mcap, .npz, .csv)")->required();
  verb->add_option("OTHER_FILE", options->second, "recording to compare it with")->required();
  verb->add_option("--signals", options->signals, "compare only these signals, e.g. q,v (default: all)")->take_all();
  verb->add_option("--tolerance", options->compare.tolerance,
                   "largest difference of equal values, in their units (default: 1e-9)")
      ->check(number_check::non_negative());
  verb->add_option("--time-tolerance", options->compare.time_tolerance,
                   "frames at most this far apart are compared, in seconds (default: 1e-9)")
      ->check(number_check::non_negative());
  verb->add_flag("--json", options->json, "print JSON");
  verb->add_flag("--quiet", options->quiet, "show no progress");
  verb->footer(
      "Quaternions are compared up to their sign. Different settings are listed, but do not make recordings "
      "different.\n"
      "Exit code: 0 equal, 1 different, 2 wrong usage or input.");
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace verb::compare
