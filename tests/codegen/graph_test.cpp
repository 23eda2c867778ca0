// The laws of the expression graph: simplification never changes a value, and makes equal expressions one node.
#include <cmath>

#include <gtest/gtest.h>

#include "lissom/codegen/program.h"
#include "lissom/codegen/traced.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using namespace codegen;

// A graph and, beside it, the value of each node as plain arithmetic gives it for one choice of inputs.
struct Pair {
  NodeId node;
  double value;
};
class RandomExpressions {
 public:
  explicit RandomExpressions(std::uint64_t seed) : random_(seed) {
    for (int i = 0; i < 4; ++i) {
      inputs.push_back(random_.uniform(-2, 2));
      known_.push_back({program.graph.input(std::uint32_t(i)), inputs.back()});
      program.input_limb.push_back(0);
    }
    for (const double c : {0., 1., -1., 0.5, -3.}) known_.push_back({program.graph.constant(c), c});
  }
  void grow() {
    const Pair a = some(), b = some(), c = some();
    auto& g = program.graph;
    switch (random_.integer(0, 11)) {
      case 0:
      case 1:
        return keep(g.add(a.node, b.node), a.value + b.value);
      case 2:
      case 3:
        return keep(g.sub(a.node, b.node), a.value - b.value);
      case 4:
      case 5:
        return keep(g.mul(a.node, b.node), a.value * b.value);
      case 6:
        if (std::abs(b.value) < 0.1) return;
        return keep(g.div(a.node, b.node), a.value / b.value);
      case 7:
        return keep(g.neg(a.node), -a.value);
      case 8:
        return keep(g.sin(a.node), std::sin(a.value)), keep(g.cos(a.node), std::cos(a.value));
      case 9:
        return keep(g.sqrt(g.abs(a.node)), std::sqrt(std::abs(a.value)));
      case 10:
        if (std::abs(a.value) < 0.1 && std::abs(b.value) < 0.1) return;  // near where it jumps
        if (b.value < 0 && std::abs(a.value) < 0.1) return;
        return keep(g.atan2(a.node, b.node), std::atan2(a.value, b.value));
      default:
        if (std::abs(a.value - b.value) < 1e-6) return;  // rounding must not decide
        return keep(g.select(g.less(a.node, b.node), b.node, c.node), a.value < b.value ? b.value : c.value);
    }
  }
  void keep(NodeId node, double value) {
    if (std::abs(value) > 50) return;
    known_.push_back({node, value});
    program.results.push_back(node);
    expected.push_back(value);
  }
  Program program;
  std::vector<double> inputs, expected;

 private:
  Pair some() { return known_[std::size_t(random_.integer(0, int(known_.size()) - 1))]; }
  Random random_;
  std::vector<Pair> known_;
};

}  // namespace

TEST(Graph, SimplificationKeepsValues) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomExpressions e(seed);
    for (int i = 0; i < 60; ++i) e.grow();
    const auto before = evaluate(e.program, e.inputs);
    e.program.graph.keep(e.program.results);
    const auto after = evaluate(e.program, e.inputs);
    ASSERT_EQ(before.size(), e.expected.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      ASSERT_NEAR(before[i], e.expected[i], 1e-9) << "seed " << seed << ", result " << i;
      ASSERT_EQ(before[i], after[i]) << "seed " << seed;
    }
  }
}

