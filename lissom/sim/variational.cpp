// A variational integrator on the group (dynamics/discrete_momentum.h): the step from q0 to q1 = q0 exp(h w) is the one
// for which the discrete action is stationary. In momenta p = M v, with all forces F (gravity too) as impulses at both
// ends,
//   begin(q0, w) = p0 + h/2 F(t0, q0, v0),   p1 = end(q0, w) + h/2 F(t1, q1, v1)
// The first is solved for w by Newton's method with M as matrix (Lee et al., section 4); the last for v1 by fixed-point
// iteration. Momentum on which no force acts is conserved to rounding, energy oscillates and does not drift; order 2.
// Closed loops are constrained as in RATTLE: by forces at q0 that close them at q1, then by forces at q1 that keep them
// closed.
#include <cmath>

#include "lissom/api/unchecked.h"
#include "lissom/kernels/integrators.h"
#include "lissom/sim/integrators.h"

namespace lissom::sim {
namespace {

class Variational final : public Integrator {
 public:
  Variational(const Model& model, const IntegratorOptions& options)
      : options_(options),
        scratch_(integrator_kernels().scratch(ModelView<double>(model))),
        mass_(model),
        damped_mass_(model),
        q_(Eigen::VectorXd::Zero(model.nq())) {
    if (options.attitude != Attitude::exponential)
      throw Error("variational: expected attitude exponential, since this integrator works on the group");
    p_ = w_ = v_ = begin_ = end_ = force_ = residual_ = stiffness_ = damping_ = Eigen::VectorXd::Zero(model.nv());
  }

 private:
  void advance(System& system, State& x, double h) override {
    const auto& model = system.model();
    const ModelView<double> view(model);
    if (applied_.tau.size() == 0) applied_ = system.applied();

    forces(system, x.t, x.q, x.v);
    work_.add(0.5 * h, system.power(applied_, x.q, x.v));
    momentum(system, x.q, x.v, p_);
    p_ += 0.5 * h * force_;
    Unchecked::solve(mass_, p_.data(), w_.data());
    solve_step(system, x, h);

    integrator_kernels().discrete_momenta(view, *scratch_, x.q.data(), q_.data(), w_.data(), h, begin_.data(),
                                          end_.data());
    x.t += h;
    finish(system, x, h);
    work_.add(0.5 * h, system.power(applied_, q_, x.v));
    x.q = q_;
  }

  // Solves M v = end_ + h/2 F(v) for x.v by fixed-point iteration, with the dampers of single joints in the matrix, so
  // that stiff ones converge too.
  void finish(System& system, State& x, double h) {
    Unchecked kernels(system.model(), system.work());
    v_ = w_;
    for (int i = 0;; ++i) {
      forces(system, x.t, q_, v_);
      system.gains(v_, stiffness_, damping_);
      kernels.crba(q_.data());
      for (int k = 0; k < system.model().nv(); ++k) kernels.M(k, k) += 0.5 * h * damping_[k];
      kernels.factorize(damped_mass_);
      residual_ = end_ + 0.5 * h * (force_ + damping_.cwiseProduct(v_));
      Unchecked::solve(damped_mass_, residual_.data(), x.v.data());
      const double change = (x.v - v_).norm();
      v_ = x.v;
      if (change <= options_.solver_tolerance * (1 + v_.norm())) return;
      if (i > options_.max_iterations) fail(system, "the velocity at the end of the step", x.t, change);
    }
  }

  // Solves begin(q0, w) = p_ for w_, with forces that close the loops at q1.
  void solve_step(System& system, const State& x, double h) {
    const auto& model = system.model();
    const ModelView<double> view(model);
    Unchecked kernels(model, system.work());
    double smallest = INFINITY;
    for (evaluations_ = 1;; ++evaluations_) {
      kernels.integrate(x.q.data(), w_.data(), h, q_.data());
      if (system.loops()) close_at_end(system, x, h);
      integrator_kernels().discrete_momenta(view, *scratch_, x.q.data(), q_.data(), w_.data(), h, begin_.data(),
                                            nullptr);
      residual_ = p_ - begin_;
      Unchecked::solve(mass_, residual_.data(), v_.data());
      if (system.loops()) {
        // The part of the residual that constraint forces at q0 can balance is removed.
        basis_->satisfy(v_, zero_rows_);
      }
      const double change = v_.norm();
      if (change == 0) return;
      // Iterates until rounding prevents further progress.
      if (change >= 0.5 * smallest && change <= 1e-9 * (1 + w_.norm())) return;
      if (evaluations_ > options_.max_iterations) fail(system, "the step", x.t, change);
      smallest = std::min(smallest, change);
      w_ += v_;
    }
  }

  // Moves w_ along M⁻¹ J(q0)ᵀ until c(q0 exp(h w)) = 0.
  void close_at_end(System& system, const State& x, double h) {
    const auto& model = system.model();
    auto& loops = *system.loops();
    if (!basis_) {
      basis_.emplace(loops.rows().count(), model.nv());
      zero_rows_ = Eigen::VectorXd::Zero(loops.rows().count());
      target_ = zero_rows_;
    }
    loops.gap(model, system.work(), x.q);
    basis_->set(mass_, loops.rows().J(), loops.rows().rounding());
    for (int i = 0; i < 20; ++i) {
      if (loops.gap(model, system.work(), q_) < 1e-14) return;
      target_ = loops.rows().residual() / -h;
      v_.setZero();
      basis_->satisfy(v_, target_);
      w_ += v_;
      Unchecked(model, system.work()).integrate(x.q.data(), w_.data(), h, q_.data());
    }
  }

  // Computes all generalized forces except inertial ones.
  void forces(System& system, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    Unchecked kernels(system.model(), system.work());
    system.evaluate(t, q, v, applied_);
    const double* const external = applied_.any_external ? applied_.external.data() : nullptr;
    kernels.rnea(q.data(), kernels.zero(), kernels.zero(), external, force_.data());
    force_ = applied_.tau - force_;
    if (!force_.allFinite())
      throw Error("variational: a force is not finite at t = " + std::to_string(t) +
                  " s; the motion has diverged, take a smaller step");
  }
  // Computes p = M v, and factorizes M.
  void momentum(System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& p) {
    Unchecked kernels(system.model(), system.work());
    kernels.crba(q.data());
    kernels.factorize(mass_);
    p.noalias() = kernels.full_M() * v;
  }
  [[noreturn]] static void fail(System& system, const char* what, double t, double change) {
    throw Error(std::string("variational: the iteration for ") + what + " does not converge at t = " +
                std::to_string(t) + " s (last change " + std::to_string(change) + "); take a smaller step" +
                (system.loops() ? ", or another integrator where a loop folds flat, which this one cannot pass: rk4 or "
                                  "dopri5"
                                : ""));
  }

  IntegratorOptions options_;
  std::unique_ptr<KernelScratch> scratch_;
  Applied applied_;
  MassMatrixFactor mass_, damped_mass_;  // M(q0); M(q1) + h/2 D
  std::optional<ConstraintBasis> basis_;
  Eigen::VectorXd q_, p_, w_, v_, begin_, end_, force_, residual_, stiffness_, damping_, zero_rows_, target_;
};

}  // namespace

std::unique_ptr<Integrator> variational(const Model& model, const IntegratorOptions& options) {
  return std::make_unique<Variational>(model, options);
}

}  // namespace lissom::sim
