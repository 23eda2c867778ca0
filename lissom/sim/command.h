#pragma once
// What a controller asks of a robot in one tick.
#include <string>
#include <vector>

#include <Eigen/Core>

#include "lissom/math/vec3.h"

namespace lissom::sim {

/// What a controller expects of one contact.
struct ContactForce {
  bool active = false;  ///< the contact is constrained in this tick
  /// Wrench on the frame, about its origin, along the world's axes, in N and N m.
  Vec3<double> force = {0, 0, 0}, torque = {0, 0, 0};
};

/// What a controller asks of the motors in one tick.
struct Command {
  Eigen::VectorXd torques;  ///< one per degree of freedom, N m or N
  /// The accelerations that the controller expects. Only prescribed_acceleration_robot reads them.
  Eigen::VectorXd accelerations = {};
  /// Positions (nq) and velocities (nv) for the servos of the joints, if RobotOptions gives them some.
  Eigen::VectorXd targets = {};
  std::vector<ContactForce> contacts = {};
  std::string failure = {};  ///< why the controller found no solution; empty if it found one
};

}  // namespace lissom::sim
