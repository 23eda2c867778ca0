#pragma once
// H as a change of variables in which it is the unit matrix. With H = L Lᵀ and w = Lᵀ x the problem is
//
//   min ½ |w - w0|²,   w0 = -L⁻¹ g,   a row n·x becomes v·w with v = L⁻¹ n,
//
// so that "nearest point" and "orthogonal" mean what they say. A controller's H has one large block (the accelerations)
// and a diagonal (the forces): only the blocks are factored, and W = L⁻ᵀ is kept, since with it every change from x to
// w and back is a product, where substitution would wait for one number after the other.
//
// H that is only semidefinite gets ρ on its diagonal; the steps of the proximal point method (solver.cpp) take it out
// of the answer again.
#include "lissom/qp/kernels.h"
#include "lissom/qp/memory.h"
#include "lissom/qp/problem.h"

namespace lissom::qp {

class Hessian {
 public:
  explicit Hessian(int variables);

  enum class Kind { definite, semidefinite, indefinite, not_finite };
  // Finds the blocks, copies and factors them; with `shift` (in proportion to the largest number on the diagonal) also
  // where that would not be needed. Blocks must sum up to the size of H.
  Kind set(const Problem& problem, double shift);
  // From now on, until it is set again: curvature · unit matrix.
  void flatten(double curvature);

  double shift() const { return shift_; }  // ρ

  // v = L⁻¹ n, and that of a unit row; x = L⁻ᵀ w. All of it is written; where it is not zero is given, and returned.
  Columns to_w(const double* row, Columns columns, double* v);
  Columns unit_to_w(int variable, double* v) const;
  void to_x(const double* w, double* x) const;
  // out = H x, of the data as they were given
  void times(const double* x, double* out) const;

 private:
  struct Block {
    int begin, end;
  };
  void find_blocks(const Problem& problem);
  bool copy(const Problem& problem);
  bool factor();

  const Kernels& k_;
  int n_ = 0, stride_ = 0;
  double shift_ = 0, max_diagonal_ = 0;  // largest_: on the diagonal
  Numbers H_, U_, W_;
  Numbers diagonal_, scale_;   // of blocks of size 1: H, and 1/√H; zero elsewhere
  std::vector<Block> blocks_;  // larger than 1
  int block_count_ = 0;
  std::vector<int> list_, block_of_;
  Numbers listed_;
};

}  // namespace lissom::qp
