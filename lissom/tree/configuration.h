#pragma once
// q with the sines and cosines of all joint angles, computed at once: that is ten times cheaper than one by one.
#include "lissom/math/sincos.h"
#include "lissom/tree/array.h"
#include "lissom/tree/tree.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct Configuration {
  Array<T> sin, cos;  ///< indexed as q
  const T* q = nullptr;

  explicit Configuration(int nq) : sin(std::size_t(nq + padding)), cos(std::size_t(nq + padding)) {}
};

/// Computes sin(q + δ) and cos(q + δ) for the frames that are rotated by δ about their own joint's axis. Adding δ to q
/// instead would round a huge angle.
template <class T, class Real>
LISSOM_INLINE void rotate_frames(const Tree<Real>& tree, Configuration<T>& at) {
  for (const auto& frame : tree.rotated_frames) {
    const T sin = at.sin[frame.q], cos = at.cos[frame.q];
    at.sin[frame.q] = frame.cos * sin + frame.sin * cos;
    at.cos[frame.q] = frame.cos * cos - frame.sin * sin;
  }
}

/// Computes sines and cosines one angle after another.
template <class T, class Real>
LISSOM_INLINE void configure_one_by_one(const Tree<Real>& tree, Configuration<T>& at, const T* q) {
  for (const int i : tree.angles) {
    const auto a = sincos(tree.signs[i] * q[i]);
    at.sin[i] = a.sin;
    at.cos[i] = a.cos;
  }
  rotate_frames(tree, at);
}

/// Sets the configuration to q, for any scalar type.
template <class T, class Real>
LISSOM_INLINE void configure(const Tree<Real>& tree, Configuration<T>& at, const T* q) {
  at.q = q;
  configure_one_by_one(tree, at, q);
}

/// The same for robots in lanes: the angles are checked for huge ones once.
template <class S, int N>
LISSOM_INLINE void configure(const Tree<S>& tree, Configuration<Lanes<S, N>>& at, const Lanes<S, N>* q) {
  at.q = q;
  auto largest = zero<Lanes<S, N>>();
  for (const int i : tree.angles) largest = select(abs(q[i]) > largest, abs(q[i]), largest);
  if (any(is_huge(largest))) [[unlikely]]
    return configure_one_by_one(tree, at, q);
  for (const int i : tree.angles) {
    const auto a = quick_sincos(tree.signs[i] * q[i]);
    at.sin[i] = a.sin;
    at.cos[i] = a.cos;
  }
  rotate_frames(tree, at);
}

/// The same for one robot: its angles fill the lanes. Elements between them that are not angles do no harm.
template <Packable T>
LISSOM_INLINE void configure(const Tree<T>& tree, Configuration<T>& at, const T* q) {
  at.q = q;
  constexpr int width = natural_lanes<T>;
  using L = Lanes<T, width>;
  const int first = tree.first_angle, end = tree.end_angle;
  if (end - first < width) return configure_one_by_one(tree, at, q);
  const auto block = [&](int i) {
    const auto a = sincos(L::load(q + i) * L::load(&tree.signs[i]));
    a.sin.store(&at.sin[i]);
    a.cos.store(&at.cos[i]);
  };
  int i = first;
  for (; i + width <= end; i += width) block(i);
  if (i < end) block(i + width <= tree.nq ? i : end - width);  // at the end of q, the last blocks overlap
  rotate_frames(tree, at);
}

/// The configuration for q, computed now; or one that was computed before.
template <class T, class Real>
LISSOM_INLINE const Configuration<T>& configured(const Tree<Real>& tree, Configuration<T>& at, const T* q) {
  configure(tree, at, q);
  return at;
}
template <class T, class Real>
LISSOM_INLINE const Configuration<T>& configured(const Tree<Real>&, Configuration<T>&, const Configuration<T>& made) {
  return made;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
