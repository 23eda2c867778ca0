#pragma once
// Random numbers that are the same everywhere: the distributions of the standard library differ between libraries.
#include <cstdint>

namespace lissom {

/// Uniform in [0, 1), from 64 random bits as std::mt19937_64 gives them.
inline double uniform01(std::uint64_t bits) {
  return double(bits >> 11) * 0x1p-53;
}

}  // namespace lissom
