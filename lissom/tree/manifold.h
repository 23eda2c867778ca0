#pragma once
// Configurations as points of a manifold: which elements of q are plain coordinates and which form quaternions or poses
// of the plane; how to integrate on it, and how exponential coordinates change. v is a tangent vector in body
// coordinates. Each kind of manifold is a small class with four functions, over pointers to its own elements;
// visit_manifold picks it, as visit_joint picks the class of a joint.
#include <vector>

#include "lissom/spatial/motion.h"
#include "lissom/spatial/quaternion.h"
#include "lissom/tree/joint_kind.h"

namespace lissom {

struct Manifold {
  struct Piece {
    ManifoldKind kind;
    int q, v;   ///< where its elements begin
    int count;  ///< degrees of freedom; plain coordinates that lie together form one piece
  };
  std::vector<Piece> pieces;  ///< in the order of q
};

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
LISSOM_INLINE Vec3<T> read_vec3(const T* x) {
  return {x[0], x[1], x[2]};
}
template <class T>
LISSOM_INLINE Quaternion<T> read_quaternion(const T* x) {
  return {x[0], x[1], x[2], x[3]};
}
template <class T>
LISSOM_INLINE void write(T* x, const Vec3<T>& a) {
  x[0] = a.x, x[1] = a.y, x[2] = a.z;
}
template <class T>
LISSOM_INLINE void write(T* x, const Quaternion<T>& a) {
  x[0] = a.w, x[1] = a.x, x[2] = a.y, x[3] = a.z;
}

/// u̇ = dexp⁻¹_{-u} v = v + ½ u×v + 1/12 u×u×v - 1/720 u×u×u×u×v + …, × the bracket of the group (Munthe-Kaas'
/// correction). The terms left out are of the sixth order in u: enough for integrators up to order 6.
template <class S, class Element>
LISSOM_INLINE Element inverse_dexp(const Element& u, const Element& v) {
  const auto once = cross(u, v), twice = cross(u, once), four = cross(u, cross(u, twice));
  return v + S(1. / 2) * once + S(1. / 12) * twice + S(-1. / 720) * four;
}

// The four functions are the same for every kind:
//   integrate        q exp(dt v); the result may be q
//   difference       the v that takes q0 to q1 in unit time, by the shorter rotation for orientations
//   increment_rate   u̇ in the chart q = q0 exp(u), while the robot moves with v
//   coordinate_rate  q̇, element by element

struct FlatManifold {
  int count;

  template <class T>
  LISSOM_INLINE void integrate(const T* q, const T* v, T dt, T* result) const {
    for (int k = 0; k < count; ++k) result[k] = q[k] + dt * v[k];
  }
  template <class T>
  LISSOM_INLINE void difference(const T* q0, const T* q1, T* result) const {
    for (int k = 0; k < count; ++k) result[k] = q1[k] - q0[k];
  }
  template <class T>
  LISSOM_INLINE void increment_rate(const T*, const T* v, T* rate) const {
    for (int k = 0; k < count; ++k) rate[k] = v[k];
  }
  template <class T>
  LISSOM_INLINE void coordinate_rate(const T*, const T* v, T* rate) const {
    for (int k = 0; k < count; ++k) rate[k] = v[k];
  }
};

/// Poses of the plane: x, y, angle.
struct Se2Manifold {
  static constexpr int nq = 3, nv = 3;
  template <class T>
  LISSOM_INLINE void integrate(const T* q, const T* v, T dt, T* result) const {
    const T angle = q[2], phi = dt * v[2];
    const auto moved =
        left_jacobian_times(Vec3<T>{zero<T>(), zero<T>(), phi}, Vec3<T>{dt * v[0], dt * v[1], zero<T>()});
    const auto R = sincos(angle);
    const T x = q[0] + R.cos * moved.x - R.sin * moved.y, y = q[1] + R.sin * moved.x + R.cos * moved.y;
    write(result, Vec3<T>{x, y, angle + phi});
  }
  template <class T>
  LISSOM_INLINE void difference(const T* q0, const T* q1, T* result) const {
    using S = Number<T>;
    const auto R = sincos(q0[2]);
    const T x = q1[0] - q0[0], y = q1[1] - q0[1], phi = q1[2] - q0[2];
    // The inverse left Jacobian in the plane. phi may be more than a whole rotation, which adds no displacement.
    const T half = S(0.5) * phi;
    const auto small = phi * phi < T(S(1e-8));
    const auto h = sincos(half);
    const T k = select(small, one<T>() - phi * phi * S(1. / 12), half * h.cos / select(small, one<T>(), h.sin));
    const T bx = R.cos * x + R.sin * y, by = R.cos * y - R.sin * x;
    write(result, Vec3<T>{k * bx + half * by, k * by - half * bx, phi});
  }
  template <class T>
  LISSOM_INLINE void increment_rate(const T* u, const T* v, T* rate) const {
    const auto r = inverse_dexp<Number<T>>(motion(u), motion(v));
    write(rate, Vec3<T>{r.linear.x, r.linear.y, r.angular.z});
  }
  template <class T>
  LISSOM_INLINE void coordinate_rate(const T* q, const T* v, T* rate) const {
    const auto R = sincos(q[2]);
    write(rate, Vec3<T>{R.cos * v[0] - R.sin * v[1], R.sin * v[0] + R.cos * v[1], v[2]});
  }

