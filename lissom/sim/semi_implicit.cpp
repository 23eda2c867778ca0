// Semi-implicit Euler: v' = v + h a(t, q, v), q' = q exp(h v').
// implicit_joints is the same with the forces of single joints (springs, dampers, dry friction, PD gains) taken at the
// end of the step: with F(q', v') ≈ F - K (q' - q) - D (v' - v), K and D diagonal,
//   (M + h D + h² K) a = tau - h - h K v,
// which takes one factorization of a matrix as sparse as M. Motors obey their effort limits at the end of the step,
// too: a motor whose torque there is beyond its limit has the limit as its torque, and no gains. (With the torque at
// the beginning of the step, a strong motor on a light joint would overshoot in every step.) Which motors these are is
// found by iteration; it is the minimum of a convex function, piecewise quadratic.
#include <algorithm>
#include <cmath>

#include "lissom/api/unchecked.h"
#include "lissom/sim/integrators.h"
#include "lissom/sim/messages.h"

namespace lissom::sim {
namespace {

class SemiImplicitEuler : public Integrator {
 public:
  SemiImplicitEuler(const Model& model, const IntegratorOptions& options)
      : chart_(model, options),
        a_(Eigen::VectorXd::Zero(model.nv())),
        u_(Eigen::VectorXd::Zero(chart_.size())),
        zero_(u_),
        q_(Eigen::VectorXd::Zero(model.nq())),
        mean_v_(a_),
        end_v_(a_) {}

 protected:
  void advance(System& system, State& x, double h) override {
    acceleration(system, x, h);
    mean_v_ = x.v + 0.5 * h * a_;
    add_work(system, x, h);
    x.v += h * a_;
    chart_.rate(system.model(), x.q, zero_, x.v, u_);
    u_ *= h;
    chart_.point(system.model(), x.q, u_, q_);
    x.q = q_;
    x.t += h;
    evaluations_ = 1;
  }
  virtual void acceleration(System& system, const State& x, double) {
    if (applied_.tau.size() == 0) applied_ = system.applied();
    system.evaluate(x.t, x.q, x.v, applied_);
    system.acceleration(x.t, x.q, x.v, applied_, a_);
  }
  // The torques of the step, times the mean velocity, are what changes the kinetic energy. Dampers should do as their
  // law says at both ends: energy that appears because the step is too long for them is not their work.
  virtual void add_work(System& system, const State& x, double h) {
    work_ = Work{}.add(h, system.power(applied_, x.q, mean_v_));
    end_v_ = x.v + h * a_;
    const double begin = system.power(applied_, x.q, x.v).damping, end = system.power(applied_, x.q, end_v_).damping;
    work_.damping = 0.5 * h * (begin + end);
  }

  StepChart chart_;
  Applied applied_;
  Eigen::VectorXd a_, u_, zero_, q_, mean_v_, end_v_;
};

class ImplicitJoints final : public SemiImplicitEuler {
 public:
  ImplicitJoints(const Model& model, const IntegratorOptions& options)
      : SemiImplicitEuler(model, options), factor_(model), at_limit_(std::size_t(model.nv()), 0) {
    stiffness_ = damping_ = motor_stiffness_ = motor_damping_ = bias_ = force_ = a_;
  }

 private:
  void acceleration(System& system, const State& x, double h) override {
    const auto& model = system.model();
    Unchecked kernels(model, system.work());
    if (applied_.tau.size() == 0) applied_ = system.applied();
    system.evaluate(x.t, x.q, x.v, applied_);
    system.passive_gains(x.v, stiffness_, damping_);
    system.motor_gains(motor_stiffness_, motor_damping_);
    const double* const external = applied_.any_external ? applied_.external.data() : nullptr;
    kernels.rnea(x.q.data(), x.v.data(), kernels.zero(), external, bias_.data());
    applied_.tau -= applied_.motors;  // passive forces
    for (int i = 0; i < model.nv(); ++i)
      at_limit_[std::size_t(i)] = system.at_limit()[std::size_t(i)] ? (applied_.commanded[i] > 0 ? 1 : -1) : 0;
    for (int i = 0; i < max_attempts; ++i) {
      solve(system, x, h);
      if (!update_limits(system, x, h)) break;
    }
    if (!a_.allFinite()) not_finite(model, "implicit_joints:", "a", a_, x.t, divergence_remedy("implicit_joints"));
  }

  // Solves for the acceleration, with the motors that are at their limits given.
  void solve(System& system, const State& x, double h) {
    const auto& model = system.model();
    Unchecked kernels(model, system.work());
    kernels.crba(x.q.data());
    force_ = applied_.tau - bias_;
    for (int i = 0; i < model.nv(); ++i) {
      const int side = at_limit_[std::size_t(i)];
      const double k = stiffness_[i] + (side == 0 ? motor_stiffness_[i] : 0);
      const double d = damping_[i] + (side == 0 ? motor_damping_[i] : 0);
      force_[i] += (side == 0 ? applied_.commanded[i] : side * system.max_torque(i)) - h * k * x.v[i];
      kernels.M(i, i) += h * d + h * h * k;
    }
    kernels.factorize(factor_);
    Unchecked::solve(factor_, force_.data(), a_.data());
    if (system.loops()) system.loops()->constrain(model, system.work(), factor_, x.q, x.v, a_);
  }

  // Writes the torques at the end of the step. Returns whether other motors than assumed are at their limits there.
  bool update_limits(System& system, const State& x, double h) {
    bool changed = false;
    for (int i = 0; i < a_.size(); ++i) {
      const double limit = system.max_torque(i), end = x.v[i] + h * a_[i];
      double& torque = applied_.motors[i];
      torque = applied_.commanded[i] - h * motor_stiffness_[i] * end - motor_damping_[i] * h * a_[i];
      auto& side = at_limit_[std::size_t(i)];
      // (From one limit to the other only by way of none, so that the iteration cannot alternate between them.)
      const int beyond = torque > limit ? 1 : torque < -limit ? -1 : 0, next = side * beyond < 0 ? 0 : beyond;
      changed = changed || next != side;
      side = next;
      torque = std::clamp(torque, -limit, limit);
    }
    return changed;
  }

  // All forces of joints are those at the end of the step.
  void add_work(System& system, const State& x, double h) override {
    end_v_ = x.v + h * a_;
    work_ = Work{}.add(h, system.power(applied_, x.q, mean_v_, end_v_));
  }

  static constexpr int max_attempts = 20;
  MassMatrixFactor factor_;    // of M + h D + h² K
  std::vector<int> at_limit_;  // of each motor at the end of the step: 1 upper, -1 lower limit, 0 none
  Eigen::VectorXd stiffness_, damping_, motor_stiffness_, motor_damping_, bias_, force_;
};

}  // namespace

std::unique_ptr<Integrator> semi_implicit_euler(const Model& model, const IntegratorOptions& options) {
  return std::make_unique<SemiImplicitEuler>(model, options);
}
std::unique_ptr<Integrator> implicit_joints(const Model& model, const IntegratorOptions& options) {
  return std::make_unique<ImplicitJoints>(model, options);
}

}  // namespace lissom::sim
