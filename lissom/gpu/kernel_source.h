#pragma once
// CUDA source for an algorithm and a robot: one thread computes one robot, without branches, limb by limb. Arrays have
// a row per element and a column per robot, so that neighboring threads read neighboring numbers.
//
// What decides on speed (measured on an H200, docs/gpu.md): machine code beyond about 120 KB is not fetched in time, so
// equal limbs are computed in a loop then; values that live from limb to limb should fit into the registers; in double,
// where they do not, inputs come through shared memory, and sines and cosines are computed twice instead of kept.
#include <cstddef>
#include <string>
#include <vector>

#include "lissom/codegen/program.h"
#include "lissom/gpu/kernel_options.h"

namespace lissom::gpu {

/// An array that a kernel reads or writes.
struct KernelArray {
  std::string name;
  int rows = 0;  ///< elements per robot
  bool output = false;
  bool scalar = false;  ///< one number for all robots, passed by value
};

struct KernelSource {
  std::string name, text;
  /// In the order of the kernel's arguments. An array takes two: its address, and the distance between rows in bytes
  /// (int: one instruction makes an address of it). The number of robots (int) is the last argument.
  std::vector<KernelArray> arrays;
  int threads = 0;  ///< of a block
  int robots = 0;   ///< that a block computes
  std::size_t shared_bytes = 0;
  std::vector<std::vector<std::string>> loops;  ///< the names of the limbs of each loop
};

/// What all kernels begin with: precision, number of threads of a block, functions.
std::string kernel_head(const std::string& meaning, bool single_precision, int threads);
/// Declares the kernel, with its arguments.
std::string kernel_signature(const KernelSource& source, int min_blocks);

/// A program with `roll_limbs` shall be traced with signed constants (TraceOptions): otherwise limbs that mirror each
/// other are not equal.
KernelSource kernel_source(const codegen::Program& program, const KernelOptions& options);

}  // namespace lissom::gpu
