#include "lissom/gpu/kernel_source.h"

#include <sstream>

#include "lissom/gpu/kernel_prelude.h"
#include "lissom/gpu/kernel_writer.h"

namespace lissom::gpu {
namespace {

// The tiles of all inputs, and how many rows they have together.
int write_tiles(std::ostream& out, const codegen::Program& program, const KernelWriter& writer) {
  int rows = 0;
  for (const auto& field : program.inputs) {
    const auto [first, count] = writer.rows_read(field);
    if (is_scalar(field) || count == 0) continue;
    out << "  copy_rows(shared + " << rows << " * THREADS, row(" << field.name << ", " << field.name << "_pitch, "
        << first << "), " << field.name << "_pitch, " << count << ", first, count);\n";
    rows += count;
  }
  out << "  wait_for_rows();\n";
  return rows;
}
void write_tile_pointers(std::ostream& out, const codegen::Program& program, const KernelWriter& writer) {
  int rows = 0;
  for (const auto& field : program.inputs) {
    const auto [first, count] = writer.rows_read(field);
    if (is_scalar(field) || count == 0) continue;
    out << "  const Real* const " << field.name << "_tile = shared + " << rows << " * THREADS + (robot - first);\n";
    rows += count;
  }
}

void write_parameters(std::ostream& out, const std::vector<KernelArray>& arrays) {
  for (const auto& array : arrays)
    if (array.scalar)
      out << "Real " << array.name << ", ";
    else
      out << (array.output ? "" : "const ") << "Real* __restrict__ " << array.name << ", int " << array.name
          << "_pitch, ";
  out << "int count";
}

}  // namespace

std::string kernel_head(const std::string& meaning, bool single_precision, int threads) {
  return "// " + meaning + ". Written by lissom.\ntypedef " + (single_precision ? "float" : "double") + " Real;\n" +
         (single_precision ? "#define LISSOM_SINGLE\n" : "") + "#define THREADS " + std::to_string(threads) + "\n" +
         kernel_prelude;
}
std::string kernel_signature(const KernelSource& source, int min_blocks) {
  std::ostringstream out;
  out << "\nextern \"C\" __global__ void __launch_bounds__(" << source.threads << ", " << min_blocks << ")\n"
      << source.name << "(";
  write_parameters(out, source.arrays);
  out << ")";
  return out.str();
}

KernelSource kernel_source(const codegen::Program& program, const KernelOptions& options) {
  KernelSource source{.name = "lissom_" + program.algorithm,
                      .text = {},
                      .arrays = {},
                      .threads = options.threads,
                      .robots = options.threads,
                      .loops = {}};
  KernelWriter writer(program, options);
  const auto statements = writer.statements();
  for (const auto& field : program.inputs) source.arrays.push_back({field.name, field.count, false, is_scalar(field)});
  for (const auto& field : program.outputs) source.arrays.push_back({field.name, field.count, true, false});
  for (const auto& loop : writer.loops()) {
    auto& names = source.loops.emplace_back();
    for (const int limb : loop.limbs) names.push_back(program.limbs[std::size_t(limb)].name);
  }

  std::ostringstream out;
  out << kernel_head(program.meaning + "; one thread for each robot", options.single_precision, options.threads)
      << (options.tile ? tile_prelude : "") << "\n"
      << writer.tables() << kernel_signature(source, options.min_blocks)
      << " {\n  const int first = blockIdx.x * THREADS;\n";
  int rows = 0;
  if (options.tile) {
    out << "  extern __shared__ __align__(16) char shared_bytes[];\n  Real* const shared = (Real*)shared_bytes;\n";
    rows = write_tiles(out, program, writer);
  }
  source.shared_bytes = std::size_t(rows) * std::size_t(options.threads) * (options.single_precision ? 4 : 8);
  // Where threads wait for each other, those beyond the last robot compute the last one, too.
  out << (options.synchronize ? "  const int robot = min(first + (int)threadIdx.x, count - 1);\n"
                              : "  const int robot = first + threadIdx.x;\n  if (robot >= count) return;\n");
  if (options.tile) write_tile_pointers(out, program, writer);
  for (const auto& array : source.arrays)
    if (!array.scalar && (array.output || !options.tile)) out << "  " << array.name << " += robot;\n";
  out << statements << "}\n";
  source.text = out.str();
  return source;
}

}  // namespace lissom::gpu
