// The arithmetic of kernels.h for the instruction set this file is compiled for.
#include "lissom/qp/kernels.h"

#include <cstring>

#include "lissom/math/lanes.h"
#include "lissom/qp/tables.h"

namespace lissom::qp {
inline namespace LISSOM_ISA_NAMESPACE {
namespace {

constexpr int width = register_bytes / int(sizeof(double));
using Pack = Lanes<double, width>;
static_assert(block % width == 0);

// Adds halves until one element is left.
template <int N>
LISSOM_INLINE double sum(Lanes<double, N> x) {
  if constexpr (N == 2) {
    return x[0] + x[1];
  } else {
    Lanes<double, N / 2> low, high;
    std::memcpy(&low, &x, sizeof low);
    std::memcpy(&high, reinterpret_cast<const char*>(&x) + sizeof low, sizeof high);
    return sum<N / 2>(low + high);
  }
}

// Whether all of N packs are zero. (Compared lane by lane: a sum would delay the next test.)
template <int N>
LISSOM_INLINE bool zero(const double* p) {
#if defined(__has_builtin) && __has_builtin(__builtin_reduce_or)
  auto any = Pack::load(p).v != 0;
  for (int i = 1; i < N; ++i) any |= Pack::load(p + i * width).v != 0;
  return __builtin_reduce_or(any) == 0;
#else
  Pack any(0.0);
  for (int i = 0; i < N; ++i) any += Pack::load(p + i * width) * Pack::load(p + i * width);
  return sum(any) == 0;
#endif
}

double take(const double* from, int n, double* to, Columns* columns) {
  const int whole = n / block * block, end = padded(n);
  double rest[block] = {};
  for (int i = whole; i < n; ++i) rest[i - whole] = from[i];
  const auto at = [&](int k) { return k < whole ? from + k : rest; };
  const auto empty = [&](int k) { return zero<block / width>(at(k)); };
  int first = 0, last = end;
  while (first < end && empty(first)) first += block;
  while (last > first && empty(last - block)) last -= block;
  Pack total(0.0);
  for (int k = first; k < last; k += block)
    for (int i = 0; i < block; i += width) {
      const Pack x = Pack::load(at(k) + i);
      x.store(to + k + i);
      total += x * x;
    }
  for (int k = columns->first; k < columns->last; k += width)
    if (k < first || k >= last) Pack(0.0).store(to + k);
  *columns = {first, last};
  return sum(total);
}

int reach(const double* row, int begin, int end) {
  for (; end - begin >= 4 * width; end -= 4 * width)
    if (!zero<4>(row + end - 4 * width)) break;
  for (; end - begin >= width; end -= width)
    if (!zero<1>(row + end - width)) break;
  while (end > begin && row[end - 1] == 0) --end;
  return end;
}

void scale(const double* a, const double* b, double* v, int size) {
  for (int i = 0; i < size; i += width) (Pack::load(a + i) * Pack::load(b + i)).store(v + i);
}

double dot(const double* a, const double* b, int size) {
  Pack even(0.0), odd(0.0);
  int i = 0;
  for (; i + 2 * width <= size; i += 2 * width) {
    even += Pack::load(a + i) * Pack::load(b + i);
    odd += Pack::load(a + i + width) * Pack::load(b + i + width);
  }
  if (i < size) even += Pack::load(a + i) * Pack::load(b + i);
  return sum(even + odd);
}

void multiply(double c, const double* x, double* y, int size) {
  const Pack factor(c);
  for (int i = 0; i < size; i += width) (factor * Pack::load(x + i)).store(y + i);
}

void add(double c, const double* x, double* y, int size) {
  const Pack factor(c);
  for (int i = 0; i < size; i += width) (Pack::load(y + i) + factor * Pack::load(x + i)).store(y + i);
}

// The sums of four or eight packs: neighbors are added first, then pairs of pairs, so that additions serve several
// rows.
template <int N, std::size_t R>
LISSOM_INLINE void sums(const Lanes<double, N> (&r)[R], double* out) {
  using L = Lanes<double, N>;
  if constexpr (N == 4 && R == 4) {
    const auto pairs = [](L a, L b) {
      return L(__builtin_shufflevector(a.v, b.v, 0, 4, 2, 6) + __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7));
    };
    const L ab = pairs(r[0], r[1]), cd = pairs(r[2], r[3]);
    L(__builtin_shufflevector(ab.v, cd.v, 0, 1, 4, 5) + __builtin_shufflevector(ab.v, cd.v, 2, 3, 6, 7)).store(out);
  } else if constexpr (N == 8 && R == 8) {
    const auto pairs = [](L a, L b) {
      return L(__builtin_shufflevector(a.v, b.v, 0, 8, 2, 10, 4, 12, 6, 14) +
               __builtin_shufflevector(a.v, b.v, 1, 9, 3, 11, 5, 13, 7, 15));
    };
    const auto fours = [](L a, L b) {
      return L(__builtin_shufflevector(a.v, b.v, 0, 1, 4, 5, 8, 9, 12, 13) +
               __builtin_shufflevector(a.v, b.v, 2, 3, 6, 7, 10, 11, 14, 15));
    };
    fours(fours(pairs(r[0], r[1]), pairs(r[2], r[3])), fours(pairs(r[4], r[5]), pairs(r[6], r[7]))).store(out);
  } else {
    for (std::size_t i = 0; i < R; ++i) out[i] = sum(r[i]);
  }
}

// Each part of x is loaded once for R rows.
template <int R>
LISSOM_INLINE void times_some(const double* M, int stride, const double* x, double* out, int first, int last) {
  Pack total[R];
  for (int r = 0; r < R; ++r) total[r] = Pack(0.0);
  for (int k = first; k < last; k += width) {
    const Pack part = Pack::load(x + k);
    for (int r = 0; r < R; ++r) total[r] += part * Pack::load(M + r * stride + k);
  }
  sums(total, out);
}

void times(const double* M, int stride, int rows, const double* x, double* out, int first, int last) {
  int i = 0;
  if constexpr (width == 8)
    for (; i + 8 <= rows; i += 8) times_some<8>(M + i * stride, stride, x, out + i, first, last);
  for (; i + 4 <= rows; i += 4) times_some<4>(M + i * stride, stride, x, out + i, first, last);
  for (; i < rows; ++i) times_some<1>(M + i * stride, stride, x, out + i, first, last);
}

template <int R>
LISSOM_INLINE void times_two_some(const double* M, int stride, const double* const (&x)[2], double* const (&out)[2],
                                  int i, int first, int last) {
  Pack total[2 * R];  // of the first vector, then of the second
  for (int r = 0; r < 2 * R; ++r) total[r] = Pack(0.0);
  for (int k = first; k < last; k += width) {
    const Pack a = Pack::load(x[0] + k), b = Pack::load(x[1] + k);
    for (int r = 0; r < R; ++r) {
      const Pack m = Pack::load(M + (i + r) * stride + k);
      total[r] += m * a;
      total[R + r] += m * b;
    }
  }
  double of_both[2 * R];
  sums(total, of_both);
  for (int r = 0; r < R; ++r) out[0][i + r] = of_both[r], out[1][i + r] = of_both[R + r];
}

void times_two(const double* M, int stride, int rows, const double* const (&x)[2], double* const (&out)[2], int first,
               int last) {
  constexpr int most = width == 8 ? 4 : 2;
  int i = 0;
  for (; i + most <= rows; i += most) times_two_some<most>(M, stride, x, out, i, first, last);
  for (; i < rows; ++i) times_two_some<1>(M, stride, x, out, i, first, last);
}

// P registers of y are kept while looping over the rows; if they are few, the rows are taken in pairs with separate
// sums, so that no sum depends on the one before.
template <int P, class Row, class Factor>
LISSOM_INLINE void add_rows_some(int rows, Row row, Factor factor, double* y) {
  constexpr int step = P < 4 ? 2 : 1;
  Pack total[step][P];
  for (int p = 0; p < P; ++p) total[0][p] = Pack::load(y + p * width);
  for (int p = 0; p < P; ++p) total[step - 1][p] = step == 1 ? total[0][p] : Pack(0.0);
  int i = 0;
  for (; i + step <= rows; i += step)
    for (int s = 0; s < step; ++s) {
      const Pack c(factor(i + s));
      const double* const r = row(i + s);
      for (int p = 0; p < P; ++p) total[s][p] += c * Pack::load(r + p * width);
    }
  if (step > 1 && i < rows) {
    const Pack c(factor(i));
    for (int p = 0; p < P; ++p) total[0][p] += c * Pack::load(row(i) + p * width);
  }
  for (int p = 0; p < P; ++p) (step == 1 ? total[0][p] : total[0][p] + total[step - 1][p]).store(y + p * width);
}

template <class Row, class Factor>
LISSOM_INLINE void add_rows_all(int rows, Row row, Factor factor, double* y, int first, int last) {
  for (int k = first; k < last;) {
    const auto part = [&](int i) { return row(i) + k; };
    const int packs = (last - k) / width;
    if (packs >= 8)
      add_rows_some<8>(rows, part, factor, y + k), k += 8 * width;
    else if (packs >= 6)
      add_rows_some<6>(rows, part, factor, y + k), k += 6 * width;
    else if (packs == 5)
      add_rows_some<5>(rows, part, factor, y + k), k += 5 * width;
    else if (packs >= 3)
      add_rows_some<3>(rows, part, factor, y + k), k += 3 * width;
    else if (packs == 2)
      add_rows_some<2>(rows, part, factor, y + k), k += 2 * width;
    else
      add_rows_some<1>(rows, part, factor, y + k), k += width;
  }
}

void add_rows(const double* M, int stride, int rows, double sign, const double* c, double* y, int first, int last) {
  add_rows_all(rows, [=](int i) { return M + i * stride; }, [=](int i) { return sign * c[i]; }, y, first, last);
}

template <int P>
LISSOM_INLINE void subtract_rows_two_some(const double* M, int stride, int rows, const double* const (&c)[2],
                                          double* const (&y)[2], int k) {
  Pack a[P], b[P];
  for (int p = 0; p < P; ++p) a[p] = Pack::load(y[0] + k + p * width), b[p] = Pack::load(y[1] + k + p * width);
  for (int i = 0; i < rows; ++i) {
    const Pack ca(-c[0][i]), cb(-c[1][i]);
    for (int p = 0; p < P; ++p) {
      const Pack m = Pack::load(M + i * stride + k + p * width);
      a[p] += ca * m;
      b[p] += cb * m;
    }
  }
  for (int p = 0; p < P; ++p) a[p].store(y[0] + k + p * width), b[p].store(y[1] + k + p * width);
}

void subtract_rows_two(const double* M, int stride, int rows, const double* const (&c)[2], double* const (&y)[2],
                       int first, int last) {
  int k = first;
  if constexpr (width == 8)
    for (; last - k >= 6 * width; k += 6 * width) subtract_rows_two_some<6>(M, stride, rows, c, y, k);
  for (; last - k >= 4 * width; k += 4 * width) subtract_rows_two_some<4>(M, stride, rows, c, y, k);
  if (last - k >= 2 * width) subtract_rows_two_some<2>(M, stride, rows, c, y, k), k += 2 * width;
  if (last - k >= width) subtract_rows_two_some<1>(M, stride, rows, c, y, k);
}

void add_listed(const double* M, int stride, int rows, const int* list, const double* c, double* y, int first,
                int last) {
  add_rows_all(rows, [=](int i) { return M + list[i] * stride; }, [=](int i) { return c[i]; }, y, first, last);
}

void rotate(double* a, double* b, double c, double s, int size) {
  const Pack cosine(c), sine(s);
  for (int i = 0; i < size; i += width) {
    const Pack x = Pack::load(a + i), y = Pack::load(b + i);
    (cosine * x + sine * y).store(a + i);
    (cosine * y - sine * x).store(b + i);
  }
}

// Cholesky row by row: the contributions of the rows above are subtracted, then the row is divided by the root of its
// pivot. Elements left of the diagonal, in the same block of eight, have no meaning.
int factor(double* U, double* W, int stride, int begin, int end, const double* min_pivot) {
  const int last = padded(end);
  for (int j = begin; j < end; ++j) {
    double* const row = U + j * stride;
    add_rows_all(
        j - begin, [=](int i) { return U + (begin + i) * stride; }, [=](int i) { return -U[(begin + i) * stride + j]; },
        row, block_start(j), last);
    if (!(row[j] > min_pivot[j])) return j;
    const Pack scale(1 / __builtin_sqrt(row[j]));
    for (int k = block_start(j); k < last; k += width) (scale * Pack::load(row + k)).store(row + k);
  }
  // W = U⁻¹ from the last row up, by row j of U W = 1.
  for (int j = end - 1; j >= begin; --j) {
    double* const row = W + j * stride;
    const double scale = 1 / U[j * stride + j];
    for (int k = block_start(begin); k < last; k += width) Pack(0.0).store(row + k);
    add_rows(W + (j + 1) * stride, stride, end - 1 - j, 1, U + j * stride + j + 1, row, block_start(j), last);
    for (int k = block_start(j); k < last; k += width) (Pack(-scale) * Pack::load(row + k)).store(row + k);
    row[j] = scale;
  }
  return end;
}

}  // namespace

const Kernels& kernel_table() {
  static const Kernels table{take,       reach,  scale,     dot,      multiply,
                             add,        times,  times_two, add_rows, subtract_rows_two,
                             add_listed, rotate, factor};
  return table;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom::qp
