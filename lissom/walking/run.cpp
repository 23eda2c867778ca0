#include "lissom/walking/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lissom/control/robot_watch.h"
#include "lissom/control/run.h"
#include "lissom/control/sensors_and_servos.h"
#include "lissom/math/quantile.h"
#include "lissom/model/text.h"

namespace lissom::walking {

namespace {

constexpr double max_foot_error = .05;  // of the height of the center of mass
constexpr double fallen_height = .5;    // of the height: a center of mass below it has fallen
constexpr double fallen_tilt = 1;       // rad

double tilt(const Mat3<double>& from, const Mat3<double>& to) {
  // The angle between the vertical directions, each seen from the base.
  const Vec3<double> a(from.zx, from.zy, from.zz), b(to.zx, to.zy, to.zz);
  return std::acos(std::clamp(dot(a, b), -1.0, 1.0));
}

Vec2 middle_of_feet(const Walker& walker, const Model& model, const Workspace& work) {
  Vec2 sum = Vec2::Zero();
  for (const auto& leg : walker.legs()) {
    const auto p = placement(model, work, leg.id).p;
    sum += Vec2(p.x, p.y) / double(walker.legs().size());
  }
  return sum;
}

// Follows the true state of the robot.
class Witness {
 public:
  Witness(const Model& model, const sim::SimulatedRobot& robot, const Walker& walker)
      : model_(model), robot_(robot), walker_(walker), work_(model), base_(model.frame(model.joints().front().child)) {
    forward_kinematics(model_, work_, robot_.q());
    start_R_ = placement(model_, work_, base_).R;
    height_ = center_of_mass(model_, work_).z - ground();
    start_ = middle_of_feet(walker_, model_, work_);
  }

  // Why the robot has fallen; empty if it has not.
  std::string watch(WalkReport& report) {
    forward_kinematics(model_, work_, robot_.q());
    const auto com = center_of_mass(model_, work_);
    const double tilted = tilt(start_R_, placement(model_, work_, base_).R);
    report.max_tilt = std::max(report.max_tilt, tilted);
    measure_speed(com, report);
    const auto when = [&] { return " at t = " + to_text(robot_.time()) + " s"; };
    if (com.z - ground() < fallen_height * height_)
      return "it fell: its center of mass is " + to_text(com.z - ground()) + " m high" + when();
    if (tilted > fallen_tilt) return "it fell: its base is tilted by " + to_text(tilted) + " rad" + when();
    return {};
  }

  // Why the end is no success; empty if it is one.
  std::string judge(WalkReport& report) {
    forward_kinematics(model_, work_, robot_.q(), robot_.v());
    const Vec2 moved = middle_of_feet(walker_, model_, work_) - start_;
    report.distance = moved.norm();
    const auto R = transpose(start_R_) * placement(model_, work_, base_).R;
    report.turned = std::atan2(R.yx, R.xx);
    std::string why;
    for (std::size_t i = 0; i < walker_.legs().size(); ++i) {
      const auto& leg = walker_.legs()[i];
      const auto p = placement(model_, work_, leg.id).p;
      const auto& wanted = leg.aim;
      report.feet[i].error = (Vec2(p.x, p.y) - wanted.position).norm();
      if (report.feet[i].error > max_foot_error * height_ && why.empty())
        why = "foot " + in_quotes(leg.frame) + " is " + to_text(report.feet[i].error) + " m from its foothold";
      if (p.z - leg.clearance - wanted.height > .02 * height_ && why.empty())
        why = "foot " + in_quotes(leg.frame) + " is in the air";
    }
    return why;
  }

 private:
  // Height of the ground: the mean of where the feet stand.
  double ground() const {
    double sum = 0;
    for (const auto& leg : walker_.legs()) sum += leg.stands.height;
    return sum / double(walker_.legs().size());
  }
  void measure_speed(const Vec3<double>& com, WalkReport& report) {
    if (walker_.steps() >= 1 && began_ < 0) began_ = robot_.time(), from_ = {com.x, com.y};
    // Until the steps begin that only close.
    const int moving = walker_.plan().steps() - int(walker_.plan().groups.size()) + 1;
    if (walker_.steps() < moving && began_ >= 0 && robot_.time() > began_)
      report.speed = (Vec2(com.x, com.y) - from_).norm() / (robot_.time() - began_);
  }

