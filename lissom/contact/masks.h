#pragma once
// Logic on the results of comparisons: bool for one world, a mask for lanes. (`&` of two bools would be an int.)
#include "lissom/math/lanes.h"

namespace lissom::contact {

LISSOM_INLINE bool both(bool a, bool b) {
  return a && b;
}
LISSOM_INLINE bool either(bool a, bool b) {
  return a || b;
}
LISSOM_INLINE bool negation(bool a) {
  return !a;
}
template <class Mask>
  requires(!std::is_same_v<Mask, bool>)
LISSOM_INLINE Mask both(Mask a, Mask b) {
  return a & b;
}
template <class Mask>
  requires(!std::is_same_v<Mask, bool>)
LISSOM_INLINE Mask either(Mask a, Mask b) {
  return a | b;
}
template <class Mask>
  requires(!std::is_same_v<Mask, bool>)
LISSOM_INLINE Mask negation(Mask a) {
  return ~a;
}

template <class T>
LISSOM_INLINE T larger(T a, T b) {
  return select(a > b, a, b);
}
template <class T>
LISSOM_INLINE T smaller(T a, T b) {
  return select(a < b, a, b);
}

LISSOM_INLINE int smaller(int a, int b) {
  return a < b ? a : b;
}

}  // namespace lissom::contact
