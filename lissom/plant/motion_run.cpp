#include "lissom/plant/motion_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "lissom/model/wording.h"

namespace lissom::plant {

namespace {

constexpr double light_load = .05;  // of the weight: a foot that comes or leaves may skid, and nobody minds

std::vector<MotorReport> motors_of(const Model& model, const std::vector<int>& motors) {
  std::vector<MotorReport> all;
  for (const auto& joint : model.joints())
    for (int i = 0; i < joint.nv; ++i)
      if (std::find(motors.begin(), motors.end(), joint.v_index + i) != motors.end())
        all.push_back({joint.name, 0, joint.effort_limit[i], 1e9});
  return all;
}

// The nearest a joint came to its limits.
void watch_limits(const Model& model, const Eigen::VectorXd& q, std::vector<MotorReport>& motors) {
  for (auto& m : motors) {
    const auto& joint = model.joint(m.joint);
    if (joint.nq != 1 || joint.lower.empty()) continue;
    m.nearest_limit = std::min({m.nearest_limit, q[joint.q_index] - joint.lower[0], joint.upper[0] - q[joint.q_index]});
  }
}

void watch(const control::WholeBody& controller, double weight, const Plant& plant, const control::Tick& tick,
           RunReport& report) {
  ++report.ticks;
  report.elastic_ticks += tick.status == control::TickStatus::elastic;
  report.failed_ticks += tick.status != control::TickStatus::elastic && tick.status != control::TickStatus::optimal;
  const auto& dofs = controller.motors();
  for (std::size_t k = 0; k < dofs.size(); ++k)
    report.motors[k].largest_torque = std::max(report.motors[k].largest_torque, std::abs(tick.torques[dofs[k]]));
  for (std::size_t k = 0; k < report.contacts.size(); ++k) {
    auto& c = report.contacts[k];
    const auto& touch = plant.touches()[k];
    c.largest_normal = std::max(c.largest_normal, touch.normal);
    if (touch.normal > light_load * weight) c.friction_use = std::max(c.friction_use, touch.friction_use);
    c.slip = std::max(c.slip, touch.slip);
    c.wanted_friction_use = std::max(c.wanted_friction_use, tick.contacts[k].friction_use);
  }
  for (std::size_t k = 0; k < report.clearances.size(); ++k)
    report.clearances[k].smallest = std::min(report.clearances[k].smallest, tick.clearances[k]);
}

void sum_up(std::vector<double>& times, RunReport& report) {
  if (times.empty()) return;
  std::sort(times.begin(), times.end());
  const auto at = [&](double part) { return times[std::size_t(part * double(times.size() - 1))]; };
  report.tick_median = at(.5), report.tick_p99 = at(.99), report.tick_max = times.back();
}

}  // namespace

const char* to_string(Kind kind) {
  return kind == Kind::integrated ? "integrated" : "held";
}
Kind kind_of(const std::string& name) {
  for (auto kind : {Kind::integrated, Kind::held})
    if (name == to_string(kind)) return kind;
  throw Error("there is no plant " + in_quotes(name) +
              "; there are integrated (the controller's own accelerations) and " +
              "held (its torques alone, on a robot of its own)");
}

double RunReport::largest_friction_use() const {
  double most = 0;
  for (const auto& c : contacts) most = std::max(most, c.friction_use);
  return most;
}
double RunReport::largest_slip() const {
  double most = 0;
  for (const auto& c : contacts) most = std::max(most, c.slip);
  return most;
}
double RunReport::largest_torque_use() const {
  double most = 0;
  for (const auto& m : motors) most = std::max(most, m.largest_torque / m.limit);
  return most;
}

RunReport run(const Model& model, const control::Motion& motion, const RunOptions& options) {
  control::MotionRunner runner(model, motion, options.controller);
  Eigen::VectorXd q = runner.start(), v = Eigen::VectorXd::Zero(model.nv());
  const auto make = options.kind == Kind::integrated ? integrated : held;
  const auto robot = make(model, motion.contacts, q, v, options.plant);

  RunReport report;
  for (const auto& c : motion.contacts) report.contacts.push_back({c.name.empty() ? c.frame : c.name});
  for (const auto& c : motion.clearances)
    report.clearances.push_back({name_of(c), std::numeric_limits<double>::infinity(), c.least});
  report.motors = motors_of(model, runner.controller().motors());
  const auto g = model.gravity();
  const double weight = model.mass() * std::sqrt(dot(g, g));
  std::vector<double> times;
  while (!runner.done() && !runner.failed()) {
    robot->sense(q, v);
    const auto begin = std::chrono::steady_clock::now();
    const auto& tick = runner.advance(q, v);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    times.push_back(took.count());
    const bool goes_on = robot->step(tick);
    watch(runner.controller(), weight, *robot, tick, report);
    watch_limits(model, robot->q(), report.motors);
    const auto away = tick.com - runner.wanted_com();
    report.largest_com_error = std::max(report.largest_com_error, std::sqrt(dot(away, away)));
    if (options.observer) options.observer({*robot, runner, tick, took.count()});
    if (!goes_on) {
      report.failure = robot->failure();
      break;
    }
    if (robot->time() > options.longest) {
      report.failure = "not done after " + in_words(options.longest) + " s";
      break;
    }
  }
  if (runner.failed()) report.failure = runner.failure();
  report.succeeded = runner.done();
  report.seconds = robot->time();
  report.transitions = runner.transitions();
  sum_up(times, report);
  return report;
}

}  // namespace lissom::plant
