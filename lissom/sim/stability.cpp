#include "lissom/sim/stability.h"

#include <cmath>

#include "lissom/api/unchecked.h"
#include "lissom/model/short_text.h"
#include "lissom/model/text.h"
#include "lissom/sim/messages.h"

namespace lissom::sim {
namespace {

struct Mode {
  double eigenvalue = 0;
  int dof = -1;
  double gain = 0, inertia = 0;  // of the degree of freedom
};

// The largest eigenvalue of M⁻¹ A for a positive semidefinite A, by power iteration: in the inner product of A the
// product is self-adjoint, so that its Rayleigh quotient approaches the eigenvalue from below.
template <class Solve>
Mode fastest(const Eigen::MatrixXd& A, const Eigen::VectorXd& inertia, const Solve& solve) {
  Mode mode;
  const long n = A.rows();
  if (n == 0 || (A.array() == 0).all()) return mode;
  // Light degrees of freedom are the fast ones. (The sine keeps the start from being orthogonal to an eigenvector.)
  Eigen::VectorXd x(n), Ax(n), y(n);
  for (long i = 0; i < n; ++i) x[i] = (1 + 0.1 * std::sin(double(7 * i + 1))) / std::sqrt(std::max(inertia[i], 1e-12));
  for (int i = 0; i < 60; ++i) {
    Ax.noalias() = A * x;
    const double size = std::sqrt(x.dot(Ax));
    if (!(size > 0)) return {};
    x /= size, Ax /= size;
    y = Ax;
    solve(y);
    const double before = mode.eigenvalue;
    mode.eigenvalue = y.dot(Ax);
    if (!std::isfinite(mode.eigenvalue)) return {};
    x = y;
    if (i > 8 && std::abs(mode.eigenvalue - before) <= 1e-4 * mode.eigenvalue) break;
  }
  Ax = (A * x).cwiseProduct(x);
  Ax.maxCoeff(&mode.dof);
  mode.gain = A(mode.dof, mode.dof);
  y = Eigen::VectorXd::Unit(n, mode.dof);
  solve(y);
  mode.inertia = 1 / y[mode.dof];
  return mode;
}

}  // namespace

Stiffness stiffness_of(System& system, const State& x, double step, Springs which) {
  const auto& model = system.model();
  const int nv = model.nv();
  forward_kinematics(model, system.work(), x.q, x.v);  // throws if x is not a state of this model
  Eigen::VectorXd k = Eigen::VectorXd::Zero(nv), d = k, motor_k = k, motor_d = k;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(nv, nv), D = K;
  if (which != Springs::between_points) {
    system.passive_gains(Eigen::VectorXd::Zero(nv), k, d);  // where dry friction is stiffest
    system.motor_gains(motor_k, motor_d);
    K.diagonal() = k + motor_k;
    D.diagonal() = d + motor_d;
  }
  if (which != Springs::of_joints) {
    Eigen::MatrixXd of_springs = Eigen::MatrixXd::Zero(nv, nv), damped = of_springs;
    system.add_spring_gains(x.q, 0, damped);
    system.add_spring_gains(x.q, 1, of_springs);
    D += damped;
    K += of_springs - damped;
  }
  if ((K.array() == 0).all() && (D.array() == 0).all()) return {};
  MassMatrixFactor factor(model);
  Unchecked kernels(model, system.work());
  kernels.crba(x.q.data());
  Eigen::VectorXd inertia(nv);
  for (int i = 0; i < nv; ++i) inertia[i] = kernels.M(i, i);
  kernels.factorize(factor);
  auto* const loops = system.loops();
  if (loops) {
    Eigen::VectorXd v = x.v;
    loops->project_velocity(model, system.work(), x.q, v);
  }
  const auto solve = [&](Eigen::VectorXd& b) {
    Unchecked::solve(factor, b.data(), b.data());
    if (loops) loops->keep_allowed(b);
  };
  const Mode damped = fastest(D, inertia, solve), stiff = fastest(K, inertia, solve);
  return {.damping = step * damped.eigenvalue,
          .frequency = step * std::sqrt(std::max(0.0, stiff.eigenvalue)),
          .damped_dof = damped.dof,
          .stiff_dof = stiff.dof,
          .d = damped.gain,
          .damped_inertia = damped.inertia,
          .k = stiff.gain,
          .stiff_inertia = stiff.inertia};
}

// Damping and stiffness together: (h λ / max)² of both for oscillations, their sum for semi-implicit Euler (for which
// 2 h D + h² K < 4 M is the exact condition) and close to it for the others.
bool stable(const IntegratorInfo& method, const Stiffness& s) {
  const double damping = s.damping / method.max_damping, frequency = s.frequency / method.max_frequency;
  return damping + frequency * frequency < 1;
}

std::string instability(const Model& model, const IntegratorInfo& method, const Stiffness& s, double step, double t) {
  if (stable(method, s)) return "";
  const bool damped = s.damping / method.max_damping >= std::pow(s.frequency / method.max_frequency, 2);
  const int dof = damped ? s.damped_dof : s.stiff_dof;
  std::string joint;
  bool linear = false;
  for (const auto& j : model.joints())
    if (dof >= j.v_index && dof < j.v_index + j.nv) {
      joint = j.name;
      linear = joint_traits(j.type).v[std::size_t(dof - j.v_index)].quantity == Quantity::length;
    }
  const std::string unit = linear ? " N" : " N m", per = linear ? "/m" : "/rad", mass = linear ? " kg" : " kg m²";
  const double value = damped ? s.damping : s.frequency, limit = damped ? method.max_damping : method.max_frequency;
  std::string text =
      method.name + " with a step of " + to_text(step) + " s is not stable at t = " + short_text(t) + " s for the ";
  text += damped ? "damping of joint " + in_quotes(joint) + ": h d / M is " + short_text(value) +
                       " (d = " + short_text(s.d) + unit + " s" + per + ", M = " + short_text(s.damped_inertia) + mass
                 : "stiffness of joint " + in_quotes(joint) + ": h √(k / M) is " + short_text(value) +
                       " (k = " + short_text(s.k) + unit + per + ", M = " + short_text(s.stiff_inertia) + mass;
  return text + "), expected less than " + short_text(limit) +
         "; use the integrator implicit_joints or dopri5, or a step of less than " +
         short_text(0.9 * step * limit / value) + " s";
}

}  // namespace lissom::sim
