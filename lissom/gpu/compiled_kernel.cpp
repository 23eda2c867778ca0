#include "lissom/gpu/compiled_kernel.h"

#include <algorithm>

#include "lissom/gpu/cubin.h"
#include "lissom/model/diagnostic.h"

namespace lissom::gpu {
namespace {

// The shared memory that a block of threads can have, by architecture ("sm_90"), from the CUDA programming guide; what
// every device has where it is not known.
std::size_t max_shared_bytes(const std::string& architecture) {
  for (const auto& [name, kilobytes] : {std::pair("sm_75", 64),
                                        {"sm_80", 163},
                                        {"sm_86", 99},
                                        {"sm_87", 163},
                                        {"sm_89", 99},
                                        {"sm_90", 227},
                                        {"sm_100", 227},
                                        {"sm_103", 227},
                                        {"sm_120", 99}})
    if (architecture == name) return std::size_t(kilobytes) * 1024;
  return 48 * 1024;
}

CompiledKernel compile(const Tracer& trace, const KernelOptions& options, const Compiler& compiler,
                       const std::string& architecture, const Cache& cache) {
  CompiledKernel kernel{
      .source = kernel_source(trace, options), .options = options, .machine_code = {}, .resources = {}};
  kernel.machine_code =
      compiler.compile(kernel.source.text, kernel.source.name, architecture, cache, &kernel.from_cache);
  kernel.resources = resources_of(kernel.machine_code, kernel.source.name);
  return kernel;
}

}  // namespace

Tracer tracer(const Model& model, codegen::Algorithm algorithm, int stage, codegen::TraceOptions options) {
  return [=](bool signed_constants) {
    auto with_signs = options;
    with_signs.signed_constants = signed_constants;
    return std::move(trace_stages(model, algorithm, with_signs).at(std::size_t(stage)));
  };
}

KernelSource kernel_source(const Tracer& trace, const KernelOptions& options) {
  const auto [program, solve] = trace(options.roll_limbs);
  if (solve)
    return kernel_source(*solve, program.algorithm,
                         fastest_options(*solve, options.single_precision, options.max_factor_bytes));
  if (const int count = program.counts().arithmetic(); count > max_operations)
    throw Error(program.algorithm + " takes " + std::to_string(count) +
                " operations for this robot, expected at most " + std::to_string(max_operations) +
                " in a kernel; compute it on the processor (lissom::batch)");
  return kernel_source(program, options);
}

CompiledKernel compile_kernel(const Tracer& trace, bool single_precision, const Compiler& compiler,
                              const std::string& architecture, const Cache& cache,
                              const std::optional<KernelOptions>& options) {
  const auto with = [&](const KernelOptions& chosen) { return compile(trace, chosen, compiler, architecture, cache); };
  const auto fits = [&](const KernelOptions& chosen) {
    return !chosen.tile || kernel_source(trace, chosen).shared_bytes <= max_shared_bytes(architecture);
  };
  if (options) return with(*options);
  const auto stage = trace(false);
  if (stage.solve) {
    KernelOptions solving{.single_precision = single_precision};
    solving.max_factor_bytes = std::min(solving.max_factor_bytes, max_shared_bytes(architecture));
    return with(solving);
  }
  // (Of a program that is far too large, compiling the straight version would only take time.)
  const bool far_too_large = stage.program.counts().arithmetic() > 12'000;
  if (far_too_large && !kernel_source(trace, {.single_precision = single_precision, .roll_limbs = true}).loops.empty())
    return with({.single_precision = single_precision, .roll_limbs = true});
  auto straight = with({.single_precision = single_precision});
  if (straight.resources.code_bytes <= max_code_bytes) {
    // More threads hide the time that memory takes, where their registers suffice; in double, shared memory does. (On
    // an H200, rnea of a humanoid: 5.5 instead of 4.2·10⁹ per second in float, 2.8 instead of 1.8·10⁹ in double.)
    KernelOptions crowded{.single_precision = single_precision, .min_blocks = 4};
    if (!single_precision) crowded.min_blocks = 2, crowded.tile = true;
    if (straight.resources.local_bytes > (single_precision ? 0 : 512)) return straight;
    if (!fits(crowded)) return straight;
    auto more_threads = with(crowded);
    return more_threads.resources.local_bytes > straight.resources.local_bytes ? straight : more_threads;
  }
  KernelOptions in_loops{.single_precision = single_precision, .roll_limbs = true};
  if (!single_precision) in_loops.tile = in_loops.repeat_sincos = true, in_loops.min_blocks = 2;
  if (!fits(in_loops)) in_loops.tile = false, in_loops.min_blocks = 1;
  auto rolled = with(in_loops);
  return rolled.source.loops.empty() || rolled.resources.code_bytes >= straight.resources.code_bytes ? straight
                                                                                                     : rolled;
}

}  // namespace lissom::gpu
