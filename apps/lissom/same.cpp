// lissom same FILE OTHER_FILE: do two files describe the same robot, and where do they differ?
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interrupt.h"
#include "lissom/api/compare_robots.h"
#include "lissom/io/loops_file.h"
#include "model_arguments.h"
#include "number_checks.h"
#include "output.h"
#include "progress.h"
#include "robot_files.h"
#include "verbs.h"

namespace verb::same {
namespace {

using nlohmann::json;

struct Options {
  std::string first, second, first_loops, second_loops;
  ModelArguments model;
  lissom::CompareRobotsOptions compare;
  bool json = false, quiet = false;
};

json number(double x) {
  return std::isfinite(x) ? json(x) : json(nullptr);
}

json to_json(const Options& options, const lissom::RobotComparison& c) {
  json differences = json::array();
  for (const auto& d : c.differences)
    differences.push_back({{"subject", d.subject},
                           {"property", d.property},
                           {"first", d.a},
                           {"second", d.b},
                           {"difference", number(d.difference)}});
  return {{"first", options.first},
          {"second", options.second},
          {"same", c.same},
          {"tolerance", options.compare.tolerance},
          {"sentence", to_sentence(c)},
          {"names", c.names},
          {"states", c.states},
          {"placement_difference", number(c.placement_difference)},
          {"mass_matrix_difference", number(c.mass_matrix_difference)},
          {"bias_difference", number(c.bias_difference)},
          {"differences", std::move(differences)},
          {"notes", c.notes}};
}

void print(const lissom::RobotComparison& c) {
  constexpr std::size_t max_printed = 40;
  for (std::size_t i = 0; i < std::min(c.differences.size(), max_printed); ++i) {
    const auto& d = c.differences[i];
    const auto size = std::isfinite(d.difference) ? fmt::format(" (relative {:.2e})", d.difference) : std::string();
    std::cout << lissom::printable(fmt::format("{}: {}: {} | {}{}", d.subject, d.property, d.a, d.b, size)) << "\n";
  }
  if (c.differences.size() > max_printed)
    std::cout << fmt::format("and {} more, which --json lists\n", c.differences.size() - max_printed);
  for (const auto& note : c.notes) std::cout << "note: " << lissom::printable(note) << "\n";
  if (c.states > 0)
    std::cout << fmt::format("{} random states: placements differ by {:.2e}, M by {:.2e}, h by {:.2e} (relative)\n",
                             c.states, c.placement_difference, c.mass_matrix_difference, c.bias_difference);
  std::cout << lissom::printable(to_sentence(c)) << "\n";
}

// Arguments of xacro are for both files: those that one of them uses are used.
void say_what_differs_in_both(const lissom::io::ReadResult& first, const lissom::io::ReadResult& second) {
  const auto argument = [](const lissom::Diagnostic& d) {
    const auto begin = d.message.find('\'');
    return d.message.substr(begin, d.message.find('\'', begin + 1) - begin);
  };
  const auto told = [&](const lissom::io::ReadResult& of, const lissom::io::ReadResult& other) {
    std::vector<lissom::Diagnostic> findings;
    for (const auto& d : of.diagnostics)
      if (d.code != "xacro-unused" || std::ranges::any_of(other.diagnostics, [&](const auto& same) {
            return same.code == d.code && argument(same) == argument(d);
          }))
        findings.push_back(d);
    say_what_differs(std::move(findings));
  };
  told(first, second);
  told(second, first);
}

int run(const Options& o) {
  const auto& model = o.model.options;
  auto read_first = read_robot_file(o.first, model), read_second = read_robot_file(o.second, model);
  say_what_differs_in_both(read_first, read_second);
  auto &first = read_first.description, &second = read_second.description;
  if (!o.first_loops.empty()) lissom::io::read_loops(o.first_loops, first);
  if (!o.second_loops.empty()) lissom::io::read_loops(o.second_loops, second);
  auto compare = o.compare;
  compare.build = {model.base, model.mimic, model.axis_tolerance};
  end_on_request();
  Progress progress(o.quiet);
  compare.stop = [&](int states) {
    progress.show(double(states) / compare.states, fmt::format("state {} of {}", states + 1, compare.states));
    return interrupted();
  };
  const auto comparison = lissom::compare_robots(first, second, compare);
  progress.clear();
  if (o.json)
    print_json(to_json(o, comparison));
  else
    print(comparison);
  if (!interrupted()) return comparison.same ? 0 : 1;
  complain(fmt::format("interrupted after {} of {} states", comparison.states, compare.states));
  return interrupted_code;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb =
      app.add_subcommand("same", "report whether two files describe the same robot, and where they differ");
  const auto options = std::make_shared<Options>();
  verb->add_option("FILE", options->first, "robot (URDF, xacro, MJCF, SDF); - reads standard input")->required();
  verb->add_option("OTHER_FILE", options->second, "robot to compare it with")->required();
  options->model.add_arguments_to(*verb);
  options->model.add_options_to(*verb);
  verb->add_option("--loops", options->first_loops, "file (JSON) with closed loops of FILE");
  verb->add_option("--other-loops", options->second_loops, "file (JSON) with closed loops of OTHER_FILE");
  verb->add_option("--tolerance", options->compare.tolerance,
                   "largest relative difference of equal values (default: 1e-10)")
      ->check(number_check::non_negative());
  verb->add_option("--states", options->compare.states,
                   "random states in which placements, M and h are compared (default: 20)")
      ->check(number_check::whole(1, 100'000));
  verb->add_option("--seed", options->compare.seed, "of these states (default: 1)")->check(number_check::seed());
  verb->add_flag("--json", options->json, "print JSON");
  verb->add_flag("--quiet", options->quiet, "show no progress");
  verb->footer(
      "Links, joints and frames are compared by name; shapes and contacts are not compared.\n"
      "Exit code: 0 same, 1 different, 2 wrong usage or input.");
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace verb::same
