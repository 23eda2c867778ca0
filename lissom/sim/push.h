#pragma once
// External forces that act during an interval of time.
#include <limits>

#include "lissom/api/dynamics.h"

namespace lissom::sim {

/// A force and a torque that act while from ≤ t < until.
struct Push {
  ExternalForce force;
  double from = -std::numeric_limits<double>::infinity(), until = std::numeric_limits<double>::infinity();
};
/// A force on the origin of a frame, along the world's axes.
Push push_at(FrameId frame, const Vec3<double>& force, double from, double until);
/// Throws an Error if the force or torque is not finite, or the frame does not belong to the model.
void check(const Model& model, const Push& push);

}  // namespace lissom::sim
