#pragma once
// Building blocks of messages: numbers that are not finite, with the joint and the time; remedies. Not for users.
#include <string>

#include <Eigen/Core>

#include "lissom/api/workspace.h"
#include "lissom/model/model.h"

namespace lissom::sim {

// Throws an Error "WHO NAME[7] (joint 'knee') is NaN at t = 0.5 s, expected a finite number; REMEDY" about the first
// element of x that is not finite. x has nq or nv elements.
[[noreturn]] void not_finite(const Model& model, const std::string& who, const char* name, const Eigen::VectorXd& x,
                             double t, const std::string& remedy);
// What to do about a motion that has diverged with this integrator; an empty name: with any.
std::string divergence_remedy(const std::string& integrator);
// Says which joint feels an inertia that is not positive, if M(q) is not positive definite; otherwise empty. q is
// finite.
std::string indefinite_mass(const Model& model, Workspace& work, const Eigen::VectorXd& q);

}  // namespace lissom::sim
