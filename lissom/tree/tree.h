#pragma once
// The tree as the recursions see it: plain numbers, nothing to look up. Bodies are stored level by level, so that limbs
// overlap in the processor's pipeline; q and v are numbered depth first, so that the columns of a subtree stay
// together. Body 0 is the world.
//
// A body's frame sits at its joint and is turned so that, at q = 0, it is parallel to its parent's: the fixed rotations
// of the tree vanish, and almost every joint axis is ±x, ±y or ±z of both frames. Where a hand is mounted at 45° to a
// wrist, the wrist's frame is turned about its own axis instead (`turned`). Where that does not help, `tilt` takes z to
// the axis.
//
// Every joint of a Tree has coordinates of its own. Mimic joints are the business of Coupling (coupling.h).
#include <ranges>
#include <span>
#include <vector>

#include "lissom/spatial/rigid_inertia.h"

namespace lissom {

// The classes of joint.h. geared_spherical: with the inertia of a rotor, which breaks the sparsity that the plain class
// counts on.
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

inline constexpr int world = 0;

template <class Real>
struct Body {
  int index, parent;
  JointKind kind;
  int q, v;                       // where this joint's coordinates begin
  int dofs;                       // how many degrees of freedom it has
  int last_v;                     // the last degree of freedom of the subtree that begins here
  bool has_children, starts_sum;  // starts_sum: the first of its siblings on the way inward
  bool continues, continued;      // its parent is stored just before it; a child of it just behind it (pass.h)
  Real sign;                      // +1 or -1: the joint moves along ± its axis
  Real turn, slide;               // of a screw: radians and meters per unit of q
  Real armature;                  // rotor inertia, added to each degree of freedom
  Vec3<Real> origin;              // of this frame in the parent's, at q = 0
  Mat3<Real> tilt;                // from the joint's frame at q = 0 to the parent's
  RigidInertia<Real> inertia;     // of all links fixed to this body, about its origin
};

// A revolute joint whose child's frame is turned about the joint's axis by an angle with this sine and cosine.
template <class Real>
struct Turned {
  int q;
  Real sin, cos;
};

template <class Real>
struct Tree {
  std::vector<Body<Real>> bodies;  // body 0 is the world
  Vec3<Real> gravity;
  int nq = 0, nv = 0;
  bool is_chain = false;  // most bodies continue the one before: an arm
  // Joint angles lie in q[first_angle … end_angle), with the signs of their axes in `signs` (1 for what is not an
  // angle).
  int first_angle = 0, end_angle = 0;
  std::vector<int> angles;  // their places, one by one
  std::vector<Real> signs;  // as long as q, and padded
  std::vector<Turned<Real>> turned;
  std::vector<Real> armature;  // per degree of freedom; empty when there is none

  auto outward() const { return std::span(bodies).subspan(1); }
  auto inward() const { return outward() | std::views::reverse; }
};

// Vectors over q or v are padded by this many numbers, so that the last block of a loop in lanes may run over the end.
inline constexpr int padding = 16;
// Rows of a matrix over v are this far apart.
inline int row_stride(int nv) {
  const int stride = (nv + 7) / 8 * 8;
  return stride % 64 == 0 ? stride + 8 : stride;  // a stride of 4,096 bytes in lanes would fall into few cache sets
}

}  // namespace lissom
