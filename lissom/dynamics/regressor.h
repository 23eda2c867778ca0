#pragma once
// The regressor Y(q, v, a) of the inertial parameters: tau = Y π, where π stacks ten parameters for each moving body,
//   m, h_x, h_y, h_z, I_xx, I_xy, I_xz, I_yy, I_yz, I_zz
// about the body's origin, in its frame (Atkeson, An and Hollerbach, 1986). Rotors are not part of it.
// Reads q, v, a; writes nv × 10 n elements by columns, the ten of body 1 first.
#include "lissom/kinematics/kinematics.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

/// The force that each parameter of a moving body requires: newton_euler, column by column. With K = α× + ω× ω× and the
/// acceleration g of the origin, a mass point at x requires m (g + K x); the moment due to the inertia I is axial(K J),
/// J = ½ tr(I) 1 - I.
template <class T>
LISSOM_INLINE std::array<Force<T>, 10> parameter_forces(const Motion<T>& v, const Motion<T>& a) {
  const T o = zero<T>(), i = one<T>();
  const auto g = plus_cross(a.linear, v.angular, v.linear);
  const auto K = acceleration_gradient(v.angular, a.angular);
  const auto first = [&](const Vec3<T>& e) { return Force<T>{cross(e, g), K * e}; };
  const auto second = [&](const Sym3<T>& I) { return Force<T>{axial(K * second_moment(I)), zero_vec3<T>()}; };
  return {
      Force<T>{zero_vec3<T>(), g}, first({i, o, o}),           first({o, i, o}),           first({o, o, i}),
      second({i, o, o, o, o, o}),  second({o, i, o, o, o, o}), second({o, o, i, o, o, o}), second({o, o, o, i, o, o}),
      second({o, o, o, o, i, o}),  second({o, o, o, o, o, i})};
}

/// Body by body: its ten columns are written to columns_of(body), nv × 10 elements; then done(body) may take them away.
template <class T, class Real, class ColumnsOf, class Done>
void regressor(const Tree<Real>& tree, KinematicsScratch<T>& k, const T* q, const T* v, const T* a,
               const ColumnsOf& columns_of, const Done& done) {
  const int nv = tree.nv;
  accelerations(tree, k, q, v, a);
  for (const auto& body : tree.outward()) {
    auto a_and_gravity = k.a[body.index];
    a_and_gravity.linear -= transpose_times(k.X[body.index].R, tree.gravity);
    auto f = parameter_forces(k.v[body.index], a_and_gravity);
    T* const columns = columns_of(body.index);
    for (int e = 0; e < 10 * nv; ++e) columns[e] = zero<T>();
    for (int i = body.index; i != world; i = tree.bodies[i].parent)
      visit_joint(tree.bodies[i], k.at, [&](auto joint) {
        for (int c = 0; c < 10; ++c) {
          joint.each(dot(joint.S, f[c]), [&](int row, auto entry) { columns[c * nv + row] = entry; });
          f[c] = joint.X().to_parent(f[c]);
        }
      });
    done(body.index);
  }
}
/// All of them side by side.
template <class T, class Real>
void regressor(const Tree<Real>& tree, KinematicsScratch<T>& k, const T* q, const T* v, const T* a, T* Y) {
  const auto columns_of = [&](int body) { return Y + (body - 1) * 10 * tree.nv; };
  regressor(tree, k, q, v, a, columns_of, [](int) {});
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
