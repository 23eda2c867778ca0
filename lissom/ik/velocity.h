#pragma once
// Inverse kinematics of velocities: finds v that gives frames their desired velocities,
//   v = argmin Σ |W (J v - ẋ)|² + λ² |w v|²
// with weights W of axes and w of joints, and damping λ against large joint velocities near singularities (Nakamura and
// Hanafusa 1986; Wampler 1986). Priorities are strict, 0 first: each task is solved in the null space of all tasks
// before it (Siciliano and Slotine, 1991), so that it never disturbs them. A desired v of the joints, such as that of a
// posture, is followed in the null space of all tasks.
//
// Limits: joints whose velocity would exceed its bounds are fixed at them one by one, the worst first, and the others
// are solved for again, so that they compensate (as Flacco, De Luca and Khatib, 2012, saturate in the null space). The
// result is always within the bounds, but not always the optimum, because joints fixed at a bound stay fixed.
#include <memory>
#include <span>
#include <vector>

#include "lissom/api/kinematics.h"

namespace lissom::ik {

/// The desired velocity of a frame, or of the center of mass.
struct VelocityTask {
  FrameId of = world_frame;
  SpatialVector velocity = {{0, 0, 0}, {0, 0, 0}};  ///< desired, of the frame's particle that is at `at`
  Point at = {};                                    ///< any point; see at_origin()
  FrameId in = world_frame;                         ///< velocity and weights are along its axes
  Vec3<double> linear_weight = {1, 1, 1}, angular_weight = {1, 1, 1};  ///< 0 leaves an axis free
  int priority = 0;                                                    ///< 0 is met first, strictly
  bool center_of_mass = false;  ///< velocity.linear is that of the center of mass; velocity.angular is ignored
};
/// The velocity of a frame at its own origin, along the world's axes.
inline VelocityTask at_origin(FrameId of, const SpatialVector& velocity, int priority = 0) {
  return {.of = of, .velocity = velocity, .at = {of, {0, 0, 0}}, .priority = priority};
}

/// Options of VelocitySolver::solve().
struct VelocityOptions {
  double damping = 1e-4;               ///< λ >= 0
  Eigen::VectorXd joint_weights = {};  ///< w > 0, the cost of moving each joint; empty: all 1
  Eigen::VectorXd desired = {};        ///< v, followed in the null space of the tasks; empty: 0
  bool velocity_limits = true;         ///< keep |v| within the model's limits
  /// Time in s for which v will be applied: no joint then passes a position limit in this time (except those of planar
  /// joints in their plane). 0: position limits are ignored.
  double hold = 0;
};

/// The result of VelocitySolver::solve().
struct VelocityResult {
  Eigen::VectorXd v;
  std::vector<double> residuals;  ///< |W (J v - ẋ)| of each task
  int limited = 0;                ///< number of elements of v that were fixed at a bound
};

/// Inverse kinematics of velocities. Belongs to one caller at a time. solve() allocates nothing unless it is given more
/// tasks than ever before.
class VelocitySolver {
 public:
  /// tasks: the number of tasks for which memory is reserved.
  explicit VelocitySolver(const Model& model, int tasks = 4);
  ~VelocitySolver();
  VelocitySolver(VelocitySolver&&) noexcept;
  VelocitySolver& operator=(VelocitySolver&&) noexcept;
  /// The result stays in the solver until the next call. Throws an Error if an argument is invalid.
  const VelocityResult& solve(const VectorIn& q, std::span<const VelocityTask> tasks,
                              const VelocityOptions& options = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::ik