  const Model& model_;
  const sim::SimulatedRobot& robot_;
  const Walker& walker_;
  Workspace work_;
  FrameId base_;
  Mat3<double> start_R_;
  double height_ = 0, began_ = -1;
  Vec2 start_, from_ = Vec2::Zero();
};

void watch_tick(const Walker& walker, control::WholeBody& controller, const control::Tick& tick,
                const sim::SimulatedRobot& robot, WalkReport& report) {
  using control::TickStatus;
  ++report.ticks;
  if (tick.status == TickStatus::elastic && report.elastic_ticks++ == 0) report.first_elastic = robot.time();
  report.failed_ticks += tick.status != TickStatus::elastic && tick.status != TickStatus::optimal;
  report.max_dcm_error = std::max(report.max_dcm_error, walker.dcm_error());
  const auto& model = controller.model();
  for (const auto& joint : model.joints())
    for (int i = joint.v_index; i < joint.v_index + joint.nv && joint.type != JointType::free; ++i) {
      const double use = std::abs(tick.unclamped_torques[i]) / model.effort_limit()[std::size_t(i)];
      if (use > report.max_torque_use) report.max_torque_use = use, report.max_torque_joint = joint.name;
    }
  for (std::size_t i = 0; i < report.feet.size(); ++i) {
    report.feet[i].max_normal = std::max(report.feet[i].max_normal, robot.contacts()[i].normal);
    report.feet[i].slip = std::max(report.feet[i].slip, robot.contacts()[i].loaded_slip);
  }
}

void sum_up(std::vector<double>& times, WalkReport& report) {
  std::ranges::sort(times);
  report.tick_median = quantile(times, .5), report.tick_p99 = quantile(times, .99);
  report.tick_max = quantile(times, 1);
}

void say_plan(const Walker& walker, WalkReport& report) {
  report.remarks = walker.remarks();
  report.planned_steps = walker.plan().steps();
  report.step_length = walker.plan().step_length, report.step_time = walker.plan().step_time;
  for (const auto& leg : walker.legs()) report.feet.push_back({.frame = leg.frame});
}

double timeout(const Walker& walker, const WalkOptions& o) {
  const auto& plan = walker.plan();
  return o.gait.duration + o.gait.hold + 1.5 * (plan.steps() + 3) * plan.step_time + o.settle_timeout;
}

// Ground under footsteps that are not at z = 0, as long as steps are: stairs.
std::vector<sim::Patch> patches(const Walker& walker) {
  std::vector<sim::Patch> all;
  for (const auto& [i, at] : walker.grounds()) {
    const auto& leg = walker.legs()[std::size_t(i)];
    const auto known = [&](const sim::Patch& p) {
      return p.contact == std::size_t(i) &&
             std::hypot(p.surface.p.x - at.position.x(), p.surface.p.y - at.position.y()) < 1e-6;
    };
    if (std::abs(at.height) < 1e-9 || std::any_of(all.begin(), all.end(), known)) continue;
    const double c = std::cos(at.yaw), s = std::sin(at.yaw), length = walker.plan().step_length;
    all.push_back({.contact = std::size_t(i),
                   .surface = {{c, -s, 0, s, c, 0, 0, 0, 1}, {at.position.x(), at.position.y(), at.height}},
                   .length = std::max(length, 2.3 * leg.sole.x()),
                   .width = 2.5 * leg.sole.y() + .1});
  }
  return all;
}

}  // namespace

WalkReport run(const Model& model, const Eigen::VectorXd& q0, const std::vector<Contact>& feet,
               const WalkOptions& options) {
  Eigen::VectorXd q = q0, v = Eigen::VectorXd::Zero(model.nv());
  if (q.size() > 2) q[2] += options.gait.start_height;
  control::expect_closed(model, q, "the gait");
  Walker walker(model, q, feet, options.gait, options.controller, options.gains);
  auto surroundings = options.robot;
  for (const auto& patch : patches(walker)) surroundings.patches.push_back(patch);
  auto simulated_feet = feet;
  for (auto& foot : simulated_feet) foot.friction = options.ground_friction.value_or(foot.friction);
  control::Servos servos(model, options.mode, options.simulator, q, options.controller.step, surroundings);
  const auto robot = sim::simulated_robot(options.simulator, model, simulated_feet, q, v, surroundings);
  std::optional<control::Estimation> estimation;
  if (options.sensing == control::Sensing::encoders)
    estimation.emplace(model, *robot, [&](auto& limbs) { walker.limb_targets(limbs); });
  Witness witness(model, *robot, walker);
  sim::RobotAudit audit(*robot);
  WalkReport report;
  control::RobotWatch robot_watch(model, walker.controller().motors(), feet, *robot,
                                  {report.contacts, report.motors, report.conflicts});
  say_plan(walker, report);
  const double latest = timeout(walker, options);
  sim::Command command;
  std::vector<double> times;
  while (!walker.done() && report.failure.empty()) {
    robot->sense(q, v);
    if (estimation) estimation->estimate(q, v);
    const auto begin = std::chrono::steady_clock::now();
    const auto& tick = walker.advance(q, v);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    times.push_back(took.count());
    control::fill(tick, command);
    servos.set_targets(tick, q, v, command);
    command.failure.clear();  // a tick without a solution does not end the run: the robot then has no torques
    const bool goes_on = robot->step(command);
    audit.tick();
    watch_tick(walker, walker.controller(), tick, *robot, report);
    robot_watch.watch(tick);
    report.failure = witness.watch(report);
    if (options.observer) options.observer({*robot, walker, tick, took.count(), audit.figures()});
    if (!goes_on) report.failure = robot->failure();
    if (report.failure.empty() && options.stop && options.stop())
      report.stopped = true, report.failure = "stopped at " + to_text(robot->time()) + " s";
    if (report.failure.empty() && robot->time() > latest)
      report.failure = "it has not come to rest after " + to_text(latest) + " s, " + std::to_string(walker.steps()) +
                       " of " + std::to_string(walker.plan().steps()) + " steps made";
  }
  static_cast<EnergyFigures&>(report) = audit.judged();
  report.seconds = robot->time();
  report.steps = walker.steps(), report.capture_steps = walker.capture_steps();
  report.adapted_steps = walker.adapted_steps();
  report.beyond_limits = robot_watch.beyond_limits({});
  const auto why = witness.judge(report);
  if (report.failure.empty()) report.failure = why;
  report.succeeded = report.failure.empty();
  sum_up(times, report);
  return report;
}

std::string predicted_failure(const Model& model, const Eigen::VectorXd& q, const std::vector<Contact>& feet,
                              const GaitOptions& gait) {
  if (!gait.heights.empty()) return {};
  WalkOptions options;
  options.gait = gait, options.simulator = sim::Simulator::prescribed_acceleration;
  return run(model, q, feet, options).failure;
}

}  // namespace lissom::walking
