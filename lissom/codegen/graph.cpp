#include "lissom/codegen/graph.h"

#include <bit>
#include <cmath>
#include <utility>

namespace lissom::codegen {

int operand_count(Op op) {
  switch (op) {
    case Op::constant:
    case Op::input:
      return 0;
    case Op::inverse:
    case Op::neg:
    case Op::sqrt:
    case Op::abs:
    case Op::sin:
    case Op::cos:
      return 1;
    case Op::select:
      return 3;
    default:
      return 2;
  }
}

double apply(Op op, double a, double b, double c) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::inverse:
      return 1 / a;
    case Op::neg:
      return -a;
    case Op::sqrt:
      return std::sqrt(a);
    case Op::abs:
      return std::abs(a);
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::less:
      return a < b ? 1 : 0;
    case Op::less_equal:
      return a <= b ? 1 : 0;
    case Op::select:
      return a != 0 ? b : c;
    case Op::constant:
    case Op::input:
      break;
  }
  return 0;
}

namespace {

std::uint64_t hash(const Node& n) {
  std::uint64_t h = std::bit_cast<std::uint64_t>(n.value) ^ std::uint64_t(n.op);
  for (const NodeId x : {n.a, n.b, n.c}) h = (h ^ (h >> 29) ^ x) * 0x9E3779B97F4A7C15u;
  return h ^ (h >> 32);
}

}  // namespace

Graph::Graph(bool signed_constants) : signed_constants_(signed_constants), table_(1024, no_node) {
  constant(0);
}

NodeId Graph::find(const Node& n) const {
  const bool always = !is_operation(n.op) || n.op == Op::sin || n.op == Op::cos;
  const NodeId from = always ? 0 : remembered_from_;
  const std::size_t mask = table_.size() - 1;
  for (std::size_t k = hash(n) & mask; table_[k] != no_node; k = (k + 1) & mask)
    if (table_[k] >= from && nodes_[table_[k]] == n) return table_[k];
  return no_node;
}
void Graph::insert(NodeId i) {
  const std::size_t mask = table_.size() - 1;
  std::size_t k = hash(nodes_[i]) & mask;
  while (table_[k] != no_node) k = (k + 1) & mask;
  table_[k] = i;
}
NodeId Graph::node(Op op, NodeId a, NodeId b, NodeId c, double value) {
  const Node n{op, a, b, c, value};
  if (const NodeId known = find(n); known != no_node) return known;
  nodes_.push_back(n);
  limb_of_.push_back(limb_);
  if (2 * nodes_.size() > table_.size()) {
    table_.assign(2 * table_.size(), no_node);
    for (NodeId i = 0; i < size(); ++i) insert(i);
  } else {
    insert(size() - 1);
  }
  return size() - 1;
}

NodeId Graph::constant(double value) {
  return node(Op::constant, 0, 0, 0, value == 0 ? 0 : value);  // -0 is 0
}
NodeId Graph::input(std::uint32_t position) {
  return node(Op::input, position);
}
NodeId Graph::folded(Op op, NodeId a, NodeId b) {
  if (!is_constant(a) || !is_constant(b)) return no_node;
  const double value = apply(op, nodes_[a].value, nodes_[b].value, 0);
  return std::isfinite(value) ? constant(value) : no_node;
}
NodeId Graph::without_sign(NodeId a) {
  return nodes_[a].op == Op::neg ? nodes_[a].a : constant(std::abs(nodes_[a].value));
}

NodeId Graph::add(NodeId a, NodeId b) {
  if (const NodeId sum = folded(Op::add, a, b); sum != no_node) return sum;
  if (a == 0) return b;
  if (b == 0) return a;
  if (negative(a) && negative(b)) return neg(add(without_sign(a), without_sign(b)));
  if (negative(b)) return sub(a, without_sign(b));
  if (negative(a)) return sub(b, without_sign(a));
  if (base_of(a) == base_of(b)) return mul(constant(factor_of(a) + factor_of(b)), base_of(a));
  if (is_constant(b)) std::swap(a, b);
  if (!is_constant(a)) return node(Op::add, std::min(a, b), std::max(a, b));
  const Node right = nodes_[b];
  if (right.op != Op::add && right.op != Op::sub) return node(Op::add, a, b);
  const bool second = right.op == Op::sub && is_constant(right.b);  // c + (x - d); else c + (d ± x)
  const NodeId sum = folded(second ? Op::sub : Op::add, a, second ? right.b : right.a);
  if (sum == no_node) return node(Op::add, a, b);
  return right.op == Op::add ? add(sum, right.b) : second ? add(sum, right.a) : sub(sum, right.b);
}

NodeId Graph::sub(NodeId a, NodeId b) {
  if (const NodeId difference = folded(Op::sub, a, b); difference != no_node) return difference;
  if (a == b) return 0;
  if (b == 0) return a;
  if (a == 0) return neg(b);
  if (negative(b)) return add(a, without_sign(b));
  if (negative(a)) return neg(add(without_sign(a), b));
  if (base_of(a) == base_of(b)) return mul(constant(factor_of(a) - factor_of(b)), base_of(a));
  if (const Node left = nodes_[a]; is_constant(b) && (left.op == Op::add || left.op == Op::sub)) {
    const bool second = left.op == Op::sub && is_constant(left.b);  // (x - d) - c; else (d ± x) - c
    const NodeId sum = second ? folded(Op::add, left.b, b) : folded(Op::sub, left.a, b);
    if (sum != no_node) return second ? sub(left.a, sum) : left.op == Op::add ? add(sum, left.b) : sub(sum, left.b);
  }
  if (const NodeId reverse = find({Op::sub, b, a, 0, 0}); reverse != no_node) return neg(reverse);
  return node(Op::sub, a, b);
}

