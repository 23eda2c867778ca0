// lissom compare FIRST SECOND: do two recordings say the same, and where do they part?
#include "lissom/recording/compare.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "recording_arguments.h"
#include "verbs.h"

namespace verb::compare {
namespace {

using lissom::recording::Comparison;
using lissom::recording::Place;
using nlohmann::json;

struct Options {
  std::string first, second;
  std::vector<std::string> signals;
  lissom::recording::CompareOptions compare;
  bool json = false;
};

json to_json(const Place& place) {
  return {{"difference", place.difference},
          {"infinite", std::isinf(place.difference)},
          {"time", place.time},
          {"column", place.column},
          {"unit", place.unit}};
}

json to_json(const Options& options, const Comparison& c) {
  json signals = json::array();
  for (const auto& signal : c.signals)
    signals.push_back({{"signal", signal.signal},
                       {"columns", signal.columns},
                       {"largest", signal.largest.difference > 0 ? to_json(signal.largest) : json(nullptr)},
                       {"rms", signal.rms},
                       {"parted", signal.parted ? to_json(*signal.parted) : json(nullptr)},
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
  std::cout << fmt::format("{} and {}: {} frame{} at the same moments\n", options.first, options.second, c.frames,
                           c.frames == 1 ? "" : "s");
  std::size_t width = 8;
  for (const auto& signal : c.signals) width = std::max(width, signal.signal.size() + 2);
  if (!c.signals.empty())
    std::cout << fmt::format("\n{:{}}{:>8}{:>12}{:>12}  {}\n", "signal", width, "columns", "largest", "rms",
                             "where it is largest; where they part");
  for (const auto& signal : c.signals) {
    std::string where;
    if (signal.largest.difference > 0)
      where = fmt::format("{} [{}] at {:g} s", signal.largest.column, signal.largest.unit, signal.largest.time);
    if (signal.parted) where += fmt::format("; {} at {:g} s", signal.parted->column, signal.parted->time);
    std::cout << fmt::format("{:{}}{:>8}{:>12.2e}{:>12.2e}  {}\n", signal.signal, width, signal.columns,
                             signal.largest.difference, signal.rms, where);
  }
  std::cout << "\n";
  for (const auto& setting : c.settings) std::cout << "note: " << setting << "\n";
  for (const auto& complaint : c.complaints) std::cout << "different: " << complaint << "\n";
  for (const auto& signal : c.signals)
    for (const auto& complaint : signal.complaints)
      std::cout << "different: signal " << signal.signal << ": " << complaint << "\n";
  std::cout << (c.alike ? fmt::format("alike within {:g}\n", options.compare.tolerance)
                        : fmt::format("not alike within {:g}\n", options.compare.tolerance));
}

int run(Options& options) {
  std::vector<lissom::recording::Recording> both;
  both.push_back(read_and_warn(options.first));
  both.push_back(read_and_warn(options.second));
  options.compare.signals = signal_names(options.signals, both);
  const auto comparison = lissom::recording::compare(both[0], both[1], options.compare);
  if (options.json)
    std::cout << to_json(options, comparison).dump(2) << "\n";
  else
    print(options, comparison);
  return comparison.alike ? 0 : 1;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb = app.add_subcommand("compare", "Do two recordings say the same, and where do they part?");
  const auto options = std::make_shared<Options>();
  verb->add_option("FILE", options->first, "recording (.mcap, .npz, .csv)")->required();
  verb->add_option("OTHER_FILE", options->second, "another")->required();
  verb->add_option("--signals", options->signals, "only these: q,v")->take_all();
  verb->add_option("--tolerance", options->compare.tolerance, "of numbers, in their units (1e-9)")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--time-tolerance", options->compare.time_tolerance,
                   "frames this close are the same moment, in seconds (1e-9)")
      ->check(CLI::NonNegativeNumber);
  verb->add_flag("--json", options->json, "for programs");
  verb->footer(
      "Quaternions are compared up to their sign. Settings that differ are listed and decide nothing.\n"
      "Exit code: 0 alike, 1 different, 2 wrong use or input.");
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace verb::compare
