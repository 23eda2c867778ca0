// All forces are taken at the end of the step. Newton's method solves
//   r(v') = rnea(q', v', (v' - v) / h) - tau(t', q', v') - Jᵀ λ = 0,   q' = q exp(h v')
// for v'. The matrix ∂r/∂v' comes from the derivatives of inverse dynamics, except for ∂tau/∂v', which has the gains of
// single joints and of springs only. Where that is not enough to converge (a stiff control law without gains, a force
// law, a spring that is stretched far and rotates), the matrix is computed once more in each iteration by difference
// quotients of r, which know all dependences, and take nv evaluations of the controller and the forces. Closed loops
// add the rows J(q') v' = 0.
#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "lissom/api/unchecked.h"
#include "lissom/math/dense.h"
#include "lissom/model/text.h"
#include "lissom/sim/integrators.h"

namespace lissom::sim {
namespace {

class ImplicitEuler final : public Integrator {
 public:
  ImplicitEuler(const Model& model, const IntegratorOptions& options)
      : options_(options),
        scratch_(single_kernels().derivative_scratch(ModelView<double>(model))),
        q_(Eigen::VectorXd::Zero(model.nq())) {
    v_ = a_ = inertial_ = stiffness_ = damping_ = Eigen::VectorXd::Zero(model.nv());
    for (auto* const matrix : {&dtau_dq_, &dtau_dv_, &M_, &dq_dq_, &dq_dv_})
      *matrix = Array<double>(padded_square(model.nv()));
  }

 private:
  void advance(System& system, State& x, double h) override {
    const auto& model = system.model();
    const int nv = model.nv(), rows = system.loops() ? system.loops()->rows().count() : 0;
    if (applied_.tau.size() == 0) applied_ = system.applied();
    if (residual_.size() != nv + rows) {
      residual_ = residual_before_ = step_ = Eigen::VectorXd::Zero(nv + rows);
      lambda_ = Eigen::VectorXd::Zero(rows);
      matrix_ = Eigen::MatrixXd::Zero(nv + rows, nv + rows);
    }
    evaluations_ = 0;
    if (solve(system, x, h, Slopes::of_gains) || solve(system, x, h, Slopes::by_differences)) return;
    std::string loop;
    if (long row = 0; lambda_.size() > 0) {
      lambda_.cwiseAbs().maxCoeff(&row);
      loop = ", or find out whether the loops are singular here: the largest constraint force is that of " +
             in_quotes(system.loops()->rows().label(int(row)).name);
    }
    throw Error("implicit_euler: no solution after " + std::to_string(evaluations_) +
                " iterations at t = " + std::to_string(x.t) + " s (residual " + std::to_string(residual_.norm()) +
                "); take a smaller step" + loop);
  }

  enum class Slopes { of_gains, by_differences };
  // Newton's method from the velocity at the beginning of the step; false if it does not converge.
  bool solve(System& system, State& x, double h, Slopes slopes) {
    const int nv = system.model().nv(), rows = int(lambda_.size());
    // (Gains that are right converge within a few iterations.)
    const int attempts =
        slopes == Slopes::of_gains ? std::min(usual_iterations, options_.max_iterations) : options_.max_iterations;
    v_ = x.v;
    lambda_.setZero();
    double before = evaluate(system, x, h), smallest = INFINITY;
    for (int i = 0; i < attempts; ++i) {
      ++evaluations_;
      linearize(system, x, h);
      if (slopes == Slopes::by_differences) differentiate(system, x, h);
      solver_.compute(matrix_);
      step_ = solver_.solve(residual_);
      if (!step_.allFinite()) return false;
      double scale = 1, now = 0;
      const double size = v_.norm(), change = step_.head(nv).norm();
      for (int halving = 0; halving < 8; ++halving, scale /= 2) {
        v_ -= scale * step_.head(nv);
        lambda_ -= scale * step_.tail(rows);
        now = evaluate(system, x, h);
        // (Near convergence rounding decides; and if no fraction of the step helps, a small one is taken anyway.)
        if (now < before || change <= 1e-6 * (1 + size) || halving == 7) break;
        v_ += scale * step_.head(nv);
        lambda_ += scale * step_.tail(rows);
      }
      before = now;
      // Converged; or nearly, and rounding prevents further progress.
      const bool at_rounding = change >= 0.5 * smallest && change <= 1e-9 * (1 + size);
      smallest = std::min(smallest, change);
      if (at_rounding || change <= options_.solver_tolerance * (1 + size)) {
        finish(system, x, h);
        return true;
      }
    }
    return false;
  }

