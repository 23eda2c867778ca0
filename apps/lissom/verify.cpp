// lissom verify FILE: evaluates every formulation of the equations of motion at random states, and reports the largest
// difference between any two.
#include "lissom/formulations/verify.h"

#include <cmath>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interrupt.h"
#include "model_arguments.h"
#include "number_checks.h"
#include "output.h"
#include "progress.h"
#include "verbs.h"

namespace verb::verify {
namespace {

using lissom::formulations::Comparison;
using lissom::formulations::VerifyReport;
using nlohmann::json;

struct Options {
  ModelArguments model;
  lissom::formulations::VerifyOptions verify;
  std::vector<std::string> charts;
  double tolerance = 1e-9;
  bool json = false, quiet = false;
};

void print(const Comparison& c, double tolerance) {
  const auto n = c.formulations.size();
  std::cout << fmt::format("\n{}: largest relative disagreement\n{:16}", c.quantity, "");
  for (std::size_t j = 1; j < n; ++j) std::cout << fmt::format("{:>17}", c.formulations[j]);
  std::cout << "\n";
  for (std::size_t i = 0; i + 1 < n; ++i) {
    std::cout << fmt::format("{:16}", c.formulations[i]);
    for (std::size_t j = 1; j < n; ++j) {
      const double off = c.disagreement[i * n + j];
      std::cout << (j <= i ? fmt::format("{:17}", "") : fmt::format("{:16.1e}{}", off, off > tolerance ? "!" : " "));
    }
    std::cout << "\n";
  }
  if (c.max_disagreement > 0)
    std::cout << fmt::format("largest: {:.1e} between {} and {}, state {}{}\n", c.max_disagreement, c.first, c.second,
                             c.seed, c.joint.empty() ? "" : ", at " + c.joint);
}

json to_json(const std::string& robot, const VerifyReport& report, double tolerance) {
  json comparisons = json::array();
  for (const auto& c : report.comparisons) {
    json pairs = json::array();
    const auto n = c.formulations.size();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j)
        pairs.push_back(
            {{"between", {c.formulations[i], c.formulations[j]}}, {"disagreement", c.disagreement[i * n + j]}});
    comparisons.push_back({{"quantity", c.quantity},
                           {"pairs", std::move(pairs)},
                           {"max_disagreement", c.max_disagreement},
                           {"between", {c.first, c.second}},
                           {"state", c.seed},
                           {"joint", c.joint}});
  }
  return {{"robot", robot},
          {"states", report.states},
          {"compared", report.compared},
          {"tolerance", tolerance},
          {"max_disagreement", report.max_disagreement()},
          {"agree", report.compared == 0 ? json(nullptr) : json(report.max_disagreement() <= tolerance)},
          {"comparisons", std::move(comparisons)},
          {"remarks", report.remarks}};
}

int run(Options& options) {
  for (const auto& word : options.charts) {
    const auto equals = word.find('=');
    if (equals == std::string::npos)
      throw lissom::Error("--chart '" + word + "': expected JOINT=CHART, e.g. base=euler-zyx");
    options.verify.charts[word.substr(0, equals)] = word.substr(equals + 1);
  }
  const auto model = options.model.load();
  end_on_request();
  ProgressOfParts progress(options.quiet, std::size_t(options.verify.states));
  options.verify.stop = [&](int states) {
    progress.show(std::size_t(states), fmt::format("state {} of {}", states + 1, options.verify.states));
    return interrupted();
  };
  const auto report = lissom::formulations::verify(model, options.verify);
  progress.clear();
  if (interrupted()) complain(fmt::format("interrupted after {} of {} states", report.states, options.verify.states));
  const bool agree = report.max_disagreement() <= options.tolerance;
  if (options.json) {
    print_json(to_json(model.name(), report, options.tolerance));
    return interrupted() ? interrupted_code : agree ? 0 : 1;
  }
  std::cout << fmt::format("{}: {} degrees of freedom, {} random states\n", model.name(), model.nv(), report.states);
  for (const auto& c : report.comparisons) print(c, options.tolerance);
  std::cout << "\n";
  for (const auto& remark : report.remarks) std::cout << "note: " << remark << "\n";
  std::cout << (report.compared == 0 ? "nothing was compared\n"
                : agree              ? fmt::format("all agree within {:.0e}\n", options.tolerance)
                        : fmt::format("largest disagreement {:.1e}, above {:.0e}\n", report.max_disagreement(),
                                      options.tolerance));
  return interrupted() ? interrupted_code : agree ? 0 : 1;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb = app.add_subcommand(
      "verify", "evaluate every formulation of the equations of motion at random states, and compare them");
  const auto options = std::make_shared<Options>();
  options->model.add_to(*verb);
  verb->add_option(
          "--chart", options->charts,
          "JOINT=CHART, orientation chart of a free or spherical joint: quaternion (default), euler-zyx, fixed-xyz, "
          "roll-pitch-yaw, matrix, axis-angle, exponential, …")
      ->take_all();
  verb->add_option("--all-charts", options->verify.chart, "chart of all joints that --chart does not name");
  verb->add_option("--states", options->verify.states, "number of random states (default: 20)")
      ->check(number_check::whole(1, 1000000));
  verb->add_option("--seed", options->verify.seed, "seed of the random states (default: 1)")
      ->check(number_check::seed());
  verb->add_option("--tolerance", options->tolerance, "largest accepted relative difference (default: 1e-9)")
      ->check(number_check::positive());
  verb->add_flag("--json", options->json, "print JSON");
  verb->add_flag("--quiet", options->quiet, "show no progress");
  verb->footer(
      "Exit code: 0 all agree, 1 two differ by more than the tolerance, 2 wrong usage or input, 130 interrupted (the "
      "states until then are reported).");
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace verb::verify
