#pragma once
// Options and solutions of quadratic programs.
#include <string>
#include <vector>

#include <Eigen/Core>

namespace lissom::qp {

/// The outcome of Solver::solve().
enum class Status {
  optimal,     ///< all constraints hold and the objective is minimal
  elastic,     ///< infeasible: x minimizes the objective among the points with the smallest violation; see `conflicts`
  infeasible,  ///< the same with Options::elastic off: x has the smallest violation, but not the minimal objective
  limit,       ///< not solved within the iterations, or not to the required accuracy; `reason` says which
  invalid      ///< not a convex problem of the sizes the solver was made for; `reason` says why
};
const char* to_string(Status status);

/// A row of A x = b, a row of l ≤ C x ≤ u, or the bounds of a variable.
enum class Part { equality, row, bound };

/// A violated constraint. `amount` is A x - b, or how far C x or x is above (+) its upper or below (-) its lower bound.
struct Conflict {
  Part part = Part::row;
  int index = 0;
  double amount = 0;
};

/// The multipliers balance the gradient: H x + g = Aᵀ y + Cᵀ z + zx. z is positive or 0 where a row is at its lower
/// bound, negative or 0 where it is at its upper bound, and 0 where it is at neither. (z is the derivative of the
/// optimal objective with respect to the bound.) For a soft row that is violated by s, |z| = w s.
///
/// Vectors have the sizes of the problem that was solved last, and refer to memory of the solver.
struct Solution {
  using Vector = Eigen::Map<const Eigen::VectorXd>;

  Status status = Status::invalid;
  const char* reason = "";  ///< of limit and invalid, in words; a string literal
  Vector x{nullptr, 0};
  double objective = 0;  ///< ½ xᵀ H x + gᵀ x, without the cost of soft rows
  Vector equality_multipliers{nullptr, 0}, row_multipliers{nullptr, 0}, bound_multipliers{nullptr, 0};
  /// For elastic and infeasible: the violated rows, the largest violation relative to the norm of its row first.
  std::vector<Conflict> conflicts;
  int iterations = 0;   ///< rows added to or removed from the active set, in all attempts together
  bool redone = false;  ///< a first solution was not accurate enough; this is a second one, from a cold start
  /// The largest element of H x + g - Aᵀ y - Cᵀ z - zx relative to the largest of its terms. This and the errors below
  /// are computed on the data as given.
  double stationarity = 0;
  double equality_error = 0;  ///< largest |A x - b|
  double row_error = 0;       ///< largest distance of a hard row of C x, or of x, from its bounds
};

/// Options of Solver::solve().
struct Options {
  bool warm = true;     ///< start from the rows active in the last optimal solution, if the sizes are the same
  bool elastic = true;  ///< solve the smallest relaxation of infeasible problems; otherwise only report them
  /// false: problems that the search finds infeasible are reported at once, as infeasible, without the proof and
  /// without x of the smallest violation. For callers that then solve another, softer problem.
  bool prove = true;
  int max_iterations = 0;  ///< of the whole solve; 0: ten times the number of rows and variables, plus 100
  // The accuracy that an optimal solution must have.
  double stationarity_tolerance = 1e-10;
  double equality_tolerance = 1e-8;  ///< relative to the norm of the row if that is more than 1
  double row_tolerance = 1e-6;       ///< likewise
};

/// Names and units of rows and variables. Rows and variables without a name are numbered.
struct Names {
  std::vector<std::string> equalities = {}, rows = {}, variables = {};
  std::vector<std::string> equality_units = {}, row_units = {}, variable_units = {};
};

/// Status, reason, and a line for each conflict: "row 'torque left_knee': 3.2 N m above its upper bound".
std::string describe(const Solution& solution, const Names& names);

}  // namespace lissom::qp
