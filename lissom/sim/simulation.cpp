#include "lissom/sim/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lissom/model/text.h"

namespace lissom::sim {
namespace {

using Clock = std::chrono::steady_clock;

// The derived quantities of a reading.
struct Figures {
  const Eigen::VectorXd& tau;
  double kinetic, potential;
  Vector6 momentum;
  double gap;
};

// Updates the report, and calls the observer.
class Watch {
 public:
  Watch(const Model& model, const RunOptions& options, Report& report)
      : model_(model), options_(options), report_(report), beyond_(model.joints().size(), false) {}

  void read(const State& x, const Figures& f) {
    const double energy = f.kinetic + f.potential, power = f.tau.dot(x.v);
    if (first_) {
      report_.energy_before = report_.min_energy = report_.max_energy = energy;
      report_.momentum_before = f.momentum;
    } else {
      report_.motor_work += 0.5 * (power + last_power_) * (x.t - last_t_);
    }
    report_.energy_after = energy;
    report_.min_energy = std::min(report_.min_energy, energy);
    report_.max_energy = std::max(report_.max_energy, energy);
    report_.momentum_after = f.momentum;
    report_.max_gap = std::max(report_.max_gap, f.gap);
    if (x.v.size() > 0) report_.max_speed = std::max(report_.max_speed, x.v.cwiseAbs().maxCoeff());
    check_limits(x);
    first_ = false;
    last_power_ = power;
    last_t_ = x.t;
    if (options_.observer) options_.observer({x, f.tau, f.kinetic, f.potential, f.momentum, f.gap});
  }

 private:
  void check_limits(const State& x) {
    for (std::size_t k = 0; k < beyond_.size(); ++k) {
      const auto& joint = model_.joints()[k];
      if (beyond_[k]) continue;
      for (int i = joint.q_index; i < joint.q_index + joint.nq; ++i)
        if (x.q[i] < model_.lower()[std::size_t(i)] || x.q[i] > model_.upper()[std::size_t(i)]) beyond_[k] = true;
      if (beyond_[k]) report_.beyond_limits.push_back(joint.name);
    }
  }

  const Model& model_;
  const RunOptions& options_;
  Report& report_;
  std::vector<bool> beyond_;
  bool first_ = true;
  double last_power_ = 0, last_t_ = 0;
};

void check(const RunOptions& options) {
  if (!(options.seconds >= 0) || !std::isfinite(options.seconds))
    throw Error("seconds is " + to_text(options.seconds) + ", expected a finite number of at least 0");
  if (!(options.step > 0) || !std::isfinite(options.step))
    throw Error("step is " + to_text(options.step) + " s, expected a positive number, e.g. 1e-3");
  if (options.every < 1) throw Error("every is " + std::to_string(options.every) + ", expected at least 1 step");
}

// Takes all steps, with readings and progress. step(i) takes step i of 1 … steps, read() makes a reading of the state
// x.
template <class Step, class Read>
void run_steps(long steps, const State& x, const RunOptions& options, Report& report, const Step& step,
               const Read& read) {
  read();
  const double begin = x.t;
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  double next_progress = 0.1;
  for (long i = 1; i <= steps; ++i) {
    if (!step(i)) break;
    ++report.steps;
    report.seconds = x.t - begin;
    report.stopped = i < steps && options.stop && options.stop();
    if (i % options.every == 0 || i == steps || report.stopped) read();
    if (options.progress && (i % 64 == 0 || i == steps)) {
      if (const double now = elapsed(); now > next_progress || i == steps) {
        options.progress(double(i) / double(steps), x);
        next_progress = now + 0.1;
      }
    }
    report.wall_seconds = elapsed();
    if (report.stopped) break;
  }
}

long step_count(double seconds, double step) {
  return long(std::ceil(seconds / step - 1e-9));
}

}  // namespace

void run(System& system, Integrator& integrator, State& x, const RunOptions& options, Report& report) {
  check(options);
  report = {};
  const auto& model = system.model();
  Watch watch(model, options, report);
  auto applied = system.applied();
  const auto read = [&] {
    system.evaluate(x.t, x.q, x.v, applied);
    const double kinetic = system.kinetic_energy(x.q, x.v), potential = system.potential_energy(x.q);
    const Vector6 momentum = centroidal_momentum(model, system.work(), x.q, x.v);
    const double gap = system.loops() ? system.loops()->gap(model, system.work(), x.q) : 0;
    watch.read(x, {applied.motors, kinetic, potential, momentum, gap});
  };
  const double begin = x.t;
  const long steps = step_count(options.seconds, options.step);
  const auto step = [&](long i) {
    // The last step may be shorter.
    const double rest = begin + options.seconds - x.t;
    if (i == steps && !(rest > 0)) return false;
    const bool whole = i < steps || std::abs(rest - options.step) <= 1e-9 * options.step;
    integrator.step(system, x, whole ? options.step : rest);
    report.evaluations += integrator.evaluations();
    return true;
  };
  run_steps(steps, x, options, report, step, read);
}

void run(SimulatedRobot& robot, Controller& controller, const RunOptions& options, Report& report) {
  check(options);
  report = {};
  const auto& model = robot.model();
  Workspace work(model);
  State x{robot.time(), robot.q(), robot.v()};
  Watch watch(model, options, report);
  const auto read = [&] {
    const double kinetic = kinetic_energy(model, work, x.q, x.v), potential = potential_energy(model, work, x.q);
    const Vector6 momentum = centroidal_momentum(model, work, x.q, x.v);
    watch.read(x, {robot.command().torques, kinetic, potential, momentum, 0});
  };
  const auto step = [&](long) {
    if (!robot.step(controller)) throw Error(robot.failure());
    x.t = robot.time(), x.q = robot.q(), x.v = robot.v();
    ++report.evaluations;
    return true;
  };
  run_steps(step_count(options.seconds, robot.options().step), x, options, report, step, read);
}

}  // namespace lissom::sim
