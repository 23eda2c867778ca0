#pragma once
// M = Lᵀ D L, with L unit lower triangular and as sparse as M: Featherstone, RBDA table 6.3. The factor gives solutions
// of M x = b and the inverse of M. Cost: Σ depth² for the factor, Σ depth for a solution, and for the inverse, per
// entry, the depth at which branches part.
#include "lissom/math/lanes.h"
#include "lissom/model/array.h"
#include "lissom/model/sparsity.h"
#include "lissom/model/tree.h"

namespace lissom {

inline namespace LISSOM_ISA {

// Four entries of a row at once, so that one factor is loaded for four products: of one robot in a register or two, of
// robots in lanes side by side.
template <class T>
struct Quad {
  using Part = T;
  static constexpr int width = 1;
  Part part[4];
};
template <std::floating_point T>
struct Quad<T> {
  static constexpr int width = natural_lanes<T> < 4 ? natural_lanes<T> : 4;
  using Part = Lanes<T, width>;
  Part part[4 / width];
};
template <class T>
LISSOM_INLINE Quad<T> load_quad(const T* p) {
  using Q = Quad<T>;
  Q x;
  for (int k = 0; k < 4 / Q::width; ++k) x.part[k] = load<typename Q::Part>(p + k * Q::width);
  return x;
}
// Down a column of a matrix, from four rows.
template <class T>
LISSOM_INLINE Quad<T> gather_quad(const T* p, const int* row, int stride) {
  Quad<T> x;
  for (int k = 0; k < 4; ++k) {
    const T& entry = p[row[k] * stride];
    if constexpr (Quad<T>::width == 1)
      x.part[k] = entry;
    else
      x.part[k / Quad<T>::width].set(k % Quad<T>::width, entry);
  }
  return x;
}
template <class T>
LISSOM_INLINE void store_quad(T* p, const Quad<T>& x) {
  using Q = Quad<T>;
  for (int k = 0; k < 4 / Q::width; ++k) store<typename Q::Part>(p + k * Q::width, x.part[k]);
}
// x += a y
template <class T>
LISSOM_INLINE void add_product(Quad<T>& x, T a, const Quad<T>& y) {
  for (int k = 0; k < 4 / Quad<T>::width; ++k) x.part[k] += a * y.part[k];
}
static_assert(Sparsity::row_padding == 4);

template <class T>
struct Factor {
  Array<T> L, U;  // L and D L, packed rows (see Sparsity)
  Array<T> inverse_D;
  Array<T> W;         // L⁻¹, packed alike; made by invert()
  Array<T> scaled_W;  // D⁻¹ Wᵀ, in full, rows `stride` apart; what is not in the pattern stays zero
  Array<T> zero;      // four
  int stride;
  explicit Factor(const Sparsity& s)
      : L(std::size_t(s.packed_size() + padding)),
        U(L.size()),
        inverse_D(std::size_t(s.nv())),
        W(L.size()),
        scaled_W(std::size_t(s.nv() * row_stride(s.nv()) + padding)),
        zero(4),
        stride(row_stride(s.nv())) {}
};

// Reads the upper triangle of M; writes L and D. Row j of D L is that of M less what the rows after it, coupled with j,
// have eliminated.
template <class T>
[[gnu::flatten]] void factorize(const Sparsity& s, Factor<T>& f, const T* M, int stride) {
  for (int j = s.nv() - 1; j >= 0; --j) {
    const int *const column = &s.column[s.start[j]], n = s.count[j];
    T *const U = &f.U[s.start[j]], *const L = &f.L[s.start[j]];
    for (int t = 0; t <= n; t += 4) {
      auto row = gather_quad(M + j, column + t, stride);
      for (const int below : s.rows_below(j)) add_product(row, -f.L[below + n], load_quad(&f.U[below + t]));
      store_quad(U + t, row);
    }
    const T inverse_D = inverse(U[n]);
    for (int t = 0; t < n; ++t) L[t] = U[t] * inverse_D;
    f.inverse_D[j] = inverse_D;
  }
}

// x = M⁻¹ b; x may be b.
template <class T>
[[gnu::flatten]] void solve(const Sparsity& s, const Factor<T>& f, const T* b, T* x) {
  for (int i = 0; i < s.nv(); ++i) x[i] = b[i];
  for (int i = s.nv() - 1; i >= 0; --i)  // Lᵀ y = b
    for (int t = s.start[i]; t < s.start[i] + s.count[i]; ++t) x[s.column[t]] -= f.L[t] * x[i];
  for (int i = 0; i < s.nv(); ++i) {  // L x = D⁻¹ y
    T sum = f.inverse_D[i] * x[i];
    for (int t = s.start[i]; t < s.start[i] + s.count[i]; ++t) sum -= f.L[t] * x[s.column[t]];
    x[i] = sum;
  }
}

// Rows i … i + R - 1 of the upper triangle of M⁻¹, each the next of the other's chain, so that they share what they
// load. M⁻¹(i, c) = Σ_k W(i, k) W(c, k) / D(k) over the k before both: those of row i whose column reaches as far as c.
template <int R, class T>
LISSOM_INLINE void inverse_rows(const Sparsity& s, Factor<T>& f, int i, T* inverse_M, int stride) {
  const int* const column = &s.column[s.start[i + R - 1]];
  int n = s.count[i + R - 1] + 1;
  const T* row[R];  // of W; after its diagonal, a row goes on with zeros
  for (int r = 0; r < R; ++r) row[r] = &f.W[s.start[i + r]];
  for (int c = i / 4 * 4; c < s.nv(); c += 4) {
    while (n > 0 && s.last[column[n - 1]] < c) --n;  // to none, where limbs part at the world
    Quad<T> sum[R];
    for (int r = 0; r < R; ++r) sum[r] = load_quad(&f.zero[0]);
    for (int t = 0; t < n; ++t) {
      const auto W = load_quad(&f.scaled_W[column[t] * f.stride + c]);
      for (int r = 0; r < R; ++r) add_product(sum[r], row[r][t], W);
    }
    for (int r = 0; r < R; ++r) store_quad(inverse_M + (i + r) * stride + c, sum[r]);
  }
}

// Writes the upper triangle of M⁻¹ = W D⁻¹ Wᵀ, W = L⁻¹; off the triangle, numbers without meaning.
template <class T>
[[gnu::flatten]] void invert(const Sparsity& s, Factor<T>& f, T* inverse_M, int stride) {
  const int nv = s.nv();

  // L W = 1, row by row: W(i, ·) = -Σ_j L(i, j) W(j, ·).
  for (int i = 0; i < nv; ++i) {
    const int *const column = &s.column[s.start[i]], n = s.count[i];
    T* const W = &f.W[s.start[i]];
    for (int t = 0; t <= n; t += 4) {
      auto row = load_quad(&f.zero[0]);
      for (int k = t; k < n; ++k) add_product(row, -f.L[s.start[i] + k], load_quad(&f.W[s.start[column[k]] + t]));
      store_quad(W + t, row);
    }
    W[n] = one<T>();
    for (int t = 0; t <= n; ++t) f.scaled_W[column[t] * f.stride + i] = W[t] * f.inverse_D[column[t]];
  }
  for (int i = 0; i < nv;) {
    int rows = 1;
    while (rows < 4 && i + rows < nv && s.continues(i + rows - 1)) ++rows;
    if (rows == 4) inverse_rows<4>(s, f, i, inverse_M, stride);
    if (rows == 3) inverse_rows<3>(s, f, i, inverse_M, stride);
    if (rows == 2) inverse_rows<2>(s, f, i, inverse_M, stride);
    if (rows == 1) inverse_rows<1>(s, f, i, inverse_M, stride);
    i += rows;
  }
}

}  // namespace LISSOM_ISA
}  // namespace lissom
