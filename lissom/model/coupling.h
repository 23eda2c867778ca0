#pragma once
// Mimic joints: q_full = G q + o. The tree gives every joint coordinates of its own; a model whose followers have none
// carries a Coupling, and every algorithm is reached through it: states are spread to the tree's coordinates, results
// gathered by G and Gᵀ:
//   v_full = G v,   tau = Gᵀ tau_full,   M = Gᵀ M_full G,   J = J_full G
// G is constant and has one entry per row, so this costs a copy.
#include <vector>

#include "lissom/math/scalar.h"

namespace lissom {

template <class Real>
struct Coupling {
  int nq = 0, nv = 0;            // of the model
  int full_nq = 0, full_nv = 0;  // of its tree
  std::vector<int> q_from, v_from;
  std::vector<Real> q_ratio, q_offset, v_ratio;

  // No follower: the model's coordinates are the tree's.
  bool trivial() const { return nv == full_nv; }

  template <class T>
  LISSOM_INLINE void spread_q(const T* q, T* full) const {
    for (int i = 0; i < full_nq; ++i) full[i] = q_ratio[i] * q[q_from[i]] + q_offset[i];
  }
  template <class T>
  LISSOM_INLINE void spread_v(const T* v, T* full) const {
    for (int i = 0; i < full_nv; ++i) full[i] = v_ratio[i] * v[v_from[i]];
  }
  template <class T>
  LISSOM_INLINE void gather_forces(const T* full, T* tau) const {
    for (int i = 0; i < nv; ++i) tau[i] = zero<T>();
    for (int i = 0; i < full_nv; ++i) tau[v_from[i]] += v_ratio[i] * full[i];
  }
  // The upper triangle of Gᵀ M G from the upper triangle of M.
  template <class T>
  LISSOM_INLINE void gather_symmetric(const T* full, int full_stride, T* M, int stride) const {
    for (int i = 0; i < nv; ++i)
      for (int j = i; j < nv; ++j) M[i * stride + j] = zero<T>();
    for (int i = 0; i < full_nv; ++i)
      for (int j = i; j < full_nv; ++j) {
        const int r = v_from[i], c = v_from[j];
        const T x = v_ratio[i] * v_ratio[j] * full[i * full_stride + j];
        (r <= c ? M[r * stride + c] : M[c * stride + r]) += x;
        if (r == c && i != j) M[r * stride + r] += x;  // stands for both (i, j) and (j, i)
      }
  }
  // Gᵀ C G
  template <class T>
  LISSOM_INLINE void gather_square(const T* full, int full_stride, T* C, int stride) const {
    for (int i = 0; i < nv; ++i)
      for (int j = 0; j < nv; ++j) C[i * stride + j] = zero<T>();
    for (int i = 0; i < full_nv; ++i)
      for (int j = 0; j < full_nv; ++j)
        C[v_from[i] * stride + v_from[j]] += v_ratio[i] * v_ratio[j] * full[i * full_stride + j];
  }
  // J G, columns of `height` numbers one after another
  template <class T>
  LISSOM_INLINE void gather_columns(const T* full, T* J, int height) const {
    for (int i = 0; i < nv * height; ++i) J[i] = zero<T>();
    for (int i = 0; i < full_nv; ++i)
      for (int k = 0; k < height; ++k) J[v_from[i] * height + k] += v_ratio[i] * full[i * height + k];
  }
};

}  // namespace lissom
