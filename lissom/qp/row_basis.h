#pragma once
// An orthonormal basis of the active rows, in the variables w (hessian.h): v_j = Σ_{i ≤ j} T_ji q_i with orthonormal
// rows q. (Q is J1ᵀ and T is Rᵀ of Goldfarb and Idnani 1983, section 4; the rest of their J is never needed.) Rows are
// added by Gram–Schmidt with a second pass (Daniel, Gragg, Kaufman, Stewart 1976), which is as accurate as Householder
// reflections, and removed by Givens rotations.
//
// A soft row has a variable of its own for its slack, in which H is its weight: v gets one more element, 1/√weight, in
// a column past those of x. This column is assigned when the row is added.
//
// Rows of a controller are sparse (those of a contact do not involve the forces, those of a friction cone only one),
// and stay sparse as long as they are orthogonal to other rows by their sparsity: columns outside of those of a segment
// of rows are not touched. Not for users.
#include <vector>

#include "lissom/qp/kernels.h"
#include "lissom/qp/memory.h"

namespace lissom::qp {

class RowBasis {
 public:
  RowBasis(int variables, int rows);

  // Empties the basis, for `variables` variables and at most `slacks` soft rows.
  void clear(int variables, int slacks);
  int size() const { return size_; }
  double* row() { return v_; }  // the caller writes the next row to be projected here

  // Projects row(), which is zero outside of `columns`, onto the orthogonal complement of the basis: the result is z,
  // and its squared norm is returned; zero if the row depends on those in the basis. slack: 1/√weight of a soft row, 0
  // of a hard one.
  double project(Columns columns, double slack);
  // The same for two hard rows, row() and next_row(), if their sparsity is similar enough: Q is read once for both.
  // project_two() returns the result for row(); after that has been added, or not, project_next() that for next_row().
  bool can_project_two(Columns first, Columns second) const;
  double* next_row() { return next_; }
  double project_two(Columns columns, Columns next);
  double project_next();
  // Adds the row that was projected last.
  void add();
  // Removes a row; the indices of the rows behind it decrease by one.
  void remove(int index);

  const double* rest() const { return v_; }   // z
  double length() const { return length_; }   // |v| of the row projected last
  void multipliers_of_last(double* r) const;  // r of v = z + Σ r_j v_j: R r = d
  double length(int index) const { return lengths_[index]; }

  // forward() solves T y = b; backward() solves R λ = y in place.
  void forward(const double* b, double* y) const;
  void backward(double* y) const;
  // w += Qᵀ y; y = Q w, for w without slacks.
  void add_to(const double* y, double* w) const;
  void along(const double* w, double* y) const;

 private:
  // Rows [begin, end) of Q are zero outside of these columns, apart from slacks.
  struct Segment {
    int begin, end;
    Columns columns;
  };
  void take_out(bool slacks_too, double* d);
  void take_out_two();
  double judge();
  double left() const;
  void join_segments(int from);
  // Row size_ of T is d = Q v of the row projected last, row size_ + 1 that of next_row(); add() makes them part of T.
  double* T(int i) const { return T_ + i * T_stride_; }
  double* Q(int i) const { return Q_ + i * stride_; }

  const Kernels& k_;
  // x_ is the padded number of variables; columns from x_ to reach_ may hold slacks.
  int capacity_, x_ = 0, reach_ = 0, stride_ = 0, T_stride_, size_ = 0;
  Columns columns_of_v_, columns_of_next_;
  int before_ = 0;  // size_ when two rows were projected
  std::vector<Columns> columns_of_;
  std::vector<Segment> segments_;
  int segment_count_ = 0;
  double left_ = 0, length_ = 0;
  int slack_ = -1;  // column of the slack of the row projected last
  Numbers Q_, T_, v_, next_, more_, product_, lengths_;
  Numbers inverse_;                   // of the diagonal of T
  std::vector<int> slack_of_, free_;  // column of each row's slack, or -1; unassigned columns
  int free_count_ = 0;
};

}  // namespace lissom::qp
