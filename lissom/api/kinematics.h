#pragma once
// Where everything is and how it moves. A velocity, acceleration or Jacobian is *of* a frame, *at* a point, *expressed
// in* the axes of a frame.
#include "lissom/api/workspace.h"

namespace lissom {

// Coordinates in a frame; the point moves with that frame.
struct Point {
  FrameId frame = world_frame;
  Vec3<double> position{0, 0, 0};
};

struct SpatialVector {
  Vec3<double> linear, angular;
};

// Places all bodies (velocities and accelerations too, where v and a are given); the calls below then ask about any
// frame.
void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q);
void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& a);

// X_WF, after forward_kinematics.
Pose<double> placement(const Model& model, const Workspace& work, FrameId frame);
// Of the frame `of`, of its particle that is at the point `at` just now, along the axes of `in`; relative to the world.
SpatialVector velocity(const Model& model, const Workspace& work, FrameId of, const Point& at,
                       FrameId in = world_frame);
// The same at the frame's own origin.
SpatialVector velocity(const Model& model, const Workspace& work, FrameId of);
// Rates of change of that particle's velocity and of the angular velocity, without gravity; after forward_kinematics
// with v and a.
SpatialVector acceleration(const Model& model, const Workspace& work, FrameId of, const Point& at,
                           FrameId in = world_frame);
SpatialVector acceleration(const Model& model, const Workspace& work, FrameId of);

// J with velocity(of, at, in) = J v.
const Columns6& jacobian(const Model& model, Workspace& work, const VectorIn& q, FrameId of, const Point& at,
                         FrameId in = world_frame);
const Columns6& jacobian(const Model& model, Workspace& work, const VectorIn& q, FrameId of);
// J̇, with which the rate of (J v) is J v̇ + J̇ v: the point moves with its frame, the axes turn with theirs.
const Columns6& jacobian_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, FrameId of,
                              const Point& at, FrameId in = world_frame);
const Columns6& jacobian_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, FrameId of);
// All degrees of freedom at once: column j is the motion that it gives to every body beyond it, at the world's origin,
// in the world's axes.
const Columns6& joint_jacobians(const Model& model, Workspace& work, const VectorIn& q);

// Of all that has mass, also what is fixed to the world.
Vec3<double> center_of_mass(const Model& model, Workspace& work, const VectorIn& q);
const Eigen::Matrix3Xd& center_of_mass_jacobian(const Model& model, Workspace& work, const VectorIn& q);

}  // namespace lissom
