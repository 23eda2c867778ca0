// The kernels of motion, for the instruction set this file is compiled for.
#include "lissom/kernels/motion.h"

#include "lissom/dynamics/discrete_momentum.h"
#include "lissom/kernels/tables.h"
#include "lissom/math/dual.h"

namespace lissom {
inline namespace LISSOM_ISA_NAMESPACE {
namespace {

constexpr int directions = batch_lanes<double>;
using Number8 = Lanes<double, directions>;
using T = Dual<Number8>;
using View = const ModelView<double>&;

struct MotionScratch final : KernelScratch {
  RneaScratch<T> rnea;
  Array<T> q, v, a, tau, full_q, full_v, full_a;
  RneaScratch<double> momentum_rnea;
  Array<Displacement<double>> displacement;
  Array<DiscreteMomentum<double>> momentum;
  Array<double> spread_q0, spread_q1, spread_v, begin, end;  // in the tree's coordinates
  explicit MotionScratch(View m)
      : rnea(m.tree), momentum_rnea(m.tree), displacement(m.tree.bodies.size()), momentum(m.tree.bodies.size()) {
    const auto nq = std::size_t(m.tree.nq + padding), nv = std::size_t(m.tree.nv + padding);
    q = Array<T>(nq), v = Array<T>(nv), a = Array<T>(nv), tau = Array<T>(nv);
    full_q = Array<T>(nq), full_v = Array<T>(nv), full_a = Array<T>(nv);
    spread_q0 = Array<double>(nq), spread_q1 = Array<double>(nq), spread_v = Array<double>(nv);
    begin = Array<double>(nv), end = Array<double>(nv);
  }
};

std::unique_ptr<KernelScratch> scratch(View m) {
  return std::make_unique<MotionScratch>(m);
}

// Lane k of the slopes is the direction first + k.
void implicit_step(View m, KernelScratch& k, const double* q0, const double* v0, const double* v1, double dt, double* R,
                   int stride) {
  auto& w = static_cast<MotionScratch&>(k);
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

void discrete_momenta(View m, KernelScratch& k, const double* q0, const double* q1, const double* v, double dt,
                      double* begin, double* end) {
  auto& w = static_cast<MotionScratch&>(k);
  m.coupling.spread_q(q0, w.spread_q0.data());
  m.coupling.spread_q(q1, w.spread_q1.data());
  m.coupling.spread_v(v, w.spread_v.data());
  discrete_momenta(m.tree, w.momentum_rnea, w.displacement, w.momentum, w.spread_q0.data(), w.spread_q1.data(),
                   w.spread_v.data(), dt, w.begin.data(), end ? w.end.data() : nullptr);
  m.coupling.gather_forces(w.begin.data(), begin);
  if (end) m.coupling.gather_forces(w.end.data(), end);
}

}  // namespace

const MotionKernels& motion_table() {
  static const MotionKernels all{scratch, implicit_step, discrete_momenta};
  return all;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
