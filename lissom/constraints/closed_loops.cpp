#include "lissom/constraints/closed_loops.h"

#include <cmath>
#include <sstream>

#include "lissom/api/dynamics.h"
#include "lissom/api/unchecked.h"
#include "lissom/math/dense.h"

namespace lissom {
namespace {

// Directions with less than this, in proportion, are rounding.
constexpr double dependent_torques = 1e-9;
// Rounding of accelerations, in proportion, that is worth some time.
constexpr double visible = 2e-12;
// Where loops are open by more they cannot be closed here, and digits beyond are no use.
constexpr double nearly_closed = 1e-10;

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

// (Only what would be read or written outside of memory: integrators call these with what they have.)
void ClosedLoops::check(const Model& model, const Workspace& work, const Eigen::VectorXd& q) const {
  if (model.structure_id() != structure_id_)
    throw Error("loops: these were made for another model than '" + model.name() + "'; expected ClosedLoops(model, …)");
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
  rows_.evaluate_rate(model, work, q, v);
  target_ = -rows_.rate();
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

// Near a singular pose: the rounding of a row, divided by its leverage three times, would be seen in accelerations.
bool ClosedLoops::ill_conditioned() const {
  return rows_.count() > 0 && rows_.rounding().maxCoeff() > visible * std::pow(basis_.pivot_ratio(), 3);
}

// Newton's method once more, with residuals in extended precision; the span as it is, which is good for many digits.
void ClosedLoops::refine(const Model& model, Workspace& work, Eigen::VectorXd& q, Eigen::VectorXd& v) {
  for (int i = 0; i < 4; ++i) {
    precise_.evaluate(model, rows_, q, v, zero_);
    step_.setZero();
    target_ = -precise_.residual();
    basis_.add(step_, target_);
    Unchecked(model, work).integrate(q.data(), step_.data(), 1.0, trial_.data());
    q = trial_;
    const double turned = step_.lpNorm<Eigen::Infinity>();
    step_.setZero();
    target_ = -precise_.rate();
    basis_.add(step_, target_);
    v += step_;
    const double changed = step_.lpNorm<Eigen::Infinity>() / (1 + v.lpNorm<Eigen::Infinity>());
    if (std::max(turned, changed) < 1e-15) return;
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

double ClosedLoops::open(const Model& model, Workspace& work, const Eigen::VectorXd& q, From from) {
  if (from == From::near) return gap(model, work, q);
  rows_.evaluate_far(model, work, q);
  return rows_.residual().norm();  // in every step some of the numbers may grow, but not this one
}

// Newton's method: each step is the shortest that closes the linearized loops. A step that opens them further is
// halved. The span is kept while that works well, which it does near closed states.
double ClosedLoops::close(const Model& model, Workspace& work, Eigen::VectorXd& q, From from, int iterations,
                          double max_step) {
  double before = open(model, work, q, from);
  bool renew = true;
  for (int i = 0; i < iterations && !closed(); ++i) {
    if (renew) {
      factorize(model, work, q);
      basis_.set(factor_, rows_.J(), rows_.rounding());
    }
    step_.setZero();
    target_ = -rows_.residual();
    basis_.satisfy(step_, target_);
    double scale = std::min(1.0, max_step / std::max(step_.lpNorm<Eigen::Infinity>(), 1e-300)), left = before;
    for (int halving = 0; halving < 12; ++halving, scale /= 2) {
      Unchecked(model, work).integrate(q.data(), step_.data(), scale, trial_.data());
      left = open(model, work, trial_, from);
      if (left < before) break;
    }
    if (!(left < before)) {
      before = open(model, work, q, from);
      if (renew) return before;  // as far as rounding, or this way, goes
      renew = true;
      continue;
    }
    renew = left > 0.1 * before;
    q = trial_;
    before = left;
  }
  return before;
}

double ClosedLoops::project(const Model& model, Workspace& work, Eigen::VectorXd& q, Eigen::VectorXd& v) {
  check(model, work, q);
  check_v(model, "v", v);
  const double left = close(model, work, q, From::near, 10, 0.1);
  project_velocity(model, work, q, v);
  if (!ill_conditioned() || left > nearly_closed) return left;
  refine(model, work, q, v);
  return gap(model, work, q);
}

void ClosedLoops::assemble(const Model& model, Workspace& work, Eigen::VectorXd& q, double tolerance) {
  check(model, work, q);
  WorkspaceMemory::of(work).check_q(model, q);
  close(model, work, q, From::afar, 200, 0.2);
  close(model, work, q, From::near, 200, 0.2);
  // Judged from afar: closed, and the right way round.
  rows_.evaluate_far(model, work, q);
  if (rows_.residual().lpNorm<Eigen::Infinity>() <= tolerance) return;
  std::ostringstream text;
  text << "the loops of model '" << model.name() << "' cannot be closed from this q:";
  for (int row = 0; row < rows_.count(); ++row)
    if (const double c = rows_.residual()[row]; std::abs(c) > tolerance)
      text << " '" << rows_.label(row).name << "' stays open by " << c << ' ' << rows_.label(row).unit << ';';
  text << " expected at most " << tolerance << ". Begin from a q that is nearer, or check the frames of the loop";
  throw Error(text.str());
}

Eigen::VectorXd forward_dynamics(const Model& model, Workspace& work, ClosedLoops& loops, const VectorIn& q,
                                 const VectorIn& v, const VectorIn& tau) {
  Eigen::VectorXd a = forward_dynamics(model, work, q, v, tau);
  loops.factor().factorize(model, work, q);
  loops.constrain(model, work, loops.factor(), q, v, a);
  return a;
}

ClosedLoopTorques inverse_dynamics(const Model& model, Workspace& work, ClosedLoops& loops, const VectorIn& q,
                                   const VectorIn& v, const VectorIn& a, const std::vector<bool>& actuated) {
  if (int(actuated.size()) != model.nv())
    throw Error("actuated has " + std::to_string(actuated.size()) + " entries; this model expects " +
                std::to_string(model.nv()));
  // Needed = Sᵀ tau + Jᵀ λ: first what no closure can carry, by the smallest tau; the closures carry the rest.
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
    if (driven.norm() < dependent_torques) driven.setZero();  // nothing left but rounding
    const Eigen::VectorXd asked = Z * needed;
    result.tau = dense::least_squares(driven, asked, dependent_torques);
    if (const double missing = (driven * result.tau - asked).cwiseAbs().maxCoeff();
        missing > 1e-8 * std::max(1.0, needed.cwiseAbs().maxCoeff()))
      throw Error("the actuated joints cannot bring this acceleration about: " + std::to_string(missing) +
                  " N·m (or N) are missing; actuate more joints, or ask for an acceleration they can give");
  }
  result.multipliers = dense::least_squares(Jt, needed - result.tau, dependent_torques);
  return result;
}

}  // namespace lissom
