#pragma once
// Tasks of the whole-body controller. A task with the value y(q) has the desired acceleration
//   ÿ* = acceleration + damping (velocity - ẏ) + stiffness (target - y),
// and the controller minimizes Σ weight ‖J a + J̇ v - ÿ*‖² subject to the equation of motion, contacts and limits.
// Priorities are strict: tasks of priority 0 are met first, those of the next one use the freedom that remains.
#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "lissom/constraints/robot_snapshot.h"

namespace lissom::control {

/// Critical damping, 2 √stiffness: the fastest response without overshoot.
inline constexpr double critical = -1;

/// Position of a point of a frame, relative to the frame `relative_to`: target, velocity, acceleration and axes are in
/// its coordinates.
struct PointTask {
  std::string frame;
  Vec3<double> point = {0, 0, 0};  ///< in the frame's coordinates
  Vec3<double> target = {0, 0, 0}, velocity = {0, 0, 0}, acceleration = {0, 0, 0};
  std::string relative_to = {};   ///< empty: the world
  Vec3<double> axes = {1, 1, 1};  ///< weights of the axes; 0 leaves an axis free
  double stiffness = 50, damping = critical, weight = 1;
  int priority = 0;
  std::string name = {};
};

/// Position and orientation of a frame, or single axes of either: `linear` and `angular` are weights of the axes, as in
/// PointTask, here along the axes of the target. Target, velocity and acceleration are in coordinates of `relative_to`.
struct FrameTask {
  std::string frame;
  Pose<double> target = {};
  SpatialVector velocity = {{0, 0, 0}, {0, 0, 0}}, acceleration = {{0, 0, 0}, {0, 0, 0}};
  std::string relative_to = {};  ///< empty: the world
  Vec3<double> linear = {1, 1, 1}, angular = {1, 1, 1};
  double stiffness = 50, damping = critical, weight = 1;
  int priority = 0;
  std::string name = {};
};

/// Position of the center of mass, along the world's axes.
struct CenterOfMassTask {
  Vec3<double> target = {0, 0, 0}, velocity = {0, 0, 0}, acceleration = {0, 0, 0};
  Vec3<double> axes = {1, 1, 1};
  double stiffness = 50, damping = critical, weight = 1;
  int priority = 0;
  std::string name = {};
};

/// Momentum, linear and angular about the center of mass, along the world's axes. Its desired rate is
/// rate + damping (target - momentum), damping in 1/s; there is no stiffness, because momentum has no position.
struct MomentumTask {
  SpatialVector target = {{0, 0, 0}, {0, 0, 0}}, rate = {{0, 0, 0}, {0, 0, 0}};
  Vec3<double> linear = {0, 0, 0}, angular = {1, 1, 1};
  double damping = 10, weight = 1;
  int priority = 0;
  std::string name = {};
};

/// Configuration of all joints; free joints take part only if `base` is set.
struct PostureTask {
  /// Empty: the neutral configuration, zero, zero.
  Eigen::VectorXd target = {}, velocity = {}, acceleration = {};
  /// One element per degree of freedom, or empty. A joint_stiffness above 0 replaces `stiffness`: small links at the
  /// end of limbs need a larger one, because an error m of their mass rotates them by m g l / (inertia · stiffness).
  Eigen::VectorXd joint_weights = {}, joint_stiffness = {};
  bool base = false;
  double stiffness = 20, damping = critical, weight = .1;
  int priority = 0;
  std::string name = {};
};

/// Torques of the motors. It couples forces and accelerations in the cost, which takes computation time.
struct TorqueTask {
  Eigen::VectorXd target = {};  ///< one element per degree of freedom; empty: zero
  double weight = 1e-4;
  std::string name = {};
};

/// Force of a contact, along the world's axes.
struct ForceTask {
  std::string contact;  ///< its name
  Vec3<double> target = {0, 0, 0};
  Vec3<double> axes = {1, 1, 1};
  double weight = 1e-4;
  std::string name = {};
};

/// Direction of an axis of a frame, which is to point from the frame's origin at a position in the world.
struct GazeTask {
  std::string frame;
  Vec3<double> axis = {1, 0, 0};    ///< in the frame's coordinates
  Vec3<double> target = {1, 0, 0};  ///< in the world
  double stiffness = 50, damping = critical, weight = 1;
  int priority = 0;
  std::string name = {};
};

/// The rows that a CustomTask fills in: J, J̇ v and the desired acceleration.
struct TaskRows {
  Eigen::Ref<Matrix> J;
  Eigen::Ref<Eigen::VectorXd> Jdot_v, desired;
};
/// A task of the user's own. `evaluate` fills in its rows at every tick, and must not allocate.
struct CustomTask {
  int size = 0;  ///< number of rows
  std::function<void(const RobotSnapshot&, TaskRows)> evaluate;
  double weight = 1;
  int priority = 0;
  std::string name = {};
};

using AnyTask = std::variant<PointTask, FrameTask, CenterOfMassTask, MomentumTask, PostureTask, TorqueTask, ForceTask,
                             GazeTask, CustomTask>;

}  // namespace lissom::control
