#pragma once
// Casts between plain numbers and the scalars T of a table: `width` numbers side by side are one T.
#include "lissom/math/mat3.h"
#include "lissom/spatial/force.h"
#include "lissom/tree/array.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct LanesCast {
  using S = Number<T>;
  static const T* lanes(const S* x) { return reinterpret_cast<const T*>(x); }
  static T* lanes(S* x) { return reinterpret_cast<T*>(x); }
  static const S* numbers(const void* x) { return static_cast<const S*>(x); }
  static const Vec3<T>& vec3(const S* x) { return *reinterpret_cast<const Vec3<T>*>(x); }
  static const Mat3<T>& mat3(const S* x) { return *reinterpret_cast<const Mat3<T>*>(x); }
  static const Force<T>* forces(const S* x) { return reinterpret_cast<const Force<T>*>(x); }
};

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
