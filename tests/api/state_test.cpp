// Operations on the manifold of configurations.
#include <numbers>

#include "close.h"
#include "largest.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using Eigen::VectorXd;
constexpr double pi = std::numbers::pi;
const TreeOptions trees{.mimic = 0.2};

// Poses of all frames. They can be compared where q cannot: quaternions q and -q are the same orientation.
Eigen::MatrixXd poses(Case& c, const VectorXd& q) {
  forward_kinematics(c.model, c.work, q);
  Eigen::MatrixXd all(12, long(c.model.frames().size()));
  for (long i = 0; i < all.cols(); ++i) {
    const auto X = placement(c.model, c.work, {int(i)});
    all.col(i) = Eigen::Map<const Eigen::Matrix<double, 12, 1>>(&X.R.xx);
  }
  return all;
}

TEST(State, IntegrateUndoesDifference) {
  for_each_tree(trees, [](Case& c) {
    const auto q1 = random_configuration(c.model, c.seed + 99);
    const VectorXd v = difference(c.model, c.q, q1);
    EXPECT_TRUE(close(poses(c, integrate(c.model, c.q, v)), poses(c, q1), 1e-9));
    EXPECT_TRUE(close(difference(c.model, c.q, c.q), VectorXd::Zero(c.model.nv()), 1e-15));
  });
}

TEST(State, DifferenceUndoesIntegrate) {
  for_each_tree(trees, [](Case& c) {
    for (const double size : {1e-9, 1e-5, 1e-3, 0.1, 1.0, 1.7}) {  // rotations by less than π
      const VectorXd v = size * c.v, q1 = integrate(c.model, c.q, v);
      EXPECT_TRUE(close(difference(c.model, c.q, q1) / size, c.v, size < 1e-4 ? 1e-6 : 1e-10)) << size;
    }
  });
}

TEST(State, IntegrationIsTheMotionOfAConstantVelocity) {
  for_each_tree(trees, [](Case& c) {
    // In two steps or in one.
    const auto once = integrate(c.model, c.q, c.v, 0.7);
    EXPECT_TRUE(close(integrate(c.model, integrate(c.model, c.q, c.v, 0.3), c.v, 0.4), once, 1e-12));
    EXPECT_TRUE(close(integrate(c.model, once, c.v, -0.7), c.q, 1e-12));
    EXPECT_TRUE(close(integrate(c.model, c.q, c.v, 0), c.q, 1e-15));
    // It starts along q̇.
    const double h = 1e-5;
    const VectorXd slope = (integrate(c.model, c.q, c.v, h) - integrate(c.model, c.q, c.v, -h)) / (2 * h);
    EXPECT_TRUE(close(slope, rate_of_q(c.model, c.q, c.v), 1e-8));
    // Quaternions keep norm 1.
    EXPECT_TRUE(close(normalize(c.model, once), once, 1e-15));
  });
}

TEST(State, InterpolationEndsWhereItShould) {
  for_each_tree(trees, [](Case& c) {
    const auto q1 = random_configuration(c.model, c.seed + 99);
    EXPECT_TRUE(close(interpolate(c.model, c.q, q1, 0), c.q, 1e-14));
    EXPECT_TRUE(close(poses(c, interpolate(c.model, c.q, q1, 1)), poses(c, q1), 1e-9));
    // Halfway from both sides.
    EXPECT_TRUE(
        close(poses(c, interpolate(c.model, c.q, q1, 0.5)), poses(c, interpolate(c.model, q1, c.q, 0.5)), 1e-6));
    // Steadily: a quarter and three quarters are half apart.
    const auto a = interpolate(c.model, c.q, q1, 0.25), b = interpolate(c.model, c.q, q1, 0.75);
    EXPECT_TRUE(close(2 * difference(c.model, a, b), difference(c.model, c.q, q1), 1e-6));
  });
}

TEST(State, ResultsMayBeTheArguments) {
  for_each_tree(trees, [](Case& c) {
    const auto q1 = random_configuration(c.model, c.seed + 99);
    const auto expected = integrate(c.model, c.q, c.v, 0.3);
    VectorXd q = c.q;
    integrate(c.model, q, c.v, 0.3, q);
    EXPECT_TRUE(identical(q, expected));
    const auto way = difference(c.model, c.q, q1);
    if (c.model.nq() == c.model.nv()) {
      VectorXd a = c.q, b = q1;
      difference(c.model, a, q1, a);
      EXPECT_TRUE(identical(a, way));
      difference(c.model, c.q, b, b);
      EXPECT_TRUE(identical(b, way));
      VectorXd v = c.v;
      integrate(c.model, c.q, v, 0.3, v);
      EXPECT_TRUE(identical(v, expected));
    }
  });
}

