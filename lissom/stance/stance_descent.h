#pragma once
// From a posture whose contacts are at their places to the best one near it, along the contacts: a sequence of
// quadratic programs over a step d of the configuration and the forces f,
//   minimize ½ ‖q ⊕ d - from‖² + ½ Σ ε f² + ½ c Σ (τ / limit)²
//   subject to J d = 0 of the contacts and of a wanted center of mass, cones, joint limits, |d| ≤ a radius,
//   softly: τ(q ⊕ d, f) = 0 where there is no motor, |τ| ≤ limit, center of mass in the support region with its margin,
//   and three times it, collision shapes above the ground,
// with τ linear in d and f. After each step inverse kinematics brings the contacts back; a step that makes things worse
// is undone and the radius made smaller. Not for users.
#include "lissom/stance/static_forces.h"
#include "lissom/stance/support_region.h"

namespace lissom::stance {

class StanceDescent {
 public:
  StanceDescent(StanceSetup& setup, ik::Solver& solver);

  // From q to the posture that is returned; the setup is then evaluated there. `region` may be null: then nothing is
  // asked of the center of mass but balance.
  Eigen::VectorXd run(const Eigen::VectorXd& q, const SupportRegion* region);
  // Newton's method for balance alone, exactly, from where soft rows have led: for contacts whose region is a line.
  Eigen::VectorXd settle(const Eigen::VectorXd& q, const SupportRegion* region);
  int iterations() const { return iterations_; }

 private:
  struct Rows {
    int cones = 0, torques = 0, balance = 0, sides = 0, ground = 0;
    int all() const { return cones + torques + balance + 2 * sides + ground; }
  };
  bool step(const Eigen::VectorXd& q, double radius, bool exact);
  void differentiate(const Eigen::VectorXd& q);
  void add_cost(const Eigen::VectorXd& q);
  void add_equalities(bool exact);
  void add_torque_rows(int row);
  void add_balance_rows(int row);
  void add_side_rows(int row);
  int add_ground_rows(int row);
  void add_bounds(const Eigen::VectorXd& q, double radius);
  void resize_buffers();
  bool restore(Eigen::VectorXd& q);
  double merit(const Eigen::VectorXd& q, const Eigen::VectorXd& forces);
  double left_over(const Eigen::VectorXd& forces) const;  // what is not balanced, in weights

  StanceSetup& s_;
  ik::Solver& ik_;
  Workspace work_;
  qp::Solver qp_;
  const SupportRegion* region_ = nullptr;
  Eigen::VectorXd posture_weights_, force_costs_;
  Rows rows_;
  Eigen::VectorXd forces_, trial_forces_, step_;
  Matrix D_;  // ∂τ/∂q at the forces of now, nv × nv
  Matrix T_;  // torques over (d, f), in limits
  Eigen::VectorXd t_;
  Matrix H_, A_, C_;
  Eigen::VectorXd g_, b_, l_, u_, lx_, ux_, weight_;
  int iterations_ = 0;
};

}  // namespace lissom::stance
