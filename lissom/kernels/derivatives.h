#pragma once
// The group of derivatives: those of inverse and forward dynamics in the model's coordinates, over any scalar T, and
// the table of the group, which adds nothing but casts. With q_full = G q + o and v_full = G v (tree/coupling.h),
// matrices become Gᵀ (∂tau/∂q) G, directions are spread by G, and gradients are gathered by Gᵀ.
#include "lissom/dynamics/aba_solve.h"
#include "lissom/dynamics/free_base_columns.h"
#include "lissom/dynamics/rnea_derivatives.h"
#include "lissom/dynamics/rnea_products.h"
#include "lissom/kernels/in_model_coordinates.h"
#include "lissom/kernels/kernels.h"
#include "lissom/kernels/lanes_cast.h"
#include "lissom/tree/manifold_derivatives.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

namespace in_model_coordinates {

template <class T>
struct RneaDerivativesInModel {
  RneaDerivativesScratch<T> derivatives;
  Spread<T> full;
  // Where joints mimic others: the matrices in the coordinates of the tree.
  Array<T> full_dq, full_dv, full_M;
  int full_stride;
  template <class Real>
  explicit RneaDerivativesInModel(const ModelView<Real>& m)
      : derivatives(m.tree), full(m), full_stride(row_stride(m.tree.nv)) {
    if (m.coupling.trivial()) return;
    for (auto* const matrix : {&full_dq, &full_dv, &full_M}) *matrix = Array<T>(padded_square(m.tree.nv));
  }
};
template <class T, class Real>
void rnea_derivatives(const ModelView<Real>& m, RneaDerivativesInModel<T>& w, const T* q, const T* v, const T* a,
                      const Force<T>* external, T* dq, T* dv, T* M, int stride) {
  if (m.coupling.trivial())
    return lissom::rnea_derivatives(m.tree, w.derivatives, q, v, a, dq, dv, M, stride, external);
  lissom::rnea_derivatives(m.tree, w.derivatives, spread_q(m, w.full, q), spread_v(m, w.full, v),
                           spread_a(m, w.full, a), w.full_dq.data(), w.full_dv.data(), w.full_M.data(), w.full_stride,
                           external);
  m.coupling.template gather_square<Block<T>>(w.full_dq.data(), w.full_stride, dq, stride);
  m.coupling.template gather_square<Block<T>>(w.full_dv.data(), w.full_stride, dv, stride);
  m.coupling.gather_symmetric(w.full_M.data(), w.full_stride, M, stride);
}

// With a = M⁻¹ (tau - h), ∂a/∂q = -M⁻¹ ∂tau/∂q and ∂a/∂v = -M⁻¹ ∂tau/∂v, both of inverse dynamics at a.
template <class T>
struct AbaDerivativesInModel {
  Array<T> dq, dv, M, h, rest;
  Factor<T> factor;
  SolveScratch<T> solve;
  InverseScratch<T> inverse;
  int stride;
  template <class Real>
  explicit AbaDerivativesInModel(const ModelView<Real>& m)
      : h(std::size_t(m.tree.nv + padding)),
        rest(std::size_t(m.coupling.nv + padding)),
        factor(m.sparsity),
        solve(m.sparsity,
              [&](int matrix, int j) { return knows_columns(m) && known_for_free_base(m.tree, matrix, j); }),
        inverse(m.sparsity),
        stride(row_stride(m.coupling.nv)) {
    for (auto* const matrix : {&dq, &dv, &M}) *matrix = Array<T>(padded_square(m.coupling.nv));
  }
  static constexpr bool solves_by_columns = lanes_of<T> > 1;  // robots in lanes
  template <class Real>
  static bool knows_columns(const ModelView<Real>& m) {
    return solves_by_columns && m.coupling.trivial();
  }
};
// M and its factor, and the acceleration a.
template <class T, class Real>
void accelerations_for_derivatives(const ModelView<Real>& m, AbaDerivativesInModel<T>& w, RneaDerivativesInModel<T>& id,
                                   const T* q, const T* v, const T* tau, const Force<T>* external, T* a) {
  const bool trivial = m.coupling.trivial();
  derivatives_terms(m.tree, id.derivatives, spread_q(m, id.full, q), spread_v(m, id.full, v), w.h.data(),
                    trivial ? w.M.data() : id.full_M.data(), trivial ? w.stride : id.full_stride, external);
  if (trivial) {
    for (int i = 0; i < m.coupling.nv; ++i) w.rest[i] = w.h[i];
  } else {
    m.coupling.gather_symmetric(id.full_M.data(), id.full_stride, w.M.data(), w.stride);
    m.coupling.gather_forces(w.h.data(), w.rest.data());
  }
  for (int i = 0; i < m.coupling.nv; ++i) w.rest[i] = tau[i] - w.rest[i];
  lissom::factorize(m.sparsity, w.factor, w.M.data(), w.stride);
  lissom::solve(m.sparsity, w.factor, w.rest.data(), a);
}
template <class T, class Real>
void aba_derivatives(const ModelView<Real>& m, AbaDerivativesInModel<T>& w, RneaDerivativesInModel<T>& id, const T* q,
                     const T* v, const T* tau, const Force<T>* external, T* a, T* dq, T* dv, T* M_inverse, int stride) {
  accelerations_for_derivatives(m, w, id, q, v, tau, external, a);
  if (m.coupling.trivial()) {
    derivatives_at<AbaDerivativesInModel<T>::solves_by_columns>(m.tree, id.derivatives, static_cast<const T*>(a),
                                                                w.dq.data(), w.dv.data(), w.stride);
  } else {
    derivatives_at<false>(m.tree, id.derivatives, spread_a(m, id.full, static_cast<const T*>(a)), id.full_dq.data(),
                          id.full_dv.data(), id.full_stride);
    m.coupling.template gather_square<Block<T>>(id.full_dq.data(), id.full_stride, w.dq.data(), w.stride);
    m.coupling.template gather_square<Block<T>>(id.full_dv.data(), id.full_stride, w.dv.data(), w.stride);
  }
  solve_columns<T>(m.sparsity, w.factor, w.inverse, w.solve, {w.dq.data(), w.dv.data()}, {dq, dv, M_inverse}, stride);
  if (w.knows_columns(m)) {
    auto& motion = id.derivatives.motion;
    const auto upward_a = [&](const auto& body) { return motion[id.derivatives.carrier[body.index]].a.linear; };
    write_free_base_columns(m.tree, v, upward_a, dq, dv, stride);
  }
}

// ---- Products.

template <class T>
struct ProductsInModel {
  RneaProductsScratch<T> products;
  Spread<T> full;
  Array<T> dq, dv, da, full_gradient, gradient, zero;  // directions in the tree's coordinates; gradients
  template <class Real>
  explicit ProductsInModel(const ModelView<Real>& m) : products(m.tree), full(m) {
    const auto n = std::size_t(m.tree.nv + padding);
    for (auto* const vector : {&dq, &dv, &da, &gradient, &zero}) *vector = Array<T>(n);
    full_gradient = Array<T>(3 * n);
  }
};
template <class T, class Real>
void rnea_jvp(const ModelView<Real>& m, ProductsInModel<T>& w, const T* q, const T* v, const T* a,
              const Force<T>* external, const T* dq, const T* dv, const T* da, T* dtau) {
  if (m.coupling.trivial()) return lissom::rnea_jvp(m.tree, w.products, q, v, a, dq, dv, da, dtau, external);
  m.coupling.spread_v(dq, w.dq.data());
  m.coupling.spread_v(dv, w.dv.data());
  m.coupling.spread_v(da, w.da.data());
  gather_forces(m, w.full, dtau, [&](T* full) {
    lissom::rnea_jvp(m.tree, w.products, spread_q(m, w.full, q), spread_v(m, w.full, v), spread_a(m, w.full, a),
                     static_cast<const T*>(w.dq.data()), static_cast<const T*>(w.dv.data()),
                     static_cast<const T*>(w.da.data()), full, external);
  });
}
template <class T, class Real>
void rnea_vjp(const ModelView<Real>& m, ProductsInModel<T>& w, const T* q, const T* v, const T* a,
              const Force<T>* external, const T* weights, T* gradient_q, T* gradient_v, T* gradient_a) {
  if (m.coupling.trivial())
    return lissom::rnea_vjp(m.tree, w.products, q, v, a, weights, gradient_q, gradient_v, gradient_a, external);
  m.coupling.spread_v(weights, w.dq.data());
  T *const full_q = w.full_gradient.data(), *const full_v = full_q + m.tree.nv, *const full_a = full_v + m.tree.nv;
  lissom::rnea_vjp(m.tree, w.products, spread_q(m, w.full, q), spread_v(m, w.full, v), spread_a(m, w.full, a),
                   static_cast<const T*>(w.dq.data()), full_q, full_v, full_a, external);
  m.coupling.gather_forces(full_q, gradient_q);
  m.coupling.gather_forces(full_v, gradient_v);
  m.coupling.gather_forces(full_a, gradient_a);
}
// M x = b after aba, which leaves articulated inertias or, where joints mimic others, a factor of M.
template <class T, class Real>
void solve_after_aba(const ModelView<Real>& m, ForwardDynamicsInModel<T>& w, const T* b, T* x) {
  if (m.coupling.trivial()) return aba_solve(m.tree, w.aba, b, x);
  lissom::solve(m.sparsity, w.factor, b, x);
}
// δa = M⁻¹ (δtau - the change of inverse dynamics along (δq, δv, 0))
template <class T, class Real>
void aba_jvp(const ModelView<Real>& m, ProductsInModel<T>& w, ForwardDynamicsInModel<T>& forward,
             InverseDynamicsInModel<T>& id, const T* q, const T* v, const T* tau, const Force<T>* external, const T* dq,
             const T* dv, const T* dtau, T* a, T* da) {
  aba(m, forward, id, q, v, tau, external, a);
  const T* const zero = w.zero.data();
  rnea_jvp(m, w, q, v, static_cast<const T*>(a), external, dq, dv, zero, w.gradient.data());
  for (int i = 0; i < m.coupling.nv; ++i) w.gradient[i] = dtau[i] - w.gradient[i];
  solve_after_aba(m, forward, static_cast<const T*>(w.gradient.data()), da);
}
// With μ = M⁻¹ weights: the gradient with respect to tau is μ, and the others are those of -μᵀ tau of inverse dynamics.
template <class T, class Real>
void aba_vjp(const ModelView<Real>& m, ProductsInModel<T>& w, ForwardDynamicsInModel<T>& forward,
             InverseDynamicsInModel<T>& id, const T* q, const T* v, const T* tau, const Force<T>* external,
             const T* weights, T* a, T* gradient_q, T* gradient_v, T* gradient_tau) {
  aba(m, forward, id, q, v, tau, external, a);
  solve_after_aba(m, forward, weights, gradient_tau);
  for (int i = 0; i < m.coupling.nv; ++i) w.dv[i] = -gradient_tau[i];
  rnea_vjp(m, w, q, v, static_cast<const T*>(a), external, static_cast<const T*>(w.dv.data()), gradient_q, gradient_v,
           w.gradient.data());
}

template <class T, class Real>
void integrate_derivatives(const ModelView<Real>& m, const T* q, const T* v, T dt, T* dq, T* dv, int stride) {
  const int nv = m.coupling.nv;
  for (int i = 0; i < nv * stride; ++i) dq[i] = dv[i] = zero<T>();
  lissom::integrate_derivatives(m.manifold, q, v, dt, dq, dv, stride);
}

}  // namespace in_model_coordinates

