#pragma once
// Checks of rotation matrices, and their quaternions and rotation vectors.
#include "lissom/math/mat3.h"
#include "lissom/spatial/quaternion.h"

namespace lissom {

/// The largest element of |Rᵀ R - 1|; infinity if R is not finite.
double distance_from_orthonormal(const Mat3<double>& R);
/// Whether R counts as a rotation: Rᵀ R = 1 within 1e-6, det R > 0.
bool is_rotation(const Mat3<double>& R);
/// The rotation nearest to a matrix that nearly is one.
Mat3<double> orthonormal(const Mat3<double>& R);
/// The unit quaternion of R with w ≥ 0.
Quaternion<double> quaternion_of(const Mat3<double>& R);
/// The rotation vector of R, axis times angle; the angle is at most π.
Vec3<double> rotation_vector(const Mat3<double>& R);

}  // namespace lissom
