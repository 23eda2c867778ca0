#include "lissom/control/run.h"

#include <chrono>
#include <cmath>
#include <numbers>

#include "lissom/api/kinematics.h"
#include "lissom/constraints/closed_loops.h"
#include "lissom/control/motion_watch.h"
#include "lissom/control/sensors_and_servos.h"
#include "lissom/math/random.h"
#include "lissom/model/text.h"

namespace lissom::control {

namespace {

constexpr double gyroscope_noise = .005, accelerometer_noise = .05;  // rad/s, m/s²
constexpr double on_the_ground = 1e-6;                               // m, rad
constexpr double nearly_closed = 1e-4;                               // m, rad

// Whether a plane is the ground z = 0.
bool is_ground(const Pose<double>& X) {
  return std::abs(X.p.z) < on_the_ground && std::hypot(X.R.xz, X.R.yz) < on_the_ground && X.R.zz > 0;
}

// The contacts of the simulated robot, and patches where the plan puts them elsewhere than on the ground.
void place_contacts(const MotionPlan& plan, std::vector<Contact>& contacts, std::vector<sim::Patch>& patches) {
  std::vector<sim::Patch> places;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    auto& c = contacts[i];
    if (c.kind == ContactKind::fixed) continue;
    const Pose<double> sole{.p = {0, 0, -c.radius}};  // of the surface, in the placement
    if (c.placement) places.push_back({i, *c.placement * sole});
    for (const auto& stage : plan.stages)
      for (const auto& move : stage.moves)
        if (move.frame == c.frame && move.touch && move.to) places.push_back({i, *move.to * sole});
    c.placement.reset();
  }
  for (const auto& place : places)
    if (!is_ground(place.surface)) patches.push_back(place);
}

// Solve: (q, v) -> const Tick&.
template <class Solve>
class TickController final : public sim::Controller {
 public:
  TickController(const char* name, Solve solve) : name_(name), solve_(std::move(solve)) {}
  const char* name() const override { return name_; }
  void torques(const sim::Instant& at, Eigen::VectorXd& tau) override { tau += solve_(at.q, at.v).torques; }
  void command(const sim::Instant& at, sim::Command& command) override { fill(solve_(at.q, at.v), command); }

 private:
  const char* name_;
  Solve solve_;
};
template <class Solve>
std::unique_ptr<sim::Controller> tick_controller(const char* name, Solve solve) {
  return std::make_unique<TickController<Solve>>(name, std::move(solve));
}

}  // namespace

void fill(const Tick& tick, sim::Command& command) {
  command.torques = tick.torques;
  command.accelerations = tick.accelerations;
  command.contacts.resize(tick.contacts.size());
  for (std::size_t k = 0; k < tick.contacts.size(); ++k) {
    const auto& c = tick.contacts[k];
    command.contacts[k] = {.active = c.active, .force = c.force, .torque = c.torque};
  }
  command.failure.clear();
  if (tick.status != TickStatus::optimal && tick.status != TickStatus::elastic)
    command.failure = std::string(to_string(tick.status)) + ", " + tick.reason;
}

void expect_closed(const Model& model, const Eigen::VectorXd& q, const std::string& what) {
  if (closures(model).empty()) return;
  Workspace work(model);
  ClosedLoops loops(model);
  if (loops.gap(model, work, q) > nearly_closed)
    throw Error(what + " begins in a posture in which " + loops.widest_gap() +
                "; expected one in which all loops are closed");
}

std::unique_ptr<sim::Controller> controller(WholeBody& whole_body) {
  return tick_controller("whole_body",
                         [&whole_body](const Eigen::VectorXd& q, const Eigen::VectorXd& v) -> const Tick& {
                           return whole_body.solve(q, v);
                         });
}
std::unique_ptr<sim::Controller> controller(MotionRunner& runner) {
  return tick_controller("motion", [&runner](const Eigen::VectorXd& q, const Eigen::VectorXd& v) -> const Tick& {
    return runner.advance(q, v);
  });
}

Estimation::Estimation(const Model& model, const sim::SimulatedRobot& robot, Limbs limbs)
    : robot_(robot),
      limbs_of_(std::move(limbs)),
      estimator_(model, robot.q(), robot.options().step),
      work_(robot.model()),
      base_(robot.model().frame(model.joints().front().child)),
      random_(robot.options().imperfections.seed ^ 0x696d75) {
  limbs_.reserve(64);
}

void Estimation::estimate(Eigen::VectorXd& q, Eigen::VectorXd& v) {
  const auto imu = read();
  limbs_.clear();
  limbs_of_(limbs_);
  estimator_.estimate(imu, limbs_, q, v);
}

ImuReading Estimation::read() {
  const auto& model = robot_.model();
  forward_kinematics(model, work_, robot_.q(), robot_.v());
  const auto R = placement(model, work_, base_).R;
  const auto u = velocity(model, work_, base_);
  if (robot_.time() == 0) before_ = u.linear;
  const auto acceleration = (1 / robot_.options().step) * (u.linear - before_);
  before_ = u.linear;
  return {transpose_times(R, u.angular) + noise(gyroscope_noise),
          transpose_times(R, acceleration - model.gravity()) + noise(accelerometer_noise)};
}

