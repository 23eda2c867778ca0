#pragma once
// What rows of constraints are called: every row that can be violated has a name and a unit, so that messages and
// conflicts of programs can say which one it was.
#include <string>

namespace lissom {

struct RowLabel {
  std::string name;
  const char* unit = "";
};

/// The row that holds something along (axis 0 … 2) or about (3 … 5) an axis: "rod, along x" in m, "rod, about z" in
/// rad.
RowLabel axis_label(const std::string& held, int axis);

}  // namespace lissom
