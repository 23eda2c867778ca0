// Momentum about the center of mass, on random robots.
#include "close.h"
#include "largest.h"
#include "lissom/lissom.h"
#include "random_tree.h"
#include "slopes.h"

namespace lissom::test {
namespace {

using Eigen::VectorXd;
constexpr double tight = 1e-10;
const TreeOptions trees{.armature = 0.2, .mimic = 0.2};

TEST(Centroidal, MomentumIsTheMapTimesVelocity) {
  for_each_tree(trees, [](Case& c) {
    const Columns6 A = centroidal_map(c.model, c.work, c.q);
    EXPECT_TRUE(close(centroidal_momentum(c.model, c.work, c.q, c.v), A * c.v, tight));
  });
}

TEST(Centroidal, RateIsTheSlopeOfMomentumAlongTheMotion) {
  for_each_tree(trees, [](Case& c) {
    Slopes slopes(c.model);
    const VectorXd q_dot = rate_of_q(c.model, c.q, c.v);
    const Vector6 rate = centroidal_momentum_rate(c.model, c.work, c.q, c.v, c.a);
    EXPECT_TRUE(close(slopes.momentum(c.q, q_dot, c.v, c.a).slope, rate, tight, 10));
    const auto A = slopes.centroidal_map(c.q, q_dot);
    EXPECT_TRUE(close(A.value * c.a + A.slope * c.v, rate, tight, 10));
  });
}

TEST(Centroidal, LinearMomentumIsMassTimesTheVelocityOfTheCenterOfMass) {
  for_each_tree(trees, [](Case& c) {
    Slopes slopes(c.model);
    const auto com = slopes.center_of_mass(c.q, rate_of_q(c.model, c.q, c.v));
    EXPECT_TRUE(close(to_eigen(center_of_mass(c.model, c.work, c.q)), com.value, tight));
    const Eigen::Matrix3Xd J = center_of_mass_jacobian(c.model, c.work, c.q);
    EXPECT_TRUE(close(J * c.v, com.slope, tight));
    const Vector6 h = centroidal_momentum(c.model, c.work, c.q, c.v);
    EXPECT_TRUE(close(h.head<3>(), c.model.mass() * com.slope, tight));
  });
}

// Without contacts, forces between the parts of a robot do not change its momentum.
TEST(Centroidal, OnlyGravityChangesTheMomentumOfAFreeRobot) {
  TreeOptions options;
  options.several_roots = false;
  for_each_tree(options, [](Case& c) {
    auto model = build(c.description, {.base = Base::free});
    Workspace work(model);
    const auto q = random_configuration(model, c.seed);
    Random random(c.seed);
    const VectorXd v = random.vector(model.nv(), 1);
    VectorXd tau = random.vector(model.nv(), 1);
    tau.head<6>().setZero();
    const VectorXd a = forward_dynamics(model, work, q, v, tau);
    Vector6 weight = Vector6::Zero();
    weight.head<3>() = model.mass() * to_eigen(model.gravity());
    EXPECT_TRUE(close(centroidal_momentum_rate(model, work, q, v, a), weight, 1e-8, largest(a)));
  });
}

}  // namespace
}  // namespace lissom::test