TEST(State, RandomConfigurationsRepeatAndKeepTheLimits) {
  for_each_tree(trees, [](Case& c) {
    EXPECT_TRUE(identical(random_configuration(c.model, 5), random_configuration(c.model, 5)));
    EXPECT_TRUE(c.model.nq() == 0 || !identical(random_configuration(c.model, 5), random_configuration(c.model, 6)));
    EXPECT_TRUE(close(normalize(c.model, c.q), c.q, 1e-14));
    const auto q = neutral(c.model);
    EXPECT_NO_THROW(forward_kinematics(c.model, c.work, q));
  });
  Description d;
  d.links.resize(3);
  for (int i = 0; i < 3; ++i) d.links[std::size_t(i)].name = std::to_string(i), d.links[std::size_t(i)].mass = 1;
  d.joints.resize(2);
  for (int i = 0; i < 2; ++i) {
    auto& j = d.joints[std::size_t(i)];
    j.name = "j" + std::to_string(i), j.parent = std::to_string(i), j.child = std::to_string(i + 1);
    j.type = JointType::revolute;
  }
  d.joints[0].lower = {0.5}, d.joints[0].upper = {0.6};
  const auto model = build(d);
  EXPECT_EQ(neutral(model)[0], 0.5);  // zero lies outside
  EXPECT_EQ(neutral(model)[1], 0);
  double least = 9, most = -9;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const auto q = random_configuration(model, seed);
    EXPECT_GE(q[0], 0.5);
    EXPECT_LE(q[0], 0.6);
    EXPECT_LE(std::abs(q[1]), pi);
    least = smaller(least, q[1]), most = larger(most, q[1]);
  }
  EXPECT_LT(least, -3);
  EXPECT_GT(most, 3);
}

// Robots with one joint, at the values where the code switches between series and formulas.
Model single(JointType type) {
  Description d;
  Random random(1);
  d.links = {random_link("a", random), random_link("b", random)};
  JointDescription j;
  j.name = "j", j.parent = "a", j.child = "b", j.type = type;
  d.joints = {j};
  return build(d);
}

TEST(State, TheShortWayRoundForOrientations) {
  const auto model = single(JointType::spherical);
  const VectorXd q0 = neutral(model);
  for (const double angle : {0.1, 3.0, pi - 1e-9, pi + 1e-6, 4.0, 6.2}) {
    const Eigen::Vector3d axis = Eigen::Vector3d(1, -2, 2) / 3;
    const auto v = difference(model, q0, integrate(model, q0, angle * axis));
    EXPECT_TRUE(close(v, (angle > pi ? angle - 2 * pi : angle) * axis, 1e-8)) << angle;
  }
}

TEST(State, PlanarMotionAlongACircle) {
  const auto model = single(JointType::planar);
  // Forward at 1 m/s, rotating at 1 rad/s: half a circle of radius 1 ends 2 m to the left, facing back.
  const Eigen::Vector3d v(1, 0, 1);
  EXPECT_TRUE(close(integrate(model, Eigen::Vector3d(0, 0, 0), v, pi), Eigen::Vector3d(0, 2, pi), 1e-14));
  for (const double turn : {0.0, 1e-12, 1e-5, 0.99e-4, 1.01e-4, 1e-2, 1.0, 3.0, 6.0}) {
    const Eigen::Vector3d w(0.3, -0.4, turn), q0(0.1, 0.2, 0.7);
    EXPECT_TRUE(close(difference(model, q0, integrate(model, q0, w)), w, 1e-11)) << turn;
  }
}

TEST(State, NormalizeMendsQuaternionsAndLeavesTheRest) {
  const auto model = single(JointType::free);
  VectorXd q(7);
  q << 1, 2, 3, 0, 0, 2, 0;
  const auto mended = normalize(model, q);
  EXPECT_TRUE(identical(mended, (VectorXd(7) << 1, 2, 3, 0, 0, 1, 0).finished()));
  q.tail<4>().setZero();
  EXPECT_THROW(normalize(model, q), Error);
}

}  // namespace
}  // namespace lissom::test
