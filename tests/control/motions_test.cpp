// Every motion that we ship, with two simulators: no fall, no slip under load, cones and limits kept at every tick,
// before torques are clamped; and all formulations give the same solution along the motion. LISSOM_LONG=1: 1,000 of its
// ticks, and 20 seeds of disturbances.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/kinematics.h"
#include "lissom/api/load.h"
#include "lissom/control/run.h"

namespace lissom::control {
namespace {

using lissom::test::larger;
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

// Runs the motion, and also checks what the report does not have: the velocities of the simulated robot.
MotionReport watched(const std::string& name, MotionOptions options) {
  const auto& limit = humanoid().velocity_limit();
  double speed = 0;  // as a fraction of the limit
  const auto observer = options.observer;
  options.observer = [&](const MotionReading& r) {
    for (const int i : r.runner.controller().motors())
      speed = larger(speed, std::abs(r.robot.v()[i]) / limit[std::size_t(i)]);
    if (observer) observer(r);
  };
  const auto report = run(humanoid(), motion(name), options);
  EXPECT_TRUE(report.succeeded) << report.failure;
  EXPECT_EQ(report.failed_ticks, 0);
  EXPECT_LE(report.max_loaded_slip(), 1e-3);
  EXPECT_LE(report.max_slip(), 1e-2);  // feet that are lifted drag a little
  EXPECT_LE(speed, 1);
  EXPECT_GT(speed, 0);
  testing::Test::RecordProperty("velocity_use", std::to_string(speed));
  testing::Test::RecordProperty("torque_use", std::to_string(report.max_torque_use()));
  testing::Test::RecordProperty("friction_use", std::to_string(report.max_friction_use()));
  for (const auto& c : report.contacts) {
    testing::Test::RecordProperty("friction_use_" + c.name, std::to_string(c.friction_use));
    testing::Test::RecordProperty("light_friction_use_" + c.name, std::to_string(c.light_friction_use));
    // (A tolerance of the solver, on forces of newtons.)
    EXPECT_LE(c.planned_friction_use, 1 + 1e-6) << c.name;
  }
  for (const auto& m : report.motors) {
    // What the controller asked for: before it is clamped to the limit.
    EXPECT_LE(m.max_torque, m.limit * (1 + 1e-6)) << m.joint;
    EXPECT_GE(m.nearest_limit, -1e-3) << m.joint;
  }
  return report;
}

TEST_P(Motions, Succeeds) {
  const auto [name, simulator] = GetParam();
  const auto report = watched(name, {.simulator = simulator});
  EXPECT_EQ(report.elastic_ticks, 0);
  for (const auto& c : report.contacts) EXPECT_LE(c.friction_use, 1 + 1e-6) << c.name;
  if (simulator == Simulator::contact) {
    EXPECT_LE(report.max_slip(), 1e-3);
  }
}

// With wrong masses, delayed torques, noise, and pushes all along, so that some meet it on one foot or on its hands.
TEST_P(Motions, SucceedsDisturbed) {
  const auto [name, simulator] = GetParam();
  for (int seed = 1; seed <= (long_run() ? 20 : 1); ++seed) {
    SCOPED_TRACE(seed);
    sim::Imperfections wrong{
        .mass_error = .1, .delay = 1, .position_noise = 1e-4, .velocity_noise = 2e-3, .seed = std::uint64_t(seed)};
    for (int k = 0; k < 20; ++k) {
      const double at = 1 + 3 * k + .1 * (seed - 1), along = (seed + k) % 2 ? 25 : -25, aside = seed % 3 ? 10 : -20;
      wrong.pushes.push_back(sim::push_at(humanoid().frame("chest"), {along, aside, 0}, at, at + .1));
    }
    const auto report = watched(name, {.simulator = simulator, .robot = {.imperfections = wrong}});
    EXPECT_EQ(report.elastic_ticks, 0);
    EXPECT_GT(report.seconds, 1.1);  // pushed at least once
  }
}

// What makes a handstand: for five seconds on its hands alone, upside down. Pushed while it stands so, too.
class Handstand : public testing::TestWithParam<Simulator> {};

double seconds_on_hands(Simulator simulator, const sim::Imperfections& imperfections) {
  const auto& model = humanoid();
  Workspace work(model);
  const auto plan = motion("handstand");
  const auto height = [&](const Eigen::VectorXd& q, const char* frame) {
    forward_kinematics(model, work, q);
    return placement(model, work, model.frame(frame)).p.z;
  };
  // Straight, not on the way there.
  const double up = height(plan.posture("handstand"), "left_sole") - .03;
  EXPECT_GT(up, height(plan.posture("stand"), "chest"));
  double held = 0, longest = 0;
  const auto observer = [&](const MotionReading& r) {
    forward_kinematics(model, work, r.robot.q());
    const auto at = [&](const char* frame) { return placement(model, work, model.frame(frame)); };
    bool soles_off = true;
    for (const char* sole : {"left_sole", "right_sole"}) soles_off = soles_off && at(sole).p.z > up;
    double on_hands = 0;
    for (std::size_t k = 0; k < r.runner.plan().contacts.size(); ++k) {
      const auto& contact = r.robot.contacts()[k];
      if (r.runner.plan().contacts[k].frame.ends_with("_palm"))
        on_hands += contact.normal;
      else
        soles_off = soles_off && contact.points == 0 && contact.normal == 0;
    }
    const double weight = r.robot.model().mass() * 9.81;
    const bool upside_down = at("pelvis").R.zz < -.9 && at("chest").R.zz < -.9 && at("head").p.z < at("pelvis").p.z &&
                             at("left_palm").p.z < .01 && at("right_palm").p.z < .01;
    held = soles_off && upside_down && std::abs(on_hands - weight) < .5 * weight ? held + r.robot.options().step : 0;
    longest = larger(longest, held);
  };
  const auto report =
      run(model, plan, {.simulator = simulator, .robot = {.imperfections = imperfections}, .observer = observer});
  EXPECT_TRUE(report.succeeded) << report.failure;
  EXPECT_LE(report.max_loaded_slip(), 1e-3);
  return longest;
}
TEST_P(Handstand, StandsOnItsHandsForFiveSeconds) {
  EXPECT_GE(seconds_on_hands(GetParam(), {}), 5 - 1e-6);
}
TEST_P(Handstand, PushedOnItsHandsItStaysThere) {
  const double at = run(humanoid(), motion("handstand"), {.simulator = GetParam()}).seconds - 4;
  for (int k = 0; k < (long_run() ? 8 : 1); ++k) {
    SCOPED_TRACE(k);
    const auto push = sim::push_at(humanoid().frame("chest"), {20 * std::cos(k), 20 * std::sin(k), 0}, at, at + .1);
    EXPECT_GE(seconds_on_hands(GetParam(), {.pushes = {push}}), 5 - 1e-6);
  }
}
INSTANTIATE_TEST_SUITE_P(All, Handstand, testing::Values(Simulator::prescribed_acceleration, Simulator::contact),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

std::string name_of(const testing::TestParamInfo<Motions::ParamType>& tested) {
  std::string name = std::get<0>(tested.param);
  for (auto& c : name)
    if (c == '-') c = '_';
  return name + "_" + to_string(std::get<1>(tested.param));
}
INSTANTIATE_TEST_SUITE_P(All, Motions,
                         testing::Combine(testing::Values("stand", "squat", "one-foot", "step", "steps", "on-hands",
                                                          "handstand"),
                                          testing::Values(Simulator::prescribed_acceleration, Simulator::contact)),
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
                         testing::Values("stand", "squat", "one-foot", "step", "steps", "on-hands", "handstand"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           for (auto& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

}  // namespace
}  // namespace lissom::control
