#include "lissom/constraints/row_label.h"

namespace lissom {

RowLabel axis_label(const std::string& held, int axis) {
  constexpr const char* names[] = {"along x", "along y", "along z", "about x", "about y", "about z"};
  return {held + ", " + names[axis], axis < 3 ? "m" : "rad"};
}

}  // namespace lissom
