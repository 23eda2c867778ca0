#pragma once
// What a solver is asked for besides the problem, and what it answers.
#include <string>
#include <vector>

#include <Eigen/Core>

namespace lissom::qp {

enum class Status {
  optimal,     // every row is met, and no better point is
  elastic,     // the rows contradict each other: the best of the points that miss them least; `conflicts` says where
  infeasible,  // the same, but Options::elastic is off: x misses the rows least, and is not the best of such points
  limit,       // not solved within the iterations, or not to the accuracy that is promised; `reason` says which
  invalid      // not a convex problem of the sizes the solver was made for; `reason` says why
};
const char* to_string(Status status);

enum class Part { equality, row, bound };

// A row that is missed, and by how much: A x - b, or how far C x or x lies above (+) its upper or below (-) its lower
// bound.
struct Conflict {
  Part part = Part::row;
  int index = 0;
  double amount = 0;
};

// The multipliers balance the gradient: H x + g = Aᵀ y + Cᵀ z + zx, with z ≥ 0 where a row is at its lower and z ≤ 0
// where it is at its upper bound, and 0 where it is at neither. (z is what the optimum would cost more for each unit by
// which the bound is raised.) Of a soft row that is left by s, |z| = w s.
//
// Vectors have the sizes of the problem that was solved last; their memory is that of the largest.
struct Solution {
  using Vector = Eigen::Map<const Eigen::VectorXd>;

  Status status = Status::invalid;
  const char* reason = "";  // of limit and invalid, in words; lives as long as the program
  Vector x{nullptr, 0};
  double objective = 0;  // ½ xᵀ H x + gᵀ x, without what soft rows cost
  Vector equality_multipliers{nullptr, 0}, row_multipliers{nullptr, 0}, bound_multipliers{nullptr, 0};
  // Of elastic and infeasible: the rows that are missed, largest first in proportion to the length of the row.
  std::vector<Conflict> conflicts;
  int iterations = 0;   // rows added to or taken from the active set
  bool redone = false;  // a first answer was not accurate enough; this is a second one, from a cold start
  // Found on the data that were given. Of the gradient: the largest component of H x + g - Aᵀ y - Cᵀ z - zx in
  // proportion to the largest of its terms.
  double stationarity = 0;
  double equality_error = 0;  // largest |A x - b|
  double row_error = 0;       // largest distance of a hard row of C x, or of x, from its bounds
};

struct Options {
  bool warm = true;         // start from the rows active in the last optimal answer, if sizes are the same
  bool elastic = true;      // answer problems whose rows contradict each other; otherwise only say so
  int iteration_limit = 0;  // 0: ten times the number of rows and variables
  // What an answer must meet to be called optimal.
  double stationarity_tolerance = 1e-10;
  double equality_tolerance = 1e-8;  // in proportion to the length of the row where that is more than 1
  double row_tolerance = 1e-6;       // likewise
};

// What rows and variables are called, and in which units; what is missing is numbered, and has no unit.
struct Names {
  std::vector<std::string> equalities = {}, rows = {}, variables = {};
  std::vector<std::string> equality_units = {}, row_units = {}, variable_units = {};
};

// For people, a line for each conflict: "row 'torque left_knee': 3.2 N m too much".
std::string describe(const Solution& solution, const Names& names);

}  // namespace lissom::qp
