#pragma once
// How to build a model from a description.

namespace lissom {

/// How the root links of a description are attached to the world.
enum class Base {
  file,   ///< as the file says (Description::roots); URDF files do not say it, so: fixed
  fixed,  ///< fixed to the world, at its origin unless Description::roots says where
  /// By a free joint called "base" ("base:LINK" if there are several roots or the name is taken). A root that floats
  /// already, because it has no mass and only free joints lead away from it, stays fixed: it is the ground.
  free,
  planar,  ///< the same with a planar joint, in the plane z = 0
};

/// How to build a model from a description.
struct BuildOptions {
  Base base = Base::file;
  /// false: joints that mimic another one get coordinates of their own.
  bool mimic = true;
  /// A joint axis within this angle (in radians) of a coordinate axis of the body frame is replaced by that axis: link
  /// frames printed with ten digits are off by 1e-11 rad. No point moves by more than this angle times its distance
  /// from the joint. With 0 such axes stay general, and exact.
  double axis_tolerance = 1e-11;
};

}  // namespace lissom
