// What only the command reads: states, quadratic programs, numbers in options.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>

#include <CLI/CLI.hpp>

#include "apps/lissom/numbers.h"
#include "apps/lissom/qp_file.h"
#include "apps/lissom/state_arguments.h"
#include "apps/lissom/verbs.h"
#include "lissom/api/load.h"
#include "lissom/model/diagnostic.h"
#include "lissom/qp/solver.h"
#include "targets.h"

namespace lissom::fuzz {

void states(std::string_view input) {
  static InputFile file;
  const auto& path = file.write(input);
  std::ostringstream out;
  for (const std::string& robot : {models() + "/planar2.urdf", models() + "/mechanisms/floating_box.urdf"}) {
    auto* const before = std::cout.rdbuf(out.rdbuf());
    try {
      CLI::App app;
      int exit_code = 0;
      verb::eval::add(app, exit_code);
      app.parse(std::vector<std::string>{path, "--states", robot, "eval"});  // (CLI takes them from the back.)
    } catch (const std::exception&) {                                        // main() reports all of them
    }
    std::cout.rdbuf(before);
  }
}

void qp(std::string_view input) {
  static InputFile file;
  std::vector<StoredProblem> problems;
  try {
    problems = read_problems(file.write(input));
  } catch (const Error&) {
    return;
  }
  qp::Sizes sizes;
  for (const auto& p : problems) {
    sizes.variables = std::max(sizes.variables, int(p.g.size()));
    sizes.equalities = std::max(sizes.equalities, int(p.b.size()));
    sizes.rows = std::max(sizes.rows, int(p.l.size()));
  }
  if (problems.empty() || sizes.variables > 50 || sizes.rows > 100) return;  // slow
  qp::Solver solver(sizes);
  for (const bool warm : {false, true})
    for (const auto& p : problems) {
      const auto& s = solver.solve(p.problem(), {.warm = warm});
      if (s.status == qp::Status::optimal)
        expect(Eigen::VectorXd(s.x).allFinite() && std::isfinite(s.objective), "an optimal solution is finite");
    }
}

void options(std::string_view input) {
  const std::string text(input);
  const auto each = [](auto read) {
    try {
      read();
    } catch (const Error&) {
    } catch (const CLI::Error&) {
    }
  };
  each([&] {
    for (const double x : numbers_of("--q", text)) expect(!std::isnan(x), "numbers in options are numbers");
  });
  each([&] { vec3_of("--gravity", text); });
  each([&] { expect(vector_of("--q", text, 2).size() == 2, "as many numbers as asked for"); });
  static const Model robot = load(models() + "/planar2.urdf");
  each([&] { push_of(robot, text, {0, 1}); });
  each([&] {
    expect(configuration_of(robot, "--q", text).allFinite(), "configurations are finite");
    expect(velocity_of(robot, "--v", text).allFinite(), "velocities are finite");
  });
}

}  // namespace lissom::fuzz
