#include "lissom/formulations/lagrange.h"

#include "lissom/formulations/link_jacobians.h"

namespace lissom::formulations {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Mat3<Dual<double>> rotation_times_constant(const Mat3<Dual<double>>& R, const Matrix3d& I) {
  Mat3<double> m{I(0, 0), I(0, 1), I(0, 2), I(1, 0), I(1, 1), I(1, 2), I(2, 0), I(2, 1), I(2, 2)};
  return R * cast<Dual<double>>(m);
}

}  // namespace

EquationsOfMotion lagrange(const Charted& c, const VectorIn& charted, const VectorIn& rates) {
  const auto x = moving(c, charted, rates);
  const auto all = link_jacobians(c, x.data());
  EquationsOfMotion e{MatrixXd::Zero(c.size(), c.size()), VectorXd::Zero(c.size()), VectorXd::Zero(c.size())};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto& link = c.mechanism().links[k];
    const Matrix3Xd Jv = values(all[k].v), Jw = values(all[k].omega);
    const Matrix3Xd Jv_rate = slopes(all[k].v), Jw_rate = slopes(all[k].omega);
    Matrix3d R;
    const auto& X = all[k].X.R;
    R << X.xx.value, X.xy.value, X.xz.value, X.yx.value, X.yy.value, X.yz.value, X.zx.value, X.zy.value, X.zz.value;
    const Matrix3d Ic = R * link.inertia * R.transpose();
    const Eigen::Vector3d omega = Jw * rates;

    e.M += link.mass * Jv.transpose() * Jv + Jw.transpose() * Ic * Jw;
    e.C += link.mass * Jv.transpose() * (Jv_rate * rates) +
           Jw.transpose() * (Ic * (Jw_rate * rates) + omega.cross(Ic * omega));
    e.gravity += link.mass * Jv.transpose() * c.mechanism().gravity;
  }
  const auto rotors = rotor_rows(c, charted, rates);
  e.M += rotors.E.transpose() * rotors.armature.asDiagonal() * rotors.E;
  e.C += rotors.E.transpose() * rotors.armature.asDiagonal() * (rotors.E_rate * rates);
  return e;
}

EquationsOfMotion lagrange_by_energy(const Charted& c, const VectorIn& charted, const VectorIn& rates) {
  return lagrange_by_energy_in_passes(c, charted, rates, [] {});
}

EquationsOfMotion lagrange_by_energy_in_passes(const Charted& c, const VectorIn& charted, const VectorIn& rates,
                                               const std::function<void()>& between) {
  check_vector(rates, c.size(), "rates");
  const int n = c.size();
  EquationsOfMotion e{MatrixXd::Zero(n, n), VectorXd::Zero(n), VectorXd::Zero(n)};
  MatrixXd M_rate = MatrixXd::Zero(n, n);
  VectorXd energy_gradient(n), unit = VectorXd::Zero(n);
  for (int j = 0; j < n; ++j) {
    between();
    unit[j] = 1;
    const auto all = link_jacobians(c, moving(c, charted, unit).data());
    MatrixXd M = MatrixXd::Zero(n, n), dM = MatrixXd::Zero(n, n);  // dM is ∂M/∂q̃_j
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto& link = c.mechanism().links[k];
      const Matrix3Xd Jv = values(all[k].v), Jw = values(all[k].omega), dJv = slopes(all[k].v),
                      dJw = slopes(all[k].omega);
      // I_c = R I₀ Rᵀ, and its derivative.
      const auto I_dual = rotation_times_constant(all[k].X.R, link.inertia) * transpose(all[k].X.R);
      Matrix3d I, dI;
      I << I_dual.xx.value, I_dual.xy.value, I_dual.xz.value, I_dual.yx.value, I_dual.yy.value, I_dual.yz.value,
          I_dual.zx.value, I_dual.zy.value, I_dual.zz.value;
      dI << I_dual.xx.slope, I_dual.xy.slope, I_dual.xz.slope, I_dual.yx.slope, I_dual.yy.slope, I_dual.yz.slope,
          I_dual.zx.slope, I_dual.zy.slope, I_dual.zz.slope;
      if (j == 0) M += link.mass * Jv.transpose() * Jv + Jw.transpose() * I * Jw;
      const MatrixXd half = link.mass * Jv.transpose() * dJv + Jw.transpose() * I * dJw;
      dM += half + half.transpose() + Jw.transpose() * dI * Jw;
      // -∂V/∂q̃_j with V = -Σ m g·c.
      e.gravity[j] += link.mass * c.mechanism().gravity.dot(
                                      Eigen::Vector3d(all[k].com.x.slope, all[k].com.y.slope, all[k].com.z.slope));
    }
    const auto rotors = rotor_rows(c, charted, unit);
    if (j == 0) e.M = M + rotors.E.transpose() * rotors.armature.asDiagonal() * rotors.E;
    const MatrixXd half = rotors.E.transpose() * rotors.armature.asDiagonal() * rotors.E_rate;
    dM += half + half.transpose();
    M_rate += dM * rates[j];
    energy_gradient[j] = 0.5 * rates.dot(dM * rates);
    unit[j] = 0;
  }
  e.C = M_rate * rates - energy_gradient;
  return e;
}

}  // namespace lissom::formulations
