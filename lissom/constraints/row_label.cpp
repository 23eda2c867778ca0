#include "lissom/constraints/row_label.h"

namespace lissom {

RowLabel axis_label(const std::string& constrained, int axis) {
  constexpr const char* names[] = {"along x", "along y", "along z", "about x", "about y", "about z"};
  return {constrained + ", " + names[axis], axis < 3 ? "m" : "rad"};
}

const char* force_unit(const RowLabel& label) {
  return label.unit == std::string_view("m") ? "N" : "N m";
}

}  // namespace lissom
