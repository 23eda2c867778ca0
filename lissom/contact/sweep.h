#pragma once
// Block Gauss–Seidel over a dense Delassus matrix: each block in turn gets the impulse that solves its own law exactly,
// given the velocity that the others leave it; u is kept up to date by adding columns of G (no sums over rows, so that
// the same bits follow for every width of registers). docs/contact.md, equation 8.
//
// It takes any scalar type: double, float, or lanes with another world in each of them.
#include <limits>

#include "lissom/contact/prepared_block.h"
#include "lissom/contact/residual.h"

namespace lissom::contact {
inline namespace LISSOM_ISA_NAMESPACE {

/// Several rows of T in one register, or T itself where it is lanes.
template <class T>
struct PackOf {
  using type = T;
  static constexpr int width = 1;
};
template <Packable T>
struct PackOf<T> {
  static constexpr int width = register_bytes / int(sizeof(T));
  using type = Lanes<T, width>;
};
template <class T>
using Pack = typename PackOf<T>::type;

/// u += δ_0 G_0 + … + δ_(K-1) G_(K-1), with consecutive rows of G.
template <int K, class T>
LISSOM_INLINE void add_rows(const T* G, int stride, const T* delta, T* u, int size) {
  constexpr int width = PackOf<T>::width;
  for (int i = 0; i < size; i += width) {
    Pack<T> sum = Pack<T>(delta[0]) * load<Pack<T>>(G + i);
    for (int k = 1; k < K; ++k) sum += Pack<T>(delta[k]) * load<Pack<T>>(G + k * stride + i);
    store(u + i, load<Pack<T>>(u + i) + sum);
  }
}

/// u = b + G p. Every element of G takes part, so that one that is not finite shows in u. (b + 0 is never -0: bits
/// would differ between worlds whose zeros are skipped and those whose are not.)
template <class T>
void velocities(const Problem<T>& problem, const T* p, T* u) {
  const int size = padded<T>(problem.rows);
  for (int i = 0; i < problem.rows; ++i) u[i] = problem.b[i] + T(Number<T>(0));
  for (int i = problem.rows; i < size; ++i) u[i] = T(Number<T>(0));
  constexpr int width = PackOf<T>::width;
  constexpr int together = 4;  // registers of u that are kept while looping over the rows
  int at = 0;
  for (; at + together * width <= size; at += together * width) {
    Pack<T> sum[together];
    for (int k = 0; k < together; ++k) sum[k] = load<Pack<T>>(u + at + k * width);
    for (int i = 0; i < problem.rows; ++i) {
      const T* const row = problem.G + i * problem.stride + at;
      const Pack<T> factor(p[i]);
      for (int k = 0; k < together; ++k) sum[k] += factor * load<Pack<T>>(row + k * width);
    }
    for (int k = 0; k < together; ++k) store(u + at + k * width, sum[k]);
  }
  for (; at < size; at += width) {
    Pack<T> sum = load<Pack<T>>(u + at);
    for (int i = 0; i < problem.rows; ++i) sum += Pack<T>(p[i]) * load<Pack<T>>(problem.G + i * problem.stride + at);
    store(u + at, sum);
  }
}

/// L Lᵀ = G_ii + ε g 1. The shift makes redundant rows harmless, and does not move the fixed point, since the block's
/// velocity is what it acts on.
template <class T>
void factor_free(const T* G, int stride, int size, T g, T* factor) {
  using S = Number<T>;
  const T shift = S(sizeof(S) == 8 ? 1e-10 : 1e-5) * g;
  for (int i = 0, at = 0; i < size; at += ++i)
    for (int j = 0, row = 0; j <= i; row += ++j) {
      T sum = G[i * stride + j];
      if (i == j) sum += shift;
      for (int k = 0; k < j; ++k) sum -= factor[at + k] * factor[row + k];
      factor[at + j] = i == j ? T(S(1) / root(larger(sum, shift))) : T(sum * factor[row + j]);
    }
}

template <class T>
LISSOM_INLINE void solve_free(const T* factor, int size, T* x) {
  for (int i = 0, at = 0; i < size; at += ++i) {
    for (int k = 0; k < i; ++k) x[i] -= factor[at + k] * x[k];
    x[i] = x[i] * factor[at + i];
  }
  for (int i = size - 1; i >= 0; --i) {
    for (int k = i + 1; k < size; ++k) x[i] -= factor[k * (k + 1) / 2 + i] * x[k];
    x[i] = x[i] * factor[i * (i + 1) / 2 + i];
  }
}

/// λ of the slip that a warm start describes: u_t = -λ p_t.
template <class T>
LISSOM_INLINE T warm_lambda(const T* p, const T* u) {
  const T zero(Number<T>(0)), square = p[0] * p[0] + p[1] * p[1];
  const auto moves = square > zero;
  return select(moves, larger(zero, -(p[0] * u[0] + p[1] * u[1])) / select(moves, square, T(Number<T>(1))), zero);
}

template <class T>
void prepare(const Problem<T>& problem, const Block<T>& block, const T* p, const T* u, PreparedBlock<T>& out) {
  using S = Number<T>;
  const T zero(S(0)), one(S(1)), tiny(std::numeric_limits<S>::min() * S(1e6));
  const int stride = problem.stride, i = block.row;
  const T* const G = problem.G + i * stride + i;
  T trace = G[0];
  for (int k = 1; k < block.size; ++k) trace += G[k * stride + k];
  const T g = trace / S(block.size);
  const auto moves = g > tiny;
  out.g = select(moves, g, tiny);
  out.g_inverse = select(moves, one / out.g, zero);
  out.lambda = zero;
  if (block.kind == Kind::cone) {
    const T own[6] = {G[0], G[1], G[2], G[stride + 1], G[stride + 2], G[2 * stride + 2]};
    for (int k = 0; k < 6; ++k) out.own[k] = own[k];
    out.frame = contact_frame(own[0], own[1], own[2], own[3], own[4], own[5]);
    out.lambda = warm_lambda(p + i + 1, u + i + 1);
  } else if (block.kind == Kind::disk && block.size == 2) {
    // As a contact whose normal impulse is given: no coupling, and a G_nn that lets the block move.
    const T own[6] = {g, zero, zero, G[0], G[1], G[stride + 1]};
    for (int k = 0; k < 6; ++k) out.own[k] = own[k];
    out.frame = contact_frame(own[0], zero, zero, own[3], own[4], own[5]);
    out.lambda = warm_lambda(p + i, u + i);
  } else if (block.kind == Kind::free) {
    factor_free(G, stride, block.size, out.g, out.factor);
  }
}

/// The working state of sweeps over one problem.
template <class T>
struct Sweeps {
  const Problem<T>& problem;
  PreparedBlock<T>* prepared;
  T *p, *u;       // padded
  T max_impulse;  // cap on normal impulses, and on those of boxes and free rows
  T capped;       // 1 where the cap acted in the last sweep
};

/// Applies a new impulse to K rows; returns by how much it changes the block's own velocity, roughly.
template <int K, class T>
LISSOM_INLINE T apply(Sweeps<T>& s, int i, const T* q, T g) {
  const T zero(Number<T>(0));
  T delta[K], change = zero;
  for (int k = 0; k < K; ++k) {
    delta[k] = q[k] - s.p[i + k];
    change += abs(delta[k]);
    s.p[i + k] = q[k];
  }
  if (any(change > zero))
    add_rows<K>(s.problem.G + i * s.problem.stride, s.problem.stride, delta, s.u, padded<T>(s.problem.rows));
  return change * g;
}

template <class T>
LISSOM_INLINE T visit_cone(Sweeps<T>& s, const Block<T>& block, PreparedBlock<T>& of) {
  using S = Number<T>;
  const int i = block.row;
  const T *const p = s.p + i, *const u = s.u + i, *const G = of.own;
  const Triple<T> c{u[0] - (G[0] * p[0] + G[1] * p[1] + G[2] * p[2]), u[1] - (G[1] * p[0] + G[3] * p[1] + G[4] * p[2]),
                    u[2] - (G[2] * p[0] + G[4] * p[1] + G[5] * p[2])};
  const Triple<T> q = one_contact(of.frame, block.friction, c, of.lambda);
  T next[3] = {q.n, q.t0, q.t1};
  const auto beyond = q.n > s.max_impulse;
  if (any(beyond)) {
    const T scale = select(beyond, s.max_impulse / q.n, T(S(1)));  // stays in the cone
    for (T& x : next) x = x * scale;
    s.capped = select(beyond, T(S(1)), s.capped);
  }
  return apply<3>(s, i, next, of.g);
}

template <class T>
LISSOM_INLINE T visit_box(Sweeps<T>& s, const Block<T>& block, const PreparedBlock<T>& of) {
  const int i = block.row;
  const T q = smaller(larger(s.p[i] - s.u[i] * of.g_inverse, block.lower), block.upper);
  // The cap stands in for bounds that are infinite.
  const T infinity(std::numeric_limits<Number<T>>::infinity());
  const T lower = select(block.lower > -infinity, block.lower, -s.max_impulse);
  const T upper = select(block.upper < infinity, block.upper, s.max_impulse);
  const T next = smaller(larger(q, lower), upper);
  s.capped = select(abs(q) > abs(next), T(Number<T>(1)), s.capped);
  return apply<1>(s, i, &next, of.g);
}

template <class T>
LISSOM_INLINE T visit_disk(Sweeps<T>& s, const Block<T>& block, PreparedBlock<T>& of) {
  const T zero(Number<T>(0));
  const int i = block.row;
  const T normal = larger(s.p[block.normal_row], zero), radius = block.friction * normal;
  if (block.size == 1) {
    const T next = smaller(larger(s.p[i] - s.u[i] * of.g_inverse, -radius), radius);
    return apply<1>(s, i, &next, of.g);
  }
  const T *const p = s.p + i, *const u = s.u + i, *const G = of.own;
  // c_n is what makes the frame's normal impulse the given one.
  const Triple<T> c{-normal * G[0], u[0] - (G[3] * p[0] + G[4] * p[1]), u[1] - (G[4] * p[0] + G[5] * p[1])};
  const Triple<T> q = one_contact(of.frame, block.friction, c, of.lambda);
  const T next[2] = {q.t0, q.t1};
  return apply<2>(s, i, next, of.g);
}

template <int K, class T>
LISSOM_INLINE T visit_free(Sweeps<T>& s, const Block<T>& block, const PreparedBlock<T>& of) {
  const int i = block.row;
  T x[K];
  for (int k = 0; k < K; ++k) x[k] = -s.u[i + k];
  solve_free(of.factor, K, x);
  for (int k = 0; k < K; ++k) {
    const T q = s.p[i + k] + x[k];
    x[k] = smaller(larger(q, -s.max_impulse), s.max_impulse);
    s.capped = select(abs(q) > s.max_impulse, T(Number<T>(1)), s.capped);
  }
  return apply<K>(s, i, x, of.g);
}

template <class T>
LISSOM_INLINE T visit_free(Sweeps<T>& s, const Block<T>& block, const PreparedBlock<T>& of) {
  switch (block.size) {
    case 1:
      return visit_free<1>(s, block, of);
    case 2:
      return visit_free<2>(s, block, of);
    case 3:
      return visit_free<3>(s, block, of);
    case 4:
      return visit_free<4>(s, block, of);
    case 5:
      return visit_free<5>(s, block, of);
    default:
      return visit_free<6>(s, block, of);
  }
}

/// Visits all blocks once, in order. Returns the largest change of velocity that a block caused in its own rows.
template <class T>
T sweep(Sweeps<T>& s) {
  T largest(Number<T>(0));
  s.capped = largest;
  PreparedBlock<T>* of = s.prepared;
  for (const Block<T>& block : s.problem.blocks) {
    T change(Number<T>(0));
    switch (block.kind) {
      case Kind::cone:
        change = visit_cone(s, block, *of);
        break;
      case Kind::box:
        change = visit_box(s, block, *of);
        break;
      case Kind::disk:
        change = visit_disk(s, block, *of);
        break;
      case Kind::free:
        change = visit_free(s, block, *of);
        break;
    }
    largest = larger(change, largest);
    ++of;
  }
  return largest;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom::contact
