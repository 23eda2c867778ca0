#pragma once
// Spatial algebra as the book writes it, in dense 6×6 matrices (angular above linear), with which the types of spatial/
// are compared; and conversions between plain numbers and any scalar type.
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "close.h"
#include "lissom/spatial/all_turns.h"
#include "lissom/spatial/columns.h"
#include "lissom/spatial/quaternion.h"
#include "lissom/spatial/transform.h"
#include "random_tree.h"

namespace lissom::test {

using V3 = Eigen::Vector3d;
using M3 = Eigen::Matrix3d;
using V6 = Eigen::Matrix<double, 6, 1>;
using M6 = Eigen::Matrix<double, 6, 6>;

inline double in_lane(double x, int) {
  return x;
}
inline double in_lane(float x, int) {
  return double(x);
}
template <class S, int N>
double in_lane(const Lanes<S, N>& x, int i) {
  return double(x[i]);
}
template <class T>
double in_lane(const Dual<T>& x, int i) {
  return in_lane(x.value, i);
}
template <class T>
V3 in_lane(const Vec3<T>& v, int i) {
  return {in_lane(v.x, i), in_lane(v.y, i), in_lane(v.z, i)};
}
template <class T>
M3 in_lane(const Mat3<T>& m, int i) {
  M3 r;
  r << in_lane(row_x(m), i).transpose(), in_lane(row_y(m), i).transpose(), in_lane(row_z(m), i).transpose();
  return r;
}
template <class T>
M3 in_lane(const Sym3<T>& m, int i) {
  return in_lane(full(m), i);
}
template <class T>
V6 in_lane(const Motion<T>& m, int i) {
  V6 r;
  r << in_lane(m.angular, i), in_lane(m.linear, i);
  return r;
}
template <class T>
V6 in_lane(const Force<T>& f, int i) {
  V6 r;
  r << in_lane(f.angular, i), in_lane(f.linear, i);
  return r;
}
inline M3 skew_of(const V3& v) {
  M3 m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}
template <class T, class M>
M6 in_lane(const RigidInertia<T, M>& b, int i) {
  M6 I;
  const M3 h = skew_of(in_lane(b.h, i));
  I << in_lane(b.I, i), h, -h, in_lane(b.mass, i) * M3::Identity();
  return I;
}
template <class T>
M6 in_lane(const ArticulatedInertia<T>& b, int i) {
  M6 I;
  I << in_lane(b.A, i), in_lane(b.B, i), in_lane(b.B, i).transpose(), in_lane(b.C, i);
  return I;
}
template <class T>
M6 in_lane(const BodyCoriolis<T>& m, int i) {
  M6 B = M6::Zero();
  const M3 N = in_lane(m.N, i);
  B.topLeftCorner<3, 3>() = N.trace() * M3::Identity() - N;
  B.bottomLeftCorner<3, 3>() = -skew_of(in_lane(m.p, i));
  return B;
}
// A joint's reduced inertia, with the rows it leaves out written as zero.
template <Axis A, class T>
M6 in_lane(const TurnFree<A, T>& r, int i) {
  const T o = zero<T>();
  return in_lane(ArticulatedInertia<T>(from_z<A>(Sym3<T>(r.Axx, r.Axy, o, r.Ayy, o, o)),
                                       from_z<A>(from_rows(r.Bx, r.By, zero_vec3<T>())), from_z<A>(r.C)),
                 i);
}

// v×, v×*
inline M6 motion_cross(const V6& v) {
  M6 m = M6::Zero();
  m.topLeftCorner<3, 3>() = m.bottomRightCorner<3, 3>() = skew_of(v.head<3>());
  m.bottomLeftCorner<3, 3>() = skew_of(v.tail<3>());
  return m;
}
inline M6 force_cross(const V6& v) {
  return -motion_cross(v).transpose();
}
// X, which transforms motions from the parent to a child with orientation R and origin p.
inline M6 motion_transform(const M3& R, const V3& p) {
  M6 X = M6::Zero();
  X.topLeftCorner<3, 3>() = X.bottomRightCorner<3, 3>() = R.transpose();
  X.bottomLeftCorner<3, 3>() = -R.transpose() * skew_of(p);
  return X;
}

// Random quantities, another in each lane.
template <class T>
struct Make {
  Random random;
  explicit Make(std::uint64_t seed) : random(seed) {}

  template <class F>
  static T fill(const F& number) {
    using S = Number<T>;
    if constexpr (std::is_floating_point_v<T>) {
      return T(number());
    } else if constexpr (requires(T t) { t.slope; }) {
      return T(S(number()), S(number()));
    } else {
      T x(S(0));
      for (int i = 0; i < lanes_of<T>; ++i) x.set(i, S(number()));
      return x;
    }
  }
  T scalar(double reach = 1) {
    return fill([&] { return random.uniform(-reach, reach); });
  }
  Vec3<T> vec3(double reach = 1) { return {scalar(reach), scalar(reach), scalar(reach)}; }
  Motion<T> motion() { return {vec3(), vec3()}; }
  Force<T> force() { return {vec3(), vec3()}; }
  Mat3<T> mat3() {
    const auto x = vec3(), y = vec3(), z = vec3();
    return from_rows(x, y, z);
  }
  Quaternion<T> quaternion() {
    return normalized(Quaternion<T>{scalar() + Number<T>(2), scalar(), scalar(), scalar()});
  }
  Mat3<T> rotation() { return matrix(quaternion()); }
  Sym3<T> positive() {  // A Aᵀ + 1
    const auto A = mat3();
    auto S = symmetric_product(A, A);
    S += Sym3<T>(one<T>(), zero<T>(), zero<T>(), one<T>(), zero<T>(), one<T>());
    return S;
  }
  RigidInertia<Number<T>> rigid() {  // as the model holds it: plain numbers
    const auto link = random_link("", random);
    const double m = link.mass;
    const auto c = link.com;
    const auto cc = dot(c, c);
    const auto& I = link.inertia;
    return {
        Number<T>(m), cast<Number<T>>(m * c),
        cast<Number<T>>(Sym3<double>(I.xx + m * (cc - c.x * c.x), I.xy - m * c.x * c.y, I.xz - m * c.x * c.z,
                                     I.yy + m * (cc - c.y * c.y), I.yz - m * c.y * c.z, I.zz + m * (cc - c.z * c.z)))};
  }
  // Positive definite: (A B; Bᵀ C) with a B that is small against A and C.
  ArticulatedInertia<T> articulated() {
    auto B = mat3();
    const T s = T(Number<T>(0.2));
    B = from_rows(s * row_x(B), s * row_y(B), s * row_z(B));
    const auto A = positive(), C = positive();
    return {A, B, C};
  }
};

template <class T>
inline const double rounding = sizeof(Number<T>) == 8 ? 1e-13 : 2e-5;
// f(lane) in every lane
template <class T, class F>
void in_lanes(const F& f) {
  for (int i = 0; i < lanes_of<T>; ++i) f(i);
}
#define EXPECT_EQUAL_IN_LANES(T, found, expected) \
  in_lanes<T>([&](int lane) { EXPECT_TRUE(close(in_lane(found, lane), expected, rounding<T>)) << "lane " << lane; })

using EveryKindOfScalar = ::testing::Types<double, float, Lanes<double, 4>, Lanes<float, 8>, Dual<double>>;

}  // namespace lissom::test
