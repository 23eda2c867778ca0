// What a step leaves of momentum and energy. M changes along the way, and a step that knows it at its beginning only
// would let both drift. After the move, the velocity is corrected by as little as rounding and O(h³): the base of a
// robot that nothing fixed touches gets the motion that the momentum demands, and the rest of the motion is scaled
// until its kinetic energy is what the work of all forces explains (docs/contact.md, "What is conserved").
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "lissom/world/robot_memory.h"

namespace lissom::worlds {
RobotUnit::Balance RobotUnit::balance(double h, bool flies) const {
  const auto& m = *memory_;
  Balance expected;
  // T(v⁺) in the metric of the step, without what implicit terms add to it, less the work of gravity and inertia:
  // h (rnea - M a) · (v + v⁺)/2.
  double energy = 0, work = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const auto k = Eigen::Index(i);
    const double mean = .5 * (v_start[k] + v_end[k]);
    energy += .5 * (z[i] * z[i] - m.implicit[k] * v_end[k] * v_end[k]);
    work += (m.bias[k] + m.implicit[k] * a[k]) * mean - .5 * m.z_of_a[i] * (m.z_start[i] + z[i]);
  }
  expected.energy = energy + h * work + m.potential - excess_energy;
  if (!flies) return expected;
  compute_centroidal_map();
  if (m.carries_momentum)
    expected.momentum = m.momentum + m.centroidal_map * (v_start - v);
  else
    expected.momentum = m.centroidal_map * v_start;
  const auto g = model_.gravity();
  const double linear[3] = {h * m.mass * g.x + impulse.x, h * m.mass * g.y + impulse.y, h * m.mass * g.z + impulse.z};
  const double angular[3] = {angular_impulse.x, angular_impulse.y, angular_impulse.z};
  for (int k = 0; k < 3; ++k) expected.momentum[k] += linear[k], expected.momentum[3 + k] += angular[k];
  add_base_forces(h, expected.momentum);
  return expected;
}

// Forces on the base are those of something outside: τ_base = Jᵀ f with the Jacobian of the base at the center of mass.
void RobotUnit::add_base_forces(double h, Vector6& momentum) const {
  const auto& m = *memory_;
  const Vector6 force = tau.segment<6>(m.free_base) + external.segment<6>(m.free_base);
  if (force.isZero(0)) return;
  Eigen::Matrix<double, 6, 6> J;
  for (int k = 0; k < 6; ++k) {
    const double* const s = m.axes.col(m.free_base + k).data();
    const auto at_com = Vec3<double>{s[0], s[1], s[2]} + cross(Vec3<double>{s[3], s[4], s[5]}, m.com);
    J.col(k) << at_com.x, at_com.y, at_com.z, s[3], s[4], s[5];
  }
  momentum += h * J.transpose().partialPivLu().solve(force);
}

bool RobotUnit::conserve(const Balance& expected, bool flies) {
  auto& m = *memory_;
  Eigen::VectorXd& locked = m.v_middle;  // the motion of the robot as one rigid body with this momentum
  locked.setZero();
  if (flies) {
    compute_centroidal_map();
    const int b = m.free_base;
    Eigen::Matrix<double, 6, 2> both;
    both.col(0).noalias() = expected.momentum - m.centroidal_map * v;
    both.col(1) = expected.momentum;
    const Eigen::Matrix<double, 6, 6> of_base = m.centroidal_map.middleCols<6>(b);
    both = of_base.partialPivLu().solve(both).eval();
    v.segment<6>(b) += both.col(0);
    locked.segment<6>(b) = both.col(1);
  }
  if (flies) m.momentum = expected.momentum;
  return scale_motion(locked, expected.energy - m.potential, flies);
}

// v = locked + s (v - locked), with T(v) = expected. The two parts are orthogonal in the metric of M.
bool RobotUnit::scale_motion(const Eigen::VectorXd& locked, double expected, bool flies) {
  auto& m = *memory_;
  Unchecked kernels(model_, m.work);
  const auto energy_of = [&](auto&& x) {
    double sum = 0;
    for (int i = 0; i < nv(); ++i) {
      double row = .5 * kernels.M(i, i) * x(i);
      for (int j = i + 1; j < nv(); ++j) row += kernels.M(i, j) * x(j);
      sum += x(i) * row;
    }
    return sum;
  };
  const double of_locked = flies ? energy_of([&](int i) { return locked[i]; }) : 0;
  const double of_rest = energy_of([&](int i) { return v[i] - locked[i]; });
  const double wanted = expected - of_locked;
  // Errors of the step alone are corrected: a robot at rest, or one whose balance says something else, stays as it is.
  // Joints that turn too fast for the step gain any amount, or lose much of it. So any amount is taken, and a robot
  // that nothing touches gets back more than another one.
  const double largest = flies ? 20 : 1.5;
  if (!(of_rest > 1e-9 * m.mass) || !(wanted > 0) || !(wanted < largest * of_rest)) return false;
  // The acceleration that belongs to such an error would mislead the next step.
  if (std::abs(wanted - of_rest) >= .5 * of_rest) a.setConstant(std::numeric_limits<double>::quiet_NaN());
  const double s = std::sqrt(wanted / of_rest);
  v = locked + s * (v - locked);
  return true;
}

}  // namespace lissom::worlds
