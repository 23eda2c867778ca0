#include "lissom/formulations/gauss.h"

#include "lissom/formulations/link_jacobians.h"
#include "lissom/math/dense.h"
#include "lissom/model/arguments.h"

namespace lissom::formulations {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using D = Dual<double>;

// The free joint at the root of each link's tree, or nullptr.
std::vector<const Charted::Slot*> bases(const Charted& c) {
  const auto slots = slots_of_links(c);
  std::vector<const Charted::Slot*> base;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const auto& link = c.mechanism().links[k];
    base.push_back(link.parent >= 0               ? base[std::size_t(link.parent)]
                   : link.type == JointType::free ? slots[k]
                                                  : nullptr);
  }
  return base;
}

void check_system(const Charted& c, const MatrixXd& M, const VectorIn& bias, const VectorIn& Q) {
  expect_shape("M", M.rows(), M.cols(), c.size(), c.size());
  if (!M.allFinite()) throw Error("M has an element that is NaN or infinite");
  if (c.size() == 0) throw Error("the robot has no degrees of freedom, so there is nothing to solve");
  check_vector(bias, c.size(), "bias");
  check_vector(Q, c.size(), "Q");
}

}  // namespace

GaussEquations gauss(const Charted& c, const VectorIn& charted, const VectorIn& rates) {
  const int n = c.size();
  const auto q = moving(c, charted, rates);  // dual numbers: all that follows has values and rates
  const auto relative = link_jacobians(c, q.data(), true);
  const auto base_of = bases(c);
  GaussEquations e{MatrixXd::Zero(n, n), MatrixXd::Zero(n, n), VectorXd::Zero(n)};
  for (std::size_t k = 0; k < relative.size(); ++k) {
    const auto& link = c.mechanism().links[k];
    auto J_t = relative[k].v, J_r = relative[k].omega;
    auto R = relative[k].X.R;
    if (const auto* base = base_of[k]) {
      const D* theta = q.data() + base->at + 3;
      const auto R_0 = base->chart->rotation_of(theta);
      const auto J_0 = base->chart->rate_columns(theta);  // ω₀ = J_0 θ̇₀, along the world's axes
      // x_k = x₀ + R₀ x̂_k: J_t = (1, -[R₀ x̂_k] J_0, R₀ Ĵ_t);  ω_k = ω₀ + R₀ ω̂_k: J_r = (0, J_0, R₀ Ĵ_r)
      for (auto& column : J_t) column = R_0 * column;
      for (auto& column : J_r) column = R_0 * column;
      const auto arm = R_0 * relative[k].com;
      J_t[std::size_t(base->at)] = {D(1.0), D(0.0), D(0.0)};
      J_t[std::size_t(base->at) + 1] = {D(0.0), D(1.0), D(0.0)};
      J_t[std::size_t(base->at) + 2] = {D(0.0), D(0.0), D(1.0)};
      for (std::size_t i = 0; i < J_0.size(); ++i) {
        J_t[std::size_t(base->at) + 3 + i] = cross(J_0[i], arm);
        J_r[std::size_t(base->at) + 3 + i] = J_0[i];
      }
      R = R_0 * R;
    }
    for (auto& column : J_r) column = transpose_times(R, column);  // along the body's own axes

    const Matrix3Xd Jt = values(J_t), Jr = values(J_r), Jt_rate = slopes(J_t), Jr_rate = slopes(J_r);
    const Eigen::Vector3d momentum = link.inertia * (Jr * rates);
    e.M += link.mass * Jt.transpose() * Jt + Jr.transpose() * link.inertia * Jr;  // (25)
    e.N += link.mass * Jt.transpose() * Jt_rate + Jr.transpose() * link.inertia * Jr_rate -
           Jr.transpose() * cross_matrix(momentum) * Jr;  // (26)
    e.gravity += link.mass * Jt.transpose() * c.mechanism().gravity;
  }
  const auto rotors = rotor_rows(c, charted, rates);
  e.M += rotors.E.transpose() * rotors.armature.asDiagonal() * rotors.E;
  e.N += rotors.E.transpose() * rotors.armature.asDiagonal() * rotors.E_rate;
  return e;
}

MatrixXd projector(const Charted& c, const VectorIn& charted, Projector kind) {
  check_vector(charted, c.size(), "charted coordinates");
  const int n = c.size();
  MatrixXd A = MatrixXd::Identity(n, n);
  if (c.constraints() == 0) return A;
  if (kind == Projector::orthogonal) {
    const MatrixXd J = c.constraint_jacobian(charted);
    return A - dense::pseudo_inverse(J) * J;
  }
  for (const auto& s : c.slots()) {
    if (!s.chart || s.chart->constraints() == 0) continue;
    if (s.chart->name() != "quaternion")
      throw Error("joint '" + s.joint + "' has chart '" + s.chart->name() +
                  "', expected 'quaternion' for the oblique projector; use Projector::orthogonal");
    // SᵀS q is this quaternion, padded with zeros. qᵀ is q with the other quaternions set to zero: they have their own
    // constraints.
    VectorXd own = VectorXd::Zero(n), all = charted;
    const int at = s.at + s.size - 4;
    own.segment(at, 4) = charted.segment(at, 4);
    for (const auto& other : c.slots())
      if (&other != &s && other.chart && other.chart->constraints() > 0)
        all.segment(other.at + other.size - 4, 4).setZero();
    A -= own * all.transpose();
  }
  return A;
}

Constrained solve_with_multipliers(const Charted& c, const VectorIn& charted, const VectorIn& rates, const MatrixXd& M,
                                   const VectorIn& bias, const VectorIn& Q) {
  check_system(c, M, bias, Q);
  const int n = c.size(), m = c.constraints();
  const MatrixXd J = c.constraint_jacobian(charted);
  MatrixXd K = MatrixXd::Zero(n + m, n + m);
  VectorXd right(n + m);
  K.topLeftCorner(n, n) = M;
  K.topRightCorner(n, m) = J.transpose();
  K.bottomLeftCorner(m, n) = J;
  right << Q - bias, -c.constraint_bias(charted, rates);
  const VectorXd x = dense::solve(K, right);
  return {x.head(n), x.tail(m)};
}

VectorXd solve_projected(const Charted& c, const VectorIn& charted, const VectorIn& rates, const MatrixXd& M,
                         const VectorIn& bias, const VectorIn& Q, Projector kind, double* condition) {
  check_system(c, M, bias, Q);
  const int n = c.size(), m = c.constraints();
  const MatrixXd A = projector(c, charted, kind);
  MatrixXd K(n + m, n);
  VectorXd right(n + m);
  K << A * M, c.constraint_jacobian(charted);
  right << A * (Q - bias), -c.constraint_bias(charted, rates);
  if (condition) {
    const VectorXd s = dense::singular_values(K);
    *condition = s[0] / s[s.size() - 1];
  }
  return dense::least_squares(K, right);
}

}  // namespace lissom::formulations
