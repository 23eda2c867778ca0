#include "lissom/control/program.h"

#include <algorithm>

namespace lissom::control {

Program::Program(int variables)
    : H_(qp::Matrix::Zero(variables, variables)),
      g_(Eigen::VectorXd::Zero(variables)),
      bounds_(std::size_t(variables)) {}

void Program::add_square(double weight, const Row& row, double target) {
  if (weight == 0) return;
  H_.noalias() += weight * row.transpose() * row;
  g_ -= weight * target * row.transpose();
  constant_ += .5 * weight * target * target;
}
void Program::add_equality(const Row& row, double value, RowLabel label) {
  equalities_.push_back({std::move(label), value, value, 0, row});
}
void Program::add_row(const Row& row, double lower, double upper, RowLabel label, double softness) {
  rows_.push_back({std::move(label), lower, upper, softness, row});
}
void Program::bound(int variable, double lower, double upper, RowLabel label) {
  bounds_[std::size_t(variable)] = {std::move(label), lower, upper};
}

const Program::Entry& Program::entry(const qp::Conflict& conflict) const {
  const auto& entries = conflict.part == qp::Part::equality ? equalities_
                        : conflict.part == qp::Part::row    ? rows_
                                                            : bounds_;
  return entries[std::size_t(conflict.index)];
}

const qp::Solution& Program::solve() {
  // Collects the entries into matrices and vectors; infinite limits become those of the solver.
  const auto matrix = [&](const std::vector<Entry>& entries) {
    qp::Matrix m(Eigen::Index(entries.size()), variables());
    for (std::size_t i = 0; i < entries.size(); ++i) m.row(Eigen::Index(i)) = entries[i].row;
    return m;
  };
  const auto column = [](const std::vector<Entry>& entries, double Entry::* member) {
    Eigen::VectorXd x(Eigen::Index(entries.size()));
    for (std::size_t i = 0; i < entries.size(); ++i)
      x[Eigen::Index(i)] = std::clamp(entries[i].*member, -qp::unbounded, qp::unbounded);
    return x;
  };
  const qp::Matrix A = matrix(equalities_), C = matrix(rows_);
  const auto b = column(equalities_, &Entry::lower);
  const auto l = column(rows_, &Entry::lower), u = column(rows_, &Entry::upper);
  const auto softness = column(rows_, &Entry::softness);
  const auto lx = column(bounds_, &Entry::lower), ux = column(bounds_, &Entry::upper);
  solver_ = std::make_unique<qp::Solver>(qp::Sizes{variables(), equalities(), rows()});
  return solver_->solve(
      {.H = H_, .g = g_, .A = A, .b = b, .C = C, .l = l, .u = u, .lx = lx, .ux = ux, .weight = softness, .blocks = {}});
}

}  // namespace lissom::control
