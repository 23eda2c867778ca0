#pragma once
// A clearance, ready for the tick. Not for users.
#include "lissom/constraints/robot_snapshot.h"
#include "lissom/control/clearance.h"

namespace lissom::control {

// A clearance with its row J a ≥ lower, which counts if `near`.
struct ClearanceEntry {
  Clearance clearance;
  std::string name;
  FrameId a, b;
  // Evaluated at every tick; rate is that of the distance.
  double distance = 0, rate = 0, lower = 0;
  bool near = false;  // d < influence_distance
  int asleep = 0;     // ticks until it is evaluated again
  Eigen::RowVectorXd J;
  Columns6 J_a, J_b;  // buffers
};
ClearanceEntry make_entry(const Model& model, const Clearance& clearance);
// `horizon` is the time in which the speed of approach is reduced to the allowed one; `step`: from tick to tick.
void evaluate(ClearanceEntry& entry, const RobotSnapshot& robot, double horizon, double step);

}  // namespace lissom::control
