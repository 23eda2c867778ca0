// The kernels of integrators, for the instruction set this file is compiled for.
#include "lissom/kernels/integrators.h"

#include "lissom/kernels/in_model_coordinates.h"
#include "lissom/kernels/tables.h"
#include "lissom/math/dual.h"

namespace lissom {
inline namespace LISSOM_ISA_NAMESPACE {
namespace {

// As many directions at once as fill a register: lane k of the slopes is the direction first + k.
constexpr int directions = batch_lanes<double>;
using Directions = Lanes<double, directions>;
using T = Dual<Directions>;
using View = const ModelView<double>&;

struct IntegratorScratch final : KernelScratch {
  in_model_coordinates::InverseDynamicsInModel<T> inverse_dynamics;
  in_model_coordinates::DiscreteMomentumInModel<double> momenta;
  Array<T> q, v, a, tau;
  explicit IntegratorScratch(View m) : inverse_dynamics(m), momenta(m) {
    const auto nq = std::size_t(m.coupling.nq + padding), nv = std::size_t(m.coupling.nv + padding);
    q = Array<T>(nq), v = Array<T>(nv), a = Array<T>(nv), tau = Array<T>(nv);
  }
};

std::unique_ptr<KernelScratch> scratch(View m) {
  return std::make_unique<IntegratorScratch>(m);
}

void implicit_step(View m, KernelScratch& k, const double* q0, const double* v0, const double* v1, double dt, double* R,
                   int stride) {
  auto& w = static_cast<IntegratorScratch&>(k);
  const int nv = m.coupling.nv;
  for (int first = 0; first < nv; first += directions) {
    for (int i = 0; i < m.coupling.nq; ++i) w.q[i] = T(q0[i]);
    for (int i = 0; i < nv; ++i) {
      Directions slope(0.0);
      if (i >= first && i < first + directions) slope.set(i - first, 1);
      w.v[i] = T(Directions(v1[i]), slope);
      w.a[i] = T(Directions((v1[i] - v0[i]) / dt), slope * Directions(1 / dt));
    }
    integrate(m.manifold, w.q.data(), w.v.data(), T(dt), w.q.data());
    const T* const a = w.a.data();
    const Force<T>* const no_external = nullptr;
    in_model_coordinates::rnea(m, w.inverse_dynamics, w.q.data(), w.v.data(), a, no_external, w.tau.data());
    for (int i = 0; i < nv; ++i)
      for (int j = first; j < nv && j < first + directions; ++j) R[i * stride + j] = w.tau[i].slope[j - first];
  }
}

void discrete_momenta(View m, KernelScratch& k, const double* q0, const double* q1, const double* v, double dt,
                      double* begin, double* end) {
  in_model_coordinates::discrete_momenta(m, static_cast<IntegratorScratch&>(k).momenta, q0, q1, v, dt, begin, end);
}

}  // namespace

const IntegratorKernels& integrator_table() {
  static const IntegratorKernels all{
      .scratch = scratch, .implicit_step = implicit_step, .discrete_momenta = discrete_momenta};
  return all;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
