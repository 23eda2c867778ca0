#pragma once
// Links that shall not come too close to each other: capsules around them, and a damper on the speed with which they
// approach (Faverjon and Tournassoud, 1987): with the distance d between them,
//   ḋ ≥ -speed (d - least) / (begin - least)     for d below `begin`,
// as a soft row on accelerations, which therefore never contradicts other rows.
#include <string>

#include "lissom/constraints/robot_snapshot.h"
#include "lissom/geometry/capsule.h"

namespace lissom::control {

struct Clearance {
  Capsule a, b;
  double min_distance = .01, begin = .05;  // m
  double speed = .5;                       // m/s, of approach at `begin`
  double weight = 1e4;
  std::string name = {};
};

std::string name_of(const Clearance& clearance);  // its own, or that of the frames

struct ClearanceEntry {
  Clearance clearance;
  std::string name;
  FrameId a, b;
  // Of this tick: distance and its rate; row J a ≥ lower, which counts where d < begin.
  double distance = 0, rate = 0, lower = 0;
  bool near = false;
  Eigen::RowVectorXd J;
  Columns6 J_a, J_b;  // room
};
ClearanceEntry make_entry(const Model& model, const Clearance& clearance);
// `horizon`: in which the speed of approach is brought down to what is allowed.
void evaluate(ClearanceEntry& entry, RobotSnapshot& robot, double horizon);

}  // namespace lissom::control
