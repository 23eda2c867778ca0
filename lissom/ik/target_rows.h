#pragma once
// Targets as rows of equations: the residuals of a target and their Jacobian with respect to v. Inverse kinematics
// drives the residuals to zero.
//
// A target constrains the frame `of`, or the center of mass, and is given in the frame `in`, with which it moves: a
// hand relative to the other hand, a center of mass over a foot. With p the target's point and R the frame's rotation,
// both in coordinates of `in`, and p*, R* the desired pose:
//   position, center_of_mass   p - p*                                      along the axes of `in`
//   orientation                log(R*ᵀ R), the rotation vector             along the axes of the desired frame
//   pose                       both, position first
//   look_at                    R a - (p* - p) / |p* - p|: the axis a points from p to p*
#include "lissom/ik/kernel_types.h"
#include "lissom/kinematics/jacobians.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::ik {

inline namespace LISSOM_ISA_NAMESPACE {

template <class Real>
LISSOM_INLINE Real counted(Real weight) {
  return weight > 0 ? Real(1) : Real(0);
}
// Sum of squares over the axes that are not left free.
template <class T, class Real>
LISSOM_INLINE T counted_square(const Vec3<Real>& weight, const Vec3<T>& e) {
  return counted(weight.x) * e.x * e.x + counted(weight.y) * e.y * e.y + counted(weight.z) * e.z * e.z;
}

// Three rows: the weighted residual, and K times the linear or angular halves of the columns (first: 0 or 3).
template <class T, class Real>
LISSOM_INLINE void write_rows(const ChosenColumns& columns, const T* J, int first, const Vec3<Real>& weight,
                              const Vec3<T>& residual, const Mat3<T>& K, T* e, T* rows) {
  e[0] = weight.x * residual.x, e[1] = weight.y * residual.y, e[2] = weight.z * residual.z;
  for (int c = 0; c < columns.count; ++c) {
    const T* const column = J + 6 * columns.index[c] + first;
    const auto r = K * Vec3<T>(column[0], column[1], column[2]);
    T* const out = rows + c * columns.height;
    out[0] = weight.x * r.x, out[1] = weight.y * r.y, out[2] = weight.z * r.z;
  }
}

template <class T, class Real>
LISSOM_INLINE void write_look_at_rows(const TargetRows<Real>& target, const Pose<T>& X, const Mat3<T>& R_IW,
                                      const Vec3<T>& desired, const ChosenColumns& columns, const T* J, T* e, T* rows,
                                      T* error) {
  const auto axis = X.R * cast<T>(target.axis), displacement = desired - X.p;
  const T length = sqrt(dot(displacement, displacement) + T(Real(1e-24)));  // avoids a division by zero at p = p*
  const T over = inverse(length);
  const auto u = over * displacement;
  const auto residual = axis - u;
  const auto& weight = target.angular_weight;
  e[0] = weight.x * residual.x, e[1] = weight.y * residual.y, e[2] = weight.z * residual.z;
  error[0] = zero<T>(), error[1] = counted_square(weight, residual);
  for (int c = 0; c < columns.count; ++c) {
    const T* const column = J + 6 * columns.index[c];
    const auto v = R_IW * Vec3<T>(column[0], column[1], column[2]);
    const auto omega = R_IW * Vec3<T>(column[3], column[4], column[5]);
    // u̇ = -(1 - u uᵀ) v / |p* - p|
    const auto r = cross(omega, axis) + over * (v - dot(u, v) * u);
    T* const out = rows + c * columns.height;
    out[0] = weight.x * r.x, out[1] = weight.y * r.y, out[2] = weight.z * r.z;
  }
}

// X_WF is the frame `of` with its origin at the target's point (or at the center of mass), X_WI the frame `in`, X_IP
// the desired pose. J has a column for each element of v, three linear and three angular elements along the world's
// axes: the velocity of F at its origin relative to `in`. Writes the weighted residuals e and the chosen columns of
// their Jacobian, and to `error` the remaining squared distance and squared angle, unweighted (for look_at the squared
// chord 4 sin²(angle / 2)). (d/dt log(R*ᵀ R) is V⁻¹ times the angular velocity along the desired frame's axes, with V
// the left Jacobian of SO(3): see left_jacobian_solve().)
template <class T, class Real>
LISSOM_INLINE void target_rows(const TargetRows<Real>& target, const Pose<T>& X_WF, const Pose<T>& X_WI,
                               const Pose<T>& X_IP, const ChosenColumns& columns, const T* J, T* e, T* rows, T* error) {
  const auto X = inverse(X_WI) * X_WF;
  const auto R_IW = transpose(X_WI.R);
  const auto kind = target.kind;
  if (kind == TargetKind::look_at) return write_look_at_rows(target, X, R_IW, X_IP.p, columns, J, e, rows, error);
  error[0] = error[1] = zero<T>();
  int row = 0;
  if (kind != TargetKind::orientation) {
    const auto residual = X.p - X_IP.p;
    error[0] = counted_square(target.linear_weight, residual);
    write_rows(columns, J, 0, target.linear_weight, residual, R_IW, e, rows);
    row = 3;
  }
  if (kind == TargetKind::orientation || kind == TargetKind::pose) {
    const auto R_PI = transpose(X_IP.R);
    const auto phi = logarithm(quaternion(R_PI * X.R));
    const auto B = R_PI * R_IW;
    const auto K = transpose(from_rows(left_jacobian_solve(phi, column_x(B)), left_jacobian_solve(phi, column_y(B)),
                                       left_jacobian_solve(phi, column_z(B))));
    error[1] = counted_square(target.angular_weight, phi);
    write_rows(columns, J, 3, target.angular_weight, phi, K, e + row, rows + row);
  }
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom::ik
