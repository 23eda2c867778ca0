#pragma once
// The dense arithmetic of the solver, compiled for every instruction set (kernels.cpp) and chosen when the program
// runs. All arrays start on a boundary of 64 bytes and are padded to whole blocks of eight numbers with zeros, so that
// no loop has a remainder. [first, last) are columns, first and last whole blocks.
namespace lissom::qp {

inline constexpr int block = 8;
constexpr int padded(int n) {
  return (n + block - 1) / block * block;
}
constexpr int block_start(int i) {
  return i / block * block;
}

// Columns in which a row is not zero; whole blocks.
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
  // Copies n numbers and pads them; returns the sum of their squares, and where they are not zero. Before, what is at
  // `to` must be zero outside of `columns`: most of what is zero then need not be written.
  double (*take)(const double* from, int n, double* to, Columns* columns);
  // One past the last of row[begin … end) that is not zero, or begin.
  int (*reach)(const double* row, int begin, int end);
  // v = a b, number by number
  void (*scale)(const double* a, const double* b, double* v, int size);
  // a · b
  double (*dot)(const double* a, const double* b, int size);
  // y = c x
  void (*multiply)(double c, const double* x, double* y, int size);
  // y += c x
  void (*add)(double c, const double* x, double* y, int size);
  // out[i] = row i of M · x
  void (*times)(const double* M, int stride, int rows, const double* x, double* out, int first, int last);
  // The same of two vectors at once: what is read of M serves both.
  void (*times_two)(const double* M, int stride, int rows, const double* const (&x)[2], double* const (&out)[2],
                    int first, int last);
  // y += sign Σ c[i] · row i of M
  void (*add_rows)(const double* M, int stride, int rows, double sign, const double* c, double* y, int first, int last);
  // y -= Σ c[i] · row i of M, for two at once
  void (*take_off_two)(const double* M, int stride, int rows, const double* const (&c)[2], double* const (&y)[2],
                       int first, int last);
  // y += Σ c[i] · row list[i] of M
  void (*add_listed)(const double* M, int stride, int rows, const int* list, const double* c, double* y, int first,
                     int last);
  // Two rows turned: (a, b) ← (c a + s b, c b - s a)
  void (*turn)(double* a, double* b, double c, double s, int size);
  // U of H = Uᵀ U in place (upper triangle, of rows and columns [begin, end)), and its inverse W. Returns the index of
  // the first pivot that is not larger than `least`, or end.
  int (*factor)(double* U, double* W, int stride, int begin, int end, double least);
};

const Kernels& kernels();

}  // namespace lissom::qp
