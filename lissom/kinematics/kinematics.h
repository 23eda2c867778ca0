#pragma once
// Placements, velocities and accelerations of all bodies, from the base outward.
// X[i] is the pose of body i in the world; v[i], a[i] are its spatial velocity and acceleration, in its own frame,
// without gravity.
#include "lissom/tree/joint.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct KinematicsScratch {
  Array<Pose<T>> X;
  Array<Motion<T>> v, a;
  Configuration<T> at;
  template <class Real>
  explicit KinematicsScratch(const Tree<Real>& tree)
      : X(tree.bodies.size()), v(tree.bodies.size()), a(tree.bodies.size()), at(tree.nq) {
    X[world] = Pose<T>{};
  }
};

/// Reads q; writes X.
template <class T, class Real>
LISSOM_FLATTEN void placements(const Tree<Real>& tree, KinematicsScratch<T>& w, const T* q) {
  configure(tree, w.at, q);
  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) { w.X[body.index] = w.X[body.parent] * joint.X(); });
}

/// Reads q, v; writes X, v.
template <class T, class Real>
LISSOM_FLATTEN void velocities(const Tree<Real>& tree, KinematicsScratch<T>& w, const T* q, const T* v) {
  configure(tree, w.at, q);
  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      const auto X = joint.X();
      w.X[body.index] = w.X[body.parent] * X;
      w.v[body.index] = X.to_child(w.v[body.parent]) + joint.S * joint.rate(v);
    });
}

/// Reads q, v, a; writes X, v, a. The argument a is a vector, or Nothing where all joint accelerations are zero.
template <class T, class Real, class Acceleration>
LISSOM_FLATTEN void accelerations(const Tree<Real>& tree, KinematicsScratch<T>& w, const T* q, const T* v,
                                  Acceleration a) {
  configure(tree, w.at, q);
  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      const auto X = joint.X();
      const auto vJ = joint.S * joint.rate(v);
      w.X[body.index] = w.X[body.parent] * X;
      w.v[body.index] = X.to_child(w.v[body.parent]) + vJ;
      w.a[body.index] = X.to_child(w.a[body.parent]) + joint.S * joint.rate(a) + cross(w.v[body.index], vJ);
    });
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
