#pragma once
// How far impulses and velocities are from the law of a block, in m/s: the natural map (docs/contact.md, equations 2
// and 3),
//
//   r = g ‖ p - Π(p - u'/g) ‖ = ‖ g p - Π'(g p - u') ‖ ,
//
// where Π projects onto the admissible impulses, Π' onto g times these, and u' is u with De Saxcé's shift of the normal
// velocity, u_n + μ|u_t|, for cones. g is the mean of the block's diagonal in G. r is zero exactly at solutions.
#include "lissom/contact/one_contact.h"
#include "lissom/contact/problem.h"

namespace lissom::contact {

/// The projection onto the cone |x_t| ≤ μ x_n. (x_n ≥ 0 is tested as well: with μ = 0 the first condition is void.)
template <class T>
LISSOM_INLINE Triple<T> project_on_cone(T mu, const Triple<T>& x) {
  using S = Number<T>;
  const T zero(S(0));
  const T length = sqrt(x.t0 * x.t0 + x.t1 * x.t1);
  const auto inside = both(x.n >= zero, length <= mu * x.n);
  const auto polar = mu * length <= -x.n;
  const T n = (x.n + mu * length) / (S(1) + mu * mu);
  const T scale = select(length > zero, mu * n / select(length > zero, length, T(S(1))), zero);
  const auto choose = [&](T in, T on) { return select(inside, in, select(polar, zero, on)); };
  return {choose(x.n, n), choose(x.t0, scale * x.t0), choose(x.t1, scale * x.t1)};
}

template <class T>
LISSOM_INLINE T cone_residual(T g, T mu, const T* p, const T* u) {
  const T shifted = u[0] + mu * sqrt(u[1] * u[1] + u[2] * u[2]);
  const Triple<T> y = project_on_cone(mu, {g * p[0] - shifted, g * p[1] - u[1], g * p[2] - u[2]});
  const T n = g * p[0] - y.n, t0 = g * p[1] - y.t0, t1 = g * p[2] - y.t1;
  return sqrt(n * n + t0 * t0 + t1 * t1);
}

template <class T>
LISSOM_INLINE T box_residual(T g, T lower, T upper, T p, T u) {
  return g * abs(p - smaller(larger(p - u / g, lower), upper));
}

template <class T>
LISSOM_INLINE T disk_residual(T g, T radius, const T* p, const T* u, int size) {
  using S = Number<T>;
  const T zero(S(0));
  const T x0 = g * p[0] - u[0], x1 = size > 1 ? g * p[1] - u[1] : zero;
  const T length = sqrt(x0 * x0 + x1 * x1), reach = g * larger(radius, zero);
  const auto outside = length > reach;
  const T scale = select(outside, reach / select(outside, length, T(S(1))), T(S(1)));
  const T e0 = g * p[0] - scale * x0, e1 = size > 1 ? g * p[1] - scale * x1 : zero;
  return sqrt(e0 * e0 + e1 * e1);
}

/// The residual of one block. p and u: of all rows.
template <class T>
LISSOM_INLINE T block_residual(const Block<T>& block, T g, const T* p, const T* u) {
  const int i = block.row;
  switch (block.kind) {
    case Kind::cone:
      return cone_residual(g, block.friction, p + i, u + i);
    case Kind::box:
      return box_residual(g, block.lower, block.upper, p[i], u[i]);
    case Kind::disk:
      return disk_residual(g, block.friction * p[block.normal_row], p + i, u + i, block.size);
    case Kind::free:
      break;
  }
  T sum = u[i] * u[i];
  for (int k = 1; k < block.size; ++k) sum += u[i + k] * u[i + k];
  return sqrt(sum);
}

}  // namespace lissom::contact
