// Targets out of reach give the closest configuration within the limits. The same seed gives the same result.
#include <numbers>

#include "close.h"
#include "ik_support.h"
#include "largest.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using Eigen::VectorXd;
using ik::Status;

TEST(Limits, AreKeptOnAThousandTargetsReachableOrNot) {
  const auto m = own_model("arm7");
  Workspace work(m);
  const auto tool = m.frame("tool");
  ik::Solver solver(m, {ik::pose(tool, {})});
  Random random(1);
  int solved = 0, closest = 0;
  for (int i = 0; i < 1000; ++i) {
    const bool reachable = i % 2 == 0;
    auto X = pose_at(m, work, random_configuration(m, std::uint64_t(i) + 1), tool);
    if (!reachable) X = {random.rotation(), random.vec3(2)};
    solver.set_target_pose(0, X);
    const auto& result = solver.solve(neutral(m), {.starts = reachable ? 100 : 10});
    EXPECT_TRUE(within_limits(m, result.q));
    const auto found = pose_at(m, work, result.q, tool);
    const double distance = length(found.p - X.p), angle = angle_between(X.R, found.R);
    EXPECT_NEAR(result.residuals[0].distance, distance, 1e-9);
    EXPECT_NEAR(result.residuals[0].angle, angle, 1e-9);
    EXPECT_EQ(result.status == Status::solved, distance <= 1e-6 && angle <= 1e-6);
    if (reachable) {
      EXPECT_EQ(result.status, Status::solved) << i;
    }
    solved += result.status == Status::solved, closest += result.status == Status::closest;
  }
  EXPECT_GE(solved, 500);
  EXPECT_GE(closest, 100);
}

TEST(Limits, OutOfReachTheArmStretchesTowardsIt) {
  const auto m = own_model("planar2");
  ik::Solver solver(m, {ik::position(m.frame("tip"), {0, 0, 0})});
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    const double angle = random.uniform(-3, 3), far = random.uniform(2.1, 10);
    solver.set_target_pose(0, {identity3<double>(), {far * std::cos(angle), 0, far * std::sin(angle)}});
    const auto& result = solver.solve(neutral(m), {.starts = 5});
    EXPECT_EQ(result.status, Status::closest);
    EXPECT_NEAR(result.residuals[0].distance, far - 2, 1e-7 * far);
    EXPECT_NEAR(std::remainder(result.q[0] - angle, 2 * std::numbers::pi), 0, 1e-3);
    EXPECT_NEAR(std::remainder(result.q[1], 2 * std::numbers::pi), 0, 1e-3);
  }
}

TEST(Limits, TheClosestIsAMinimumWithinTheLimits) {
  const auto m = own_model("arm7");
  const auto tool = m.frame("tool");
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const auto p = random.vec3(3);
    ik::Solver solver(m, {ik::position(tool, p)});
    const auto result = solver.solve(neutral(m), {.starts = 5});
    if (result.status == Status::solved) continue;
    EXPECT_EQ(result.status, Status::closest);
    Workspace work(m);
    for (int k = 0; k < 200; ++k) {
      VectorXd near = result.q + random.vector(m.nv(), 1e-3);
      for (int j = 0; j < m.nq(); ++j)
        near[j] = std::clamp(near[j], m.lower()[std::size_t(j)], m.upper()[std::size_t(j)]);
      EXPECT_GE(length(pose_at(m, work, near, tool).p - p), result.residuals[0].distance - 1e-7);
    }
  }
}

TEST(Limits, AStartOutsideIsBroughtInside) {
  const auto m = own_model("arm7");
  Workspace work(m);
  const auto tool = m.frame("tool");
  ik::Solver solver(m, {ik::pose(tool, pose_at(m, work, random_configuration(m, 4), tool))});
  const auto& result = solver.solve(VectorXd::Constant(m.nq(), 40));
  EXPECT_EQ(result.status, Status::solved);
  EXPECT_TRUE(within_limits(m, result.q));
}

TEST(Limits, OfAPlanarBaseAreKept) {
  Random random(5);
  Description d;
  d.links = {random_link("floor", random), random_link("puck", random)};
  JointDescription j;
  j.name = "slide", j.type = JointType::planar, j.parent = "floor", j.child = "puck";
  j.axis = {0, 0, 1}, j.lower = {-0.5, -0.2, -1}, j.upper = {0.5, 0.2, 1};
  d.joints = {j};
  const auto m = build(d);
  ik::Solver solver(m, {ik::pose(m.frame("puck"), {})});
  for (int i = 0; i < 100; ++i) {
    const auto q = random_configuration(m, std::uint64_t(i));
    Workspace work(m);
    solver.set_target_pose(0, pose_at(m, work, q, m.frame("puck")));
    const auto& reached = solver.solve(neutral(m));
    EXPECT_EQ(reached.status, Status::solved);
    EXPECT_TRUE(within_limits(m, reached.q));
    solver.set_target_pose(0, {identity3<double>(), random.vec3(2)});
    EXPECT_TRUE(within_limits(m, solver.solve(neutral(m)).q));
  }
}

TEST(Determinism, TheSameSeedTheSameAnswer) {
  const auto m = own_model("humanoid");
  Workspace work(m);
  const auto palm = m.frame("left_palm");
  const auto X = pose_at(m, work, random_configuration(m, 9), palm);
  ik::Solver one(m, {ik::pose(palm, X)}), other(m, {ik::pose(palm, {})});
  other.solve(neutral(m));
  other.set_target_pose(0, X);
  for (const auto prefer : {ik::Prefer::first, ik::Prefer::nearest, ik::Prefer::central}) {
    const ik::Options options{.starts = 20, .seed = 7, .prefer = prefer};
    const auto a = one.solve(neutral(m), options), b = other.solve(neutral(m), options);
    EXPECT_TRUE(identical(a.q, b.q));
    EXPECT_EQ(a.iterations, b.iterations);
    EXPECT_EQ(a.starts, b.starts);
  }
}

TEST(Determinism, TheCentralSolutionIsFartherFromLimitsThanTheFirst) {
  const auto m = own_model("arm7");
  Workspace work(m);
  const auto tool = m.frame("tool");
  const auto distance_to_limits = [&](const VectorXd& q) {
    double least = 1;
    for (int i = 0; i < m.nq(); ++i) {
      const double low = m.lower()[std::size_t(i)], high = m.upper()[std::size_t(i)];
      least = smaller(least, 2 * std::min(q[i] - low, high - q[i]) / (high - low));
    }
    return least;
  };
  for (std::uint64_t seed = 1; seed < 10; ++seed) {
    ik::Solver solver(m, {ik::pose(tool, pose_at(m, work, random_configuration(m, seed), tool))});
    const auto first = solver.solve(neutral(m));
    const auto central = solver.solve(neutral(m), {.prefer = ik::Prefer::central});
    const auto nearest = solver.solve(neutral(m), {.prefer = ik::Prefer::nearest});
    EXPECT_GE(distance_to_limits(central.q), distance_to_limits(first.q));
    EXPECT_LE(nearest.q.norm(), first.q.norm() + 1e-12);
  }
}

}  // namespace
}  // namespace lissom::test
