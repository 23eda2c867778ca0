#pragma once
// Inverse kinematics at the level of velocities: v that gives frames the velocities wanted of them,
//   v = argmin Σ |W (J v - ẋ)|² + λ² |w v|²
// with weights W of axes and w of joints, and damping λ against huge joint rates near singularities (Nakamura and
// Hanafusa 1986; Wampler 1986). Tasks of higher priority number come after those of lower, strictly: each is solved in
// the null space of all before it (Siciliano and Slotine, 1991), so that it never disturbs them. What freedom is left
// follows a wanted v.
//
// Limits: joints whose rate would leave its bounds are put on them, the worst first, and the rest is solved for again,
// so that other joints make up for it (as Flacco, De Luca and Khatib, 2012, saturate in the null space). A v within the
// bounds always comes out; it is not always the best one, for a joint that was put on a bound stays there.
#include <memory>
#include <span>
#include <vector>

#include "lissom/api/kinematics.h"

namespace lissom::ik {

struct VelocityTask {
  FrameId of = world_frame;
  SpatialVector velocity = {{0, 0, 0}, {0, 0, 0}};                     // of the frame's particle that is at `at`
  Point at = {};                                                       // any point; see at_origin()
  FrameId in = world_frame;                                            // whose axes velocity and weights are along
  Vec3<double> linear_weight = {1, 1, 1}, angular_weight = {1, 1, 1};  // 0 leaves an axis free
  int priority = 0;                                                    // 0 comes first
  bool center_of_mass = false;  // the linear velocity is that of the center of mass, the angular counts for nothing
};
// Of a frame at its own origin, along the world's axes.
inline VelocityTask at_origin(FrameId of, const SpatialVector& velocity, int priority = 0) {
  return {.of = of, .velocity = velocity, .at = {of, {0, 0, 0}}, .priority = priority};
}

struct VelocityOptions {
  double damping = 1e-4;               // λ >= 0
  Eigen::VectorXd joint_weights = {};  // w > 0: how dear it is to move each; empty: all 1
  Eigen::VectorXd desired = {};        // v as far as the tasks leave it free; empty: 0
  bool velocity_limits = true;         // |v| within the model's limits
  // Seconds for which v is to be held: position limits are then not passed (those of planar joints in the plane
  // excepted). 0: not looked at.
  double hold = 0;
};

struct VelocityResult {
  Eigen::VectorXd v;
  std::vector<double> residuals;  // |W (J v - ẋ)| of each task
  int limited = 0;                // joints that are at a limit of their rate
};

// The memory of these calls: belongs to one caller at a time. solve() allocates nothing after the first call with as
// many tasks.
class VelocitySolver {
 public:
  explicit VelocitySolver(const Model& model, int tasks = 4);
  ~VelocitySolver();
  VelocitySolver(VelocitySolver&&) noexcept;
  VelocitySolver& operator=(VelocitySolver&&) noexcept;
  // The result stays in the solver until the next call.
  const VelocityResult& solve(const VectorIn& q, std::span<const VelocityTask> tasks,
                              const VelocityOptions& options = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::ik
