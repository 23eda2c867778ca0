#include "lissom/api/load.h"

#include <new>

#include "lissom/io/loops_file.h"
#include "lissom/io/read.h"
#include "lissom/model/printable.h"

namespace lissom {

namespace {

io::ReadOptions read_options(const LoadOptions& options) {
  io::ReadOptions reading;
  reading.package_paths = options.package_paths;
  reading.check_meshes = options.find_meshes;
  reading.xacro_arguments = options.xacro_arguments;
  reading.build = {options.base, options.mimic, options.axis_tolerance};
  return reading;
}

Model build_from(io::ReadResult&& result, const LoadOptions& options, std::vector<Diagnostic>* diagnostics) {
  if (!result.usable()) throw Error(std::move(result.diagnostics));
  if (!options.loops_file.empty()) io::read_loops(options.loops_file, result.description);
  if (diagnostics) *diagnostics = std::move(result.diagnostics);
  return build(result.description, read_options(options).build);
}

// Calls f, which builds the robot called `name`.
template <class F>
Model within_memory(const std::string& name, F f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    throw Error(printable(name) + ": there is not enough memory for this robot");
  }
}

}  // namespace

Model load(const std::string& path, const LoadOptions& options, std::vector<Diagnostic>* diagnostics) {
  return within_memory(path, [&] { return build_from(io::read(path, read_options(options)), options, diagnostics); });
}

Model load_text(std::string_view text, const std::string& file_name, const LoadOptions& options,
                std::vector<Diagnostic>* diagnostics) {
  return within_memory(file_name, [&] {
    return build_from(io::read_text(text, file_name, read_options(options)), options, diagnostics);
  });
}

}  // namespace lissom
