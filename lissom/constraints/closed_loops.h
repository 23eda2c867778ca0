#pragma once
// A model whose tree is closed into loops: dynamics and states that obey the closures. Belongs to one caller, as a
// workspace does; nothing is allocated after it is made.
#include "lissom/constraints/basis.h"
#include "lissom/constraints/loop_rows.h"
#include "lissom/constraints/precise_rows.h"

namespace lissom {

class ClosedLoops {
 public:
  ClosedLoops(const Model& model, Closures description);
  /// With the loops and couplings of the model's description.
  explicit ClosedLoops(const Model& model) : ClosedLoops(model, closures(model)) {}

  // What follows is refused with an Error where model, workspace and vectors do not belong to each other.
  const LoopRows& rows() const { return rows_; }
  int rank() const { return basis_.rank(); }
  // Forces in the closures after forward_dynamics, one for each row, on b (its reaction on a): zero for rows that
  // depend on others.
  const Eigen::VectorXd& multipliers() { return basis_.multipliers(); }

  // How far from closed, the largest number of c(q).
  double gap(const Model& model, Workspace& work, const Eigen::VectorXd& q);
  // The acceleration with which the loops stay closed. tau: as for forward_dynamics; external: a force per body in the
  // kernels' form, or nullptr. `a` comes with the acceleration that the open tree has, and leaves with the true one.
  // factor: of M(q), or of what the integrator takes for it.
  void constrain(const Model& model, Workspace& work, const MassMatrixFactor& factor, const Eigen::VectorXd& q,
                 const Eigen::VectorXd& v, Eigen::VectorXd& a);
  // Of M at the q that project() or project_velocity() has left.
  MassMatrixFactor& factor() { return factor_; }
  // The same as constrain right after project(), whose q and v these are, with its factor.
  void constrain_projected(const Model& model, Workspace& work, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                           Eigen::VectorXd& a);
  // q and v moved by the least amount, in the metric of M, to where the loops are closed and stay so. Returns the gap
  // that is left: around 1e-15 where they can close.
  double project(const Model& model, Workspace& work, Eigen::VectorXd& q, Eigen::VectorXd& v);
  void project_velocity(const Model& model, Workspace& work, const Eigen::VectorXd& q, Eigen::VectorXd& v);
  // What of a change of q or v, right after project(), the loops allow: a projection takes out the rest.
  void keep_allowed(Eigen::VectorXd& change);
  // From any q, also far away; joint limits are not looked at. Error where the loops cannot be closed from here: which
  // of them, and by how much.
  void assemble(const Model& model, Workspace& work, Eigen::VectorXd& q, double tolerance = 1e-10);

 private:
  void check(const Model& model, const Workspace& work, const Eigen::VectorXd& q) const;
  void check_v(const Model& model, const char* name, const Eigen::VectorXd& v) const;
  void factorize(const Model& model, Workspace& work, const Eigen::VectorXd& q);
  enum class From { near, afar };
  bool closed() const;
  bool ill_conditioned() const;
  void refine(const Model& model, Workspace& work, Eigen::VectorXd& q, Eigen::VectorXd& v);
  void refine_acceleration(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& a);
  double open(const Model& model, Workspace& work, const Eigen::VectorXd& q, From from);
  double close(const Model& model, Workspace& work, Eigen::VectorXd& q, From from, int iterations, double max_step);

  std::shared_ptr<const void> structure_id_;  // of the model it was made for
  LoopRows rows_;
  MassMatrixFactor factor_;
  ConstraintBasis basis_;
  PreciseRows precise_;
  Eigen::VectorXd step_, target_, trial_, zero_;
};

// The acceleration of a robot with closed loops.
Eigen::VectorXd forward_dynamics(const Model& model, Workspace& work, ClosedLoops& loops, const VectorIn& q,
                                 const VectorIn& v, const VectorIn& tau);
// The torques for an acceleration that keeps the loops closed, of the `actuated` degrees of freedom alone; the smallest
// ones where there are more than needed. Error where these joints cannot bring it about.
struct ClosedLoopTorques {
  Eigen::VectorXd tau;          // zero where not actuated
  Eigen::VectorXd multipliers;  // of the closures
};
ClosedLoopTorques inverse_dynamics(const Model& model, Workspace& work, ClosedLoops& loops, const VectorIn& q,
                                   const VectorIn& v, const VectorIn& a, const std::vector<bool>& actuated);

}  // namespace lissom
