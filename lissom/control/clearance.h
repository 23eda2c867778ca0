#pragma once
// Links that shall not come too close to each other: capsules around them, and a damper on the speed with which they
// approach (Faverjon and Tournassoud, 1987): with the distance d between them,
//   ḋ ≥ -speed (d - least) / (begin - least)     for d below `begin`,
// as a soft row on accelerations, which therefore never contradicts other rows.
#include <string>

#include "lissom/constraints/robot_snapshot.h"

namespace lissom::control {

// A segment with a radius, in coordinates of its frame.
struct Capsule {
  std::string frame;
  Vec3<double> from = {0, 0, 0}, to = {0, 0, 0};
  double radius = 0;
};
// The thinnest capsule, along the longest side, around the collision shapes of a link (meshes left out). Error where it
// has none.
Capsule capsule_of(const Model& model, const std::string& link);

struct Clearance {
  Capsule a, b;
  double least = .01, begin = .05;  // m
  double speed = .5;                // m/s, of approach at `begin`
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
void evaluate(ClearanceEntry& entry, Moment& moment, double horizon);

// Nearest points of two segments, as parts 0 … 1 of their lengths.
struct NearestPoints {
  double s, t;
};
NearestPoints nearest_points(const Vec3<double>& a0, const Vec3<double>& a1, const Vec3<double>& b0,
                             const Vec3<double>& b1);

}  // namespace lissom::control
