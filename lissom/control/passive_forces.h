#pragma once
// Forces that joints have by themselves, as the description states them: damping, dry friction and springs. The motors
// have to overcome them, or are helped by them.
namespace lissom::control {

/// Which of these forces the controller knows, and compensates.
struct PassiveForces {
  bool damping = true, dry_friction = true, springs = true;
  /// rad/s or m/s. Dry friction is compensated in full at this speed and above, and in proportion below: it is never
  /// more than the true one, so that a joint at rest is not driven by noise.
  double friction_speed = .05;
};

}  // namespace lissom::control
