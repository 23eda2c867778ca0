#pragma once
// The checks of arguments that the public calls of ik/ share.
#include <string>

#include "lissom/ik/result.h"
#include "lissom/ik/target.h"

namespace lissom::ik {

// How an argument is called in an error: "targets[3]". (Put together only where something is wrong: nothing allocates.)
struct ArgumentName {
  const char* text;
  long index = -1;
  std::string with(const char* part = "") const {
    return std::string(text) + (index < 0 ? "" : "[" + std::to_string(index) + "]") + part;
  }
};

// Error where a target names no frame of the model, or holds what is no number, no direction or no rotation.
void check(const Model& model, const Target& target, ArgumentName name);
// The same in terms of bodies.
TargetRows<double> on_bodies(const Model& model, const Target& target);

// Error where q has not nq finite numbers, or a quaternion in it is not of length 1.
void expect_configuration(const Model& model, const VectorIn& q, ArgumentName name);
// Error where v has not nv finite numbers.
void expect_velocity(const Model& model, const VectorIn& v, ArgumentName name);
void expect_options(const Model& model, const Options& options);

}  // namespace lissom::ik
