#include "lissom/control/contact_entry.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lissom::control {

namespace {

constexpr double min_friction_fraction = .3;  // of the friction, while a contact is ramped in or out

}  // namespace

ContactEntry::ContactEntry(const Model& model, Contact given) : ContactRows(model, std::move(given)) {
  ramp_fraction = contact.ramp > 0 ? 0 : 1;
}

void advance_ramp(ContactEntry& e, double step) {
  const double change = e.contact.ramp > 0 ? step / e.contact.ramp : 1;
  e.ramp_fraction = e.enabled ? std::min(1.0, e.ramp_fraction + change) : std::max(0.0, e.ramp_fraction - change);
  e.active = e.enabled || e.ramp_fraction > 0;
  if (!e.active && !e.contact.placement) e.placed = false;
}

double pyramid_slope(const ContactEntry& e) {
  return std::max(e.ramp_fraction, min_friction_fraction) * e.contact.friction / std::sqrt(2);
}

// The maximum is quadratic in ramp_fraction: it is zero at the end of a release, so that the force has no jump, and
// grows slowly at first when the contact is made. It is twice the weight, because a moving robot can push with more
// than its weight.
ForceRange force_range(const ContactEntry& e, double weight) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double ramped = e.ramp_fraction < 1 ? 2 * e.ramp_fraction * e.ramp_fraction * weight : infinity;
  if (!e.unilateral()) return {-ramped, ramped};
  return {e.enabled ? e.ramp_fraction * e.ramp_fraction * e.contact.min_normal_force : 0,
          std::min(e.contact.max_normal_force, ramped)};
}

}  // namespace lissom::control
