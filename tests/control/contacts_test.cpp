// Kinds of contacts, what they touch, how they are activated and released.
#include <Eigen/Cholesky>

#include "control_test_support.h"

namespace lissom::control::test {
namespace {

struct Standing {
  Model model = robot("humanoid.urdf");
  VectorXd q = crouched_humanoid(model), v = VectorXd::Zero(model.nv());
  double weight = model.mass() * 9.81;
};
// Weights that the results do not depend on.
void add_tasks(WholeBody& controller, const VectorXd& q) {
  Workspace work(controller.model());
  controller.add(CenterOfMassTask{.target = center_of_mass(controller.model(), work, q), .weight = 10});
  controller.add(PostureTask{.target = q});
}
// The humanoid's description with a box beside it, another free body.
Model with_box(double mass) {
  auto description = robot("humanoid.urdf").description();
  LinkDescription box;
  box.name = "box";
  box.mass = mass;
  box.inertia = {mass / 60, 0, 0, mass / 60, 0, mass / 60};
  description.links.push_back(box);
  return build(description, {.base = Base::free});
}

TEST(Contacts, APointMayTurnASurfaceMayNot) {
  Standing s;
  for (const bool point : {true, false}) {
    WholeBody controller(s.model);
    controller.add(Contact{.frame = "left_sole", .kind = point ? ContactKind::point : ContactKind::surface});
    controller.add(Contact{.frame = "right_sole"});
    controller.add(FrameTask{.frame = "left_sole",
                             .acceleration = {{0, 0, 0}, {0, 2, 0}},
                             .linear = {0, 0, 0},
                             .stiffness = 0,
                             .weight = 100});
    controller.add(PostureTask{.target = s.q});
    const auto& tick = controller.solve(s.q, s.v);
    ASSERT_EQ(tick.status, TickStatus::optimal);
    EXPECT_NEAR(tick.tasks[0].actual[4], point ? 2 : 0, .02);
  }
}

TEST(Contacts, AGripPullsAndTwists) {
  Standing s;
  // Nothing but a hand: the whole robot hangs on it.
  WholeBody controller(s.model, {.torque_limits = false});
  const std::vector<Contact> contacts{{.frame = "left_palm", .kind = ContactKind::fixed}};
  controller.add(contacts[0]);
  controller.add(PostureTask{.target = s.q, .weight = 100});
  const auto& tick = controller.solve(s.q, s.v);
  ASSERT_EQ(tick.status, TickStatus::optimal);
  EXPECT_NEAR(tick.contacts[0].force.z, s.weight, .05 * s.weight);
  EXPECT_GE(std::sqrt(dot(tick.contacts[0].torque, tick.contacts[0].torque)), 1);
  Workspace work(s.model);
  EXPECT_TRUE(close(inverse_dynamics(s.model, work, s.q, s.v, tick.accelerations, contact_forces(controller, contacts)),
                    tick.torques, 1e-9, 100));
}

TEST(Contacts, ASlidingFaceIsRubbedAgainstItsMotion) {
  Standing s;
  WholeBody controller(s.model);
  const double friction = .2;
  const std::vector<Contact> contacts{{.frame = "left_sole"},
                                      {.frame = "right_sole", .kind = ContactKind::sliding, .friction = friction}};
  for (const auto& c : contacts) controller.add(c);
  add_tasks(controller, s.q);
  // The right foot slides forward.
  Workspace work(s.model);
  const auto right = s.model.frame("right_sole"), left = s.model.frame("left_sole");
  Eigen::MatrixXd J(12, s.model.nv());
  J << jacobian(s.model, work, s.q, left), jacobian(s.model, work, s.q, right);
  VectorXd enabled = VectorXd::Zero(12);
  enabled[6] = .3;
  const VectorXd v = J.transpose() * (J * J.transpose()).ldlt().solve(enabled);
  controller.add(PointTask{.frame = "right_sole",
                           .acceleration = {1, .5, 0},
                           .axes = {1, 1, 0},
                           .stiffness = 0,
                           .damping = 0,
                           .weight = 1000});
  const auto& tick = controller.solve(s.q, v);
  ASSERT_EQ(tick.status, TickStatus::optimal);
  const auto& r = tick.contacts[1];
  ASSERT_GE(r.normal, 10);
  EXPECT_NEAR(r.force.x, -friction * r.normal, .01 * r.normal);
  EXPECT_NEAR(r.force.y, 0, 1e-3 * r.normal);
  EXPECT_NEAR(tick.tasks[2].actual[0], 1, .05);  // it may go on along its plane
  EXPECT_NEAR(tick.tasks[2].actual[1], .5, .05);
  EXPECT_TRUE(close(inverse_dynamics(s.model, work, s.q, v, tick.accelerations, contact_forces(controller, contacts)),
                    tick.torques, 1e-9, 100));
}

TEST(Contacts, WhatIsTouchedFeelsTheOpposite) {
  const double mass = 4;
  const auto model = with_box(mass);
  const auto& box = model.joint("base:box");
  VectorXd q = neutral(model), v = VectorXd::Zero(model.nv());
  const Standing alone;
  for (const auto& joint : alone.model.joints())  // as for the robot alone
    for (int i = 0; i < joint.nq; ++i)
      q[model.joint(joint.type == JointType::free ? "base:pelvis" : joint.name).q_index + i] =
          alone.q[joint.q_index + i];
  const auto palm = placement_at(model, q, "left_palm");
  q.segment<3>(box.q_index) << palm.p.x + .1, palm.p.y, palm.p.z;
  WholeBody controller(model);
  const std::vector<Contact> contacts{{.frame = "left_sole"},
                                      {.frame = "right_sole"},
                                      {.frame = "left_palm", .against = "box", .kind = ContactKind::fixed}};
  for (const auto& c : contacts) controller.add(c);
  controller.add(PostureTask{.target = q, .base = true, .weight = 10});
  const auto& tick = controller.solve(q, v);
  ASSERT_EQ(tick.status, TickStatus::optimal) << controller.explain();
  // The hand is pressed down by what the box weighs (and how it accelerates); the feet carry both.
  const VectorXd a = tick.accelerations.segment(box.v_index, 6);
  EXPECT_NEAR(tick.contacts[2].force.z, -mass * (9.81 + a[2]), 1e-6);
  EXPECT_NEAR(tick.contacts[2].force.x, -mass * a[0], 1e-6);
  EXPECT_GE(tick.contacts[0].normal + tick.contacts[1].normal, .8 * (alone.weight + mass * 9.81));
  Workspace work(model);
  const VectorXd tau = inverse_dynamics(model, work, q, v, tick.accelerations, contact_forces(controller, contacts));
  EXPECT_TRUE(close(tau, tick.torques, 1e-9, 100));
  EXPECT_TRUE(close(tau.segment(box.v_index, 6), VectorXd::Zero(6), 1e-7));
  // The box goes where the hand goes, while everything moves.
  Random random(3);
  v = random.vector(model.nv(), .3);
  ASSERT_EQ(controller.solve(q, v).status, TickStatus::optimal) << controller.explain();
  EXPECT_TRUE(close(inverse_dynamics(model, work, q, v, tick.accelerations, contact_forces(controller, contacts)),
                    tick.torques, 1e-9, 100));
}

TEST(Contacts, NormalForcesStayBetweenLeastAndLargest) {
  Standing s;
  Workspace work(s.model);
  auto com = center_of_mass(s.model, work, s.q);
  com.y = placement_at(s.model, s.q, "left_sole").p.y;  // the body wants over to the left
  for (const bool min_distance : {true, false}) {
    WholeBody controller(s.model);
    controller.add(Contact{.frame = "left_sole"});
    auto right = controller.add(Contact{.frame = "right_sole"});
    controller.add(CenterOfMassTask{.target = com, .weight = 100});
    controller.add(PostureTask{.target = s.q});
    const double free = controller.solve(s.q, s.v).contacts[1].normal;
    const double bound = min_distance ? free + 100 : free / 2;
    (min_distance ? controller[right].min_normal_force : controller[right].max_normal_force) = bound;
    const auto& tick = controller.solve(s.q, s.v);
    ASSERT_EQ(tick.status, TickStatus::optimal);
    EXPECT_NEAR(tick.contacts[1].normal, bound, 1e-6);
  }
}

// The largest change of a force from one tick to the next.
struct Course {
  double jump = 0, last = 0;
  int ticks = 0;
  bool left = false;
};
Course release(WholeBody& controller, ContactId id, const Standing& s, double Vec3<double>::* part) {
  Course course;
  const auto read = [&] {
    const auto& r = controller.tick().contacts[std::size_t(id.index)];
    return std::abs(r.force.*part);
  };
  EXPECT_EQ(controller.solve(s.q, s.v).status, TickStatus::optimal);
  course.last = read();
  controller.enable(id, false);
  for (; course.ticks < 1000 && !course.left; ++course.ticks) {
    EXPECT_EQ(controller.solve(s.q, s.v).status, TickStatus::optimal) << controller.explain();
    course.jump = larger(course.jump, std::abs(read() - course.last));
    course.last = read();
    course.left = !controller.tick().contacts[std::size_t(id.index)].active;
  }
  return course;
}

TEST(Contacts, LeaveWithAForceThatFallsToZero) {
  Standing s;
  for (const double min_distance : {0.0, 50.0}) {
    WholeBody controller(s.model);
    controller.add(Contact{.frame = "left_sole"});
    const auto right = controller.add(Contact{.frame = "right_sole", .min_normal_force = min_distance, .ramp = .1});
    add_tasks(controller, s.q);
    for (int i = 0; i < 110; ++i) controller.solve(s.q, s.v);  // until it is fully active
    EXPECT_GE(controller.tick().contacts[1].normal, .3 * s.weight);
    const auto course = release(controller, right, s, &Vec3<double>::z);
    EXPECT_EQ(course.ticks, 100);
    EXPECT_TRUE(course.left);
    EXPECT_EQ(course.last, 0);
    EXPECT_LE(course.jump, 4 * s.weight / 100);  // the ramp's steepest step, of ramp_fraction² · twice the weight
    EXPECT_FALSE(controller.active(right));
    EXPECT_EQ(controller.tick().contacts[1].ramp_fraction, 0);
  }
}
TEST(Contacts, AGripLeavesSoToo) {
  Standing s;
  WholeBody controller(s.model);
  controller.add(Contact{.frame = "left_sole"});
  controller.add(Contact{.frame = "right_sole"});
  const auto hand = controller.add(Contact{.frame = "left_palm", .kind = ContactKind::fixed, .ramp = .1});
  Workspace work(s.model);
  auto com = center_of_mass(s.model, work, s.q);
  com.z += .2;  // the hand helps to lift
  controller.add(CenterOfMassTask{.target = com, .weight = 1});
  controller.add(PostureTask{.target = s.q, .weight = 1e-3});
  for (int i = 0; i < 110; ++i) controller.solve(s.q, s.v);
  EXPECT_GE(std::abs(controller.tick().contacts[2].force.z), 10);
  const auto course = release(controller, hand, s, &Vec3<double>::z);
  EXPECT_EQ(course.ticks, 100);
  EXPECT_LE(course.jump, 4 * s.weight / 100 * 1.8);  // of three components, each by that much
}
TEST(Contacts, ComeWithAForceThatGrows) {
  Standing s;
  WholeBody controller(s.model);
  controller.add(Contact{.frame = "left_sole"});
  const auto right = controller.add(Contact{.frame = "right_sole", .ramp = .1});
  add_tasks(controller, s.q);
  for (int i = 1; i <= 100; ++i) {
    const auto& tick = controller.solve(s.q, s.v);
    ASSERT_EQ(tick.status, TickStatus::optimal);
    EXPECT_NEAR(tick.contacts[1].ramp_fraction, i / 100., 1e-9);
    EXPECT_LE(tick.contacts[1].normal, 2 * s.weight * i * i / 1e4 + 1e-6);
  }
  EXPECT_TRUE(controller.active(right));
  EXPECT_GE(controller.tick().contacts[1].normal, .3 * s.weight);
}

TEST(Contacts, DriftIsBroughtBack) {
  Standing s;
  WholeBody controller(s.model);
  controller.add(Contact{.frame = "left_sole"});
  auto placement = placement_at(s.model, s.q, "right_sole");
  placement.p = placement.p + Vec3<double>(.002, -.001, 0);
  controller.add(Contact{.frame = "right_sole", .placement = placement});
  add_tasks(controller, s.q);
  for (int i = 0; i < 1500; ++i) {
    const auto& tick = controller.solve(s.q, s.v);
    ASSERT_EQ(tick.status, TickStatus::optimal) << i << " " << controller.explain();
    const VectorXd a = tick.accelerations;
    s.q = integrate(s.model, s.q, s.v + .5e-3 * a, 1e-3);
    s.v += 1e-3 * a;
  }
  const auto off = placement_at(s.model, s.q, "right_sole").p - placement.p;
  EXPECT_LE(std::sqrt(dot(off, off)), 1e-5);
}

}  // namespace
}  // namespace lissom::control::test
