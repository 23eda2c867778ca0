// The table of second derivatives in lanes, for the kind of scalars that LISSOM_KERNEL_SCALAR names and the instruction
// set this file is compiled for. CMake compiles it once for each pair.
#include "lissom/kernels/second_order_lanes.h"

#include "lissom/kernels/second_order_in_model.h"

namespace lissom {
inline namespace LISSOM_ISA_NAMESPACE {
namespace {

using L = ScalarOf<LISSOM_KERNEL_SCALAR>::type;  // one robot in each lane
using S = Number<L>;
using T = Dual<L>;
using View = const ModelView<S>&;

using Calls = SecondOrderCalls<L, T>;

// Along q and v, by dual numbers over the product. Second derivatives with respect to a and q are those with respect to
// q and a; a enters linearly, and not together with v.
void rnea_second_order(View m, KernelScratch& k, const S* q, const S* v, const S* a, const S* weights, S* result) {
  auto& w = Calls::in(k);
  const int nv = m.coupling.nv, n = 3 * nv;
  const L *const q0 = Calls::lanes(q), *const v0 = Calls::lanes(v), *const a0 = Calls::lanes(a),
                 *const weights0 = Calls::lanes(weights);
  L* const H = Calls::lanes(result);
  T* const g = w.gradient.data();
  const L none = zero<L>();
  for (int i = 0; i < nv; ++i) w.a[i] = T(a0[i], none), w.weights[i] = T(weights0[i], none);
  for (int j = 0; j < 2 * nv; ++j) {
    for (int i = 0; i < m.coupling.nq; ++i) w.q[i] = T(q0[i], none);
    for (int i = 0; i < nv; ++i) w.v[i] = T(v0[i], none), w.e[i] = T(none, none);
    if (j < nv) {
      w.e[j].slope = one<L>();
      integrate(m.manifold, w.q.data(), w.e.data(), T(one<L>(), none), w.q.data());
    } else {
      w.v[j - nv].slope = one<L>();
    }
    const Force<T>* const no_external = nullptr;
    in_model_coordinates::rnea_vjp<T>(m, w.products, w.q.data(), w.v.data(), w.a.data(), no_external, w.weights.data(),
                                      g, g + nv, g + 2 * nv);
    for (int i = 0; i < n; ++i) H[i * n + j] = g[i].slope;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 2 * nv; j < n; ++j) H[i * n + j] = i < nv ? H[j * n + i] : none;
}

void aba_second_order(View m, KernelScratch& k, const S* q, const S* v, const S* a, const S* mu, const S* da_dq,
                      const S* da_dv, const S* M_inverse, int stride, S* buffer, S* result) {
  rnea_second_order(m, k, q, v, a, mu, result);
  const int nv = m.coupling.nv, n = 3 * nv;
  L *const H = Calls::lanes(result), *const top = Calls::lanes(buffer);
  const L* const Z[] = {Calls::lanes(da_dq), Calls::lanes(da_dv), Calls::lanes(M_inverse)};
  // With Z = ((1, 0, 0), (0, 1, 0), z) and H = ((A, b), (bᵀ, 0)), where b has the rows of q and v and only those of q
  // are not zero: Zᵀ H Z = A + b z + (b z)ᵀ.
  const auto bz = [&](int i, int j) -> L& { return top[i * n + j]; };
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < n; ++j) {
      L sum = zero<L>();
      for (int c = 0; c < nv; ++c) sum += H[i * n + 2 * nv + c] * Z[j / nv][c * stride + j % nv];
      bz(i, j) = sum;
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      L sum = i < 2 * nv && j < 2 * nv ? H[i * n + j] : zero<L>();
      if (i < nv) sum += bz(i, j);
      if (j < nv) sum += bz(j, i);
      H[i * n + j] = -sum;
    }
}

}  // namespace

template <>
const SecondOrderLaneKernels<LISSOM_KERNEL_SCALAR::Number>& second_order_lane_table<LISSOM_KERNEL_SCALAR>() {
  static const SecondOrderLaneKernels<S> all{.scratch = Calls::scratch,
                                             .jacobian_derivatives = Calls::jacobian_derivatives,
                                             .centroidal_derivatives = Calls::centroidal_derivatives,
                                             .rnea_second_order = rnea_second_order,
                                             .aba_second_order = aba_second_order};
  return all;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
