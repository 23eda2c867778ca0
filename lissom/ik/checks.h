#pragma once
// The checks of arguments that the public calls of ik/ share.
#include <string>

#include "lissom/ik/solver.h"

namespace lissom::ik {

// Error where q has not nq finite numbers, or a quaternion in it is not of length 1.
void expect_configuration(const Model& model, const VectorIn& q, const std::string& name);
// Error where v has not nv finite numbers.
void expect_velocity(const Model& model, const VectorIn& v, const std::string& name);
void expect_options(const Model& model, const Options& options);

}  // namespace lissom::ik
