// Integrators by name, and whether a step is short enough for the stiffness of a system.
#include "lissom/model/text.h"
#include "lissom/sim/linearize_step.h"
#include "results.h"
#include "sim_types.h"

namespace lissom::python {

using namespace nb::literals;
using sim::IntegratorInfo;
using sim::IntegratorOptions;
using sim::State;
using sim::Stiffness;

LISSOM_PYTHON_TYPE(State, "State")

BoundIntegrator::BoundIntegrator(std::string name, IntegratorOptions options) : options_(std::move(options)) {
  std::string known;
  for (const auto& info : sim::integrators()) {
    if (info.name == name) info_ = info;
    known += (known.empty() ? "" : ", ") + info.name;
  }
  if (info_.name.empty()) throw Error("no integrator " + in_quotes(name) + "; integrators: " + known);
}

sim::Integrator& BoundIntegrator::fit(const Model& model) {
  if (!made_ || structure_id_ != model.structure_id()) {
    made_ = sim::integrator(model, info_.name, options_);
    structure_id_ = model.structure_id();
  }
  return *made_;
}

namespace {

// Options as keyword arguments; a chart may be given as attitude, as on the command line.
IntegratorOptions options_of(const std::string& attitude, bool zero_order_hold, double relative_tolerance,
                             double absolute_tolerance, double min_step, double solver_tolerance, int max_iterations) {
  IntegratorOptions o;
  o.attitude = attitude == "exponential"  ? sim::Attitude::exponential
               : attitude == "quaternion" ? sim::Attitude::quaternion
                                          : sim::Attitude::chart;
  if (o.attitude == sim::Attitude::chart) o.chart = attitude;
  o.zero_order_hold = zero_order_hold;
  o.relative_tolerance = relative_tolerance, o.absolute_tolerance = absolute_tolerance;
  if (!(min_step >= 0)) throw Error("min_step is " + to_text(min_step) + " s, expected at least 0");
  if (max_iterations < 1) throw Error("max_iterations is " + std::to_string(max_iterations) + ", expected at least 1");
  o.min_step = min_step, o.solver_tolerance = solver_tolerance, o.max_iterations = max_iterations;
  return o;
}

// All integrators are made with the same keyword arguments.
const char* const options_doc =
    "attitude: how orientations are integrated, 'exponential', 'quaternion', or in a chart such as 'euler-zyx'. "
    "zero_order_hold: controller and forces are evaluated once per step, and held constant over its stages. "
    "relative_tolerance, absolute_tolerance: of dopri5. min_step: dopri5 takes no shorter inner steps, s. "
    "solver_tolerance, max_iterations: of implicit integrators.";
#define LISSOM_INTEGRATOR_OPTIONS                                                      \
  "attitude"_a = "exponential", "zero_order_hold"_a = false,                           \
  "relative_tolerance"_a = IntegratorOptions().relative_tolerance,                     \
  "absolute_tolerance"_a = IntegratorOptions().absolute_tolerance, "min_step"_a = 0.0, \
  "solver_tolerance"_a = IntegratorOptions().solver_tolerance, "max_iterations"_a = IntegratorOptions().max_iterations

void step(BoundIntegrator& self, BoundSystem& system, nb::handle state, double h) {
  State& given = nb::cast<State&>(state);
  State x = given;  // (integrators may exchange the memory of vectors, of which Python has views)
  expect_state(system.system.model(), x);
  {
    const OneCaller::Scope use(self.in_use, "Integrator"), use_system(system.in_use, "System");
    const nb::gil_scoped_release release;
    self.fit(system.system.model()).step(system.system, x, h);
  }
  given.t = x.t, given.next_step = x.next_step;
  given.q = x.q;
  given.v = x.v;
}

sim::StepLinearization linearize(BoundIntegrator& self, BoundSystem& system, const State& x, nb::handle tau, double h) {
  const auto& model = system.system.model();
  expect_state(model, x);
  const Eigen::VectorXd torques = vector("tau", tau, model.nv());
  const OneCaller::Scope use(self.in_use, "Integrator"), use_system(system.in_use, "System");
  const nb::gil_scoped_release release;
  return sim::linearize_step(system.system, self.info().name, x, torques, h, self.options());
}

struct BoundStiffness : Stiffness {
  std::string damped_joint, stiff_joint;
};

BoundStiffness stiffness_of(BoundSystem& system, const State& x, double h, sim::Springs which) {
  expect_state(system.system.model(), x);
  const OneCaller::Scope use(system.in_use, "System");
  const nb::gil_scoped_release release;
  BoundStiffness s{sim::stiffness_of(system.system, x, h, which), "", ""};
  for (const auto& joint : system.system.model().joints()) {
    const auto moves = [&](int dof) { return dof >= joint.v_index && dof < joint.v_index + joint.nv; };
    if (moves(s.damped_dof)) s.damped_joint = joint.name;
    if (moves(s.stiff_dof)) s.stiff_joint = joint.name;
  }
  return s;
}

void bind_stability(nb::module_& m) {
  nb::class_<BoundStiffness>(m, "Stiffness", "The fastest motion that forces of joints cause, relative to a step.")
      .def_ro("damping", &BoundStiffness::damping, "h λ(M⁻¹ D)")
      .def_ro("frequency", &BoundStiffness::frequency, "h √λ(M⁻¹ K)")
      .def_ro("damped_joint", &BoundStiffness::damped_joint, "That has the largest part in the first one; empty: none.")
      .def_ro("stiff_joint", &BoundStiffness::stiff_joint, "In the second one.")
      .def_ro("d", &BoundStiffness::d, "Damping of damped_joint.")
      .def_ro("damped_inertia", &BoundStiffness::damped_inertia, "That it feels, kg m² or kg.")
      .def_ro("k", &BoundStiffness::k, "Stiffness of stiff_joint.")
      .def_ro("stiff_inertia", &BoundStiffness::stiff_inertia, "That it feels, kg m² or kg.")
      .def("__repr__", [](const BoundStiffness& s) {
        return "Stiffness(damping=" + to_text(s.damping) + ", frequency=" + to_text(s.frequency) + ", damped_joint='" +
               s.damped_joint + "', stiff_joint='" + s.stiff_joint + "')";
      });
  m.def("stiffness_of", &stiffness_of, "system"_a, "state"_a, "step"_a, "springs"_a = sim::Springs::all,
        nb::sig("def stiffness_of(system: System, state: State, step: float, springs: Literal['of_joints', "
                "'between_points', 'all'] = 'all') -> Stiffness"),
        "How stiff the forces of a system are in a state, for a step in s.");
  m.def(
      "instability",
      [](BoundSystem& system, const State& x, double h, const std::string& integrator) {
        const BoundIntegrator method(integrator, {});
        return sim::instability(system.system.model(), method.info(), stiffness_of(system, x, h, sim::Springs::all), h,
                                x.t);
      },
      "system"_a, "state"_a, "step"_a, "integrator"_a,
      nb::sig("def instability(system: System, state: State, step: float, integrator: str) -> str"),
      "A warning with figures, the joint, and what to do, if an integrator is not stable for the system with a step in "
      "s; empty if it is.");
}

}  // namespace

namespace {

void bind_integrator_functions(nb::module_& m) {
  m.def(
      "integrator",
      [](const std::string& name, const std::string& attitude, bool zero_order_hold, double relative, double absolute,
         double min_step, double tolerance, int iterations) {
        return new BoundIntegrator(
            name, options_of(attitude, zero_order_hold, relative, absolute, min_step, tolerance, iterations));
      },
      "name"_a, LISSOM_INTEGRATOR_OPTIONS,
      (std::string("An integrator by its name; integrators() lists them. ") + options_doc).c_str());
  m.def(
      "fitting_integrator",
      [](BoundSystem& system, const State& x, double h, const std::string& attitude, bool zero_order_hold,
         double relative, double absolute, double min_step, double tolerance, int iterations) {
        auto options = options_of(attitude, zero_order_hold, relative, absolute, min_step, tolerance, iterations);
        expect_state(system.system.model(), x);
        const OneCaller::Scope use(system.in_use, "System");
        const std::string name = [&] {
          const nb::gil_scoped_release release;
          return sim::fitting_integrator(system.system, x, h, options)->info().name;
        }();
        return new BoundIntegrator(name, std::move(options));
      },
      "system"_a, "state"_a, "step"_a, LISSOM_INTEGRATOR_OPTIONS,
      (std::string("The integrator that fits the forces of a system in a state: implicit_joints if the controller "
                   "reports gains (pd does), or if springs, dampers or dry friction of joints are too stiff for rk4 "
                   "with this step, s; dopri5 if only springs between points are; otherwise rk4. ") +
       options_doc)
          .c_str());
  bind_stability(m);
}

}  // namespace

void bind_integrators(nb::module_& m) {
  using I = IntegratorInfo;
  bind_result<I>(
      m, "IntegratorInfo", "A method of integration.",
      std::tuple{
          Field{"name", &I::name, ""}, Field{"order", &I::order, ""}, Field{"description", &I::description, ""},
          Field{"max_damping", &I::max_damping,
                "It is stable for M a = -D v - K q while h times the largest eigenvalue of M⁻¹ D is below this."},
          Field{"max_frequency", &I::max_frequency,
                "And h times the largest frequency, the root of that of M⁻¹ K, below this."}});
  m.def("integrators", [] { return sim::integrators(); }, "All methods of integration.");
  auto i = nb::class_<BoundIntegrator>(
      m, "Integrator", "Takes a System from a state to the state one step later. It belongs to one caller at a time.");
  i.def("step", &step, "system"_a, "state"_a, "step"_a,
        nb::sig("def step(self, system: System, state: State, step: float) -> None"),
        "Takes the state from state.t to state.t + step, s. Where the motion cannot be computed, an Error is raised, "
        "and the state is unchanged.");
  using L = sim::StepLinearization;
  bind_result<L>(m, "StepLinearization",
                 "x(t + step) = A x(t) + B δtau for the error x = (δq, δv), δq in the tangent spaces of q at the "
                 "beginning and at the end of the step.",
                 std::tuple{Field{"A", &L::A, "(2 nv, 2 nv)."}, Field{"B", &L::B, "(2 nv, nv)."},
                            Field{"end", &L::end, "The State at the end of the step."}});
  i.def("linearize", &linearize, "system"_a, "state"_a, "tau"_a, "step"_a,
        nb::sig("def linearize(self, system: System, state: State, tau: ArrayLike, step: float) -> StepLinearization"),
        "The derivatives A, B of the step that this integrator takes from a state, of `step` s, with the torques tau, "
        "(nv,), N m or N, of the motors, which stay constant; the controller of the system is not asked. Passive joint "
        "forces, springs and pushes act, and closed loops stay closed. dopri5 takes one inner step. Raises an Error "
        "where derivatives are not available: force laws, zero_order_hold, other attitudes than exponential, and "
        "implicit_euler and variational with closed loops.");
  i.def_prop_ro("info", [](const BoundIntegrator& self) { return self.info(); });
  i.def_prop_ro("name", [](const BoundIntegrator& self) { return self.info().name; });
  i.def_prop_ro(
      "evaluations",
      [](BoundIntegrator& self) {
        const OneCaller::Reading use(self.in_use, "Integrator");
        return self.last() ? self.last()->evaluations() : 0;
      },
      "How often the last step evaluated the dynamics.");
  i.def_prop_ro(
      "work",
      [](BoundIntegrator& self) {
        const OneCaller::Reading use(self.in_use, "Integrator");
        return self.last() ? self.last()->work() : Work();
      },
      "Work of all forces in the last step, J.");
  i.def("__repr__", [](const BoundIntegrator& self) {
    return "Integrator('" + self.info().name + "', order=" + std::to_string(self.info().order) + ")";
  });
  bind_integrator_functions(m);
}

}  // namespace lissom::python
