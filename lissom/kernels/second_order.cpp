// The kernels of second-order derivatives, for the instruction set this file is compiled for.
#include "lissom/kernels/second_order.h"

#include "lissom/dynamics/centroidal_derivatives.h"
#include "lissom/kernels/derivatives.h"
#include "lissom/kernels/tables.h"
#include "lissom/kinematics/jacobian_derivatives.h"
#include "lissom/math/dual.h"

namespace lissom {
inline namespace LISSOM_ISA_NAMESPACE {
namespace {

// As many directions at once as fill a register: lane k of the slopes is the direction first + k.
constexpr int directions = batch_lanes<double>;
using Directions = Lanes<double, directions>;
using T = Dual<Directions>;
using View = const ModelView<double>&;

struct SecondOrderScratch final : KernelScratch {
  in_model_coordinates::KinematicsInModel<double> kinematics;
  CentroidalScratch<double> centroidal;
  CentroidalDerivativesScratch<double> centroidal_derivatives;
  in_model_coordinates::ProductsInModel<T> products;
  Array<T> q, e, v, a, weights, gradient;
  Array<double> columns;   // in the tree's coordinates
  Array<int> model_index;  // of each degree of freedom of the tree
  Array<double> ratio;     // by which it follows that one
  explicit SecondOrderScratch(View m)
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
    for (const auto& f : m.coupling.followers) model_index[f.v_to] = f.v_from, ratio[f.v_to] = f.ratio;
  }
};
SecondOrderScratch& in(KernelScratch& w) {
  return static_cast<SecondOrderScratch&>(w);
}
std::unique_ptr<KernelScratch> scratch(View m) {
  return std::make_unique<SecondOrderScratch>(m);
}

void jacobian_derivatives(View m, KernelScratch& k, const double* q, int body, const double* point_in_body, double* H) {
  auto& w = in(k);
  const int nv = m.coupling.nv;
  in_model_coordinates::placements(m, w.kinematics, q);
  const auto& X = w.kinematics.kinematics.X[body];
  const auto point = X * Vec3<double>(point_in_body[0], point_in_body[1], point_in_body[2]);
  lissom::jacobian(m.tree, w.kinematics.kinematics, body, point, identity3<double>(), w.columns.data());
  for (int i = 0; i < 6 * nv * nv; ++i) H[i] = 0;
  lissom::jacobian_derivatives(m.tree, body, w.columns.data(),
                               [&](int column, int direction, const Vec3<double>& linear, const Vec3<double>& angular) {
                                 const double factor = w.ratio[column] * w.ratio[direction];
                                 double* const to = H + (w.model_index[direction] * nv + w.model_index[column]) * 6;
                                 to[0] += factor * linear.x, to[1] += factor * linear.y, to[2] += factor * linear.z;
                                 to[3] += factor * angular.x, to[4] += factor * angular.y, to[5] += factor * angular.z;
                               });
}

void centroidal_derivatives(View m, KernelScratch& k, const double* q, const double* v, double* dh) {
  auto& w = in(k);
  in_model_coordinates::velocities(m, w.kinematics, q, v);
  in_model_coordinates::gather_columns(m, w.kinematics.full, dh, [&](double* full) {
    lissom::centroidal_derivatives(m.tree, w.kinematics.kinematics, w.centroidal, w.centroidal_derivatives, full);
  });
}

void rnea_second_order(View m, KernelScratch& k, const double* q, const double* v, const double* a,
                       const double* weights, double* H) {
  auto& w = in(k);
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
  static const SecondOrderKernels all{.scratch = scratch,
                                      .jacobian_derivatives = jacobian_derivatives,
                                      .centroidal_derivatives = centroidal_derivatives,
                                      .rnea_second_order = rnea_second_order};
  return all;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
