#pragma once
// One <geometry> of COLLADA. Not installed.
#include <cstddef>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "lissom/mesh/reading.h"

namespace lissom::mesh {

// Converts offsets in a text to lines.
class LineStarts {
 public:
  explicit LineStarts(std::string_view text);
  int line(std::ptrdiff_t offset) const;  // from 1; 0 for a negative offset
  int line(const pugi::xml_node& node) const { return line(node.offset_debug()); }

 private:
  std::vector<std::size_t> starts_;
};

// Adds the vertices and polygons of a geometry to the mesh, which has to be empty.
bool read_dae_geometry(Reading& reading, const LineStarts& lines, const pugi::xml_node& geometry);

}  // namespace lissom::mesh
