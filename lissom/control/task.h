#pragma once
// What a robot is asked to do, as wishes about accelerations: a task with the value y(q) wants
//   ÿ = acceleration + damping (velocity - ẏ) + stiffness (target - y),
// and the controller brings about Σ weight ‖J a + J̇ v - ÿ‖² as small as the laws of motion, contacts and limits allow.
// Tasks of a lower level come first, strictly: those of the next level have what these leave free.
#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "lissom/constraints/robot_snapshot.h"

namespace lissom::control {

inline constexpr double critical = -1;  // damping that just does not overshoot: 2 √stiffness

// A point of a frame to a place. Axes are those of `relative_to`, in whose coordinates target, velocity and
// acceleration are.
struct PointTask {
  std::string frame;
  Vec3<double> point = {0, 0, 0};  // in the frame's coordinates
  Vec3<double> target = {0, 0, 0}, velocity = {0, 0, 0}, acceleration = {0, 0, 0};
  std::string relative_to = "world";
  Vec3<double> axes = {1, 1, 1};  // 0 leaves an axis free, other numbers weigh it
  double stiffness = 50, damping = critical, weight = 1;
  int priority = 0;
  std::string name = {};
};

// Position and orientation of a frame, either of them or some axes: `linear` and `angular` are as `axes` above, the
// angular ones along the axes of the target.
struct FrameTask {
  std::string frame;
  Pose<double> target = {};
  SpatialVector velocity = {{0, 0, 0}, {0, 0, 0}}, acceleration = {{0, 0, 0}, {0, 0, 0}};
  std::string relative_to = "world";
  Vec3<double> linear = {1, 1, 1}, angular = {1, 1, 1};
  double stiffness = 50, damping = critical, weight = 1;
  int priority = 0;
  std::string name = {};
};

struct CenterOfMassTask {
  Vec3<double> target = {0, 0, 0}, velocity = {0, 0, 0}, acceleration = {0, 0, 0};
  Vec3<double> axes = {1, 1, 1};
  double stiffness = 50, damping = critical, weight = 1;
  int priority = 0;
  std::string name = {};
};

// Momentum, linear and angular about the center of mass; damping alone (1/s): it has no place to go to.
struct MomentumTask {
  SpatialVector target = {{0, 0, 0}, {0, 0, 0}}, rate = {{0, 0, 0}, {0, 0, 0}};
  Vec3<double> linear = {0, 0, 0}, angular = {1, 1, 1};
  double damping = 10, weight = 1;
  int priority = 0;
  std::string name = {};
};

// All joints to a configuration; free joints are left out unless `base` is set. `joint_weights`: one per degree of
// freedom, or empty; `joint_stiffness` likewise, in place of `stiffness` where above 0 (small links at the end of limbs
// want more: a wrong mass m of theirs turns them by m g l / (inertia · stiffness)).
struct PostureTask {
  Eigen::VectorXd target = {}, velocity = {}, acceleration = {};  // empty: neutral, zero, zero
  Eigen::VectorXd joint_weights = {}, joint_stiffness = {};
  bool base = false;
  double stiffness = 20, damping = critical, weight = .1;
  int priority = 0;
  std::string name = {};
};

// Torques of the motors near to a target (empty: zero); couples forces and accelerations, which costs some speed.
struct TorqueTask {
  Eigen::VectorXd target = {};
  double weight = 1e-4;
  std::string name = {};
};

// The force of a contact, along the world's axes, near to a target. Contact by its name.
struct ForceTask {
  std::string contact;
  Vec3<double> target = {0, 0, 0};
  Vec3<double> axes = {1, 1, 1};
  double weight = 1e-4;
  std::string name = {};
};

// An axis of a frame, through its origin, points at a place in the world.
struct GazeTask {
  std::string frame;
  Vec3<double> axis = {1, 0, 0}, target = {1, 0, 0};
  double stiffness = 50, damping = critical, weight = 1;
  int priority = 0;
  std::string name = {};
};

// The user's own: fills `size` rows of J, J̇ v and the wish. Called at every tick; it shall not allocate.
struct TaskRows {
  Eigen::Ref<Matrix> J;
  Eigen::Ref<Eigen::VectorXd> Jdot_v, desired;
};
struct CustomTask {
  int size = 0;
  std::function<void(const RobotSnapshot&, TaskRows)> evaluate;
  double weight = 1;
  int priority = 0;
  std::string name = {};
};

using AnyTask = std::variant<PointTask, FrameTask, CenterOfMassTask, MomentumTask, PostureTask, TorqueTask, ForceTask,
                             GazeTask, CustomTask>;

}  // namespace lissom::control
