#include "lissom/sim/linearize_step.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/workspace_memory.h"
#include "lissom/model/text.h"
#include "lissom/sim/step_slopes.h"

namespace lissom::sim {
namespace {

class ConstantTorques final : public Controller {
 public:
  explicit ConstantTorques(Eigen::VectorXd torques) : torques_(std::move(torques)) {}
  void torques(const Instant&, Eigen::VectorXd& tau) override { tau += torques_; }

 private:
  Eigen::VectorXd torques_;
};

// Replaces the controller of a system for as long as it exists.
class ControllerExchange {
 public:
  ControllerExchange(System& system, std::unique_ptr<Controller> controller)
      : system_(system), before_(system.exchange_control(std::move(controller))) {}
  ~ControllerExchange() { system_.exchange_control(std::move(before_)); }
  ControllerExchange(const ControllerExchange&) = delete;
  ControllerExchange& operator=(const ControllerExchange&) = delete;

 private:
  System& system_;
  std::unique_ptr<Controller> before_;
};

void check(System& system, std::string_view name, const State& x, const VectorIn& tau, double step,
           const IntegratorOptions& options) {
  const auto& model = system.model();
  if (!(step > 0) || !std::isfinite(step))
    throw Error("step is " + to_text(step) + " s, expected a positive number, e.g. 1e-3");
  const auto& memory = WorkspaceMemory::checked(model, system.work(), x.q);
  memory.check_v("v", x.v);
  memory.check_v("tau", tau);
  const auto refuse = [&](const std::string& what) { throw Error(std::string(name) + ": " + what); };
  if (system.has_force_laws())
    refuse("a step with a force law has no derivatives here, since the law is a function that only gives values");
  if (options.zero_order_hold)
    refuse(
        "zero_order_hold is set, expected false: derivatives are those of steps whose forces are evaluated in every "
        "stage");
  const bool flat =
      std::ranges::all_of(model.manifold().pieces, [](const auto& piece) { return piece.kind == ManifoldKind::flat; });
  if (options.attitude != Attitude::exponential && !flat)
    refuse("derivatives of steps are those with the attitude exponential");
  if (system.loops() && (name == "implicit_euler" || name == "variational"))
    refuse(
        "derivatives of its steps are not available for robots with closed loops; take semi_implicit_euler, "
        "implicit_joints, explicit_euler, midpoint, rk4 or dopri5");
}

StepSlopes slopes_of(const DifferentiatedStep& s) {
  const auto name = s.integrator;
  if (name == "explicit_euler") return runge_kutta_slopes(s, explicit_euler_tableau);
  if (name == "midpoint") return runge_kutta_slopes(s, midpoint_tableau);
  if (name == "rk4") return runge_kutta_slopes(s, rk4_tableau);
  if (name == "dopri5") return runge_kutta_slopes(s, dormand_prince_tableau);
  if (name == "semi_implicit_euler") return semi_implicit_slopes(s);
  if (name == "implicit_joints") return implicit_joints_slopes(s);
  if (name == "implicit_euler") return implicit_euler_slopes(s);
  return variational_slopes(s);
}

}  // namespace

StepLinearization linearize_step(System& system, std::string_view name, const State& x, const VectorIn& tau,
                                 double step, const IntegratorOptions& options) {
  integrator(system.model(), name, options);  // throws if there is none of this name
  check(system, name, x, tau, step, options);
  const ControllerExchange exchange(system, std::make_unique<ConstantTorques>(tau));
  SystemSlopes slopes(system);
  auto end = slopes_of({system, slopes, x, step, name, options});
  if (system.loops()) {
    const auto closed = slopes.project(end.q, end.v);
    end.dv = closed.vq * end.dq + closed.vv * end.dv;
    end.dq = closed.qq * end.dq;
    end.q = closed.q, end.v = closed.v;
  }
  const int nv = system.model().nv();
  StepLinearization result{Matrix(2 * nv, 2 * nv), Matrix(2 * nv, nv), {x.t + step, end.q, end.v, x.next_step}};
  result.A << end.dq.leftCols(2 * nv), end.dv.leftCols(2 * nv);
  result.B << end.dq.rightCols(nv), end.dv.rightCols(nv);
  return result;
}

}  // namespace lissom::sim
