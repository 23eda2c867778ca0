#pragma once
// Placements, velocities, accelerations, Jacobians and the center of mass. A velocity, acceleration or Jacobian is *of*
// a frame, *at* a point, *in* (along the axes of) a frame.
//
// Functions with q (and v, a) compute the kinematics of all bodies first. Those without read what forward_kinematics,
// or another function that says so, has left in the workspace, and throw an Error if it is not there
// (Workspace::stage).
#include "lissom/api/workspace.h"

namespace lissom {

/// A point that is fixed in a frame and moves with it.
struct Point {
  FrameId frame = world_frame;
  Vec3<double> position{0, 0, 0};  ///< in that frame
};

/// The velocity or acceleration of a frame at a point, or a force and a torque.
struct SpatialVector {
  Vec3<double> linear, angular;
};

/// Computes the poses of all bodies; with v also their velocities; with a also their accelerations. The stage of the
/// workspace is then `positions`, `velocities` or `accelerations`.
void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q);
void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& a);

/// The pose X_WF of a frame in the world, after forward_kinematics.
Pose<double> placement(const Model& model, const Workspace& work, FrameId frame);
/// The velocity, relative to the world, of the frame `of`: of its material point that currently coincides with `at`,
/// along the axes of `in`. After forward_kinematics with v.
SpatialVector velocity(const Model& model, const Workspace& work, FrameId of, const Point& at,
                       FrameId in = world_frame);
/// The same at the frame's own origin, along the world's axes.
SpatialVector velocity(const Model& model, const Workspace& work, FrameId of);
/// The time derivatives of the velocity of that material point and of the angular velocity, without gravity. After
/// forward_kinematics with v and a.
SpatialVector acceleration(const Model& model, const Workspace& work, FrameId of, const Point& at,
                           FrameId in = world_frame);
/// The same at the frame's own origin, along the world's axes.
SpatialVector acceleration(const Model& model, const Workspace& work, FrameId of);

/// The Jacobian J, 6 × nv: velocity(of, at, in) = J v. After forward_kinematics. The reference is valid until the next
/// call of jacobian without an array J: for the Jacobians of several frames at once, pass an array for each.
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

/// The time derivative J̇ of the Jacobian: d(J v)/dt = J v̇ + J̇ v. The point moves with its frame, and the axes rotate
/// with theirs. After forward_kinematics with v.
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

/// The motion vectors of all degrees of freedom, 6 × nv: column j is the velocity, at the world's origin and along the
/// world's axes, that v[j] = 1 gives to every body of its subtree. The stage is `positions` afterwards.
const Columns6& joint_jacobians(const Model& model, Workspace& work, const VectorIn& q);
void joint_jacobians(const Model& model, Workspace& work, const VectorIn& q, Columns6Out J);

/// The center of mass of all links, including those fixed to the world, in the world frame. Without q, it uses the
/// positions of the last forward_kinematics.
Vec3<double> center_of_mass(const Model& model, Workspace& work);
Vec3<double> center_of_mass(const Model& model, Workspace& work, const VectorIn& q);
/// Its Jacobian J, 3 × nv: its velocity is J v. Without q, it uses the positions of the last forward_kinematics.
const Eigen::Matrix3Xd& center_of_mass_jacobian(const Model& model, Workspace& work);
const Eigen::Matrix3Xd& center_of_mass_jacobian(const Model& model, Workspace& work, const VectorIn& q);
void center_of_mass_jacobian(const Model& model, Workspace& work, Columns3Out J);
void center_of_mass_jacobian(const Model& model, Workspace& work, const VectorIn& q, Columns3Out J);

}  // namespace lissom
