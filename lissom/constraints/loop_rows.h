#pragma once
// The closures of a model as equations c(q) = 0 with one row per constrained axis or coupling, J with ċ = J v, and the
// bias J̇ v. A row along an axis: c is a coordinate of b's origin in frame a. A row about an axis: c = u·w, where the
// axis u of a has to stay perpendicular to the axis w of b. The choice of u and w depends on the axes that stay free,
// so that the rows are exact (no small-angle approximation) and never lose rank. The row of a rod: c is the distance of
// the origins less its length, so that its multiplier is the force with which it pushes them apart.
#include <span>

#include "lissom/api/workspace.h"
#include "lissom/constraints/loop.h"
#include "lissom/constraints/robot_snapshot.h"
#include "lissom/constraints/row_label.h"

namespace lissom {

/// The rows of loops and couplings, with their rates and biases, at a state of the robot.
class LoopRows {
 public:
  /// Throws an Error if a frame or joint is unknown, a coupled joint does not have one degree of freedom, a loop
  /// constrains no axis, or the length of a rod is not positive.
  LoopRows(const Model& model, Closures description);

  int count() const { return count_; }
  /// With the lengths of all rods.
  const Closures& description() const { return description_; }
  /// "rod, along x", and the unit of c.
  const RowLabel& label(int row) const { return labels_[std::size_t(row)]; }

  /// Computes residual, rounding and J. The workspace's kinematics are at q afterwards. Allocates nothing.
  void evaluate(const Model& model, Workspace& work, const Eigen::VectorXd& q);
  /// Computes Jdot_v. The workspace's kinematics are at (q, v) afterwards. Allocates nothing.
  void evaluate_Jdot_v(const Model& model, Workspace& work, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  /// Computes all of them from what the snapshot has: no pass over the tree. Allocates nothing.
  void evaluate(const RobotSnapshot& robot);
  /// The same as evaluate() for assembly from a distant q: rotations are rotation vectors, with the angular velocity as
  /// derivative, which is exact only at closed states. The rows of evaluate() also vanish where b is rotated by half or
  /// a third of a revolution; these do not.
  void evaluate_far(const Model& model, Workspace& work, const Eigen::VectorXd& q);
  const Eigen::VectorXd& residual() const { return residual_; }  ///< c
  /// Rounding error of each residual, which grows with the distance of the loop from the world's origin.
  const Eigen::VectorXd& rounding() const { return rounding_; }
  const Matrix& J() const { return J_; }
  /// How large an element of each row of J can be here: how far a joint moves either end. Zero if none moves them.
  const Eigen::VectorXd& scale() const { return scale_; }
  /// The first of the rows of each loop and coupling, and the count of all.
  std::vector<int> first_rows() const;
  const Eigen::VectorXd& Jdot_v() const { return Jdot_v_; }

  /// Calls on_loop(loop, perpendicular_axes) and on_coupling(relation, coefficients) in the order of their rows.
  template <class OnLoop, class OnCoupling>
  void for_each(OnLoop&& on_loop, OnCoupling&& on_coupling) const {
    for (std::size_t i = 0; i < perpendicular_.size(); ++i) on_loop(description_.loops[i], perpendicular_[i]);
    for (const auto& r : relations_) on_coupling(r, description_.couplings[std::size_t(r.coupling)].coefficients);
  }

 private:
  // Indices of the two joints of a coupling; of_q = -1: the joint is fixed at a constant.
  struct Relation {
    int q, v, of_q, of_v;
    int coupling;
  };
  struct PerpendicularAxes {
    int u, w;  // axes of a and of b
  };
  // For each constrained axis of rotation (0, 1, 2), the axes that have to stay perpendicular.
  static std::vector<std::pair<int, PerpendicularAxes>> perpendicular_axes(const LoopAxes& axes);
  struct Side;
  Side side(const Model& model, Workspace& work, const LoopEnd& end) const;
  // Sets the length of a rod that is given without: the distance of its ends at q = 0.
  void set_length(const Model& model, Workspace& work, Loop& rod) const;
  // These read what the workspace holds: the placements at q, and the motions at (q, v) for a = 0.
  void evaluate_here(const Model& model, Workspace& work, const Eigen::VectorXd& q);
  void evaluate_Jdot_v_here(const Model& model, Workspace& work, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  // Computes J_b_ and the thresholds below.
  void compare(const Model& model, Workspace& work, const Side& a, const Side& b);
  // Sets the residual, rounding and scale of a row along or about an axis; a row of J that is rounding is set to zero.
  void put_along(int row, double residual);
  void put_about(int row, double residual);
  void put(int row, double residual, double negligible, double rounding, double scale);

  Closures description_;
  std::vector<Relation> relations_;
  std::vector<std::vector<std::pair<int, PerpendicularAxes>>> perpendicular_;  // per loop
  std::vector<RowLabel> labels_;
  int count_ = 0;
  Eigen::VectorXd residual_, rounding_, scale_, Jdot_v_;
  Matrix J_;
  Columns6 J_a_, J_b_;  // after compare(), J_b_ is that of b relative to a, at b's origin, along a's axes
  double negligible_along_ = 0, negligible_about_ = 0;  // elements of J_b_ below are rounding
  double rounding_along_ = 0, rounding_about_ = 0;
  double scale_along_ = 0, scale_about_ = 0;  // how far a joint moves either end
};

}  // namespace lissom
