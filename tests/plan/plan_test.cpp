// Plans of contacts: what they are made of, that threads change nothing, and what is refused.
#include "lissom/plan/plan.h"

#include <filesystem>
#include <fstream>

#include "lissom/control/motion_plan.h"
#include "lissom/limbs/standing_robot.h"

namespace lissom::test {

namespace {

const std::string models = LISSOM_MODELS_DIR;

class Plans : public ::testing::Test {
 protected:
  static const StandingRobot& robot() {
    static const auto loaded = load_standing_robot(models + "/humanoid.urdf");
    return loaded;
  }
  // A stair in front of the robot.
  static plan::PlanProblem stair(double height) {
    scenes::Scene scene;
    scene.ground = "ground";
    Shape box;
    box.kind = Shape::Kind::box, box.size = {.6, 1, height};
    scene.fixed = {{"stair", box, {.p = {.6, 0, height / 2}}}};
    plan::PlanProblem p;
    p.limbs = plan::limbs_of(robot().contacts);
    p.environment = plan::environment_of(scene);
    p.start = robot().q;
    for (const auto& limb : p.limbs)
      if (limb.foot) p.standing.push_back(limb.frame);
    p.goal.base = {.55, 0, 0};
    p.max_stances = 400;
    return p;
  }
};

TEST_F(Plans, FacesOfBoxesAndTheGround) {
  const auto e = stair(.1).environment;
  ASSERT_EQ(e.obstacles.size(), 2u);
  ASSERT_EQ(e.surfaces.size(), 6u) << "the ground, and all faces of a box but the lower one";
  for (const auto& s : e.surfaces) {
    const auto n = column_z(s.polygon.pose.R);
    EXPECT_GE(n.z, -1e-12) << s.name;
    if (s.name == "ground") continue;
    // The normal leads out of the box: the distance of its middle from the plane is half an edge.
    const auto inside = Vec3<double>(.6, 0, .05) - s.polygon.pose.p;
    EXPECT_LT(dot(inside, n), -.04) << s.name;
  }
  EXPECT_THROW(plan::environment_of(scenes::Scene{}), Error);
}

TEST_F(Plans, AStairIsClimbedOneContactAtATime) {
  const auto p = stair(.12);
  const auto found = plan::find_plan(robot().model, p);
  ASSERT_TRUE(found.reached) << found.what;
  EXPECT_EQ(found.steps.front().change, plan::Change::start);
  Workspace work(robot().model);
  for (std::size_t k = 1; k < found.steps.size(); ++k) {
    const auto &before = found.steps[k - 1], &now = found.steps[k];
    EXPECT_LE(std::abs(int(now.contacts.size()) - int(before.contacts.size())), 1);
    EXPECT_FALSE(now.contacts.empty());
    forward_kinematics(robot().model, work, now.q);
    for (const auto& c : now.contacts) {
      const auto X = placement(robot().model, work, robot().model.frame(p.limbs[std::size_t(c.limb)].frame));
      const auto off = X.p - c.pose.p;
      EXPECT_LT(dot(off, off), 1e-12) << k;
    }
  }
  for (const auto& c : found.steps.back().contacts) EXPECT_NEAR(c.pose.p.z, .12, 1e-9);
}

TEST_F(Plans, ThreadsChangeNothing) {
  auto p = stair(.05);
  p.threads = 1;
  const auto one = plan::find_plan(robot().model, p);
  p.threads = 3;
  const auto three = plan::find_plan(robot().model, p);
  ASSERT_TRUE(one.reached) << one.what;
  ASSERT_EQ(one.steps.size(), three.steps.size());
  EXPECT_EQ(one.stances, three.stances);
  for (std::size_t k = 0; k < one.steps.size(); ++k) EXPECT_EQ(one.steps[k].q, three.steps[k].q) << k;
}

TEST_F(Plans, WhatCannotBeReachedIsSaid) {
  auto p = stair(1.5);
  p.max_stances = 60;
  const auto found = plan::find_plan(robot().model, p);
  EXPECT_FALSE(found.reached);
  EXPECT_NE(found.what.find("the goal was not reached"), std::string::npos) << found.what;
  EXPECT_FALSE(found.steps.empty());
  p.start[2] += .2;
  EXPECT_THROW(plan::find_plan(robot().model, p), Error) << "it floats";
  p.standing.clear();
  EXPECT_THROW(plan::find_plan(robot().model, p), Error);
}

TEST_F(Plans, AMotionFileIsRead) {
  const auto p = stair(.05);
  const auto found = plan::find_plan(robot().model, p);
  ASSERT_TRUE(found.reached) << found.what;
  const auto folder = std::filesystem::temp_directory_path() / "lissom_plan_test";
  std::filesystem::create_directories(folder);
  const auto file = (folder / "climb.json").string();
  plan::write_motion(robot().model, p, found, file);
  const auto motion = control::read_motion_plan(robot().model, file);
  EXPECT_EQ(motion.stages.size() + 1, found.steps.size());
  EXPECT_EQ(motion.standing, p.standing);
  EXPECT_LT((motion.posture(motion.start) - p.start).norm(), 1e-9);
  std::filesystem::remove_all(folder);
}

}  // namespace

}  // namespace lissom::test
