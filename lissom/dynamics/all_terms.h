#pragma once
// Everything that a controller needs of one state, in one outward and one inward pass: placements, velocities,
// accelerations for a = 0, the mass matrix M, the bias forces h, the centroidal map A, the center of mass, the
// centroidal momentum and its rate Ȧ v. Each line is one of kinematics.h, rnea.h (RBDA table 5.1), crba.h (table 6.2)
// or centroidal.h (Orin, Goswami and Lee 2013); together they share sines and cosines, placements, body forces and
// composite inertias. This takes about a third of the time of the single algorithms.
//
// Reads q and v; leaves the kinematics in k and the center of mass in c; writes the upper triangle of M, rows `stride`
// apart (as crba does), h, A (6 × nv by columns), the momentum and its rate.
#include "lissom/dynamics/centroidal.h"
#include "lissom/dynamics/crba.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct AllTermsScratch {
  Array<Force<T>> force;  // required by gravity and velocities of each body and those beyond it
  template <class Real>
  explicit AllTermsScratch(const Tree<Real>& tree) : force(tree.bodies.size()) {}
};

template <class T>
struct AllTerms {
  T* M;
  int stride;
  T *h, *A, *momentum, *momentum_rate;
};

template <class T, class Real>
LISSOM_FLATTEN void all_terms(const Tree<Real>& tree, KinematicsScratch<T>& k, CentroidalScratch<T>& c,
                              CrbaScratch<T>& composite_scratch, AllTermsScratch<T>& w, const T* q, const T* v,
                              const AllTerms<T>& out) {
  accelerations(tree, k, q, v, Nothing{});
  center_of_mass(tree, k, c);

  // Momentum and its rate, about the center of mass; and the force that each body requires, gravity included.
  Force<T> momentum = zero_force<T>(), rate = zero_force<T>();
  for (const auto& body : tree.outward()) {
    const auto &X_WB = k.X[body.index], X = Pose<T>{X_WB.R, X_WB.p - c.moving_com};
    const auto f = newton_euler(body.inertia, k.v[body.index], k.a[body.index]);
    momentum += to_world(X, body.inertia * k.v[body.index]);
    rate += to_world(X, f);
    // The weight acts at the center of mass: m g in the body's axes, and h × g about its origin.
    const auto g = transpose_times(X_WB.R, tree.gravity);
    w.force[body.index] = f - Force<T>{cross(body.inertia.h, g), body.inertia.mass * g};
  }
  write_column(out.momentum, momentum.linear, momentum.angular);
  write_column(out.momentum_rate, rate.linear, rate.angular);

  for (const auto& body : tree.inward())
    visit_joint(body, k.at, [&](auto joint) {
      const auto X = joint.X();
      const bool inner = body.parent != world;

      // h: the joint supplies Sᵀ f, the parent carries the whole force.
      const auto& f = w.force[body.index];
      joint.set(out.h, dot(joint.S, f));
      if (inner) w.force[body.parent] += X.to_parent(f);

      // The subtree from here on as one rigid body. Its momenta I S for unit rates are columns of A, and those of M
      // start with them.
      const auto I = body.has_children ? c.subtree[body.index] + body.inertia : composite<T>(body.inertia);
      if (inner) gather(c.subtree[body.parent], X.to_parent(I), body.starts_sum);
      const auto own = joint.columns(I);
      const Pose<T> X_about_com{k.X[body.index].R, k.X[body.index].p - c.moving_com};
      for (int j = 0; j < int(own.size()); ++j) {
        const auto column = to_world(X_about_com, own[std::size_t(j)]);
        write_column(out.A + 6 * (body.v + j), column.linear, column.angular);
      }
      for_each_column(composite_scratch.F, body.v, body.last_v, own, [&](auto force, auto block) {
        joint.each(dot(joint.S, force), [&](int row, auto entries) { block.write(out.M + row * out.stride, entries); });
        if (inner) block.keep(X.to_parent(force));
      });
    });
  add_rotor_inertia(tree, out.M, out.stride);
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
