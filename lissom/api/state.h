#pragma once
// Configurations q are points of a manifold (angles, displacements, quaternions), velocities v its tangent vectors.
// These helpers move on it. Each has an overload that writes into the caller's vector, without allocation.
#include <cstdint>

#include "lissom/api/workspace.h"

namespace lissom {

/// All zero, quaternions (1, 0, 0, 0); moved into the limits where zero lies outside.
Eigen::VectorXd neutral(const Model& model);
void neutral(const Model& model, VectorOut q);
/// Uniform within the limits; ±π for angles and ±1 m for displacements without limits; orientations uniform. The same
/// seed gives the same q.
Eigen::VectorXd random_configuration(const Model& model, std::uint64_t seed);
void random_configuration(const Model& model, std::uint64_t seed, VectorOut q);

/// q moved along v for the time dt: exactly, along the screw that a constant v describes for free and planar joints.
/// The result may be one of the arguments.
Eigen::VectorXd integrate(const Model& model, const VectorIn& q, const VectorIn& v, double dt = 1);
void integrate(const Model& model, const VectorIn& q, const VectorIn& v, double dt, VectorOut result);
/// The v that takes q0 to q1 in unit time: integrate(q0, difference(q0, q1)) = q1, the shorter rotation for
/// orientations. The result may be one of the arguments.
Eigen::VectorXd difference(const Model& model, const VectorIn& q0, const VectorIn& q1);
void difference(const Model& model, const VectorIn& q0, const VectorIn& q1, VectorOut result);
/// q0 at t = 0, q1 at t = 1, with constant velocity between.
Eigen::VectorXd interpolate(const Model& model, const VectorIn& q0, const VectorIn& q1, double t);
/// q with its quaternions scaled to norm 1. Error where one is zero. The result may be q.
Eigen::VectorXd normalize(const Model& model, const VectorIn& q);
void normalize(const Model& model, const VectorIn& q, VectorOut result);

}  // namespace lissom
