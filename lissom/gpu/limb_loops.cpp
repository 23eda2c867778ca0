#include "lissom/gpu/limb_loops.h"

#include <algorithm>
#include <numeric>

namespace lissom::gpu {
namespace {

using codegen::is_operation;
using codegen::no_node;
using codegen::operand_count;

bool commutes(Op op) {
  return op == Op::add || op == Op::mul;
}
LimbNodes operand(const Program& program, const LimbNodes& nodes, int k) {
  LimbNodes operands;
  for (const NodeId n : nodes) {
    const auto& node = program.graph[n];
    operands.push_back(k == 0 ? node.a : k == 1 ? node.b : node.c);
  }
  return operands;
}

// For each node, the operations that read it.
std::vector<std::vector<NodeId>> users_of(const Program& program) {
  std::vector<std::vector<NodeId>> users(program.graph.size());
  for (NodeId i = 0; i < program.graph.size(); ++i) {
    const auto& node = program.graph[i];
    const NodeId operands[] = {node.a, node.b, node.c};
    for (int k = 0; k < operand_count(node.op); ++k) users[operands[k]].push_back(i);
  }
  return users;
}

int segment_of(const codegen::Schedule& schedule, int limb, bool outward_again) {
  for (std::size_t i = 0; i < schedule.segments.size(); ++i)
    if (schedule.segments[i].limb == limb && schedule.segments[i].outward_again == outward_again) return int(i);
  return -1;
}

}  // namespace

Positions::Positions(const Program& program, const codegen::Schedule& schedule)
    : order(program.graph.size(), -1), segment(program.graph.size(), -1) {
  for (std::size_t s = 0; s < schedule.segments.size(); ++s)
    for (int k = schedule.segments[s].begin; k < schedule.segments[s].end; ++k) {
      order[schedule.order[std::size_t(k)]] = k;
      segment[schedule.order[std::size_t(k)]] = int(s);
    }
}

class LimbLoop::Matcher {
 public:
  Matcher(const Program& program, const codegen::Schedule& schedule, const Positions& positions, LimbLoop& loop)
      : program_(program), schedule_(schedule), positions_(positions), loop_(loop) {}

  bool run() {
    loop_.segments = {segment_of(schedule_, loop_.limbs.front(), false),
                      segment_of(schedule_, loop_.limbs.front(), true)};
    if (loop_.segments[0] < 0) return false;
    if (!match_outputs() || loop_.operations.empty()) return false;
    find_sums();
    sort();
    return invariants_come_before();
  }

 private:
  // Outputs of the limbs, one after another; constants are stored outside of the loop.
  bool match_outputs() {
    for (const auto& field : program_.outputs) {
      std::vector<std::vector<NodeId>> results(loop_.limbs.size());
      for (std::size_t l = 0; l < loop_.limbs.size(); ++l)
        for (int i = field.first; i < field.first + field.count; ++i) {
          const NodeId n = program_.results[std::size_t(i)];
          if (program_.output_limb[std::size_t(i)] == loop_.limbs[l] && n != no_node &&
              is_operation(program_.graph[n].op))
            results[l].push_back(n);
        }
      for (std::size_t k = 0; k < results.front().size(); ++k) {
        LimbNodes nodes;
        for (const auto& of_limb : results) {
          if (of_limb.size() != results.front().size()) return false;
          nodes.push_back(of_limb[k]);
        }
        if (!match(nodes)) return false;
      }
    }
    return true;
  }

  bool before_the_limbs(const LimbNodes& nodes) const {
    const int begin = schedule_.segments[std::size_t(loop_.segments[0])].begin;
    return std::ranges::all_of(nodes, [&](NodeId n) { return positions_.order[n] < begin; });
  }
  // Whether constants or inputs can be read from a table, or at equal distances.
  bool match_leaves(const LimbNodes& nodes) const {
    const auto op = program_.graph[nodes.front()].op;
    if (op == Op::constant) return true;
    const auto position = [&](std::size_t l) { return long(program_.graph[nodes[l]].a); };
    for (std::size_t l = 2; l < nodes.size(); ++l)
      if (position(l) - position(l - 1) != position(1) - position(0)) return false;
    return field_of(nodes.front()) == field_of(nodes.back());
  }
  const codegen::Field* field_of(NodeId input) const {
    const int at = int(program_.graph[input].a);
    for (const auto& field : program_.inputs)
      if (at >= field.first && at < field.first + field.count) return &field;
    return nullptr;
  }

