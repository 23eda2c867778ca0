// Bad input and contradicting tasks are reported, never thrown from a tick, and do not affect the next one.
#include <limits>

#include "control_test_support.h"

namespace lissom::control::test::errors {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Standing {
  Model model = robot("humanoid.urdf");
  VectorXd q = crouched_humanoid(model), v = VectorXd::Zero(model.nv());
};
TaskId<PostureTask> add_all(WholeBody& controller, const VectorXd& q) {
  controller.add(Contact{.frame = "left_sole"});
  controller.add(Contact{.frame = "right_sole"});
  controller.add(CenterOfMassTask{.target = {0, 0, .6}});
  return controller.add(PostureTask{.target = q});
}

template <class F>
void expect_error(const F& f, const std::string& words) {
  try {
    f();
    ADD_FAILURE() << "no Error; expected one about " << words;
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
  }
}

TEST(ControlErrors, WrongSetUpIsRefusedWithAReason) {
  Standing s;
  WholeBody c(s.model);
  expect_error([&] { c.add(PointTask{.frame = "left_plam"}); }, "left_palm");
  expect_error([&] { c.add(PointTask{.frame = "head", .relative_to = "pelvsi"}); }, "pelvis");
  expect_error([&] { c.add(Contact{.frame = "left_sol"}); }, "left_sole");
  expect_error([&] { c.add(Contact{.frame = "left_sole", .against = "wrld"}); }, "wrld");
  expect_error([&] { c.add(Contact{.frame = "left_sole", .against = "left_foot"}); }, "same body");
  expect_error([&] { c.add(Contact{.frame = "left_sole", .friction = -1}); }, "friction");
  expect_error([&] { c.add(Contact{.frame = "left_sole", .friction = nan}); }, "friction");
  expect_error([&] { c.add(Contact{.frame = "left_sole", .min_normal_force = 5, .max_normal_force = 1}); },
               "min_normal_force");
  expect_error([&] { c.add(Contact{.frame = "left_sole", .ramp = -1}); }, "ramp");
  expect_error([&] { c.add(Contact{.frame = "head_camera"}); }, "points");
  expect_error([&] { c.add(Contact{.frame = "head", .points = {{0, 0, 0}, {1, 0, 0}}}); }, "expected at least three");
  expect_error([&] { c.add(PostureTask{.target = VectorXd::Zero(3)}); }, "target");
  expect_error([&] { c.add(PostureTask{.target = VectorXd::Constant(s.model.nq(), nan)}); }, "target[0] is NaN");
  expect_error([&] { c.add(TorqueTask{.target = VectorXd::Zero(3)}); }, "target");
  expect_error([&] { c.add(CenterOfMassTask{.weight = -1}); }, "weight");
  expect_error([&] { c.add(CenterOfMassTask{.stiffness = -1}); }, "stiffness");
  expect_error([&] { c.add(CustomTask{.size = 1, .evaluate = {}}); }, "function");
  expect_error([&] { c.add(Clearance{.a = {"head"}, .b = {"pelvis"}, .min_distance = .1, .influence_distance = .05}); },
               "influence_distance is 0.05 m");
  expect_error([&] { WholeBody(s.model, {.step = 0}); }, "step");
  expect_error([&] { WholeBody(s.model, {.passive = {"left_kne"}}); }, "left_knee");
  EXPECT_EQ(c.tasks(), 0);
  EXPECT_EQ(c.contacts(), 0);
}

// Invalid states.
std::vector<State> nonsense(const Standing& s) {
  std::vector<State> all(8, State{s.q, s.v});
  all[0].q[7] = nan;
  all[1].v[3] = infinity;
  all[2].q.conservativeResize(5);
  all[3].v.conservativeResize(0);
  all[4].q.segment<4>(3) *= 1.1;
  all[5].q.segment<4>(3).setZero();
  all[6].q = VectorXd::Zero(s.q.size() + 1);
  all[7].v[8] = 1e300;  // finite, but its square is not
  return all;
}

TEST(ControlErrors, InvalidStatesAreNamedAsByOtherFunctions) {
  Standing s;
  WholeBody controller(s.model);
  add_all(controller, s.q);
  Workspace work(s.model);
  auto states = nonsense(s);
  states.pop_back();  // its elements are finite
  for (const auto& bad : states) {
    try {
      forward_kinematics(s.model, work, bad.q, bad.v);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_STREQ(controller.solve(bad.q, bad.v).reason, error.what());
    }
  }
}

TEST(ControlErrors, InvalidStatesGiveZeroTorquesAndAreForgotten) {
  Standing s;
  for (const auto form : {Formulation::reduced, Formulation::projected}) {
    WholeBody controller(s.model, {.formulation = form}), fresh(s.model, {.formulation = form});
    add_all(controller, s.q), add_all(fresh, s.q);
    const Tick expected = fresh.solve(s.q, s.v);
    ASSERT_EQ(expected.status, TickStatus::optimal);
    for (const auto& bad : nonsense(s)) {
      const auto& tick = controller.solve(bad.q, bad.v);
      EXPECT_EQ(tick.status, TickStatus::invalid);
      EXPECT_STRNE(tick.reason, "");
      EXPECT_TRUE(tick.torques.isZero(0));
      EXPECT_TRUE(tick.accelerations.isZero(0));
      EXPECT_TRUE(tick.conflicts.empty());
      const auto& next = controller.solve(s.q, s.v);
      EXPECT_EQ(next.status, TickStatus::optimal);
      EXPECT_STREQ(next.reason, "");
      EXPECT_TRUE(close(next.torques, expected.torques, 1e-9));
    }
  }
}

// A snapshot that a caller passes says itself that it is none; then the controller is as usable as before.
TEST(ControlErrors, SnapshotsOfNoStateAndOfOtherModelsAreRefused) {
  Standing s;
  WholeBody controller(s.model), fresh(s.model);
  add_all(controller, s.q), add_all(fresh, s.q);
  const Tick expected = fresh.solve(s.q, s.v);
  RobotSnapshot now(s.model);
  RobotSnapshot other(load(LISSOM_MODELS_DIR "/arm7.urdf")), weightless(s.model.with_gravity({0, 0, 0}));
  ASSERT_TRUE(weightless.update(s.q, s.v));
  auto states = nonsense(s);
  states.pop_back();  // its elements are finite
  for (const auto& bad : states) {
    ASSERT_TRUE(now.update(s.q, s.v));
    EXPECT_FALSE(now.update(bad.q, bad.v));
    EXPECT_FALSE(now.valid());
    EXPECT_EQ(now.q, s.q);
    EXPECT_EQ(controller.solve(now).status, TickStatus::invalid);
    EXPECT_STREQ(controller.tick().reason, now.invalid_because().c_str());
    EXPECT_TRUE(controller.tick().torques.isZero(0));
    for (const auto* wrong : {&other, &weightless}) {
      EXPECT_EQ(controller.solve(*wrong).status, TickStatus::invalid);
      EXPECT_STREQ(controller.tick().reason, "the snapshot is of another model than the controller");
    }
    ASSERT_TRUE(now.update(s.q, s.v));
    EXPECT_TRUE(now.valid());
    EXPECT_EQ(controller.solve(now).status, TickStatus::optimal);
    EXPECT_TRUE(close(controller.tick().torques, expected.torques, 1e-9));
  }
}

TEST(ControlErrors, InvalidTargetsAreReportedAndForgotten) {
  Standing s;
  WholeBody controller(s.model), fresh(s.model);
  const auto posture = add_all(controller, s.q);
  add_all(fresh, s.q);
  const auto torque = controller.add(TorqueTask{.weight = 1e-5});
  fresh.add(TorqueTask{.weight = 1e-5});
  const auto com = TaskId<CenterOfMassTask>{0};
  const Tick expected = fresh.solve(s.q, s.v);
  const auto refused = [&](const char* what, const char* reason = nullptr) {
    SCOPED_TRACE(what);
    EXPECT_EQ(controller.solve(s.q, s.v).status, TickStatus::invalid);
    EXPECT_STRNE(controller.tick().reason, "");
    if (reason) EXPECT_STREQ(controller.tick().reason, reason);
    EXPECT_TRUE(controller.tick().torques.isZero(0));
    controller[posture].target = s.q, controller[posture].velocity.resize(0);
    controller[posture].joint_weights.resize(0);
    controller[torque].target.resize(0);
    controller[com].target = {0, 0, .6}, controller[com].weight = 1, controller[com].stiffness = 50;
    EXPECT_EQ(controller.solve(s.q, s.v).status, TickStatus::optimal);
    EXPECT_TRUE(close(controller.tick().torques, expected.torques, 1e-9));
  };
  controller[com].target.x = nan;
  refused("a target that is NaN");
  controller[com].weight = nan;
  refused("a weight that is NaN");
  controller[com].stiffness = -1;
  refused("a stiffness below zero");
  controller[posture].target[8] = nan;
  refused("a posture that is NaN");
  controller[posture].target.conservativeResize(12);
  refused("a posture too short", "posture: target has 12 elements, expected 37");
  controller[posture].velocity = VectorXd::Zero(2);
  refused("velocities too few", "posture: velocity has 2 elements, expected 36");
  controller[posture].joint_weights = VectorXd::Zero(2);
  refused("weights too few");
  controller[torque].target = VectorXd::Zero(50);
  refused("torques too many", "torque: target has 50 elements, expected 36");
}

// The robot with very weak motors.
Model weak_humanoid() {
  auto description = robot("humanoid.urdf").description();
  for (auto& joint : description.joints) joint.effort_limit = 1e-4 * joint.effort_limit[0];
  return build(description, {.base = Base::free});
}

TEST(ControlErrors, ContradictionsAreNamed) {
  Standing s;
  const auto model = weak_humanoid();
  WholeBody controller(model);
  const auto posture = add_all(controller, s.q);
  // The feet shall press with more than all motors can.
  controller[ContactId{0}].min_normal_force = 2000, controller[ContactId{1}].min_normal_force = 2000;
  const auto& tick = controller.solve(s.q, s.v);
  EXPECT_EQ(tick.status, TickStatus::elastic);
  const auto words = controller.explain();
  EXPECT_NE(words.find("normal force of contact left_sole: off by"), std::string::npos) << words;
  EXPECT_NE(words.find("torque of left_knee: off by"), std::string::npos) << words;
  EXPECT_TRUE(tick.torques.allFinite());
  for (int i = 0; i < model.nv(); ++i)  // they may be sent to motors, so they never exceed the limits
    EXPECT_LE(std::abs(tick.torques[i]), i < 6 ? 0 : model.effort_limit()[std::size_t(i)]);
  // Without the contradiction there is no conflict.
  controller[ContactId{0}].min_normal_force = controller[ContactId{1}].min_normal_force = 0;
  (void)posture;
  EXPECT_EQ(controller.solve(s.q, s.v).status, TickStatus::optimal);
  EXPECT_EQ(controller.explain(), "");
}

TEST(ControlErrors, ContactsThatCannotBothBeKeptAreNamed) {
  Standing s;
  WholeBody controller(s.model);
  add_all(controller, s.q);
  // The same sole shall be at two positions.
  auto placement = placement_at(s.model, s.q, "left_sole");
  placement.p.x += .1;
  controller.add(Contact{.frame = "left_sole", .placement = placement, .name = "elsewhere"});
  const auto& tick = controller.solve(s.q, s.v);
  EXPECT_EQ(tick.status, TickStatus::elastic);
  const auto words = controller.explain();
  EXPECT_NE(words.find("motion at contact left_sole"), std::string::npos) << words;
  EXPECT_NE(words.find("motion at contact elsewhere"), std::string::npos) << words;
}

TEST(ControlErrors, ARobotThatCanDoNothingIsNoError) {
  Standing s;
  std::vector<std::string> all;
  for (const auto& joint : s.model.joints())
    if (joint.nv > 0 && joint.type != JointType::free) all.push_back(joint.name);
  WholeBody controller(s.model, {.passive = all});
  EXPECT_TRUE(controller.motors().empty());
  const auto& tick = controller.solve(s.q, s.v);  // no tasks, no contacts, no motors: it falls
  EXPECT_EQ(tick.status, TickStatus::optimal) << tick.reason;
  EXPECT_TRUE(tick.torques.isZero(0));
  Workspace work(s.model);
  EXPECT_TRUE(
      close(tick.accelerations, forward_dynamics(s.model, work, s.q, s.v, VectorXd::Zero(s.model.nv())), 1e-9, 10));
}

}  // namespace
}  // namespace lissom::control::test::errors
