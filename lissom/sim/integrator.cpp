#include "lissom/sim/integrator.h"

#include <cmath>

#include "lissom/model/text.h"
#include "lissom/sim/integrators.h"
#include "lissom/sim/messages.h"
#include "lissom/sim/stability.h"

namespace lissom::sim {
namespace {

struct Entry {
  IntegratorInfo info;
  std::unique_ptr<Integrator> (*make)(const Model&, const IntegratorOptions&);
};

template <const Tableau& tableau>
std::unique_ptr<Integrator> make_runge_kutta(const Model& model, const IntegratorOptions& options) {
  return runge_kutta(model, tableau, options);
}

const std::vector<Entry>& entries() {
  // (An undamped oscillation grows with any step of explicit_euler and midpoint, slowly below the given limit.)
  constexpr double none = std::numeric_limits<double>::infinity();
  static const std::vector<Entry> all{
      {{"explicit_euler", 1, "explicit, with the derivatives at the beginning of the step; for comparison", 2, 0.5},
       make_runge_kutta<explicit_euler_tableau>},
      {{"semi_implicit_euler", 1, "v first, then q with the new v, as in most physics engines", 2, 2},
       semi_implicit_euler},
      {{"implicit_euler", 1, "forces at the end of the step, by Newton's method; stable at any stiffness, dissipative"},
       implicit_euler},
      {{"implicit_joints", 1, "semi-implicit, with springs, dampers, friction and PD gains at the end of the step"},
       implicit_joints},
      {{"midpoint", 2, "explicit, with the derivatives at the middle of the step", 2, 1},
       make_runge_kutta<midpoint_tableau>},
      {{"rk4", 4, "Runge-Kutta, with Munthe-Kaas' correction for orientations", 2.785, 2.828},
       make_runge_kutta<rk4_tableau>},
      {{"dopri5", 5, "Dormand-Prince 5(4), with inner steps chosen by the tolerances"}, dormand_prince},
      {{"variational", 2, "discrete mechanics on the group: conserves momentum; bounded energy error", none, 2},
       variational},
  };
  return all;
}

}  // namespace

const std::vector<IntegratorInfo>& integrators() {
  static const std::vector<IntegratorInfo> infos = [] {
    std::vector<IntegratorInfo> list;
    for (const auto& entry : entries()) list.push_back(entry.info);
    return list;
  }();
  return infos;
}

std::unique_ptr<Integrator> integrator(const Model& model, std::string_view name, const IntegratorOptions& options) {
  const auto expect_positive = [](const char* option, double tolerance) {
    if (!(tolerance > 0))
      throw Error(std::string(option) + " is " + to_text(tolerance) + ", expected a positive number, e.g. 1e-6");
  };
  expect_positive("relative_tolerance", options.relative_tolerance);
  expect_positive("absolute_tolerance", options.absolute_tolerance);
  expect_positive("solver_tolerance", options.solver_tolerance);
  std::string known;
  for (const auto& entry : entries()) {
    if (entry.info.name == name) {
      auto made = entry.make(model, options);
      made->info_ = entry.info;
      return made;
    }
    known += (known.empty() ? "" : ", ") + entry.info.name;
  }
  throw Error("no integrator " + in_quotes(name) + "; integrators: " + known);
}

std::unique_ptr<Integrator> fitting_integrator(System& system, const State& x, double step,
                                               const IntegratorOptions& options) {
  const auto make = [&](const char* name) { return integrator(system.model(), name, options); };
  if (system.has_motor_gains()) return make("implicit_joints");
  auto rk4 = make("rk4");
  // The inertia that a joint feels changes with the configuration, in closed loops by a factor of three and more.
  constexpr double margin = 2.5;
  const auto fits = [&](Springs which) { return stable(rk4->info(), stiffness_of(system, x, margin * step, which)); };
  if (fits(Springs::all)) return rk4;
  return make(fits(Springs::between_points) ? "implicit_joints" : "dopri5");
}

void Integrator::step(System& system, State& x, double step) {
  if (!(step > 0) || !std::isfinite(step))
    throw Error("step is " + to_text(step) + " s, expected a positive number, e.g. 1e-3");
  before_.t = x.t, before_.next_step = x.next_step;
  before_.q = x.q;
  before_.v = x.v;
  work_ = {};
  try {
    advance(system, x, step);
    system.project(x.q, x.v, work_);
    for (const auto& [name, values] : {std::pair{"v", &x.v}, std::pair{"q", &x.q}})
      if (!values->allFinite())
        not_finite(system.model(), info_.name + ":", name, *values, x.t, divergence_remedy(info_.name));
  } catch (...) {
    x = before_;
    throw;
  }
}

}  // namespace lissom::sim
