// Contacts that are fixed, slide, stand on a point, have a placement, open and close.
#include <cmath>

#include <gtest/gtest.h>

#include "box.h"
#include "largest.h"
#include "lissom/api/dynamics.h"

namespace lissom::test {
namespace {

Eigen::VectorXd moving(double vx) {
  Eigen::VectorXd v = Eigen::VectorXd::Zero(6);
  v[0] = vx;
  return v;
}

TEST(ContactKinds, AGripCarriesAnything) {
  const Model model = box();
  const auto q = box_at(model, .5);
  const auto p = sim::rigid_contact_robot(
      model, {Contact{.frame = "top", .kind = ContactKind::fixed}}, q, Eigen::VectorXd::Zero(6),
      {.imperfections = {.pushes = {sim::push_at(model.frame("sole"), {100, 20, 0}, .1, 2)}}});
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
  const auto& t = p->contacts()[0];
  EXPECT_NEAR(t.force.z, box_weight, 1e-6);
  EXPECT_NEAR(t.force.x, -100, 1e-6);
  EXPECT_NEAR(t.torque.y, .6 * 100, 1e-6);
  EXPECT_LT(largest(p->q() - q), 1e-9);
}

TEST(ContactKinds, SlidingIsBraked) {
  const Model model = box();
  const auto p = sim::rigid_contact_robot(
      model, {Contact{.frame = "sole", .kind = ContactKind::sliding, .friction = .2}}, box_at(model, 0), moving(1));
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
  EXPECT_NEAR(p->v()[0], 1 - .2 * 9.81 * .2, .01);
  EXPECT_NEAR(p->contacts()[0].friction_use, 1, .01);
  EXPECT_NEAR(p->contacts()[0].force.x, -.2 * box_weight, .02 * box_weight);
  for (int i = 0; i < 800; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
  EXPECT_LT(std::abs(p->v()[0]), 1e-6);
  EXPECT_NEAR(p->q()[0], 1 / (2 * .2 * 9.81), .01);
  EXPECT_NEAR(p->contacts()[0].normal, box_weight, 1e-6);
}

// A box on a point falls over; the point does not move. (It stands on a pole, since its corners get lower than the
// point.)
TEST(ContactKinds, APointStays) {
  const Model model = box();
  auto q = box_at(model, 0);
  const double tilt = .2;
  q.segment<4>(3) << std::cos(tilt / 2), std::sin(tilt / 2), 0, 0;
  q[2] = 1 + .3 * std::cos(tilt), q[1] = -.3 * std::sin(tilt);
  Contact pole{.frame = "sole", .kind = ContactKind::point, .friction = 2};
  pole.placement = Pose<double>{.p = {0, 0, 1}};
  const auto p = sim::rigid_contact_robot(model, {pole}, q, Eigen::VectorXd::Zero(6), {.substeps = 2});
  Workspace work(model);
  const double before = potential_energy(model, work, q);
  double slip = 0;
  while (p->time() < .4) {
    ASSERT_TRUE(p->step(still(model))) << p->failure();
    slip = larger(slip, p->contacts()[0].slip);
    ASSERT_EQ(p->contacts()[0].points, 1);
    ASSERT_NEAR(p->contacts()[0].torque.x, 0, 1e-6);
  }
  EXPECT_LT(slip, 1e-6);
  EXPECT_NEAR(potential_energy(model, work, p->q()) + kinetic_energy(model, work, p->q(), p->v()), before,
              2e-3 * box_weight * .3);
}

// The same frame may land on a step or beside it.
TEST(ContactKinds, AStepIsWhereItsPlaceIs) {
  const Model model = box();
  const Contact ground{.frame = "sole"};
  Contact step{.frame = "sole"};
  step.placement = Pose<double>{.p = {1, 0, .2}};
  step.name = "step";
  for (const double x : {0.0, .9}) {
    auto q = box_at(model, .25);
    q[0] = x;
    const auto p = sim::rigid_contact_robot(model, {ground, step}, q, Eigen::VectorXd::Zero(6));
    for (int i = 0; i < 400; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
    EXPECT_NEAR(p->q()[2], .3 + (x > .5 ? .2 : 0), 1e-6);
    EXPECT_NEAR(p->contacts()[x > .5 ? 1 : 0].normal, box_weight, 1e-6);
    EXPECT_EQ(p->contacts()[x > .5 ? 0 : 1].points, 0);
  }
}

// A box on a cart: the body that is touched may move.
TEST(ContactKinds, ABoxRidesOnACart) {
  const Model alone = box();
  Description d = alone.description();
  LinkDescription cart = d.links[0];
  cart.name = "cart";
  cart.mass = 12;
  cart.collisions.clear();
  LinkDescription rail;
  rail.name = "rail";
  d.links.insert(d.links.end(), {cart, rail});
  d.frames.push_back({"deck", "cart", {.p = {0, 0, .1}}});
  JointDescription drive, loose;
  drive.name = "drive", drive.type = JointType::prismatic, drive.parent = "rail", drive.child = "cart";
  loose.name = "loose", loose.type = JointType::free, loose.parent = "rail", loose.child = "box";
  d.joints = {drive, loose};
  const Model model = build(d, {.base = Base::fixed});
  Eigen::VectorXd q = neutral(model), v = Eigen::VectorXd::Zero(model.nv());
  q[model.joint("loose").q_index + 2] = .1 + .3;
  auto command = still(model);
  command.torques[model.joint("drive").v_index] = 40;  // 2 m/s²
  for (const double error : {0.0, 1e-6}) {             // (with an error, the model is built again)
    const auto p = sim::rigid_contact_robot(model, {Contact{.frame = "sole", .against = "deck", .friction = .5}}, q, v,
                                            {.imperfections = {.mass_error = error}});
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(p->step(command)) << p->failure();
    EXPECT_NEAR(p->v()[model.joint("drive").v_index], 2, 1e-4);
    EXPECT_NEAR(p->v()[model.joint("loose").v_index], 2, 1e-4);
    EXPECT_NEAR(p->contacts()[0].force.x, box_mass * 2, 1e-3);
    EXPECT_NEAR(p->contacts()[0].friction_use, 2 / (.5 * 9.81), 1e-3);
    EXPECT_LT(p->contacts()[0].slip, 1e-9);
  }
}

// A box that is thrown up repeatedly.
TEST(ContactKinds, ComesAndGoesManyTimes) {
  const Model model = box();
  auto command = still(model);
  const auto p =
      sim::rigid_contact_robot(model, {Contact{.frame = "sole"}}, box_at(model, 0), Eigen::VectorXd::Zero(6));
  int came = 0, before = 4;
  for (int i = 0; i < 10000; ++i) {
    command.torques[2] = i % 200 < 20 ? 2 * box_weight : 0;
    ASSERT_TRUE(p->step(command)) << p->failure();
    const int now = p->contacts()[0].points;
    came += now > 0 && before == 0;
    before = now;
    ASSERT_GT(p->q()[2], .3 - 1e-6);
    ASSERT_GE(p->contacts()[0].normal, 0);
  }
  EXPECT_EQ(came, 50);
  EXPECT_LT(p->q().head<2>().norm(), 1e-6);
}

TEST(ContactKinds, WithoutContactsItFalls) {
  const Model model = box();
  const auto p = sim::rigid_contact_robot(model, {}, box_at(model, .2), Eigen::VectorXd::Zero(6));
  int steps = 0;
  while (steps < 1000 && p->step(still(model))) ++steps;
  EXPECT_NEAR(p->time(), std::sqrt(2 * .21 / 9.81), .002);
  EXPECT_TRUE(p->failure().starts_with("box hits the ground at t = ")) << p->failure();
}

}  // namespace
}  // namespace lissom::test
