#pragma once
// From an algorithm and a robot to machine code: traced, written, compiled, or taken from the cache. No device is
// needed.
#include <optional>
#include <string>

#include "lissom/codegen/trace.h"
#include "lissom/gpu/compiler.h"
#include "lissom/gpu/device.h"
#include "lissom/gpu/kernel_source.h"

namespace lissom::gpu {

/// Machine code beyond this is not fetched in time.
inline constexpr long max_code_bytes = 120'000;

struct CompiledKernel {
  KernelSource source;
  KernelOptions options;
  std::string machine_code;
  KernelResources resources;
  bool from_cache = false;
};

/// The source of a kernel, for given options.
KernelSource kernel_source(const Model& model, codegen::Algorithm algorithm, const codegen::TraceOptions& trace,
                           const KernelOptions& options);

/// Compiles a kernel for an architecture such as "sm_90". Without options, those are taken that were fastest on
/// devices: code that is too large is written with equal limbs in loops. Throws an Error if the model has no
/// coordinates or the compiler fails.
CompiledKernel compile_kernel(const Model& model, codegen::Algorithm algorithm, const codegen::TraceOptions& trace,
                              bool single_precision, const Compiler& compiler, const std::string& architecture,
                              const Cache& cache, const std::optional<KernelOptions>& options = {});

}  // namespace lissom::gpu
