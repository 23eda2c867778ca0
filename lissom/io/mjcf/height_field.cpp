// <hfield> in <asset>: ground given by heights over a grid, in the file, as PNG, or in MuJoCo's binary format.
#include <algorithm>
#include <filesystem>

#include "lissom/io/mjcf/parts.h"
#include "lissom/mesh/height_map.h"
#include "lissom/model/limits.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace {

// elevation="…": row by row as one looks at the ground, the top row at the largest y.
bool read_elevation(const Element& element, const Settings& s, mesh::HeightMap& map) {
  map.rows = s.integer("nrow", 0), map.columns = s.integer("ncol", 0);
  const auto count = std::size_t(std::max(map.rows, 0)) * std::size_t(std::max(map.columns, 0));
  if (map.rows < 2 || map.columns < 2 || count > limits::heights) {
    element.error("height-map",
                  "the height field has " + std::to_string(map.rows) + " rows and " + std::to_string(map.columns) +
                      " columns, expected at least 2 of each, and at most " + std::to_string(limits::heights) +
                      " heights",
                  "write nrow and ncol, or file");
    return false;
  }
  map.heights.assign(count, 0);
  if (!element.has("elevation")) return true;  // programs set the heights of such a field
  std::vector<double> written;
  if (const auto problem = parse_numbers(element.text("elevation"), written)) {
    element.error(problem->code, "attribute 'elevation': " + problem->message, problem->remedy);
    return false;
  }
  if (written.size() != count) {
    element.error(
        "number-count",
        "'elevation' has " + counted(written.size(), "number") + ", expected nrow · ncol = " + std::to_string(count),
        "write one height for each row and column");
    return false;
  }
  const auto columns = std::ptrdiff_t(map.columns), rows = std::ptrdiff_t(map.rows);
  for (std::ptrdiff_t row = 0; row < rows; ++row)
    std::copy_n(written.begin() + (rows - 1 - row) * columns, columns, map.heights.begin() + row * columns);
  return true;
}

bool read_height_file(const Element& element, const std::string& name, const ModelPart& model, Reading& reading,
                      mesh::HeightMap& map) {
  const auto folder = std::filesystem::path(model.folder) / model.compiler.mesh_folder;
  const std::string file = model.compiler.strip_path ? std::filesystem::path(name).filename().string() : name;
  if (!reading.options.check_meshes && !reading.options.read_includes) return false;
  bool outside = false;
  const std::string path = reading.sources.find(folder.string(), file, outside);
  if (path.empty()) {
    element.warning(outside ? "path-outside" : "height-map",
                    "the file " + in_quotes(file) + " of the height field " +
                        (outside ? "lies outside of the folder of the robot's file" : "is not found"),
                    "put it into the folder of the robot's file, or <compiler meshdir>");
    return false;
  }
  auto loaded = mesh::load_heights(path);
  for (const Diagnostic& d : loaded.findings) element.error(d.code, in_quotes(file) + ": " + d.message, d.remedy);
  map = std::move(loaded.map);
  return !map.heights.empty();
}

}  // namespace

bool may_add_uri(const std::string& uri, Reading& reading) {
  reading.uri_bytes += 2 * uri.size();  // it may be both shown and touched
  return reading.uri_bytes <= limits::mesh_bytes;
}

void read_height_field(const Element& element, const Settings& s, ModelPart& model, Reading& reading) {
  HeightFieldAsset field;
  const std::string file = s.string("file");
  std::string name(element.text("name"));
  if (name.empty()) name = std::filesystem::path(file).stem().string();
  NumberList n;
  const bool sized = s.numbers("size", 4, 4, n);
  if (!sized || !(n.value[0] > 0 && n.value[1] > 0 && n.value[2] > 0 && n.value[3] > 0)) {
    element.error(sized ? "shape-size" : "size-missing", "a height field needs 4 positive sizes",
                  "write size=\"…\": half lengths along x and y, the largest height, and the depth below 0");
  } else {
    field.size = {2 * n.value[0], 2 * n.value[1], n.value[2]};
    field.depth = n.value[3];
    mesh::HeightMap map;
    if (file.empty() ? read_elevation(element, s, map) : read_height_file(element, file, model, reading, map)) {
      mesh::normalize(map);  // as MuJoCo does
      field.uri = mesh::to_data_uri(map, name);
    }
  }
  if (!model.assets.height_fields.try_emplace(name, std::move(field)).second)
    element.error("name-duplicate", "another height field is called " + in_quotes(name), "rename one of them");
}

}  // namespace lissom::io::mjcf
