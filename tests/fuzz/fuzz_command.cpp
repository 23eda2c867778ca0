// What only the command reads: states, quadratic programs, numbers in options.
#include <algorithm>
#include <cmath>

#include <CLI/CLI.hpp>

#include "apps/lissom/evaluated_states.h"
#include "apps/lissom/numbers.h"
#include "apps/lissom/output.h"
#include "apps/lissom/qp_file.h"
#include "apps/lissom/state_arguments.h"
#include "lissom/api/load.h"
#include "lissom/files/json_text.h"
#include "lissom/model/diagnostic.h"
#include "lissom/qp/solver.h"
#include "targets.h"

namespace lissom::fuzz {

void states(std::string_view input) {
  static const Model robots[] = {load(models() + "/planar2.urdf"), load(models() + "/mechanisms/floating_box.urdf")};
  for (const auto& robot : robots) {
    try {
      const auto request = parse_json<nlohmann::json>(input, JsonComments::accept);
      verb::eval::check_request(request);
      const auto model = verb::eval::with_gravity_of(request, robot);
      const formulations::Conversion as_here(model, formulations::Convention::lissom);
      const auto go_on = [](std::size_t, const std::string&) { return true; };
      json_text(verb::eval::evaluate_all(model, request, as_here, as_here, go_on));
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): these are no states
    }
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
