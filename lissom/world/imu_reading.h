#pragma once
// What an inertial measurement unit shows.
#include "lissom/math/vec3.h"

namespace lissom {

/// Along the axes of the sensor.
struct ImuReading {
  Vec3<double> angular_velocity = {0, 0, 0};  ///< rad/s
  Vec3<double> specific_force = {0, 0, 0};    ///< m/s²: acceleration minus gravity
};

}  // namespace lissom
