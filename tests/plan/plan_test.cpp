// Plans of contacts: what they are made of, that threads change nothing, and what is refused.
#include "lissom/plan/plan.h"

#include <filesystem>
#include <fstream>

#include "lissom/api/postures.h"
#include "lissom/control/motion_plan.h"
#include "lissom/limbs/standing_robot.h"
#include "lissom/plan/candidates.h"

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

// The ground goes on below the stair. Robots whose links have no collision shapes would walk through it.
TEST_F(Plans, PlacesAreNotInsideOfSolids) {
  const auto p = stair(.1);
  const plan::Transitions transitions(robot().model, p);
  plan::Candidates candidates(robot().model, p, transitions);
  long filtered = 0;
  int on_stair = 0, on_ground = 0;
  const auto left = transitions.at(p.start, 0);
  for (const auto& place : candidates.places({{{0, 0, left}}, p.start}, 1, filtered)) {
    const bool ground = p.environment.surfaces[std::size_t(place.surface)].name == "ground";
    const double toe = place.pose.p.x + .12;
    if (ground) EXPECT_LT(toe, .3 + 1e-3);
    ++(ground ? on_ground : on_stair);
  }
  EXPECT_GE(on_ground, 1);
  EXPECT_GE(on_stair, 1);
  EXPECT_FALSE(candidates.without_surface());
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
  p.goal.base = {4000, 0, 0};
  const auto beyond = plan::find_plan(robot().model, p);
  EXPECT_FALSE(beyond.reached);
  EXPECT_EQ(beyond.stances, 0) << "planes end at 1 km, so there is nothing to search";
  EXPECT_NE(beyond.what.find("'left_foot_contact' has no place there"), std::string::npos) << beyond.what;
  p.start[2] += .2;
  EXPECT_THROW(plan::find_plan(robot().model, p), Error) << "it floats";
  p.standing.clear();
  EXPECT_THROW(plan::find_plan(robot().model, p), Error);
}

// A bar over the ground at x = 0.9, with its underside at a height; and the feet and hands of the robot at places x.
class Bars : public Plans {
 protected:
  static plan::PlanProblem bar(double height) {
    scenes::Scene scene;
    scene.ground = "ground";
    Shape box, post;
    box.kind = post.kind = Shape::Kind::box, box.size = {.08, 3, .08}, post.size = {.08, .08, height};
    scene.fixed = {{"bar", box, {.p = {.9, 0, height + .04}}}, {"post", post, {.p = {.9, 1.6, height / 2}}}};
    auto p = stair(.1);
    p.environment = plan::environment_of(scene);
    p.goal.base = {1.9, 0, 0};
    return p;
  }
  static plan::Placement at(int limb, double x, double z = 0, int surface = 0) {
    return {limb, surface, {.p = {x, limb % 2 == 0 ? .1 : -.1, z}}};
  }
};

TEST_F(Bars, AreOverheadWhereTheRobotCannotStandBelow) {
  const auto p = bar(.62);
  const plan::Headroom headroom(robot().model, p);
  ASSERT_EQ(headroom.low().size(), 1u) << "the post stands on the ground";
  EXPECT_NEAR(headroom.low()[0].height, .62, 1e-12);
  const auto high = bar(2.);
  EXPECT_TRUE(plan::Headroom(robot().model, high).low().empty());
  const auto at_the_ground = bar(.1);
  EXPECT_TRUE(plan::Headroom(robot().model, at_the_ground).low().empty()) << "nothing goes through";
}

TEST_F(Bars, AreACeilingForContactsThatCarryBelow) {
  const auto p = bar(.62);
  const plan::Headroom headroom(robot().model, p);
  EXPECT_FALSE(headroom.ceiling({at(0, 0), at(1, 0)})) << "in front of it";
  EXPECT_FALSE(headroom.ceiling({at(0, 1.4), at(1, 1.4)})) << "behind it";
  for (const auto& below : {std::vector{at(0, .9), at(1, 0)}, {at(0, 0), at(1, 0), at(2, 1.3)}}) {
    const auto ceiling = headroom.ceiling(below);
    ASSERT_TRUE(ceiling);
    EXPECT_NEAR(ceiling->pose.p.z, .62, 1e-12);
    EXPECT_EQ(ceiling->name, "bar");
    EXPECT_LT(column_z(ceiling->pose.R).z, -.99) << "the solid is above";
  }
  int top = -1;
  for (std::size_t k = 0; k < p.environment.surfaces.size(); ++k)
    if (p.environment.surfaces[k].name == "bar/top") top = int(k);
  ASSERT_GE(top, 0);
  EXPECT_FALSE(headroom.ceiling({at(0, .6), at(1, .6), at(2, .9, .7, top)})) << "a hand is on it";
}

