#pragma once
// Where a node of a scene (COLLADA, glTF) lies: p ↦ A p + b, with any matrix A. Not installed.
#include <array>
#include <cmath>

#include "lissom/math/mat3.h"

namespace lissom::mesh {

struct SceneTransform {
  Mat3<double> A = identity3<double>();
  Vec3<double> b{0, 0, 0};

  Vec3<double> operator*(const Vec3<double>& p) const { return A * p + b; }
  SceneTransform operator*(const SceneTransform& inner) const { return {A * inner.A, A * inner.b + b}; }
  bool mirrors() const { return dot(row_x(A), cross(row_y(A), row_z(A))) < 0; }
};

inline SceneTransform translation(double x, double y, double z) {
  return {identity3<double>(), {x, y, z}};
}
inline SceneTransform stretch(double x, double y, double z) {
  return {{x, 0, 0, 0, y, 0, 0, 0, z}, {0, 0, 0}};
}
// By an angle in radians about an axis of any length but zero (Rodrigues).
inline SceneTransform rotation_about(const Vec3<double>& axis, double angle) {
  const double length = std::sqrt(dot(axis, axis));
  if (!(length > 0)) return {};
  const auto u = (1 / length) * axis;
  const double c = std::cos(angle), s = std::sin(angle);
  const auto cross_part = skew(s * u);
  const auto outer_part = outer((1 - c) * u, u);
  return {Mat3<double>{c, 0, 0, 0, c, 0, 0, 0, c} + cross_part + outer_part, {0, 0, 0}};
}
// From 16 numbers, row by row; the last row is not used.
inline SceneTransform from_rows_of_4(const std::array<double, 16>& m) {
  return {{m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]}, {m[3], m[7], m[11]}};
}

// What makes z the axis that is up.
inline SceneTransform z_up_from_y_up() {
  return {{1, 0, 0, 0, 0, -1, 0, 1, 0}, {0, 0, 0}};  // (x, y, z) ↦ (x, -z, y)
}
inline SceneTransform z_up_from_x_up() {
  return {{0, -1, 0, 0, 0, -1, 1, 0, 0}, {0, 0, 0}};  // (x, y, z) ↦ (-y, -z, x)
}

}  // namespace lissom::mesh
