#include "bench_contacts.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <numbers>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interrupt.h"
#include "lissom/benchmarks/contact_worlds.h"
#include "lissom/benchmarks/tosses.h"
#include "lissom/model/text.h"
#include "output.h"
#include "progress.h"

namespace verb::bench {
namespace {

namespace benchmarks = lissom::benchmarks;
using benchmarks::Outcome;
using nlohmann::json;

struct Test {
  const char* name;
  Outcome (*run)(double seconds, const benchmarks::AfterStep& after);
  double seconds, quick_seconds;
  const char* unit;
  std::optional<double> published;
  const char* by;
};

// The best figures published, of all methods (for quadruped_energy, MuJoCo's Runge–Kutta method of fourth order).
constexpr Test tests[] = {
    {"rolling", benchmarks::rolling, 4, .1, "m²/s²", 5.7e-9, "Bullet"},
    {"bouncing", benchmarks::bouncing, 20, 1.2, "J²", .0186, "RaiSim"},
    {"666", benchmarks::heap, 10, .2, "m²", 1.35e-4, "RaiSim"},
    {"elastic_666", benchmarks::elastic_heap, 10, .5, "J²", 8.37, "RaiSim"},
    {"momentum", benchmarks::momentum, 10, .4, "N²s²", 1e-27, "ODE"},
    {"quadruped_energy", benchmarks::quadruped_energy, 3, .3, "J²", 1.6e-17, "MuJoCo"},
    {"grip", benchmarks::grip, 10, .1, "µm/s", 155, "MuJoCo"},
    {"stack", benchmarks::stack, 10, .05, "m", {}, ""},
    {"step_derivatives", benchmarks::step_derivatives, 2, .05, "relative", {}, ""},
};
constexpr const char *toss_position = "tosses_position_mm", *toss_rotation = "tosses_rotation_deg";
// MuJoCo 4.0.1 with parameters fitted to the 285 tosses, as it came with them; bench/tosses/run repeats such a fit.
constexpr double mujoco_position = 8.45, mujoco_rotation = 7.27;

struct ContactRow {
  std::string test, unit, by;
  double error = 0, us_per_step = 0;
  std::optional<double> published;
};

struct Interrupted {};

std::vector<std::string_view> known_tests() {
  std::vector<std::string_view> names;
  for (const auto& test : tests) names.push_back(test.name);
  names.push_back(toss_position), names.push_back(toss_rotation);
  return names;
}

void check_only(const std::string& only) {
  const auto names = known_tests();
  if (only.empty() || std::ranges::find(names, only) != names.end()) return;
  auto near = lissom::did_you_mean(only, names);
  if (!near.empty()) near += " ";
  throw lissom::Error(fmt::format("--only {}: no such test of contacts; {}tests: {}", lissom::in_quotes(only), near,
                                  fmt::join(names, ", ")));
}

// The folder of tosses that was asked for, or the one that is at hand; empty if there is none.
std::string toss_folder(const ContactOptions& options) {
  if (!options.tosses.empty()) return options.tosses;
  const char* const shared = std::getenv("LISSOM_SHARED");
  const auto folder = std::filesystem::path(shared && *shared ? shared : "../shared") / "reference" / "tosses";
  std::error_code ignored;
  return std::filesystem::is_regular_file(folder / "tosses.csv.gz", ignored) ? folder.string() : "";
}

class ContactBench {
 public:
  ContactBench(const ContactOptions& options, const Reporting& reporting)
      : options_(options), reporting_(reporting), progress_(reporting.quiet) {}

  // Appends to `rows` what was measured completely; false if it was interrupted.
  bool run(std::vector<ContactRow>& rows) {
    try {
      const auto tosses = read_tosses();
      for (const auto& test : tests)
        if (asked(test.name)) rows.push_back(measure(test));
      if (!tosses.empty()) measure_tosses(tosses, rows);
    } catch (const Interrupted&) {
      return false;
    }
    progress_.clear();
    return true;
  }

 private:
  bool asked(std::string_view test) const { return reporting_.only.empty() || reporting_.only == test; }

