#pragma once
#include "lissom/math/lanes.h"

namespace lissom::contact {

/// Rows of plain numbers are padded to whole blocks of 64 bytes, so that no loop over them has a remainder. Lanes fill
/// registers by themselves.
template <class T>
constexpr int padded(int n) {
  if constexpr (is_packable<T>) {
    constexpr int block = 64 / int(sizeof(T));
    return (n + block - 1) / block * block;
  } else {
    return n;
  }
}

}  // namespace lissom::contact
