#pragma once
// Random numbers that are the same everywhere: the distributions of the standard library differ between libraries.

namespace lissom {

/// Uniform in [0, 1), from a generator of 64 random bits such as std::mt19937_64.
template <class Generator>
double uniform01(Generator& generator) {
  return double(generator() >> 11) * 0x1p-53;
}

}  // namespace lissom
