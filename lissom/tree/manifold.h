#pragma once
// Configurations as points of a manifold: which numbers of q are plain coordinates and which form quaternions or poses
// of the plane; how to move on it, and how its exponential chart moves. v is a tangent vector in body coordinates.
#include <vector>

#include "lissom/spatial/motion.h"
#include "lissom/spatial/quaternion.h"

namespace lissom {

struct Manifold {
  struct Flat {
    int q, v, count;
  };
  struct Place {
    int q, v;
  };
  std::vector<Flat> flat;                      // runs of coordinates with q' = v
  std::vector<Place> spherical, free, planar;  // quaternion; position and quaternion; x, y, angle
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

// q moved along v for the time dt: q exp(dt v). The result may be q.
template <class T>
LISSOM_INLINE void integrate(const Manifold& m, const T* q, const T* v, T dt, T* result) {
  for (const auto& f : m.flat)
    for (int k = 0; k < f.count; ++k) result[f.q + k] = q[f.q + k] + dt * v[f.v + k];
  for (const auto& s : m.spherical)
    write(result + s.q, normalised(read_quaternion(q + s.q) * exponential(dt * read_vec3(v + s.v))));
  for (const auto& f : m.free) {
    const auto turn = read_quaternion(q + f.q + 3);
    const auto phi = dt * read_vec3(v + f.v + 3), travel = dt * read_vec3(v + f.v);
    write(result + f.q, read_vec3(q + f.q) + matrix(turn) * carried_along(phi, travel));
    write(result + f.q + 3, normalised(turn * exponential(phi)));
  }
  for (const auto& p : m.planar) {
    const T angle = q[p.q + 2], phi = dt * v[p.v + 2];
    const auto moved =
        carried_along(Vec3<T>{zero<T>(), zero<T>(), phi}, Vec3<T>{dt * v[p.v], dt * v[p.v + 1], zero<T>()});
    const auto turn = sincos(angle);
    const T x = q[p.q] + turn.cos * moved.x - turn.sin * moved.y,
            y = q[p.q + 1] + turn.sin * moved.x + turn.cos * moved.y;
    write(result + p.q, Vec3<T>{x, y, angle + phi});
  }
}

// The v that takes q0 to q1 in unit time: the short way round for orientations.
template <class T>
LISSOM_INLINE void difference(const Manifold& m, const T* q0, const T* q1, T* result) {
  using S = Number<T>;
  for (const auto& f : m.flat)
    for (int k = 0; k < f.count; ++k) result[f.v + k] = q1[f.q + k] - q0[f.q + k];
  for (const auto& s : m.spherical)
    write(result + s.v, logarithm(conjugate(read_quaternion(q0 + s.q)) * read_quaternion(q1 + s.q)));
  for (const auto& f : m.free) {
    const auto turn = read_quaternion(q0 + f.q + 3);
    const auto phi = logarithm(conjugate(turn) * read_quaternion(q1 + f.q + 3));
    const auto way = transpose_times(matrix(turn), read_vec3(q1 + f.q) - read_vec3(q0 + f.q));
    write(result + f.v, carrying(phi, way));
    write(result + f.v + 3, phi);
  }
  for (const auto& p : m.planar) {
    const auto turn = sincos(q0[p.q + 2]);
    const T x = q1[p.q] - q0[p.q], y = q1[p.q + 1] - q0[p.q + 1], phi = q1[p.q + 2] - q0[p.q + 2];
    // V(phi)⁻¹ in the plane; whole turns in phi carry nothing further.
    const T half = S(0.5) * phi;
    const auto small = phi * phi < T(S(1e-8));
    const auto h = sincos(half);
    const T k = select(small, one<T>() - phi * phi * S(1. / 12), half * h.cos / select(small, one<T>(), h.sin));
    const T bx = turn.cos * x + turn.sin * y, by = turn.cos * y - turn.sin * x;
    write(result + p.v, Vec3<T>{k * bx + half * by, k * by - half * bx, phi});
  }
}

// The chart of exponentials about a q0: q = q0 exp(u). How u changes while the robot moves with v:
//   u̇ = dexp⁻¹_{-u} v = v + ½ u×v + 1/12 u×u×v - 1/720 u×u×u×u×v + …
// (Munthe-Kaas' correction; × is the bracket of the group). What is left out is of the sixth order in u: enough for
// integrators up to order 6.
template <class S, class Element>
LISSOM_INLINE Element increment_rate(const Element& u, const Element& v) {
  const auto once = cross(u, v), twice = cross(u, once), four = cross(u, cross(u, twice));
  return v + S(1. / 2) * once + S(1. / 12) * twice + S(-1. / 720) * four;
}
template <class T>
LISSOM_INLINE void increment_rate(const Manifold& m, const T* u, const T* v, T* rate) {
  using S = Number<T>;
  for (const auto& f : m.flat)
    for (int k = 0; k < f.count; ++k) rate[f.v + k] = v[f.v + k];
  for (const auto& s : m.spherical) write(rate + s.v, increment_rate<S>(read_vec3(u + s.v), read_vec3(v + s.v)));
  const auto motion = [](const T* x) { return Motion<T>{read_vec3(x + 3), read_vec3(x)}; };
  for (const auto& f : m.free) {
    const auto r = increment_rate<S>(motion(u + f.v), motion(v + f.v));
    write(rate + f.v, r.linear);
    write(rate + f.v + 3, r.angular);
  }
  const auto in_plane = [](const T* x) { return Motion<T>{{zero<T>(), zero<T>(), x[2]}, {x[0], x[1], zero<T>()}}; };
  for (const auto& p : m.planar) {
    const auto r = increment_rate<S>(in_plane(u + p.v), in_plane(v + p.v));
    write(rate + p.v, Vec3<T>{r.linear.x, r.linear.y, r.angular.z});
  }
}

// q̇, number by number: a quaternion's rate is ½ Q (0, ω), a free body's position moves by R v.
template <class T>
LISSOM_INLINE void coordinate_rate(const Manifold& m, const T* q, const T* v, T* rate) {
  using S = Number<T>;
  const auto turn_rate = [](const T* turn, const T* omega) {
    const auto w = S(0.5) * read_vec3(omega);
    return read_quaternion(turn) * Quaternion<T>{zero<T>(), w.x, w.y, w.z};
  };
  for (const auto& f : m.flat)
    for (int k = 0; k < f.count; ++k) rate[f.q + k] = v[f.v + k];
  for (const auto& s : m.spherical) write(rate + s.q, turn_rate(q + s.q, v + s.v));
  for (const auto& f : m.free) {
    write(rate + f.q, matrix(normalised(read_quaternion(q + f.q + 3))) * read_vec3(v + f.v));
    write(rate + f.q + 3, turn_rate(q + f.q + 3, v + f.v + 3));
  }
  for (const auto& p : m.planar) {
    const auto turn = sincos(q[p.q + 2]);
    write(rate + p.q,
          Vec3<T>{turn.cos * v[p.v] - turn.sin * v[p.v + 1], turn.sin * v[p.v] + turn.cos * v[p.v + 1], v[p.v + 2]});
  }
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
