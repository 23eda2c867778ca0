#pragma once
// All constraints as rows with one numbering: those of A, then those of C, then one for every variable,
//
//   lower ≤ n·x + s ≤ upper,   with a slack s only if the row is soft: violating it costs ½ weight s².
//
// A and C are copied into rows of whole blocks (kernels.h). Bounds of variables need no storage. Not for users.
#include <vector>

#include "lissom/qp/hessian.h"
#include "lissom/qp/solution.h"

namespace lissom::qp {

// Why the sizes of a problem do not match each other, or exceed those of the solver; null if they are right.
const char* wrong_sizes(const Problem& problem, const Sizes& max_sizes);

class Constraints {
 public:
  explicit Constraints(const Sizes& max_sizes);

  // Returns why the data are invalid, or null.
  const char* set(const Problem& problem);

  int size() const { return me_ + mi_ + n_; }
  int variables() const { return n_; }
  int equalities() const { return me_; }
  int rows() const { return mi_; }
  double lower(int i) const { return lower_[i]; }
  double upper(int i) const { return upper_[i]; }
  bool fixed(int i) const { return lower_[i] == upper_[i]; }  // an equality, in any of the three parts
  bool bound(int i) const { return i >= me_ + mi_; }
  double length(int i) const { return length_[i]; }  // norm of n
  const double* lengths() const { return length_; }
  double length(int i, const double* units) const;   // the same after each element was multiplied by its unit
  double weight(int i) const { return weight_[i]; }  // 0: hard
  bool any_soft() const { return any_soft_; }
  // Where a lower bound is above its upper one, both are replaced by their mean. This is the largest distance from
  // there to the given bounds, and the same relative to the norm of the row if that is more than 1.
  double crossing() const { return crossing_; }
  double scaled_crossing() const { return scaled_crossing_; }
  Conflict conflict(int i, double value) const;

  // n·x of all rows; of one row
  void values(const double* x, double* out) const;
  double value(int i, const double* x) const;
  // v = L⁻¹ n of one row, and its nonzero columns
  Columns to_w(int i, Hessian& hessian, double* v) const;
  Columns columns(int i) const;
  // out -= Σ multiplier · n
  void subtract(const double* multipliers, double* out);

 private:
  bool copy(const MatrixIn& from, int first, int count);
  bool set_limits(int first, const VectorIn& lower, const VectorIn& upper);
  void find_crossing(int first, int count);
  void find_ranges();

  const Kernels& k_;
  int rows_of_memory_, n_ = 0, me_ = 0, mi_ = 0, stride_ = 0;
  bool any_soft_ = false;
  double crossing_ = 0, scaled_crossing_ = 0;
  Numbers N_, lower_, upper_, length_, weight_, given_lower_, given_upper_;
  std::vector<Columns> columns_, fours_;  // of each row of A and C; of groups of four rows
  std::vector<int> list_;
  Numbers listed_;
};

}  // namespace lissom::qp
