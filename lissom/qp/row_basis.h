#pragma once
// The rows that hold with equality, in the variables w (hessian.h): v_j = Σ_{i ≤ j} T_ji q_i with orthonormal rows q.
// (Q is J1ᵀ and T is Rᵀ of Goldfarb and Idnani 1983, section 4; the rest of their J is never needed.) Rows are added
// by Gram and Schmidt with a second pass (Daniel, Gragg, Kaufman, Stewart 1976), which is as accurate as Householder's
// reflections, and taken out by rotations.
//
// A soft row has a variable of its own for its slack, in which H is its weight: v gets one more number, 1/√weight, in a
// column past those of x. Columns are given out when a row enters.
//
// Rows of a controller are sparse (a contact's do not know the forces, a friction cone's only one of them), and stay so
// as long as they meet no others: columns outside of those of a run of rows are not touched.
#include <vector>

#include "lissom/qp/kernels.h"
#include "lissom/qp/memory.h"

namespace lissom::qp {

class RowBasis {
 public:
  RowBasis(int variables, int rows);

  // Empty, for n variables and at most so many rows with a slack.
  void clear(int variables, int slacks);
  int size() const { return size_; }
  double* row() { return v_; }  // where the caller writes the row that is asked for next

  // Takes what lies in the span out of row(), which is zero outside of `columns`: what is left is z, its squared length
  // is returned. slack: 1/√weight of a soft row, 0 of a hard one. Zero is returned of a row that depends on those that
  // are here.
  double project(Columns columns, double slack);
  // The same of two hard rows, row() and next_row(), where they are alike enough: what is read of the others serves
  // both. First row(); once that has been added, or not, the next.
  bool can_project_two(Columns first, Columns second) const;
  double* next_row() { return next_; }
  double project_two(Columns columns, Columns next);
  double project_next();
  // Adds the row that was projected last.
  void add();
  // Takes out the row at a place; those behind it move up by one.
  void remove(int place);

  const double* rest() const { return v_; }   // z
  double length() const { return length_; }   // |v| of the row projected last
  void multipliers_of_last(double* r) const;  // r of v = z + Σ r_j v_j: R r = d
  double length(int place) const { return lengths_[place]; }

  // y of Tᵀ: T y = b; and R λ = y.
  void forward(const double* b, double* y) const;
  void backward(double* y) const;
  // w += Qᵀ y; y = Q w, where w has no slacks.
  void add_to(const double* y, double* w) const;
  void along(const double* w, double* y) const;

 private:
  // Rows [begin, end) of Q have numbers in these columns only, apart from slacks.
  struct Segment {
    int begin, end;
    Columns columns;
  };
  void take_out(bool slacks_too, double* d);
  void take_out_two();
  double judge();
  double left() const;
  void join_segments(int from);
  // Row size_ is d = Q v of the row projected last, row size_ + 1 that of next_row(): they become part of T by add().
  double* T(int i) const { return T_ + i * T_stride_; }
  double* Q(int i) const { return Q_ + i * stride_; }

  const Kernels& k_;
  // reach_: columns past x_ that may hold slacks end here.
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
  std::vector<int> slack_of_, free_;  // column of each row's slack, or -1; those to be given out
  int free_count_ = 0;
};

}  // namespace lissom::qp
