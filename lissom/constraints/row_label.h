#pragma once
// Labels of constraint rows: every row that can be violated has a name and a unit, so that messages and conflicts of
// programs can tell which one it was.
#include <string>

namespace lissom {

/// The name and unit of a row.
struct RowLabel {
  std::string name;
  const char* unit = "";
};

/// The label of a row that constrains something along (axis 0 … 2) or about (3 … 5) an axis: "rod, along x" in m,
/// "rod, about z" in rad.
RowLabel axis_label(const std::string& constrained, int axis);
/// The unit of the force that is conjugate to a row: N for a row in m, N m for one in rad.
const char* force_unit(const RowLabel& label);

}  // namespace lissom
