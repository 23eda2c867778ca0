// What the reader of generated code is told about the robot.
#include "lissom/codegen/emit.h"
#include "lissom/model/joint_traits.h"
#include "lissom/model/text.h"

namespace lissom::codegen {
namespace {

// "  q[7]      'left_hip' (rad)"
template <class Component>
void add_elements(std::vector<std::string>& lines, const char* vector, int first, const Joint& joint,
                  std::span<const Component> components, auto unit) {
  for (std::size_t k = 0; k < components.size(); ++k) {
    auto index = std::string(vector) + "[" + std::to_string(first + int(k)) + "]";
    index.resize(std::max<std::size_t>(index.size() + 1, 8), ' ');
    const std::string part = components[k].name;
    lines.push_back("  " + index + in_quotes(joint.name) + (part.empty() ? "" : " " + part) + " (" +
                    unit(components[k].quantity) + ")");
  }
}

std::string counts_of(const Program& program) {
  const auto n = program.counts();
  auto text = std::to_string(n.multiplications) + " multiplications, " + std::to_string(n.additions) + " additions";
  const auto add = [&](int count, const char* noun) {
    if (count > 0) text += ", " + counted(std::size_t(count), noun);
  };
  add(n.divisions, "division");
  add(n.square_roots, "square root");
  add(n.arc_tangents, "arc tangent");
  add(n.selections, "selection");
  if (n.sincos > 0) text += ", sine and cosine of " + counted(std::size_t(n.sincos), "angle");
  return text;
}

}  // namespace

std::vector<std::string> description_of(const Model& model, std::span<const Program> programs) {
  std::vector<std::string> lines = {
      "Dynamics of the robot " + in_quotes(model.name()) + ", written by lissom " LISSOM_VERSION ".",
      "Not to be edited: generate it again from the robot's file instead.", "",
      "nq = " + std::to_string(model.nq()) + " elements of q, nv = " + std::to_string(model.nv()) +
          " elements of v, in SI units:"};
  for (const auto& joint : model.joints())
    if (joint.nq > 0)
      add_elements(lines, "q", joint.q_index, joint, joint_traits(joint.type).q,
                   [](Quantity quantity) { return position_unit(quantity); });
  for (const auto& joint : model.joints())
    if (joint.nv > 0)
      add_elements(lines, "v", joint.v_index, joint, joint_traits(joint.type).v,
                   [](Quantity quantity) { return rate_unit(quantity); });
  lines.push_back(
      "Quaternions in q must have norm 1. Velocities of spherical, planar and free joints are in the frame of");
  lines.push_back("their child. Inputs and outputs must not overlap.");
  lines.push_back("");
  for (const auto& program : programs) lines.push_back(program.algorithm + ": " + counts_of(program));
  return lines;
}

}  // namespace lissom::codegen
