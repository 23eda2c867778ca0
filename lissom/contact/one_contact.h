#pragma once
// One contact, exactly (docs/contact.md, equations 4 to 7).
//
// Given c, the velocity of the contact without its own impulse, and its 3×3 block of G, find p with u = G p + c,
// p_n ≥ 0 ⊥ u_n ≥ 0, |p_t| ≤ μ p_n, u_t = -λ p_t, λ ≥ 0, λ (μ p_n - |p_t|) = 0.
//
// Eliminating u_n = 0 leaves the tangents with the Schur complement S = G_tt - G_tn G_nt / G_nn. In the tangent basis
// in which S = diag(s0, s1), the impulse for a given λ is p_t = -d / (s + λ), element by element, and only λ is left to
// be found: one equation, always bracketed.
//
// Nothing branches on values but where all lanes agree, so that a world has the same bits in lanes and alone.
#include <limits>

#include "lissom/contact/masks.h"
#include "lissom/math/functions.h"

namespace lissom::contact {

/// An impulse or a velocity at a contact.
template <class T>
struct Triple {
  T n, t0, t1;
};

/// The block G_ii of a contact in the tangent basis that diagonalizes S.
template <class T>
struct ContactFrame {
  T nn_inverse;  // 1 / G_nn
  T a0, a1;      // G_tn / G_nn in that basis
  T s0, s1;      // eigenvalues of S, s0 ≥ s1 > 0
  T s0_inverse, s1_inverse;
  T cosine, sine;  // of the angle from the given tangents to that basis
  T cone_slope;    // |a|, by which an impulse along the tangents changes the normal one at most
};

/// (cosine, sine) of the eigenvector of the larger eigenvalue of the symmetric matrix with diagonal mid ± h and
/// off-diagonal element B; r = √(h² + B²). Half angles by square roots; without cancellation for either sign of h.
template <class T>
LISSOM_INLINE void half_angle(T h, T B, T r, T isotropic_below, T& cosine, T& sine) {
  using S = Number<T>;
  const auto isotropic = r <= isotropic_below;
  const T two_r = select(isotropic, T(S(1)), S(2) * r);
  const T large = root((r + abs(h)) / two_r), small = abs(B) / (two_r * select(isotropic, T(S(1)), large));
  const auto wide = h < T(S(0));
  const T c = select(wide, small, large), s = select(wide, large, small);
  cosine = select(isotropic, T(S(1)), c);
  sine = select(isotropic, T(S(0)), select(B < T(S(0)), -s, s));
}

/// What one_contact() needs of a block of G: rows (n, t0, t1). A contact that no impulse can move (G_nn = 0) gets a
/// frame in which its impulse is 0. Tangential directions that cannot move (S singular) get a tiny s, with which the
/// contact slips as it has to.
template <class T>
LISSOM_INLINE ContactFrame<T> contact_frame(T nn, T n0, T n1, T t00, T t01, T t11) {
  using S = Number<T>;
  const auto zero = T(S(0)), one = T(S(1));
  ContactFrame<T> f;
  const auto movable = nn > T(std::numeric_limits<S>::min());
  f.nn_inverse = select(movable, one / select(movable, nn, one), zero);
  const T g0 = n0 * f.nn_inverse, g1 = n1 * f.nn_inverse;
  const T A = t00 - n0 * g0, B = t01 - n0 * g1, D = t11 - n1 * g1;
  const T mid = S(0.5) * (A + D), h = S(0.5) * (A - D), r = root(h * h + B * B);
  constexpr S epsilon = std::numeric_limits<S>::epsilon();
  half_angle(h, B, r, S(32) * epsilon * abs(mid) + T(std::numeric_limits<S>::min()), f.cosine, f.sine);
  const T least = S(64) * epsilon * larger(nn, t00 + t11);
  f.s0 = select(movable, larger(mid + r, least), one);
  f.s1 = select(movable, larger(mid - r, least), one);
  f.s0_inverse = select(movable, one / f.s0, zero);
  f.s1_inverse = select(movable, one / f.s1, zero);
  f.a0 = f.cosine * g0 + f.sine * g1;
  f.a1 = f.cosine * g1 - f.sine * g0;
  f.cone_slope = root(f.a0 * f.a0 + f.a1 * f.a1);
  return f;
}

/// The slipping impulse (equation 6): the root of F(λ) = μ p_n / |p_t| - 1 on [0, λ_hi]. F is nearly linear in λ, and
/// Newton's method takes 2 to 4 steps; the bracket guards it. `slips` says where the result is wanted. p_free is the
/// normal impulse without tangential ones, and d the tangential velocity at that impulse.
template <class T, class Mask>
LISSOM_INLINE Triple<T> slipping(const ContactFrame<T>& f, T mu, T p_free, T d0, T d1, Mask slips, T& lambda) {
  using S = Number<T>;
  constexpr S accuracy = sizeof(S) == 8 ? S(1e-13) : S(1e-6);
  const T zero(S(0));
  // Beyond λ_hi (equation 7), |p_t| ≤ |d| / (s1 + λ) is so small that it lies inside the cone in any direction.
  const T reach = mu * p_free / (S(1) + mu * f.cone_slope);
  T low = zero, high = larger(root(d0 * d0 + d1 * d1) / reach - f.s1, f.s1 * accuracy);
  T x = select(both(lambda > low, lambda < high), lambda, high);
  auto done = negation(slips);
  Triple<T> q;
  T length_squared, length, excess;
  for (int step = 0;; ++step) {
    const T i0 = S(1) / (f.s0 + x), i1 = S(1) / (f.s1 + x);
    q.t0 = -d0 * i0, q.t1 = -d1 * i1;
    q.n = p_free - (f.a0 * q.t0 + f.a1 * q.t1);
    length_squared = q.t0 * q.t0 + q.t1 * q.t1;
    length = root(length_squared);
    excess = mu * q.n - length;
    const auto inside = excess > zero;
    high = select(inside, x, high);
    low = select(inside, low, x);
    done = either(done, abs(excess) <= accuracy * (mu * abs(q.n) + length));
    done = either(done, high - low <= accuracy * high);
    if (all(done) || step == 80) break;
    const T slope =
        mu * (length_squared * (f.a0 * q.t0 * i0 + f.a1 * q.t1 * i1) + q.n * (q.t0 * q.t0 * i0 + q.t1 * q.t1 * i1));
    const T newton = x - excess * length_squared / slope;
    const T next = select(both(newton > low, newton < high), newton, S(0.5) * (low + high));
    x = select(done, x, next);
  }
  lambda = select(slips, x, zero);
  // What is left of the error goes into the length, so that the impulse lies on the cone.
  q.n = larger(q.n, zero);
  const T scale = select(length > zero, mu * q.n / length, zero);
  q.t0 = q.t0 * scale, q.t1 = q.t1 * scale;
  return q;
}

/// The impulse of one contact. c: its velocity without it. lambda: of the last visit; the one found here on return.
template <class T>
LISSOM_INLINE Triple<T> one_contact(const ContactFrame<T>& f, T mu, const Triple<T>& c, T& lambda) {
  using S = Number<T>;
  const T zero(S(0));
  // 1. It separates by itself.
  const auto closes = c.n < zero;
  if (!any(closes)) {
    lambda = zero;
    return {zero, zero, zero};
  }
  // 2. It sticks (equation 5).
  const T p_free = -c.n * f.nn_inverse;
  const T d0 = (f.cosine * c.t0 + f.sine * c.t1) - f.a0 * c.n;
  const T d1 = (f.cosine * c.t1 - f.sine * c.t0) - f.a1 * c.n;
  Triple<T> q{zero, -d0 * f.s0_inverse, -d1 * f.s1_inverse};
  q.n = p_free - (f.a0 * q.t0 + f.a1 * q.t1);
  const T reach = mu * larger(q.n, zero);
  const auto rubs = both(closes, mu > zero);
  const auto slips = both(rubs, q.t0 * q.t0 + q.t1 * q.t1 > reach * reach);
  // 3. It slips (equation 6).
  if (any(slips)) {
    const Triple<T> s = slipping(f, mu, p_free, d0, d1, slips, lambda);
    q = {select(slips, s.n, q.n), select(slips, s.t0, q.t0), select(slips, s.t1, q.t1)};
  } else {
    lambda = zero;
  }
  const T t0 = select(rubs, q.t0, zero), t1 = select(rubs, q.t1, zero);
  return {select(rubs, q.n, select(closes, p_free, zero)), f.cosine * t0 - f.sine * t1, f.sine * t0 + f.cosine * t1};
}

}  // namespace lissom::contact
