// What mechanisms have besides a tree of motors: damping, dry friction and springs of joints, closed loops, joints that
// follow others. Each against the simulator.
#include "control_test_support.h"
#include "lissom/constraints/closed_loops.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::control::test::mechanisms {
namespace {

// The arm, whose joints have the given damping, dry friction and springs.
Model arm(double damping, double friction, double stiffness = 0) {
  auto d = load(LISSOM_MODELS_DIR "/arm7.urdf").description();
  for (auto& j : d.joints) {
    if (j.type == JointType::fixed) continue;
    j.damping = damping, j.dry_friction = friction, j.spring_stiffness = stiffness, j.spring_rest = .1;
    j.armature = .1;
  }
  return build(d);
}
VectorXd bent() {
  VectorXd q(7);
  q << .3, .6, .2, 1.3, .1, .8, 0;
  return q;
}

// The largest error of the joints of a simulated arm that is to follow a sine.
double tracking_error(const Model& model, const PassiveForces& known) {
  WholeBody controller(model, {.passive_forces = known});
  const VectorXd middle = bent();
  const auto task = controller.add(PostureTask{.target = middle,
                                               .velocity = VectorXd::Zero(7),
                                               .acceleration = VectorXd::Zero(7),
                                               .stiffness = 100,
                                               .weight = 1});
  VectorXd q = middle, v = VectorXd::Zero(7);
  const auto robot = sim::contact_robot(model, {}, q, v);
  const double rate = 3;
  double worst = 0;
  while (robot->time() < 2.5) {
    const double t = robot->time(), s = 1 - std::cos(rate * t);
    controller[task].target = middle + VectorXd::Constant(7, .1 * s);
    controller[task].velocity.setConstant(.1 * rate * std::sin(rate * t));
    controller[task].acceleration.setConstant(.1 * rate * rate * std::cos(rate * t));
    robot->sense(q, v);
    worst = larger(worst, largest(q - controller[task].target));
    const auto& tick = controller.solve(q, v);
    EXPECT_EQ(tick.status, TickStatus::optimal) << tick.reason;
    if (!robot->step(tick.torques)) {
      ADD_FAILURE() << robot->failure();
      break;
    }
  }
  return worst;
}

TEST(PassiveForces, AreCompensated) {
  for (const auto& model : {arm(2, 0), arm(0, 0, 10), arm(1, 2)}) {
    const double known = tracking_error(model, {});
    const double unknown = tracking_error(model, {.damping = false, .dry_friction = false, .springs = false});
    EXPECT_LT(known, .012);
    EXPECT_GT(unknown, 5 * known);
    RecordProperty("known", to_text(known));
    RecordProperty("unknown", to_text(unknown));
  }
}

// Less than the friction itself: a joint at rest is not driven by it, also not with noise.
TEST(PassiveForces, DryFrictionIsNeverOvercompensated) {
  const auto model = arm(0, 2);
  WholeBody with(model), without(model, {.passive_forces = {.dry_friction = false}});
  for (auto* c : {&with, &without}) c->add(PostureTask{.target = bent(), .weight = 1});
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const VectorXd v = random.vector(7, .3);
    const VectorXd more = with.solve(bent(), v).torques - without.solve(bent(), v).torques;
    EXPECT_LE(largest(more), 2 + 1e-6);
    EXPECT_GT(largest(more), 0);
  }
  EXPECT_THROW(WholeBody(model, {.passive_forces = {.friction_speed = 0}}), Error);
}

// The quadruped, with motors that drive its knees by cranks at the hips and rods: four-bar linkages, parallelograms.
constexpr double crank = .06;
Model four_bar_quadruped() {
  auto d = load(LISSOM_MODELS_DIR "/quadruped.urdf").description();
  const auto link = [&](const std::string& name, const Vec3<double>& com) {
    LinkDescription l;
    l.name = name, l.mass = .05, l.com = com, l.inertia = {1e-4, 0, 1e-4, 0, 0, 1e-4};
    d.links.push_back(l);
  };
  for (const std::string leg : {"front_left", "front_right", "rear_left", "rear_right"}) {
    const auto knee = std::ranges::find(d.joints, leg + "_knee", &JointDescription::name);
    const auto effort = knee->effort_limit;
    const auto along = knee->origin.p;
    knee->effort_limit = 0;
    JointDescription at_hip = *knee, at_crank = *knee;
    at_hip.name = leg + "_crank", at_hip.child = leg + "_crank_link", at_hip.origin = {}, at_hip.effort_limit = effort;
    at_crank.name = leg + "_rod", at_crank.parent = at_hip.child, at_crank.child = leg + "_rod_link";
    at_crank.origin = {.p = {crank, 0, 0}};
    at_crank.lower = {-3}, at_crank.upper = {3};
    link(at_hip.child, {crank / 2, 0, 0});
    link(at_crank.child, .5 * along);
    d.joints.push_back(at_hip);
    d.joints.push_back(at_crank);
    LoopDescription loop;
    loop.name = leg + "_linkage";
    loop.a = {leg + "_rod_link", {.p = along}};
    loop.b = {leg + "_shank", {.p = {crank, 0, 0}}};
    d.loops.push_back(loop);
  }
  return build(d, {.base = Base::free});
}
VectorXd standing_on_linkages(const Model& model) {
  VectorXd q = neutral(model);
  for (const std::string leg : {"front_left", "front_right", "rear_left", "rear_right"}) {
    joint(model, q, leg + "_flexion") = .6;
    joint(model, q, leg + "_knee") = joint(model, q, leg + "_crank") = -1.2;
    joint(model, q, leg + "_rod") = 1.2;
  }
  q[2] += .025 - placement_at(model, q, "front_left_foot").p.z;
  return q;
}
std::vector<Contact> ball_feet() {
  std::vector<Contact> feet;
  for (const auto& foot : quadruped_feet()) feet.push_back({.frame = foot, .kind = ContactKind::point, .radius = .025});
  return feet;
}

