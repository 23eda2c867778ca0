#pragma once
// The dual active-set method of Goldfarb and Idnani (1983), in the variables of hessian.h, where H is the identity.
//
// At all times w is the point nearest to w0 at which the active rows hold, w = w0 + Σ λ_j v_j, and their multipliers
// have the right sign: w is an optimum, but for a subset of the rows. Each step takes a violated row p (their step 1)
// and moves towards it along z, the component of v_p that is orthogonal to the active rows, while the multipliers
// change by -r (step 2): after the full step (t2) p holds; a shorter one (t1) ends where a multiplier vanishes, and its
// row is removed. The distance to w0 grows with every step; so no active set occurs twice, and the last one is the
// solution. If no step is possible, -r and 1 are multipliers with which the rows add up to 0 ≥ something positive, a
// certificate of infeasibility. If that violation is tiny, the rows are relaxed by it: at the boundary of feasibility,
// rounding would otherwise decide.
//
// A warm start (`settle`) makes the rows that were active in the last solution hold all at once, and removes those with
// a multiplier of the wrong sign, the worst first, until none is left. The result is an optimum for these rows.
//
// A soft row may be violated: its slack is s = λ / weight (row_basis.h). Not for users.
#include <cmath>
#include <vector>

#include "lissom/qp/constraints.h"
#include "lissom/qp/row_basis.h"

namespace lissom::qp {

class DualActiveSet {
 public:
  explicit DualActiveSet(const Sizes& max_sizes);

  enum class End { optimal, infeasible, limit };

  // Sets a new problem. The active rows of the last solution are kept for a warm start.
  void set(const Constraints& constraints, Hessian& hessian);
  // Sets w0 = -L⁻¹ gradient.
  void aim(const double* gradient);
  // Makes every hard row soft, with a cost of ½ (s / length)²; rows that are soft already are ignored.
  void soften();
  // Makes hard rows a little soft, with a compliance of (softness · norm in w)²: no row then depends on others, however
  // nearly it does. absorb() moves the bounds by the slacks (the method of multipliers): after a few rounds of
  // settle(), climb() and absorb() the rows hold, those first that depend least on others. stiffen() multiplies the
  // softness by a factor and keeps the multipliers; start() has to follow. These displacements belong to the method,
  // not to the problem. `margin` moves the bounds of inequalities outwards, as in move().
  void cushion(double softness, double margin);
  void stiffen(double factor);
  void absorb();
  bool cushioned() const { return softness_ > 0; }
  // Moves all bounds; those of inequalities also outwards by the margin times the norm of the row.
  void move(const double* by, double margin);
  // Makes rows that were moved by more than rounding equalities at their moved bound.
  void pin();
  const signed char* pinned() const { return pinned_.data(); }  // for each row: 1, -1 or, if not pinned, 0
  // Gives the multipliers of pinned rows the signs that inequalities at these bounds have.
  void right_signs();
  // Changes the multipliers of active rows until they balance the gradient, whose residual is given; x stays.
  void balance(const double* residual);

  // Initializes the active rows: equalities and, if warm, those of the last solution.
  void start(bool warm);
  // The rows for the next warm start: none; those active now; those violated at `values`.
  void forget() { last_size_ = 0; }
  void keep();
  void keep_violated(const double* values);
  // Those of another problem, whose inequalities have indices that are smaller by `shift`.
  void start_like(const DualActiveSet& other, int shift);
  // Saves the rows for the next warm start, and restores them.
  void save();
  void restore();

  // settle() removes rows with a multiplier of the wrong sign; climb() takes the steps of the method, until work()
  // reaches the limit. Added and removed rows count as iterations(), these and calls of settle() as work().
  void settle();
  End climb(int limit);
  // One step of iterative refinement of gradient and active rows. The residual of the gradient and values() must have
  // been computed on the original data.
  void refine(const double* residual);

  bool fresh() const { return fresh_; }  // no row was added or removed since the start
  int iterations() const { return iterations_; }
  int work() const { return iterations_ + settled_; }
  void reset_work() { iterations_ = settled_ = 0; }
  int active() const { return basis_.size(); }
  // The norm of the smallest relaxation of the rows that climb() found infeasible, relative to their norms.
  double gap() const { return left_ / std::sqrt(sum_); }
  const double* x() const { return x_; }
  const double* values() const { return values_; }     // n·x of all rows
  const double* multipliers() const { return zeta_; }  // of all rows, positive at the lower bound

 private:
  // The state of a row; `passed` means met within rounding.
  enum : signed char { upper = -1, idle = 0, lower = 1, equal = 2, passed = 3 };
  // The compliance of a row that is left out.
  static constexpr double ignored = -1;
  struct Row {
    int index;
    double sign;
    bool free;  // an equality or pinned: its multiplier may have any sign
  };
  struct Entry {
    int index;
    signed char state;
  };
  bool pinned(int index) const { return pinned_[std::size_t(index)] != idle; }
  double target(const Row& r) const;
  double value0(int index);
  Columns oriented(int index, bool increasing, double* v);
  double project(int index, bool increasing);
  double negligible_rest() const;
  void add_projected(const Entry& row, double square, double enough);
  void add_waiting();
  bool add_two(const Entry& row, const Entry& next);
  void sort_by_columns(int count);
  void drop(int position);
  void solve();
  void find_w();
  void settle_signs();
  void recall_passed();
  void find_values();
  void tighten();
  double violation_after_tightening(int index, double sign);
  double row_residual(int position) const;
  void gather_multipliers();
  int most_violated(double* amount);
  End add_violated(int index, double amount);
  bool slight_gap(int index, double left);
  bool doubtful(int index);
  bool relax_slightly(int index, double sign);
  int first_to_vanish(double* t) const;
  double distance_to_w0() const;
  bool reconcile();
  void leave_out(int rows);
  void hold();
  double find_dependent();
  void add_dependent(double most);
  void solve_dependent();
  double find_displacements();
  bool cheap_displacements() const;
  void displace();

  const Kernels& k_;
  const Constraints* rows_ = nullptr;
  Hessian* hessian_ = nullptr;
  RowBasis basis_;
  Numbers w0_, w_, x0_, x_, values0_, values_, lambda_, zeta_, r_, b_, y_, e_;
  Numbers compliance_;             // 1 / weight of soft rows, 0 of hard ones, or `ignored`
  Numbers moved_;                  // displacements of the bounds
  Numbers mixed_norms_;            // norms of the rows if variables have different units
  const double* norms_ = nullptr;  // by which violations are compared
  // dependent_equalities.cpp: K D, δ and its solution, K D² Kᵀ, and the rows.
  int max_dependent_, dependent_stride_, dependent_count_ = 0;
  Numbers dependent_rows_, disagreement_, gram_;
  std::vector<int> dependent_;
  std::vector<Row> active_;
  std::vector<signed char> state_, pinned_;  // of each row
  std::vector<long> aim_of_;                 // the aim() for which an element of values0_ was computed
  long aim_ = 0;
  std::vector<Entry> last_, saved_, candidates_, waiting_;
  std::vector<int> key_, order_, starts_;
  int last_size_ = 0, saved_size_ = 0, waiting_count_ = 0, iterations_ = 0, settled_ = 0, limit_ = 0, slacks_ = 0;
  double size_of_x_ = 0, met_ = 0, margin_ = 0, sum_ = 0, left_ = 0, softness_ = 0;
  bool fresh_ = false, any_passed_ = false;
};

}  // namespace lissom::qp
