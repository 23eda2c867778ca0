#pragma once
// How kernels of a graphics card are written; kernel_source.h says what decides on their speed.
#include <cstddef>

namespace lissom::gpu {

/// How a kernel is written. compile_kernel() chooses what was fastest on devices.
struct KernelOptions {
  bool single_precision = true;
  int threads = 128;           ///< per block; a multiple of 32
  int min_blocks = 1;          ///< that shall fit on a multiprocessor: limits the registers of a thread
  bool roll_limbs = false;     ///< equal limbs in loops, where that is possible
  bool tile = false;           ///< inputs come through shared memory
  bool repeat_sincos = false;  ///< sines and cosines are computed again in the last pass
  bool synchronize = false;    ///< threads of a block wait for each other between limbs, to share fetched code
  std::size_t max_factor_bytes = 100'000;  ///< of shared memory, for the factors of a ColumnSolve
};

}  // namespace lissom::gpu
