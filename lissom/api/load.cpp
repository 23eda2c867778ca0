#include "lissom/api/load.h"

#include "lissom/io/urdf.h"

namespace lissom {

Model load(const std::string& path, const LoadOptions& options, std::vector<Diagnostic>* diagnostics) {
  io::ReadOptions reading;
  reading.package_paths = options.package_paths;
  reading.check_meshes = options.find_meshes;
  auto result = io::read_urdf(path, reading);
  if (!result.usable()) throw Error(std::move(result.diagnostics));
  if (diagnostics) *diagnostics = std::move(result.diagnostics);
  return build(result.description, {options.base, options.mimic, options.axis_tolerance});
}

}  // namespace lissom