TEST(LoopsInTheTick, TorquesAndForcesFulfillTheEquationOfMotion) {
  const auto model = four_bar_quadruped();
  const auto q = standing_on_linkages(model);
  ClosedLoops loops(model);
  Workspace work(model);
  EXPECT_LT(loops.gap(model, work, q), 1e-12);
  VectorXd v = Random(7).vector(model.nv(), .2);
  loops.project_velocity(model, work, q, v);
  WholeBody controller(model);
  controller.add(PostureTask{.target = q, .base = true});
  const auto& tick = controller.solve(q, v);
  ASSERT_EQ(tick.status, TickStatus::optimal) << tick.reason;
  EXPECT_EQ(controller.motors().size(), 12u);
  // Applied to the mechanism, they give the accelerations and loop forces of the tick.
  const VectorXd a = forward_dynamics(model, work, loops, q, v, tick.torques);
  EXPECT_TRUE(close(a, tick.accelerations, 1e-6));
  EXPECT_TRUE(close(loops.multipliers(), tick.loop_forces, 1e-5));
  EXPECT_GT(largest(tick.loop_forces), 1);
  // The forms of the paper agree.
  const VectorXd expected = tick.torques;
  controller.set_formulation(Formulation::projected);
  ASSERT_EQ(controller.solve(q, v).status, TickStatus::optimal);
  EXPECT_TRUE(close(controller.tick().torques, expected, 1e-5));
}

TEST(LoopsInTheTick, ARobotStandsOnLegsOfFourBars) {
  const auto model = four_bar_quadruped();
  VectorXd q = standing_on_linkages(model), v = VectorXd::Zero(model.nv());
  const auto start = q;
  Workspace work(model);
  WholeBody controller(model);
  const auto middle = center_of_mass(model, work, q);
  const auto com = controller.add(CenterOfMassTask{.target = middle, .weight = 100});
  controller.add(PostureTask{.target = q, .weight = .01});
  controller.add(FrameTask{.frame = model.joints().front().child,
                           .target = placement_at(model, q, model.joints().front().child),
                           .linear = {0, 0, 0},
                           .weight = 5});
  for (auto foot : ball_feet()) {
    foot.placement = Pose<double>{.p = placement_at(model, q, foot.frame).p};  // on level ground
    controller.add(foot);
  }
  const auto robot = sim::contact_robot(model, ball_feet(), q, v);
  while (robot->time() < 1) {
    if (robot->time() > .2) controller[com].target = middle + Vec3<double>(.01, 0, -.03);
    robot->sense(q, v);
    const auto& tick = controller.solve(q, v);
    ASSERT_EQ(tick.status, TickStatus::optimal) << robot->time() << tick.reason << controller.explain();
    ASSERT_TRUE(robot->step(tick.torques)) << robot->failure();
  }
  ClosedLoops loops(model);
  EXPECT_LT(loops.gap(model, work, robot->q()), 1e-4);
  const auto off = center_of_mass(model, work, robot->q()) - controller[com].target;
  EXPECT_LT(std::sqrt(dot(off, off)), 6e-3);
  EXPECT_GT(
      std::abs(robot->q()[model.joint("front_left_crank").q_index] - start[model.joint("front_left_crank").q_index]),
      .05);
}

// One motor moves three joints: the simulated gripper moves as the tick says, and no follower passes its limit.
TEST(MimicJoints, FollowInTheTick) {
  auto d = load(LISSOM_MODELS_DIR "/mechanisms/gripper_mimic.urdf").description();
  const auto tip = std::ranges::find(d.joints, "right_tip", &JointDescription::name);  // right / 2 + 0.2
  tip->lower = {0.05}, tip->upper = {0.3};
  const auto model = build(d);
  ASSERT_EQ(model.nv(), 1);
  for (const double goal : {-.7, .7}) {
    WholeBody controller(model);
    controller.add(PostureTask{.target = VectorXd::Constant(1, goal), .stiffness = 200, .weight = 1});
    VectorXd q = VectorXd::Zero(1), v = q;
    const auto robot = sim::contact_robot(model, {}, q, v);
    while (robot->time() < 1) {
      robot->sense(q, v);
      const auto& tick = controller.solve(q, v);
      const double a = tick.accelerations[0];
      ASSERT_TRUE(robot->step(tick.torques)) << robot->failure();
      EXPECT_NEAR((robot->v()[0] - v[0]) / 1e-3, a, .05 + .05 * std::abs(a)) << robot->time();
    }
    // right = -left: the tip's limits allow -0.2 … 0.3 of left.
    EXPECT_NEAR(robot->q()[0], goal > 0 ? .3 : -.2, 2e-3);
  }
}

}  // namespace
}  // namespace lissom::control::test::mechanisms
