#pragma once
// A model with closed loops: dynamics and states that satisfy the closures. Like a workspace, it must not be used by
// two threads at a time; nothing is allocated after construction.
#include "lissom/constraints/basis.h"
#include "lissom/constraints/loop_rows.h"
#include "lissom/constraints/precise_rows.h"

namespace lissom {

/// The closed loops of a robot: their rows, states that satisfy them, and dynamics subject to them. An object belongs
/// to one caller at a time.
class ClosedLoops {
 public:
  ClosedLoops(const Model& model, Closures description);
  /// Uses the loops and couplings of the model's description.
  explicit ClosedLoops(const Model& model) : ClosedLoops(model, closures(model)) {}

  // The following functions throw an Error if model, workspace and vectors do not fit together.
  const LoopRows& rows() const { return rows_; }
  int rank() const { return basis_.rank(); }
  /// Constraint forces after forward_dynamics, one per row, on frame b (with the reaction on a); zero for redundant
  /// rows.
  const Eigen::VectorXd& multipliers() { return basis_.multipliers(); }

  /// The largest element of |c(q)|, m or rad: 0 if all loops are closed.
  double gap(const Model& model, Workspace& work, const Eigen::VectorXd& q);
  /// Replaces the acceleration `a` of the open tree by the one with which the loops stay closed. factor: of M(q), or of
  /// the matrix that an integrator uses instead.
  void constrain(const Model& model, Workspace& work, const MassMatrixFactor& factor, const Eigen::VectorXd& q,
                 const Eigen::VectorXd& v, Eigen::VectorXd& a);
  /// Factor of M at the q of the last project() or project_velocity().
  MassMatrixFactor& factor() { return factor_; }
  /// The same as constrain(), with the q and v of a project() right before and its factor.
  void constrain_projected(const Model& model, Workspace& work, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                           Eigen::VectorXd& a);
  /// Changes q and v by the least amount, in the metric of M, so that the loops are closed and stay closed. Returns the
  /// remaining gap: around 1e-15 if they can be closed.
  double project(const Model& model, Workspace& work, Eigen::VectorXd& q, Eigen::VectorXd& v);
  /// The same for v only.
  void project_velocity(const Model& model, Workspace& work, const Eigen::VectorXd& q, Eigen::VectorXd& v);
  /// Changes x by the least amount, in the metric of the matrix with which the loops were last constrained or
  /// projected, so that J x = target for the independent rows; then multipliers() are those of this change.
  void satisfy(Eigen::VectorXd& x, const Eigen::VectorXd& target) { basis_.satisfy(x, target); }
  /// Projects a change of q or v onto those that the loops allow, right after project().
  void keep_allowed(Eigen::VectorXd& change);
  /// How many random configurations nearby assemble() tries, before those that are farther away.
  static constexpr int nearby_starts = 8;
  /// Closes the loops from any q, also a distant one; joint limits are ignored. Where q leads nowhere (a linkage that
  /// is drawn straight has no direction in which to bend), it starts from random configurations, always the same ones:
  /// nearby_starts of them nearby, then more and more distant ones, with which it may end in another branch. Returns
  /// how many of these it tried; 0: q itself sufficed. Throws an Error if the loops cannot be closed from here, which
  /// tells which ones stay open, and by how much.
  int assemble(const Model& model, Workspace& work, Eigen::VectorXd& q, double tolerance = 1e-10);
  /// Why the loops admit no motion at a closed q where their linearization does; empty if there is no such reason. A
  /// linkage that closes only when it is stretched is an example: it is rigid, but nothing in J shows it.
  std::string rigid_because(const Model& model, Workspace& work, const Eigen::VectorXd& q);
  /// "'rod, length' is open by 0.2 m": the row that was open the most in the last evaluation.
  std::string widest_gap() const;

 private:
  friend Eigen::VectorXd forward_dynamics(const Model& model, Workspace& work, ClosedLoops& loops, const VectorIn& q,
                                          const VectorIn& v, const VectorIn& tau);
  void check(const Model& model, const Workspace& work, const Eigen::VectorXd& q) const;
  bool locks(const Model& model, Workspace& work, const Eigen::VectorXd& q, int begin, int end);
  void check_v(const Model& model, const char* name, const Eigen::VectorXd& v) const;
  void factorize(const Model& model, Workspace& work, const Eigen::VectorXd& q);
  enum class Start { near, far };  // whether the loops are nearly closed at first
  bool closed() const;             // to rounding
  bool ill_conditioned() const;
  // Iterative refinement with residuals in extended precision.
  void refine(const Model& model, Workspace& work, Eigen::VectorXd& q, Eigen::VectorXd& v);
  void refine_acceleration(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& a);
  // How far the loops are open, in the norm that Newton's method decreases.
  double evaluate_gap(const Model& model, Workspace& work, const Eigen::VectorXd& q, Start start);
  double close_from(const Model& model, Workspace& work,
                    Eigen::VectorXd& q);  // any q; returns what evaluate_far() finds
  double close(const Model& model, Workspace& work, Eigen::VectorXd& q, Start start, int iterations, double max_step);

  std::shared_ptr<const void> structure_id_;  // of the model it was made for
  LoopRows rows_;
  MassMatrixFactor factor_;
  ConstraintBasis basis_;
  PreciseRows precise_;
  Eigen::VectorXd step_, target_, trial_, zero_;
};

/// The acceleration of a robot with closed loops.
Eigen::VectorXd forward_dynamics(const Model& model, Workspace& work, ClosedLoops& loops, const VectorIn& q,
                                 const VectorIn& v, const VectorIn& tau);
struct ClosedLoopTorques {
  Eigen::VectorXd tau;          ///< zero where not actuated
  Eigen::VectorXd multipliers;  ///< constraint forces of the closures
};
/// Torques of the `actuated` degrees of freedom for an acceleration that keeps the loops closed; those of least norm if
/// there are more than needed. Throws an Error if these joints cannot produce the acceleration.
ClosedLoopTorques inverse_dynamics(const Model& model, Workspace& work, ClosedLoops& loops, const VectorIn& q,
                                   const VectorIn& v, const VectorIn& a, const std::vector<bool>& actuated);

}  // namespace lissom
