#include "lissom/codegen/layout.h"

#include <algorithm>

namespace lissom::codegen {
namespace {

// Longer expressions are hard to read, and compilers see no more in them.
constexpr int max_terms = 6;

bool is_sine(Op op) {
  return op == Op::sin || op == Op::cos;
}
bool is_sum(Op op) {
  return op == Op::add || op == Op::sub;
}

}  // namespace

Layout::Layout(const Program& program, const Schedule& schedule, const LayoutOptions& options)
    : angle(program.graph.size(), -1), part(angle), segment(angle), slot(angle) {
  find_users(program);
  if (options.sincos_first) find_angles(program, schedule);
  divide(program, schedule, options.operations_per_part);
  find_inlined(program);
  find_slots();
}

void Layout::find_users(const Program& program) {
  users.resize(program.graph.size());
  results.resize(program.graph.size());
  for (NodeId i = 0; i < program.graph.size(); ++i) {
    const Node& n = program.graph[i];
    const NodeId operands[] = {n.a, n.b, n.c};
    for (int k = 0; k < operand_count(n.op); ++k) users[operands[k]].push_back(i);
    if (n.op == Op::select)  // a comparison is written inside of each selection
      for (const NodeId compared : {program.graph[n.a].a, program.graph[n.a].b}) users[compared].push_back(i);
  }
  for (std::size_t i = 0; i < program.results.size(); ++i)
    if (program.results[i] != no_node) results[program.results[i]].push_back(int(i));
}

void Layout::find_angles(const Program& program, const Schedule& schedule) {
  const auto& nodes = program.graph.nodes();
  std::vector<bool> after_sine(nodes.size()), needed(nodes.size());
  std::vector<int> index(nodes.size(), -1);
  for (NodeId i = 0; i < program.graph.size(); ++i) {
    const Node& n = nodes[i];
    const NodeId operands[] = {n.a, n.b, n.c};
    for (int k = 0; k < operand_count(n.op); ++k)
      after_sine[i] = after_sine[i] || after_sine[operands[k]] || is_sine(nodes[operands[k]].op);
    if (!is_sine(n.op) || after_sine[i]) continue;
    if (index[n.a] < 0) {
      index[n.a] = int(angles.size());
      angles.push_back(n.a);
      needed[n.a] = true;
    }
    angle[i] = index[n.a];
  }
  for (NodeId i = program.graph.size(); i-- > 0;)
    if (needed[i] && is_operation(nodes[i].op)) {
      const NodeId operands[] = {nodes[i].a, nodes[i].b, nodes[i].c};
      for (int k = 0; k < operand_count(nodes[i].op); ++k) needed[operands[k]] = true;
    }
  for (const NodeId i : schedule.order)
    if (needed[i]) before_angles.push_back(i);
  // The arguments come in the order of the inputs that they are made of, so that a loop over them reads memory forward.
  std::ranges::sort(before_angles);
}

void Layout::divide(const Program& program, const Schedule& schedule, int operations_per_part) {
  std::vector<bool> before(program.graph.size());
  for (const NodeId i : before_angles) before[i] = true;
  const int total = int(schedule.order.size());
  const int count = operations_per_part > 0 ? (total + operations_per_part - 1) / operations_per_part : 1;
  const int size = (total + count - 1) / std::max(count, 1);
  parts.emplace_back();
  for (int s = 0; s < int(schedule.segments.size()); ++s) {
    const auto& [begin, end, limb, again] = schedule.segments[std::size_t(s)];
    // A part ends with a segment where that does not make it much too short or long.
    const int filled = int(parts.back().size());
    if (count > 1 && filled > 0 && filled + (end - begin) / 2 > size) parts.emplace_back();
    for (int k = begin; k < end; ++k) {
      const NodeId i = schedule.order[std::size_t(k)];
      if (before[i] || angle[i] >= 0) continue;
      if (count > 1 && int(parts.back().size()) >= size + size / 4) parts.emplace_back();
      parts.back().push_back(i);
      part[i] = int(parts.size()) - 1;
      segment[i] = s;
    }
  }
  if (parts.size() == 1)
    for (const NodeId i : before_angles) part[i] = 0;
}

void Layout::find_inlined(const Program& program) {
  inlined.assign(program.graph.size(), false);
  std::vector<int> terms(program.graph.size(), 1);
  for (const auto& nodes : parts)
    for (const NodeId i : nodes) {
      const Node& n = program.graph[i];
      inlined[i] = n.op == Op::less || n.op == Op::less_equal;
      if (inlined[i]) continue;
      if (operand_count(n.op) == 2) terms[i] = 0;
      const NodeId operands[] = {n.a, n.b, n.c};
      for (int k = 0; k < std::min(operand_count(n.op), 2); ++k)
        terms[i] += inlined[operands[k]] ? terms[operands[k]] : operand_count(n.op) == 2 ? 1 : 0;
      if (users[i].size() != 1 || !results[i].empty()) continue;
      const NodeId user = users[i].front();
      const Op by = program.graph[user].op;
      const bool suits = (n.op == Op::mul && is_sum(by)) || (n.op == Op::neg && by != Op::neg) ||
                         (is_sum(n.op) && (is_sum(by) || by == Op::mul || by == Op::inverse || by == Op::sqrt));
      inlined[i] = suits && part[user] == part[i] && segment[user] == segment[i] && terms[i] < max_terms;
    }
}

void Layout::find_slots() {
  // Slots that are free from a part on. What a part reads last is overwritten by later parts only.
  std::vector<std::vector<int>> freed(parts.size() + 1);
  std::vector<int> available;
  const auto keep = [&](NodeId i, int here) {
    int last = here;
    for (const NodeId user : users[i]) last = std::max(last, part[user]);
    if (last == here) return;
    if (available.empty()) available.push_back(slots++);
    slot[i] = available.back();
    available.pop_back();
    freed[std::size_t(last) + 1].push_back(slot[i]);
  };
  for (const NodeId i : before_angles) keep(i, part[i]);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    available.insert(available.end(), freed[p].begin(), freed[p].end());
    for (const NodeId i : parts[p])
      if (!inlined[i]) keep(i, int(p));
  }
}

}  // namespace lissom::codegen
