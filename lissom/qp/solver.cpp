#include "lissom/qp/solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/qp/dual_active_set.h"
#include "lissom/qp/elastic.h"
#include "lissom/qp/verify.h"

namespace lissom::qp {
namespace {

// The largest multiplier of a row that is not at its bound, relative to the largest term of the gradient.
constexpr double misplaced_tolerance = 1e-8;
// Steps of the proximal point method, which remove the effect of the shift of a semidefinite H.
constexpr int proximal_rounds = 50;
// Rounds of the method of multipliers, after which cushioned rows hold, if they can.
constexpr int cushioned_rounds = 24;
// Errors of rows above this do not vanish. (If they are cushioned: it is H that is nearly singular, not the rows.)
constexpr double far_off = 1e-2;
// Slacks of cushioned rows up to this, relative to their norms if these are more than 1, are as good as none.
constexpr double negligible_slack = 1e-10;
// The softness of cushioned rows, and how it is reduced where slacks vanish slowly: these rows depend on others to less
// than the softness. A step of the method of multipliers has to reduce the errors by `enough`.
constexpr double usual_decrease = 0.5;
constexpr struct {
  double stiffer, enough;
} cushions[] = {{1, usual_decrease}, {3e-4, 0.9}, {0.2, 0.995}};
constexpr double softness = 1e-5;
// A margin of the inequalities, as a fraction of their tolerance, where rows do not hold without.
constexpr double cushion_margins[] = {0, 0.5};
// Rows that have to be relaxed by less than this, relative to their norms, may be feasible up to rounding.
constexpr double doubtful_gap = 1e-7;
// Shifts of H for problems that are solved again, relative to its diagonal elements. If H is semidefinite, it was
// shifted already: a larger shift brings w0 nearer, so that the search is shorter; with a smaller one, the proximal
// point method converges faster where the curvature is small.
constexpr double shifts[] = {1e-7, 1e-2}, shifts_of_long[] = {1e-2, 1e-8}, shifts_of_slow[] = {1e-8, 1e-2};
// Margins of the bounds at the boundary of feasibility, as fractions of the rows' tolerance: none is tried first.
constexpr double margins[] = {0, 3e-3, 0.1};
// The same for problems that are surely infeasible: the feasible set of the relaxation has no interior, so that a small
// margin is tried first.
constexpr double margins_of_relaxed[] = {3e-3, 0.1, 0};
// Steps of iterative refinement of one solution.
constexpr int refinements = 3;

}  // namespace

struct Solver::Impl {
  explicit Impl(const Sizes& s)
      : max_sizes(s),
        hessian(s.variables),
        rows(s),
        dual(s),
        verifier(s),
        relaxation(s),
        gradient(padded(s.variables)),
        before(padded(s.variables)) {
    const auto n = Eigen::Index(s.variables), m = Eigen::Index(s.equalities + s.rows + s.variables);
    x = Eigen::VectorXd::Zero(n);
    multipliers = Eigen::VectorXd::Zero(m);
    solution.conflicts.reserve(std::size_t(m));
  }

  // One attempt to solve the problem with this shift of H.
  Status attempt(const Problem& p, const Options& o, double shift, bool from_last);
  void again(const Problem& p, const Options& o, double shift);
  Status rounds_of_steps(const Problem& p, const Options& o, int limit, double enough = usual_decrease);
  Status cushioned(const Problem& p, const Options& o);
  Status relaxed(const Problem& p, const Options& o, double shift);
  Status best_relaxed(const Problem& p, const Options& o, int limit, double margin, bool pinned);
  void set_gradient(const Problem& p);
  void center(const Problem& p, const double* at);
  int at_most(int work) const { return std::min(budget, dual.work() + work); }
  bool good(const Options& o) const;
  double error_of_rows() const { return std::max(errors.scaled_equality_error, errors.scaled_row_error); }
  bool refined(const Problem& p, const Options& o);
  void answer();
  void list_conflicts(const Options& o);

