#pragma once
// Arrays of doubles for kernels.h, and what is asked of them. Not for users.
#include <bit>
#include <cstdint>

#include "lissom/math/aligned_memory.h"

namespace lissom::qp {

using Numbers = AlignedMemory<double>;

// Whether all elements are zero. (Compilers vectorize the comparison of bits.)
inline bool all_zero(const double* begin, const double* end) {
  std::uint64_t any = 0;
  for (; begin < end; ++begin) any |= std::bit_cast<std::uint64_t>(*begin) << 1;  // without the sign
  return any == 0;
}

}  // namespace lissom::qp
