// Boxes on the ground that rest, slip, tip and fall.
#include <cmath>

#include <gtest/gtest.h>

#include "box.h"
#include "largest.h"
#include "lissom/api/dynamics.h"

namespace lissom::test {
namespace {

const Contact sole{.frame = "sole", .friction = .5};

double energy(const Model& model, const sim::SimulatedRobot& p) {
  Workspace work(model);
  return kinetic_energy(model, work, p.q(), p.v()) + potential_energy(model, work, p.q());
}

TEST(RigidContact, ABoxRests) {
  const Model model = box();
  const Eigen::VectorXd q = box_at(model, 0), v = Eigen::VectorXd::Zero(6);
  const auto p = sim::rigid_contact_robot(model, {sole}, q, v);
  const auto command = still(model);
  for (int i = 0; i < 10000; ++i) {
    ASSERT_TRUE(p->step(command)) << p->failure();
    const auto& t = p->contacts()[0];
    ASSERT_NEAR(t.normal, box_weight, 1e-6);
    ASSERT_NEAR(t.force.x, 0, 1e-6);
    ASSERT_NEAR(t.torque.x, 0, 1e-6);
    ASSERT_LT(t.friction_use, 1e-6);
    ASSERT_EQ(t.points, 4);
  }
  EXPECT_NEAR(p->time(), 10, 1e-9);
  EXPECT_LT(largest(p->q() - q), 1e-9);
  EXPECT_LT(largest(p->v()), 1e-9);
  EXPECT_EQ(p->failure(), "");
}

TEST(RigidContact, APushWithinFrictionIsCarried) {
  const Model model = box();
  const double push = .45 * box_weight;
  const auto p = sim::rigid_contact_robot(
      model, {sole}, box_at(model, 0), Eigen::VectorXd::Zero(6),
      {.imperfections = {.pushes = {sim::push_at(model.frame("sole"), {push, 0, 0}, .01, 1)}}});
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
  EXPECT_NEAR(p->contacts()[0].force.x, -push, 1e-6);
  EXPECT_NEAR(p->contacts()[0].friction_use, .9, 1e-6);
  EXPECT_LT(p->contacts()[0].slip, 1e-9);
}

TEST(RigidContact, APushAboveFrictionSlips) {
  const Model model = box();
  const auto p = sim::rigid_contact_robot(
      model, {sole}, box_at(model, 0), Eigen::VectorXd::Zero(6),
      {.imperfections = {.pushes = {sim::push_at(model.frame("sole"), {.65 * box_weight, 0, 0}, .02, 1)}}});
  int steps = 0;
  while (steps < 100 && p->step(still(model))) ++steps;
  EXPECT_EQ(steps, 20);
  EXPECT_EQ(p->failure(), "sole slips: friction use 1.3 at t = 0.02 s");
  // A failed run stays as it is.
  const Eigen::VectorXd q = p->q();
  EXPECT_FALSE(p->step(still(model)));
  EXPECT_EQ(p->q(), q);
}

// A push at the top, across the shorter edge of 0.2 m: the box tips if it exceeds weight · 0.1 / 0.6.
TEST(RigidContact, ATippingBoxStandsOnOneEdge) {
  const Model model = box();
  const double push = 1.5 * box_weight * .1 / .6;
  const auto p = sim::rigid_contact_robot(
      model, {sole}, box_at(model, 0), Eigen::VectorXd::Zero(6),
      {.imperfections = {.pushes = {sim::push_at(model.frame("top"), {0, push, 0}, .01, .1)}}});
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(p->step(still(model)));
  EXPECT_EQ(p->contacts()[0].points, 4);
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(p->step(still(model))) << p->failure();
    const auto& t = p->contacts()[0];
    ASSERT_EQ(t.points, 2);
    // The center of pressure lies on the edge, 0.1 m from the frame's origin, except for the tilt of the box.
    ASSERT_NEAR(t.torque.x / (t.normal * .1), 1, .02);
    ASSERT_LT(t.slip, 1e-6);
  }
  EXPECT_GT(p->v()[3] * -1, .01);
  // It tips back, and stands where it stood before.
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
  EXPECT_EQ(p->contacts()[0].points, 4);
  EXPECT_NEAR(p->contacts()[0].normal, box_weight, 1e-6);
  EXPECT_LT(largest(p->q() - box_at(model, 0)), 1e-3);
}

// A box that topples over its edge slips before it lies, even with friction 1.
TEST(RigidContact, TippedTooFarItSlips) {
  const Model model = box();
  const auto p = sim::rigid_contact_robot(
      model, {Contact{.frame = "sole", .friction = 1}}, box_at(model, 0), Eigen::VectorXd::Zero(6),
      {.imperfections = {.pushes = {sim::push_at(model.frame("top"), {0, .4 * box_weight, 0}, 0, 2)}}});
  int steps = 0;
  while (steps < 5000 && p->step(still(model))) ++steps;
  EXPECT_LT(steps, 5000);
  EXPECT_GT(steps, 200);
  EXPECT_TRUE(p->failure().starts_with("sole slips: friction use 1.")) << p->failure();
}

TEST(RigidContact, ADroppedBoxDoesNotBounce) {
  const Model model = box();
  Eigen::VectorXd v(6);
  for (const double turn : {0.0, .3}) {
    v << 0, 0, 0, turn, turn / 2, 0;  // lands on a corner, which takes more friction
    const auto p = sim::rigid_contact_robot(model, {Contact{.frame = "sole", .friction = 2}}, box_at(model, .01), v);
    double before = energy(model, *p), lowest = 1, highest = 0;
    bool down = false;
    for (int i = 0; i < 2000; ++i) {
      ASSERT_TRUE(p->step(still(model))) << p->failure();
      down = down || p->contacts()[0].points > 0;
      const double now = energy(model, *p);
      ASSERT_LT(now, before + 1e-9) << "at " << p->time();
      before = now;
      lowest = -larger(-lowest, -p->q()[2]);
      if (down) highest = larger(highest, p->q()[2]);
    }
    EXPECT_LT(highest, turn == 0 ? .3 + 1e-6 : .31);
    EXPECT_GT(lowest, .3 - 1e-4);
    EXPECT_EQ(p->contacts()[0].points, 4);
    EXPECT_NEAR(p->contacts()[0].normal, box_weight, 1e-6);
    EXPECT_LT(p->v().norm(), 1e-6);
  }
}

}  // namespace
}  // namespace lissom::test
