#include "lissom/sim/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace lissom::sim {
namespace {

using Clock = std::chrono::steady_clock;

class Watch {
 public:
  Watch(System& system, const RunOptions& options, Report& report)
      : system_(system), options_(options), report_(report), applied_(system.applied()) {
    beyond_.assign(std::size_t(system.model().nq()), false);
  }

  void read(const State& x) {
    const auto& model = system_.model();
    system_.evaluate(x.t, x.q, x.v, applied_);
    const double kinetic = system_.kinetic_energy(x.q, x.v), potential = system_.potential_energy(x.q);
    const Vector6 momentum = centroidal_momentum(model, system_.work(), x.q, x.v);
    const double gap = system_.loops() ? system_.loops()->gap(model, system_.work(), x.q) : 0;
    const double energy = kinetic + potential, power = applied_.motors.dot(x.v);
    if (first_) {
      report_.energy_before = report_.energy_lowest = report_.energy_highest = energy;
      report_.momentum_before = momentum;
    } else {
      report_.motor_work += 0.5 * (power + last_power_) * (x.t - last_t_);
    }
    report_.energy_after = energy;
    report_.energy_lowest = std::min(report_.energy_lowest, energy);
    report_.energy_highest = std::max(report_.energy_highest, energy);
    report_.momentum_after = momentum;
    report_.largest_gap = std::max(report_.largest_gap, gap);
    if (x.v.size() > 0) report_.largest_speed = std::max(report_.largest_speed, x.v.cwiseAbs().maxCoeff());
    look_at_limits(x);
    first_ = false;
    last_power_ = power;
    last_t_ = x.t;
    if (options_.observer) options_.observer({x, applied_.motors, kinetic, potential, momentum, gap});
  }

 private:
  void look_at_limits(const State& x) {
    const auto& model = system_.model();
    for (const auto& joint : model.joints())
      for (int i = joint.q_index; i < joint.q_index + joint.nq; ++i) {
        const auto k = std::size_t(i);
        if (beyond_[k] || (x.q[i] >= model.lower()[k] && x.q[i] <= model.upper()[k])) continue;
        beyond_[k] = true;
        report_.beyond_limits.push_back(joint.name);
      }
  }

  System& system_;
  const RunOptions& options_;
  Report& report_;
  Applied applied_;
  std::vector<bool> beyond_;
  bool first_ = true;
  double last_power_ = 0, last_t_ = 0;
};

}  // namespace

void run(System& system, Integrator& integrator, State& x, const RunOptions& options, Report& report) {
  if (!(options.seconds >= 0) || !std::isfinite(options.seconds))
    throw Error("seconds is " + std::to_string(options.seconds) + "; expected a time of at least 0");
  if (!(options.step > 0) || !std::isfinite(options.step))
    throw Error("step is " + std::to_string(options.step) + " s; expected a time above 0, e.g. 1e-3");
  if (options.every < 1) throw Error("every is " + std::to_string(options.every) + "; expected at least 1 step");
  report = {};
  Watch watch(system, options, report);
  watch.read(x);
  const double begin = x.t;
  const long steps = long(std::ceil(options.seconds / options.step - 1e-9));
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  double next_word = 0.1;
  for (long i = 1; i <= steps; ++i) {
    // The last step may be a part of one.
    const double step = i < steps ? options.step : begin + options.seconds - x.t;
    if (!(step > 0)) break;
    integrator.step(system, x, i < steps || std::abs(step - options.step) > 1e-9 * options.step ? step : options.step);
    ++report.steps;
    report.work += integrator.work();
    report.seconds = x.t - begin;
    if (i % options.every == 0 || i == steps) watch.read(x);
    if (options.progress && (i % 64 == 0 || i == steps)) {
      if (const double now = elapsed(); now > next_word || i == steps) {
        options.progress(double(i) / double(steps), x);
        next_word = now + 0.1;
      }
    }
    report.wall_seconds = elapsed();
  }
}

}  // namespace lissom::sim
