#pragma once
// The manifolds that the coordinates of a joint live on.

namespace lissom {

enum class ManifoldKind {
  flat,  ///< plain coordinates, q̇ = v
  se2,   ///< poses of the plane: q = (x, y, angle), v along the child's axes
  so3,   ///< rotations: q = unit quaternion (w x y z), v = angular velocity along the child's axes
  se3    ///< poses: q = (position, unit quaternion), v = (linear, angular) velocity along the child's axes
};

}  // namespace lissom
