#pragma once
// Where everything is and how it moves. A velocity, acceleration or Jacobian is *of* a frame, *at* a point, *expressed
// in* the axes of a frame.
//
// Calls with q (and v, a) compute the kinematics of all bodies first; those without read what forward_kinematics, or
// another call that says so, has left in the workspace, and throw an Error where that is not there.
#include "lissom/api/workspace.h"

namespace lissom {

/// A point with coordinates in a frame; it moves with that frame.
struct Point {
  FrameId frame = world_frame;
  Vec3<double> position{0, 0, 0};
};

/// A velocity or an acceleration of a frame at a point, or a force with its torque.
struct SpatialVector {
  Vec3<double> linear, angular;
};

/// Places all bodies; with v also their velocities; with a also their accelerations. The workspace's stage is then
/// positions, velocities or accelerations.
void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q);
void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& a);

/// X_WF, after forward_kinematics.
Pose<double> placement(const Model& model, const Workspace& work, FrameId frame);
/// The velocity of the frame `of`, of its particle that is at the point `at` just now, along the axes of `in`, relative
/// to the world; after forward_kinematics with v.
SpatialVector velocity(const Model& model, const Workspace& work, FrameId of, const Point& at,
                       FrameId in = world_frame);
/// The same at the frame's own origin, along the world's axes.
SpatialVector velocity(const Model& model, const Workspace& work, FrameId of);
/// The rates of change of that particle's velocity and of the angular velocity, without gravity; after
/// forward_kinematics with v and a.
SpatialVector acceleration(const Model& model, const Workspace& work, FrameId of, const Point& at,
                           FrameId in = world_frame);
/// The same at the frame's own origin, along the world's axes.
SpatialVector acceleration(const Model& model, const Workspace& work, FrameId of);

/// J with velocity(of, at, in) = J v, after forward_kinematics. The reference is valid until the next call of jacobian
/// without an array J: for the Jacobians of several frames at once, pass an array for each.
const Columns6& jacobian(const Model& model, Workspace& work, FrameId of, const Point& at, FrameId in = world_frame);
/// The same at the frame's own origin, along the world's axes.
const Columns6& jacobian(const Model& model, Workspace& work, FrameId of);
/// The same written to J, which is 6 × nv.
void jacobian(const Model& model, Workspace& work, FrameId of, const Point& at, FrameId in, Columns6Out J);
void jacobian(const Model& model, Workspace& work, FrameId of, Columns6Out J);
/// The same, with forward_kinematics(model, work, q) first.
const Columns6& jacobian(const Model& model, Workspace& work, const VectorIn& q, FrameId of, const Point& at,
                         FrameId in = world_frame);
const Columns6& jacobian(const Model& model, Workspace& work, const VectorIn& q, FrameId of);
void jacobian(const Model& model, Workspace& work, const VectorIn& q, FrameId of, const Point& at, FrameId in,
              Columns6Out J);
void jacobian(const Model& model, Workspace& work, const VectorIn& q, FrameId of, Columns6Out J);

/// J̇, with which the rate of (J v) is J v̇ + J̇ v: the point moves with its frame, the axes rotate with theirs. After
/// forward_kinematics with v.
const Columns6& jacobian_rate(const Model& model, Workspace& work, FrameId of, const Point& at,
                              FrameId in = world_frame);
/// The same at the frame's own origin, along the world's axes.
const Columns6& jacobian_rate(const Model& model, Workspace& work, FrameId of);
/// The same written to J_dot, which is 6 × nv.
void jacobian_rate(const Model& model, Workspace& work, FrameId of, const Point& at, FrameId in, Columns6Out J_dot);
void jacobian_rate(const Model& model, Workspace& work, FrameId of, Columns6Out J_dot);
/// The same, with forward_kinematics(model, work, q, v) first.
const Columns6& jacobian_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, FrameId of,
                              const Point& at, FrameId in = world_frame);
const Columns6& jacobian_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, FrameId of);
void jacobian_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, FrameId of,
                   const Point& at, FrameId in, Columns6Out J_dot);
void jacobian_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, FrameId of,
                   Columns6Out J_dot);

/// All degrees of freedom at once: column j is the motion that it gives to every body beyond it, at the world's origin,
/// in the world's axes. Leaves the stage at positions.
const Columns6& joint_jacobians(const Model& model, Workspace& work, const VectorIn& q);
void joint_jacobians(const Model& model, Workspace& work, const VectorIn& q, Columns6Out J);

/// The center of mass of all links, also of those fixed to the world: after forward_kinematics, or with it.
Vec3<double> center_of_mass(const Model& model, Workspace& work);
Vec3<double> center_of_mass(const Model& model, Workspace& work, const VectorIn& q);
/// J with which its velocity is J v, 3 × nv: after forward_kinematics, or with it.
const Eigen::Matrix3Xd& center_of_mass_jacobian(const Model& model, Workspace& work);
const Eigen::Matrix3Xd& center_of_mass_jacobian(const Model& model, Workspace& work, const VectorIn& q);
void center_of_mass_jacobian(const Model& model, Workspace& work, const VectorIn& q, Columns3Out J);

}  // namespace lissom
