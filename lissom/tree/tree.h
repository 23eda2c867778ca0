#pragma once
// The kinematic tree as the recursions read it: plain arrays, no names. Bodies are stored level by level, so that limbs
// overlap in the processor's pipeline; q and v are numbered depth first, so that the columns of a subtree stay
// together. Body 0 is the world.
//
// A body's frame is at its joint and is rotated such that, at q = 0, it is parallel to its parent's: the fixed
// rotations of the tree vanish, and almost every joint axis is ±x, ±y or ±z of both frames. Where a hand is mounted at
// 45° to a wrist, the wrist's frame is rotated about its own axis instead (`rotated_frames`). Where that does not help,
// `tilt` takes z to the axis.
//
// Every joint of a Tree has coordinates of its own. Mimic joints are handled by Coupling (coupling.h).
#include <ranges>
#include <span>
#include <vector>

#include "lissom/spatial/rigid_inertia.h"
#include "lissom/tree/joint_kind.h"

namespace lissom {

inline constexpr int world = 0;

template <class Real>
struct Body {
  int index, parent;
  JointKind kind;
  int q, v;                       ///< where this joint's coordinates begin
  int dofs;                       ///< how many degrees of freedom it has
  int last_v;                     ///< the last degree of freedom of the subtree that begins here
  bool has_children, starts_sum;  ///< starts_sum: visited first of its siblings in inward recursions (see gather)
  bool continues, continued;      ///< its parent is stored just before it; a child of it just after it (handover.h)
  Real sign;                      ///< +1 or -1: the joint moves along ± its axis
  Real rotation_per_q, translation_per_q;  ///< of a screw: radians and meters per unit of q
  Real armature;                           ///< rotor inertia, added to each degree of freedom
  Vec3<Real> origin;                       ///< of this frame in the parent's, at q = 0
  Mat3<Real> tilt;                         ///< from the joint's frame at q = 0 to the parent's
  RigidInertia<Real> inertia;              ///< of all links fixed to this body, about its origin
};

/// The frame behind a revolute joint, rotated about the joint's axis by an angle with this sine and cosine.
template <class Real>
struct RotatedFrame {
  int q;
  Real sin, cos;
};

template <class Real>
struct Tree {
  std::vector<Body<Real>> bodies;  ///< body 0 is the world
  Vec3<Real> gravity;
  int nq = 0, nv = 0;
  bool is_chain = false;  ///< the parent of most bodies is stored just before them, as in an arm
  /// Joint angles lie in q[first_angle … end_angle), with the signs of their axes in `signs` (1 for elements that are
  /// not angles).
  int first_angle = 0, end_angle = 0;
  std::vector<int> angles;  ///< their indices in q
  std::vector<Real> signs;  ///< as long as q, and padded
  std::vector<RotatedFrame<Real>> rotated_frames;
  std::vector<Real> armature;  ///< per degree of freedom; empty if no joint has a rotor

  auto outward() const { return std::span(bodies).subspan(1); }
  auto inward() const { return outward() | std::views::reverse; }
};

/// Vectors over q or v are padded by this many elements, so that the last block of a loop in lanes may run over the
/// end.
inline constexpr int padding = 16;
/// The distance between rows of a matrix over v.
inline int row_stride(int nv) {
  const int stride = (nv + 7) / 8 * 8;
  return stride % 64 == 0 ? stride + 8 : stride;  // a stride of 4,096 bytes in lanes would fall into few cache sets
}
/// The number of elements of a matrix over v with such rows. The last block of a row may run over its end, as those of
/// vectors may.
inline std::size_t padded_square(int nv) {
  return std::size_t(nv * row_stride(nv) + padding);
}

}  // namespace lissom
