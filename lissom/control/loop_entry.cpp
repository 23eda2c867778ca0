#include "lissom/control/loop_entry.h"

#include <string_view>

namespace lissom::control {

namespace {

// Stabilization of drift, as of contacts: c̈ = -stiffness c - damping ċ.
constexpr double loop_stiffness = 400, loop_damping = 40;
// A row of which less than this fraction is independent of those before it is left out: a planar mechanism has such.
constexpr double independent = 1e-6;

}  // namespace

LoopEntry::LoopEntry(const Model& model)
    : rows_(model, closures(model)),
      J_(Matrix::Zero(rows_.count(), model.nv())),
      basis_(Matrix::Zero(rows_.count(), model.nv())),
      desired_(Eigen::VectorXd::Zero(rows_.count())),
      rest_(Eigen::RowVectorXd::Zero(model.nv())),
      used_(std::size_t(rows_.count())) {
  for (int r = 0; r < rows_.count(); ++r) {
    const auto& label = rows_.label(r);
    labels_.push_back({"loop " + label.name, std::string_view(label.unit) == "m" ? "m/s²" : "rad/s²"});
  }
}

void LoopEntry::evaluate(const RobotSnapshot& robot) {
  rows_.evaluate(robot);
  count_ = 0;
  for (int r = 0; r < rows_.count(); ++r) {
    const auto row = rows_.J().row(r);
    const double norm = row.norm();
    rest_ = row;
    for (int pass = 0; pass < 2; ++pass)  // twice is enough
      for (int k = 0; k < count_; ++k) rest_ -= basis_.row(k).dot(rest_) * basis_.row(k);
    const double left = rest_.norm();
    if (!(left > independent * norm)) continue;
    basis_.row(count_) = rest_ / left;
    J_.row(count_) = row;
    desired_[count_] = -loop_stiffness * rows_.residual()[r] - loop_damping * row.dot(robot.v) - rows_.Jdot_v()[r];
    used_[std::size_t(count_++)] = r;
  }
}

}  // namespace lissom::control
