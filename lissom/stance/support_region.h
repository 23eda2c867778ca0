#pragma once
// The support region: the horizontal positions of the center of mass that forces within the friction cones of given
// contacts can balance. It is a convex polygon, found by pushing its edges outward with a linear program for each
// (Bretl and Lall, 2008). Torque limits are not considered. Not for users.
#include "lissom/stance/stance_setup.h"

namespace lissom::stance {

struct SupportRegion {
  bool everywhere = false;            // every position is balanced: by a grip, or because the base is fixed
  std::vector<Vec3<double>> corners;  // counter-clockwise, z = 0; one or two where it is a point or a line
  // The half-planes n · c ≤ d, with n horizontal, whose intersection it is.
  struct Side {
    Vec3<double> n;
    double d;
  };
  std::vector<Side> sides;

  // How far a position is inside; negative: how far outside.
  double margin(const Vec3<double>& com) const;
};

// The region of the contacts as evaluated last. It has no corners if no forces can balance the robot at all.
SupportRegion support_region(const StanceSetup& setup);

}  // namespace lissom::stance
