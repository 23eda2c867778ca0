#pragma once
// Names and units of the rows and bounds of a tick's program, but for those of contacts and loops. Not for users.
#include "lissom/constraints/row_label.h"
#include "lissom/control/task_rows.h"
#include "lissom/model/joint_traits.h"

namespace lissom::control {

// An element of q or v: "elbow", "base[3]".
struct NamedElement {
  std::string name;
  Quantity quantity;
};
// Appends those of a joint. The components are those of joint_traits, of its q or of its v.
template <class Components>
void append_elements(std::vector<NamedElement>& to, const std::string& joint, const Components& components) {
  for (std::size_t i = 0; i < components.size(); ++i)
    to.push_back({components.size() == 1 ? joint : joint + "[" + std::to_string(i) + "]", components[i].quantity});
}
// The elements of v.
std::vector<NamedElement> degrees_of_freedom(const Model& model);

RowLabel torque_label(const NamedElement& element);
RowLabel equation_label(const NamedElement& element);
RowLabel acceleration_label(const NamedElement& element);
// The label of one row of a task: "task hand" in m/s² or rad/s². A task about momentum has a force or a moment.
RowLabel task_label(const TaskEntry& task, int row, const std::vector<NamedElement>& degrees_of_freedom);

}  // namespace lissom::control
