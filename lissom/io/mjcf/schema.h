#pragma once
// The elements and attributes of MJCF, as MuJoCo 4 knows them. Not for users.
#include <span>
#include <string_view>

namespace lissom::io::mjcf {

struct SchemaRow {
  std::string_view parent, tag;
  std::string_view attributes;  // separated by blanks
};
// Elements whose content lissom does not read (sensors, pictures, deformable bodies) have no rows below them.
std::span<const SchemaRow> schema();
// The attributes of such an element inside of an element called `parent`; empty if there is none.
std::string_view attributes_of(std::string_view parent, std::string_view tag);
bool has_attribute(std::string_view parent, std::string_view tag, std::string_view attribute);

}  // namespace lissom::io::mjcf
