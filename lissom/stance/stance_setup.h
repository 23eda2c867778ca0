#pragma once
// A stance problem, checked and prepared: rows of the contacts, motors and their limits, evaluated at a configuration.
// Not for users.
#include "lissom/constraints/contact_rows.h"
#include "lissom/geometry/contact_polygon.h"
#include "lissom/ik/solver.h"
#include "lissom/stance/collisions.h"
#include "lissom/stance/stance.h"

namespace lissom::stance {

// A sphere around a point of a link, which may not be below the ground.
struct GroundPoint {
  FrameId frame;
  Vec3<double> point;
  double radius = 0;
};

struct StanceSetup {
  StanceSetup(const Model& m, const StanceProblem& p);
  StanceSetup(const StanceSetup&) = delete;
  StanceSetup& operator=(const StanceSetup&) = delete;

  Model model;
  StanceProblem problem;
  CollisionGeometry geometry;
  RobotSnapshot robot;
  std::vector<ContactRows> contacts;
  std::vector<bool> floating;  // the contact has no fixed placement (yet), and may move along the ground or its polygon
  // Corners of the contacts, and the same moved inward: while a contact floats, forces act at the inner ones, so that
  // its final placement leaves the center of mass some margin.
  std::vector<std::vector<Vec3<double>>> corners, inner;
  std::vector<double> heights;  // of their origins, while they float
  std::vector<int> motors, passive;
  Eigen::VectorXd limits;  // torques of the motors that may be used; infinite if unlimited
  Eigen::VectorXd from;
  double weight = 1;           // N; the unit of forces
  int variables = 0;           // number of force variables
  bool needs_balance = false;  // the only root is a free joint: the center of mass has to be balanced
  std::vector<GroundPoint> ground_points;
  std::vector<GroundPoint> own_points;  // of bodies with a contact, which need not be above the ground
  Collisions collisions;
  std::vector<std::string> remarks;  // as in Stance
  // Generalized forces of the force variables (of 1 N) at the configuration evaluated last, nv × variables.
  Matrix generalized_forces;

  // Evaluates the robot and its contacts at q. Floating contacts are placed level, at the height of the ground, where
  // their frames are.
  void evaluate(const Eigen::VectorXd& q);
  // Number of force variables of contact k: none if it touches without force.
  int variables_of(std::size_t k) const { return problem.contacts[k].carries ? contacts[k].variables() : 0; }
  // Whether the sum of its normal forces has limits.
  bool is_bounded(std::size_t k) const;
  const std::optional<StancePolygon>& polygon(std::size_t k) const { return problem.contacts[k].polygon; }
  // Fixes floating contacts where they are.
  void fix_placements();
  // Makes all contacts without a given placement float again.
  void free_placements();
  // The forces on the frames, for inverse_dynamics, in the order of contacts and their points.
  std::vector<ExternalForce> external(const Eigen::VectorXd& forces) const;

  // Contacts and the center of mass as targets, in the order of contacts, the center of mass last.
  std::vector<ik::Target> targets() const;
  // Gives the solver the current targets.
  void set_targets(ik::Solver& solver) const;

 private:
  void add_contact(const StanceContact& contact);
  void place_on_ground(std::size_t k);
  void place_on_polygon(std::size_t k);
  void remark_point(const StanceContact& contact, FrameId frame);
  void set_limits();
  void remark_passive();
  void choose_from();
};

// The rotation nearest to R that is level, with z up.
Mat3<double> leveled(const Mat3<double>& R);

}  // namespace lissom::stance