 private:
  template <class T>
  LISSOM_INLINE static Motion<T> motion(const T* v) {
    return {{zero<T>(), zero<T>(), v[2]}, {v[0], v[1], zero<T>()}};
  }
};

/// Rotations as unit quaternions.
struct So3Manifold {
  static constexpr int nq = 4, nv = 3;
  template <class T>
  LISSOM_INLINE void integrate(const T* q, const T* v, T dt, T* result) const {
    write(result, normalized(read_quaternion(q) * exponential(dt * read_vec3(v))));
  }
  template <class T>
  LISSOM_INLINE void difference(const T* q0, const T* q1, T* result) const {
    write(result, logarithm(conjugate(read_quaternion(q0)) * read_quaternion(q1)));
  }
  template <class T>
  LISSOM_INLINE void increment_rate(const T* u, const T* v, T* rate) const {
    write(rate, inverse_dexp<Number<T>>(read_vec3(u), read_vec3(v)));
  }
  // A quaternion's rate is ½ Q (0, ω).
  template <class T>
  LISSOM_INLINE void coordinate_rate(const T* q, const T* v, T* rate) const {
    const auto w = Number<T>(0.5) * read_vec3(v);
    write(rate, read_quaternion(q) * Quaternion<T>{zero<T>(), w.x, w.y, w.z});
  }
};

/// Poses: position, then quaternion; v linear, then angular.
struct Se3Manifold {
  static constexpr int nq = 7, nv = 6;
  template <class T>
  LISSOM_INLINE void integrate(const T* q, const T* v, T dt, T* result) const {
    const auto Q = read_quaternion(q + 3);
    const auto phi = dt * read_vec3(v + 3), d = dt * read_vec3(v);
    write(result, read_vec3(q) + matrix(Q) * left_jacobian_times(phi, d));
    write(result + 3, normalized(Q * exponential(phi)));
  }
  template <class T>
  LISSOM_INLINE void difference(const T* q0, const T* q1, T* result) const {
    const auto Q = read_quaternion(q0 + 3);
    const auto phi = logarithm(conjugate(Q) * read_quaternion(q1 + 3));
    const auto d = transpose_times(matrix(Q), read_vec3(q1) - read_vec3(q0));
    write(result, left_jacobian_solve(phi, d));
    write(result + 3, phi);
  }
  template <class T>
  LISSOM_INLINE void increment_rate(const T* u, const T* v, T* rate) const {
    const auto r = inverse_dexp<Number<T>>(motion(u), motion(v));
    write(rate, r.linear);
    write(rate + 3, r.angular);
  }
  // The position moves by R v.
  template <class T>
  LISSOM_INLINE void coordinate_rate(const T* q, const T* v, T* rate) const {
    write(rate, matrix(normalized(read_quaternion(q + 3))) * read_vec3(v));
    So3Manifold{}.coordinate_rate(q + 3, v + 3, rate + 3);
  }

 private:
  template <class T>
  LISSOM_INLINE static Motion<T> motion(const T* v) {
    return {read_vec3(v + 3), read_vec3(v)};
  }
};

/// Calls f with the class of this piece's manifold.
template <class F>
LISSOM_INLINE void visit_manifold(const Manifold::Piece& piece, F&& f) {
  switch (piece.kind) {
    case ManifoldKind::flat:
      LISSOM_INLINE_CALL return f(FlatManifold{piece.count});
    case ManifoldKind::se2:
      LISSOM_INLINE_CALL return f(Se2Manifold{});
    case ManifoldKind::so3:
      LISSOM_INLINE_CALL return f(So3Manifold{});
    case ManifoldKind::se3:
      LISSOM_INLINE_CALL return f(Se3Manifold{});
  }
}

template <class T>
LISSOM_INLINE void integrate(const Manifold& manifold, const T* q, const T* v, T dt, T* result) {
  for (const auto& p : manifold.pieces)
    visit_manifold(p, [&](auto kind) { kind.integrate(q + p.q, v + p.v, dt, result + p.q); });
}
template <class T>
LISSOM_INLINE void difference(const Manifold& manifold, const T* q0, const T* q1, T* result) {
  for (const auto& p : manifold.pieces)
    visit_manifold(p, [&](auto kind) { kind.difference(q0 + p.q, q1 + p.q, result + p.v); });
}
template <class T>
LISSOM_INLINE void increment_rate(const Manifold& manifold, const T* u, const T* v, T* rate) {
  for (const auto& p : manifold.pieces)
    visit_manifold(p, [&](auto kind) { kind.increment_rate(u + p.v, v + p.v, rate + p.v); });
}
template <class T>
LISSOM_INLINE void coordinate_rate(const Manifold& manifold, const T* q, const T* v, T* rate) {
  for (const auto& p : manifold.pieces)
    visit_manifold(p, [&](auto kind) { kind.coordinate_rate(q + p.q, v + p.v, rate + p.q); });
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
