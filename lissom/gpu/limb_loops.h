#pragma once
// Limbs of equal structure, such as two legs, need the same operations on other numbers. A kernel that would be too
// large for a device to fetch its code in time computes them in a loop instead: one body of code, with the constants of
// each limb in a table. Here the operations of such limbs are matched, node by node. Not for users.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "lissom/codegen/program.h"
#include "lissom/codegen/schedule.h"

namespace lissom::gpu {

using codegen::NodeId;
using codegen::Op;
using codegen::Program;

// One node of each limb of the group.
using LimbNodes = std::vector<NodeId>;
inline bool all_equal(const LimbNodes& nodes) {
  return std::ranges::all_of(nodes, [&](NodeId n) { return n == nodes.front(); });
}

// The same operation in every limb, with its operands; operands of sums and products may stand in another order in the
// graph than here.
struct LimbOperation {
  LimbNodes nodes;
  std::array<LimbNodes, 3> operands;
  // Computed from values before the limb that happen to differ; repeated in every loop that reads it.
  bool repeated = false;
};
// A sum over the limbs: end = begin ± addend of the first limb ± addend of the second …
struct LimbSum {
  bool minus = false;
  NodeId begin = codegen::no_node;  // no_node: the sum of the addends alone
  LimbNodes addends;
  NodeId end = 0;
  std::vector<NodeId> partial;  // the nodes that the loop replaces, besides `end`
};

// Where each node stands in a schedule.
struct Positions {
  std::vector<int> order, segment;  // -1 for what is no operation
  explicit Positions(const Program& program, const codegen::Schedule& schedule);
};

class LimbLoop {
 public:
  // Empty if the limbs are not equal. `limbs` have one parent and no branches.
  static std::optional<LimbLoop> match(const Program& program, const codegen::Schedule& schedule,
                                       const Positions& positions, const std::vector<int>& limbs);

  std::vector<int> limbs;
  // In the order of the nodes of the first limb. The first loop computes those before the base is solved for, the
  // second those of the last pass outward; `pass` says which.
  std::vector<LimbOperation> operations;
  std::vector<int> pass;
  std::vector<LimbSum> sums;
  // The segments of the schedule before which the two loops stand; -1 for none.
  std::array<int, 2> segments{-1, -1};

  // The index of the operation that computes these nodes, or -1.
  int operation(const LimbNodes& nodes) const;

 private:
  class Matcher;
  std::map<LimbNodes, int> index_;
};

// The groups of limbs that can be computed in loops.
std::vector<LimbLoop> find_limb_loops(const Program& program, const codegen::Schedule& schedule);

}  // namespace lissom::gpu
