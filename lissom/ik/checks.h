#pragma once
// The checks of arguments that the public calls of ik/ share.
#include "lissom/ik/result.h"
#include "lissom/ik/target.h"
#include "lissom/model/arguments.h"

namespace lissom::ik {

// Error where a target names no frame of the model, or holds what is no number, no direction or no rotation.
void check(const Model& model, const Target& target, const Argument& name);
// The same in terms of bodies.
TargetRows<double> on_bodies(const Model& model, const Target& target);

// Error where q has not nq finite elements, or a quaternion in it is not of norm 1.
void expect_configuration(const Model& model, const VectorIn& q, const Argument& name);
// Error where v has not nv finite elements.
void expect_velocity(const Model& model, const VectorIn& v, const Argument& name);
void expect_options(const Model& model, const Options& options);

}  // namespace lissom::ik
