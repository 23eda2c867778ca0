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

// Where each operation stands in an algorithm of several passes.
struct Place {
  int limb = 0;
  int phase = 0;        // how often values went to the base and out again before
  bool inward = false;  // it depends on a limb behind its own, in this phase
  int stage = 0;        // the last limb that it depends on, in this phase
};
// Whether limb `a` is on the way from limb `b` to the base, and not `b` itself.
bool carries(const Program& program, int a, int b) {
  while (b > a) b = program.limbs[std::size_t(b)].parent;
  return b == a;
}
// A value belongs to the last limb that its operands belong to, unless it was made in a body towards the base: then it
// came inward. (Where it was made alone does not tell: a product of the base's values belongs to the base, although
// the first limb that needed it has made it.)
int limb_of(const Program& program, const std::vector<Place>& place, NodeId i) {
  const Node& n = program.graph[i];
  if (n.op == Op::input) return program.input_limb[n.a];
  int last = 0;
  for_each_operand(n, [&](NodeId k) { last = std::max(last, place[k].limb); });
  const int made_in = program.graph.limb(i);
  return made_in >= 0 && made_in < last && carries(program, made_in, last) ? made_in : last;
}
// The places of all nodes; none comes before the phase that `from_phase` gives for it, and those that `own_limb` gives
// a limb for belong to it.
std::vector<Place> places(const Program& program, const std::vector<int>& from_phase,
                          const std::vector<int>& own_limb) {
  std::vector<Place> place(program.graph.size());
  for (NodeId i = 0; i < program.graph.size(); ++i) {
    Place p;
    p.limb = own_limb[i] >= 0 ? own_limb[i] : limb_of(program, place, i);
    p.phase = from_phase[i];
    for_each_operand(program.graph[i], [&](NodeId k) {
      const Place& from = place[k];
      const bool outward = from.limb < p.limb && carries(program, from.limb, p.limb);
      const int phase = from.phase + (outward && from.inward ? 1 : 0);
      if (phase < p.phase) return;
      if (phase > p.phase) p.phase = phase, p.inward = false, p.stage = 0;
      p.inward = p.inward || from.limb > p.limb || (!outward && from.inward);
      if (from.phase == phase) p.stage = std::max(p.stage, from.stage);
    });
    p.stage = std::max(p.stage, p.limb);
    place[i] = p;
  }
  return place;
}

// Values that only a later phase needs, and that are made of nothing but inputs, values of the base and other such
// values, are computed in that phase: nothing has to be kept for them. Returns the first phase of each node.
std::vector<int> first_phases(const Program& program, const std::vector<Place>& place) {
  const auto& nodes = program.graph.nodes();
  constexpr int never = std::numeric_limits<int>::max();
  std::vector<int> phase(nodes.size());
  std::vector<bool> fixed(nodes.size());  // has to stay in its phase
  for (const NodeId r : program.results)
    if (r != no_node) fixed[r] = true;
  for (bool changed = true; changed;) {
    std::vector<int> needed(nodes.size(), never);
    for (std::size_t i = nodes.size(); i-- > 0;) {
      phase[i] = fixed[i] || needed[i] == never ? place[i].phase : std::max(place[i].phase, needed[i]);
      for_each_operand(nodes[i], [&](NodeId k) { needed[k] = std::min(needed[k], phase[i]); });
    }
    changed = false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (fixed[i] || phase[i] == place[i].phase) continue;
      for_each_operand(nodes[i], [&](NodeId k) {
        const Op op = nodes[k].op;
        const bool at_hand =
            !is_operation(op) || op == Op::sin || op == Op::cos || place[k].limb == 0 || phase[k] > place[k].phase;
        if (!at_hand && !fixed[i]) fixed[i] = changed = true;
      });
    }
  }
  return phase;
}

// Values that were made in a limb and that only this limb needs, though they are made of the base's values and
// constants alone (the offset of its first joint times the base's acceleration), belong to the limb. -1 for all others.
std::vector<int> own_limbs(const Program& program, const std::vector<Place>& place) {
  constexpr int unused = -2, several = -1;
  const auto& nodes = program.graph.nodes();
  std::vector<int> needed_by(nodes.size(), unused), own(nodes.size(), -1);
  for (const NodeId r : program.results)
    if (r != no_node) needed_by[r] = several;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const int made_in = program.graph.limb(NodeId(i)), limb = place[i].limb;
    const bool sinks =
        is_operation(nodes[i].op) && made_in > limb && needed_by[i] == made_in && carries(program, limb, made_in);
    if (sinks) own[i] = made_in;
    const int user = sinks ? made_in : limb;
    for_each_operand(nodes[i],
                     [&](NodeId k) { needed_by[k] = needed_by[k] == unused || needed_by[k] == user ? user : several; });
  }
  return own;
}

Schedule limb_by_limb(const Program& program) {
  const auto own = own_limbs(
      program, places(program, std::vector<int>(program.graph.size()), std::vector<int>(program.graph.size(), -1)));
  const auto at_first = places(program, std::vector<int>(program.graph.size()), own);
  const auto place = places(program, first_phases(program, at_first), own);
  Schedule s;
  for (NodeId i = 0; i < program.graph.size(); ++i)
    if (is_operation(program.graph[i].op)) s.order.push_back(i);
  std::ranges::sort(s.order, {}, [&](NodeId i) { return std::tuple(place[i].phase, place[i].stage, i); });
  int phase = 0;
  for (int k = 0; k < int(s.order.size()); ++k) {
    const Place& p = place[s.order[std::size_t(k)]];
    if (s.segments.empty() || s.segments.back().limb != p.stage || phase != p.phase)
      s.segments.push_back({k, k, p.stage, p.phase > 0});
    phase = p.phase;
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
