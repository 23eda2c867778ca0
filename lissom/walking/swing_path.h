#pragma once
// The path of a foot through the air to a place and a time that may change on the way. Along the ground the foot
// follows, at every tick, the minimum-jerk motion from its present reference to the foothold; upwards a bump over the
// fraction s of the time that is over.
#include "lissom/math/vec3.h"

namespace lissom::walking {

/// The reference of one foot in the air. It allocates nothing.
class SwingPath {
 public:
  /// Begins at a place, at rest. A foot that climbs goes up before it goes ahead, and one that descends goes ahead
  /// before it goes down, so that it does not meet the edge of a stair.
  void begin(const Vec3<double>& from, double lift, double overshoot, double climb = 0);
  /// Advances the reference by one tick towards `to`, where it shall be after `remaining` seconds.
  void advance(const Vec3<double>& to, double remaining, double step);

  Vec3<double> position{0, 0, 0}, velocity{0, 0, 0}, acceleration{0, 0, 0};
  /// How much of the time is over, and its time derivative.
  double fraction() const { return s_; }
  double rate() const { return s_ < 1 ? rate_ : 0; }

 private:
  void advance_along(double& x, double& v, double& a, double to, double remaining, double step) const;
  double s_ = 0, rate_ = 0, from_z_ = 0, lift_ = 0, overshoot_ = 0, wait_ = 0, early_ = 0;
};

}  // namespace lissom::walking
