#pragma once
// Clearances keep links at a distance from each other: there are capsules around them, and a velocity damper limits the
// speed with which these approach (Faverjon and Tournassoud, 1987). With the distance d between them,
//   ḋ ≥ -max_approach_speed (d - min_distance) / (influence_distance - min_distance)     for d below
//   influence_distance.
// It is a soft row on accelerations, which therefore never contradicts other rows.
#include <string>

#include "lissom/geometry/capsule.h"

namespace lissom::control {

/// A pair of capsules, fixed to links, that keep a distance.
struct Clearance {
  Capsule a, b;
  double min_distance = .01;        ///< m
  double influence_distance = .05;  ///< m, below which the damper acts
  double max_approach_speed = .5;   ///< m/s, at influence_distance; it decreases linearly to zero at min_distance
  double weight = 1e4;              ///< of the soft row
  /// Evaluated only in ticks in which the links could be near, if they approach with up to 10 m/s: its reading in the
  /// others is that of its last evaluation.
  bool skip_while_far = false;
  std::string name = {};
};

/// Its name; if empty, the names of its frames.
std::string name_of(const Clearance& clearance);

}  // namespace lissom::control
