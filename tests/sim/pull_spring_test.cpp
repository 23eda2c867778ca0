// The spring with which one pulls a robot.
#include "lissom/sim/pull_spring.h"

#include <numbers>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/lissom.h"
#include "lissom/sim.h"
#include "lissom/sim/recorded_extras.h"

namespace lissom::sim {
namespace {

using lissom::test::larger;
using lissom::test::largest;

Model own_model(const std::string& file, LoadOptions options = {}) {
  return load(std::string(LISSOM_MODELS_DIR) + "/" + file, options);
}

// A free body feels its own mass everywhere at its center: k = m (2π 2 Hz)², d = 2 √(k m).
TEST(PullSpring, FitsAFreeBody) {
  const auto model = own_model("mechanisms/floating_box.urdf", {.base = Base::free});
  const auto q = neutral(model);
  Workspace work(model);
  const auto com = center_of_mass(model, work, q);
  const auto on = model.frame(model.links().back().name);
  forward_kinematics(model, work, q);
  const auto point = inverse(placement(model, work, on)) * com;
  const auto spring = pull_spring(model, q, on, point, {1, 0, 0}, 1e-4);
  const double rate = 4 * std::numbers::pi;
  EXPECT_NEAR(spring.stiffness, model.mass() * rate * rate, 1e-9 * spring.stiffness);
  EXPECT_NEAR(spring.damping, 2 * model.mass() * rate, 1e-9 * spring.damping);
  const Eigen::VectorXd v = Eigen::VectorXd::Zero(model.nv());
  const auto f = force(spring, {model, work, 0, q, v});
  EXPECT_NEAR(f.force.x, spring.stiffness * (1 - com.x), 1e-9 * spring.stiffness);
}

// Pulled by its hand, the humanoid comes along and comes to rest; also by a light finger, also with long steps.
TEST(PullSpring, PullsARobotToRestWithoutShaking) {
  for (const double h : {1e-3, 5e-3}) {
    const auto model = own_model("humanoid.urdf", {.base = Base::free}).with_gravity({0, 0, 0});
    System system(model, {.passive_forces = true});
    State x{0, neutral(model), Eigen::VectorXd::Zero(model.nv()), 0};
    const auto hand = model.frame("left_palm");
    Workspace work(model);
    forward_kinematics(model, work, x.q);
    const auto to = placement(model, work, hand).p + Vec3<double>{.5, .2, .1};
    PullLaw mouse(h);
    mouse.pull(hand, {0, 0, 0}, to);
    system.add(std::ref(mouse));
    const auto method = integrator(model, "implicit_joints");
    double fastest = 0;
    while (x.t < 8) {
      method->step(system, x, h);
      fastest = larger(fastest, largest(x.v));
    }
    forward_kinematics(model, work, x.q);
    const auto left = placement(model, work, hand).p - to;
    EXPECT_LT(std::sqrt(dot(left, left)), .1) << h;
    EXPECT_LT(largest(x.v), fastest) << h;
    EXPECT_LT(fastest, 500) << h;
  }
}

TEST(PullSpring, ARobotThatIsReleasedIsNotPulled) {
  const auto model = own_model("arm7.urdf");
  Workspace work(model);
  const auto q = neutral(model);
  const Eigen::VectorXd v = Eigen::VectorXd::Zero(model.nv());
  PullLaw mouse(1e-3);
  std::vector<ExternalForce> forces;
  mouse({model, work, 0, q, v}, forces);
  EXPECT_TRUE(forces.empty());
  mouse.pull(model.frame("tool"), {0, 0, 0}, {1, 0, 0});
  mouse({model, work, 0, q, v}, forces);
  ASSERT_EQ(forces.size(), 1u);
  const auto alone =
      force(pull_spring(model, q, model.frame("tool"), {0, 0, 0}, {1, 0, 0}, 1e-3), {model, work, 0, q, v});
  EXPECT_EQ(forces[0].force.x, alone.force.x);
  mouse.release();
  mouse({model, work, 1, q, v}, forces);
  EXPECT_EQ(forces.size(), 1u);
}

TEST(PullSpring, ItsForceIsRecorded) {
  const auto model = own_model("arm7.urdf");
  Workspace work(model);
  const auto q = neutral(model);
  const Eigen::VectorXd v = Eigen::VectorXd::Zero(model.nv());
  PullLaw mouse(1e-3);
  RecordedExtras extras(model, {}, {}, false, &mouse);
  ASSERT_EQ(extras.signals().size(), 1u);
  EXPECT_EQ(extras.signals()[0].name, "pull");
  const auto row = [&] {
    std::vector<recording::Row> rows;
    extras.append(0, q, q, v, rows);
    const auto values = rows.at(0).values();
    return std::vector<double>(values.begin(), values.end());
  };
  EXPECT_EQ(row(), (std::vector<double>{-1, 0, 0, 0, 0, 0, 0}));
  const auto on = model.frame("tool");
  mouse.pull(on, {0, 0, .1}, {1, 2, 3});
  EXPECT_EQ(row()[0], -1);  // nothing has acted yet
  std::vector<ExternalForce> forces;
  mouse({model, work, 0, q, v}, forces);
  forward_kinematics(model, work, q);
  const auto p = placement(model, work, on) * Vec3<double>{0, 0, .1};
  const auto f = forces.at(0).force;
  EXPECT_EQ(row(), (std::vector<double>{double(on.index - 1), p.x, p.y, p.z, f.x, f.y, f.z}));
  EXPECT_EQ(model.links()[std::size_t(on.index - 1)].name, "tool");
  EXPECT_GT(dot(f, f), 1);
  mouse.release();
  EXPECT_EQ(row()[0], -1);
}

TEST(PullSpring, WhatCannotMoveIsNotPulled) {
  const auto model = own_model("arm7.urdf");
  const auto spring =
      pull_spring(model, neutral(model), model.frame(model.links()[0].name), {0, 0, 0}, {1, 0, 0}, 1e-3);
  EXPECT_EQ(spring.stiffness, 0);
  EXPECT_EQ(spring.damping, 0);
}

// A force that depends on the state acts on robots in contact as a push of the same size does.
TEST(PullSpring, ForcesOfTheStateActLikePushes) {
  const auto model = own_model("quadruped.urdf", {.base = Base::free});
  auto q = neutral(model);
  q[2] = 2;
  const Eigen::VectorXd v = Eigen::VectorXd::Zero(model.nv()), tau = v;
  const auto push = push_at(model.frame(model.links().back().name), {3, 2, 1}, -1, 100);
  RobotOptions by_push, by_law;
  by_push.imperfections.pushes = {push};
  by_law.forces = [&](const Instant&, std::vector<ExternalForce>& forces) { forces.push_back(push.force); };
  const auto a = contact_robot(model, {}, q, v, by_push), b = contact_robot(model, {}, q, v, by_law);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(a->step(tau)) << a->failure();
    ASSERT_TRUE(b->step(tau));
  }
  EXPECT_EQ(a->q(), b->q());
  EXPECT_GT(a->v().norm(), .01);
}

}  // namespace
}  // namespace lissom::sim
