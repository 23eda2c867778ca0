#pragma once
// One step of damped least squares within bounds:
//   minimize |J d + e|² + μ |d|²   subject to   lower <= d <= upper
// The damping is that of Levenberg (1944) and Marquardt (1963). Bounds are treated as in projected Newton methods
// (Bertsekas, 1982): a joint that is at a bound and would be pushed out of it is fixed; a joint that the step would
// move beyond a bound is fixed at it, and the others are solved for again, so that they compensate. The result always
// lies within the bounds. It is the minimum if no joint that was fixed at a bound would move away from it again;
// otherwise the cost may even rise, and the caller has to check: with enough damping it decreases.
//
// With fewer rows than columns the step is d = -Jᵀ (J Jᵀ + μ)⁻¹ e, otherwise d = -(Jᵀ J + μ)⁻¹ Jᵀ e: the smaller matrix
// is the one that is regular without damping. m rows and n > m columns take about n m² / 2 + m³ / 6 fused operations.
#include <limits>
#include <type_traits>

#include "lissom/ik/kernel_types.h"
#include "lissom/math/functions.h"

namespace lissom::ik {

inline namespace LISSOM_ISA_NAMESPACE {

// A = L D Lᵀ, the lower triangle stored by rows; D⁻¹ is stored on L's diagonal, which is 1. (In lanes, roots and
// divisions are expensive: this takes one division for each row, and no root.)
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
    // Rounding can make a pivot of a singular A zero: the step then has no component along it.
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
  T *A, *x, *r, *free, *d;  // free: 1 where d is still solved for, 0 where it is fixed
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
    s.d[c] = select(s.free[c] > zero<T>(), sum, s.d[c]);  // unchanged in a round that only other lanes need
  }
}
template <class T>
LISSOM_INLINE void solve_by_rows(int m, const StepArrays<T>& s) {
  solve_by_rows(m, s, s.A, s.x);
}
// With a number of rows known to the compiler, the matrix stays in registers.
template <class T, int M>
LISSOM_INLINE void solve_by_rows(std::integral_constant<int, M> m, const StepArrays<T>& s) {
  T A[M * (M + 1) / 2], y[M];
  solve_by_rows(m, s, A, y);
}
// d of the free columns from (Jᵀ J + μ) d = -Jᵀ r; fixed columns become rows of the identity.
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
  // A joint at a bound that -Jᵀ e pushes against it is fixed.
  for (int c = 0; c < s.columns; ++c) {
    T push = zero<T>();
    for (int i = 0; i < m; ++i) push -= s.J[c * m + i] * s.e[i];
    const T inward = select(push > zero<T>(), s.upper[c], -s.lower[c]);
    s.free[c] = select(inward > zero<T>(), one<T>(), zero<T>());
    s.d[c] = zero<T>();
  }
  // Rounds of solving and fixing at bounds. The last one only clamps.
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < m; ++i) s.r[i] = s.e[i];
    if (round > 0)
      for (int c = 0; c < s.columns; ++c) {
        const T fixed = (one<T>() - s.free[c]) * s.d[c];
        for (int i = 0; i < m; ++i) s.r[i] += s.J[c * m + i] * fixed;
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
  // Poses and positions are the most frequent targets.
  if (rows == 6)
    damped_step(std::integral_constant<int, 6>{}, s);
  else if (rows == 3)
    damped_step(std::integral_constant<int, 3>{}, s);
  else
    damped_step(rows, s);
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom::ik