  Sizes max_sizes, sizes;      // sizes: of the last problem
  bool semidefinite = false;   // H is
  int budget = 0, search = 0;  // the work that is allowed for the problem, and for one search
  Hessian hessian;
  Constraints rows;
  DualActiveSet dual;
  Verifier verifier;
  Relaxation relaxation;
  const double* moved = nullptr;  // displacements of the bounds; null: none
  Errors errors;
  Numbers gradient, before;  // before: x before it was refined
  Eigen::VectorXd x, multipliers;
  Solution solution;
};

void Solver::Impl::set_gradient(const Problem& p) {
  const int n = rows.variables();
  std::copy_n(p.g.data(), n, gradient.data());
  std::fill(gradient + n, gradient + padded(n), 0.0);
  dual.aim(gradient);
}

// The proximal point method: the shift of H is a cost of the distance from the last point, no longer from zero.
void Solver::Impl::center(const Problem& p, const double* at) {
  for (int i = 0; i < rows.variables(); ++i) gradient[i] = p.g[i] - hessian.shift_of(i) * at[i];
  dual.aim(gradient);
}

bool Solver::Impl::good(const Options& o) const {
  return std::isfinite(errors.objective) && errors.stationarity <= o.stationarity_tolerance &&
         errors.scaled_equality_error <= o.equality_tolerance && errors.scaled_row_error <= o.row_tolerance &&
         errors.misplaced <= misplaced_tolerance;
}

// Refines the solution until it has the required accuracy. It is refined at least once if the active set has changed
// since the start, because the factor was then updated; but not where refinement, which keeps the active rows, removes
// the effect of a shift and of soft rows, and may give their multipliers the wrong sign.
bool Solver::Impl::refined(const Problem& p, const Options& o) {
  if (dual.fresh() || hessian.shifted() || dual.cushioned()) {
    errors = verifier.errors(rows, hessian, p.g, dual.x(), dual.values(), dual.multipliers(), moved, dual.pinned());
    if (good(o)) return true;
  } else {
    verifier.residual(rows, hessian, p.g, dual.x(), dual.multipliers());
  }
  for (int i = 0; i < refinements; ++i) {
    dual.refine(verifier.residual());
    errors = verifier.errors(rows, hessian, p.g, dual.x(), dual.values(), dual.multipliers(), moved, dual.pinned());
    if (good(o)) return true;
    if (errors.stationarity <= o.stationarity_tolerance) return false;  // refinement cannot improve the other errors
  }
  return false;
}

// Rounds of the search and, where H is shifted or rows are soft, of the methods that remove the effect of that.
// `enough` is by how much a round has to reduce the slacks of cushioned rows.
Status Solver::Impl::rounds_of_steps(const Problem& p, const Options& o, int limit, double enough) {
  double last_error = std::numeric_limits<double>::infinity();
  const int max_rounds = hessian.shifted() ? proximal_rounds : dual.cushioned() ? cushioned_rounds : 2;
  for (int round = 0; round < max_rounds; ++round) {
    if (dual.work() >= limit) return Status::limit;
    dual.settle();
    const auto end = dual.climb(std::min(limit, dual.work() + (hessian.shifted() ? 2 : 1) * search));
    if (end == DualActiveSet::End::infeasible) return Status::infeasible;
    if (end == DualActiveSet::End::limit) return Status::limit;
    if (hessian.shifted()) std::copy_n(dual.x(), rows.variables(), before.data());
    const bool accurate = refined(p, o);
    if (accurate && !dual.cushioned()) return Status::optimal;
    // (Refinement keeps the active rows: where their multipliers then have the wrong sign, it went too far.)
    if (hessian.shifted()) center(p, errors.misplaced <= misplaced_tolerance ? dual.x() : before.data());
    if (!dual.cushioned()) {
      // (Where rows are far from holding, the search has lost its digits, and would lose them again.)
      if (!hessian.shifted() && !(error_of_rows() <= far_off)) break;
      continue;
    }
    // The slacks vanish within a few rounds, except those of rows that cannot hold.
    const double error = error_of_rows();
    const bool settled = error <= negligible_slack || !(error < enough * last_error);
    // (Multipliers of nearly dependent rows grow without much use: the first accurate solution is taken.)
    if (accurate && (settled || enough > usual_decrease || round + 1 == max_rounds)) return Status::optimal;
    const bool balanced = errors.stationarity <= o.stationarity_tolerance && errors.misplaced <= misplaced_tolerance;
    if (settled && (balanced || !hessian.shifted())) break;
    last_error = error;
    dual.absorb();
  }
  solution.reason = "the required accuracy was not reached";
  return Status::limit;
}

// Minimizes the objective within the bounds moved by the relaxation; if pinned, at the moved bounds.
Status Solver::Impl::best_relaxed(const Problem& p, const Options& o, int limit, double margin, bool pinned) {
  dual.set(rows, hessian);
  dual.move(relaxation.amounts(), margin);
  if (pinned) dual.pin();
  set_gradient(p);
  dual.start(true);
  moved = relaxation.amounts();
  auto status = rounds_of_steps(p, o, limit);
  if (pinned && status == Status::optimal) {
    // A pinned row may have a multiplier of the wrong sign: it was then relaxed by rounding only.
    dual.right_signs();
    const auto verify = [&] {
      errors = verifier.errors(rows, hessian, p.g, dual.x(), dual.values(), dual.multipliers(), moved);
      return good(o);
    };
    // (The certificate by which signs are changed is good to eleven digits only.)
    if (!verify()) dual.balance(verifier.residual());
    if (!verify()) status = Status::limit;
  }
  moved = nullptr;
  return status;
}

// The problem seems infeasible, so the smallest relaxation is found and solved. If it is within the tolerances, the
// problem is feasible. The feasible set of the relaxation has no interior, and rounding may be enough to make it empty:
// then it is solved again with a small margin.
Status Solver::Impl::relaxed(const Problem& p, const Options& o, double shift) {
  solution.reason = "the smallest relaxation was not found";
  if (!relaxation.find(dual, rows, hessian, verifier, budget)) return Status::limit;
  const auto raw = [&] { return verifier.errors(rows, hessian, p.g, dual.x(), dual.values(), dual.multipliers()); };
  errors = raw();
  const bool truly =
      !(errors.scaled_equality_error <= o.equality_tolerance && errors.scaled_row_error <= o.row_tolerance);
  if (truly && !o.elastic) return Status::infeasible;
  // Because the relaxation is minimal, rows that were moved can only hold at their new bounds: they are equalities, or
  // active from the start. (Rows of the last solution are not used: the answer would depend on them, because the
  // feasible set of the relaxation is so thin that its optimum is known to a few digits only.)
  dual.keep();
  hessian.set(p, shift);
  solution.reason = "the optimum under the smallest relaxation was not found";
  // (If it takes more steps than there are variables, it will not be found.)
  auto status = truly ? best_relaxed(p, o, at_most(rows.variables()), 0, true) : Status::limit;
  for (const double part : truly ? margins_of_relaxed : margins)
    if (status != Status::optimal) status = best_relaxed(p, o, at_most(search), part * o.row_tolerance, false);
  if (status != Status::optimal) return Status::limit;
  solution.reason = "";
  errors = raw();
  return good(o) ? Status::optimal : o.elastic ? Status::elastic : Status::infeasible;
}

// Nearly dependent rows may keep the search from ending, or its result from being accurate: the search goes on with
// rows that are a little soft.
Status Solver::Impl::cushioned(const Problem& p, const Options& o) {
  const int limit = at_most(2 * search);
  for (const double margin : cushion_margins) {
    dual.keep();
    dual.set(rows, hessian);
    dual.cushion(softness, margin * o.row_tolerance);
    set_gradient(p);
    for (const auto& [stiffer, enough] : cushions) {
      if (stiffer < 1) dual.keep(), dual.absorb(), dual.stiffen(stiffer);
      dual.start(true);
      if (rounds_of_steps(p, o, limit, enough) == Status::optimal) return Status::optimal;
      if (dual.work() >= limit || !(error_of_rows() <= far_off)) return Status::limit;
    }
  }
  return Status::limit;
}

const char* why_invalid(Hessian::Kind kind) {
  switch (kind) {
    case Hessian::Kind::not_finite:
      return "H has an element that is NaN, infinite or too large";
    case Hessian::Kind::asymmetric:
      return "H is not symmetric";
    case Hessian::Kind::indefinite:
      return "H is not positive semidefinite";
    default:
      return nullptr;
  }
}

Status Solver::Impl::attempt(const Problem& p, const Options& o, double shift, bool from_last) {
  const auto kind = hessian.set(p, shift);
  solution.reason = why_invalid(kind);
  if (solution.reason) return Status::invalid;
  if (shift == 0) semidefinite = kind == Hessian::Kind::semidefinite;
  solution.reason = "";
  dual.set(rows, hessian);
  set_gradient(p);
  dual.start(from_last);
  const auto status = rounds_of_steps(p, o, budget);
  if (status == Status::optimal) return status;
  const bool infeasible = status == Status::infeasible;
  // Nearly dependent rows may keep the search from ending, and seem infeasible.
  const bool doubtful = infeasible ? dual.gap() <= doubtful_gap : shift > 0 || !semidefinite;
  if (doubtful && cushioned(p, o) == Status::optimal) return Status::optimal;
  if (infeasible && !o.prove) return status;
  if (dual.work() >= budget || (!infeasible && shift == 0)) return Status::limit;
  return relaxed(p, o, shift);
}

// One more attempt, from a cold start, if the work that is allowed is not yet done.
void Solver::Impl::again(const Problem& p, const Options& o, double shift) {
  if (dual.work() >= budget) return;
  solution.redone = true;
  dual.forget();
  solution.status = attempt(p, o, shift, false);
}

void Solver::Impl::answer() {
  const int n = rows.variables(), me = rows.equalities(), mi = rows.rows();
  std::copy_n(dual.x(), n, x.data());
  std::copy_n(dual.multipliers(), me + mi + n, multipliers.data());
  if (solution.status == Status::optimal && errors.max_term == 0) {
    // Every feasible point is optimal: what multipliers there are is rounding.
    std::fill_n(multipliers.data(), me + mi + n, 0.0);
    errors.stationarity = 0;
  }
  using Vector = Solution::Vector;
  new (&solution.x) Vector(x.data(), n);
  new (&solution.equality_multipliers) Vector(multipliers.data(), me);
  new (&solution.row_multipliers) Vector(multipliers.data() + me, mi);
  new (&solution.bound_multipliers) Vector(multipliers.data() + me + mi, n);
  solution.objective = errors.objective;
  solution.stationarity = errors.stationarity;
  solution.equality_error = errors.equality_error;
  solution.row_error = errors.row_error;
  sizes = {n, me, mi};
}

void Solver::Impl::list_conflicts(const Options& o) {
  for (int i = 0; i < rows.size(); ++i) {
    const auto c = rows.conflict(i, dual.values()[i]);
    const double tolerance = 0.1 * (i < rows.equalities() ? o.equality_tolerance : o.row_tolerance);
    if (rows.weight(i) == 0 && std::abs(c.amount) > tolerance * std::max(1.0, rows.length(i)))
      solution.conflicts.push_back(c);
  }
  const auto row_of = [&](const Conflict& c) {
    return c.index + (c.part == Part::equality ? 0 : rows.equalities() + (c.part == Part::row ? 0 : rows.rows()));
  };
  // (Compared to seven digits, so that equal violations keep their order.)
  const auto size = [&](const Conflict& c) { return float(std::abs(c.amount) / rows.length(row_of(c))); };
  std::sort(solution.conflicts.begin(), solution.conflicts.end(), [&](const Conflict& a, const Conflict& b) {
    return size(a) != size(b) ? size(a) > size(b) : row_of(a) < row_of(b);
  });
}

Solver::Solver(const Sizes& s)
    : impl_(std::make_unique<Impl>(Sizes{std::max(s.variables, 1), std::max(s.equalities, 0), std::max(s.rows, 0)})) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const Solution& Solver::solution() const {
  return impl_->solution;
}

void Solver::forget() {
  impl_->sizes = {};
}

void Solver::start_like(const Solver& other, int equalities) {
  const auto& from = *other.impl_;
  auto& to = *impl_;
  const Sizes same{from.sizes.variables, equalities, from.sizes.rows};
  if (&from == &to || same.variables > to.max_sizes.variables || same.rows > to.max_sizes.rows ||
      equalities > to.max_sizes.equalities)
    return;
  to.sizes = same;
  to.dual.start_like(from.dual, equalities - from.sizes.equalities);
}

const Solution& Solver::solve(const Problem& p, const Options& o) {
  auto& in = *impl_;
  auto& s = in.solution;
  s.status = Status::invalid;
  s.conflicts.clear();
  s.redone = false;
  s.iterations = 0;
  s.reason = wrong_sizes(p, in.max_sizes);
  if (!s.reason && !(p.g.squaredNorm() < 1e300)) s.reason = "g has an element that is NaN, infinite or too large";
  if (!s.reason) s.reason = in.rows.set(p);
  if (s.reason) {
    new (&s.x) Solution::Vector(in.x.data(), 0);
    return s;
  }
  const bool same =
      in.sizes.variables == p.g.size() && in.sizes.equalities == p.b.size() && in.sizes.rows == p.l.size();
  const bool warm = o.warm && same;
  in.budget = o.max_iterations > 0 ? o.max_iterations : 10 * in.rows.size() + 100;
  in.search = o.max_iterations > 0 ? o.max_iterations : 2 * in.rows.size() + 50;
  in.dual.reset_work();
  if (!warm) in.dual.forget();
  in.dual.save();
  // Elastic answers do not depend on the last solution, nor do those where bounds have crossed.
  const bool crossed = in.rows.scaled_crossing() > o.row_tolerance, from_last = warm && !crossed;
  s.status = in.attempt(p, o, 0, from_last);
  if (s.status == Status::limit && from_last) in.again(p, o, 0);
  // A problem that was not solved is solved again, from a cold start, with a shifted H, which is easier to factor.
  const bool slow = *s.reason != 0;  // the search came to its end
  for (const double shift : !in.semidefinite ? shifts : slow ? shifts_of_slow : shifts_of_long) {
    if (s.status != Status::limit) break;
    in.again(p, o, shift);
  }
  if (s.status == Status::limit && in.dual.work() >= in.budget) s.reason = "max_iterations was reached";
  if (s.status != Status::limit && s.status != Status::invalid) s.reason = "";
  s.iterations = in.dual.iterations();
  in.errors.row_error = std::max(in.errors.row_error, in.rows.crossing());
  if (s.status == Status::optimal && crossed) s.status = o.elastic ? Status::elastic : Status::infeasible;
  if (s.status == Status::invalid) {
    new (&s.x) Solution::Vector(in.x.data(), 0);
    return s;
  }
  in.answer();
  if (s.status == Status::elastic || (s.status == Status::infeasible && o.prove)) in.list_conflicts(o);
  // Problems are seldom infeasible for long: the active set before the infeasible problem is the better start for the
  // next one.
  if (s.status == Status::optimal)
    in.dual.keep();
  else if ((s.status == Status::elastic || (s.status == Status::infeasible && !o.prove)) && !s.redone)
    in.dual.restore();
  else
    in.dual.forget();
  return s;
}

}  // namespace lissom::qp