  bool match(const LimbNodes& nodes, int repeated = 0) {
    if (all_equal(nodes)) return true;
    if (const auto known = loop_.index_.find(nodes); known != loop_.index_.end()) return known->second >= 0;
    const auto op = program_.graph[nodes.front()].op;
    if (!std::ranges::all_of(nodes, [&](NodeId n) { return program_.graph[n].op == op; })) return false;
    if (!is_operation(op)) return match_leaves(nodes);
    const bool before = before_the_limbs(nodes);
    if (before && (repeated >= 12 || op == Op::sin || op == Op::cos || op == Op::inverse)) return false;
    loop_.index_[nodes] = -1;
    LimbOperation operation{.nodes = nodes, .operands = {}, .repeated = before};
    if (!match_operands(operation, op, before ? repeated + 1 : 0)) return false;
    loop_.index_[nodes] = int(loop_.operations.size());
    loop_.operations.push_back(operation);
    return true;
  }
  bool match_operands(LimbOperation& operation, Op op, int repeated) {
    const auto& nodes = operation.nodes;
    for (int k = 0; k < 3; ++k) operation.operands[std::size_t(k)] = operand(program_, nodes, k);
    const int count = operand_count(op);
    // Every choice of which limbs have their operands in the other order.
    const unsigned choices = commutes(op) ? 1u << (nodes.size() - 1) : 1u;
    for (unsigned choice = 0; choice < choices; ++choice) {
      auto operands = operation.operands;
      for (std::size_t l = 1; l < nodes.size(); ++l)
        if (choice >> (l - 1) & 1) std::swap(operands[0][l], operands[1][l]);
      bool matches = true;
      for (int k = 0; k < count && matches; ++k) matches = match(operands[std::size_t(k)], repeated);
      if (matches) {
        operation.operands = operands;
        return true;
      }
    }
    return false;
  }

  // Sums over the limbs, which the loop adds up in a variable.
  void find_sums() {
    const auto users = users_of(program_);
    const auto& first = schedule_.segments[std::size_t(loop_.segments[0])];
    for (int k = first.begin; k < first.end; ++k) {
      const NodeId n = schedule_.order[std::size_t(k)];
      for (const NodeId user : users[n])
        if (auto sum = sum_from(n, user, users)) {
          loop_.sums.push_back(*sum);
          break;
        }
    }
  }
  static NodeId other_operand(const codegen::Node& node, NodeId n) { return node.a == n ? node.b : node.a; }
  bool adds(NodeId node, NodeId addend, bool& minus) const {
    const auto& sum = program_.graph[node];
    minus = sum.op == Op::sub;
    return (sum.op == Op::add && sum.a != sum.b) || (sum.op == Op::sub && sum.b == addend);
  }
  std::optional<LimbSum> sum_from(NodeId addend, NodeId user, const std::vector<std::vector<NodeId>>& users) {
    LimbSum sum{.begin = {}, .addends = {addend}, .end = user, .partial = {}};
    if (!adds(user, addend, sum.minus)) return {};
    sum.begin = other_operand(program_.graph[user], addend);
    const auto belongs_to = [&](NodeId n, std::size_t l) {
      return is_operation(program_.graph[n].op) && limb_read(n) == loop_.limbs[l];
    };
    std::size_t l = 1;
    if (!sum.minus && belongs_to(sum.begin, 1)) {
      sum.addends.push_back(sum.begin);
      sum.begin = no_node;
      ++l;
    } else if (!comes_before(sum.begin)) {
      return {};
    }
    for (; l < loop_.limbs.size(); ++l) {
      if (users[sum.end].size() != 1 || is_result(sum.end)) return {};
      const NodeId next = users[sum.end].front();
      const NodeId more = other_operand(program_.graph[next], sum.end);
      bool minus = false;
      if (!adds(next, more, minus) || minus != sum.minus || !belongs_to(more, l)) return {};
      sum.partial.push_back(sum.end);
      sum.addends.push_back(more);
      sum.end = next;
    }
    if (!match(sum.addends)) return {};
    return sum;
  }
  bool is_result(NodeId n) const { return std::ranges::find(program_.results, n) != program_.results.end(); }
  bool comes_before(NodeId n) const {
    return positions_.order[n] < schedule_.segments[std::size_t(loop_.segments[0])].begin;
  }
  // The limb of the segment of a node before the last pass outward; -1 for others.
  int limb_read(NodeId n) const {
    const auto& segment = schedule_.segments[std::size_t(positions_.segment[n])];
    return segment.outward_again ? -1 : segment.limb;
  }

