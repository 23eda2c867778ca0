#pragma once
// Where the center of mass may be, seen from above, while forces within the friction cones of given contacts hold the
// robot: a convex polygon, found by pushing its edges outward with a linear program for each (Bretl and Lall, 2008).
// Torques are not looked at. Not for users.
#include "lissom/stance/stance_setup.h"

namespace lissom::stance {

struct SupportRegion {
  bool everywhere = false;            // the robot is held otherwise
  std::vector<Vec3<double>> corners;  // counter-clockwise, z = 0; one or two where it is a point or a line
  // Half-planes n · c ≤ d with n in the horizontal plane, whose cut it is.
  struct Side {
    Vec3<double> n;
    double d;
  };
  std::vector<Side> sides;

  // How far inside a place is; negative: how far outside.
  double margin(const Vec3<double>& com) const;
};

// Of contacts as they were evaluated last. Empty (no corners) where no forces can hold the robot at all.
SupportRegion support_region(const StanceSetup& setup);

}  // namespace lissom::stance
