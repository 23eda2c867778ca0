#pragma once
// What a robot shall reach. A target is about a frame `of` (or the center of mass), and is met at a place given in
// coordinates of the frame `in`; that frame may be a part of the robot too, and the place then moves with it. Weights
// say how much an axis counts where not everything can be met; 0 leaves the axis free. Those of positions are along the
// axes of `in`, those of orientations along the axes of the wanted frame: {1, 1, 0} lets a screwdriver turn about its z
// axis.
#include <functional>

#include "lissom/api/workspace.h"
#include "lissom/ik/kernel_types.h"

namespace lissom::ik {

struct Target {
  TargetKind kind = TargetKind::pose;
  FrameId of = world_frame;
  Pose<double> place = {};  // its rotation counts for orientation and pose, its origin for all others
  FrameId in = world_frame;
  Vec3<double> point = {0, 0, 0};  // of the frame `of`, in its coordinates: what is brought to the place, what looks
  Vec3<double> axis = {1, 0, 0};   // of the frame `of`: what looks at the place
  Vec3<double> linear_weight = {1, 1, 1}, angular_weight = {1, 1, 1};
};

inline Target position(FrameId of, const Vec3<double>& place) {
  return {.kind = TargetKind::position, .of = of, .place = {identity3<double>(), place}};
}
inline Target orientation(FrameId of, const Mat3<double>& R) {
  return {.kind = TargetKind::orientation, .of = of, .place = {R, {0, 0, 0}}};
}
inline Target pose(FrameId of, const Pose<double>& X) {
  return {.kind = TargetKind::pose, .of = of, .place = X};
}
// A point of a frame to a place.
inline Target point(FrameId of, const Vec3<double>& point, const Vec3<double>& place) {
  return {.kind = TargetKind::position, .of = of, .place = {identity3<double>(), place}, .point = point};
}
// An axis of a frame, through its origin, points at a place.
inline Target look_at(FrameId of, const Vec3<double>& axis, const Vec3<double>& place) {
  return {.kind = TargetKind::look_at, .of = of, .place = {identity3<double>(), place}, .axis = axis};
}
inline Target center_of_mass(const Vec3<double>& place) {
  return {.kind = TargetKind::center_of_mass, .place = {identity3<double>(), place}};
}

// Other equations that shall hold, such as the closing of loops: residual(q) = 0. `evaluate` is called after
// forward_kinematics(model, work, q), and writes `count` residuals and their Jacobian over v, count × nv.
struct ExtraRows {
  int count = 0;
  std::function<void(const Model& model, Workspace& work, const VectorIn& q, Eigen::Ref<Eigen::VectorXd> residual,
                     Eigen::Ref<Matrix> jacobian)>
      evaluate = {};
  double tolerance = 1e-6;  // of the length of the residual
};

}  // namespace lissom::ik
