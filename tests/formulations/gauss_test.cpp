// Tests what the paper on Gauss' principle claims about its quaternion, and the conditioning of its projector.
#include "lissom/formulations/gauss.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

#include <gtest/gtest.h>

#include "close.h"
#include "largest.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using namespace formulations;
using Eigen::VectorXd;

// The derivative of (q̃, q̃̇) by the multiplier form (32), gravity alone acting.
struct Rates {
  VectorXd q, v;
};
Rates derivative(const Charted& c, const VectorXd& q, const VectorXd& rates) {
  const auto e = gauss(c, q, rates);
  return {rates, solve_with_multipliers(c, q, rates, e.M, e.N * rates, e.gravity).acceleration};
}

// One step of RK4.
void advance(const Charted& c, double h, VectorXd& q, VectorXd& rates) {
  const auto k1 = derivative(c, q, rates);
  const auto k2 = derivative(c, q + h / 2 * k1.q, rates + h / 2 * k1.v);
  const auto k3 = derivative(c, q + h / 2 * k2.q, rates + h / 2 * k2.v);
  const auto k4 = derivative(c, q + h * k3.q, rates + h * k3.v);
  q += h / 6 * (k1.q + 2 * k2.q + 2 * k3.q + k4.q);
  rates += h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v);
}

// What (32) promises, for fast motions too: C = θ·θ - 1 of a quaternion has C̈ = 2 (θ·θ̈ + θ̇·θ̇) = 0.
TEST(Gauss, TheQuaternionsSecondDerivativeKeepsItsLength) {
  const auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  const Charted c(model);
  const auto base = std::ranges::find(c.slots(), JointType::free, &Charted::Slot::type);
  ASSERT_NE(base, c.slots().end());
  const int at = base->at + base->size - 4;
  Random random(6);
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const VectorXd q = c.from_model(random_configuration(model, seed)),
                   rates = c.rates_map(q) * random.vector(model.nv(), 5);  // rad/s
    const auto turn = q.segment<4>(at), turn_rates = rates.segment<4>(at);
    ASSERT_GT(turn_rates.norm(), 0.1);
    const VectorXd second = derivative(c, q, rates).v;
    EXPECT_NEAR(turn.dot(second.segment<4>(at)) + turn_rates.squaredNorm(), 0,
                1e-10 * larger(1, second.segment<4>(at).norm()));
  }
}

// At three radians per second the length drifts by the error of RK4, of fourth order, and by nothing else.
TEST(Gauss, TheDriftOfTheLengthIsThatOfTheSteps) {
  const auto model = load(LISSOM_MODELS_DIR "/mechanisms/ball_pendulum.urdf", {.base = Base::free});
  const Charted c(model);
  Random random(3);
  const VectorXd start = c.from_model(random_configuration(model, 1));
  const VectorXd start_rates = c.rates_map(start) * (3 * random.vector(model.nv(), 1).normalized());
  const auto drift = [&](int steps) {
    VectorXd q = start, rates = start_rates;
    for (int k = 0; k < steps; ++k) advance(c, 0.5 / steps, q, rates);
    return largest(c.constraint(q));
  };
  double before = drift(25);
  EXPECT_GT(before, 1e-10);  // well above rounding
  for (const int steps : {50, 100}) {
    const double after = drift(steps);
    EXPECT_LT(after, before / 14) << steps;
    before = after;
  }
}

TEST(Gauss, TheConstraintEquationKeepsTheQuaternionsLength) {
  // A free base, as in the paper's humanoid, and a spherical joint; without gravity, so that it stays near the origin.
  // It rotates by about a third of a radian per second: the drift is RK4's own error, which grows with the sixth power
  // of that.
  const auto model =
      load(LISSOM_MODELS_DIR "/mechanisms/ball_pendulum.urdf", {.base = Base::free}).with_gravity({0, 0, 0});
  const Charted c(model);
  ASSERT_EQ(c.constraints(), 2);
  Random random(3);
  VectorXd q = c.from_model(random_configuration(model, 1)), rates = c.rates_map(q) * random.vector(model.nv(), 0.3);
  Workspace work(model);
  const auto energy = [&] {
    const VectorXd x = c.to_model(q), v = c.velocity_map(q) * rates;
    return kinetic_energy(model, work, x, v) + potential_energy(model, work, x);
  };
  const double before = energy(), h = 1e-3;
  double worst = 0;
  for (int step = 0; step < 10000; ++step) {  // RK4, ten seconds
    advance(c, h, q, rates);
    worst = larger(worst, largest(c.constraint(q)) / 2);  // | ‖θ‖ - 1 |
  }
  RecordProperty("max_drift_of_length", std::to_string(worst));
  EXPECT_LE(worst, 1e-12);
  EXPECT_NEAR(energy(), before, 1e-8 * std::abs(before));
}

TEST(Gauss, TheObliqueProjectorSuffersFarFromTheOrigin) {
  const auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  const Charted c(model);
  Random random(4);
  VectorXd x = random_configuration(model, 5);
  const VectorXd v = random.vector(model.nv(), 1), tau = random.vector(model.nv(), 1);
  Workspace work(model);
  const VectorXd expected = forward_dynamics(model, work, x, v, tau);
  std::cout << "base at    condition: orthogonal     oblique    error: orthogonal     oblique\n";
  double first = 0;
  for (const double distance : {0.0, 10.0, 1000.0}) {
    x.head<3>() << distance, 0, 0;
    const VectorXd q = c.from_model(x), rates = c.rates_map(q) * v;
    const auto e = gauss(c, q, rates);
    const VectorXd Q = c.velocity_map(q).transpose() * tau + e.gravity;
    double condition[2], error[2];
    for (const auto kind : {Projector::orthogonal, Projector::oblique}) {
      const int k = kind == Projector::oblique;
      const VectorXd second = solve_projected(c, q, rates, e.M, e.N * rates, Q, kind, &condition[k]);
      const VectorXd a = c.velocity_map(q) * second + c.velocity_map_rate(q, rates) * rates;
      error[k] = largest(a - expected) / largest(expected);
    }
    std::printf("%5.0f m %22.1e %11.1e %20.1e %11.1e\n", distance, condition[0], condition[1], error[0], error[1]);
    if (distance == 0) first = condition[0];
    EXPECT_NEAR(condition[0], first, 1e-3 * first);  // the orthogonal one does not depend on the position
    EXPECT_LT(error[0], 1e-10);
    EXPECT_LT(error[1], 1e-6);
    if (distance == 1000) {
      EXPECT_GT(condition[1], 100 * condition[0]);
    }
  }
}

TEST(Gauss, TheProjectorTakesTheMultipliersOut) {
  for (const std::string chart : {"quaternion", "matrix", "axis-angle"}) {
    const auto model = load(LISSOM_MODELS_DIR "/mechanisms/ball_pendulum.urdf", {.base = Base::free});
    const Charted c(model, {}, chart);
    const VectorXd q = c.from_model(random_configuration(model, 3));
    const auto A = projector(c, q);
    EXPECT_TRUE(
        close(A * c.constraint_jacobian(q).transpose(), Eigen::MatrixXd::Zero(c.size(), c.constraints()), 1e-13));
    EXPECT_TRUE(close(A * A, A, 1e-13));
    if (chart == "quaternion")
      EXPECT_TRUE(close(projector(c, q, Projector::oblique) * c.constraint_jacobian(q).transpose(),
                        Eigen::MatrixXd::Zero(c.size(), c.constraints()), 1e-13));
    else
      EXPECT_THROW(projector(c, q, Projector::oblique), Error);
  }
}

}  // namespace
}  // namespace lissom::test
