#pragma once
// Clearances keep links at a distance from each other: there are capsules around them, and a velocity damper limits the
// speed with which these approach (Faverjon and Tournassoud, 1987). With the distance d between them,
//   ḋ ≥ -speed (d - min_distance) / (begin - min_distance)     for d below `begin`.
// It is a soft row on accelerations, which therefore never contradicts other rows.
#include <string>

#include "lissom/constraints/robot_snapshot.h"
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

// A clearance with its row J a ≥ lower, which counts if `near`. Not for users.
struct ClearanceEntry {
  Clearance clearance;
  std::string name;
  FrameId a, b;
  // Evaluated at every tick; rate is that of the distance.
  double distance = 0, rate = 0, lower = 0;
  bool near = false;  // d < begin
  int asleep = 0;     // ticks until it is looked at again
  Eigen::RowVectorXd J;
  Columns6 J_a, J_b;  // buffers
};
ClearanceEntry make_entry(const Model& model, const Clearance& clearance);
// `horizon` is the time in which the speed of approach is reduced to the allowed one; `step`: from tick to tick.
void evaluate(ClearanceEntry& entry, RobotSnapshot& robot, double horizon, double step);

}  // namespace lissom::control
