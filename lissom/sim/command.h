#pragma once
// What a controller asks of a robot in one tick.
#include <string>
#include <vector>

#include <Eigen/Core>

#include "lissom/math/vec3.h"

namespace lissom::sim {

/// What a controller expects of one contact.
struct ContactForce {
  bool active = false;                                 // it is held where it is
  Vec3<double> force = {0, 0, 0}, torque = {0, 0, 0};  // on the frame, about its origin, along the world's axes
};

struct Command {
  Eigen::VectorXd torques;  // one per degree of freedom
  // The motion that the controller expects of them. Only prescribed_acceleration_robot reads it.
  Eigen::VectorXd accelerations = {};
  std::vector<ContactForce> contacts = {};
  std::string failure = {};  // why the controller has no answer; empty where it has one
};

}  // namespace lissom::sim