TEST_F(Bars, EndOfTheCrawl) {
  const auto p = bar(.62);
  plan::Headroom headroom(robot().model, p);
  EXPECT_FALSE(headroom.end_of_crawl({0, 0, 0}, {1.9, 0, 0})) << "nobody said that hands are needed";
  headroom.set_needs_hands(0);
  const auto end = headroom.end_of_crawl({0, 0, 0}, {1.9, 0, 0});
  ASSERT_TRUE(end);
  EXPECT_GT(*end, .94);
  EXPECT_LT(*end, 1.2);
  EXPECT_FALSE(headroom.end_of_crawl({1.2, 0, 0}, {1.9, 0, 0})) << "it is behind";
  EXPECT_FALSE(headroom.end_of_crawl({0, 2, 0}, {1.9, 2, 0})) << "beside it";
}

// The first changes on the way: hands touch first, in front of the feet, and then all of the robot is below the bar.
TEST_F(Bars, MakeTheRobotGoDownOnItsHands) {
  auto p = bar(.62);
  p.max_stances = 25;
  const auto found = plan::find_plan(robot().model, p);
  EXPECT_FALSE(found.reached);
  int hands = 0;
  for (const auto& step : found.steps) {
    if (step.change == plan::Change::touch) EXPECT_FALSE(p.limbs[std::size_t(step.limb)].foot);
    hands += step.change == plan::Change::touch;
  }
  EXPECT_GE(hands, 1);
}

TEST_F(Plans, GroundIsEndless) {
  auto p = stair(.05);
  p.goal.base = {40, 0, 0};
  p.max_stances = 1;
  const auto found = plan::find_plan(robot().model, p);
  EXPECT_NE(found.what.find("1 postures were tried"), std::string::npos) << found.what;
}

// The limbs that lie on the ground in the posture are those that touch.
TEST_F(Plans, APostureAloneIsAGoal) {
  auto p = stair(.05);
  p.goal.base.reset();
  EXPECT_THROW(plan::find_plan(robot().model, p), Error) << "nothing is asked for";
  p.goal.posture = p.start;
  (*p.goal.posture)[2] += .01;
  const auto feet = plan::find_plan(robot().model, p);
  ASSERT_TRUE(feet.reached) << feet.what;
  EXPECT_EQ(feet.steps.back().contacts.size(), 2u) << "nothing lies on a face: it stands on its feet";
  p.goal.posture = read_posture(robot().model, models + "/postures/humanoid.json#palms_on_floor");
  p.max_stances = 1;
  const auto on_hands = plan::find_plan(robot().model, p);
  EXPECT_FALSE(on_hands.reached) << "its hands have to come down";
}

// Balls at the ends of legs of three joints: their frames tilt with the legs, and three of them carry the robot.
TEST_F(Plans, AQuadrupedWalks) {
  const auto quadruped = load_standing_robot(models + "/quadruped.urdf");
  auto p = stair(.08);
  scenes::Scene flat;
  flat.ground = "ground";
  p.environment = plan::environment_of(flat);
  p.goal.base = {.3, 0, 0};
  p.limbs = plan::limbs_of(quadruped.contacts);
  p.start = quadruped.q;
  p.standing.clear();
  for (const auto& limb : p.limbs) p.standing.push_back(limb.frame);
  const auto found = plan::find_plan(quadruped.model, p);
  ASSERT_TRUE(found.reached) << found.what;
  for (const auto& step : found.steps) EXPECT_GE(step.contacts.size(), 3u);
}

TEST_F(Plans, TheLeastFrictionIsWritten) {
  auto p = stair(.05);
  for (auto& surface : p.environment.surfaces) surface.friction = .5;
  plan::Plan found;
  for (int limb = 0; limb < 2; ++limb) {
    plan::PlanStep step;
    step.contacts = {{limb, 0, {}}}, step.q = p.start;
    found.steps.push_back(step);
  }
  const auto folder = std::filesystem::temp_directory_path() / "lissom_plan_friction_test";
  std::filesystem::create_directories(folder);
  const auto file = (folder / "climb.json").string();
  EXPECT_THROW(plan::expect_writable((folder / "none" / "climb.json").string()), Error);
  EXPECT_NO_THROW(plan::expect_writable(file));
  plan::write_motion(robot().model, p, found, file);
  for (const auto& c : control::read_motion_plan(robot().model, file).contacts) EXPECT_EQ(c.friction, .5) << c.frame;
  std::filesystem::remove_all(folder);
}

// On one foot and a hand in the end: with a support of 2 the hand comes first, because the foot may not leave before.
TEST_F(Plans, HandsHelpWhereThatIsAskedFor) {
  auto p = stair(.1);
  p.goal.base.reset();
  p.goal.contacts = {"left_foot_contact", "right_hand_contact"};
  p.support = 2;
  const auto found = plan::find_plan(robot().model, p);
  ASSERT_TRUE(found.reached) << found.what;
  int releases = 0;
  for (const auto& step : found.steps) {
    EXPECT_GE(step.contacts.size(), 2u);
    releases += step.change == plan::Change::release;
  }
  EXPECT_GE(releases, 1);
  p = stair(.05);
  p.support = 2;
  std::erase_if(p.limbs, [](const plan::Limb& limb) { return !limb.foot; });
  const auto without_hands = plan::find_plan(robot().model, p);
  EXPECT_FALSE(without_hands.reached);
  EXPECT_EQ(without_hands.stances, 0) << "no foot may leave";
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
