// The table of second derivatives in lanes, for the kind of scalars that LISSOM_KERNEL_SCALAR names and the instruction
// set this file is compiled for. CMake compiles it once for each pair.
#include "lissom/kernels/second_order_lanes.h"

#include "lissom/dynamics/centroidal_derivatives.h"
#include "lissom/kernels/derivatives.h"
#include "lissom/kinematics/jacobian_derivatives.h"
#include "lissom/math/dual.h"

namespace lissom {
inline namespace LISSOM_ISA_NAMESPACE {
namespace {

using L = ScalarOf<LISSOM_KERNEL_SCALAR>::type;  // one robot in each lane
using S = Number<L>;
using T = Dual<L>;
using View = const ModelView<S>&;

struct SecondOrderLanesScratch final : KernelScratch {
  in_model_coordinates::KinematicsInModel<L> kinematics;
  CentroidalScratch<L> centroidal;
  CentroidalDerivativesScratch<L> centroidal_derivatives;
  in_model_coordinates::ProductsInModel<T> products;
  Array<T> q, e, v, a, weights, gradient;
  Array<L> columns;        // in the tree's coordinates
  Array<int> model_index;  // of each degree of freedom of the tree
  Array<S> ratio;          // by which it follows that one
  explicit SecondOrderLanesScratch(View m)
      : kinematics(m),
        centroidal(m.tree),
        centroidal_derivatives(m.tree),
        products(m),
        columns(std::size_t(6 * (m.tree.nv + padding))),
        model_index(std::size_t(m.tree.nv)),
        ratio(std::size_t(m.tree.nv)) {
    const auto nq = std::size_t(m.coupling.nq + padding), nv = std::size_t(m.coupling.nv + padding);
    q = Array<T>(nq), gradient = Array<T>(3 * nv);
    for (auto* const x : {&e, &v, &a, &weights}) *x = Array<T>(nv);
    for (int i = 0; i < m.tree.nv; ++i) model_index[i] = i, ratio[i] = 1;
    if (m.coupling.trivial()) return;
    for (const auto& s : m.coupling.v_segments)
      for (int i = 0; i < s.count; ++i) model_index[s.to + i] = s.from + i;
    for (const auto& f : m.coupling.followers) model_index[f.v_to] = f.v_from, ratio[f.v_to] = S(f.ratio);
  }
};
SecondOrderLanesScratch& in(KernelScratch& w) {
  return static_cast<SecondOrderLanesScratch&>(w);
}
std::unique_ptr<KernelScratch> scratch(View m) {
  return std::make_unique<SecondOrderLanesScratch>(m);
}
using Cast = LanesCast<L>;

void jacobian_derivatives(View m, KernelScratch& k, const S* q, int body, const S* point_in_body, S* result) {
  auto& w = in(k);
  const int nv = m.coupling.nv;
  L* const H = Cast::lanes(result);
  in_model_coordinates::placements(m, w.kinematics, Cast::lanes(q));
  const auto& X = w.kinematics.kinematics.X[body];
  const auto point = X * Vec3<L>(L(point_in_body[0]), L(point_in_body[1]), L(point_in_body[2]));
  lissom::jacobian(m.tree, w.kinematics.kinematics, body, point, identity3<L>(), w.columns.data());
  for (int i = 0; i < 6 * nv * nv; ++i) H[i] = zero<L>();
  lissom::jacobian_derivatives(m.tree, body, w.columns.data(),
                               [&](int column, int direction, const Vec3<L>& linear, const Vec3<L>& angular) {
                                 const L factor(w.ratio[column] * w.ratio[direction]);
                                 L* const to = H + (w.model_index[direction] * nv + w.model_index[column]) * 6;
                                 to[0] += factor * linear.x, to[1] += factor * linear.y, to[2] += factor * linear.z;
                                 to[3] += factor * angular.x, to[4] += factor * angular.y, to[5] += factor * angular.z;
                               });
}

void centroidal_derivatives(View m, KernelScratch& k, const S* q, const S* v, S* dh) {
  auto& w = in(k);
  in_model_coordinates::velocities(m, w.kinematics, Cast::lanes(q), Cast::lanes(v));
  in_model_coordinates::gather_columns(m, w.kinematics.full, Cast::lanes(dh), [&](L* full) {
    lissom::centroidal_derivatives(m.tree, w.kinematics.kinematics, w.centroidal, w.centroidal_derivatives, full);
  });
}

// Along q and v, by dual numbers over the product. Second derivatives with respect to a and q are those with respect to
// q and a; a enters linearly, and not together with v.
void rnea_second_order(View m, KernelScratch& k, const S* q, const S* v, const S* a, const S* weights, S* result) {
  auto& w = in(k);
  const int nv = m.coupling.nv, n = 3 * nv;
  const L *const q0 = Cast::lanes(q), *const v0 = Cast::lanes(v), *const a0 = Cast::lanes(a),
                 *const weights0 = Cast::lanes(weights);
  L* const H = Cast::lanes(result);
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
  L *const H = Cast::lanes(result), *const top = Cast::lanes(buffer);
  const L* const Z[] = {Cast::lanes(da_dq), Cast::lanes(da_dv), Cast::lanes(M_inverse)};
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
  static const SecondOrderLaneKernels<S> all{.scratch = scratch,
                                             .jacobian_derivatives = jacobian_derivatives,
                                             .centroidal_derivatives = centroidal_derivatives,
                                             .rnea_second_order = rnea_second_order,
                                             .aba_second_order = aba_second_order};
  return all;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
