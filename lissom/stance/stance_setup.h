#pragma once
// A stance problem, checked and ready: contacts as entries, motors and their limits, and what all of them are at a
// configuration. Not for users.
#include "lissom/constraints/contact_rows.h"
#include "lissom/geometry/contact_polygon.h"
#include "lissom/ik/solver.h"
#include "lissom/stance/stance.h"

namespace lissom::stance {

// A point of a link that may not come below the ground.
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
  std::vector<bool> floating;  // the contact may still choose its place
  // Corners of the contacts, and the same moved inward: while a contact floats, forces act in these, so that the place
  // that it takes leaves the center of mass some margin.
  std::vector<std::vector<Vec3<double>>> corners, inner;
  std::vector<double> heights;  // of their origins, where they float
  std::vector<int> motors, passive;
  Eigen::VectorXd limits;  // of the motors, as far as they may be used; infinite where there are none
  Eigen::VectorXd from;
  double weight = 1;    // N; forces are counted in it
  int variables = 0;    // of forces
  bool stands = false;  // on one free joint alone: the center of mass has to be balanced
  std::vector<GroundPoint> ground_points;
  // At the configuration that was evaluated last: what force variables (of 1 N) do to the joints, nv × variables.
  Matrix generalized_forces;

  // The robot and its contacts at q. Floating contacts are level, at the height of the ground, where their frames are.
  void evaluate(const Eigen::VectorXd& q);
  // Floating contacts stay where they are from here on.
  void fix_places();
  // All that have no given place.
  void float_again();
  // What acts on the frames, for inverse_dynamics, in the order of contacts and their points.
  std::vector<ExternalForce> external(const Eigen::VectorXd& forces) const;

  // Contacts and the center of mass as targets, in the order of contacts, the center of mass last.
  std::vector<ik::Target> targets() const;
  // For places as of now.
  void set_targets(ik::Solver& solver) const;

 private:
  void add_contact(const StanceContact& contact);
  void set_limits();
  void choose_from();
};

// The rotation that is level, with z up, and nearest to R.
Mat3<double> leveled(const Mat3<double>& R);

}  // namespace lissom::stance
