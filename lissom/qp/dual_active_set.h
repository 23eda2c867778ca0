#pragma once
// The dual active-set method of Goldfarb and Idnani (1983), in the variables of hessian.h, where H is the unit matrix.
//
// At all times w is the point nearest to w0 on which the active rows hold, w = w0 + Σ λ_j v_j, and their multipliers
// have the right sign: an optimum, but for some rows only. Each step takes a row p that does not hold (their step 1)
// and moves towards it along z, the part of v_p that is orthogonal to the active rows, while the multipliers change by
// -r (step 2): the full step (t2) lets p hold; a shorter one (t1) ends where a multiplier vanishes, and its row is
// taken out. The distance to w0 grows with every step; so no set of rows comes twice, and the last one is the answer.
// Where no step is possible, -r and 1 are multipliers that add the rows up to 0 ≥ something positive. If that is next
// to nothing, the rows give way: on the edge of what can be met, rounding alone would otherwise decide.
//
// A start from the last answer (`settle`): the rows that were active then are made to hold all at once, and those whose
// multiplier has the wrong sign are taken out, the worst first, until none is left. This again is an optimum for some
// rows.
//
// A row with weight may be left: its slack s = λ / weight (span.h).
#include <vector>

#include "lissom/qp/constraints.h"
#include "lissom/qp/row_basis.h"

namespace lissom::qp {

class DualActiveSet {
 public:
  explicit DualActiveSet(const Sizes& largest);

  enum class End { optimal, infeasible, limit };

  // For a new problem. The rows of the last answer stay in mind (`last`), for a warm start.
  void set(const Constraints& constraints, Hessian& hessian);
  // w0 = -L⁻¹ gradient
  void aim(const double* gradient);
  // Every row may be left, at a cost of ½ (s / length)²; those that are soft already are ignored.
  void soften();
  // Moves all bounds; and those of rows that are no equalities outwards by a part of their length.
  void move(const double* by, double loose);
  // Rows that are moved by more than a very little hold with equality from now on.
  void pin();
  const signed char* pinned() const { return pinned_.data(); }  // of all rows: not 0 where they are
  // The multipliers of pinned rows get the signs that rows at these bounds have.
  void right_signs();

  // The active rows: equalities; if warm, also those of the last answer.
  void start(bool warm);
  void forget() { last_size_ = 0; }
  void keep();  // what is active now, for a warm start
  void keep_violated(const double* values);
  void save();  // what is kept
  void restore();

  // Both count the rows they move into iterations(), up to the limit.
  void settle();
  End climb(int limit);
  // One step of refinement towards a gradient without residual and active rows without error: both are to be found on
  // the original data by the caller.
  void refine(const double* residual);

  bool fresh() const { return fresh_; }  // no row was added or taken out since the start
  int iterations() const { return iterations_; }
  void reset_iterations() { iterations_ = 0; }
  int active() const { return basis_.size(); }
  const double* x() const { return x_; }
  const double* values() const { return values_; }     // n·x of all rows
  const double* multipliers() const { return zeta_; }  // of all rows, positive at the lower bound

 private:
  enum : signed char { upper = -1, idle = 0, lower = 1, equal = 2, passed = 3 };  // passed: as good as met
  static constexpr double ignored = -1;  // in place of 1 / weight: a row that is not there
  struct Row {
    int index;
    double sign;
    bool free;  // an equality, or pinned: its multiplier may have any sign
  };
  struct Entry {
    int index;
    signed char state;
  };
  bool pinned(int index) const { return pinned_[std::size_t(index)] != idle; }
  double target(const Row& r) const;
  double value0(int index);
  Columns turned(int index, bool grows, double* v);
  double project(int index, bool grows);
  void take_in(const Entry& row, double square);
  bool enter_two(const Entry& row, const Entry& next);
  void sort_by_columns(int count);
  void drop(int place);
  void solve();
  void place();
  void settle_signs();
  void recall_passed();
  void find_values();
  void tighten();
  double lack(int place) const;
  void gather_multipliers();
  int most_violated(double* amount);
  End bring(int index, double amount);
  bool slight_gap(int index, double left);
  bool doubtful(int index);
  bool give_way(int index, double sign);
  int first_to_vanish(double* t) const;

  const Kernels& k_;
  const Constraints* rows_ = nullptr;
  Hessian* hessian_ = nullptr;
  RowBasis basis_;
  Numbers w0_, w_, x0_, x_, values0_, values_, lambda_, zeta_, r_, b_, y_, e_, give_, moved_;
  std::vector<Row> active_;
  std::vector<signed char> state_, pinned_;  // of all rows
  std::vector<long> aim_of_;                 // of all rows: for which aim values0_ is
  long aim_ = 0;
  std::vector<Entry> last_, saved_, wanted_;
  std::vector<int> key_, order_, starts_;
  int last_size_ = 0, saved_size_ = 0, iterations_ = 0, limit_ = 0, slacks_ = 0;
  double size_of_x_ = 0, met_ = 0, loose_ = 0, sum_ = 0, left_ = 0;
  bool fresh_ = false, any_passed_ = false;
};

}  // namespace lissom::qp
