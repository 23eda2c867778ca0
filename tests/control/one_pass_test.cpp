// A tick makes one pass over the tree, and so computes each joint's sine and cosine once, whoever reads placements in
// it: tasks, contacts, loops, the phases of a motion, the footsteps of a walk. This program counts the passes of all
// workspaces: the linker gives it the table of kernels below instead of the library's own (tests/CMakeLists.txt).
#include <map>
#include <set>

#include "control_test_support.h"
#include "lissom/api/postures.h"
#include "lissom/control/generated_motions.h"
#include "lissom/control/run.h"
#include "lissom/kernels/kernels.h"
#include "lissom/limbs/standing_robot.h"
#include "lissom/sim/simulated_robot.h"
#include "lissom/walking/walker.h"

namespace lissom::control::test::one_pass {

// The linker's names of single_kernels(): as others call it, and the library's own.
const Kernels<double>& counting_kernels() asm("__wrap__ZN6lissom14single_kernelsEv");
const Kernels<double>& own_kernels() asm("__real__ZN6lissom14single_kernelsEv");

namespace {

long passes = 0;

// A function of the table that counts its calls.
template <auto Function>
struct Counting;
template <class Table, class Result, class... Arguments, Result (*Table::*Function)(Arguments...)>
struct Counting<Function> {
  static Result call(Arguments... arguments) {
    ++passes;
    return (own_kernels().*Function)(arguments...);
  }
};
template <auto... Functions>
void count(Kernels<double>& table) {
  ((table.*Functions = &Counting<Functions>::call), ...);
}

}  // namespace

// Functions that read q visit the bodies, and begin with the sines and cosines of all joint angles. (Those of second
// derivatives are left out: they have tables of their own.)
const Kernels<double>& counting_kernels() {
  using Core = CoreKernels<double>;
  using Matrices = MatrixKernels<double>;
  using Derivatives = DerivativeKernels<double>;
  static const auto table = [] {
    auto kernels = own_kernels();
    count<&Core::placements, &Core::velocities, &Core::accelerations, &Core::jacobians, &Core::rnea, &Core::bias,
          &Core::aba, &Core::crba, &Core::all_terms, &Core::generalized_forces, &Core::step, &Matrices::coriolis,
          &Matrices::regressor, &Derivatives::rnea_derivatives, &Derivatives::aba_derivatives, &Derivatives::rnea_jvp,
          &Derivatives::rnea_vjp, &Derivatives::aba_jvp, &Derivatives::aba_vjp>(kernels);
    return kernels;
  }();
  return table;
}

namespace {

// How many passes ticks make, by what they do.
class Passes {
 public:
  template <class Advance>
  const Tick& of(const std::string& phase, Advance advance) {
    const long before = passes;
    const Tick& tick = advance();
    counts_[phase].insert(passes - before);
    return tick;
  }
  void expect_one(std::vector<std::string> phases) const {
    for (const auto& phase : phases) EXPECT_TRUE(counts_.contains(phase)) << phase;
    for (const auto& [phase, counts] : counts_) EXPECT_EQ(counts, std::set<long>{1}) << phase;
  }

