#pragma once
// Configurations q are points of a manifold (angles, displacements, quaternions), velocities v its tangent vectors.
// These helpers move on it.
#include <cstdint>

#include "lissom/api/workspace.h"

namespace lissom {

// All zero, quaternions (1, 0, 0, 0); moved into the limits where zero lies outside.
Eigen::VectorXd neutral(const Model& model);
// Uniform within the limits; ±π for angles and ±1 m for displacements without limits; orientations uniform. The same
// seed, the same q.
Eigen::VectorXd random_configuration(const Model& model, std::uint64_t seed);

// q moved along v for the time dt: exactly, along the screw that a constant v describes for free and planar joints.
Eigen::VectorXd integrate(const Model& model, const VectorIn& q, const VectorIn& v, double dt = 1);
// The v that takes q0 to q1 in unit time: integrate(q0, difference(q0, q1)) = q1, the short way round for orientations.
Eigen::VectorXd difference(const Model& model, const VectorIn& q0, const VectorIn& q1);
// q0 at t = 0, q1 at t = 1, steadily between.
Eigen::VectorXd interpolate(const Model& model, const VectorIn& q0, const VectorIn& q1, double t);
// q with its quaternions scaled to length 1. Error where one is zero.
Eigen::VectorXd normalize(const Model& model, const VectorIn& q);

// The same without allocation; the results may be the arguments.
void integrate(const Model& model, const VectorIn& q, const VectorIn& v, double dt, Eigen::Ref<Eigen::VectorXd> result);
void difference(const Model& model, const VectorIn& q0, const VectorIn& q1, Eigen::Ref<Eigen::VectorXd> result);

}  // namespace lissom
