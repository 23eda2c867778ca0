#include "lissom/control/contact_entry.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lissom::control {

namespace {

constexpr double least_reliance = .3;  // on the friction of a contact that comes or goes

}  // namespace

ContactEntry::ContactEntry(const Model& model, Contact given) : ContactRows(model, std::move(given)) {
  share = contact.ramp > 0 ? 0 : 1;
}

void advance_ramp(ContactEntry& e, double step) {
  const double change = e.contact.ramp > 0 ? step / e.contact.ramp : 1;
  e.share = e.wanted ? std::min(1.0, e.share + change) : std::max(0.0, e.share - change);
  e.held = e.wanted || e.share > 0;
  if (!e.held && !e.contact.place) e.placed = false;
}

double pyramid_slope(const ContactEntry& e) {
  return std::max(e.share, least_reliance) * e.contact.friction / std::sqrt(2);
}

// Down to nothing at the end, so that leaving is no jump; slowly at first when it comes. (Twice the weight: a robot
// that moves pushes more than that.)
ForceRange force_range(const ContactEntry& e, double weight) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double ramped = e.share < 1 ? 2 * e.share * e.share * weight : infinity;
  if (!e.unilateral()) return {-ramped, ramped};
  return {e.wanted ? e.share * e.share * e.contact.least_force : 0, std::min(e.contact.largest_force, ramped)};
}

}  // namespace lissom::control
