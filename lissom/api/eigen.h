#pragma once
// Conversions between the library's small types and Eigen's. Vec3 and Mat3 are also made of Eigen's vectors and
// matrices where one is expected (Point{hand, Eigen::Vector3d(0, 0, 0.1)}), and Sym3<double>(I) of a symmetric matrix.
#include <Eigen/Core>
#include <Eigen/Geometry>

#include "lissom/api/kinematics.h"
#include "lissom/spatial/pose.h"
#include "lissom/spatial/quaternion.h"

namespace lissom {

/// The corresponding type of Eigen.
inline Eigen::Vector3d to_eigen(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}
inline Eigen::Matrix3d to_eigen(const Mat3<double>& m) {
  return Eigen::Matrix3d{{m.xx, m.xy, m.xz}, {m.yx, m.yy, m.yz}, {m.zx, m.zy, m.zz}};
}
inline Eigen::Matrix3d to_eigen(const Sym3<double>& m) {
  return to_eigen(full(m));
}
inline Eigen::Quaterniond to_eigen(const Quaternion<double>& q) {
  return {q.w, q.x, q.y, q.z};
}
/// The linear part is above the angular part.
inline Vector6 to_eigen(const SpatialVector& x) {
  Vector6 v;
  v << x.linear.x, x.linear.y, x.linear.z, x.angular.x, x.angular.y, x.angular.z;
  return v;
}
inline Eigen::Isometry3d to_eigen(const Pose<double>& X) {
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  T.linear() = to_eigen(X.R);
  T.translation() = to_eigen(X.p);
  return T;
}
/// The same, by the name of Eigen's type.
inline Eigen::Isometry3d isometry(const Pose<double>& X) {
  return to_eigen(X);
}

/// Converts an expression with three elements to a Vec3, with 3 × 3 to a Mat3, with six to a SpatialVector (linear
/// above angular).
template <class Derived>
auto from_eigen(const Eigen::MatrixBase<Derived>& expression) {
  constexpr int rows = Derived::RowsAtCompileTime, columns = Derived::ColsAtCompileTime;
  static_assert(columns == 1 || columns == 3, "from_eigen takes Vector3d, Matrix3d and Vector6 of fixed sizes");
  static_assert(rows == 3 || (rows == 6 && columns == 1),
                "from_eigen takes Vector3d, Matrix3d and Vector6 of fixed sizes");
  const auto& e = expression.eval();
  if constexpr (columns == 3)
    return Mat3<double>(e);
  else if constexpr (rows == 3)
    return Vec3<double>(e);
  else
    return SpatialVector{{e[0], e[1], e[2]}, {e[3], e[4], e[5]}};
}
inline Pose<double> from_eigen(const Eigen::Isometry3d& T) {
  return {from_eigen(Eigen::Matrix3d(T.linear())), from_eigen(Eigen::Vector3d(T.translation()))};
}
inline Quaternion<double> from_eigen(const Eigen::Quaterniond& q) {
  return {q.w(), q.x(), q.y(), q.z()};
}
/// A pose from a rotation and an origin.
inline Pose<double> from_eigen(const Eigen::Matrix3d& R, const Eigen::Vector3d& p) {
  return {from_eigen(R), from_eigen(p)};
}
inline Pose<double> from_eigen(const Eigen::Quaterniond& q, const Eigen::Vector3d& p) {
  return from_eigen(q.toRotationMatrix(), p);
}

}  // namespace lissom
