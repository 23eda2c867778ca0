#include "lissom/constraints/closed_loops.h"

#include <cmath>
#include <random>
#include <sstream>

#include "lissom/api/dynamics.h"
#include "lissom/api/unchecked.h"
#include "lissom/math/dense.h"
#include "lissom/math/random.h"
#include "lissom/model/arguments.h"
#include "lissom/model/text.h"

namespace lissom {
namespace {

// Singular values below this, relative to the largest, are rounding.
constexpr double dependent_torques = 1e-9;
// Relative rounding of accelerations above which refinement is worth its time.
constexpr double visible = 2e-12;
// Loops that stay open by more cannot be closed here, and refinement is useless.
constexpr double nearly_closed = 1e-10;
// Assembly tries other configurations, each farther away by this (rad, m) than the one before: nearby, and then up to
// half a revolution. Without the far ones, every third random configuration of the squeezer stayed open.
constexpr int all_starts = 32;
constexpr double nearby_distance = 0.05, far_distance = 0.1;

}  // namespace

ClosedLoops::ClosedLoops(const Model& model, Closures description)
    : structure_id_(model.structure_id()),
      rows_(model, std::move(description)),
      factor_(model),
      basis_(rows_.count(), model.nv()),
      precise_(model, rows_),
      step_(Eigen::VectorXd::Zero(model.nv())),
      target_(Eigen::VectorXd::Zero(rows_.count())),
      trial_(Eigen::VectorXd::Zero(model.nq())),
      zero_(step_) {}

// (Checks sizes only, which prevents access outside of memory: integrators call these functions in every stage.)
void ClosedLoops::check(const Model& model, const Workspace& work, const Eigen::VectorXd& q) const {
  if (model.structure_id() != structure_id_)
    throw Error("loops were created for another model than '" + model.name() +
                "'; create them with ClosedLoops(model)");
  WorkspaceMemory::of(work).check(model);
  expect_size("q", q.size(), model.nq());
}
void ClosedLoops::check_v(const Model& model, const char* name, const Eigen::VectorXd& v) const {
  expect_size(name, v.size(), model.nv());
}

void ClosedLoops::factorize(const Model& model, Workspace& work, const Eigen::VectorXd& q) {
  Unchecked kernels(model, work);
  kernels.crba(q.data());
  kernels.factorize(factor_);
}

double ClosedLoops::gap(const Model& model, Workspace& work, const Eigen::VectorXd& q) {
  check(model, work, q);
  rows_.evaluate(model, work, q);
  return rows_.residual().lpNorm<Eigen::Infinity>();
}

void ClosedLoops::constrain(const Model& model, Workspace& work, const MassMatrixFactor& factor,
                            const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& a) {
  check(model, work, q);
  check_v(model, "v", v);
  check_v(model, "a", a);
  rows_.evaluate(model, work, q);
  basis_.set(factor, rows_.J(), rows_.rounding());
  constrain_projected(model, work, q, v, a);
}

void ClosedLoops::constrain_projected(const Model& model, Workspace& work, const Eigen::VectorXd& q,
                                      const Eigen::VectorXd& v, Eigen::VectorXd& a) {
  rows_.evaluate_Jdot_v(model, work, q, v);
  target_ = -rows_.Jdot_v();
  basis_.satisfy(a, target_);
  if (ill_conditioned()) refine_acceleration(model, q, v, a);
}

void ClosedLoops::project_velocity(const Model& model, Workspace& work, const Eigen::VectorXd& q, Eigen::VectorXd& v) {
  check(model, work, q);
  check_v(model, "v", v);
  factorize(model, work, q);
  rows_.evaluate(model, work, q);
  basis_.set(factor_, rows_.J(), rows_.rounding());
  target_.setZero();
  basis_.satisfy(v, target_);
}

// Near a singular configuration the rounding error of a row is divided by its pivot three times until it reaches the
// accelerations (precise_rows.h).
bool ClosedLoops::ill_conditioned() const {
  return rows_.count() > 0 && rows_.rounding().maxCoeff() > visible * std::pow(basis_.pivot_ratio(), 3);
}

// Newton's method with residuals in extended precision; the basis is kept, since it is accurate to many digits.
void ClosedLoops::refine(const Model& model, Workspace& work, Eigen::VectorXd& q, Eigen::VectorXd& v) {
  for (int i = 0; i < 4; ++i) {
    precise_.evaluate(model, rows_, q, v, zero_);
    step_.setZero();
    target_ = -precise_.residual();
    basis_.add(step_, target_);
    Unchecked(model, work).integrate(q.data(), step_.data(), 1.0, trial_.data());
    q = trial_;
    const double q_change = step_.lpNorm<Eigen::Infinity>();
    step_.setZero();
    target_ = -precise_.rate();
    basis_.add(step_, target_);
    v += step_;
    const double v_change = step_.lpNorm<Eigen::Infinity>() / (1 + v.lpNorm<Eigen::Infinity>());
    if (std::max(q_change, v_change) < 1e-15) return;
  }
}

void ClosedLoops::refine_acceleration(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                      Eigen::VectorXd& a) {
  for (int i = 0; i < 2; ++i) {
    precise_.evaluate(model, rows_, q, v, a);
    target_ = -precise_.acceleration();
    basis_.add(a, target_);
  }
}

void ClosedLoops::keep_allowed(Eigen::VectorXd& change) {
  target_.setZero();
  basis_.satisfy(change, target_);
}

bool ClosedLoops::closed() const {
  return (rows_.residual().array().abs() <= rows_.rounding().array()).all();
}

double ClosedLoops::evaluate_gap(const Model& model, Workspace& work, const Eigen::VectorXd& q, Start start) {
  if (start == Start::near) return gap(model, work, q);
  rows_.evaluate_far(model, work, q);
  return rows_.residual().norm();  // single residuals may grow in a step, but not their norm
}

// Newton's method: each step is the shortest that closes the linearized loops. A step that opens them further is
// halved. The basis is kept while convergence is fast, as it is near closed states.
double ClosedLoops::close(const Model& model, Workspace& work, Eigen::VectorXd& q, Start start, int iterations,
                          double max_step) {
  double before = evaluate_gap(model, work, q, start);
  bool renew = true;
  for (int i = 0; i < iterations && !closed(); ++i) {
    if (renew) {
      factorize(model, work, q);
      basis_.set(factor_, rows_.J(), rows_.rounding());
    }
    step_.setZero();
    target_ = -rows_.residual();
    basis_.satisfy(step_, target_);
    double scale = std::min(1.0, max_step / std::max(step_.lpNorm<Eigen::Infinity>(), 1e-300)), remaining = before;
    for (int halving = 0; halving < 12; ++halving, scale /= 2) {
      Unchecked(model, work).integrate(q.data(), step_.data(), scale, trial_.data());
      remaining = evaluate_gap(model, work, trial_, start);
      if (remaining < before) break;
    }
    if (!(remaining < before)) {
      before = evaluate_gap(model, work, q, start);
      if (renew) return before;  // rounding, or a local minimum, prevents further progress
      renew = true;
      continue;
    }
    renew = remaining > 0.1 * before;
    q = trial_;
    before = remaining;
  }
  return before;
}

double ClosedLoops::project(const Model& model, Workspace& work, Eigen::VectorXd& q, Eigen::VectorXd& v) {
  check(model, work, q);
  check_v(model, "v", v);
  const double remaining = close(model, work, q, Start::near, 10, 0.1);
  project_velocity(model, work, q, v);
  if (!ill_conditioned() || remaining > nearly_closed) return remaining;
  refine(model, work, q, v);
  return gap(model, work, q);
}

double ClosedLoops::close_from(const Model& model, Workspace& work, Eigen::VectorXd& q) {
  close(model, work, q, Start::far, 200, 0.2);
  close(model, work, q, Start::near, 200, 0.2);
  // evaluate_far() also detects orientations that are wrong by half or a third of a revolution.
  rows_.evaluate_far(model, work, q);
  return rows_.residual().lpNorm<Eigen::Infinity>();
}

int ClosedLoops::assemble(const Model& model, Workspace& work, Eigen::VectorXd& q, double tolerance) {
  check(model, work, q);
  WorkspaceMemory::of(work).check_q(model, q);
  const Eigen::VectorXd start = q;
  if (close_from(model, work, q) <= tolerance) return 0;
  std::mt19937_64 random(1);
  for (int attempt = 1; attempt <= all_starts; ++attempt) {
    const double distance = attempt * (attempt <= nearby_starts ? nearby_distance : far_distance);
    Eigen::VectorXd other = start, change(model.nv());
    for (double& x : change) x = (2 * uniform01(random()) - 1) * distance;
    Unchecked(model, work).integrate(start.data(), change.data(), 1.0, other.data());
    if (!(close_from(model, work, other) <= tolerance)) continue;
    q = other;
    return attempt;
  }
  rows_.evaluate_far(model, work, q);
  std::ostringstream text;
  text << "the loops of model '" << model.name() << "' cannot be closed from this q:";
  for (int row = 0; row < rows_.count(); ++row)
    if (const double c = rows_.residual()[row]; std::abs(c) > tolerance)
      text << " '" << rows_.label(row).name << "' stays open by " << c << ' ' << rows_.label(row).unit << ';';
  text << " expected at most " << tolerance << ". " << all_starts
       << " random configurations, nearby and farther away, did not help"
       << ". Start from a q that is closer, or check the frames and lengths of the loop";
  throw Error(text.str());
}

std::string ClosedLoops::widest_gap() const {
  int widest = 0;
  if (rows_.count() == 0) return "no loop is open";
  rows_.residual().cwiseAbs().maxCoeff(&widest);
  return "'" + rows_.label(widest).name + "' is open by " + to_text(std::abs(rows_.residual()[widest])) + " " +
         rows_.label(widest).unit;
}

Eigen::VectorXd forward_dynamics(const Model& model, Workspace& work, ClosedLoops& loops, const VectorIn& q,
                                 const VectorIn& v, const VectorIn& tau) {
  loops.check(model, work, q);
  Eigen::VectorXd a = forward_dynamics(model, work, q, v, tau);
  loops.factor().factorize(model, work, q);
  loops.constrain(model, work, loops.factor(), q, v, a);
  return a;
}

ClosedLoopTorques inverse_dynamics(const Model& model, Workspace& work, ClosedLoops& loops, const VectorIn& q,
                                   const VectorIn& v, const VectorIn& a, const std::vector<bool>& actuated) {
  expect_size("actuated", long(actuated.size()), model.nv());
  // needed = Sᵀ tau + Jᵀ λ: the part that constraint forces cannot balance determines the smallest tau; the constraint
  // forces balance the rest.
  const Eigen::VectorXd needed = inverse_dynamics(model, work, q, v, a);
  loops.gap(model, work, q);
  const Eigen::MatrixXd Jt = loops.rows().J().transpose();
  const int nv = model.nv();
  ClosedLoopTorques result{Eigen::VectorXd::Zero(nv), Eigen::VectorXd::Zero(Jt.cols())};
  if (nv == 0) return result;
  const Eigen::MatrixXd Z = dense::complement(Jt, dependent_torques).transpose();
  if (Z.rows() > 0) {
    Eigen::MatrixXd driven = Z;
    for (int j = 0; j < nv; ++j)
      if (!actuated[std::size_t(j)]) driven.col(j).setZero();
    if (driven.norm() < dependent_torques) driven.setZero();  // only rounding remains
    const Eigen::VectorXd required = Z * needed;
    result.tau = dense::least_squares(driven, required, dependent_torques);
    if (const double missing = (driven * result.tau - required).cwiseAbs().maxCoeff();
        missing > 1e-8 * std::max(1.0, needed.cwiseAbs().maxCoeff()))
      throw Error("the actuated joints cannot produce this acceleration: " + std::to_string(missing) +
                  " N m (or N) are missing; actuate more joints, or request an acceleration that they can produce");
  }
  result.multipliers = dense::least_squares(Jt, needed - result.tau, dependent_torques);
  return result;
}

}  // namespace lissom
