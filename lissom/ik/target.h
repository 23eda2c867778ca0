#pragma once
// Targets of inverse kinematics. A target constrains a frame `of`, or the center of mass, to a pose given in
// coordinates of the frame `in`; that frame may be a part of the robot too, and the target then moves with it. Weights
// say how much an axis counts if not everything can be met; 0 leaves the axis free. Those of positions are along the
// axes of `in`, those of orientations along the axes of the target pose: {1, 1, 0} lets a screwdriver rotate about its
// z axis.
#include <functional>

#include "lissom/api/workspace.h"
#include "lissom/ik/kernel_types.h"

namespace lissom::ik {

/// One target; the functions below make the usual ones.
struct Target {
  TargetKind kind = TargetKind::pose;
  FrameId of = world_frame;
  Pose<double> pose = {};  ///< desired; R is used for orientation and pose, p for all kinds but orientation
  FrameId in = world_frame;
  Vec3<double> point = {0, 0, 0};  ///< of the frame `of`, in its coordinates: is brought to pose.p, or looks at it
  Vec3<double> axis = {1, 0, 0};   ///< for look_at: an axis of the frame `of` that points at pose.p
  Vec3<double> linear_weight = {1, 1, 1}, angular_weight = {1, 1, 1};
};

/// The origin of a frame is at p.
inline Target position(FrameId of, const Vec3<double>& p) {
  return {.kind = TargetKind::position, .of = of, .pose = {identity3<double>(), p}};
}
/// A frame has the orientation R.
inline Target orientation(FrameId of, const Mat3<double>& R) {
  return {.kind = TargetKind::orientation, .of = of, .pose = {R, {0, 0, 0}}};
}
/// A frame has the pose X.
inline Target pose(FrameId of, const Pose<double>& X) {
  return {.kind = TargetKind::pose, .of = of, .pose = X};
}
/// A point of a frame, in its coordinates, is at p.
inline Target point(FrameId of, const Vec3<double>& point, const Vec3<double>& p) {
  return {.kind = TargetKind::position, .of = of, .pose = {identity3<double>(), p}, .point = point};
}
/// An axis of a frame, through its origin, points at p.
inline Target look_at(FrameId of, const Vec3<double>& axis, const Vec3<double>& p) {
  return {.kind = TargetKind::look_at, .of = of, .pose = {identity3<double>(), p}, .axis = axis};
}
/// The center of mass of the robot is at p.
inline Target center_of_mass(const Vec3<double>& p) {
  return {.kind = TargetKind::center_of_mass, .pose = {identity3<double>(), p}};
}

/// Other equations that have to hold, such as closed loops: residual(q) = 0. `evaluate` is called after
/// forward_kinematics(model, work, q), and writes `count` residuals and their Jacobian with respect to v, count × nv.
struct ExtraRows {
  int count = 0;
  std::function<void(const Model& model, Workspace& work, const VectorIn& q, Eigen::Ref<Eigen::VectorXd> residual,
                     Eigen::Ref<Matrix> jacobian)>
      evaluate = {};
  double tolerance = 1e-6;  ///< of the norm of the residual
};

}  // namespace lissom::ik
