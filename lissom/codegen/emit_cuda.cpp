// The statements of a program for a GPU.
#include "lissom/codegen/emit.h"

namespace lissom::codegen {

CudaText emit_cuda(const Program& program, const CudaOptions& options) {
  const auto order = schedule(program);
  const Layout layout(program, order, {.operations_per_part = 0, .sincos_first = false});
  WriterOptions writer_options;
  writer_options.language = Language::cuda;
  writer_options.save_for_last_pass = options.save_for_last_pass;
  writer_options.recompute_sincos = options.recompute_sincos;
  BodyWriter writer(program, order, layout, writer_options);
  CudaText text;
  for (const auto& line : writer.part(0)) text.body += line + "\n";
  text.saved = writer.saved_count();
  return text;
}

}  // namespace lissom::codegen
