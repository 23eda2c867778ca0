#pragma once
// One step of damped least squares within bounds:
//   minimize |J d + e|² + μ |d|²   subject to   lower <= d <= upper
// Levenberg (1944) and Marquardt (1963) for the damping. Bounds as in projected Newton methods (Bertsekas, 1982): what
// sits at a bound and would be pushed out of it stays; what the step would carry over a bound is put on it, and the
// rest is solved for again, so that other joints make up for it. The result always lies within the bounds. It is the
// minimum where nothing that was put on a bound would rather leave it again; otherwise it may even be worse than no
// step, and the caller has to look, as with any step of this kind: with enough damping it goes down.
//
// With fewer rows than columns, by d = -Jᵀ (J Jᵀ + μ)⁻¹ e, otherwise by d = -(Jᵀ J + μ)⁻¹ Jᵀ e: the smaller matrix is
// the one that is regular without damping. About n m² / 2 + m³ / 6 fused operations for m rows, n columns, m < n.
#include <limits>
#include <type_traits>

#include "lissom/ik/kernel_types.h"
#include "lissom/math/functions.h"

namespace lissom::ik {

inline namespace LISSOM_ISA_NAMESPACE {

// A = L D Lᵀ, lower triangle by rows one after another; D⁻¹ takes the place of L's diagonal, which is 1. (In lanes
// roots and divisions are what costs: here is one division for each row, and no root.)
template <class T, class Order>
LISSOM_INLINE void factor_small(Order n, T* A) {
  for (int i = 0; i < n; ++i) {
    T* const row = A + i * (i + 1) / 2;
    for (int j = 0; j < i; ++j) {
      const T* const other = A + j * (j + 1) / 2;
      T sum = row[j];
      for (int k = 0; k < j; ++k) sum -= row[k] * other[k];
      row[j] = sum;  // L D so far
    }
    T pivot = row[i];
    for (int k = 0; k < i; ++k) {
      const T l = row[k] * A[k * (k + 1) / 2 + k];
      pivot -= row[k] * l;
      row[k] = l;
    }
    // Rounding can bring a pivot of a singular A to zero: then nothing moves along it.
    const auto good = pivot > T(std::numeric_limits<Number<T>>::min());
    row[i] = select(good, inverse(select(good, pivot, one<T>())), zero<T>());
  }
}
template <class T, class Order>
LISSOM_INLINE void solve_small(Order n, const T* L, T* x) {
  for (int i = 0; i < n; ++i) {
    const T* const row = L + i * (i + 1) / 2;
    for (int k = 0; k < i; ++k) x[i] -= row[k] * x[k];
  }
  for (int i = n; i-- > 0;) {
    T sum = x[i] * L[i * (i + 1) / 2 + i];
    for (int k = i + 1; k < n; ++k) sum -= L[k * (k + 1) / 2 + i] * x[k];
    x[i] = sum;
  }
}

template <class T>
struct StepArrays {
  int columns;
  const T *J, *e, *lower, *upper;
  T mu;
  T *A, *x, *r, *free, *d;  // free: 1 where d is still solved for, 0 where it is given
};

// d of the free columns from y = (J Jᵀ + μ)⁻¹ r.
template <class T, class Height>
LISSOM_INLINE void solve_by_rows(Height m, const StepArrays<T>& s, T* A, T* y) {
  for (int i = 0; i < m * (m + 1) / 2; ++i) A[i] = zero<T>();
  for (int c = 0; c < s.columns; ++c) {
    const T* const column = s.J + c * m;
    for (int i = 0; i < m; ++i) {
      const T scaled = s.free[c] * column[i];
      for (int j = 0; j <= i; ++j) A[i * (i + 1) / 2 + j] += scaled * column[j];
    }
  }
  for (int i = 0; i < m; ++i) A[i * (i + 1) / 2 + i] += s.mu, y[i] = s.r[i];
  factor_small<T>(m, A);
  solve_small<T>(m, A, y);
  for (int c = 0; c < s.columns; ++c) {
    T sum = zero<T>();
    for (int i = 0; i < m; ++i) sum -= s.J[c * m + i] * y[i];
    s.d[c] = select(s.free[c] > zero<T>(), sum, s.d[c]);  // the same in a round that only other lanes need
  }
}
template <class T>
LISSOM_INLINE void solve_by_rows(int m, const StepArrays<T>& s) {
  solve_by_rows(m, s, s.A, s.x);
}
// With a known height the matrix lives in registers.
template <class T, int M>
LISSOM_INLINE void solve_by_rows(std::integral_constant<int, M> m, const StepArrays<T>& s) {
  T A[M * (M + 1) / 2], y[M];
  solve_by_rows(m, s, A, y);
}
// d of the free columns from (Jᵀ J + μ) d = -Jᵀ r; given columns become rows of the identity.
template <class T>
LISSOM_INLINE void solve_by_columns(int m, const StepArrays<T>& s) {
  const int n = s.columns;
  for (int i = 0; i < n; ++i) {
    T* const row = s.A + i * (i + 1) / 2;
    for (int j = 0; j <= i; ++j) {
      T sum = zero<T>();
      for (int k = 0; k < m; ++k) sum += s.J[i * m + k] * s.J[j * m + k];
      row[j] = s.free[i] * s.free[j] * sum;
    }
    row[i] += s.free[i] * s.mu + (one<T>() - s.free[i]);
    T sum = zero<T>();
    for (int k = 0; k < m; ++k) sum -= s.J[i * m + k] * s.r[k];
    s.x[i] = s.free[i] * sum;
  }
  factor_small<T>(n, s.A);
  solve_small<T>(n, s.A, s.x);
  for (int i = 0; i < n; ++i) s.d[i] = select(s.free[i] > zero<T>(), s.x[i], s.d[i]);
}

template <class T, class Height>
LISSOM_INLINE void damped_step(Height m, const StepArrays<T>& s) {
  // At a bound, and pushed against it by -Jᵀ e: stays.
  for (int c = 0; c < s.columns; ++c) {
    T push = zero<T>();
    for (int i = 0; i < m; ++i) push -= s.J[c * m + i] * s.e[i];
    const T inward = select(push > zero<T>(), s.upper[c], -s.lower[c]);
    s.free[c] = select(inward > zero<T>(), one<T>(), zero<T>());
    s.d[c] = zero<T>();
  }
  // Rounds of solving and putting on bounds. The last one only cuts off.
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < m; ++i) s.r[i] = s.e[i];
    if (round > 0)
      for (int c = 0; c < s.columns; ++c) {
        const T given = (one<T>() - s.free[c]) * s.d[c];
        for (int i = 0; i < m; ++i) s.r[i] += s.J[c * m + i] * given;
      }
    if (int(m) <= s.columns)
      solve_by_rows(m, s);
    else
      solve_by_columns(int(m), s);
    T over = zero<T>();
    for (int c = 0; c < s.columns; ++c) {
      const T low = select(s.d[c] < s.lower[c], s.lower[c], s.d[c]);
      const T inside = select(low > s.upper[c], s.upper[c], low);
      const auto cut = abs(inside - s.d[c]) > zero<T>();
      s.free[c] = select(cut, zero<T>(), s.free[c]);
      over += select(cut, one<T>(), zero<T>());
      s.d[c] = inside;
    }
    if (!any(over > zero<T>())) return;
  }
}

template <class T>
LISSOM_FLATTEN void damped_step(int rows, int columns, const T* J, const T* e, const T* lower, const T* upper, T mu,
                                T* buffer, T* d) {
  const int k = std::min(rows, columns);
  T* const x = buffer + k * (k + 1) / 2;
  const StepArrays<T> s{columns, J, e, lower, upper, mu, buffer, x, x + k, x + k + rows, d};
  if (columns == 0) return;
  // Poses and places are what is asked for most.
  if (rows == 6)
    damped_step(std::integral_constant<int, 6>{}, s);
  else if (rows == 3)
    damped_step(std::integral_constant<int, 3>{}, s);
  else
    damped_step(rows, s);
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom::ik
