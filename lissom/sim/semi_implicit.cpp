// Semi-implicit Euler: v' = v + h a(t, q, v), q' = q exp(h v').
// implicit_joints is the same with the forces of single joints (springs, dampers, dry friction, PD gains) taken at the
// end of the step: with F(q', v') ≈ F - K (q' - q) - D (v' - v), K and D diagonal,
//   (M + h D + h² K) a = tau - h - h K v,
// which takes one factorization of a matrix as sparse as M.
#include "lissom/api/unchecked.h"
#include "lissom/sim/integrators.h"

namespace lissom::sim {
namespace {

class SemiImplicitEuler : public Integrator {
 public:
  SemiImplicitEuler(const Model& model, const IntegratorOptions& options)
      : chart_(model, options),
        a_(Eigen::VectorXd::Zero(model.nv())),
        u_(Eigen::VectorXd::Zero(chart_.size())),
        zero_(u_),
        q_(Eigen::VectorXd::Zero(model.nq())) {}

 protected:
  void advance(System& system, State& x, double h) override {
    acceleration(system, x, h);
    x.v += h * a_;
    chart_.rate(system.model(), x.q, zero_, x.v, u_);
    u_ *= h;
    chart_.point(system.model(), x.q, u_, q_);
    x.q = q_;
    x.t += h;
    evaluations_ = 1;
  }
  virtual void acceleration(System& system, const State& x, double) { system.acceleration(x.t, x.q, x.v, a_); }

  StepChart chart_;
  Eigen::VectorXd a_, u_, zero_, q_;
};

class ImplicitJoints final : public SemiImplicitEuler {
 public:
  ImplicitJoints(const Model& model, const IntegratorOptions& options)
      : SemiImplicitEuler(model, options), factor_(model), stiffness_(a_), damping_(a_), force_(a_) {}

 private:
  void acceleration(System& system, const State& x, double h) override {
    const auto& model = system.model();
    Unchecked kernels(model, system.work());
    if (applied_.tau.size() == 0) applied_ = system.applied();
    system.evaluate(x.t, x.q, x.v, applied_);
    system.gains(x.v, stiffness_, damping_);

    const double* const external = applied_.any_external ? applied_.external.data() : nullptr;
    kernels.rnea(x.q.data(), x.v.data(), kernels.zero(), external, force_.data());
    force_ = applied_.tau - force_ - h * stiffness_.cwiseProduct(x.v);
    kernels.crba(x.q.data());
    for (int i = 0; i < model.nv(); ++i) kernels.M(i, i) += h * damping_[i] + h * h * stiffness_[i];
    kernels.factorize(factor_);
    Unchecked::solve(factor_, force_.data(), a_.data());
    if (system.loops()) system.loops()->constrain(model, system.work(), factor_, x.q, x.v, a_);
    if (!a_.allFinite())
      throw Error("implicit_joints: the acceleration is not finite at t = " + std::to_string(x.t) +
                  " s; the motion has diverged (try a smaller step), or the mass matrix is singular");
  }

  Applied applied_;
  MassMatrixFactor factor_;  // of M + h D + h² K
  Eigen::VectorXd stiffness_, damping_, force_;
};

}  // namespace

std::unique_ptr<Integrator> semi_implicit_euler(const Model& model, const IntegratorOptions& options) {
  return std::make_unique<SemiImplicitEuler>(model, options);
}
std::unique_ptr<Integrator> implicit_joints(const Model& model, const IntegratorOptions& options) {
  return std::make_unique<ImplicitJoints>(model, options);
}

}  // namespace lissom::sim
