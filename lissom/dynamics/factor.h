#pragma once
// M = Lᵀ D L, with L unit lower triangular and as sparse as M: Featherstone, RBDA table 6.3. The factor gives solutions
// of M x = b and the inverse of M. Cost: Σ depth² for the factor, Σ depth for a solution, nv Σ depth for the inverse.
#include "lissom/math/lanes.h"
#include "lissom/model/array.h"
#include "lissom/model/sparsity.h"
#include "lissom/model/tree.h"

namespace lissom {

inline namespace LISSOM_ISA {

template <class T>
struct Factor {
  Array<T> L;  // packed rows, see Sparsity
  Array<T> D, inverse_D;
  Array<T> W;  // L⁻¹, packed alike; made by invert()
  explicit Factor(const Sparsity& s)
      : L(std::size_t(s.packed_size() + padding)),
        D(std::size_t(s.nv())),
        inverse_D(std::size_t(s.nv())),
        W(L.size()) {}
};

// Plain numbers are worked off in blocks of lanes, no wider than a row's padding.
template <class T>
struct BlockOf {
  using type = T;
  static constexpr int width = 1;
};
template <std::floating_point T>
struct BlockOf<T> {
  static constexpr int width = natural_lanes<T> < Sparsity::row_padding ? natural_lanes<T> : Sparsity::row_padding;
  using type = Lanes<T, width>;
};

// y[0 … n) -= a x[0 … n). Plain numbers go in blocks that may run over the end into the padding of y's row.
template <class T>
LISSOM_INLINE void subtract_run(T* y, T a, const T* x, int n) {
  using Block = typename BlockOf<T>::type;
  for (int s = 0; s < n; s += BlockOf<T>::width) store<Block>(y + s, load<Block>(y + s) - a * load<Block>(x + s));
}

// Reads the upper triangle of M; writes L and D.
template <class T>
[[gnu::flatten]] void factorize(const Sparsity& s, Factor<T>& f, const T* M, int stride) {
  for (int i = 0; i < s.nv(); ++i) {
    f.D[i] = M[i * stride + i];
    const int n = s.count[i], padded = (n + Sparsity::row_padding - 1) / Sparsity::row_padding * Sparsity::row_padding;
    for (int t = 0; t < n; ++t) f.L[s.start[i] + t] = M[s.column[s.start[i] + t] * stride + i];
    for (int t = n; t < padded; ++t) f.L[s.start[i] + t] = zero<T>();
  }
  for (int i = s.nv() - 1; i >= 0; --i) {
    T* const row = &f.L[s.start[i]];
    const int n = s.count[i];
    f.inverse_D[i] = inverse(f.D[i]);
    for (int t = 0; t < n; ++t) {
      const int j = s.column[s.start[i] + t];
      const T a = row[t] * f.inverse_D[i];
      f.D[j] -= a * row[t];
      subtract_run(&f.L[s.start[j]], a, row + t + 1, n - t - 1);  // row j goes on where row i does after t
      row[t] = a;
    }
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

// Writes the upper triangle of M⁻¹. With W = L⁻¹, row i of L M⁻¹ = D⁻¹ Wᵀ says: M⁻¹(i, ·) = W(·, i) / D(i) - Σ_j L(i,
// j) M⁻¹(j, ·).
template <class T>
[[gnu::flatten]] void invert(const Sparsity& s, Factor<T>& f, T* inverse_M, int stride) {
  const int nv = s.nv();
  for (int i = 0; i < nv; ++i)
    for (int c = i; c < nv; ++c) inverse_M[i * stride + c] = zero<T>();
  for (int i = 0; i < nv; ++i) {
    T* const row = &f.W[s.start[i]];
    const T* const L = &f.L[s.start[i]];
    const int n = s.count[i];
    for (int t = 0; t < n; ++t) row[t] = -L[t];
    for (int t = 0; t < n; ++t) subtract_run(row + t + 1, L[t], &f.W[s.start[s.column[s.start[i] + t]]], n - t - 1);
    inverse_M[i * stride + i] = f.inverse_D[i];
    for (int t = 0; t < n; ++t) {
      const int j = s.column[s.start[i] + t];
      inverse_M[j * stride + i] = row[t] * f.inverse_D[j];
    }
  }
  for (int i = 0; i < nv; ++i) {
    const T* const L = &f.L[s.start[i]];
    const int* const column = &s.column[s.start[i]];
    const int n = s.count[i];
    const auto run = [&]<class Block>(int c, Block) {
      T* const at = inverse_M + i * stride + c;
      Block sum = load<Block>(at);
      for (int t = 0; t < n; ++t) sum -= L[t] * load<Block>(inverse_M + column[t] * stride + c);
      store(at, sum);
    };
    using Block = typename BlockOf<T>::type;
    int c = i;
    for (; c + BlockOf<T>::width <= nv; c += BlockOf<T>::width) run(c, Block{});
    for (; c < nv; ++c) run(c, T{});
  }
}

}  // namespace LISSOM_ISA
}  // namespace lissom
