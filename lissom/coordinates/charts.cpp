#include "lissom/coordinates/charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "lissom/math/sincos.h"
#include "lissom/model/diagnostic.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom {
namespace {

using Vector = Chart::Vector;
constexpr double pi = std::numbers::pi;

// The rotation about the x (0), y (1) or z (2) axis.
template <class T>
Mat3<T> axis_rotation(int axis, const T& angle) {
  const auto a = sincos(angle);
  const T o = zero<T>(), i = one<T>();
  if (axis == 0) return {i, o, o, o, a.cos, -a.sin, o, a.sin, a.cos};
  if (axis == 1) return {a.cos, o, a.sin, o, i, o, -a.sin, o, a.cos};
  return {a.cos, -a.sin, o, a.sin, a.cos, o, o, o, i};
}

// Angles about axes[0], axes[1], axes[2]; each axis rotates with the rotations before it.
struct EulerRotation {
  std::array<int, 3> axes;
  bool fixed;  // the axes do not rotate: the same rotations in the opposite order
  template <class T>
  Mat3<T> operator()(const T* theta) const {
    const auto A = axis_rotation(axes[0], theta[0]), B = axis_rotation(axes[1], theta[1]),
               C = axis_rotation(axes[2], theta[2]);
    return fixed ? C * (B * A) : A * (B * C);
  }
};
struct EulerChart : ChartOf<EulerRotation, Unconstrained> {
  using ChartOf::ChartOf;
  Vector coordinates(const Mat3<double>& R) const override {
    auto axes = rho.axes;
    if (rho.fixed) std::swap(axes[0], axes[2]);
    const auto angles = moving(axes, R);
    return rho.fixed ? Vector(angles.reverse()) : angles;
  }
  static Vector moving(const std::array<int, 3>& axes, const Mat3<double>& R) {
    const double e[3][3] = {{R.xx, R.xy, R.xz}, {R.yx, R.yy, R.yz}, {R.zx, R.zy, R.zz}};
    const int i = axes[0], j = axes[1], repeated = axes[0] == axes[2];
    const int k = repeated ? 3 - i - j : axes[2];
    const double sign = (i + 1) % 3 == j ? 1 : -1;  // whether i, j, k are right-handed
    Vector angles(3);
    // The column of R that belongs to the last axis gives the first two angles; at the singularity the first is set to
    // 0.
    if (repeated) {  // R(i, i) = cos θ₂, R(j, i) = sin θ₁ sin θ₂, R(k, i) = -sign cos θ₁ sin θ₂
      const double s = std::hypot(e[j][i], e[k][i]);
      angles[1] = std::atan2(s, e[i][i]);
      angles[0] = s < 1e-14 ? 0 : std::atan2(e[j][i], -sign * e[k][i]);
    } else {  // R(i, k) = sign sin θ₂, R(j, k) = -sign sin θ₁ cos θ₂, R(k, k) = cos θ₁ cos θ₂
      const double c = std::hypot(e[j][k], e[k][k]);
      angles[1] = std::atan2(sign * e[i][k], c);
      angles[0] = c < 1e-14 ? 0 : std::atan2(-sign * e[j][k], e[k][k]);
    }
    // The third rotation is what remains of R after the first two.
    const Mat3<double> rest = transpose(axis_rotation(j, angles[1])) * (transpose(axis_rotation(i, angles[0])) * R);
    const double r[3][3] = {{rest.xx, rest.xy, rest.xz}, {rest.yx, rest.yy, rest.yz}, {rest.zx, rest.zy, rest.zz}};
    const int last = axes[2], a = (last + 1) % 3, b = (last + 2) % 3;
    angles[2] = std::atan2(r[b][a], r[a][a]);
    return angles;
  }
};

struct QuaternionRotation {
  template <class T>
  Mat3<T> operator()(const T* q) const {
    return matrix(q[0], q[1], q[2], q[3]);
  }
};
template <int First, int Count>
struct UnitLength {
  template <class T>
  void operator()(const T* theta, T* C) const {
    T sum = -one<T>();
    for (int k = First; k < First + Count; ++k) sum += theta[k] * theta[k];
    C[0] = sum;
  }
};
struct QuaternionChart : ChartOf<QuaternionRotation, UnitLength<0, 4>> {
  using ChartOf::ChartOf;
  Vector coordinates(const Mat3<double>& R) const override {
    const auto q = quaternion_of(R);
    return Eigen::Vector4d(q.w, q.x, q.y, q.z);
  }
};

struct MatrixElements {
  template <class T>
  Mat3<T> operator()(const T* m) const {
    return {m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]};
  }
};
struct OrthonormalColumns {
  template <class T>
  void operator()(const T* m, T* C) const {
    const Mat3<T> R{m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]};
    const auto e = transpose(R) * R;
    C[0] = e.xx - one<T>(), C[1] = e.yy - one<T>(), C[2] = e.zz - one<T>();
    C[3] = e.xy, C[4] = e.xz, C[5] = e.yz;
  }
};
struct MatrixChart : ChartOf<MatrixElements, OrthonormalColumns> {
  using ChartOf::ChartOf;
  Vector coordinates(const Mat3<double>& R) const override {
    Vector m(9);
    m << R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz;
    return m;
  }
};

