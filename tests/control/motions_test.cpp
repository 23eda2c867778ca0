// Every motion that we ship, with both simulators: no fall, no slip, cones and limits kept at every tick; and all
// formulations give the same solution along the motion. LISSOM_LONG=1: 1,000 of its ticks, and 20 seeds of
// disturbances.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/load.h"
#include "lissom/control/run.h"

namespace lissom::control {
namespace {

using lissom::test::largest;
using sim::Simulator;

bool long_run() {
  return std::getenv("LISSOM_LONG") != nullptr;
}

const Model& humanoid() {
  static const Model model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  return model;
}
MotionPlan motion(const std::string& name) {
  return read_motion_plan(humanoid(), LISSOM_MODELS_DIR "/motions/" + name + ".json");
}

class Motions : public testing::TestWithParam<std::tuple<const char*, Simulator>> {};

void expect_success(const MotionReport& report) {
  EXPECT_TRUE(report.succeeded) << report.failure;
  EXPECT_EQ(report.elastic_ticks, 0);
  EXPECT_EQ(report.failed_ticks, 0);
  EXPECT_LE(report.max_slip(), 1e-3);
  for (const auto& c : report.contacts) {
    EXPECT_LE(c.friction_use, 1) << c.name;
    EXPECT_LE(c.planned_friction_use, 1 + 1e-9) << c.name;
  }
  for (const auto& m : report.motors) {
    EXPECT_LE(m.max_torque, m.limit * (1 + 1e-9)) << m.joint;
    EXPECT_GE(m.nearest_limit, -1e-3) << m.joint;
  }
}

TEST_P(Motions, Succeeds) {
  const auto [name, simulator] = GetParam();
  expect_success(run(humanoid(), motion(name), {.simulator = simulator}));
}

// With wrong masses, delayed torques, noise and a push.
TEST_P(Motions, SucceedsDisturbed) {
  const auto [name, simulator] = GetParam();
  for (int seed = 1; seed <= (long_run() ? 20 : 1); ++seed) {
    SCOPED_TRACE(seed);
    const sim::Imperfections wrong{
        .mass_error = .1,
        .delay = 1,
        .position_noise = 1e-4,
        .velocity_noise = 2e-3,
        .pushes = {sim::push_at(humanoid().frame("chest"), {seed % 2 ? 25. : -25., seed % 3 ? 10. : -20., 0}, 1, 1.1)},
        .seed = std::uint64_t(seed)};
    const auto report = run(humanoid(), motion(name), {.simulator = simulator, .robot = {.imperfections = wrong}});
    EXPECT_TRUE(report.succeeded) << report.failure;
    EXPECT_LE(report.max_slip(), 1e-3);
    EXPECT_LE(report.max_friction_use(), 1);
    EXPECT_LE(report.max_torque_use(), 1 + 1e-9);
  }
}

std::string name_of(const testing::TestParamInfo<Motions::ParamType>& tested) {
  std::string name = std::get<0>(tested.param);
  for (auto& c : name)
    if (c == '-') c = '_';
  return name + "_" + to_string(std::get<1>(tested.param));
}
INSTANTIATE_TEST_SUITE_P(
    All, Motions,
    testing::Combine(testing::Values("stand", "squat", "one-foot", "step", "walk", "on-hands", "handstand"),
                     testing::Values(Simulator::prescribed_acceleration, Simulator::rigid_contact)),
    name_of);

void expect_same(const Tick& a, const Tick& b, int k) {
  ASSERT_EQ(b.status, TickStatus::optimal) << "tick " << k << ": " << b.reason;
  EXPECT_LT(largest(a.accelerations - b.accelerations), 1e-7 * (1 + a.accelerations.norm())) << k;
  EXPECT_LT(largest(a.torques - b.torques), 1e-7 * (1 + a.torques.norm())) << k;
  for (std::size_t c = 0; c < a.contacts.size(); ++c)
    for (std::size_t p = 0; p < a.contacts[c].point_forces.size(); ++p) {
      const auto away = a.contacts[c].point_forces[p] - b.contacts[c].point_forces[p];
      EXPECT_LT(std::sqrt(dot(away, away)), 1e-7 * (1 + std::abs(a.contacts[c].normal))) << k;
    }
}

class FormulationsAgree : public testing::TestWithParam<const char*> {};

TEST_P(FormulationsAgree, AlongTheMotion) {
  const auto m = motion(GetParam());
  MotionRunner reduced(humanoid(), m), first(humanoid(), m), second(humanoid(), m);
  const auto robot = sim::prescribed_acceleration_robot(humanoid(), m.contacts, reduced.start(),
                                                        Eigen::VectorXd::Zero(humanoid().nv()));
  const long ticks = run(humanoid(), m, {.simulator = Simulator::prescribed_acceleration}).ticks;
  const long every = std::max(1L, long_run() ? ticks / 1000 : ticks / 40);
  int compared = 0;
  sim::Command command;
  for (int k = 0; !reduced.done() && !reduced.failed(); ++k) {
    const auto& a = reduced.advance(robot->q(), robot->v());
    const bool now = k % every == 0;
    compared += now;
    for (auto* other : {&first, &second}) {
      other->controller().set_formulation(!now              ? Formulation::reduced
                                          : other == &first ? Formulation::multiplier
                                                            : Formulation::projected);
      const auto& b = other->advance(robot->q(), robot->v());
      if (now) expect_same(a, b, k);
    }
    fill(a, command);
    ASSERT_TRUE(robot->step(command)) << robot->failure();
  }
  EXPECT_GT(compared, 10);
}
INSTANTIATE_TEST_SUITE_P(All, FormulationsAgree,
                         testing::Values("stand", "squat", "one-foot", "step", "walk", "on-hands", "handstand"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           for (auto& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

}  // namespace
}  // namespace lissom::control
