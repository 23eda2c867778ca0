#pragma once
// A contact of the controller: its rows, and how it comes and goes.
#include "lissom/constraints/contact_rows.h"

namespace lissom::control {

struct ContactEntry : ContactRows {
  ContactEntry(const Model& model, Contact contact);

  bool enabled = true;       // it shall be there (or else it goes)
  bool active = false;       // it takes part in this tick
  double ramp_fraction = 1;  // of the force it may carry: rises and falls with the ramp
};

// Of the pyramid within the cone, |tangent| ≤ slope · normal for each of the two tangents. A contact that comes or goes
// is asked for little friction: it carries little, and not what was planned.
double pyramid_slope(const ContactEntry& entry);
// One tick of coming or going: share, and with it held.
void advance_ramp(ContactEntry& entry, double step);
// What the ramp leaves of the forces of all points together, for a robot of this weight (N): of the normal ones; of a
// grip, of each of its six components, in both directions.
struct ForceRange {
  double least, most;
};
ForceRange force_range(const ContactEntry& entry, double weight);

}  // namespace lissom::control