template <class T>
struct DerivativeScratch final : KernelScratch {
  in_model_coordinates::RneaDerivativesInModel<T> rnea;
  in_model_coordinates::AbaDerivativesInModel<T> aba;
  in_model_coordinates::ProductsInModel<T> products;
  in_model_coordinates::InverseDynamicsInModel<T> inverse_dynamics;
  in_model_coordinates::ForwardDynamicsInModel<T> forward_dynamics;
  explicit DerivativeScratch(const ModelView<Number<T>>& m)
      : rnea(m), aba(m), products(m), inverse_dynamics(m), forward_dynamics(m) {}
};

template <class T>
struct DerivativeCalls : LanesCast<T> {
  using S = Number<T>;
  using View = const ModelView<S>&;
  using Scratch = KernelScratch&;
  using LanesCast<T>::lanes, LanesCast<T>::forces;

  static DerivativeScratch<T>& in(Scratch w) { return static_cast<DerivativeScratch<T>&>(w); }
  static std::unique_ptr<KernelScratch> derivative_scratch(View m) { return std::make_unique<DerivativeScratch<T>>(m); }

  static void rnea_derivatives(View m, Scratch w, const S* q, const S* v, const S* a, const S* external, S* dq, S* dv,
                               S* M, int stride) {
    in_model_coordinates::rnea_derivatives(m, in(w).rnea, lanes(q), lanes(v), lanes(a), forces(external), lanes(dq),
                                           lanes(dv), lanes(M), stride);
  }
  static void aba_derivatives(View m, Scratch w, const S* q, const S* v, const S* tau, const S* external, S* a, S* dq,
                              S* dv, S* M_inverse, int stride) {
    in_model_coordinates::aba_derivatives(m, in(w).aba, in(w).rnea, lanes(q), lanes(v), lanes(tau), forces(external),
                                          lanes(a), lanes(dq), lanes(dv), lanes(M_inverse), stride);
  }
  static void rnea_jvp(View m, Scratch w, const S* q, const S* v, const S* a, const S* external, const S* dq,
                       const S* dv, const S* da, S* dtau) {
    in_model_coordinates::rnea_jvp(m, in(w).products, lanes(q), lanes(v), lanes(a), forces(external), lanes(dq),
                                   lanes(dv), lanes(da), lanes(dtau));
  }
  static void rnea_vjp(View m, Scratch w, const S* q, const S* v, const S* a, const S* external, const S* weights,
                       S* gradient_q, S* gradient_v, S* gradient_a) {
    in_model_coordinates::rnea_vjp(m, in(w).products, lanes(q), lanes(v), lanes(a), forces(external), lanes(weights),
                                   lanes(gradient_q), lanes(gradient_v), lanes(gradient_a));
  }
  static void aba_jvp(View m, Scratch k, const S* q, const S* v, const S* tau, const S* external, const S* dq,
                      const S* dv, const S* dtau, S* a, S* da) {
    auto& w = in(k);
    in_model_coordinates::aba_jvp(m, w.products, w.forward_dynamics, w.inverse_dynamics, lanes(q), lanes(v), lanes(tau),
                                  forces(external), lanes(dq), lanes(dv), lanes(dtau), lanes(a), lanes(da));
  }
  static void aba_vjp(View m, Scratch k, const S* q, const S* v, const S* tau, const S* external, const S* weights,
                      S* a, S* gradient_q, S* gradient_v, S* gradient_tau) {
    auto& w = in(k);
    in_model_coordinates::aba_vjp(m, w.products, w.forward_dynamics, w.inverse_dynamics, lanes(q), lanes(v), lanes(tau),
                                  forces(external), lanes(weights), lanes(a), lanes(gradient_q), lanes(gradient_v),
                                  lanes(gradient_tau));
  }
  static void integrate_derivatives(View m, const S* q, const S* v, S dt, S* dq, S* dv, int stride) {
    in_model_coordinates::integrate_derivatives(m, lanes(q), lanes(v), T(dt), lanes(dq), lanes(dv), stride);
  }

  static DerivativeKernels<S> table() {
    return {.derivative_scratch = derivative_scratch,
            .rnea_derivatives = rnea_derivatives,
            .aba_derivatives = aba_derivatives,
            .rnea_jvp = rnea_jvp,
            .rnea_vjp = rnea_vjp,
            .aba_jvp = aba_jvp,
            .aba_vjp = aba_vjp,
            .integrate_derivatives = integrate_derivatives};
  }
};

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
