// Properties of every optimal tick: the equation of motion, cones, limits, and the motion of contacts.
#include "control_test_support.h"

namespace lissom::control::test {
namespace {

int states() {
  return std::getenv("LISSOM_LONG") ? 1000 : 100;
}

// M a + h = torques + Σ Jᵀ f by the recursive algorithm, zero on the base.
void expect_equation_of_motion(const WholeBody& controller, const State& s, const std::vector<Contact>& contacts) {
  const auto& model = controller.model();
  const auto& tick = controller.tick();
  Workspace work(model);
  const auto forces = contact_forces(controller, contacts);
  const VectorXd tau = inverse_dynamics(model, work, s.q, s.v, tick.accelerations, forces);
  const double scale = std::max(100.0, inverse_dynamics(model, work, s.q, s.v, tick.accelerations).norm());
  EXPECT_TRUE(close(tau, tick.torques, 1e-9, scale));
  std::vector<bool> motor(std::size_t(model.nv()), false);
  for (int i : controller.motors()) motor[std::size_t(i)] = true;
  for (int i = 0; i < model.nv(); ++i) {
    const double most = motor[std::size_t(i)] ? model.effort_limit()[std::size_t(i)] : 0;
    EXPECT_LE(std::abs(tick.torques[i]), most);
    if (most == 0) {
      EXPECT_LE(std::abs(tau[i]), 1e-9 * scale);
    }
  }
}

void expect_within_cones(const WholeBody& controller, const std::vector<Contact>& contacts) {
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const auto& reading = controller.tick().contacts[k];
    double normal = 0;
    EXPECT_TRUE(reading.active);
    for (const auto& f : reading.point_forces) {
      normal += f.z;
      EXPECT_GE(f.z, -1e-6);
      EXPECT_LE(std::hypot(f.x, f.y), contacts[k].friction * f.z + 1e-6);
    }
    EXPECT_NEAR(normal, reading.normal, 1e-9 * (1 + normal));
    EXPECT_LE(reading.friction_use, 1 + 1e-3);
  }
}

// Contacts without a given placement are only slowed down.
void expect_contacts_held(const WholeBody& controller, const State& s, const std::vector<Contact>& contacts) {
  const auto& model = controller.model();
  Workspace work(model);
  forward_kinematics(model, work, s.q, s.v, controller.tick().accelerations);
  for (const auto& c : contacts) {
    const auto frame = model.frame(c.frame);
    const Point at{frame, c.points.empty() ? Vec3<double>(0, 0, 0) : c.points[0]};
    const Point origin{frame, {0, 0, 0}};
    const bool point = c.kind == ContactKind::point;
    const auto v = velocity(model, work, frame, point ? at : origin);
    const auto a = acceleration(model, work, frame, point ? at : origin);
    EXPECT_TRUE(close(to_eigen(a.linear), -c.damping * to_eigen(v.linear), 1e-7, 10)) << c.frame;
    if (!point) {
      EXPECT_TRUE(close(to_eigen(a.angular), -c.damping * to_eigen(v.angular), 1e-7, 10)) << c.frame;
    }
  }
}

void check(const std::string& file, const VectorXd& posture, const std::vector<Contact>& contacts,
           const std::vector<std::string>& passive = {}) {
  const auto model = robot(file);
  int optimal = 0;
  for (int trial = 0; trial < states(); ++trial) {
    SCOPED_TRACE("state " + std::to_string(trial));
    Random random{std::uint64_t(trial)};
    WholeBody controller(model, {.passive = passive});
    controller.add(CenterOfMassTask{.target = {0, 0, .5}});
    controller.add(PostureTask{.target = posture});
    for (const auto& c : contacts) controller.add(c);
    const auto s = random_state(model, posture, random, .2, .5);
    const auto& tick = controller.solve(s.q, s.v);
    if (tick.status != TickStatus::optimal) continue;
    ++optimal;
    expect_equation_of_motion(controller, s, contacts);
    expect_within_cones(controller, contacts);
    expect_contacts_held(controller, s, contacts);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GE(optimal, states() * 9 / 10);
}

TEST(Laws, HoldForTheHumanoidOnItsFeet) {
  const auto model = robot("humanoid.urdf");
  check("humanoid.urdf", crouched_humanoid(model), {{.frame = "left_sole"}, {.frame = "right_sole", .friction = .4}});
}
TEST(Laws, HoldForTheHumanoidOnAFootAndAHand) {
  const auto model = robot("humanoid.urdf");
  check("humanoid.urdf", crouched_humanoid(model),
        {{.frame = "left_sole"}, {.frame = "right_palm", .kind = ContactKind::point, .points = {{.02, .03, .01}}}});
}
TEST(Laws, HoldForJointsWithoutAMotor) {
  const auto model = robot("humanoid.urdf");
  check("humanoid.urdf", crouched_humanoid(model), {{.frame = "left_sole"}, {.frame = "right_sole"}},
        {"left_grip", "right_grip", "left_elbow", "head_pitch"});
}
TEST(Laws, HoldForTheQuadruped) {
  const auto model = robot("quadruped.urdf");
  std::vector<Contact> contacts;
  for (const auto& foot : quadruped_feet()) contacts.push_back({.frame = foot, .kind = ContactKind::point});
  check("quadruped.urdf", standing_quadruped(model), contacts);
}

}  // namespace
}  // namespace lissom::control::test
