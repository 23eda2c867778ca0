#pragma once
// A spring and a damper that pull a point of a robot to a place, as one pulls it with the mouse.
#include <optional>

#include "lissom/sim/force_law.h"

namespace lissom::sim {

/// A spring with a damper that pulls at a point of a frame.
struct PullSpring {
  FrameId on;
  Vec3<double> point;  ///< in the frame
  Vec3<double> to;     ///< in the world
  double stiffness = 0, damping = 0;
};

/// A spring whose gains fit the robot at q. The stiffness is that of an oscillation with 2 Hz of the geometric mean of
/// the robot's mass and of the mass that one feels at the point (3 / tr(J M⁻¹ Jᵀ)), and the damping is critical for the
/// latter: so a hand can be pulled gently, and the robot by its hand. Both are limited such that steps of length `step`
/// stay stable.
PullSpring pull_spring(const Model& model, const VectorIn& q, FrameId on, const Vec3<double>& point,
                       const Vec3<double>& to, double step);

/// Its force at this instant.
ExternalForce force(const PullSpring& spring, const Instant& at);

/// Pulls a robot while it moves: a force law for a System or a SimulatedRobot. What one feels at the point changes with
/// the posture, so the gains are fitted again every 20 ms of simulated time. Belongs to one caller at a time.
class PullLaw {
 public:
  /// step: of the simulation, s.
  explicit PullLaw(double step) : step_(step) {}
  /// What acted when the law was asked last.
  struct Applied {
    FrameId on;
    Vec3<double> at, force;  ///< in the world, m and N
  };
  /// Pulls a point of a frame, in its coordinates, to a place in the world, until the next call or release().
  void pull(FrameId on, const Vec3<double>& point, const Vec3<double>& to);
  void release() {
    spring_.reset();
    applied_.reset();
  }
  /// The force at the beginning of the last step, or at the last stage of an integrator; empty while nothing pulls.
  const std::optional<Applied>& applied() const { return applied_; }
  void operator()(const Instant& at, std::vector<ExternalForce>& forces);

 private:
  double step_;
  std::optional<PullSpring> spring_;
  std::optional<Applied> applied_;
  double fitted_at_ = 0;  // s
  bool fits_ = false;     // whether the gains are those of this point
};

}  // namespace lissom::sim
