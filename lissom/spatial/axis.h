#pragma once
// Coordinate axes at compile time. Formulas for an axis are written once, for z; for the others the letters are cycled:
// as_z<A>(v) renames the components so that axis A is called z, from_z<A>(v) names them back. Renaming costs nothing.
#include "lissom/math/sym3.h"

namespace lissom {

enum class Axis { x, y, z };

template <Axis A, class T>
LISSOM_INLINE Vec3<T> as_z(const Vec3<T>& v) {
  if constexpr (A == Axis::x)
    return {v.y, v.z, v.x};
  else if constexpr (A == Axis::y)
    return {v.z, v.x, v.y};
  else
    return v;
}
template <Axis A, class T>
LISSOM_INLINE Mat3<T> as_z(const Mat3<T>& m) {
  if constexpr (A == Axis::x)
    return {m.yy, m.yz, m.yx, m.zy, m.zz, m.zx, m.xy, m.xz, m.xx};
  else if constexpr (A == Axis::y)
    return {m.zz, m.zx, m.zy, m.xz, m.xx, m.xy, m.yz, m.yx, m.yy};
  else
    return m;
}
template <Axis A, class T>
LISSOM_INLINE Sym3<T> as_z(const Sym3<T>& m) {
  if constexpr (A == Axis::x)
    return {m.yy, m.yz, m.xy, m.zz, m.xz, m.xx};
  else if constexpr (A == Axis::y)
    return {m.zz, m.xz, m.yz, m.xx, m.xy, m.yy};
  else
    return m;
}
/// as_z<back<A>> is the inverse of as_z<A>: cycling three letters twice undoes cycling them once.
template <Axis A>
inline constexpr Axis back = A == Axis::x   ? Axis::y
                             : A == Axis::y ? Axis::x
                                            : Axis::z;
template <Axis A, class V>
LISSOM_INLINE V from_z(const V& v) {
  return as_z<back<A>>(v);
}

template <Axis A, class T>
LISSOM_INLINE T along(const Vec3<T>& v) {
  return as_z<A>(v).z;
}

}  // namespace lissom
