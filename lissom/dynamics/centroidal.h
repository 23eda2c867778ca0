#pragma once
// Momentum of the whole robot about its center of mass, along the world's axes: six elements, linear first.
// Orin, Goswami and Lee, "Centroidal dynamics of a humanoid robot", 2013: h = A(q) v with the centroidal map A; and ḣ,
// the resultant of all forces that the motion requires. The linear rows of A divided by the mass are the Jacobian of
// the center of mass.
#include "lissom/kinematics/jacobians.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct CentroidalScratch {
  Array<RigidInertia<T, Number<T>>> subtree;  // the sum over the children of each body
  Vec3<T> com = zero_vec3<T>();               // of all links, also those fixed to the world
  Number<T> mass = 0;
  Vec3<T> moving_com = zero_vec3<T>();  // of the moving bodies alone
  Number<T> moving_mass = 0;
  template <class Real>
  explicit CentroidalScratch(const Tree<Real>& tree) : subtree(tree.bodies.size()) {}
};

/// Sets masses and centers of mass; `mass` and the first moment h about the world's origin are those of the moving
/// bodies.
template <class T, class Real>
LISSOM_INLINE void set_center_of_mass(const Tree<Real>& tree, CentroidalScratch<T>& w, Real mass, const Vec3<T>& h) {
  const auto& fixed = tree.bodies[world].inertia;
  const auto over = [](Real m) { return m != 0 ? 1 / m : Real(0); };  // the origin if there is no mass
  w.moving_mass = mass;
  w.moving_com = over(mass) * h;
  w.mass = mass + fixed.mass;
  w.com = over(w.mass) * (h + fixed.h);
}

/// Reads the placements in k; writes com and mass.
template <class T, class Real>
LISSOM_FLATTEN void center_of_mass(const Tree<Real>& tree, const KinematicsScratch<T>& k, CentroidalScratch<T>& w) {
  Vec3<T> h = zero_vec3<T>();
  Real mass = 0;
  for (const auto& body : tree.outward()) {
    h += k.X[body.index].R * body.inertia.h + body.inertia.mass * k.X[body.index].p;
    mass += body.inertia.mass;
  }
  set_center_of_mass(tree, w, mass, h);
}

/// Reads the placements in k; writes com and A, 6 × nv by columns, about the center of mass of the moving bodies.
template <class T, class Real>
LISSOM_FLATTEN void centroidal_map(const Tree<Real>& tree, const KinematicsScratch<T>& k, CentroidalScratch<T>& w,
                                   T* A) {
  center_of_mass(tree, k, w);

  // A column is the momentum I S of the subtree, as one rigid body, expressed along the world's axes and about the
  // center of mass.
  for (const auto& body : tree.inward())
    visit_joint(body, k.at, [&](auto joint) {
      const auto I = body.has_children ? w.subtree[body.index] + body.inertia : composite<T>(body.inertia);
      if (body.parent != world) gather(w.subtree[body.parent], joint.X().to_parent(I), body.starts_sum);
      const Pose<T> X{k.X[body.index].R, k.X[body.index].p - w.moving_com};
      const auto momentum = joint.columns(I);
      for (int j = 0; j < int(momentum.size()); ++j) {
        const auto f = to_world(X, momentum[j]);
        write_column(A + 6 * (body.v + j), f.linear, f.angular);
      }
    });
}

/// Reads placements and velocities in k; writes com and the momentum h.
template <class T, class Real>
LISSOM_FLATTEN void momentum(const Tree<Real>& tree, const KinematicsScratch<T>& k, CentroidalScratch<T>& w, T* h) {
  center_of_mass(tree, k, w);
  Force<T> sum = zero_force<T>();
  for (const auto& body : tree.outward()) {
    const Pose<T> X{k.X[body.index].R, k.X[body.index].p - w.moving_com};
    sum += to_world(X, body.inertia * k.v[body.index]);
  }
  write_column(h, sum.linear, sum.angular);
}

/// Reads placements, velocities and accelerations in k; writes com and ḣ.
template <class T, class Real>
LISSOM_FLATTEN void momentum_rate(const Tree<Real>& tree, const KinematicsScratch<T>& k, CentroidalScratch<T>& w,
                                  T* h_dot) {
  center_of_mass(tree, k, w);
  Force<T> sum = zero_force<T>();
  for (const auto& body : tree.outward()) {
    const Pose<T> X{k.X[body.index].R, k.X[body.index].p - w.moving_com};
    sum += to_world(X, newton_euler(body.inertia, k.v[body.index], k.a[body.index]));
  }
  write_column(h_dot, sum.linear, sum.angular);
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
