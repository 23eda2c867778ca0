// A tick allocates nothing, whichever tasks and contacts are switched.
#include "allocation_counter.h"
#include "control_test_support.h"
#include "lissom/control/self_clearance.h"

namespace lissom::control::test {
namespace {

using lissom::test::allocations;

struct Loop {
  Model model = robot("humanoid.urdf");
  State s{crouched_humanoid(model), VectorXd::Zero(model.nv())};

  long allocated(WholeBody& controller, int ticks, const std::function<void(int)>& before = {}) {
    controller.prepare();
    long sum = 0;
    VectorXd next = s.q;
    for (int i = 0; i < ticks; ++i) {
      if (before) before(i);
      const long start = allocations;
      const auto& tick = controller.solve(s.q, s.v);
      sum += allocations - start;
      EXPECT_TRUE(tick.status == TickStatus::optimal || tick.status == TickStatus::elastic) << tick.reason;
      integrate(model, s.q, s.v, 1e-3, next);
      s.q = next;
      s.v += 1e-3 * tick.accelerations;
    }
    return sum;
  }
};
void add_tasks(WholeBody& controller, const VectorXd& q, int priority) {
  controller.add(CenterOfMassTask{.target = {0, 0, .6}, .weight = 10});
  controller.add(PostureTask{.target = q, .priority = priority});
  controller.add(FrameTask{.frame = "chest", .linear = {0, 0, 0}, .priority = priority});
  controller.add(MomentumTask{.weight = .1, .priority = priority});
  controller.add(GazeTask{.frame = "head_camera", .target = {2, 0, 1}, .priority = priority});
  controller.add(
      PointTask{.frame = "left_palm", .target = {.3, .2, .1}, .relative_to = "pelvis", .priority = priority});
}

class ControlAllocations : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!lissom::test::counting_allocations) GTEST_SKIP() << "the sanitizers have a heap of their own";
  }
};

TEST_F(ControlAllocations, NoneWithOneLevelAndWithThree) {
  for (const int priority : {0, 1}) {
    Loop loop;
    WholeBody controller(loop.model);
    controller.add(Contact{.frame = "left_sole"});
    controller.add(Contact{.frame = "right_sole"});
    add_tasks(controller, loop.s.q, priority);
    if (priority) controller.add(PointTask{.frame = "right_palm", .target = {.3, -.3, .8}, .priority = 7});
    EXPECT_EQ(loop.allocated(controller, 300), 0);
  }
}

TEST_F(ControlAllocations, NoneWithForcesTorquesAndClearances) {
  Loop loop;
  WholeBody controller(loop.model);
  controller.add(Contact{.frame = "left_sole"});
  controller.add(Contact{.frame = "right_sole", .kind = ContactKind::sliding});
  add_tasks(controller, loop.s.q, 0);
  controller.add(TorqueTask{.target = VectorXd::Zero(loop.model.nv())});
  controller.add(ForceTask{.contact = "left_sole", .target = {0, 0, 300}});
  controller.add(Clearance{.a = bounding_capsule(loop.model, "left_hand"),
                           .b = bounding_capsule(loop.model, "left_thigh"),
                           .influence_distance = .3});
  EXPECT_EQ(loop.allocated(controller, 300), 0);
}

TEST_F(ControlAllocations, NoneWhileContactsComeAndGo) {
  Loop loop;
  WholeBody controller(loop.model);
  controller.add(Contact{.frame = "left_sole"});
  const auto right = controller.add(Contact{.frame = "right_sole", .ramp = .02});
  const auto hand = controller.add(Contact{.frame = "left_palm", .kind = ContactKind::fixed, .ramp = .01});
  const auto palm = controller.add(Contact{.frame = "right_palm", .kind = ContactKind::point});
  add_tasks(controller, loop.s.q, 1);
  const long sum = loop.allocated(controller, 400, [&](int i) {
    controller.enable(right, i / 70 % 2 == 0);
    controller.enable(hand, i / 40 % 2 == 1);
    controller.enable(palm, i / 30 % 3 == 1);
  });
  EXPECT_EQ(sum, 0);
}

// Tasks, contacts and clearances are added before prepare(), and come and go as a motion needs them.
TEST_F(ControlAllocations, NoneWhileTasksAndContactsComeAndGo) {
  Loop loop;
  WholeBody controller(loop.model);
  controller.add(Contact{.frame = "left_sole"});
  const auto right = controller.add(Contact{.frame = "right_sole", .ramp = .02}, {.support = .8});
  controller.add(CenterOfMassTask{.target = {0, 0, .6}, .weight = 10});
  const auto posture = controller.add(PostureTask{.target = loop.s.q, .priority = 1});
  const auto chest = controller.add(FrameTask{.frame = "chest", .linear = {0, 0, 0}});
  const auto hand = controller.add(PointTask{.frame = "left_palm", .target = {.3, .3, .8}, .priority = 1});
  const auto torque = controller.add(TorqueTask{.target = VectorXd::Zero(loop.model.nv())});
  const auto force = controller.add(ForceTask{.contact = "left_sole", .target = {0, 0, 300}});
  for (const auto& c : self_clearances(loop.model, {loop.s.q})) controller.add(c);
  const long sum = loop.allocated(controller, 300, [&](int i) {
    controller.enable(right, i / 70 % 2 == 0);
    controller.enable(posture, i / 20 % 3 != 2);
    controller.enable(chest, i / 13 % 2 == 0);
    controller.enable(hand, i / 17 % 2 == 1);
    controller.enable(torque, i / 50 % 2 == 1);
    controller.enable(force, i / 30 % 2 == 1);
    controller[hand].target.z = .8 + 1e-3 * i;
  });
  EXPECT_EQ(sum, 0);
}

TEST_F(ControlAllocations, NoneForStatesThatAreNoneAndWishesThatContradict) {
  Loop loop;
  WholeBody controller(loop.model, {.joints = {.acceleration = .5}});
  controller.add(Contact{.frame = "left_sole", .max_normal_force = 1});
  controller.add(Contact{.frame = "right_sole", .max_normal_force = 1});
  add_tasks(controller, loop.s.q, 0);
  VectorXd bad = loop.s.q;
  bad[9] = std::nan("");
  VectorXd scaled = 2 * loop.s.q;  // its quaternion has norm 2
  const auto state = loop.s;
  EXPECT_EQ(loop.allocated(controller, 5), 0);
  loop.s = state;
  const long before = allocations;
  EXPECT_EQ(controller.solve(bad, loop.s.v).status, TickStatus::invalid);
  EXPECT_EQ(controller.solve(loop.s.q.head(5), loop.s.v).status, TickStatus::invalid);
  EXPECT_EQ(controller.solve(scaled, loop.s.v).status, TickStatus::invalid);
  EXPECT_EQ(controller.solve(loop.s.q, loop.s.v).status, TickStatus::elastic);
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace lissom::control::test
