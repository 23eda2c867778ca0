// The tangents, for the instruction set this file is compiled for.
#include "lissom/kernels/tangents.h"

#include "lissom/dynamics/rnea.h"
#include "lissom/kernels/tables.h"
#include "lissom/math/dual.h"

namespace lissom {
inline namespace LISSOM_ISA {
namespace {

constexpr int directions = batch_lanes<double>;
using Number8 = Lanes<double, directions>;
using T = Dual<Number8>;
using View = const ModelView<double>&;

struct TangentScratch final : KernelScratch {
  RneaScratch<T> rnea;
  Array<T> q, v, a, tau, full_q, full_v, full_a;
  explicit TangentScratch(View m) : rnea(m.tree) {
    const auto nq = std::size_t(m.tree.nq + padding), nv = std::size_t(m.tree.nv + padding);
    q = Array<T>(nq), v = Array<T>(nv), a = Array<T>(nv), tau = Array<T>(nv);
    full_q = Array<T>(nq), full_v = Array<T>(nv), full_a = Array<T>(nv);
  }
};

std::unique_ptr<KernelScratch> scratch(View m) {
  return std::make_unique<TangentScratch>(m);
}

// Lane k of the slopes is the direction first + k.
void implicit_step(View m, KernelScratch& k, const double* q0, const double* v0, const double* v1, double dt, double* R,
                   int stride) {
  auto& w = static_cast<TangentScratch&>(k);
  const int nv = m.coupling.nv;
  for (int first = 0; first < nv; first += directions) {
    for (int i = 0; i < m.coupling.nq; ++i) w.q[i] = T(q0[i]);
    for (int i = 0; i < nv; ++i) {
      Number8 slope(0.0);
      if (i >= first && i < first + directions) slope.set(i - first, 1);
      w.v[i] = T(Number8(v1[i]), slope);
      w.a[i] = T(Number8((v1[i] - v0[i]) / dt), slope * Number8(1 / dt));
    }
    integrate(m.manifold, w.q.data(), w.v.data(), T(dt), w.q.data());
    m.coupling.spread_q(w.q.data(), w.full_q.data());
    m.coupling.spread_v(w.v.data(), w.full_v.data());
    m.coupling.spread_v(w.a.data(), w.full_a.data());
    rnea(m.tree, w.rnea, w.full_q.data(), w.full_v.data(), w.full_a.data(), w.tau.data());
    for (std::size_t i = 0; i < m.tree.armature.size(); ++i) w.tau[i] += m.tree.armature[i] * w.full_a[i];
    m.coupling.gather_forces(w.tau.data(), w.full_v.data());
    for (int i = 0; i < nv; ++i)
      for (int j = first; j < nv && j < first + directions; ++j) R[i * stride + j] = w.full_v[i].slope[j - first];
  }
}

}  // namespace

const Tangents& tangents_table() {
  static const Tangents all{scratch, implicit_step};
  return all;
}

}  // namespace LISSOM_ISA
}  // namespace lissom
