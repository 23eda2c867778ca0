#pragma once
// Columns of the derivatives of forward dynamics that follow from symmetry. With uniform gravity, and external forces
// that move with their bodies, no joint and no angular acceleration changes with where a free base is, how it is
// rotated, and how fast it translates. Only its linear acceleration does, since it is expressed in the frame of the
// base:
//   ∂a/∂θ = θ × a_0,   ∂a/∂v = -ω × v,
// for rotations θ and linear velocities v of the base, with its angular velocity ω and the upward acceleration a_0 that
// stands for gravity, in the frame of the base. Where columns are solved one by one, these need not be solved for.
#include "lissom/spatial/motion.h"
#include "lissom/tree/tree.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class Real>
LISSOM_INLINE bool is_free_base(const Body<Real>& body) {
  return body.parent == world && is_free(body.kind);
}
/// Whether column j is known: of ∂a/∂q for matrix 0, of ∂a/∂v for matrix 1. The first is for a joint's own columns.
template <class Real>
LISSOM_INLINE bool known_for_free_base(const Body<Real>& body, int matrix, int j) {
  return is_free_base(body) && j < body.v + (matrix == 0 ? 6 : 3);
}
template <class Real>
bool known_for_free_base(const Tree<Real>& tree, int matrix, int j) {
  for (const auto& body : tree.outward())
    if (j >= body.v && j < body.v + body.dofs) return known_for_free_base(body, matrix, j);
  return false;
}
/// Writes these columns, for every base; upward_a(body) is a_0.
template <class T, class Real, class Upward>
LISSOM_INLINE void write_free_base_columns(const Tree<Real>& tree, const T* v, Upward upward_a, T* dq, T* dv,
                                           int stride) {
  const T o = zero<T>(), l = one<T>();
  const Vec3<T> axes[] = {{l, o, o}, {o, l, o}, {o, o, l}};
  for (const auto& body : tree.outward()) {
    if (!is_free_base(body)) continue;
    for (int i = 0; i < tree.nv; ++i) {
      for (int c = 0; c < 6; ++c) dq[i * stride + body.v + c] = o;
      for (int c = 0; c < 3; ++c) dv[i * stride + body.v + c] = o;
    }
    const Vec3<T> omega{v[body.v + 3], v[body.v + 4], v[body.v + 5]}, a_0 = upward_a(body);
    for (int c = 0; c < 3; ++c) {
      const auto by_rotation = cross(axes[c], a_0), by_velocity = cross(axes[c], omega);
      T *const to_q = dq + body.v * stride + body.v + 3 + c, *const to_v = dv + body.v * stride + body.v + c;
      to_q[0] = by_rotation.x, to_q[stride] = by_rotation.y, to_q[2 * stride] = by_rotation.z;
      to_v[0] = by_velocity.x, to_v[stride] = by_velocity.y, to_v[2 * stride] = by_velocity.z;
    }
  }
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
