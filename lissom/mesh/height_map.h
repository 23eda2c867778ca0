#pragma once
// Heights over a grid, from files: PNG, and MuJoCo's binary format. What is wrong with a file is a finding; nothing is
// thrown because of content.
#include <string>
#include <string_view>
#include <vector>

#include "lissom/mesh/triangle_mesh.h"
#include "lissom/model/description.h"
#include "lissom/model/diagnostic.h"
#include "lissom/model/limits.h"

namespace lissom::mesh {

/// Heights row by row, as HeightField has them: columns along x, rows along y, the first one at the lowest x and y.
struct HeightMap {
  int columns = 0, rows = 0;
  std::vector<double> heights;
};

struct LoadedHeights {
  HeightMap map;                     ///< empty if the file cannot be used
  std::vector<Diagnostic> findings;  ///< codes begin with "height-"

  bool ok() const { return !map.heights.empty(); }
};

/// Reads a file or a data URI. Of PNG, heights are 0 (black) to 1, and the top row has the largest y; MuJoCo's format
/// is two integers, rows and columns, and then heights of type float.
LoadedHeights load_heights(const std::string& path, std::size_t max_heights = limits::heights);
/// The same from memory; `name` stands for the file in findings.
LoadedHeights load_heights_bytes(std::string_view bytes, const std::string& name,
                                 std::size_t max_heights = limits::heights);

/// Moves the lowest height to 0, and scales the highest one to 1; flat ground becomes 0.
struct HeightRange {
  double lowest = 0, range = 0;  ///< as they were
};
HeightRange normalize(HeightMap& map);

/// The same in MuJoCo's format, as a data URI: what a Shape of kind height_field has as its file.
std::string to_data_uri(const HeightMap& map, std::string_view name);

/// The same as an image, as PNG with 16 bits for each height: those beyond 0 and 1 are cut off.
std::string to_png(const HeightMap& map);

/// The upper surface of a height field, for pictures, with the diagonals of HeightField. Empty if its heights cannot be
/// read.
TriangleMesh height_surface(const Shape& shape);

}  // namespace lissom::mesh
