#pragma once
// A contact as rows of a constraint: which motion it forbids, and which forces it can give.
//
// The motion of the frame relative to what it touches is J a + J̇ v, six components along the axes of the place; those
// that are held shall be -stiffness · gap - damping · rate. Forces are the variables: three for each point that sticks
// (two tangents and the normal), one for each that slides, six for a grip. G gathers them into a wrench (force, moment)
// at the origin along the same axes, which does Jᵀ G to the joints; what is touched feels the opposite, J being
// relative.
#include "lissom/constraints/contact.h"
#include "lissom/constraints/robot_snapshot.h"
#include "lissom/constraints/row_label.h"

namespace lissom {

struct ContactRows {
  /// Error where a frame is unknown, or a number makes no sense.
  ContactRows(const Model& model, Contact contact);

  Contact contact;
  std::string name;
  FrameId frame, against;
  std::vector<Vec3<double>> points;
  Pose<double> place;
  bool placed = false;  // the place is known

  // As they were evaluated last.
  std::vector<int> rows;  // of the six that are held: along x, y, z, about x, y, z of the place
  Columns6 J;             // nv columns
  Vector6 Jdot_v, desired;
  Columns6 G;                 // a column for each force variable
  Matrix generalized_forces;  // Jᵀ G: nv × variables
  Pose<double> axes;          // the place in the world

  int variables() const { return int(G.cols()); }
  int per_point() const;  // variables
  int friction_rows() const;
  RowLabel label(int row) const { return axis_label(name, row); }  // of the six
  bool unilateral() const { return contact.kind != ContactKind::fixed; }

  /// At the state of the snapshot. Allocates nothing.
  void evaluate(RobotSnapshot& robot);
};

}  // namespace lissom
