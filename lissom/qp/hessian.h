#pragma once
// A change of variables that makes H the identity. With H = L Lᵀ and w = Lᵀ x the problem is
//
//   min ½ |w - w0|²,   w0 = -L⁻¹ g,   a row n·x becomes v·w with v = L⁻¹ n,
//
// so that distances and angles are Euclidean. A controller's H has one large block (the accelerations) and a diagonal
// (the forces): only the blocks are factored. W = L⁻ᵀ is stored, because with it every change from x to w and back is a
// product, whereas in a substitution each element depends on the one before.
//
// If H is only semidefinite, its diagonal is enlarged; the steps of the proximal point method (solver.cpp) remove the
// effect of this shift again. Pivots and shifts are measured by the diagonal element of the variable: what unit a
// variable has makes no difference. Not for users.
#include "lissom/qp/kernels.h"
#include "lissom/qp/memory.h"
#include "lissom/qp/problem.h"

namespace lissom::qp {

class Hessian {
 public:
  explicit Hessian(int variables);

  enum class Kind { definite, semidefinite, indefinite, asymmetric, not_finite };
  // Finds the blocks, copies and factors them. A `shift` > 0, relative to the diagonal elements, is added even if H is
  // definite. The sum of the blocks must be the size of H.
  Kind set(const Problem& problem, double shift);
  // Replaces H by curvature times the identity, until it is set again.
  void flatten(double curvature);

  bool shifted() const { return shift_ > 0; }
  // By how much the diagonal element of a variable was enlarged.
  double shift_of(int variable) const { return shift_ * measure_[variable]; }
  // Whether the diagonal elements differ by so many orders of magnitude that variables must have different units.
  bool mixed_units() const { return mixed_units_; }
  // For each variable 1/√h in this case, where h is its diagonal element, or the largest one if it has no curvature;
  // otherwise 1. Elements of the gradient that are multiplied by it, and variables that are divided by it, can be
  // compared.
  const double* units() const { return units_; }

  // v = L⁻¹ n, the same of a unit row, and x = L⁻ᵀ w. All elements are written. `columns` are the nonzero columns of n;
  // those of v are returned.
  Columns to_w(const double* row, Columns columns, double* v);
  Columns unit_to_w(int variable, double* v) const;
  void to_x(const double* w, double* x) const;
  // out = H x, with H as given, without the shift.
  void times(const double* x, double* out) const;

 private:
  struct Block {
    int begin, end;
  };
  void find_blocks(const Problem& problem);
  bool copy(const Problem& problem);
  bool symmetric(const Problem& problem);
  bool symmetric(int begin, int end);
  bool differs_by_rounding(int begin, int end);
  double coupled_diagonal(int i, int begin, int end) const;
  void scale_probe();
  void find_units(const Problem& problem);
  bool semidefinite();
  bool factor(double shift, double min_pivot, const double* measure);

  const Kernels& k_;
  int n_ = 0, stride_ = 0;
  double shift_ = 0, max_diagonal_ = 0;
  bool mixed_units_ = false;
  Numbers H_, U_, W_;
  Numbers diagonal_, scale_;  // for blocks of size 1: H and 1/√(H + shift); zero elsewhere
  Numbers measure_, units_;   // h and 1/√h of each variable, see units(); until these are found, the diagonal of H
  Numbers min_pivot_;
  std::vector<Block> blocks_;  // those larger than 1
  int block_count_ = 0;
  std::vector<int> list_, block_of_;
  Numbers listed_, probe_;
  Numbers scaled_probe_, inverse_roots_;
};

}  // namespace lissom::qp
