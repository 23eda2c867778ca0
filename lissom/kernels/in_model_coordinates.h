#pragma once
// Every algorithm in the model's coordinates, over any scalar T. The recursions of kinematics/ and dynamics/ know a
// tree in which every joint has coordinates of its own. Where joints mimic others, the functions here spread q, v and a
// to the coordinates of the tree, call the recursion, and gather its results (tree/coupling.h, decision 3).
//
// This is the one place where that happens: the tables of kernels (core_calls.h), the derivatives by dual numbers
// (second_order.cpp), extended precision (constraints/) and the tests call these templates. Groups of kernels beyond
// the core, such as matrices.h, hold theirs beside their table. Arrays are plain arrays of T, padded as tree.h says;
// matrices by rows, `stride` apart, Jacobians by columns of six.
#include "lissom/dynamics/aba.h"
#include "lissom/dynamics/all_terms.h"
#include "lissom/dynamics/centroidal.h"
#include "lissom/dynamics/crba.h"
#include "lissom/dynamics/discrete_momentum.h"
#include "lissom/dynamics/energy.h"
#include "lissom/dynamics/generalized_forces.h"
#include "lissom/dynamics/mass_matrix_factor.h"
#include "lissom/dynamics/rnea.h"
#include "lissom/kernels/model_view.h"
#include "lissom/kinematics/jacobians.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

