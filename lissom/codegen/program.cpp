#include "lissom/codegen/program.h"

#include <limits>
#include <utility>

#include "lissom/model/diagnostic.h"

namespace lissom::codegen {

std::vector<NodeId> Program::add_input(std::string name, std::span<const int> element_limbs, std::string text) {
  std::vector<NodeId> nodes;
  inputs.push_back({std::move(name), int(element_limbs.size()), input_count(), std::move(text)});
  for (const int limb : element_limbs) {
    nodes.push_back(graph.input(std::uint32_t(input_count())));
    input_limb.push_back(limb);
  }
  return nodes;
}

void Program::add_output(std::string name, std::span<const NodeId> nodes, std::span<const int> element_limbs,
                         std::string text) {
  outputs.push_back({std::move(name), int(nodes.size()), int(results.size()), std::move(text)});
  results.insert(results.end(), nodes.begin(), nodes.end());
  output_limb.insert(output_limb.end(), element_limbs.begin(), element_limbs.end());
}

OperationCounts Program::counts() const {
  OperationCounts n;
  std::vector<bool> is_angle(graph.size());
  for (const Node& node : graph.nodes()) switch (node.op) {
      case Op::add:
      case Op::sub:
        ++n.additions;
        break;
      case Op::mul:
        ++n.multiplications;
        break;
      case Op::neg:
        ++n.negations;
        break;
      case Op::inverse:
        ++n.divisions;
        break;
      case Op::sqrt:
        ++n.square_roots;
        break;
      case Op::sin:
      case Op::cos:
        n.sincos += !is_angle[node.a];
        is_angle[node.a] = true;
        break;
      case Op::atan2:
        ++n.arc_tangents;
        break;
      case Op::abs:
      case Op::less:
      case Op::less_equal:
      case Op::select:
        ++n.selections;
        break;
      case Op::constant:
      case Op::input:
        break;
    }
  return n;
}

std::vector<double> evaluate(const Program& program, std::span<const double> inputs) {
  if (int(inputs.size()) != program.input_count())
    throw Error("inputs of " + program.algorithm + " have " + std::to_string(inputs.size()) + " elements, expected " +
                std::to_string(program.input_count()));
  const auto& nodes = program.graph.nodes();
  std::vector<double> value(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& n = nodes[i];
    if (n.op == Op::constant)
      value[i] = n.value;
    else if (n.op == Op::input)
      value[i] = inputs[n.a];
    else
      value[i] = apply(n.op, value[n.a], value[n.b], value[n.c]);
  }
  std::vector<double> out;
  for (const NodeId r : program.results)
    out.push_back(r == no_node ? std::numeric_limits<double>::quiet_NaN() : value[r]);
  return out;
}

}  // namespace lissom::codegen
