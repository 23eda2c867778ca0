// The tick in the paper's coordinates, with a multiplier (38) and projected (37) by either projector, has the same
// solution as the reduced one.
#include "control_test_support.h"

namespace lissom::control::test {
namespace {

// How many states: LISSOM_LONG=1 tries ten times as many.
int states(int quick) {
  return std::getenv("LISSOM_LONG") ? 10 * quick : quick;
}

struct Worst {
  double accelerations = 0, torques = 0, forces = 0, objective = 0;
  int compared = 0, elastic = 0, active = 0, left_out = 0;
  double largest() const { return larger(larger(accelerations, torques), forces); }
};

double off(const VectorXd& a, const VectorXd& b) {
  return largest(a - b) / larger(1, largest(b));
}
VectorXd forces(const Tick& tick) {
  std::vector<double> all;
  for (const auto& c : tick.contacts) {
    for (const auto& f : c.point_forces) all.insert(all.end(), {f.x, f.y, f.z});
    all.insert(all.end(), {c.force.x, c.force.y, c.force.z, c.torque.x, c.torque.y, c.torque.z});
  }
  return all.empty() ? VectorXd::Zero(1) : VectorXd(Eigen::Map<VectorXd>(all.data(), Eigen::Index(all.size())));
}

// Whether a torque or a cone is at its limit: the program is more than equations then.
bool limits_reached(const Tick& tick, const Model& model) {
  for (int i = 0; i < model.nv(); ++i)
    if (std::abs(tick.torques[i]) > (1 - 1e-9) * model.effort_limit()[std::size_t(i)]) return true;
  for (const auto& c : tick.contacts)
    if (c.active && c.friction_use > 1 / std::sqrt(2.0) - 1e-6) return true;
  return false;
}

// Equal controllers, one for each formulation, after `ticks` ticks, because ramps advance with each.
using Setup = std::function<void(WholeBody&)>;
void compare(const Model& model, const WholeBodyOptions& options, const Setup& setup, const State& state, Worst& worst,
             int ticks = 1) {
  const auto solved = [&](Formulation form) {
    WholeBody controller(model, options);
    setup(controller);
    for (int i = 1; i < ticks; ++i) controller.solve(state.q, state.v);
    controller.set_formulation(form);
    return controller.solve(state.q, state.v);
  };
  const Tick reduced = solved(Formulation::reduced);
  const int quaternions = int(model.quaternions().size()), motors = int(WholeBody(model, options).motors().size());
  for (const auto form : {Formulation::multiplier, Formulation::projected, Formulation::oblique}) {
    const Tick tick = solved(form);
    ASSERT_STREQ(to_string(tick.status), to_string(reduced.status)) << to_string(form) << " " << tick.reason;
    if (*tick.reason || *reduced.reason) {  // one of them left the last priority out
      ++worst.left_out;
      continue;
    }
    if (tick.status == TickStatus::elastic) {
      ++worst.elastic;
      continue;  // the rows differ, so the smallest relaxation does too
    }
    ASSERT_EQ(tick.status, TickStatus::optimal) << tick.reason;
    ASSERT_EQ(tick.variables, reduced.variables + motors + quaternions * (form == Formulation::multiplier ? 2 : 1))
        << "not the program that was asked for";
    ++worst.compared;
    worst.active += limits_reached(tick, model);
    worst.accelerations = larger(worst.accelerations, off(tick.accelerations, reduced.accelerations));
    worst.torques = larger(worst.torques, off(tick.torques, reduced.torques));
    worst.forces = larger(worst.forces, off(forces(tick), forces(reduced)));
    worst.objective =
        larger(worst.objective, std::abs(tick.objective - reduced.objective) / larger(1, std::abs(reduced.objective)));
  }
}

// With several priorities, the accelerations of the first are kept to the accuracy of the solver, 1e-8.
void expect_same(const Worst& worst, bool priorities = false) {
  const double tolerance = priorities ? 1e-6 : 1e-7;
  EXPECT_LE(worst.accelerations, tolerance);
  EXPECT_LE(worst.torques, tolerance);
  EXPECT_LE(worst.forces, tolerance);
  EXPECT_LE(worst.objective, tolerance);
  EXPECT_GT(worst.compared, 10 * (worst.elastic + worst.left_out));
  const auto record = [](const char* name, double x) { ::testing::Test::RecordProperty(name, to_text(x)); };
  record("accelerations", worst.accelerations), record("torques", worst.torques), record("forces", worst.forces);
  record("objective", worst.objective), record("compared", worst.compared), record("elastic", worst.elastic),
      record("left", worst.left_out), record("active", worst.active);
}

// The tasks of somebody who stands and looks around, with one priority or two.
void add_tasks(WholeBody& controller, const VectorXd& posture, int priority) {
  controller.add(CenterOfMassTask{.target = {0, 0, .6}, .weight = 10});
  controller.add(PostureTask{.target = posture, .priority = priority});
  controller.add(FrameTask{.frame = "chest", .target = {}, .linear = {0, 0, 0}, .priority = priority});
  controller.add(MomentumTask{.weight = .1, .priority = priority});
  controller.add(GazeTask{.frame = "head_camera", .target = {2, 0, 1}, .priority = priority});
  controller.add(
      PointTask{.frame = "left_palm", .target = {.3, .2, .1}, .relative_to = "pelvis", .priority = priority});
}

void humanoid(const std::vector<Contact>& contacts, int priority, double speed) {
  const auto model = robot("humanoid.urdf");
  const auto posture = crouched_humanoid(model);
  Worst worst;
  for (int trial = 0; trial < states(100) && !::testing::Test::HasFailure(); ++trial) {
    SCOPED_TRACE("state " + std::to_string(trial));
    Random random{std::uint64_t(trial)};
    const auto state = random_state(model, posture, random, .2, speed);
    const auto setup = [&](WholeBody& controller) {
      add_tasks(controller, posture, priority);
      for (const auto& c : contacts) controller.add(c);
    };
    compare(model, {}, setup, state, worst, contacts.empty() || contacts[0].ramp == 0 ? 1 : 1 + trial % 12);
  }
  expect_same(worst, priority > 0);
}

const std::vector<Contact> feet{{.frame = "left_sole"}, {.frame = "right_sole"}};

TEST(ControlFormulations, AgreeOnTwoFeet) {
  humanoid(feet, 0, .3);
}
TEST(ControlFormulations, AgreeOnOneFoot) {
  humanoid({feet[0]}, 0, .3);
}
TEST(ControlFormulations, AgreeOnFeetAndHands) {
  humanoid({feet[0],
            feet[1],
            {.frame = "left_palm", .kind = ContactKind::point, .friction = .9},
            {.frame = "right_palm", .kind = ContactKind::fixed}},
           0, .2);
}
TEST(ControlFormulations, AgreeWithPriorities) {
  humanoid(feet, 1, .3);
}
TEST(ControlFormulations, AgreeInTheAir) {
  humanoid({}, 0, 1);
}
TEST(ControlFormulations, AgreeWhenPushedToTheLimits) {
  auto contacts = feet;
  for (auto& c : contacts) c.friction = .3, c.min_normal_force = 30;
  humanoid(contacts, 0, 1);
}
TEST(ControlFormulations, AgreeWhileContactsCome) {
  auto contacts = feet;
  for (auto& c : contacts) c.ramp = .01, c.min_normal_force = 30;
  contacts.push_back({.frame = "left_palm", .kind = ContactKind::fixed, .ramp = .01});
  humanoid(contacts, 0, .3);
}
TEST(ControlFormulations, AgreeOnASlidingFoot) {
  humanoid({feet[0], {.frame = "right_sole", .kind = ContactKind::sliding, .friction = .3}}, 1, .3);
}

TEST(ControlFormulations, AgreeOnTasksAboutForcesAndOnClearances) {
  const auto model = robot("humanoid.urdf");
  const auto posture = crouched_humanoid(model);
  Worst worst;
  for (int trial = 0; trial < states(20) && !::testing::Test::HasFailure(); ++trial) {
    Random random{std::uint64_t(trial)};
    const auto state = random_state(model, posture, random, .1, .3);
    const VectorXd torques = random.vector(model.nv(), 20);
    const auto setup = [&](WholeBody& controller) {
      for (const auto& c : feet) controller.add(c);
      add_tasks(controller, posture, trial % 2);
      controller.add(TorqueTask{.target = torques, .weight = 1e-3});
      controller.add(ForceTask{.contact = "left_sole", .target = {10, 0, 250}, .axes = {.5, 0, 1}, .weight = 1e-3});
      controller.add(Clearance{.a = {"left_hand", {0, 0, -.1}, {0, 0, .1}, .05},
                               .b = {"left_thigh", {0, 0, -.3}, {0, 0, 0}, .1},
                               .influence_distance = .5,
                               .weight = 100});
    };
    compare(model, {}, setup, state, worst);
  }
  expect_same(worst, true);
}

// A robot with ball joints that pushes a box, which is another free body: three quaternions and more.
TEST(ControlFormulations, AgreeOnBallJointsAndSeveralFreeBodies) {
  Worst worst;
  for (int trial = 0; trial < states(40) && !::testing::Test::HasFailure(); ++trial) {
    SCOPED_TRACE("robot " + std::to_string(trial));
    Random random{std::uint64_t(trial)};
    auto description = lissom::test::random_description(
        std::uint64_t(trial),
        {.min_joints = 4, .max_joints = 12, .fixed_links = false, .several_roots = false, .mimic = .2});
    const std::string root = description.links.front().name, tip = description.links.back().name;
    description.links.push_back(lissom::test::random_link("a box", random));
    const auto model = build(description, {.base = Base::free});
    const State state{random_configuration(model, std::uint64_t(trial)), random.vector(model.nv(), .3)};
    const auto setup = [&](WholeBody& controller) {
      controller.add(PostureTask{.base = true});
      controller.add(CenterOfMassTask{.target = {0, 0, 1}});
      controller.add(Contact{.frame = tip, .against = "a box", .kind = ContactKind::fixed});
      controller.add(Contact{.frame = root, .kind = ContactKind::fixed, .name = "ground"});
    };
    compare(model, {.joints = {.positions = false}}, setup, state, worst);
  }
  expect_same(worst);
}

TEST(ControlFormulations, NameWhatContradicts) {
  const auto model = robot("humanoid.urdf");
  const auto q = crouched_humanoid(model);
  const VectorXd v = VectorXd::Zero(model.nv());
  for (const auto form :
       {Formulation::reduced, Formulation::multiplier, Formulation::projected, Formulation::oblique}) {
    SCOPED_TRACE(to_string(form));
    WholeBody controller(model, {.formulation = form, .joints = {.acceleration = .5}});
    add_tasks(controller, q, 0);
    // The soles shall not move, but carry next to nothing: then the body has to fall, faster than joints may.
    for (auto c : feet) c.max_normal_force = 1, controller.add(c);
    const auto& tick = controller.solve(q, v);
    EXPECT_STREQ(to_string(tick.status), "elastic");
    EXPECT_NE(controller.explain().find("normal force of contact left_sole"), std::string::npos)
        << controller.explain();
    if (form != Formulation::reduced)  // which softens limits in two steps
      EXPECT_NE(controller.explain().find("acceleration of left_knee"), std::string::npos) << controller.explain();
    EXPECT_TRUE(tick.torques.allFinite());
    for (int i = 0; i < model.nv(); ++i) EXPECT_LE(std::abs(tick.torques[i]), model.effort_limit()[std::size_t(i)]);
  }
}

}  // namespace
}  // namespace lissom::control::test
