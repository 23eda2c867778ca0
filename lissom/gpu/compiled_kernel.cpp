#include "lissom/gpu/compiled_kernel.h"

#include "lissom/gpu/cubin.h"
#include "lissom/model/diagnostic.h"

namespace lissom::gpu {
namespace {

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
  const auto program = trace(options.roll_limbs);
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
  if (options) return with(*options);
  // (Of a program that is far too large, compiling the straight version would only take time.)
  const bool far_too_large = trace(false).counts().arithmetic() > 12'000;
  if (far_too_large && !kernel_source(trace, {.single_precision = single_precision, .roll_limbs = true}).loops.empty())
    return with({.single_precision = single_precision, .roll_limbs = true});
  auto straight = with({.single_precision = single_precision});
  if (straight.resources.code_bytes <= max_code_bytes) return straight;
  KernelOptions in_loops{.single_precision = single_precision, .roll_limbs = true};
  if (!single_precision) in_loops.tile = in_loops.repeat_sincos = true, in_loops.min_blocks = 2;
  auto rolled = with(in_loops);
  return rolled.source.loops.empty() || rolled.resources.code_bytes >= straight.resources.code_bytes ? straight
                                                                                                     : rolled;
}

}  // namespace lissom::gpu
