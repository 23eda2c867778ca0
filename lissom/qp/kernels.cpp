// The arithmetic of kernels.h for the instruction set this file is compiled for.
#include "lissom/qp/kernels.h"

#include <cstring>

#include "lissom/math/lanes.h"
#include "lissom/qp/tables.h"

namespace lissom::qp {
inline namespace LISSOM_ISA {
namespace {

constexpr int width = register_bytes / int(sizeof(double));
using Pack = Lanes<double, width>;
static_assert(block % width == 0);

// Halves are added until one number is left.
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

double dot(const double* a, const double* b, int size) {
  Pack even(0.0), odd(0.0);
  for (int i = 0; i < size; i += block) {
    for (int k = 0; k < block; k += 2 * width) {
      even += Pack::load(a + i + k) * Pack::load(b + i + k);
      if constexpr (block > width) odd += Pack::load(a + i + k + width) * Pack::load(b + i + k + width);
    }
  }
  return sum(even + odd);
}

void add(double c, const double* x, double* y, int size) {
  const Pack factor(c);
  for (int i = 0; i < size; i += width) (Pack::load(y + i) + factor * Pack::load(x + i)).store(y + i);
}

// R rows at a time share each part of x.
template <int R>
LISSOM_INLINE void times_some(const double* M, int stride, const double* x, double* out, int first, int last) {
  Pack total[R];
  for (int r = 0; r < R; ++r) total[r] = Pack(0.0);
  for (int k = first; k < last; k += width) {
    const Pack part = Pack::load(x + k);
    for (int r = 0; r < R; ++r) total[r] += part * Pack::load(M + r * stride + k);
  }
  for (int r = 0; r < R; ++r) out[r] = sum(total[r]);
}

void times(const double* M, int stride, int rows, const double* x, double* out, int first, int last) {
  int i = 0;
  for (; i + 4 <= rows; i += 4) times_some<4>(M + i * stride, stride, x, out + i, first, last);
  for (; i < rows; ++i) times_some<1>(M + i * stride, stride, x, out + i, first, last);
}

// P registers of y stay where they are while the rows pass by, two by two, so that no sum waits for the one before.
template <int P, class Row, class Factor>
LISSOM_INLINE void add_rows_some(int rows, Row row, Factor factor, double* y) {
  Pack even[P], odd[P];
  for (int p = 0; p < P; ++p) even[p] = Pack::load(y + p * width), odd[p] = Pack(0.0);
  int i = 0;
  for (; i + 2 <= rows; i += 2) {
    const Pack c0(factor(i)), c1(factor(i + 1));
    const double *const r0 = row(i), *const r1 = row(i + 1);
    for (int p = 0; p < P; ++p) even[p] += c0 * Pack::load(r0 + p * width);
    for (int p = 0; p < P; ++p) odd[p] += c1 * Pack::load(r1 + p * width);
  }
  if (i < rows) {
    const Pack c0(factor(i));
    const double* const r0 = row(i);
    for (int p = 0; p < P; ++p) even[p] += c0 * Pack::load(r0 + p * width);
  }
  for (int p = 0; p < P; ++p) (even[p] + odd[p]).store(y + p * width);
}

template <class Row, class Factor>
LISSOM_INLINE void add_rows_all(int rows, Row row, Factor factor, double* y, int first, int last) {
  int k = first;
  for (; k + 4 * width <= last; k += 4 * width)
    add_rows_some<4>(rows, [&](int i) { return row(i) + k; }, factor, y + k);
  for (; k + 2 * width <= last; k += 2 * width)
    add_rows_some<2>(rows, [&](int i) { return row(i) + k; }, factor, y + k);
  for (; k < last; k += width) add_rows_some<1>(rows, [&](int i) { return row(i) + k; }, factor, y + k);
}

void add_rows(const double* M, int stride, int rows, const double* c, int step, double* y, int first, int last) {
  add_rows_all(rows, [=](int i) { return M + i * stride; }, [=](int i) { return c[i * step]; }, y, first, last);
}

void add_listed(const double* M, int stride, int rows, const int* list, const double* c, double* y, int first,
                int last) {
  add_rows_all(rows, [=](int i) { return M + list[i] * stride; }, [=](int i) { return c[i]; }, y, first, last);
}

void turn(double* a, double* b, double c, double s, int size) {
  const Pack cosine(c), sine(s);
  for (int i = 0; i < size; i += width) {
    const Pack x = Pack::load(a + i), y = Pack::load(b + i);
    (cosine * x + sine * y).store(a + i);
    (cosine * y - sine * x).store(b + i);
  }
}

// Row by row: what the rows above have is taken off, then the row is divided by the root of its pivot. Left of the
// diagonal, in the same block of eight, stand numbers without a meaning.
int factor(double* U, double* W, int stride, int begin, int end, double least) {
  const int last = padded(end);
  for (int j = begin; j < end; ++j) {
    double* const row = U + j * stride;
    add_rows_all(
        j - begin, [=](int i) { return U + (begin + i) * stride; }, [=](int i) { return -U[(begin + i) * stride + j]; },
        row, block_start(j), last);
    if (!(row[j] > least)) return j;
    const Pack scale(1 / __builtin_sqrt(row[j]));
    for (int k = block_start(j); k < last; k += width) (scale * Pack::load(row + k)).store(row + k);
  }
  // W = U⁻¹ from the last row up: row j of U W = 1.
  for (int j = end - 1; j >= begin; --j) {
    double* const row = W + j * stride;
    const double scale = 1 / U[j * stride + j];
    for (int k = block_start(begin); k < last; k += width) Pack(0.0).store(row + k);
    add_rows(W + (j + 1) * stride, stride, end - 1 - j, U + j * stride + j + 1, 1, row, block_start(j), last);
    for (int k = block_start(j); k < last; k += width) (Pack(-scale) * Pack::load(row + k)).store(row + k);
    row[j] = scale;
  }
  return end;
}

}  // namespace

const Kernels& kernel_table() {
  static const Kernels table{dot, add, times, add_rows, add_listed, turn, factor};
  return table;
}

}  // namespace LISSOM_ISA
}  // namespace lissom::qp
