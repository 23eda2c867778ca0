#include "lissom/control/row_labels.h"

namespace lissom::control {

std::vector<NamedElement> degrees_of_freedom(const Model& model) {
  std::vector<NamedElement> all;
  for (const auto& joint : model.joints())
    if (joint.nv > 0) append_elements(all, joint.name, joint_traits(joint.type).v);
  return all;
}

RowLabel torque_label(const NamedElement& element) {
  return {"torque of " + element.name, effort_unit(element.quantity)};
}
RowLabel equation_label(const NamedElement& element) {
  return {"equation of motion of " + element.name, effort_unit(element.quantity)};
}
RowLabel acceleration_label(const NamedElement& element) {
  return {"acceleration of " + element.name, acceleration_unit(element.quantity)};
}

RowLabel task_label(const TaskEntry& task, int row, const std::vector<NamedElement>& degrees_of_freedom) {
  const bool linear = row < 3;
  struct Unit {
    bool linear;
    const char* operator()(const PointTask&) const { return "m/s²"; }
    const char* operator()(const FrameTask&) const { return linear ? "m/s²" : "rad/s²"; }
    const char* operator()(const CenterOfMassTask&) const { return "m/s²"; }
    const char* operator()(const MomentumTask&) const { return linear ? "N" : "N m"; }
    const char* operator()(const PostureTask&) const { return "rad/s²"; }
    const char* operator()(const TorqueTask&) const { return "N m"; }
    const char* operator()(const ForceTask&) const { return "N"; }
    const char* operator()(const GazeTask&) const { return "rad/s²"; }
    const char* operator()(const CustomTask&) const { return "units of the task / s²"; }
  };
  if (task.dofs.empty()) return {"task " + task.name, std::visit(Unit{linear}, task.task)};
  const auto& dof = degrees_of_freedom[std::size_t(task.dofs[std::size_t(row)])];
  return {"task " + task.name + ", " + dof.name, acceleration_unit(dof.quantity)};
}

}  // namespace lissom::control
