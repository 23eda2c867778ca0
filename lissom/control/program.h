#pragma once
// A quadratic program that is built row by row, each with a name. It allocates freely: it is for formulations that
// serve to be read and to check the fast one. Not for users.
#include <memory>
#include <string>
#include <vector>

#include "lissom/constraints/row_label.h"
#include "lissom/qp/solver.h"

namespace lissom::control {

class Program {
 public:
  using Row = Eigen::RowVectorXd;

  explicit Program(int variables);

  // Adds ½ weight (row x - target)² to the cost.
  void add_square(double weight, const Row& row, double target);
  // Add row x = value;  lower ≤ row x ≤ upper, whose violation by s costs ½ softness s² (0: a hard constraint);
  // lower ≤ x_i ≤ upper.
  void add_equality(const Row& row, double value, RowLabel label);
  void add_row(const Row& row, double lower, double upper, RowLabel label, double softness = 0);
  void bound(int variable, double lower, double upper, RowLabel label);

  int variables() const { return int(g_.size()); }
  int equalities() const { return int(equalities_.size()); }
  int rows() const { return int(rows_.size()); }
  // The constant term of the squares, beside ½ xᵀ H x + gᵀ x.
  double constant() const { return constant_; }

  // Solves from a cold start. The solution is valid as long as this program, or until the next call.
  const qp::Solution& solve();
  const std::string& name(const qp::Conflict& conflict) const { return entry(conflict).label.name; }
  const char* unit(const qp::Conflict& conflict) const { return entry(conflict).label.unit; }

 private:
  struct Entry {
    RowLabel label;
    double lower = -qp::unbounded, upper = qp::unbounded, softness = 0;
    Row row = {};
  };
  const Entry& entry(const qp::Conflict& conflict) const;

  qp::Matrix H_;
  Eigen::VectorXd g_;
  double constant_ = 0;
  std::vector<Entry> equalities_, rows_, bounds_;
  std::unique_ptr<qp::Solver> solver_;
};

}  // namespace lissom::control
