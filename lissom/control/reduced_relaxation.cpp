// What is relaxed in a tick whose constraints contradict each other, and what is then violated.
#include <algorithm>
#include <cmath>

#include "lissom/control/reduced.h"

namespace lissom::control {

namespace {

constexpr double soft_limit_weight = 1e5;    // per (N m)², N²
constexpr double soft_contact_weight = 1e4;  // per (m/s²)²; tasks have up to a hundred
constexpr double noticeable = 1e-6;          // smaller violations are not reported
constexpr double little = .05;               // with smaller violations, less relaxation may suffice

}  // namespace

void Reduced::soften(const TickData& data, Relaxation level) {
  if (level == Relaxation::limits) {
    for (int r = 0; r < sizes_.rows; ++r)
      if (limit_row_[std::size_t(r)]) weight_[r] = soft_limit_weight;
    // Bounds of joints are widened to the maximal acceleration of all joints.
    const double max_acceleration = data.options.joints.acceleration;
    lx_.head(nv_) = lx_.head(nv_).cwiseMin(-max_acceleration);
    ux_.head(nv_) = ux_.head(nv_).cwiseMax(max_acceleration);
  } else {
    lx_.head(nv_).setConstant(-qp::unbounded);
    ux_.head(nv_).setConstant(qp::unbounded);
    for (int r = hard_equalities_; r < sizes_.equalities; ++r) {
      const auto J = A_.row(r).head(nv_);
      for (int i = 0; i < nv_; ++i)
        if (J[i] != 0) H_.row(i).head(nv_) += soft_contact_weight * J[i] * J;
      g_.head(nv_) -= soft_contact_weight * b_[r] * J.transpose();
    }
    sizes_.equalities = hard_equalities_;
  }
}

template <class Tell>
void Reduced::each_violation(const TickData& data, const Eigen::Ref<const Eigen::VectorXd>& x, Tell tell) const {
  const auto beyond = [](double value, double lower, double upper) {
    return value > upper ? value - upper : value < lower ? value - lower : 0;
  };
  for (int r = 0; r < sizes_.rows; ++r)
    if (limit_row_[std::size_t(r)])
      tell(Violation::force_limit, *row_labels_[std::size_t(r)], beyond(C_.row(r).head(x.size()).dot(x), l_[r], u_[r]));
  for (int i = 0; i < nv_; ++i)
    tell(Violation::joint_limit, *variable_labels_[std::size_t(i)], beyond(x[i], data.lower[i], data.upper[i]));
  for (int r = sizes_.equalities; r < all_equalities_; ++r)
    tell(Violation::contact, *equality_labels_[std::size_t(r)], A_.row(r).head(nv_).dot(x.head(nv_)) - b_[r]);
}

bool Reduced::nearly_met(const TickData& data, const Eigen::Ref<const Eigen::VectorXd>& x) const {
  bool met = true;
  each_violation(data, x, [&](Violation, const RowLabel&, double amount) { met = met && std::abs(amount) < little; });
  return met;
}

void Reduced::violated(const TickData& data, const Eigen::Ref<const Eigen::VectorXd>& x,
                       std::vector<ConflictReading>& to) const {
  const auto begin = std::ptrdiff_t(to.size());
  auto sorted = Violation::force_limit;
  const auto larger = [](const auto& a, const auto& b) { return std::abs(a.amount) > std::abs(b.amount); };
  each_violation(data, x, [&](Violation kind, const RowLabel& label, double amount) {
    if (kind != sorted && sorted == Violation::force_limit) std::sort(to.begin() + begin, to.end(), larger);
    sorted = kind;
    if (std::abs(amount) <= noticeable) return;
    // The largest violation of all rows that share a label.
    for (auto& c : to)
      if (c.name == &label.name) {
        if (std::abs(amount) > std::abs(c.amount)) c.amount = amount;
        return;
      }
    to.push_back({&label.name, amount, label.unit});
  });
}

}  // namespace lissom::control
