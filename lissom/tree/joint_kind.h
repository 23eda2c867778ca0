#pragma once
// The kinds of joints that the recursions know, and of the manifolds that their coordinates live on: the names of the
// classes in joint.h and manifold.h, for those who do without the classes, and what is asked about a kind.

namespace lissom {

/// Each has a class in joint.h; kinds that are alike share one. An x, y or z is the axis of the joint in the frame of
/// its body.
enum class JointKind {
  revolute_x,
  revolute_y,
  revolute_z,
  revolute,
  prismatic_x,
  prismatic_y,
  prismatic_z,
  prismatic,
  spherical,
  free,
  tilted_free,
  screw,
  planar,
  geared_spherical
};

/// The kinds for the coordinate axes x, y and z.
inline constexpr JointKind revolute_about[] = {JointKind::revolute_x, JointKind::revolute_y, JointKind::revolute_z};
inline constexpr JointKind prismatic_along[] = {JointKind::prismatic_x, JointKind::prismatic_y, JointKind::prismatic_z};

/// The kind for a joint with the inertia of a rotor, which breaks the sparsity that the class for all rotations relies
/// on.
constexpr JointKind kind_with_rotor(JointKind kind) {
  return kind == JointKind::spherical ? JointKind::geared_spherical : kind;
}
/// The kind for a joint whose frame is rotated or displaced relative to the parent's.
constexpr JointKind kind_if_displaced(JointKind kind) {
  return kind == JointKind::free ? JointKind::tilted_free : kind;
}

/// The coordinate axis of its body about which a joint rotates: 0, 1 or 2; -1 if it has no single axis of rotation.
constexpr int rotation_axis(JointKind kind) {
  switch (kind) {
    case JointKind::revolute_x:
      return 0;
    case JointKind::revolute_y:
      return 1;
    case JointKind::revolute_z:
    case JointKind::revolute:
    case JointKind::screw:
    case JointKind::planar:
      return 2;
    default:
      return -1;
  }
}
/// Whether a rotation about one axis is all that a joint does.
constexpr bool is_revolute(JointKind kind) {
  return kind == JointKind::revolute || kind == JointKind::revolute_x || kind == JointKind::revolute_y ||
         kind == JointKind::revolute_z;
}
constexpr bool is_prismatic(JointKind kind) {
  return kind == JointKind::prismatic || kind == JointKind::prismatic_x || kind == JointKind::prismatic_y ||
         kind == JointKind::prismatic_z;
}
constexpr bool is_free(JointKind kind) {
  return kind == JointKind::free || kind == JointKind::tilted_free;
}

/// Each has a class in manifold.h.
enum class ManifoldKind {
  flat,  ///< plain coordinates, q̇ = v
  se2,   ///< poses of the plane: q = (x, y, angle), v along the child's axes
  so3,   ///< rotations: q = unit quaternion (w x y z), v = angular velocity along the child's axes
  se3    ///< poses: q = (position, unit quaternion), v = (linear, angular) velocity along the child's axes
};

}  // namespace lissom
