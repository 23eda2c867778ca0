#include "lissom/codegen/schedule.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace lissom::codegen {
namespace {

template <class F>
void for_each_operand(const Node& n, F&& f) {
  const NodeId operands[] = {n.a, n.b, n.c};
  for (int k = 0; k < operand_count(n.op); ++k) f(operands[k]);
}

// The last limb whose inputs each node depends on.
std::vector<int> last_limb_read(const Program& program) {
  const auto& nodes = program.graph.nodes();
  std::vector<int> limb(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].op == Op::input) limb[i] = program.input_limb[nodes[i].a];
    for_each_operand(nodes[i], [&](NodeId k) { limb[i] = std::max(limb[i], limb[k]); });
  }
  return limb;
}
// The first limb that has an output that depends on each node.
std::vector<int> first_limb_written(const Program& program) {
  const auto& nodes = program.graph.nodes();
  std::vector<int> limb(nodes.size(), std::numeric_limits<int>::max());
  for (std::size_t i = 0; i < program.results.size(); ++i)
    if (const NodeId r = program.results[i]; r != no_node) limb[r] = std::min(limb[r], program.output_limb[i]);
  for (std::size_t i = nodes.size(); i-- > 0;)
    for_each_operand(nodes[i], [&](NodeId k) { limb[k] = std::min(limb[k], limb[i]); });
  return limb;
}

}  // namespace

namespace {

Schedule limb_by_limb(const Program& program) {
  const auto read = last_limb_read(program), written = first_limb_written(program);
  const int last = *std::max_element(read.begin(), read.end());
  const auto key = [&](NodeId i) {
    return std::tuple(read[i], read[i] == last && last > 0 ? written[i] : 0, i);  // both never fall along an edge
  };
  Schedule s;
  for (NodeId i = 0; i < program.graph.size(); ++i)
    if (is_operation(program.graph[i].op)) s.order.push_back(i);
  std::ranges::sort(s.order, {}, key);
  for (int k = 0; k < int(s.order.size()); ++k) {
    const auto [limb, again, node] = key(s.order[std::size_t(k)]);
    const bool outward_again = again > 0;
    const int of = outward_again ? again : limb;
    if (s.segments.empty() || s.segments.back().limb != of || s.segments.back().outward_again != outward_again)
      s.segments.push_back({k, k, of, outward_again});
    s.segments.back().end = k + 1;
  }
  return s;
}

}  // namespace

Schedule schedule(const Program& program) {
  auto by_limbs = limb_by_limb(program), as_traced = in_order_of_trace(program);
  return liveness(program, as_traced).peak < liveness(program, by_limbs).peak ? as_traced : by_limbs;
}

Schedule in_order_of_trace(const Program& program) {
  Schedule s;
  for (NodeId i = 0; i < program.graph.size(); ++i)
    if (is_operation(program.graph[i].op)) s.order.push_back(i);
  s.segments.push_back({0, int(s.order.size()), 0, false});
  return s;
}

Liveness liveness(const Program& program, const Schedule& s) {
  std::vector<int> last_use(program.graph.size(), -1);
  const int count = int(s.order.size());
  for (int k = 0; k < count; ++k)
    for_each_operand(program.graph[s.order[std::size_t(k)]], [&](NodeId i) { last_use[i] = k; });
  // An output is written where it is computed, and then dies.
  std::vector<int> dying(std::size_t(count) + 1);
  Liveness result;
  int live = 0;
  auto segment = s.segments.begin();
  for (int k = 0; k < count; ++k) {
    if (segment != s.segments.end() && k == segment->end) {
      result.between_segments.push_back(live);
      ++segment;
    }
    live -= dying[std::size_t(k)];
    const int end = last_use[s.order[std::size_t(k)]];
    if (end >= 0) ++live, ++dying[std::size_t(end)];
    result.peak = std::max(result.peak, live);
  }
  return result;
}

}  // namespace lissom::codegen
