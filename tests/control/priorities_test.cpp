// Strict priorities; tasks about torques and forces.
#include "control_test_support.h"

namespace lissom::control::test::priorities {
namespace {

struct Standing {
  Model model = robot("humanoid.urdf");
  VectorXd q = crouched_humanoid(model), v = VectorXd::Zero(model.nv());
};
void add_feet(WholeBody& controller) {
  controller.add(Contact{.frame = "left_sole"});
  controller.add(Contact{.frame = "right_sole"});
}

TEST(Priorities, TheFirstPriorityIsMetAsIfAlone) {
  Standing s;
  double worst = 0;
  int left_out = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto state = random_state(s.model, s.q, random, .1, .3);
    const auto goal = placement_at(s.model, state.q, "left_palm").p + random.vec3(.5);
    std::vector<Tick> ticks;
    for (int priorities = 1; priorities <= 3; ++priorities) {
      WholeBody controller(s.model);
      add_feet(controller);
      controller.add(CenterOfMassTask{.target = {0, 0, .6}, .weight = 3});
      controller.add(FrameTask{.frame = "chest", .linear = {0, 0, 0}, .angular = {1, 1, 0}});
      // The next priority contradicts it, with far more weight.
      if (priorities > 1) controller.add(PointTask{.frame = "left_palm", .target = goal, .weight = 100, .priority = 1});
      if (priorities > 2) controller.add(PostureTask{.target = s.q, .weight = 100, .priority = 5});
      ticks.push_back(controller.solve(state.q, state.v));
      ASSERT_EQ(ticks.back().status, TickStatus::optimal) << ticks.back().reason << controller.explain();
      left_out += *ticks.back().reason != 0;
    }
    for (std::size_t k = 1; k < 3; ++k)
      for (std::size_t task = 0; task < k + 1; ++task) {
        VectorXd off = ticks[k].tasks[task].actual - ticks[k - 1].tasks[task].actual;
        for (int i = 0; i < off.size(); ++i)  // axes of weight 0 are free
          if (task == 1 && (i < 3 || i == 5)) off[i] = 0;
        worst = larger(worst, largest(off) / (1 + largest(ticks[k].tasks[task].actual)));
      }
  }
  RecordProperty("worst", to_text(worst));
  RecordProperty("left_out", left_out);
  EXPECT_LE(worst, 1e-7);
  // Of 1000: what remains free is often a single point, and the solver then finds a contradiction.
  EXPECT_LE(left_out, 50);
}

TEST(Priorities, WeightsWithinAPriorityCompromise) {
  Standing s;
  WholeBody controller(s.model);
  add_feet(controller);
  controller.add(
      CenterOfMassTask{.acceleration = {0, 0, 1}, .axes = {0, 0, 1}, .stiffness = 0, .damping = 0, .weight = 30});
  controller.add(
      CenterOfMassTask{.acceleration = {0, 0, -1}, .axes = {0, 0, 1}, .stiffness = 0, .damping = 0, .weight = 10});
  const auto& tick = controller.solve(s.q, s.v);
  ASSERT_EQ(tick.status, TickStatus::optimal);
  EXPECT_NEAR(tick.tasks[0].actual[2], .5, 5e-3);
  EXPECT_NEAR(tick.tasks[0].cost, .5 * 30 * .25, .1);
}

TEST(Priorities, ATaskThatIsSwitchedOffDoesNotCount) {
  Standing s;
  WholeBody controller(s.model), without(s.model);
  for (auto* c : {&controller, &without}) {
    add_feet(*c);
    c->add(PostureTask{.target = s.q});
  }
  const auto id = controller.add(CenterOfMassTask{.target = {1, 1, 1}, .weight = 100, .priority = -1});
  const VectorXd on = controller.solve(s.q, s.v).accelerations;
  controller.enable(id, false);
  const VectorXd off = controller.solve(s.q, s.v).accelerations;
  EXPECT_TRUE(close(off, without.solve(s.q, s.v).accelerations, 1e-9));
  EXPECT_GE((on - off).norm(), 1);
  controller.enable(id);
  EXPECT_TRUE(close(controller.solve(s.q, s.v).accelerations, on, 1e-9));
}

TEST(TorqueTask, BringsTorquesToTheTarget) {
  const auto model = load(LISSOM_MODELS_DIR "/arm7.urdf");
  Random random(1);
  const VectorXd q = VectorXd::Constant(7, .5), v = random.vector(7, .5), target = random.vector(7, 5);
  WholeBody controller(model, {.joints = {.positions = false, .velocities = false, .acceleration = 1e5},
                               .acceleration_regularization = 1e-9});
  controller.add(TorqueTask{.target = target, .weight = 1});
  const auto& tick = controller.solve(q, v);
  ASSERT_EQ(tick.status, TickStatus::optimal);
  EXPECT_TRUE(close(tick.torques, target, .05, 5));
  Workspace work(model);
  EXPECT_TRUE(close(tick.accelerations, forward_dynamics(model, work, q, v, tick.torques), 1e-9, 10));
}

TEST(TorqueTask, MakesTorquesSmaller) {
  Standing s;
  const auto torques = [&](double weight) {
    WholeBody controller(s.model);
    add_feet(controller);
    controller.add(PostureTask{.target = s.q, .weight = 1});
    controller.add(TorqueTask{.weight = weight});
    EXPECT_EQ(controller.solve(s.q, s.v).status, TickStatus::optimal);
    return controller.tick().torques.norm();
  };
  EXPECT_LT(torques(1), .9 * torques(0));
}

TEST(ForceTask, ForcesGoToTheTargetWhereTheyMay) {
  Standing s;
  Workspace work(s.model);
  WholeBody controller(s.model);
  add_feet(controller);
  controller.add(CenterOfMassTask{.target = center_of_mass(s.model, work, s.q), .weight = 10, .priority = 0});
  controller.add(PostureTask{.target = s.q});
  controller.solve(s.q, s.v);
  const auto before = controller.tick().contacts[0].force;
  // Feet pushed apart: an internal force that does not affect other tasks.
  const double outward = 40;
  controller.add(ForceTask{.contact = "left_sole", .target = {before.x, -outward, before.z}, .weight = 1});
  const auto& tick = controller.solve(s.q, s.v);
  ASSERT_EQ(tick.status, TickStatus::optimal);
  EXPECT_NEAR(tick.contacts[0].force.y, -outward, 1);
  EXPECT_NEAR(tick.contacts[0].force.z, before.z, 2);
  EXPECT_NEAR(tick.contacts[0].force.y + tick.contacts[1].force.y, 0, 5);
  EXPECT_TRUE(close(tick.tasks[2].actual, to_eigen(tick.contacts[0].force), 1e-12));
  EXPECT_THROW(controller.add(ForceTask{.contact = "nobody"}), Error);
}

}  // namespace
}  // namespace lissom::control::test::priorities
