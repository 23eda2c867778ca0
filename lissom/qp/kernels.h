#pragma once
// The dense arithmetic of the solver, compiled for every instruction set (kernels.cpp) and chosen when the program
// runs. All arrays start on a boundary of 64 bytes and are padded with zeros to whole blocks of eight elements, so that
// no loop has a remainder. [first, last) are columns; first and last are multiples of the block size. Not for users.
namespace lissom::qp {

inline constexpr int block = 8;
constexpr int padded(int n) {
  return (n + block - 1) / block * block;
}
constexpr int block_start(int i) {
  return i / block * block;
}

// A range of columns outside of which a row is zero; whole blocks.
struct Columns {
  int first = 0, last = 0;
  int size() const { return last - first; }
};
constexpr Columns both(Columns a, Columns b) {
  if (a.last <= a.first) return b;
  if (b.last <= b.first) return a;
  return {a.first < b.first ? a.first : b.first, a.last > b.last ? a.last : b.last};
}

struct Kernels {
  // Copies n elements and pads them; returns the sum of their squares, and in `columns` the nonzero range. Before the
  // call, `to` must be zero outside of `columns`: most of the zeros then need not be written.
  double (*take)(const double* from, int n, double* to, Columns* columns);
  // One past the last nonzero element of row[begin … end), or begin.
  int (*reach)(const double* row, int begin, int end);
  // v = a b, element by element
  void (*scale)(const double* a, const double* b, double* v, int size);
  // a · b
  double (*dot)(const double* a, const double* b, int size);
  // y = c x
  void (*multiply)(double c, const double* x, double* y, int size);
  // y += c x
  void (*add)(double c, const double* x, double* y, int size);
  // out[i] = row i of M · x
  void (*times)(const double* M, int stride, int rows, const double* x, double* out, int first, int last);
  // The same for two vectors at once: M is read once for both.
  void (*times_two)(const double* M, int stride, int rows, const double* const (&x)[2], double* const (&out)[2],
                    int first, int last);
  // y += sign Σ c[i] · row i of M
  void (*add_rows)(const double* M, int stride, int rows, double sign, const double* c, double* y, int first, int last);
  // y -= Σ c[i] · row i of M, for two vectors at once
  void (*subtract_rows_two)(const double* M, int stride, int rows, const double* const (&c)[2], double* const (&y)[2],
                            int first, int last);
  // y += Σ c[i] · row list[i] of M
  void (*add_listed)(const double* M, int stride, int rows, const int* list, const double* c, double* y, int first,
                     int last);
  // Givens rotation of two rows: (a, b) ← (c a + s b, c b - s a)
  void (*rotate)(double* a, double* b, double c, double s, int size);
  // Factors H = Uᵀ U in place (the upper triangle of rows and columns [begin, end)), and writes W = U⁻¹. Returns the
  // index of the first pivot that is not larger than its element of `min_pivot`, or end.
  int (*factor)(double* U, double* W, int stride, int begin, int end, const double* min_pivot);
};

const Kernels& kernels();

}  // namespace lissom::qp