NodeId Graph::mul(NodeId a, NodeId b) {
  if (const NodeId product = folded(Op::mul, a, b); product != no_node) return product;
  if (a == 0 || b == 0) return 0;
  const bool minus = negative(a) != negative(b);
  if (negative(a)) a = without_sign(a);
  if (negative(b)) b = without_sign(b);
  if (is_constant(b)) std::swap(a, b);
  NodeId product = no_node;
  if (is_constant(a, 1)) {
    product = b;
  } else if (is_constant(a, -1)) {
    product = neg(b);
  } else if (const Node right = nodes_[b]; is_constant(a) && right.op == Op::mul && is_constant(right.a)) {
    const NodeId factor = folded(Op::mul, a, right.a);  // c (d x); no_node where it overflows
    product = factor == no_node ? node(Op::mul, a, b) : mul(factor, right.b);
  } else {
    product = is_constant(a) ? node(Op::mul, a, b) : node(Op::mul, std::min(a, b), std::max(a, b));
  }
  return minus ? neg(product) : product;
}

NodeId Graph::div(NodeId a, NodeId b) {
  if (const NodeId x = is_constant(a) && is_constant(b) ? inverse(b) : no_node; x != no_node && is_constant(x))
    return constant(nodes_[a].value / nodes_[b].value);
  return mul(a, inverse(b));
}
NodeId Graph::inverse(NodeId a) {
  if (const NodeId value = folded(Op::inverse, a); value != no_node) return value;
  if (nodes_[a].op == Op::inverse) return nodes_[a].a;
  if (negative(a)) return neg(inverse(without_sign(a)));
  return node(Op::inverse, a);
}
NodeId Graph::neg(NodeId a) {
  if (is_constant(a)) return constant(-nodes_[a].value);
  return nodes_[a].op == Op::neg ? nodes_[a].a : node(Op::neg, a);
}
NodeId Graph::sqrt(NodeId a) {
  const NodeId value = folded(Op::sqrt, a);
  return value != no_node ? value : node(Op::sqrt, a);
}
NodeId Graph::abs(NodeId a) {
  if (const NodeId value = folded(Op::abs, a); value != no_node) return value;
  return node(Op::abs, negative(a) ? without_sign(a) : a);
}
NodeId Graph::sin(NodeId a) {
  if (const NodeId value = folded(Op::sin, a); value != no_node) return value;
  return negative(a) ? neg(node(Op::sin, without_sign(a))) : node(Op::sin, a);
}
NodeId Graph::cos(NodeId a) {
  if (const NodeId value = folded(Op::cos, a); value != no_node) return value;
  return node(Op::cos, negative(a) ? without_sign(a) : a);
}
NodeId Graph::atan2(NodeId y, NodeId x) {
  const NodeId value = folded(Op::atan2, y, x);
  return value != no_node ? value : node(Op::atan2, y, x);
}
NodeId Graph::less(NodeId a, NodeId b) {
  const NodeId value = folded(Op::less, a, b);
  return value != no_node ? value : node(Op::less, a, b);
}
NodeId Graph::less_equal(NodeId a, NodeId b) {
  const NodeId value = folded(Op::less_equal, a, b);
  return value != no_node ? value : node(Op::less_equal, a, b);
}
NodeId Graph::select(NodeId condition, NodeId a, NodeId b) {
  if (is_constant(condition)) return nodes_[condition].value != 0 ? a : b;
  return a == b ? a : node(Op::select, condition, a, b);
}

void Graph::keep(std::vector<NodeId>& results) {
  std::vector<NodeId> renumbered(nodes_.size(), no_node);
  renumbered[0] = 0;
  for (const NodeId r : results)
    if (r != no_node) renumbered[r] = 0;  // marked
  for (NodeId i = size(); i-- > 0;) {
    if (renumbered[i] == no_node || !is_operation(nodes_[i].op)) continue;
    const NodeId operands[] = {nodes_[i].a, nodes_[i].b, nodes_[i].c};
    for (int k = 0; k < operand_count(nodes_[i].op); ++k) renumbered[operands[k]] = 0;
  }
  std::vector<Node> kept;
  std::vector<int> kept_limbs;
  for (NodeId i = 0; i < size(); ++i) {
    if (renumbered[i] == no_node) continue;
    Node n = nodes_[i];
    NodeId* const operands[] = {&n.a, &n.b, &n.c};
    for (int k = 0; k < operand_count(n.op); ++k) *operands[k] = renumbered[*operands[k]];
    renumbered[i] = NodeId(kept.size());
    kept.push_back(n);
    kept_limbs.push_back(limb_of_[i]);
  }
  remembered_from_ = 0;
  nodes_ = std::move(kept);
  limb_of_ = std::move(kept_limbs);
  table_.assign(std::bit_ceil(2 * nodes_.size() + 1024), no_node);
  for (NodeId i = 0; i < size(); ++i) insert(i);
  for (NodeId& r : results)
    if (r != no_node) r = renumbered[r];
}

}  // namespace lissom::codegen
