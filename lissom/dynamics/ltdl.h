#pragma once
// M = Lᵀ D L, with L unit lower triangular and as sparse as M: Featherstone, RBDA table 6.3, and the solution of
// M x = b by it (tables 6.4 and 6.5). parent(i) is λ(i), the degree of freedom before i on the way to the base. With
// mimic joints, it is the parent in the elimination tree of Gᵀ M G (tree/sparsity.h). It takes any scalar type.
//
// The blocked factor (blocked/factor.h) is tested against this one, which serves scalars that neither fill registers
// nor come in lanes: dual numbers, extended precision.
#include <array>

#include "lissom/tree/array.h"
#include "lissom/tree/sparsity.h"
#include "lissom/tree/tree.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

/// Factorizes in place, in the lower triangle of H: L below the diagonal, D on it.
template <class T>
void ltdl(const Sparsity& s, T* H, int stride) {
  for (int k = s.nv() - 1; k >= 0; --k) {
    T* const row = H + k * stride;
    for (int i = s.parent(k); i >= 0; i = s.parent(i)) {
      const T a = row[i] / row[k];
      for (int j = i; j >= 0; j = s.parent(j)) H[i * stride + j] -= a * row[j];
      row[i] = a;
    }
  }
}

/// x = M⁻¹ x, with H from ltdl: Lᵀ y = b, then L x = D⁻¹ y.
template <class T>
void ltdl_solve(const Sparsity& s, const T* H, int stride, T* x) {
  for (int i = s.nv() - 1; i >= 0; --i)
    for (int j = s.parent(i); j >= 0; j = s.parent(j)) x[j] -= H[i * stride + j] * x[i];
  for (int i = 0; i < s.nv(); ++i) {
    x[i] = x[i] / H[i * stride + i];
    for (int j = s.parent(i); j >= 0; j = s.parent(j)) x[i] -= H[i * stride + j] * x[j];
  }
}

/// The same with the interface of the blocked factor.
template <class T>
struct LtdlFactor {
  int stride = 0;
  Array<T> H;
  LtdlFactor() = default;
  explicit LtdlFactor(const Sparsity& s) : stride(row_stride(s.nv())), H(std::size_t(s.nv() * stride)) {}
};
template <class T>
void factorize(const Sparsity& s, LtdlFactor<T>& f, const T* M, int stride) {
  for (int i = 0; i < s.nv(); ++i)
    for (int j = 0; j <= i; ++j) f.H[i * f.stride + j] = M[j * stride + i];
  ltdl(s, f.H.data(), f.stride);
}
template <class T>
void solve(const Sparsity& s, const LtdlFactor<T>& f, const T* b, T* x) {
  for (int i = 0; i < s.nv(); ++i) x[i] = b[i];
  ltdl_solve(s, f.H.data(), f.stride, x);
}
template <class T>
void write_out(const Sparsity& s, const LtdlFactor<T>& f, T* L, T* D, int stride) {
  for (int i = 0; i < s.nv(); ++i) {
    for (int j = 0; j < s.nv(); ++j) L[i * stride + j] = i == j ? one<T>() : zero<T>();
    for (int j = s.parent(i); j >= 0; j = s.parent(j)) L[i * stride + j] = f.H[i * f.stride + j];
    D[i] = f.H[i * f.stride + i];
  }
}
template <class T>
struct LtdlInverseScratch {
  Array<T> column;
  explicit LtdlInverseScratch(const Sparsity& s) : column(std::size_t(s.nv())) {}
};
// The inverse is solved for column by column.
template <class T>
void invert(const Sparsity& s, const LtdlFactor<T>& f, LtdlInverseScratch<T>& w, T* inverse_M, int stride) {
  for (int j = 0; j < s.nv(); ++j) {
    for (int i = 0; i < s.nv(); ++i) w.column[i] = i == j ? one<T>() : zero<T>();
    ltdl_solve(s, f.H.data(), f.stride, w.column.data());
    for (int i = 0; i <= j; ++i) inverse_M[i * stride + j] = w.column[i];
  }
}
// X = -M⁻¹ B for two matrices, and the third of X is M⁻¹, column by column.
template <class T>
struct LtdlSolveScratch {
  template <class Known>
  LtdlSolveScratch(const Sparsity&, Known) {}
};
template <class T>
void solve_columns(const Sparsity& s, const LtdlFactor<T>& f, LtdlInverseScratch<T>& w, LtdlSolveScratch<T>&,
                   const std::array<const T*, 2>& B, const std::array<T*, 3>& X, int stride) {
  for (std::size_t m = 0; m < 3; ++m)
    for (int j = 0; j < s.nv(); ++j) {
      for (int i = 0; i < s.nv(); ++i) w.column[i] = m < 2 ? -B[m][i * stride + j] : i == j ? one<T>() : zero<T>();
      ltdl_solve(s, f.H.data(), f.stride, w.column.data());
      for (int i = 0; i < s.nv(); ++i) X[m][i * stride + j] = w.column[i];
    }
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
