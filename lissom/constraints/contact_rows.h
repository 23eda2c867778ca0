#pragma once
// A contact, ready for the tick: which motion it forbids, and which forces it can give.
//
// The motion of the frame against what it touches is J a + J̇ v, six numbers along the axes of the place; the rows that
// are held shall be -stiffness · gap - damping · rate. Forces are the variables: three for each point that sticks (two
// tangents and the normal), one for each that slides, six for a grip. G gathers them into a wrench (force, moment) at
// the origin along the same axes, which does Jᵀ G to the joints; what is touched feels the opposite, J being relative.
#include "lissom/constraints/contact.h"
#include "lissom/constraints/robot_snapshot.h"

namespace lissom::control {

struct ContactEntry {
  Contact contact;
  std::string name;
  FrameId frame, against;
  std::vector<Vec3<double>> points;
  Pose<double> place;
  bool placed = false;  // the place is known
  bool wanted = true;   // it shall be there (or else it goes)
  bool held = false;    // it takes part in this tick
  double share = 1;     // of the force it may carry: rises and falls with the ramp

  // Of this tick.
  std::vector<int> rows;  // of the six that are held
  Columns6 J;             // nv columns
  Vector6 rate, wish;
  Columns6 G;           // a column for each force variable
  Matrix joint_forces;  // Jᵀ G: nv × variables
  Pose<double> axes;    // the place in the world

  int variables() const { return int(G.cols()); }
  int per_point() const;  // variables
  int friction_rows() const;
  bool unilateral() const { return contact.kind != ContactKind::fixed; }
};

ContactEntry make_entry(const Model& model, Contact contact);
void evaluate(ContactEntry& entry, Moment& moment);
// Of the pyramid within the cone, |tangent| ≤ slope · normal for each of the two tangents. A contact that comes or goes
// is asked for little friction: it carries little, and not what was planned.
double pyramid_slope(const ContactEntry& entry);
// One tick of coming or going: share, and with it held.
void advance_ramp(ContactEntry& entry, double step);
// What the ramp leaves of the forces of all points together, for a robot of this weight (N): of the normal ones; of a
// grip, of each of its six numbers, either way.
struct ForceRange {
  double least, most;
};
ForceRange force_range(const ContactEntry& entry, double weight);

}  // namespace lissom::control
