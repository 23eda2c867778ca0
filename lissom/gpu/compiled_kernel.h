#pragma once
// From an algorithm and a robot to machine code: traced, written, compiled, or taken from the cache. No device is
// needed.
#include <functional>
#include <optional>
#include <string>

#include "lissom/gpu/compiler.h"
#include "lissom/gpu/device.h"
#include "lissom/gpu/kernel_source.h"
#include "lissom/gpu/stages.h"

namespace lissom::gpu {

/// Machine code beyond this is not fetched in time.
inline constexpr long max_code_bytes = 125'000;

/// Kernels of more operations than this are refused: compilers would take hours.
inline constexpr int max_operations = 60'000;

struct CompiledKernel {
  KernelSource source;
  KernelOptions options;
  std::string machine_code;
  KernelResources resources;
  bool from_cache = false;
};

/// Traces a stage, with signed constants or not (codegen::TraceOptions).
using Tracer = std::function<TracedStage(bool signed_constants)>;
/// A stage of an algorithm.
Tracer tracer(const Model& model, codegen::Algorithm algorithm, int stage = 0, codegen::TraceOptions options = {});

/// The source of a kernel, for given options.
KernelSource kernel_source(const Tracer& trace, const KernelOptions& options);

/// Compiles a kernel for an architecture such as "sm_90". Without options, those are taken that were fastest on
/// devices: code that is too large is written with equal limbs in loops. Throws an Error if the model has no
/// coordinates or the compiler fails.
CompiledKernel compile_kernel(const Tracer& trace, bool single_precision, const Compiler& compiler,
                              const std::string& architecture, const Cache& cache,
                              const std::optional<KernelOptions>& options = {});

}  // namespace lissom::gpu
