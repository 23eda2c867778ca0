// Inverse kinematics of mechanisms with closed loops: the loops of its solutions are closed.
#include "lissom/ik/closed_loops.h"

#include <gtest/gtest.h>

#include "lissom/constraints/closed_loops.h"
#include "lissom/ik/solver.h"
#include "lissom/lissom.h"

namespace lissom::test {
namespace {

std::string file(const std::string& name) {
  return std::string(LISSOM_MODELS_DIR) + "/iftomm/" + name;
}

// Two four-bars have one degree of freedom: the upper end of the first crank goes round a circle, the rest follows.
TEST(InverseKinematicsOfLoops, FourBarsFollowTheirFirstCrank) {
  const auto model = load(file("a02_four_bars_2.urdf"), {.loops_file = file("a02_four_bars_2.json")});
  ik::Solver solver(model, {ik::position(model.frame("coupler_1"), {0, 1, 0})},
                    ik::closed_loops(model, closures(model)));
  ClosedLoops loops(model);
  Workspace work(model);
  for (const double angle : {0.3, 0.9, 1.4, 2.2, 2.9}) {
    solver.set_target_pose(0, {identity3<double>(), {std::cos(angle), std::sin(angle), 0}});
    const auto& result = solver.solve(neutral(model));
    EXPECT_EQ(result.status, ik::Status::solved) << angle;
    EXPECT_LT(loops.gap(model, work, result.q), 1e-8) << angle;
    forward_kinematics(model, work, result.q);
    const auto p = placement(model, work, model.frame("coupler_1")).p;
    EXPECT_NEAR(p.x, std::cos(angle), 1e-6);
    EXPECT_NEAR(p.y, std::sin(angle), 1e-6);
  }
  // Out of reach: the closest configuration, and still closed as well as can be.
  solver.set_target_pose(0, {identity3<double>(), {3, 4, 0}});
  EXPECT_NE(solver.solve(neutral(model)).status, ik::Status::solved);
}

}  // namespace
}  // namespace lissom::test
