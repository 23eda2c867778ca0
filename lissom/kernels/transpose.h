#pragma once
// Converts rows of numbers, one for each robot, to lanes, one robot in each, and back: squares of lanes × lanes numbers
// are transposed in registers, by interleaving rows that lie half a square apart until every row has become a column.
#include <utility>

#include "lissom/math/lanes.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

// a0 b0 a1 b1 … from the lower halves (Half = 0) or the upper halves (Half = 1) of a and b.
template <int Half, class S, int N, int... I>
LISSOM_INLINE Lanes<S, N> interleave(Lanes<S, N> a, Lanes<S, N> b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a.v, b.v, (Half * N / 2 + I / 2 + (I % 2) * N)...);
}

// (The loops are unrolled by order, here and below: g++ would otherwise keep the square in memory, and take six times
// as long.)
template <class S, int N>
LISSOM_INLINE void transpose(Lanes<S, N> (&x)[N]) {
  using All = std::make_integer_sequence<int, N>;
#pragma GCC unroll 4
  for (int done = 1; done < N; done *= 2) {
    Lanes<S, N> y[N];
#pragma GCC unroll 8
    for (int i = 0; i < N / 2; ++i) {
      y[2 * i] = interleave<0>(x[i], x[i + N / 2], All{});
      y[2 * i + 1] = interleave<1>(x[i], x[i + N / 2], All{});
    }
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) x[i] = y[i];
  }
}

// Converts `robots` rows of n numbers, `stride` apart, to n × N numbers. Lanes without a robot repeat the last one.
template <class S, int N>
void rows_to_lanes(const S* rows, long stride, int robots, int n, Lanes<S, N>* lanes) {
  const S* row[N];
  for (int l = 0; l < N; ++l) row[l] = rows + (l < robots ? l : robots - 1) * stride;
  int i = 0;
  for (; i + N <= n; i += N) {
    Lanes<S, N> square[N];
#pragma GCC unroll 16
    for (int l = 0; l < N; ++l) square[l] = Lanes<S, N>::load(row[l] + i);
    transpose(square);
#pragma GCC unroll 16
    for (int k = 0; k < N; ++k) lanes[i + k] = square[k];
  }
  for (; i < n; ++i)
    for (int l = 0; l < N; ++l) lanes[i].v[l] = row[l][i];
}

// Converts back, for the first `robots` lanes.
template <class S, int N>
void lanes_to_rows(const Lanes<S, N>* lanes, int robots, int n, S* rows, long stride) {
  int i = 0;
  for (; i + N <= n; i += N) {
    Lanes<S, N> square[N];
#pragma GCC unroll 16
    for (int k = 0; k < N; ++k) square[k] = lanes[i + k];
    transpose(square);
    for (int l = 0; l < robots; ++l) square[l].store(rows + l * stride + i);
  }
  for (; i < n; ++i)
    for (int l = 0; l < robots; ++l) rows[l * stride + i] = lanes[i].v[l];
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