  // Replaces the columns of v' by difference quotients of the residual.
  void differentiate(System& system, const State& x, double h) {
    residual_before_ = residual_;
    for (int j = 0; j < v_.size(); ++j) {
      const double kept = v_[j], delta = 1e-7 * (1 + std::abs(kept));
      v_[j] = kept + delta;
      evaluate(system, x, h);
      matrix_.col(j) = (residual_ - residual_before_) / delta;
      v_[j] = kept;
    }
    evaluate(system, x, h);
  }

  // Forces are those at the end of the step; times the mean velocity, they are what changes the kinetic energy.
  void finish(System& system, State& x, double h) {
    a_ = 0.5 * (x.v + v_);
    work_.add(h, system.power(applied_, q_, a_, v_));
    x.v = v_;
    x.q = q_;
    x.t += h;
  }

  // Computes the residual at v_ and lambda_, and returns its norm.
  double evaluate(System& system, const State& x, double h) {
    const auto& model = system.model();
    Unchecked kernels(model, system.work());
    kernels.integrate(x.q.data(), v_.data(), h, q_.data());
    system.evaluate(x.t + h, q_, v_, applied_);
    a_ = (v_ - x.v) / h;
    const double* const external = applied_.any_external ? applied_.external.data() : nullptr;
    kernels.rnea(q_.data(), v_.data(), a_.data(), external, inertial_.data());
    residual_.head(model.nv()) = inertial_ - applied_.tau;
    if (auto* const loops = system.loops()) {
      loops->gap(model, system.work(), q_);
      const auto& J = loops->rows().J();
      residual_.head(model.nv()).noalias() -= J.transpose() * lambda_;
      residual_.tail(J.rows()).noalias() = J * v_;
    }
    return residual_.norm();
  }

  void linearize(System& system, const State& x, double h) {
    const auto& model = system.model();
    const int nv = model.nv();
    const int stride = row_stride(nv);
    const ModelView<double> view(model);
    single_kernels().rnea_derivatives(view, *scratch_, q_.data(), v_.data(), a_.data(), nullptr, dtau_dq_.data(),
                                      dtau_dv_.data(), M_.data(), stride);
    single_kernels().integrate_derivatives(view, x.q.data(), v_.data(), h, dq_dq_.data(), dq_dv_.data(), stride);
    dense::mirror_upper(M_.data(), nv, stride);
    const auto matrix = [&](const Array<double>& m) {
      return MatrixView(m.data(), nv, nv, Eigen::OuterStride<>(stride));
    };
    system.gains(v_, stiffness_, damping_);
    matrix_.setZero();
    // (∂tau/∂q) (∂q'/∂v') + ∂tau/∂v + M / h
    matrix_.topLeftCorner(nv, nv).noalias() = matrix(dtau_dq_) * matrix(dq_dv_);
    matrix_.topLeftCorner(nv, nv) += matrix(dtau_dv_) + matrix(M_) / h;
    matrix_.topLeftCorner(nv, nv).diagonal() += damping_ + h * stiffness_;
    system.add_spring_gains(q_, h, matrix_.topLeftCorner(nv, nv));
    if (auto* const loops = system.loops()) {
      const auto& J = loops->rows().J();
      const auto rows = J.rows();
      matrix_.topRightCorner(nv, rows) = -J.transpose();
      matrix_.bottomLeftCorner(rows, nv) = J;
      // The multipliers of redundant rows are not unique: a small regularization chooses among them.
      matrix_.bottomRightCorner(rows, rows).diagonal().setConstant(1e-12);
    }
  }

  static constexpr int usual_iterations = 25;
  IntegratorOptions options_;
  std::unique_ptr<KernelScratch> scratch_;
  Array<double> dtau_dq_, dtau_dv_, M_, dq_dq_, dq_dv_;
  Applied applied_;
  Eigen::VectorXd q_, v_, a_, inertial_, stiffness_, damping_, residual_, residual_before_, step_, lambda_;
  Eigen::MatrixXd matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> solver_;
};

}  // namespace

std::unique_ptr<Integrator> implicit_euler(const Model& model, const IntegratorOptions& options) {
  return std::make_unique<ImplicitEuler>(model, options);
}

}  // namespace lissom::sim