TEST(Graph, EqualExpressionsAreOneNode) {
  Graph g;
  const NodeId x = g.input(0), y = g.input(1);
  EXPECT_EQ(g.add(x, y), g.add(y, x));
  EXPECT_EQ(g.mul(x, y), g.mul(y, x));
  EXPECT_EQ(g.sub(x, y), g.neg(g.sub(y, x)));
  EXPECT_EQ(g.mul(g.neg(x), y), g.neg(g.mul(x, y)));
  EXPECT_EQ(g.mul(g.neg(x), g.neg(y)), g.mul(x, y));
  EXPECT_EQ(g.sub(x, g.neg(y)), g.add(x, y));
  EXPECT_EQ(g.add(g.neg(x), y), g.sub(y, x));
  EXPECT_EQ(g.sin(g.neg(x)), g.neg(g.sin(x)));
  EXPECT_EQ(g.cos(g.neg(x)), g.cos(x));
  EXPECT_EQ(g.div(x, y), g.mul(x, g.inverse(y)));
  const NodeId two = g.constant(2), three = g.constant(3);
  EXPECT_EQ(g.mul(two, g.mul(three, x)), g.mul(g.constant(6), x));
  EXPECT_EQ(g.add(two, g.add(three, x)), g.add(g.constant(5), x));
  EXPECT_EQ(g.sub(g.sub(x, two), three), g.sub(x, g.constant(5)));
  EXPECT_EQ(g.add(g.mul(two, x), g.mul(three, x)), g.mul(g.constant(5), x));
  EXPECT_EQ(g.add(x, x), g.mul(two, x));
  EXPECT_EQ(g.sub(g.mul(two, x), x), x);
}

TEST(Graph, ZerosOnesAndSignsVanish) {
  Graph g;
  const NodeId x = g.input(0), zero = g.constant(0), one = g.constant(1);
  EXPECT_EQ(zero, 0u);
  EXPECT_EQ(g.constant(-0.0), 0u);
  EXPECT_EQ(g.add(x, zero), x);
  EXPECT_EQ(g.sub(x, zero), x);
  EXPECT_EQ(g.sub(x, x), zero);
  EXPECT_EQ(g.mul(x, one), x);
  EXPECT_EQ(g.mul(x, zero), zero);
  EXPECT_EQ(g.mul(g.constant(-1), x), g.neg(x));
  EXPECT_EQ(g.neg(g.neg(x)), x);
  EXPECT_EQ(g.inverse(g.inverse(x)), x);
  EXPECT_EQ(g.select(g.less(zero, one), x, zero), x);
  EXPECT_EQ(g.select(g.less(x, one), x, x), x);
  // What is not finite is left to be computed.
  EXPECT_EQ(g[g.inverse(zero)].op, Op::inverse);
}

TEST(Graph, KeepsOnlyWhatResultsNeed) {
  Graph g;
  const NodeId x = g.input(0), y = g.input(1);
  const NodeId used = g.add(x, y);
  (void)g.mul(x, y);  // dead
  std::vector<NodeId> results = {used, no_node};
  g.keep(results);
  EXPECT_EQ(g.size(), 4u);  // 0, x, y, x + y
  EXPECT_EQ(g[results[0]].op, Op::add);
  EXPECT_EQ(results[1], no_node);
  EXPECT_EQ(g.add(g.input(0), g.input(1)), results[0]);  // still found
}

TEST(Graph, CountsOperations) {
  Program p;
  const int limbs[] = {0, 0};
  const auto x = p.add_input("x", limbs, "two numbers");
  auto& g = p.graph;
  const NodeId r[] = {g.add(g.mul(x[0], x[1]), g.sin(x[0])), g.cos(x[0]), g.inverse(x[1])};
  const int three[] = {0, 0, 0};
  p.add_output("y", r, three, "three numbers");
  const auto n = p.counts();
  EXPECT_EQ(n.additions, 1);
  EXPECT_EQ(n.multiplications, 1);
  EXPECT_EQ(n.divisions, 1);
  EXPECT_EQ(n.sincos, 1);  // one angle
  EXPECT_EQ(n.arithmetic(), 3);
}

TEST(Graph, TracedNumbersNeedARecording) {
  EXPECT_EQ(Traced(0).node, 0u);
  EXPECT_THROW((void)Traced(1), Error);
  Graph outer, inner;
  const Recording one(outer, "outer");
  {
    const Recording two(inner, "inner");
    EXPECT_EQ(Recording::algorithm(), "inner");
    (void)Traced(7);
  }
  EXPECT_EQ(Recording::algorithm(), "outer");
  EXPECT_EQ(outer.size(), 1u);
  EXPECT_EQ(inner.size(), 2u);
}

}  // namespace lissom::test