namespace in_model_coordinates {

// Buffers for states and results in the tree's coordinates. None are needed where no joint mimics another.
template <class T>
struct Spread {
  Array<T> q, v, a, tau, columns;
  template <class Real>
  explicit Spread(const ModelView<Real>& m) {
    if (m.coupling.trivial()) return;
    const auto nq = std::size_t(m.tree.nq + padding), nv = std::size_t(m.tree.nv + padding);
    q = Array<T>(nq), v = Array<T>(nv), a = Array<T>(nv), tau = Array<T>(nv), columns = Array<T>(6 * nv);
  }
};
template <class T, class Real>
LISSOM_INLINE const T* spread_q(const ModelView<Real>& m, Spread<T>& w, const T* q) {
  if (m.coupling.trivial()) return q;
  m.coupling.spread_q(q, w.q.data());
  return w.q.data();
}
template <class T, class Real>
LISSOM_INLINE const T* spread_v(const ModelView<Real>& m, Spread<T>& w, const T* v) {
  if (m.coupling.trivial()) return v;
  m.coupling.spread_v(v, w.v.data());
  return w.v.data();
}
template <class T, class Real>
LISSOM_INLINE const T* spread_a(const ModelView<Real>& m, Spread<T>& w, const T* a) {
  if (m.coupling.trivial()) return a;
  m.coupling.spread_v(a, w.a.data());
  return w.a.data();
}
template <class Real, class T>
LISSOM_INLINE Nothing spread_a(const ModelView<Real>&, Spread<T>&, Nothing) {
  return {};
}
// f(tau) writes generalized forces in the tree's coordinates.
template <class T, class Real, class F>
LISSOM_INLINE void gather_forces(const ModelView<Real>& m, Spread<T>& w, T* tau, F&& f) {
  if (m.coupling.trivial()) return f(tau);
  f(w.tau.data());
  m.coupling.gather_forces(w.tau.data(), tau);
}
// f(J) writes columns of six in the tree's coordinates.
template <class T, class Real, class F>
LISSOM_INLINE void gather_columns(const ModelView<Real>& m, Spread<T>& w, T* J, F&& f) {
  if (m.coupling.trivial()) return f(J);
  f(w.columns.data());
  m.coupling.gather_columns(w.columns.data(), J, 6);
}

// For results that are gathered element by element: where each degree of freedom of the tree goes.
template <class Real>
struct ModelColumns {
  Array<int> index;    // of the model's degree of freedom that moves it
  Array<Real> factor;  // by which it follows that one
  explicit ModelColumns(const ModelView<Real>& m) : index(std::size_t(m.tree.nv)), factor(std::size_t(m.tree.nv)) {
    for (int i = 0; i < m.tree.nv; ++i) index[i] = i, factor[i] = 1;
    if (m.coupling.trivial()) return;
    for (const auto& s : m.coupling.v_segments)
      for (int i = 0; i < s.count; ++i) index[s.to + i] = s.from + i;
    for (const auto& f : m.coupling.followers) index[f.v_to] = f.v_from, factor[f.v_to] = Real(f.ratio);
  }
};

// ---- Kinematics.

template <class T>
struct KinematicsInModel {
  KinematicsScratch<T> kinematics;
  Spread<T> full;
  template <class Real>
  explicit KinematicsInModel(const ModelView<Real>& m) : kinematics(m.tree), full(m) {}
};
template <class T, class Real>
void placements(const ModelView<Real>& m, KinematicsInModel<T>& w, const T* q) {
  lissom::placements(m.tree, w.kinematics, spread_q(m, w.full, q));
}
template <class T, class Real>
void velocities(const ModelView<Real>& m, KinematicsInModel<T>& w, const T* q, const T* v) {
  lissom::velocities(m.tree, w.kinematics, spread_q(m, w.full, q), spread_v(m, w.full, v));
}
template <class T, class Real>
void accelerations(const ModelView<Real>& m, KinematicsInModel<T>& w, const T* q, const T* v, const T* a) {
  lissom::accelerations(m.tree, w.kinematics, spread_q(m, w.full, q), spread_v(m, w.full, v), spread_a(m, w.full, a));
}
template <class T, class Real>
void jacobians(const ModelView<Real>& m, KinematicsInModel<T>& w, const T* q, T* J) {
  gather_columns(m, w.full, J, [&](T* full) { lissom::jacobians(m.tree, w.kinematics, spread_q(m, w.full, q), full); });
}
template <class T, class Real>
void jacobian(const ModelView<Real>& m, KinematicsInModel<T>& w, int body, const Vec3<T>& point, const Mat3<T>& axes,
              T* J) {
  gather_columns(m, w.full, J, [&](T* full) { lissom::jacobian(m.tree, w.kinematics, body, point, axes, full); });
}
template <class T, class Real>
void jacobian_rate(const ModelView<Real>& m, KinematicsInModel<T>& w, int body, const Vec3<T>& point,
                   const Vec3<T>& point_velocity, const Mat3<T>& axes, const Vec3<T>& omega, T* J_dot) {
  gather_columns(m, w.full, J_dot, [&](T* full) {
    lissom::jacobian_rate(m.tree, w.kinematics, body, point, point_velocity, axes, omega, full);
  });
}
template <class T, class Real>
void centroidal_map(const ModelView<Real>& m, KinematicsInModel<T>& w, CentroidalScratch<T>& centroidal, T* A) {
  gather_columns(m, w.full, A, [&](T* full) { lissom::centroidal_map(m.tree, w.kinematics, centroidal, full); });
}
template <class T, class Real>
void kinetic_energy(const ModelView<Real>& m, KinematicsInModel<T>& w, const T* v, T* energy) {
  lissom::kinetic_energy(m.tree, w.kinematics, spread_v(m, w.full, v), energy);
}

// ---- Inverse dynamics; a may be Nothing.

template <class T>
struct InverseDynamicsInModel {
  RneaScratch<T> rnea;
  Spread<T> full;
  template <class Real>
  explicit InverseDynamicsInModel(const ModelView<Real>& m) : rnea(m.tree), full(m) {}
};
template <class T, class Real, class Acceleration>
void rnea(const ModelView<Real>& m, InverseDynamicsInModel<T>& w, const T* q, const T* v, Acceleration a,
          const Force<T>* external, T* tau) {
  gather_forces(m, w.full, tau, [&](T* full) {
    lissom::rnea(m.tree, w.rnea, spread_q(m, w.full, q), spread_v(m, w.full, v), spread_a(m, w.full, a), full,
                 external);
  });
}
// Σ Jᵀ f of a force per body.
template <class T, class Real>
void generalized_forces(const ModelView<Real>& m, InverseDynamicsInModel<T>& w, const T* q, const Force<T>* forces,
                        T* tau) {
  for (const auto& body : m.tree.outward()) w.rnea.force[body.index] = forces[body.index];
  gather_forces(m, w.full, tau, [&](T* full) {
    lissom::generalized_forces(m.tree, w.rnea.at, spread_q(m, w.full, q), w.rnea.force, full);
  });
}

// ---- Mass matrix and forward dynamics.

template <class T>
struct ForwardDynamicsInModel {
  AbaScratch<T> aba;
  CrbaScratch<T> crba;
  int full_stride, stride;
  // Where joints mimic others: M in the coordinates of the tree and of the model, its factor, and tau - h.
  Array<T> full_M, M, rest, full_q;
  Factor<T> factor;
  template <class Real>
  explicit ForwardDynamicsInModel(const ModelView<Real>& m)
      : aba(m.tree), crba(m.tree), full_stride(row_stride(m.tree.nv)), stride(row_stride(m.coupling.nv)) {
    if (m.coupling.trivial()) return;
    factor = Factor<T>(m.sparsity);
    full_M = Array<T>(std::size_t(m.tree.nv * full_stride + padding));
    M = Array<T>(std::size_t(m.coupling.nv * stride + padding));
    rest = Array<T>(std::size_t(m.coupling.nv + padding));
    full_q = Array<T>(std::size_t(m.tree.nq + padding));
  }
};
// The upper triangle of M.
template <class T, class Real>
void crba(const ModelView<Real>& m, ForwardDynamicsInModel<T>& w, const T* q, T* M, int stride) {
  if (m.coupling.trivial()) return lissom::crba(m.tree, w.crba, q, M, stride);
  m.coupling.spread_q(q, w.full_q.data());
  lissom::crba(m.tree, w.crba, w.full_q.data(), w.full_M.data(), w.full_stride);
  m.coupling.gather_symmetric(w.full_M.data(), w.full_stride, M, stride);
}
// Where joints mimic others, the inertia that a joint feels depends on the joints coupled to it, and the
// articulated-body algorithm does not apply: solve Gᵀ M G a = tau - Gᵀ h. (The factor comes first: the processor
// overlaps its chain of divisions with the computation of h.)
template <class T, class Real>
void coupled_forward_dynamics(const ModelView<Real>& m, ForwardDynamicsInModel<T>& w, InverseDynamicsInModel<T>& id,
                              const T* v, const T* tau, const Force<T>* external, T* a) {
  lissom::factorize(m.sparsity, w.factor, w.M.data(), w.stride);
  gather_forces(m, id.full, w.rest.data(), [&](T* full) {
    lissom::rnea(m.tree, id.rnea, w.crba.at, spread_v(m, id.full, v), Nothing{}, full, external);
  });
  for (int i = 0; i < m.coupling.nv; ++i) w.rest[i] = tau[i] - w.rest[i];
  lissom::solve(m.sparsity, w.factor, w.rest.data(), a);
}
template <class T, class Real>
void aba(const ModelView<Real>& m, ForwardDynamicsInModel<T>& w, InverseDynamicsInModel<T>& id, const T* q, const T* v,
         const T* tau, const Force<T>* external, T* a) {
  if (m.coupling.trivial()) return lissom::aba(m.tree, w.aba, q, v, tau, a, external);
  crba(m, w, q, w.M.data(), w.stride);
  coupled_forward_dynamics(m, w, id, v, tau, external, a);
}

// ---- Everything at once.

template <class T>
struct AllTermsInModel {
  AllTermsScratch<T> terms;
  template <class Real>
  explicit AllTermsInModel(const ModelView<Real>& m) : terms(m.tree) {}
};
template <class T, class Real>
void all_terms(const ModelView<Real>& m, AllTermsInModel<T>& w, KinematicsInModel<T>& kinematics,
               CentroidalScratch<T>& centroidal, ForwardDynamicsInModel<T>& forward, const T* q, const T* v,
               const AllTerms<T>& out) {
  auto& full = kinematics.full;
  const T *const full_q = spread_q(m, full, q), *const full_v = spread_v(m, full, v);
  AllTerms<T> to = out;
  if (!m.coupling.trivial())
    to.M = forward.full_M.data(), to.stride = forward.full_stride, to.h = full.tau.data(), to.A = full.columns.data();
  lissom::all_terms(m.tree, kinematics.kinematics, centroidal, forward.crba, w.terms, full_q, full_v, to);
  if (m.coupling.trivial()) return;
  m.coupling.gather_symmetric(to.M, to.stride, out.M, out.stride);
  m.coupling.gather_forces(to.h, out.h);
  m.coupling.gather_columns(to.A, out.A, 6);
}

// ---- Discrete mechanics.

template <class T>
struct DiscreteMomentumInModel {
  DiscreteMomentumScratch<T> scratch;
  Array<T> q0, q1, v, begin, end;  // in the tree's coordinates
  template <class Real>
  explicit DiscreteMomentumInModel(const ModelView<Real>& m) : scratch(m.tree) {
    const auto nq = std::size_t(m.tree.nq + padding), nv = std::size_t(m.tree.nv + padding);
    q0 = Array<T>(nq), q1 = Array<T>(nq), v = Array<T>(nv), begin = Array<T>(nv), end = Array<T>(nv);
  }
};
template <class T, class Real>
void discrete_momenta(const ModelView<Real>& m, DiscreteMomentumInModel<T>& w, const T* q0, const T* q1, const T* v,
                      T dt, T* begin, T* end) {
  m.coupling.spread_q(q0, w.q0.data());
  m.coupling.spread_q(q1, w.q1.data());
  m.coupling.spread_v(v, w.v.data());
  lissom::discrete_momenta(m.tree, w.scratch, w.q0.data(), w.q1.data(), w.v.data(), dt, w.begin.data(),
                           end ? w.end.data() : nullptr);
  m.coupling.gather_forces(w.begin.data(), begin);
  if (end) m.coupling.gather_forces(w.end.data(), end);
}

}  // namespace in_model_coordinates
}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
