#pragma once
// M x = b in O(n), with the articulated inertias and gains that the articulated-body algorithm (aba.h) has left in its
// scratch memory: its second and third pass for a robot at rest without gravity, in which D is made again from the
// inertias.
#include "lissom/dynamics/aba.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

/// Reads b and what aba has left in w; writes x. x may be b.
template <class T, class Real>
LISSOM_FLATTEN void aba_solve(const Tree<Real>& tree, AbaScratch<T>& w, const T* b, T* x) {
  for (const auto& body : tree.outward()) w.body[body.index].p = zero_force<T>();

  with_rotors(tree, [&](auto rotors) {
    for (const auto& body : tree.inward())
      visit_joint(body, w.at, [&](auto joint) {
        const auto& i = w.body[body.index];
        const auto I = body.has_children ? i.I + body.inertia : ArticulatedInertia<T>(body.inertia);
        const auto U = I * joint.S;
        const auto u = joint.force(b) - dot(joint.S, i.p);
        const auto y = inverse(rotors.joint_inertia(joint, dot(joint.S, U))) * u;
        joint.set(x, y);
        if (body.parent != world) w.body[body.parent].p += joint.X().to_parent(i.p + U * y);
      });
  });

  w.body[world].a = zero_motion<T>();
  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      const auto a_prime = joint.X().to_child(w.body[body.parent].a);
      const auto rate = joint.rate(x) - dot(joint.gain(w.gain.data()), a_prime);
      joint.set(x, rate);
      w.body[body.index].a = a_prime + joint.S * rate;
    });
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
