#pragma once
// The checks of arguments that the public calls of ik/ share. Not for users.
#include "lissom/ik/result.h"
#include "lissom/ik/target.h"
#include "lissom/model/arguments.h"

namespace lissom::ik {

// Throws an Error if a frame of the target does not exist, an element is NaN or infinite, the axis is zero, a weight is
// negative, or the rotation is not a rotation matrix.
void check(const Model& model, const Target& target, const Argument& name);
// The target with bodies instead of frames.
TargetRows<double> on_bodies(const Model& model, const Target& target);

// The parts of a pose that a target of this kind uses: p is finite, R is a rotation matrix.
void expect_target_pose(TargetKind kind, const Pose<double>& pose, const Argument& p, const Argument& R);
// Three finite weights, none negative.
void expect_weights(const Argument& name, const Vec3<double>& x);
// Throws an Error unless q has nq finite elements and its quaternions have norm 1.
void expect_configuration(const Model& model, const VectorIn& q, const Argument& name);
// Throws an Error unless v has nv finite elements.
void expect_velocity(const Model& model, const VectorIn& v, const Argument& name);
void expect_options(const Model& model, const Options& options);

}  // namespace lissom::ik
