#include "lissom/sim/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

#include "lissom/api/unchecked.h"
#include "lissom/model/short_text.h"
#include "lissom/model/text.h"
#include "lissom/sim/energy_warning.h"
#include "lissom/sim/messages.h"
#include "lissom/sim/stability.h"

namespace lissom::sim {
namespace {

using Clock = std::chrono::steady_clock;

constexpr long stability_checks = 40;  // in a run
// More steps would take years.
constexpr double max_steps = 1e15;

// The derived quantities of a reading.
struct Figures {
  const Eigen::VectorXd& tau;
  double kinetic, potential;
  Vector6 momentum;
  double gap;
  const Eigen::VectorXd& loop_forces;
};

// Updates the report, and calls the observer.
class Watch {
 public:
  Watch(const Model& model, const RunOptions& options, Report& report)
      : model_(model),
        options_(options),
        report_(report),
        beyond_(model.joints().size(), false),
        saturated_(beyond_.size(), 0) {
    if (options.earlier) audit_.resume(*options.earlier);
  }

  void read(const State& x, const Figures& f) {
    if (readings_ == 0) report_.momentum_before = f.momentum;
    ++readings_;
    audit_.read(x.t, f.kinetic, f.potential);
    report_.momentum_after = f.momentum;
    report_.max_gap = std::max(report_.max_gap, f.gap);
    for (std::size_t i = 0; i < report_.loop_forces.size(); ++i)
      report_.loop_forces[i].max = std::max(report_.loop_forces[i].max, std::abs(f.loop_forces[long(i)]));
    if (x.v.size() > 0) report_.max_speed = std::max(report_.max_speed, x.v.cwiseAbs().maxCoeff());
    check_limits(x);
    if (options_.observer)
      options_.observer({x, f.tau, f.kinetic, f.potential, f.momentum, audit_.figures(), f.gap, f.loop_forces});
  }