 private:
  std::map<std::string, std::set<long>> counts_;
};

TEST(OnePass, OtherFunctionsAreCounted) {
  const auto model = robot("humanoid.urdf");
  Workspace work(model);
  const long before = passes;
  forward_kinematics(model, work, neutral(model));
  mass_matrix(model, work, neutral(model));
  EXPECT_EQ(passes - before, 2);
}

TEST(OnePass, AControllerWithAllTasks) {
  const auto model = robot("humanoid.urdf");
  const State s{crouched_humanoid(model), VectorXd::Zero(model.nv())};
  WholeBody controller(model);
  for (const auto* sole : {"left_sole", "right_sole"}) controller.add(Contact{.frame = sole});
  controller.add(CenterOfMassTask{.target = {0, 0, .6}});
  controller.add(PostureTask{.target = s.q});
  controller.add(MomentumTask{});
  controller.add(FrameTask{.frame = "chest", .target = placement_at(model, s.q, "chest")});
  controller.add(GazeTask{.frame = "head_camera", .target = {2, 0, 1}});
  controller.add(PointTask{.frame = "left_palm", .target = {.3, .2, .1}, .relative_to = "pelvis"});
  controller.add(Clearance{.a = bounding_capsule(model, "left_hand"), .b = bounding_capsule(model, "left_thigh")});
  controller.prepare();
  Passes counted;
  for (int i = 0; i < 3; ++i) counted.of("solve", [&]() -> const Tick& { return controller.solve(s.q, s.v); });
  counted.expect_one({"solve"});
}

TEST(OnePass, AControllerThatKeepsALoopClosed) {
  auto description = load(LISSOM_MODELS_DIR "/arm7.urdf").description();
  description.loops.push_back({.name = "handle", .a = {"tool", {}}, .b = {"base", {}}});
  const auto plain = build(description);
  VectorXd q(7);
  q << .3, .6, .2, 1.3, .1, .8, 0;
  description.loops[0].b.placement = placement_at(plain, q, "tool");
  WholeBody controller(build(description));
  controller.add(PostureTask{.target = q});
  controller.prepare();
  Passes counted;
  const auto& tick = counted.of("solve", [&]() -> const Tick& { return controller.solve(q, VectorXd::Zero(7)); });
  EXPECT_EQ(tick.status, TickStatus::optimal) << tick.reason;
  EXPECT_EQ(tick.loop_forces.size(), 3);
  counted.expect_one({"solve"});
}

// Carries out a motion, or a walk, on a robot that moves as the ticks want it.
template <class Runner>
void run(const Model& model, const std::vector<Contact>& contacts, VectorXd q, Runner& runner, Passes& counted) {
  VectorXd v = VectorXd::Zero(model.nv());
  const auto robot = sim::simulated_robot(sim::Simulator::prescribed_acceleration, model, contacts, q, v);
  sim::Command command;
  while (!runner.done() && robot->time() < 60) {
    robot->sense(q, v);
    // Of the phase in which it is, or in which it goes on.
    const std::string phase = to_string(runner.phase());
    const auto& tick = counted.of(phase, [&]() -> const Tick& { return runner.advance(q, v); });
    ASSERT_EQ(tick.status, TickStatus::optimal) << tick.reason;
    fill(tick, command);
    ASSERT_TRUE(robot->step(command)) << robot->failure();
  }
  EXPECT_TRUE(runner.done());
}
void expect_one_pass_in_motion(const Model& model, const MotionPlan& plan) {
  MotionRunner runner(model, plan);
  Passes counted;
  run(model, plan.contacts, runner.start(), runner, counted);
  counted.expect_one({"releasing", "moving", "landing", "settling", "holding"});
}
void expect_one_pass_in_walk(const StandingRobot& robot) {
  const auto feet = control_contacts(robot.contacts);
  for (const auto& [gait, phases] : std::map<walking::Gait, std::vector<std::string>>{
           {walking::Gait::stand, {"standing"}}, {walking::Gait::walk, {"standing", "transfer", "swing"}}}) {
    walking::Walker walker(robot.model, robot.q, feet, {.gait = gait, .steps = 2, .duration = .2});
    Passes counted;
    run(robot.model, feet, robot.q, walker, counted);
    counted.expect_one(phases);
  }
}

TEST(OnePass, MotionsOfABiped) {
  const auto model = robot("humanoid.urdf");
  expect_one_pass_in_motion(model, read_motion_plan(model, LISSOM_MODELS_DIR "/motions/steps.json"));
}
TEST(OnePass, MotionsOfAQuadruped) {
  const auto robot = load_standing_robot(LISSOM_MODELS_DIR "/quadruped.urdf");
  const auto feet = control_contacts(robot.contacts);
  expect_one_pass_in_motion(robot.model, generate_motion(robot.model, feet, robot.q, "steps"));
}
TEST(OnePass, WalksOfABiped) {
  expect_one_pass_in_walk(load_standing_robot(LISSOM_MODELS_DIR "/humanoid.urdf"));
}
TEST(OnePass, WalksOfAQuadruped) {
  expect_one_pass_in_walk(load_standing_robot(LISSOM_MODELS_DIR "/quadruped.urdf"));
}

}  // namespace
}  // namespace lissom::control::test::one_pass
