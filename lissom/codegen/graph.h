#pragma once
// Expressions as a graph: each node is a constant, an input or an operation on earlier nodes. Nodes are hash-consed, so
// that equal expressions are one node, and are simplified while they are made: constants are folded, zeros and ones
// vanish, signs move outward, multiples of one value are collected, quotients become products with a shared reciprocal.
//
// Simplification reorders constants only, (2 * (3 * x)) to (6 * x): results differ from the original by rounding.
// Products with zero vanish even where the other factor may be infinite.
#include <cstdint>
#include <vector>

namespace lissom::codegen {

/// The index of a node. Node 0 is the constant 0, so that zeroed memory holds zeros.
using NodeId = std::uint32_t;
inline constexpr NodeId no_node = ~NodeId(0);

/// An operation on numbers. Constants and inputs have no operands.
enum class Op : std::uint8_t {
  constant,
  input,
  add,
  sub,
  mul,
  inverse,
  neg,
  sqrt,
  abs,
  sin,
  cos,
  atan2,
  less,
  less_equal,
  select
};
/// How many operands an operation has.
int operand_count(Op op);
/// Whether the node is computed: neither a constant nor an input.
inline bool is_operation(Op op) {
  return op != Op::constant && op != Op::input;
}

/// One operation, on the results of earlier ones.
struct Node {
  Op op = Op::constant;
  /// Operands. An input's first is its position among the inputs; a selection's are the condition and both values.
  NodeId a = 0, b = 0, c = 0;
  double value = 0;  ///< of a constant
  bool operator==(const Node&) const = default;
};

/// Operations in the order in which they were traced, each once: equal ones are the same node.
class Graph {
 public:
  /// signed_constants: the signs of constants do not move outward, so that limbs which mirror each other get the same
  /// operations.
  explicit Graph(bool signed_constants = false);
  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& operator[](NodeId i) const { return nodes_[i]; }
  NodeId size() const { return NodeId(nodes_.size()); }

  NodeId constant(double value);
  NodeId input(std::uint32_t position);
  NodeId add(NodeId a, NodeId b);
  NodeId sub(NodeId a, NodeId b);
  NodeId mul(NodeId a, NodeId b);
  NodeId div(NodeId a, NodeId b);
  NodeId inverse(NodeId a);
  NodeId neg(NodeId a);
  NodeId sqrt(NodeId a);
  NodeId abs(NodeId a);
  NodeId sin(NodeId a);
  NodeId cos(NodeId a);
  NodeId atan2(NodeId y, NodeId x);
  NodeId less(NodeId a, NodeId b);
  NodeId less_equal(NodeId a, NodeId b);
  NodeId select(NodeId condition, NodeId a, NodeId b);

  /// Nodes that are made from now on belong to this limb (program.h); -1: to none in particular.
  void enter(int limb) { limb_ = limb; }
  /// The limb in which a node was first made.
  int limb(NodeId i) const { return limb_of_[i]; }

  /// Operations from now on are not recognized as ones that were made before, except sines and cosines: they are made
  /// again. That costs operations, and saves keeping their results until now.
  void forget() { remembered_from_ = size(); }

  /// Leaves only what the results depend on, and the constant 0; renumbers the nodes, their order stays.
  void keep(std::vector<NodeId>& results);

 private:
  NodeId node(Op op, NodeId a, NodeId b = 0, NodeId c = 0, double value = 0);
  NodeId find(const Node& node) const;
  void insert(NodeId i);
  bool is_constant(NodeId a) const { return nodes_[a].op == Op::constant; }
  bool is_constant(NodeId a, double value) const { return is_constant(a) && nodes_[a].value == value; }
  bool negative(NodeId a) const {
    return nodes_[a].op == Op::neg || (!signed_constants_ && is_constant(a) && nodes_[a].value < 0);
  }
  NodeId without_sign(NodeId a);
  // A product with a constant is that constant times something; everything else is once itself.
  bool is_multiple(NodeId a) const { return nodes_[a].op == Op::mul && is_constant(nodes_[a].a); }
  NodeId base_of(NodeId a) const { return is_multiple(a) ? nodes_[a].b : a; }
  double factor_of(NodeId a) const { return is_multiple(a) ? nodes_[nodes_[a].a].value : 1; }
  // The result of the operation, where all operands are constants and it is finite; else no_node.
  NodeId folded(Op op, NodeId a, NodeId b = 0);

  bool signed_constants_;
  std::vector<Node> nodes_;
  std::vector<int> limb_of_;
  int limb_ = -1;
  NodeId remembered_from_ = 0;
  std::vector<NodeId> table_;  // open addressing; no_node where free
};

/// The value of an operation on numbers; conditions are 1 or 0.
double apply(Op op, double a, double b, double c);

}  // namespace lissom::codegen
