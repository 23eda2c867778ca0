#pragma once
// The closures of a model as equations c(q) = 0, one row for each, with J = ∂c/∂v and the rate J̇ v.
// Along: c = the coordinate of b's origin in frame a. About: c = u·w, a vector u of a that has to stay perpendicular to
// a vector w of b; which ones depends on the axes that stay free, so that the rows are exact (no angles that are small)
// and never lose rank.
#include <span>

#include "lissom/api/workspace.h"
#include "lissom/constraints/loop.h"
#include "lissom/constraints/row_label.h"

namespace lissom {

class LoopRows {
 public:
  // Error where a frame or joint is unknown, a joint has not one degree of freedom, or nothing is held.
  LoopRows(const Model& model, Closures description);

  int count() const { return count_; }
  const Closures& description() const { return description_; }
  // "rod, along x", and the unit of c.
  const RowLabel& label(int row) const { return labels_[std::size_t(row)]; }

  // Each after the one before, and none allocates. The workspace's kinematics are at q (and v) afterwards.
  void evaluate(const Model& model, Workspace& work, const Eigen::VectorXd& q);
  void evaluate_rate(const Model& model, Workspace& work, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  // The same for assembly from afar: turns as angles, with the rates of turn as their derivatives, which is right in
  // the end only. The rows above also vanish where b is turned by half or a third of a turn; these do not.
  void evaluate_far(const Model& model, Workspace& work, const Eigen::VectorXd& q);
  const Eigen::VectorXd& residual() const { return residual_; }
  // What of a residual is rounding: of the places of its ends, which are far from the world's origin or near it.
  const Eigen::VectorXd& rounding() const { return rounding_; }
  const Matrix& J() const { return J_; }
  const Eigen::VectorXd& rate() const { return rate_; }  // J̇ v

  // Calls on_loop(loop, turns) and on_coupling(relation, coefficients) in the order of their rows.
  template <class OnLoop, class OnCoupling>
  void for_each(OnLoop&& on_loop, OnCoupling&& on_coupling) const {
    for (std::size_t i = 0; i < turns_.size(); ++i) on_loop(description_.loops[i], turns_[i]);
    for (const auto& r : relations_) on_coupling(r, description_.couplings[std::size_t(r.coupling)].coefficients);
  }

 private:
  struct Relation {
    int q, v, of_q, of_v;  // of_q = -1: none
    int coupling;
  };
  struct Turn {
    int u, w;  // axes of a and of b that stay perpendicular
  };
  static std::vector<std::pair<int, Turn>> turns(const LoopAxes& axes);
  struct Side;
  Side side(const Model& model, Workspace& work, const LoopEnd& end) const;
  void compare(const Model& model, Workspace& work, const Side& a, const Side& b);
  void put(int row, double residual, double slight, double rounding);

  Closures description_;
  std::vector<Relation> relations_;
  std::vector<std::vector<std::pair<int, Turn>>> turns_;  // per loop
  std::vector<RowLabel> labels_;
  int count_ = 0;
  Eigen::VectorXd residual_, rounding_, rate_;
  Matrix J_;
  Columns6 J_a_, J_b_;                          // afterwards J_b_: of b against a, at b's origin, along a's axes
  double slight_along_ = 0, slight_about_ = 0;  // what counts as nothing in it
  double rounding_along_ = 0, rounding_about_ = 0;
};

}  // namespace lissom