// Rodrigues: 1 + sin φ [a] + (1 - cos φ) [a]²
struct AxisAngleRotation {
  template <class T>
  Mat3<T> operator()(const T* theta) const {
    const auto A = skew(Vec3<T>(theta[0], theta[1], theta[2]));
    const auto phi = sincos(theta[3]);
    return identity3<T>() + scaled(phi.sin, A) + scaled(one<T>() - phi.cos, A * A);
  }
  template <class T>
  static Mat3<T> scaled(const T& s, const Mat3<T>& m) {
    return {s * m.xx, s * m.xy, s * m.xz, s * m.yx, s * m.yy, s * m.yz, s * m.zx, s * m.zy, s * m.zz};
  }
};
struct AxisAngleChart : ChartOf<AxisAngleRotation, UnitLength<0, 3>> {
  using ChartOf::ChartOf;
  Vector coordinates(const Mat3<double>& R) const override {
    const auto phi = rotation_vector(R);
    const double angle = std::sqrt(dot(phi, phi));
    if (angle < 1e-300) return Eigen::Vector4d(0, 0, 1, 0);
    return Eigen::Vector4d(phi.x / angle, phi.y / angle, phi.z / angle, angle);
  }
};

// Liu & Jain (53): 1 + sin θ/θ [q] + (1 - cos θ)/θ² [q]², with series near 0.
struct ExponentialRotation {
  template <class T>
  Mat3<T> operator()(const T* theta) const {
    using S = Number<T>;
    const Vec3<T> phi(theta[0], theta[1], theta[2]);
    const T aa = dot(phi, phi);
    const auto small = aa < T(S(1e-2));
    const T safe = select(small, one<T>(), aa), angle = sqrt(safe);
    const auto full = sincos(angle), half = sincos(S(0.5) * angle);
    // The series are long enough that their second derivatives are exact to rounding too.
    const T a =
        select(small, series(aa, {1, -1. / 6, 1. / 120, -1. / 5040, 1. / 362880, -1. / 39916800}), full.sin / angle);
    const T b = select(small, series(aa, {0.5, -1. / 24, 1. / 720, -1. / 40320, 1. / 3628800, -1. / 479001600}),
                       S(2) * half.sin * half.sin / safe);
    const auto A = skew(phi);
    return identity3<T>() + AxisAngleRotation::scaled(a, A) + AxisAngleRotation::scaled(b, A * A);
  }
  template <class T>
  static T series(const T& x, const std::array<double, 6>& c) {
    T sum = T(Number<T>(c[5]));
    for (int k = 4; k >= 0; --k) sum = sum * x + T(Number<T>(c[std::size_t(k)]));
    return sum;
  }
};
struct ExponentialChart : ChartOf<ExponentialRotation, Unconstrained> {
  using ChartOf::ChartOf;
  Vector coordinates(const Mat3<double>& R) const override {
    const auto phi = rotation_vector(R);
    return Eigen::Vector3d(phi.x, phi.y, phi.z);
  }
  // A rotation vector longer than π is replaced by the equivalent shorter one.
  Vector away_from_singularity(const Chart::VectorIn& theta) const override {
    const double angle = theta.norm();
    if (angle <= pi) return theta;
    const double turns = std::round(angle / (2 * pi));
    return theta * ((angle - 2 * pi * turns) / angle);
  }
};

constexpr const char* sequences[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                                     "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"};

Chart euler(const std::string& name, std::string_view sequence, bool fixed) {
  EulerRotation rho{{sequence[0] - 'x', sequence[1] - 'x', sequence[2] - 'x'}, fixed};
  return Chart(std::make_shared<EulerChart>(name, 3, 0, rho, Unconstrained{}));
}

}  // namespace

std::vector<std::string> chart_names() {
  std::vector<std::string> names;
  for (const std::string kind : {"euler-", "fixed-"})
    for (const auto* sequence : sequences) names.push_back(kind + sequence);
  for (const auto* name : {"roll-pitch-yaw", "quaternion", "matrix", "axis-angle", "exponential"})
    names.emplace_back(name);
  return names;
}

Chart chart(std::string_view name) {
  const std::string known(name);
  for (const auto* sequence : sequences)
    for (const bool fixed : {false, true})
      if (known == (fixed ? "fixed-" : "euler-") + std::string(sequence)) return euler(known, sequence, fixed);
  if (known == "roll-pitch-yaw") return euler(known, "xyz", true);
  if (known == "quaternion")
    return Chart(std::make_shared<QuaternionChart>(known, 4, 1, QuaternionRotation{}, UnitLength<0, 4>{}));
  if (known == "matrix")
    return Chart(std::make_shared<MatrixChart>(known, 9, 6, MatrixElements{}, OrthonormalColumns{}));
  if (known == "axis-angle")
    return Chart(std::make_shared<AxisAngleChart>(known, 4, 1, AxisAngleRotation{}, UnitLength<0, 3>{}));
  if (known == "exponential")
    return Chart(std::make_shared<ExponentialChart>(known, 3, 0, ExponentialRotation{}, Unconstrained{}));
  std::string all;
  for (const auto& each : chart_names()) all += (all.empty() ? "" : ", ") + each;
  throw Error("no chart '" + known + "'; charts: " + all);
}

}  // namespace lissom
