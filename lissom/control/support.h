#pragma once
// Whether contacts can give the center of mass an acceleration: forces within the friction cones at their points, whose
// sum is m (c̈ - g) and whose moment about the center of mass is zero. On level ground that is the zero-moment point
// inside the convex hull; here the contacts may be anywhere. Not for users.
#include "lissom/control/motion_course.h"

namespace lissom::control {

class Support {
 public:
  // `scale` is that of the faces about their middle, `friction` the fraction of their friction that may be used.
  Support(const Model& model, const MotionPlan& plan, const std::vector<int>& standing,
          const std::vector<Pose<double>>& placements, double scale = 1, double friction = 1);

  // By how much the forces miss, as a distance of the zero-moment point from the contacts, m; 0 where they suffice.
  double outside(const Vec3<double>& com, const Vec3<double>& acceleration = {0, 0, 0}) const;
  // The largest along a minimum-jerk path of the center of mass in this time (s).
  double outside(const Vec3<double>& from, const Vec3<double>& to, double seconds) const;
  // The shortest time of the path, from `least` on, in which the contacts suffice; 0: no time is long enough.
  double seconds_for(const Vec3<double>& from, const Vec3<double>& to, double least) const;

 private:
  struct Point {
    Vec3<double> at;
    Mat3<double> axes;  // of its surface
    double slope;       // of the friction pyramid
  };
  std::vector<Point> points_;
  Vec3<double> gravity_;
};

}  // namespace lissom::control