  ContactRow measure(const Test& test) {
    const double seconds = options_.quick ? test.quick_seconds : test.seconds;
    long steps = 0;
    const auto after = [&] {
      if (interrupted()) throw Interrupted{};
      if (++steps % 64 == 0)
        progress_.show(-1, fmt::format("{}: {:.2f} s of the motion", test.name, 1e-3 * double(steps)));
    };
    const auto outcome = test.run(seconds, after);
    return {test.name, test.unit, test.by, outcome.error, outcome.us_per_step(), test.published};
  }

  // Before everything else, so that a wrong folder is said at once.
  std::vector<benchmarks::Toss> read_tosses() const {
    if (!asked(toss_position) && !asked(toss_rotation)) return {};
    const auto folder = toss_folder(options_);
    if (folder.empty()) {
      complain(
          fmt::format("there are no measured tosses at hand, so {} and {} are left out; --tosses DIR names a folder "
                      "with tosses.csv.gz and starts.csv",
                      toss_position, toss_rotation));
      return {};
    }
    auto tosses = benchmarks::read_tosses(folder);
    if (options_.quick && tosses.size() > 10) tosses.resize(10);
    return tosses;
  }

  void measure_tosses(const std::vector<benchmarks::Toss>& tosses, std::vector<ContactRow>& rows) {
    std::size_t done = 0;
    const auto error = benchmarks::mean_error(tosses, {}, [&] {
      if (interrupted()) throw Interrupted{};
      progress_.show(-1, fmt::format("{} of {} tosses", ++done, tosses.size()));
    });
    const double us = 1e6 * error.seconds / double(error.steps);
    if (asked(toss_position))
      rows.push_back({toss_position, "mm", "MuJoCo", 1e3 * error.position, us, mujoco_position});
    if (asked(toss_rotation))
      rows.push_back({toss_rotation, "°", "MuJoCo", 180 / std::numbers::pi * error.rotation, us, mujoco_rotation});
  }

  const ContactOptions& options_;
  const Reporting& reporting_;
  Progress progress_;
};

// A number, with no more than three digits.
std::string shown(double number) {
  const double size = std::abs(number);
  return size == 0 || (size >= .01 && size < 1e4) ? fmt::format("{:.3g}", number) : fmt::format("{:.1e}", number);
}

void print(const std::vector<ContactRow>& rows) {
  std::cout << fmt::format("{:20} {:>10} {:6} {:>16} {:>12}\n", "test", "error", "", "published", "µs per step");
  for (const auto& row : rows)
    std::cout << fmt::format("{:20} {:>10} {:6} {:>16} {:>11.2f}\n", row.test, shown(row.error), row.unit,
                             row.published ? shown(*row.published) + " " + row.by : "", row.us_per_step);
}

}  // namespace

void ContactOptions::add_to(CLI::App& verb) {
  auto* const contacts = verb.add_flag(
      "--contacts", on, "instead: errors and µs per step of worlds whose motion is known, or was measured; no FILE");
  verb.add_option(
          "--tosses", tosses,
          "with --contacts: folder of measured tosses (tosses.csv.gz, starts.csv); default: reference/tosses in "
          "$LISSOM_SHARED or ../shared")
      ->type_name("DIR")
      ->needs(contacts);
  verb.add_flag("--quick", quick, "with --contacts: short runs, which only show that everything works")
      ->needs(contacts);
}

void ContactOptions::check_others(const CLI::App& verb) const {
  for (const char* const other : {"FILE", "--base", "--mimic", "--packages", "--gpu", "--generated", "--armature",
                                  "--seconds", "--threads", "--best"})
    if (verb.get_option(other)->count() > 0)
      throw lissom::Error(
          fmt::format("{} has no effect with --contacts, which has worlds of its own; leave it out", other));
}

int run_contacts(const ContactOptions& options, const Reporting& reporting) {
  check_only(reporting.only);
  end_on_request();
  std::vector<ContactRow> rows;
  const bool complete = ContactBench(options, reporting).run(rows);
  if (!complete) complain("interrupted; what was not measured completely is left out");
  if (reporting.json) {
    json list = json::array();
    for (const auto& row : rows)
      list.push_back({{"test", row.test},
                      {"error", row.error},
                      {"us_per_step", row.us_per_step},
                      {"published", row.published ? json(*row.published) : json()}});
    print_json(list, 1);
  } else {
    print(rows);
  }
  return complete ? 0 : interrupted_code;
}

}  // namespace verb::bench
