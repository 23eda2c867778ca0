#include "lissom/io/find_meshes.h"

#include <filesystem>

#include "lissom/files/data_uri.h"
#include "lissom/io/package_path.h"

namespace lissom::io {

bool find_meshes(Description& description, const std::vector<std::string>& package_paths) {
  FileFinder files(package_paths, description.file);
  bool changed = false;
  for (auto& link : description.links)
    for (auto* const list : {&link.visuals, &link.collisions})
      for (auto& geometry : *list) {
        auto& shape = geometry.shape;
        std::error_code ignored;
        if (shape.kind != Shape::Kind::mesh || is_data_uri(shape.file) ||
            std::filesystem::is_regular_file(shape.path, ignored))
          continue;
        const auto& path = files.find(shape.file);
        changed |= path != shape.path;
        shape.path = path;
      }
  return changed;
}

Model with_meshes(const Model& model, const std::vector<std::string>& package_paths) {
  auto description = model.description();
  return find_meshes(description, package_paths) ? build(description, model.options()) : model;
}

}  // namespace lissom::io