Vec3<double> Estimation::noise(double deviation) {
  const auto normal = [&] {
    const double u = 1 - uniform01(random_()), angle = 2 * std::numbers::pi * uniform01(random_());
    return deviation * std::sqrt(-2 * std::log(u)) * std::cos(angle);
  };
  const double x = normal(), y = normal();
  return {x, y, normal()};
}

Servos::Servos(const Model& model, JointMode mode, sim::Simulator simulator, const Eigen::VectorXd& q, double step,
               sim::RobotOptions& robot) {
  if (mode == JointMode::torque) return;
  if (simulator != sim::Simulator::contact)
    throw Error(std::string("mode ") + to_string(mode) + " needs the simulator contact, found " + to_string(simulator));
  const auto gains = servo_gains(model, mode);
  robot.servo_stiffness = gains.stiffness, robot.servo_damping = gains.damping;
  reference.emplace(model, gains, q, step);
}

void Servos::set_targets(const Tick& tick, const Eigen::VectorXd& q, const Eigen::VectorXd& v, sim::Command& command) {
  if (!reference) return;
  reference->advance(tick, q, v);
  command.targets.resize(q.size() + v.size());
  command.targets << reference->q(), reference->v();
}

namespace {

// How the run ended.
void conclude(const MotionRunner& runner, const sim::SimulatedRobot& robot, MotionWatch& watch, MotionReport& report) {
  watch.judge();
  if (runner.failed()) report.failure = runner.failure();
  // Torques at their limits are often the reason, while nothing else was wrong yet.
  if (!runner.done() && !report.stopped && report.elastic_ticks == 0 && !watch.saturated().empty())
    report.failure += "; at their torque limits before: " + watch.saturated();
  report.succeeded = runner.done() && report.misses.empty();
  if (runner.done() && report.failure.empty() && !report.misses.empty()) report.failure = report.misses.front();
  report.seconds = robot.time();
  report.transitions = runner.transitions();
}

}  // namespace

MotionReport run(const Model& model, const MotionPlan& plan, const MotionOptions& options) {
  MotionRunner runner(model, plan, options.controller);
  Eigen::VectorXd q = runner.start(), v = Eigen::VectorXd::Zero(model.nv());
  expect_closed(model, q, "the motion");
  auto contacts = plan.contacts;
  auto robot_options = options.robot;
  if (options.simulator == sim::Simulator::contact) place_contacts(plan, contacts, robot_options.patches);
  if (!robot_options.surroundings.empty()) robot_options.patches.clear();  // the surroundings have what it stands on
  for (auto& c : contacts) c.friction = options.ground_friction.value_or(c.friction);
  Servos servos(model, options.mode, options.simulator, q, options.controller.step, robot_options);
  const auto robot = sim::simulated_robot(options.simulator, model, contacts, q, v, robot_options);

  MotionReport report;
  MotionWatch watch(model, runner, *robot, options.tolerances, report);
  sim::RobotAudit audit(*robot);
  std::optional<Estimation> estimation;
  if (options.sensing == Sensing::encoders)
    estimation.emplace(model, *robot, [&](auto& limbs) { runner.limb_targets(limbs); });
  sim::Command command;
  while (!runner.done() && !runner.failed()) {
    robot->sense(q, v);
    if (estimation) estimation->estimate(q, v);
    const auto begin = std::chrono::steady_clock::now();
    const auto& tick = runner.advance(q, v);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    fill(tick, command);
    servos.set_targets(tick, q, v, command);
    const bool goes_on = robot->step(command);
    audit.tick();
    watch.watch(tick, took.count());
    if (servos.reference) watch.track(*servos.reference);
    if (options.observer) options.observer({*robot, runner, tick, took.count(), audit.figures()});
    if (!goes_on) {
      report.failure = robot->failure();
      break;
    }
    if (watch.fallen()) {
      report.failure = "the robot has fallen: its center of mass is " + to_text(watch.com_error()) +
                       " m from its target at t = " + to_text(robot->time()) + " s";
      break;
    }
    if (!runner.done() && options.stop && options.stop()) {
      report.stopped = true;
      report.failure = "stopped at " + to_text(robot->time()) + " s";
      break;
    }
    if (robot->time() > options.max_duration) {
      report.failure = "the motion is not done after max_duration, " + to_text(options.max_duration) + " s";
      break;
    }
  }
  conclude(runner, *robot, watch, report);
  static_cast<EnergyFigures&>(report) = audit.judged();
  return report;
}

std::string predicted_failure(const Model& model, const MotionPlan& plan) {
  MotionOptions options;
  options.simulator = sim::Simulator::prescribed_acceleration;
  return run(model, plan, options).failure;
}

}  // namespace lissom::control
