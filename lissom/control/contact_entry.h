#pragma once
// A contact of the controller: its rows, and its ramp.
#include "lissom/constraints/contact_rows.h"
#include "lissom/control/contact_margins.h"

namespace lissom::control {

// The soft rows of a contact's margins, over its force variables: rows · f ≥ lower, each violated by s at the cost
// ½ weight s².
struct MarginRows {
  Matrix rows;
  Eigen::VectorXd lower, weight;
};

struct ContactEntry : ContactRows {
  ContactEntry(const Model& model, Contact contact);

  ContactMargins margins = {};
  MarginRows soft = {};
  bool enabled = true;       // false: it is inactive or being released
  bool active = false;       // it takes part in this tick
  double ramp_fraction = 1;  // how far it is ramped in, 0 to 1
};

// Slope of the pyramid inside the friction cone: |tangent| ≤ slope · normal for each of the two tangents. It is smaller
// while a contact is ramped in or out, because the contact then carries little, and not the planned force.
double pyramid_slope(const ContactEntry& entry);
// Sets the margins and allocates their rows, for a robot of this weight (N); update_margins() sets what changes from
// tick to tick: friction, and the ramp.
void set_margins(ContactEntry& entry, const ContactMargins& margins, double weight);
void update_margins(ContactEntry& entry);
// A ball rolls: its center moves as it turns, and only the point that touches is at rest. After evaluate().
void let_roll(ContactEntry& entry, const RobotSnapshot& robot);
// Advances the ramp by one tick: sets ramp_fraction and active.
void advance_ramp(ContactEntry& entry, double step);
// Range of the sum of the normal forces of all points that the ramp allows, for a robot of this weight (N). For a grip,
// the range of each of its six components.
struct ForceRange {
  double min, max;
};
ForceRange force_range(const ContactEntry& entry, double weight);

}  // namespace lissom::control
