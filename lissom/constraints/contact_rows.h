#pragma once
// A contact as rows of a constraint: which motion is constrained, and which forces it can carry.
//
// The acceleration of the frame relative to what it touches is J a + J̇ v, six components along the axes of the
// placement; those that are constrained are to be -stiffness · gap - damping · rate. The variables are forces: three
// for each point that sticks (two tangents and the normal), one for each that slides, six for a grip. G maps them to a
// wrench (force, torque) at the origin along the same axes, and Jᵀ G to generalized forces. These contain the reaction
// on what is touched, because J is relative.
#include "lissom/constraints/contact.h"
#include "lissom/constraints/robot_snapshot.h"
#include "lissom/constraints/row_label.h"

namespace lissom {

struct ContactRows {
  /// Error if a frame is unknown, or a value is out of range.
  ContactRows(const Model& model, Contact contact);

  Contact contact;
  std::string name;
  FrameId frame, against;
  std::vector<Vec3<double>> points;
  Pose<double> placement;
  bool placed = false;  ///< the placement is known

  // As evaluated last.
  std::vector<int> rows;  ///< which of the six are constrained: along x, y, z, about x, y, z of the placement
  Columns6 J;             ///< nv columns
  Vector6 Jdot_v, desired;
  Columns6 G;                 ///< one column per force variable
  Matrix generalized_forces;  ///< Jᵀ G: nv × variables
  Pose<double> axes;          ///< the placement in the world

  int variables() const { return int(G.cols()); }
  int per_point() const;  ///< variables per point
  int friction_rows() const;
  RowLabel label(int row) const { return axis_label(name, row); }  ///< of one of the six
  bool unilateral() const { return contact.kind != ContactKind::fixed; }

  /// Evaluates all at the state of the snapshot. Allocates nothing.
  void evaluate(const RobotSnapshot& robot);
};

}  // namespace lissom