  EnergyAudit& audit() { return audit_; }
  // Counts the motors at their limits; once for each reading.
  void count_saturated(const std::vector<bool>& at_limit) {
    for (std::size_t k = 0; k < saturated_.size(); ++k) {
      const auto& joint = model_.joints()[k];
      for (int i = joint.v_index; i < joint.v_index + joint.nv; ++i)
        if (at_limit[std::size_t(i)]) {
          ++saturated_[k];
          break;
        }
    }
  }
  // What only the end of a run, or its failure, knows. `warning`: about energy that appeared from nowhere.
  void finish(const std::string& warning) {
    const auto warnings = std::move(report_.warnings);
    static_cast<EnergyFigures&>(report_) = audit_.judged(warning);
    report_.warnings.insert(report_.warnings.begin(), warnings.begin(), warnings.end());
    report_.saturated.clear();
    for (std::size_t k = 0; k < saturated_.size(); ++k) {
      if (saturated_[k] == 0) continue;
      const auto& joint = model_.joints()[k];
      const auto limits = std::span(model_.effort_limit()).subspan(std::size_t(joint.v_index), std::size_t(joint.nv));
      report_.saturated.push_back(
          {joint.name, *std::ranges::min_element(limits), double(saturated_[k]) / double(readings_)});
    }
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
  std::vector<long> saturated_;  // readings of each joint
  long readings_ = 0;
  EnergyAudit audit_;
};

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
    const bool due = i % options.every == 0 || i == steps;
    if (due) read();
    report.stopped = i < steps && options.stop && options.stop();
    if (report.stopped && !due) read();
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

// A warning if the loops do not stay closed along the velocities of x; the first step then changes these. It is looked
// at a little later, because where a mechanism is folded flat its rows depend on each other and allow too much.
std::string velocities_that_open_loops(System& system, const State& x) {
  constexpr double travel = 1e-4, negligible_share = 1e-2;
  const double fastest = x.v.size() > 0 ? x.v.lpNorm<Eigen::Infinity>() : 0;
  if (!system.loops() || !(fastest > 0)) return {};
  Eigen::VectorXd q(x.q.size()), v = x.v;
  Unchecked(system.model(), system.work()).integrate(x.q.data(), v.data(), travel / fastest, q.data());
  const double before = system.kinetic_energy(q, v);
  system.loops()->project(system.model(), system.work(), q, v);
  const double after = system.kinetic_energy(q, v);
  if (!(std::abs(after - before) > negligible_share * before)) return {};
  return "the loops do not stay closed along the velocities at the start: the first step changes these, and with them "
         "the kinetic energy, from " +
         short_text(before) + " to about " + short_text(after) +
         " J; start with velocities that all loops allow (where a loop is folded flat: those of one of its branches)";
}

}  // namespace

void check(const RunOptions& options) {
  if (!(options.seconds >= 0) || !std::isfinite(options.seconds))
    throw Error("seconds is " + to_text(options.seconds) + ", expected a finite number of at least 0");
  if (!(options.step > 0) || !std::isfinite(options.step))
    throw Error("step is " + to_text(options.step) + " s, expected a positive number, e.g. 1e-3");
  if (options.seconds / options.step > max_steps)
    throw Error("seconds / step is " + to_text(options.seconds / options.step) + " steps, expected at most " +
                to_text(max_steps) + "; take fewer seconds or a longer step");
  if (options.every < 1) throw Error("every is " + std::to_string(options.every) + ", expected at least 1 step");
}

void run(System& system, Integrator& integrator, State& x, const RunOptions& options, Report& report) {
  check(options);
  report = {};
  report.integrator = integrator.info().name;
  const auto& model = system.model();
  Watch watch(model, options, report);
  auto applied = system.applied();
  auto* const loops = system.loops();
  Eigen::VectorXd acceleration(model.nv()), loop_forces;
  if (loops) {
    if (const auto why = loops->rigid_because(model, system.work(), x.q); !why.empty()) throw Error(why);
    for (int row = 0; row < loops->rows().count(); ++row)
      report.loop_forces.push_back({loops->rows().label(row).name, force_unit(loops->rows().label(row)), 0});
  }
  const auto read = [&] {
    system.evaluate(x.t, x.q, x.v, applied);
    watch.count_saturated(system.at_limit());
    const double kinetic = system.kinetic_energy(x.q, x.v), potential = system.potential_energy(x.q);
    const Vector6 momentum = centroidal_momentum(model, system.work(), x.q, x.v);
    const double gap = loops ? loops->gap(model, system.work(), x.q) : 0;
    if (loops) {
      system.acceleration(x.t, x.q, x.v, applied, acceleration);
      loop_forces = loops->multipliers();
    }
    watch.read(x, {applied.motors, kinetic, potential, momentum, gap, loop_forces});
  };
  const double begin = x.t;
  const long steps = step_count(options.seconds, options.step);
  // Before the run and now and then, because the inertia that joints feel changes.
  const double longest = std::min(options.step, options.seconds);
  bool unstable = false;
  const auto check_stability = [&] {
    const auto text = instability(model, integrator.info(), stiffness_of(system, x, longest), longest, x.t);
    unstable = !text.empty();
    if (unstable) report.warnings.push_back(text);
  };
  if (const auto fault = indefinite_mass(model, system.work(), x.q); !fault.empty()) report.warnings.push_back(fault);
  if (const auto fault = velocities_that_open_loops(system, x); !fault.empty()) report.warnings.push_back(fault);
  const long between_checks = std::max(1L, steps / stability_checks);
  check_stability();
  const auto step = [&](long i) {
    if (!unstable && i % between_checks == 0) check_stability();
    // The last step may be shorter.
    const double rest = begin + options.seconds - x.t;
    if (i == steps && !(rest > 0)) return false;
    const bool whole = i < steps || std::abs(rest - options.step) <= 1e-9 * options.step;
    integrator.step(system, x, whole ? options.step : rest);
    report.evaluations += integrator.evaluations();
    watch.audit().add(integrator.work());
    return true;
  };
  const auto finish = [&] { watch.finish(energy_warning(watch.audit(), integrator.info(), options.step)); };
  try {
    run_steps(steps, x, options, report, step, read);
  } catch (...) {
    finish();
    throw;
  }
  finish();
}

void run(System& system, State& x, const RunOptions& options, Report& report) {
  check(options);
  run(system, *fitting_integrator(system, x, options.step), x, options, report);
}

void run(SimulatedRobot& robot, Controller& controller, const RunOptions& options, Report& report) {
  const double h = robot.options().step;
  auto checked = options;
  checked.step = h;
  check(checked);
  report = {};
  const auto& model = robot.model();
  Workspace work(model);
  State x{robot.time(), robot.q(), robot.v()};
  Watch watch(model, checked, report);
  const Eigen::VectorXd no_loops;
  const auto read = [&] {
    const auto& energy = robot.energy();
    const Vector6 momentum = centroidal_momentum(model, work, x.q, x.v);
    watch.read(x, {robot.command().torques, energy.kinetic, energy.potential, momentum, 0, no_loops});
  };
  const auto step = [&](long) {
    if (!robot.step(controller)) throw Error(robot.failure());
    watch.audit().add(robot.energy().work);
    x.t = robot.time(), x.q = robot.q(), x.v = robot.v();
    ++report.evaluations;
    return true;
  };
  const auto finish = [&] { watch.finish(energy_warning(watch.audit(), robot)); };
  try {
    run_steps(step_count(options.seconds, h), x, checked, report, step, read);
  } catch (...) {
    finish();
    throw;
  }
  finish();
}

}  // namespace lissom::sim
