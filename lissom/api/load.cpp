#include "lissom/api/load.h"

#include <new>

#include "lissom/io/loops_file.h"
#include "lissom/io/read.h"
#include "lissom/model/printable.h"

namespace lissom {

namespace {

Model load_file(const std::string& path, const LoadOptions& options, std::vector<Diagnostic>* diagnostics) {
  io::ReadOptions reading;
  reading.package_paths = options.package_paths;
  reading.check_meshes = options.find_meshes;
  reading.build = {options.base, options.mimic, options.axis_tolerance};
  auto result = io::read(path, reading);
  if (!result.usable()) throw Error(std::move(result.diagnostics));
  if (!options.loops_file.empty()) io::read_loops(options.loops_file, result.description);
  if (diagnostics) *diagnostics = std::move(result.diagnostics);
  return build(result.description, reading.build);
}

}  // namespace

Model load(const std::string& path, const LoadOptions& options, std::vector<Diagnostic>* diagnostics) {
  try {
    return load_file(path, options, diagnostics);
  } catch (const std::bad_alloc&) {
    throw Error(printable(path) + ": there is not enough memory for this robot");
  }
}

}  // namespace lissom
