// The kernels of second-order derivatives, for the instruction set this file is compiled for.
#include "lissom/kernels/second_order.h"

#include "lissom/kernels/second_order_in_model.h"
#include "lissom/kernels/tables.h"

namespace lissom {
inline namespace LISSOM_ISA_NAMESPACE {
namespace {

// As many directions at once as fill a register: lane k of the slopes is the direction first + k.
constexpr int directions = batch_lanes<double>;
using Directions = Lanes<double, directions>;
using T = Dual<Directions>;
using View = const ModelView<double>&;

using Calls = SecondOrderCalls<double, T>;

void rnea_second_order(View m, KernelScratch& k, const double* q, const double* v, const double* a,
                       const double* weights, double* H) {
  auto& w = Calls::in(k);
  const int nv = m.coupling.nv;
  T* const g = w.gradient.data();
  for (int first = 0; first < 3 * nv; first += directions) {
    const auto slope = [&](int i) {
      Directions s(0.0);
      if (i >= first && i < first + directions) s.set(i - first, 1);
      return s;
    };
    for (int i = 0; i < m.coupling.nq; ++i) w.q[i] = T(q[i]);
    for (int i = 0; i < nv; ++i) {
      w.e[i] = T(Directions(0.0), slope(i));
      w.v[i] = T(Directions(v[i]), slope(nv + i));
      w.a[i] = T(Directions(a[i]), slope(2 * nv + i));
      w.weights[i] = T(weights[i]);
    }
    if (first < nv) integrate(m.manifold, w.q.data(), w.e.data(), T(1), w.q.data());
    const Force<T>* const no_external = nullptr;
    in_model_coordinates::rnea_vjp<T>(m, w.products, w.q.data(), w.v.data(), w.a.data(), no_external, w.weights.data(),
                                      g, g + nv, g + 2 * nv);
    for (int i = 0; i < 3 * nv; ++i)
      for (int j = first; j < 3 * nv && j < first + directions; ++j) H[i * 3 * nv + j] = g[i].slope[j - first];
  }
}

}  // namespace

const SecondOrderKernels& second_order_table() {
  static const SecondOrderKernels all{.scratch = Calls::scratch,
                                      .jacobian_derivatives = Calls::jacobian_derivatives,
                                      .centroidal_derivatives = Calls::centroidal_derivatives,
                                      .rnea_second_order = rnea_second_order};
  return all;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
