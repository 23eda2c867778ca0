#pragma once
// The group of matrices: the Coriolis matrix and the regressor in the model's coordinates, over any scalar T, and the
// table of the group, which adds nothing but casts. (The factor of the mass matrix knows the model's coordinates by its
// sparsity.)
#include "lissom/dynamics/coriolis.h"
#include "lissom/dynamics/regressor.h"
#include "lissom/kernels/in_model_coordinates.h"
#include "lissom/kernels/kernels.h"
#include "lissom/kernels/lanes_cast.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

namespace in_model_coordinates {

template <class T>
struct CoriolisInModel {
  CoriolisScratch<T> coriolis;
  Spread<T> full;
  Array<T> full_C;
  int full_stride;
  template <class Real>
  explicit CoriolisInModel(const ModelView<Real>& m) : coriolis(m.tree), full(m), full_stride(row_stride(m.tree.nv)) {
    if (!m.coupling.trivial()) full_C = Array<T>(padded_square(m.tree.nv));
  }
};
template <class T, class Real>
void coriolis(const ModelView<Real>& m, CoriolisInModel<T>& w, const T* q, const T* v, T* C, int stride) {
  if (m.coupling.trivial()) return lissom::coriolis(m.tree, w.coriolis, q, v, C, stride);
  lissom::coriolis(m.tree, w.coriolis, spread_q(m, w.full, q), spread_v(m, w.full, v), w.full_C.data(), w.full_stride);
  m.coupling.template gather_square<T>(w.full_C.data(), w.full_stride, C, stride);
}

template <class T>
struct RegressorInModel {
  KinematicsScratch<T> kinematics;
  Spread<T> full;
  Array<T> body_Y;  // the columns of one body, with all coordinates of the tree
  template <class Real>
  explicit RegressorInModel(const ModelView<Real>& m) : kinematics(m.tree), full(m) {
    if (!m.coupling.trivial()) body_Y = Array<T>(std::size_t(m.tree.nv) * 10);
  }
};
template <class T, class Real>
void regressor(const ModelView<Real>& m, RegressorInModel<T>& w, const T* q, const T* v, const T* a, T* Y) {
  const T* const full_q = spread_q(m, w.full, q);
  const T* const full_v = spread_v(m, w.full, v);
  const T* const full_a = spread_a(m, w.full, a);
  if (m.coupling.trivial()) return lissom::regressor(m.tree, w.kinematics, full_q, full_v, full_a, Y);
  const auto gather = [&](int body) {
    for (int c = 0; c < 10; ++c)
      m.coupling.gather_forces(w.body_Y.data() + c * m.tree.nv, Y + ((body - 1) * 10 + c) * m.coupling.nv);
  };
  lissom::regressor(m.tree, w.kinematics, full_q, full_v, full_a, [&](int) { return w.body_Y.data(); }, gather);
}

}  // namespace in_model_coordinates

template <class T>
struct MatrixScratch final : KernelScratch {
  in_model_coordinates::CoriolisInModel<T> coriolis;
  in_model_coordinates::RegressorInModel<T> regressor;
  InverseScratch<T> inverse;
  explicit MatrixScratch(const ModelView<Number<T>>& m) : coriolis(m), regressor(m), inverse(m.sparsity) {}
};
template <class T>
struct FactorOf final : KernelFactor {
  Factor<T> factor;
  explicit FactorOf(const ModelView<Number<T>>& m) : factor(m.sparsity) {}
};

template <class T>
struct MatrixCalls : LanesCast<T> {
  using S = Number<T>;
  using View = const ModelView<S>&;
  using Scratch = KernelScratch&;
  using LanesCast<T>::lanes;

  static MatrixScratch<T>& in(Scratch w) { return static_cast<MatrixScratch<T>&>(w); }
  static Factor<T>& in(KernelFactor& f) { return static_cast<FactorOf<T>&>(f).factor; }
  static const Factor<T>& in(const KernelFactor& f) { return static_cast<const FactorOf<T>&>(f).factor; }
  static std::unique_ptr<KernelScratch> matrix_scratch(View m) { return std::make_unique<MatrixScratch<T>>(m); }
  static std::unique_ptr<KernelFactor> make_factor(View m) { return std::make_unique<FactorOf<T>>(m); }

  static void factorize(View m, KernelFactor& f, const S* M, int stride) {
    lissom::factorize(m.sparsity, in(f), lanes(M), stride);
  }
  static void solve(View m, const KernelFactor& f, const S* b, S* x) {
    lissom::solve(m.sparsity, in(f), lanes(b), lanes(x));
  }
  static void invert(View m, const KernelFactor& f, Scratch w, S* M_inverse, int stride) {
    lissom::invert(m.sparsity, in(f), in(w).inverse, lanes(M_inverse), stride);
  }
  static void factor_rows(View m, const KernelFactor& f, S* L, S* D, int stride) {
    lissom::write_out(m.sparsity, in(f), lanes(L), lanes(D), stride);
  }
  static void coriolis(View m, Scratch w, const S* q, const S* v, S* C, int stride) {
    in_model_coordinates::coriolis(m, in(w).coriolis, lanes(q), lanes(v), lanes(C), stride);
  }
  static void regressor(View m, Scratch w, const S* q, const S* v, const S* a, S* Y) {
    in_model_coordinates::regressor(m, in(w).regressor, lanes(q), lanes(v), lanes(a), lanes(Y));
  }

  static MatrixKernels<S> table() {
    return {.matrix_scratch = matrix_scratch,
            .make_factor = make_factor,
            .factorize = factorize,
            .solve = solve,
            .invert = invert,
            .factor_rows = factor_rows,
            .coriolis = coriolis,
            .regressor = regressor};
  }
};

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
