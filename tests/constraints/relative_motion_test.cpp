// The motion of one frame relative to another, against finite differences of poses along a motion with constant v.
#include "lissom/constraints/relative_motion.h"

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/state.h"
#include "lissom/constraints/robot_snapshot.h"
#include "lissom/spatial/quaternion.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

struct TwoFrames {
  Model model;
  Eigen::VectorXd q, v;
  FrameId from, to;
};
TwoFrames random_two_frames(std::uint64_t seed) {
  Random random(seed);
  const Model model = build(random_description(seed, {.min_joints = 3}));
  const auto frame = [&] { return FrameId{random.integer(0, int(model.frames().size()) - 1)}; };
  return {model, random_configuration(model, seed), random.vector(model.nv(), 1), frame(), frame()};
}

// The pose of `to` in `from` after a time t.
Pose<double> after(const TwoFrames& c, double t) {
  Eigen::VectorXd q = c.q;
  integrate(c.model, c.q, c.v, t, q);
  Workspace work(c.model);
  forward_kinematics(c.model, work, q);
  return inverse(placement(c.model, work, c.from)) * placement(c.model, work, c.to);
}

double away(const Vec3<double>& a, const Vec3<double>& b) {
  return std::sqrt(dot(a - b, a - b)) / (1 + std::sqrt(dot(a, a)));
}

TEST(RelativeMotion, IsTheDerivativeOfTheRelativePose) {
  constexpr double h = 1e-4;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto c = random_two_frames(seed);
    RobotSnapshot robot(c.model);
    robot.update(c.q, c.v);
    Columns6 J = Columns6::Zero(6, c.model.nv());
    const auto r = robot.relative(c.to, c.from, robot.placement(c.to).p, identity3<double>(), J);
    const auto before = after(c, -h), now = after(c, 0), next = after(c, h);
    EXPECT_LT(away(r.X.p, now.p), 1e-12);
    EXPECT_LT(away((.5 / h) * (next.p - before.p), r.velocity.linear), 1e-5) << "seed " << seed;
    EXPECT_LT(away((1 / (h * h)) * (next.p - 2.0 * now.p + before.p), r.Jdot_v.linear), 1e-4) << "seed " << seed;
    // Along the axes of `from`: the rotation from one pose to the next.
    const auto spin = [&](const Pose<double>& a, const Pose<double>& b) {
      return (1 / h) * logarithm(quaternion(b.R * transpose(a.R)));
    };
    EXPECT_LT(away(.5 * (spin(before, now) + spin(now, next)), r.velocity.angular), 1e-5) << "seed " << seed;
    EXPECT_LT(away((1 / h) * (spin(now, next) - spin(before, now)), r.Jdot_v.angular), 1e-4) << "seed " << seed;
    const Vector6 Jv = J * c.v;
    EXPECT_LT(away({Jv[0], Jv[1], Jv[2]}, r.velocity.linear), 1e-10) << "seed " << seed;
    EXPECT_LT(away({Jv[3], Jv[4], Jv[5]}, r.velocity.angular), 1e-10) << "seed " << seed;
  }
}

// The force on a is opposite to that on b, so J changes its sign if the roles are exchanged.
TEST(RelativeMotion, ChangesItsSignWithTheRoles) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto c = random_two_frames(seed);
    Workspace work(c.model);
    forward_kinematics(c.model, work, c.q);
    Random random(seed);
    const auto body = [&](FrameId f) { return c.model.frames()[std::size_t(f.index)].body; };
    const auto at = random.vec3(1);
    const auto axes = random.rotation();
    Columns6 J = Columns6::Zero(6, c.model.nv()), back = J, scratch = J;
    relative_jacobian(c.model, work, body(c.to), body(c.from), at, axes, J, scratch);
    relative_jacobian(c.model, work, body(c.from), body(c.to), at, axes, back, scratch);
    EXPECT_LT(largest(J + back), 1e-12) << "seed " << seed;
  }
}

}  // namespace
}  // namespace lissom::test
