#pragma once
// How formats call joint types: readers and writers share these tables. A type that a table does not have is written as
// its parts (split_parts).
#include <algorithm>
#include <span>
#include <string_view>

#include "lissom/model/joint_traits.h"

namespace lissom::io {

struct TypeName {
  std::string_view name;
  JointType type;
};

inline constexpr TypeName urdf_type_names[] = {
    {"revolute", JointType::revolute}, {"continuous", JointType::continuous}, {"prismatic", JointType::prismatic},
    {"fixed", JointType::fixed},       {"floating", JointType::free},         {"planar", JointType::planar},
};
inline constexpr TypeName sdf_type_names[] = {
    {"revolute", JointType::revolute},   {"continuous", JointType::continuous}, {"prismatic", JointType::prismatic},
    {"fixed", JointType::fixed},         {"ball", JointType::spherical},        {"universal", JointType::universal},
    {"revolute2", JointType::universal}, {"screw", JointType::helical},         {"gearbox", JointType::fixed}};

// The first name of a type; empty if the format does not have it.
constexpr std::string_view format_name(JointType type, std::span<const TypeName> names) {
  const auto found = std::ranges::find(names, type, &TypeName::type);
  return found == names.end() ? std::string_view() : found->name;
}

}  // namespace lissom::io
