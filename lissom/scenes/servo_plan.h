#pragma once
// Servos of a robot whose targets move from keyframe to keyframe.
#include <vector>

#include "lissom/world/world.h"

namespace lissom::scenes {

/// Gains, and targets over time. Between two keyframes, targets and torques follow a minimum-jerk profile; after the
/// last one they stay.
struct ServoPlan {
  struct Keyframe {
    double time = 0;      ///< s
    Eigen::VectorXd q;    ///< nq, target
    Eigen::VectorXd tau;  ///< nv, torques besides those of the servos
  };
  Eigen::VectorXd stiffness, damping;  ///< nv, as in Servos; empty where the robot has no servos
  std::vector<Keyframe> keyframes;     ///< times increase from 0; empty: no servos and no torques

  bool empty() const { return keyframes.empty(); }
  /// Whether nothing changes after this time.
  double end() const { return keyframes.empty() ? 0 : keyframes.back().time; }
  /// Writes the targets of the servos and the torques at time t.
  void at(const Model& model, double t, Servos& servos, Eigen::VectorXd& tau) const;
};

}  // namespace lissom::scenes
