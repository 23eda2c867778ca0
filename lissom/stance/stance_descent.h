#pragma once
// Descends from a posture whose contacts are at their placements to the best one near it, along the contacts, by a
// sequence of quadratic programs over a step d of the configuration and the forces f:
//   minimize ½ ‖q ⊕ d - from‖² + ½ Σ ε f² + ½ c Σ (τ / limit)²
//   subject to J d = 0 for the contacts and a given center of mass, cones, joint limits, |d| ≤ radius;
//   soft: τ(q ⊕ d, f) = 0 without a motor, |τ| ≤ limit, center of mass inside the support region by its margin, and by
//   three times the margin, collision shapes above the ground, off obstacles and each other, faces inside of polygons,
// with τ linearized in d and f. After each step inverse kinematics closes the contacts again; a step that increases the
// cost is undone, and the radius reduced. Not for users.
#include "lissom/stance/static_forces.h"
#include "lissom/stance/support_region.h"

namespace lissom::stance {

class StanceDescent {
 public:
  StanceDescent(StanceSetup& setup, ik::Solver& solver);

  // Descends from q and returns the posture found; the setup is then evaluated there. `region` may be null: then the
  // center of mass has to be balanced, but without a margin.
  Eigen::VectorXd run(const Eigen::VectorXd& q, const SupportRegion* region);
  // Newton's method for balance, with hard constraints, from the result of run(): for contacts whose support region is
  // a line.
  Eigen::VectorXd settle(const Eigen::VectorXd& q, const SupportRegion* region);
  int iterations() const { return iterations_; }

 private:
  struct Rows {
    int cones = 0, torques = 0, balance = 0, sides = 0, near = 0;  // near: to the ground, obstacles, other links, edges
    int all() const { return cones + torques + balance + 2 * sides + near; }
  };
  bool stopped() const { return s_.problem.stop && s_.problem.stop(); }
  bool step(const Eigen::VectorXd& q, double radius, bool exact);
  void differentiate(const Eigen::VectorXd& q);
  void add_cost(const Eigen::VectorXd& q);
  void add_equalities(bool exact);
  void add_torque_rows(int row);
  void add_balance_rows(int row);
  void add_side_rows(int row);
  // Rows of what is near, from `row` on; return the row after the last one.
  int add_ground_rows(int row);
  int add_collision_rows(int row);
  int add_polygon_rows(int row);
  void add_bounds(const Eigen::VectorXd& q, double radius);
  void resize_buffers();
  bool restore(Eigen::VectorXd& q);
  double merit(const Eigen::VectorXd& q, const Eigen::VectorXd& forces);
  double balance_error(const Eigen::VectorXd& forces) const;  // norm of the residual of equilibrium, in weights

  StanceSetup& s_;
  ik::Solver& ik_;
  Workspace work_;
  qp::Solver qp_;
  const SupportRegion* region_ = nullptr;
  Eigen::VectorXd posture_weights_, force_costs_;
  Rows rows_;
  Eigen::VectorXd forces_, trial_forces_, step_;
  Matrix D_;  // ∂τ/∂q at the current forces, nv × nv
  Matrix T_;  // torques as a function of (d, f), relative to their limits
  Eigen::VectorXd t_;
  Matrix H_, A_, C_;
  Eigen::VectorXd g_, b_, l_, u_, lx_, ux_, weight_;
  int iterations_ = 0;
};

}  // namespace lissom::stance