  void sort() {
    std::vector<int> by_node(loop_.operations.size());
    std::iota(by_node.begin(), by_node.end(), 0);
    std::ranges::stable_sort(by_node, {}, [&](int i) { return loop_.operations[std::size_t(i)].nodes.front(); });
    std::vector<LimbOperation> sorted;
    for (const int i : by_node) sorted.push_back(std::move(loop_.operations[std::size_t(i)]));
    loop_.operations = std::move(sorted);
    loop_.index_.clear();
    for (std::size_t i = 0; i < loop_.operations.size(); ++i) {
      loop_.index_[loop_.operations[i].nodes] = int(i);
      const int segment = positions_.segment[loop_.operations[i].nodes.front()];
      loop_.pass.push_back(segment == loop_.segments[1] && segment >= 0 ? 1 : 0);
    }
  }
  // What is the same for all limbs has to be there when the loop begins, or must not depend on it, so that it can be
  // computed before.
  bool invariants_come_before() {
    for (std::size_t i = 0; i < loop_.operations.size(); ++i)
      for (const NodeId n : loop_.operations[i].nodes)
        if (!loop_.operations[i].repeated) pass_of_[n] = loop_.pass[i];
    for (const auto& sum : loop_.sums) {
      pass_of_[sum.end] = 0;
      for (const NodeId n : sum.partial) pass_of_[n] = 0;
    }
    for (std::size_t i = 0; i < loop_.operations.size(); ++i) {
      const auto& operation = loop_.operations[i];
      const auto in_pass = std::size_t(loop_.pass[i]);
      if (!operation.repeated && positions_.segment[operation.nodes.front()] != loop_.segments[in_pass]) return false;
      for (int k = 0; k < operand_count(program_.graph[operation.nodes.front()].op); ++k) {
        const auto& operands = operation.operands[std::size_t(k)];
        if (all_equal(operands) && !independent(operands.front(), int(in_pass))) return false;
      }
    }
    return true;
  }
  bool independent(NodeId n, int pass_of_loop) {
    const auto& node = program_.graph[n];
    const int segment = loop_.segments[std::size_t(pass_of_loop)];
    if (!is_operation(node.op) || positions_.order[n] < schedule_.segments[std::size_t(segment)].begin) return true;
    if (const auto computed = pass_of_.find(n); computed != pass_of_.end()) return computed->second < pass_of_loop;
    const NodeId operands[] = {node.a, node.b, node.c};
    for (int k = 0; k < operand_count(node.op); ++k)
      if (!independent(operands[k], pass_of_loop)) return false;
    return true;
  }

  const Program& program_;
  const codegen::Schedule& schedule_;
  const Positions& positions_;
  LimbLoop& loop_;
  std::map<NodeId, int> pass_of_;  // of what the loop computes
};

std::optional<LimbLoop> LimbLoop::match(const Program& program, const codegen::Schedule& schedule,
                                        const Positions& positions, const std::vector<int>& limbs) {
  LimbLoop loop;
  loop.limbs = limbs;
  if (!Matcher(program, schedule, positions, loop).run()) return {};
  return loop;
}

int LimbLoop::operation(const LimbNodes& nodes) const {
  const auto known = index_.find(nodes);
  return known == index_.end() ? -1 : known->second;
}

std::vector<LimbLoop> find_limb_loops(const Program& program, const codegen::Schedule& schedule) {
  const Positions positions(program, schedule);
  const int count = int(program.limbs.size());
  std::vector<bool> branches(std::size_t(count), false), taken(std::size_t(count), false);
  for (const auto& limb : program.limbs)
    if (limb.parent >= 0) branches[std::size_t(limb.parent)] = true;
  const auto inputs = [&](int limb) { return std::ranges::count(program.input_limb, limb); };
  std::vector<LimbLoop> loops;
  for (int i = 1; i < count; ++i) {
    if (branches[std::size_t(i)] || taken[std::size_t(i)]) continue;
    std::vector<int> group{i};
    for (int j = i + 1; j < count; ++j)
      if (!branches[std::size_t(j)] && !taken[std::size_t(j)] && group.size() < 8 && inputs(j) == inputs(i) &&
          program.limbs[std::size_t(j)].parent == program.limbs[std::size_t(i)].parent)
        group.push_back(j);
    if (group.size() < 2) continue;
    if (auto loop = LimbLoop::match(program, schedule, positions, group)) {
      for (const int limb : group) taken[std::size_t(limb)] = true;
      loops.push_back(std::move(*loop));
    }
  }
  return loops;
}

}  // namespace lissom::gpu
