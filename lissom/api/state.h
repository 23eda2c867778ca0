#pragma once
// Operations on configurations q, which are points of a manifold (angles, displacements, quaternions), and velocities
// v, its tangent vectors. Each function has an overload that writes into the caller's vector, without allocation.
#include <cstdint>

#include "lissom/api/workspace.h"

namespace lissom {

/// The configuration with all elements zero and quaternions (1, 0, 0, 0); an element whose limits exclude zero is at
/// the nearer limit.
Eigen::VectorXd neutral(const Model& model);
void neutral(const Model& model, VectorOut q);
/// A random configuration, uniform within the limits; within ±π for angles and ±1 m for displacements without limits;
/// orientations are uniform on SO(3). The same seed gives the same q.
Eigen::VectorXd random_configuration(const Model& model, std::uint64_t seed);
void random_configuration(const Model& model, std::uint64_t seed, VectorOut q);

/// The configuration that constant v reaches from q in the time dt. This is exact: free and planar joints follow the
/// screw motion of a constant v. The result may be one of the arguments.
Eigen::VectorXd integrate(const Model& model, const VectorIn& q, const VectorIn& v, double dt = 1);
void integrate(const Model& model, const VectorIn& q, const VectorIn& v, double dt, VectorOut result);
/// The v that takes q0 to q1 in unit time: integrate(q0, difference(q0, q1)) = q1, the shorter rotation for
/// orientations. The result may be one of the arguments.
Eigen::VectorXd difference(const Model& model, const VectorIn& q0, const VectorIn& q1);
void difference(const Model& model, const VectorIn& q0, const VectorIn& q1, VectorOut result);
/// The configuration between q0 (t = 0) and q1 (t = 1), with constant velocity. The result must not overlap the
/// arguments.
Eigen::VectorXd interpolate(const Model& model, const VectorIn& q0, const VectorIn& q1, double t);
void interpolate(const Model& model, const VectorIn& q0, const VectorIn& q1, double t, VectorOut result);
/// q with its quaternions scaled to norm 1. Throws Error if one is zero. The result may be q.
Eigen::VectorXd normalize(const Model& model, const VectorIn& q);
void normalize(const Model& model, const VectorIn& q, VectorOut result);

}  // namespace lissom
