#include "lissom/control/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "lissom/model/text.h"

namespace lissom::control {

namespace {

std::vector<MotorReport> motors_of(const Model& model, const std::vector<int>& motors) {
  std::vector<MotorReport> all;
  for (const auto& joint : model.joints())
    for (int i = 0; i < joint.nv; ++i)
      if (std::find(motors.begin(), motors.end(), joint.v_index + i) != motors.end())
        all.push_back({joint.name, 0, joint.effort_limit[i], 1e9});
  return all;
}

// Updates the smallest distance of each joint from its limits.
void watch_limits(const Model& model, const Eigen::VectorXd& q, std::vector<MotorReport>& motors) {
  for (auto& m : motors) {
    const auto& joint = model.joint(m.joint);
    if (joint.nq != 1 || joint.lower.empty()) continue;
    m.nearest_limit = std::min({m.nearest_limit, q[joint.q_index] - joint.lower[0], joint.upper[0] - q[joint.q_index]});
  }
}

void watch(const WholeBody& controller, double weight, const sim::SimulatedRobot& robot, const Tick& tick,
           MotionReport& report) {
  ++report.ticks;
  report.elastic_ticks += tick.status == TickStatus::elastic;
  report.failed_ticks += tick.status != TickStatus::elastic && tick.status != TickStatus::optimal;
  const auto& dofs = controller.motors();
  for (std::size_t k = 0; k < dofs.size(); ++k)
    report.motors[k].max_torque = std::max(report.motors[k].max_torque, std::abs(tick.unclamped_torques[dofs[k]]));
  for (std::size_t k = 0; k < report.contacts.size(); ++k) {
    auto& c = report.contacts[k];
    const auto& touch = robot.contacts()[k];
    c.max_normal = std::max(c.max_normal, touch.normal);
    auto& use = touch.normal > sim::light_load * weight ? c.friction_use : c.light_friction_use;
    use = std::max(use, touch.friction_use);
    c.slip = std::max(c.slip, touch.slip);
    c.loaded_slip = std::max(c.loaded_slip, touch.loaded_slip);
    c.planned_friction_use = std::max(c.planned_friction_use, tick.contacts[k].friction_use);
  }
  for (std::size_t k = 0; k < report.clearances.size(); ++k)
    report.clearances[k].min_distance = std::min(report.clearances[k].min_distance, tick.clearances[k]);
}

void sum_up(std::vector<double>& times, MotionReport& report) {
  if (times.empty()) return;
  std::sort(times.begin(), times.end());
  const auto at = [&](double part) { return times[std::size_t(part * double(times.size() - 1))]; };
  report.tick_median = at(.5), report.tick_p99 = at(.99), report.tick_max = times.back();
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

double MotionReport::max_friction_use() const {
  double most = 0;
  for (const auto& c : contacts) most = std::max(most, c.friction_use);
  return most;
}
double MotionReport::max_slip() const {
  double most = 0;
  for (const auto& c : contacts) most = std::max(most, c.slip);
  return most;
}
double MotionReport::max_loaded_slip() const {
  double most = 0;
  for (const auto& c : contacts) most = std::max(most, c.loaded_slip);
  return most;
}
double MotionReport::max_torque_use() const {
  double most = 0;
  for (const auto& m : motors) most = std::max(most, m.max_torque / m.limit);
  return most;
}

MotionReport run(const Model& model, const MotionPlan& plan, const MotionOptions& options) {
  MotionRunner runner(model, plan, options.controller);
  Eigen::VectorXd q = runner.start(), v = Eigen::VectorXd::Zero(model.nv());
  const auto robot = sim::simulated_robot(options.simulator, model, plan.contacts, q, v, options.robot);

  MotionReport report;
  for (const auto& c : plan.contacts) report.contacts.push_back({c.name.empty() ? c.frame : c.name});
  for (const auto& c : plan.clearances)
    report.clearances.push_back({name_of(c), std::numeric_limits<double>::infinity(), c.min_distance});
  report.motors = motors_of(model, runner.controller().motors());
  sim::Command command;
  std::vector<double> times;
  while (!runner.done() && !runner.failed()) {
    robot->sense(q, v);
    const auto begin = std::chrono::steady_clock::now();
    const auto& tick = runner.advance(q, v);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    times.push_back(took.count());
    fill(tick, command);
    const bool goes_on = robot->step(command);
    watch(runner.controller(), weight(model), *robot, tick, report);
    watch_limits(model, robot->q(), report.motors);
    const auto com_error = tick.com - runner.desired_com();
    report.max_com_error = std::max(report.max_com_error, std::sqrt(dot(com_error, com_error)));
    if (options.observer) options.observer({*robot, runner, tick, took.count()});
    if (!goes_on) {
      report.failure = robot->failure();
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
  if (runner.failed()) report.failure = runner.failure();
  report.succeeded = runner.done();
  report.seconds = robot->time();
  report.transitions = runner.transitions();
  sum_up(times, report);
  return report;
}

}  // namespace lissom::control
