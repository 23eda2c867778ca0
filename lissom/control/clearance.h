#pragma once
// Clearances keep links at a distance from each other: there are capsules around them, and a velocity damper limits the
// speed with which these approach (Faverjon and Tournassoud, 1987). With the distance d between them,
//   ḋ ≥ -speed (d - min_distance) / (begin - min_distance)     for d below `begin`.
// It is a soft row on accelerations, which therefore never contradicts other rows.
#include <string>

#include "lissom/geometry/capsule.h"

namespace lissom::control {

/// A pair of capsules, fixed to links, that keep a distance.
struct Clearance {
  Capsule a, b;
  double min_distance = .01, begin = .05;  ///< m
  double speed = .5;                       ///< m/s, allowed speed of approach at `begin`
  double weight = 1e4;                     ///< of the soft row
  /// Looked at only in ticks in which it could be near, if the links approach with up to 10 m/s: its reading in the
  /// others is that of the last look.
  bool rarely = false;
  std::string name = {};
};

/// Its name; if empty, the names of its frames.
std::string name_of(const Clearance& clearance);

}  // namespace lissom::control
