// Boxes in a world: they rest, slide and stop, tip, land, stand on steps and carts, and fall.
#include <cmath>

#include <gtest/gtest.h>

#include "box.h"
#include "largest.h"
#include "lissom/api/dynamics.h"

namespace lissom::test::contact_robot {
namespace {

const Contact sole{.frame = "sole", .friction = .5};

Eigen::VectorXd moving(double vx) {
  Eigen::VectorXd v = Eigen::VectorXd::Zero(6);
  v[0] = vx;
  return v;
}
double energy(const Model& model, const sim::SimulatedRobot& p) {
  Workspace work(model);
  return kinetic_energy(model, work, p.q(), p.v()) + potential_energy(model, work, p.q());
}
sim::RobotOptions pushed(const Model& model, const char* frame, const Vec3<double>& force, double from, double until) {
  return {.imperfections = {.pushes = {sim::push_at(model.frame(frame), force, from, until)}}};
}

TEST(ContactRobot, ABoxRests) {
  const Model model = box();
  const Eigen::VectorXd q = box_at(model, 0);
  const auto p = sim::contact_robot(model, {sole}, q, moving(0));
  for (int i = 0; i < 10000; ++i) {
    ASSERT_TRUE(p->step(still(model))) << p->failure();
    const auto& t = p->contacts()[0];
    ASSERT_NEAR(t.normal, box_weight, 1e-6);
    ASSERT_NEAR(t.force.x, 0, 1e-6);
    ASSERT_NEAR(t.torque.x, 0, 1e-6);
    ASSERT_LT(t.friction_use, 1e-6);
    ASSERT_EQ(t.points, 4);
  }
  EXPECT_NEAR(p->time(), 10, 1e-9);
  EXPECT_LT(largest(p->q() - q), 1e-9);
  EXPECT_EQ(p->contacts()[0].slip, 0);
  EXPECT_EQ(p->failure(), "");
}

// Shapes are taken from the robot, and so are the pairs of them that its file names.
TEST(ContactRobot, ItsFileMayNamePairsOfShapes) {
  auto description = box().description();
  ASSERT_FALSE(description.links[0].collisions.empty());
  description.links[0].collisions[0].name = "hull";
  description.contact_pairs.push_back({"pair", "hull", "hull"});
  const Model model = build(description, box().options());
  const auto p = sim::contact_robot(model, {sole}, box_at(model, 0), moving(0));
  ASSERT_TRUE(p->step(still(model))) << p->failure();
  EXPECT_NEAR(p->contacts()[0].normal, box_weight, 1e-6);
}

TEST(ContactRobot, APushWithinFrictionIsCarried) {
  const Model model = box();
  const double push = .45 * box_weight;
  const auto p =
      sim::contact_robot(model, {sole}, box_at(model, 0), moving(0), pushed(model, "sole", {push, 0, 0}, .01, 1));
  for (int i = 0; i < 900; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
  EXPECT_NEAR(p->contacts()[0].force.x, -push, 1e-6);
  EXPECT_NEAR(p->contacts()[0].friction_use, .9, 1e-3);
  EXPECT_EQ(p->contacts()[0].slip, 0);
  EXPECT_LT(largest(p->q() - box_at(model, 0)), 1e-9);
}

// Coulomb's law in closed form: a = F/m - μ g while it is pushed, then -μ g until it stops; then it sticks again, also
// under 60 % of what friction can carry.
TEST(ContactRobot, ItSlidesStopsAndSticksAgain) {
  const Model model = box();
  const double F = .65 * box_weight, mu_g = .5 * 9.81;
  auto options = pushed(model, "sole", {F, 0, 0}, 0, .2);
  options.imperfections.pushes.push_back(sim::push_at(model.frame("sole"), {.3 * box_weight, 0, 0}, .5, 2));
  const auto p = sim::contact_robot(model, {sole}, box_at(model, 0), moving(0), options);
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
  const double speed = (F / box_mass - mu_g) * .2, pushed_by = .5 * speed * .2;
  EXPECT_NEAR(p->v()[0], speed, 1e-6);
  EXPECT_NEAR(p->contacts()[0].friction_use, 1, 1e-3);
  EXPECT_NEAR(p->contacts()[0].force.x, -.5 * box_weight, 1e-6);
  EXPECT_NEAR(p->contacts()[0].slip, pushed_by, 1e-3 * speed);
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
  const double stopped = p->q()[0];
  EXPECT_NEAR(stopped, pushed_by + speed * speed / (2 * mu_g), 1e-5);
  EXPECT_LT(largest(p->v()), 1e-9);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
  EXPECT_NEAR(p->contacts()[0].friction_use, .6, 1e-3);
  EXPECT_NEAR(p->q()[0], stopped, 1e-9);
  EXPECT_NEAR(p->contacts()[0].slip, stopped, 1e-3 * speed);
  EXPECT_NEAR(p->contacts()[0].loaded_slip, p->contacts()[0].slip, 1e-12);
}

// A push at the top, across the shorter edge of 0.2 m: the box tips if it exceeds weight · 0.1 / 0.6.
TEST(ContactRobot, ATippingBoxStandsOnOneEdge) {
  const Model model = box();
  const auto p = sim::contact_robot(model, {sole}, box_at(model, 0), moving(0),
                                    pushed(model, "top", {0, 1.5 * box_weight * .1 / .6, 0}, .01, .1));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(p->step(still(model)));
  EXPECT_EQ(p->contacts()[0].points, 4);
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(p->step(still(model))) << p->failure();
    const auto& t = p->contacts()[0];
    ASSERT_EQ(t.points, 2);
    // The center of pressure lies on the edge, 0.1 m from the frame's origin, except for the tilt of the box.
    ASSERT_NEAR(t.torque.x / (t.normal * .1), 1, .02);
  }
  EXPECT_LT(p->v()[3], -.01);
  // It tips back, and stands where it stood before, but for some slip when it lands.
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
  EXPECT_EQ(p->contacts()[0].points, 4);
  EXPECT_NEAR(p->contacts()[0].normal, box_weight, 1e-6);
  EXPECT_LT(largest(p->q() - box_at(model, 0)), 2e-2);
}

TEST(ContactRobot, ADroppedBoxDoesNotBounce) {
  const Model model = box();
  Eigen::VectorXd v(6);
  for (const double turn : {0.0, .3}) {
    v << 0, 0, 0, turn, turn / 2, 0;  // lands on a corner
    const auto p = sim::contact_robot(model, {Contact{.frame = "sole", .friction = 2}}, box_at(model, .01), v);
    double before = energy(model, *p), lowest = 1, highest = 0;
    bool down = false;
    for (int i = 0; i < 2000; ++i) {
      ASSERT_TRUE(p->step(still(model))) << p->failure();
      down = down || p->contacts()[0].points > 0;
      const double now = energy(model, *p);
      ASSERT_LT(now, before + 1e-5) << "at " << p->time() << " by " << now - before;
      before = now;
      lowest = -larger(-lowest, -p->q()[2]);
      if (down) highest = larger(highest, p->q()[2]);
    }
    EXPECT_LT(highest, turn == 0 ? .3 + 1e-6 : .31);
    EXPECT_GT(lowest, .3 - 2e-4);
    EXPECT_EQ(p->contacts()[0].points, 4);
    EXPECT_NEAR(p->contacts()[0].normal, box_weight, 1e-6);
    EXPECT_LT(p->v().norm(), 1e-6);
  }
}

// All kinds slide as friction says.
TEST(ContactRobot, SlidingIsBraked) {
  const Model model = box();
  for (const auto kind : {ContactKind::sliding, ContactKind::surface}) {
    const auto p = sim::contact_robot(model, {Contact{.frame = "sole", .kind = kind, .friction = .2}}, box_at(model, 0),
                                      moving(1));
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
    EXPECT_NEAR(p->v()[0], 1 - .2 * 9.81 * .2, 1e-9);
    EXPECT_NEAR(p->contacts()[0].friction_use, 1, 1e-3);
    for (int i = 0; i < 800; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
    EXPECT_LT(largest(p->v()), 1e-9);
    EXPECT_NEAR(p->q()[0], 1 / (2 * .2 * 9.81), 1e-4);
  }
}

// A box on a point falls over; the point does not move. (It stands on a pole, since its corners get lower than the
// point.)
TEST(ContactRobot, APointStays) {
  const Model model = box();
  auto q = box_at(model, 0);
  const double tilt = .2;
  q.segment<4>(3) << std::cos(tilt / 2), std::sin(tilt / 2), 0, 0;
  q[2] = 1 + .3 * std::cos(tilt), q[1] = -.3 * std::sin(tilt);
  Contact pole{.frame = "sole", .kind = ContactKind::point, .friction = 2};
  pole.placement = Pose<double>{.p = {0, 0, 1}};
  const auto p = sim::contact_robot(model, {pole}, q, moving(0), {.substeps = 2});
  Workspace work(model);
  const double before = potential_energy(model, work, q);
  while (p->time() < .4) {
    ASSERT_TRUE(p->step(still(model))) << p->failure();
    ASSERT_EQ(p->contacts()[0].points, 1);
    ASSERT_NEAR(p->contacts()[0].torque.x, 0, 1e-6);
    forward_kinematics(model, work, p->q());
    const auto at = placement(model, work, model.frame("sole")).p;
    ASSERT_LT(std::hypot(at.x, at.y), 1e-5);
    ASSERT_NEAR(at.z, 1, 1e-4);
  }
  EXPECT_NEAR(energy(model, *p), before, 2e-3 * box_weight * .3);
}

// The same frame may land on a step or beside it.
TEST(ContactRobot, AStepIsWhereItsPlaceIs) {
  const Model model = box();
  Contact step{.frame = "sole"};
  step.placement = Pose<double>{.p = {1, 0, .2}};
  step.name = "step";
  for (const double x : {0.0, .9}) {
    auto q = box_at(model, .25);
    q[0] = x;
    const auto p = sim::contact_robot(model, {Contact{.frame = "sole"}, step}, q, moving(0));
    for (int i = 0; i < 400; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
    EXPECT_NEAR(p->q()[2], .3 + (x > .5 ? .2 : 0), 1e-4);
    EXPECT_NEAR(p->contacts()[x > .5 ? 1 : 0].normal, box_weight, 1e-6);
    EXPECT_EQ(p->contacts()[x > .5 ? 0 : 1].points, 0);
  }
}

// On a slope of 0.3 rad it stays with a friction of 0.4 > tan 0.3, and slides with 0.2.
TEST(ContactRobot, ASlopeHoldsOrNot) {
  const Model model = box();
  const double slope = .3;
  const Mat3<double> R{std::cos(slope), 0, std::sin(slope), 0, 1, 0, -std::sin(slope), 0, std::cos(slope)};
  auto q = box_at(model, 0);
  q.head<3>() << .3 * std::sin(slope), 0, 1 + .3 * std::cos(slope);
  q.segment<4>(3) << std::cos(slope / 2), 0, std::sin(slope / 2), 0;
  for (const double friction : {.4, .2}) {
    Contact face{.frame = "sole", .placement = Pose<double>{R, {0, 0, 1}}, .friction = friction};
    const auto p = sim::contact_robot(model, {face}, q, moving(0));
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
    const double a = 9.81 * (std::sin(slope) - friction * std::cos(slope)), way = a > 0 ? .5 * a * .2 * .2 : 0;
    const double moved = std::sqrt(std::pow(p->q()[0] - q[0], 2) + std::pow(p->q()[2] - q[2], 2));
    EXPECT_NEAR(moved, way, 1e-5);
    EXPECT_NEAR(p->contacts()[0].normal, box_weight * std::cos(slope), 1e-4);
    EXPECT_NEAR(p->contacts()[0].friction_use, a > 0 ? 1 : std::tan(slope) / friction, 2e-3);
  }
}

// A box on a cart: the body that is touched may move.
TEST(ContactRobot, ABoxRidesOnACart) {
  Description d = box().description();
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
    const auto p = sim::contact_robot(model, {Contact{.frame = "sole", .against = "deck", .friction = .5}}, q, v,
                                      {.imperfections = {.mass_error = error}});
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(p->step(command)) << p->failure();
    EXPECT_NEAR(p->v()[model.joint("drive").v_index], .2, 1e-5);
    EXPECT_NEAR(p->v()[model.joint("loose").v_index], .2, 1e-5);
    EXPECT_NEAR(p->contacts()[0].force.x, box_mass * 2, 1e-3);
    EXPECT_NEAR(p->contacts()[0].friction_use, 2 / (.5 * 9.81), 1e-3);
    EXPECT_LT(p->contacts()[0].slip, 1e-6);
  }
}

// Points that no shape covers touch by themselves.
TEST(ContactRobot, PointsBelowTheShapeTouch) {
  const Model model = box();
  Contact stilts{.frame = "sole", .points = {{.1, .05, -.1}, {-.1, .05, -.1}, {-.1, -.05, -.1}, {.1, -.05, -.1}}};
  const auto p = sim::contact_robot(model, {stilts}, box_at(model, .12), moving(0));
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
  EXPECT_NEAR(p->q()[2], .4, 1e-4);
  EXPECT_NEAR(p->contacts()[0].normal, box_weight, 1e-5);
  EXPECT_EQ(p->contacts()[0].points, 4);
}

// Joint forces beyond the effort limit do not act, but a push is no motor.
TEST(ContactRobot, EffortLimitsActOnMotorsOnly) {
  Description d = box().description();
  LinkDescription rail;
  rail.name = "rail";
  d.links.push_back(rail);
  JointDescription drive;
  drive.name = "drive", drive.type = JointType::prismatic, drive.parent = "rail", drive.child = "box";
  drive.effort_limit = 16;
  d.joints = {drive};
  const Model model = build(d, {.base = Base::fixed});
  Eigen::VectorXd q = neutral(model), v = Eigen::VectorXd::Zero(1);
  auto command = still(model);
  command.torques[0] = 1000;
  const auto p = sim::contact_robot(model, {}, q, v, pushed(model, "top", {40, 0, 0}, 0, .1));
  for (int i = 0; i < 100; ++i) p->step(command);
  if (p->failure().empty()) {
    EXPECT_NEAR(p->v()[0], (16 + 40) / box_mass * .1, 1e-6);
  } else {
    FAIL() << p->failure();
  }
}

// A box that is thrown up repeatedly.
TEST(ContactRobot, ComesAndGoesManyTimes) {
  const Model model = box();
  auto command = still(model);
  const auto p = sim::contact_robot(model, {Contact{.frame = "sole"}}, box_at(model, 0), moving(0));
  int came = 0, before = 4;
  for (int i = 0; i < 10000; ++i) {
    command.torques[2] = i % 200 < 20 ? 2 * box_weight : 0;
    ASSERT_TRUE(p->step(command)) << p->failure();
    const int now = p->contacts()[0].points;
    came += now > 0 && before == 0;
    before = now;
    ASSERT_GT(p->q()[2], .3 - 2e-4);
    ASSERT_GE(p->contacts()[0].normal, 0);
  }
  EXPECT_EQ(came, 50);
  EXPECT_LT(p->q().head<2>().norm(), 1e-6);
}

TEST(ContactRobot, WithoutContactsItFalls) {
  const Model model = box();
  const auto p = sim::contact_robot(model, {}, box_at(model, .2), moving(0));
  int steps = 0;
  while (steps < 1000 && p->step(still(model))) ++steps;
  EXPECT_NEAR(p->time(), std::sqrt(2 * .2 / 9.81), .002);
  EXPECT_TRUE(p->failure().starts_with("box hits the ground at t = ")) << p->failure();
  const Eigen::VectorXd q = p->q();  // a failed run stays as it is
  EXPECT_FALSE(p->step(still(model)));
  EXPECT_EQ(p->q(), q);
}

TEST(ContactRobot, AGripCarriesAnything) {
  const Model model = box();
  const auto q = box_at(model, .5);
  const auto p = sim::contact_robot(model, {Contact{.frame = "top", .kind = ContactKind::fixed}}, q, moving(0),
                                    pushed(model, "sole", {100, 20, 0}, .1, 2));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
  const auto& t = p->contacts()[0];
  EXPECT_NEAR(t.force.x, -100, 1e-6);
  EXPECT_NEAR(t.force.y, -20, 1e-6);
  EXPECT_NEAR(t.force.z, box_weight, 1e-6);
  // The push acts 0.6 m below the grip.
  EXPECT_NEAR(t.torque.x, -.6 * 20, 1e-6);
  EXPECT_NEAR(t.torque.y, .6 * 100, 1e-6);
  EXPECT_NEAR(t.torque.z, 0, 1e-6);
  EXPECT_EQ(t.friction_use, 0);
  EXPECT_LT(largest(p->q() - q), 1e-9);
}

// A tilted box, held at a placement: force and torque are along the axes of the world.
TEST(ContactRobot, AGripHoldsWhatItsPlacementSays) {
  const Model model = box();
  auto q = box_at(model, .5);
  const double tilt = .5;
  q.segment<4>(3) << std::cos(tilt / 2), std::sin(tilt / 2), 0, 0;
  Workspace work(model);
  forward_kinematics(model, work, q);
  Contact grip{.frame = "top", .kind = ContactKind::fixed};
  grip.placement = placement(model, work, model.frame("top"));
  const auto p = sim::contact_robot(model, {grip}, q, moving(0));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(p->step(still(model))) << p->failure();
  EXPECT_NEAR(p->contacts()[0].force.z, box_weight, 1e-6);
  EXPECT_NEAR(p->contacts()[0].force.y, 0, 1e-6);
  EXPECT_NEAR(p->contacts()[0].torque.x, box_weight * .3 * std::sin(tilt), 1e-6);
  grip.placement->p.x += .1;
  try {
    sim::contact_robot(model, {grip}, q, moving(0));
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'top' is fixed, but the robot starts 0.1 m"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace lissom::test::contact_robot
