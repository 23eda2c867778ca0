#pragma once
// What the tables of second derivatives share, in the model's coordinates: second_order.cpp for one robot (L = double,
// whose directions fill the lanes of T) and second_order_lanes.cpp for one robot in each lane (L = Lanes).
#include "lissom/dynamics/centroidal_derivatives.h"
#include "lissom/kernels/derivatives.h"
#include "lissom/kernels/lanes_cast.h"
#include "lissom/kinematics/jacobian_derivatives.h"
#include "lissom/math/dual.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

namespace in_model_coordinates {

// L: the scalar of kinematics; T: the dual numbers by which products are differentiated.
template <class L, class T>
struct SecondOrderInModel {
  KinematicsInModel<L> kinematics;
  CentroidalScratch<L> centroidal;
  CentroidalDerivativesScratch<L> centroidal_derivatives;
  ProductsInModel<T> products;
  Array<T> q, e, v, a, weights, gradient;
  Array<L> jacobian;  // in the tree's coordinates
  ModelColumns<Number<L>> columns;
  explicit SecondOrderInModel(const ModelView<Number<L>>& m)
      : kinematics(m),
        centroidal(m.tree),
        centroidal_derivatives(m.tree),
        products(m),
        jacobian(std::size_t(6 * (m.tree.nv + padding))),
        columns(m) {
    const auto nq = std::size_t(m.coupling.nq + padding), nv = std::size_t(m.coupling.nv + padding);
    q = Array<T>(nq), gradient = Array<T>(3 * nv);
    for (auto* const x : {&e, &v, &a, &weights}) *x = Array<T>(nv);
  }
};

template <class L, class T>
void jacobian_derivatives(const ModelView<Number<L>>& m, SecondOrderInModel<L, T>& w, const L* q, int body,
                          const Number<L>* point_in_body, L* H) {
  const int nv = m.coupling.nv;
  placements(m, w.kinematics, q);
  const auto& X = w.kinematics.kinematics.X[body];
  const auto point = X * Vec3<L>(L(point_in_body[0]), L(point_in_body[1]), L(point_in_body[2]));
  lissom::jacobian(m.tree, w.kinematics.kinematics, body, point, identity3<L>(), w.jacobian.data());
  for (int i = 0; i < 6 * nv * nv; ++i) H[i] = zero<L>();
  const auto& columns = w.columns;
  lissom::jacobian_derivatives(m.tree, body, w.jacobian.data(),
                               [&](int column, int direction, const Vec3<L>& linear, const Vec3<L>& angular) {
                                 const L factor(columns.factor[column] * columns.factor[direction]);
                                 L* const to = H + (columns.index[direction] * nv + columns.index[column]) * 6;
                                 to[0] += factor * linear.x, to[1] += factor * linear.y, to[2] += factor * linear.z;
                                 to[3] += factor * angular.x, to[4] += factor * angular.y, to[5] += factor * angular.z;
                               });
}

template <class L, class T>
void centroidal_derivatives(const ModelView<Number<L>>& m, SecondOrderInModel<L, T>& w, const L* q, const L* v, L* dh) {
  velocities(m, w.kinematics, q, v);
  gather_columns(m, w.kinematics.full, dh, [&](L* full) {
    lissom::centroidal_derivatives(m.tree, w.kinematics.kinematics, w.centroidal, w.centroidal_derivatives, full);
  });
}

}  // namespace in_model_coordinates

// The functions that differ in nothing but casts; each of the two tables has its own derivatives of products.
template <class L, class T>
struct SecondOrderCalls : LanesCast<L> {
  using S = Number<L>;
  using View = const ModelView<S>&;
  using InModel = in_model_coordinates::SecondOrderInModel<L, T>;
  using LanesCast<L>::lanes;

  struct Scratch final : KernelScratch {
    InModel in_model;
    explicit Scratch(View m) : in_model(m) {}
  };
  static InModel& in(KernelScratch& w) { return static_cast<Scratch&>(w).in_model; }
  static std::unique_ptr<KernelScratch> scratch(View m) { return std::make_unique<Scratch>(m); }

  static void jacobian_derivatives(View m, KernelScratch& w, const S* q, int body, const S* point_in_body, S* H) {
    in_model_coordinates::jacobian_derivatives<L, T>(m, in(w), lanes(q), body, point_in_body, lanes(H));
  }
  static void centroidal_derivatives(View m, KernelScratch& w, const S* q, const S* v, S* dh) {
    in_model_coordinates::centroidal_derivatives<L, T>(m, in(w), lanes(q), lanes(v), lanes(dh));
  }
};
}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
