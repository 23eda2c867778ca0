#pragma once
// The table of matrices for a scalar T: nothing but casts around dynamics/mass_matrix_factor.h and the
// templates of in_model_coordinates.h.
#include "lissom/kernels/in_model_coordinates.h"
#include "lissom/kernels/kernels.h"
#include "lissom/kernels/lanes_cast.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

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
