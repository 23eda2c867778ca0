#pragma once
// The derivatives of q1 = integrate(q, v, dt) with respect to q and v, in the tangent spaces of q and of q1: by dual
// numbers, joint by joint, since the matrices have one block for each joint. (On a Lie group they are Ad exp(-dt v) and
// dt times the right Jacobian of dt v.)
#include "lissom/math/dual.h"
#include "lissom/tree/manifold.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

/// Writes the blocks on the diagonals of dq and dv, rows `stride` apart; the caller sets the other elements to zero.
template <class T>
void integrate_derivatives(const Manifold& manifold, const T* q, const T* v, T dt, T* dq, T* dv, int stride) {
  using D = Dual<T>;
  for (const auto& p : manifold.pieces)
    visit_manifold(p, [&](auto kind) {
      if constexpr (std::is_same_v<decltype(kind), FlatManifold>) {
        for (int i = p.v; i < p.v + kind.count; ++i) dq[i * stride + i] = one<T>(), dv[i * stride + i] = dt;
        return;
      } else {
        constexpr int nq = decltype(kind)::nq, nv = decltype(kind)::nv;
        const D constant(Number<T>(0)), unit(one<T>(), zero<T>());
        for (int j = 0; j < nv; ++j) {
          D at[nq], moved[nq], end[nq], u[nv], e[nv], change[nv];
          for (int i = 0; i < nq; ++i) at[i] = D(q[p.q + i], zero<T>());
          for (int i = 0; i < nv; ++i) {
            u[i] = D(v[p.v + i], zero<T>());
            e[i] = i == j ? D(zero<T>(), one<T>()) : constant;
          }
          // Writes the change of the end point into column j.
          const auto write = [&](T* matrix) {
            D fixed_end[nq];
            for (int i = 0; i < nq; ++i) fixed_end[i] = D(end[i].value, zero<T>());
            kind.difference(fixed_end, end, change);
            for (int i = 0; i < nv; ++i) matrix[(p.v + i) * stride + p.v + j] = change[i].slope;
          };
          kind.integrate(at, e, unit, moved);
          kind.integrate(moved, u, D(dt, zero<T>()), end);
          write(dq);
          u[j] = u[j] + e[j];
          kind.integrate(at, u, D(dt, zero<T>()), end);
          write(dv);
        }
      }
    });
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
