// Programs against the library's own kernels: the same numbers to rounding, for every algorithm, joint type and option.
#include "lissom/codegen/trace.h"

#include <cmath>
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

#include "lissom/api/load.h"
#include "lissom/codegen/schedule.h"
#include "lissom/codegen/traced.h"
#include "programs.h"
#include "random_tree.h"
#include "refusal.h"

namespace lissom::test {
namespace {

using namespace codegen;

::testing::AssertionResult refuses(const std::function<void()>& f, const std::vector<std::string>& words) {
  const auto message = refusal(f);
  for (const auto& word : words)
    if (message.find(word) == std::string::npos) return ::testing::AssertionFailure() << message;
  return ::testing::AssertionSuccess();
}
std::string model_path(const std::string& name) {
  return std::string(LISSOM_MODELS_DIR) + "/" + name + ".urdf";
}

}  // namespace

TEST(Trace, OwnModelsGiveTheSameAsInterpreted) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(LISSOM_MODELS_DIR)) {
    if (entry.path().extension() != ".urdf") continue;
    // (Mechanisms with massless base links have a singular mass matrix when they float.)
    const bool robot = entry.path().parent_path() == LISSOM_MODELS_DIR;
    for (const auto base : {Base::fixed, robot ? Base::free : Base::file}) {
      LoadOptions options;
      options.base = base;
      const auto model = load(entry.path().string(), options);
      if (model.nv() == 0) continue;
      compare(model, {}, 1, 1e-12);
      compare(model, {.body_frames = true, .external_forces = true, .sparse = true, .share_between_passes = false}, 2,
              1e-12);
    }
  }
}

TEST(Trace, JacobiansOfSeveralFrames) {
  const auto model = load(model_path("planar2"), {});
  const auto of = [&](std::vector<std::string> frames) {
    const TraceOptions options{.frames = std::move(frames)};
    const auto program = trace(model, Algorithm::jacobian, options);
    const auto q = random_inputs(model, program, 1);
    const auto J = evaluate(program, q);
    EXPECT_TRUE(same(program, J, interpreted(model, Algorithm::jacobian, options, program, q), 1e-12));
    return J;
  };
  const auto tip = of({"tip"}), link = of({"link1"}), last = of({});
  EXPECT_NE(tip, link);
  EXPECT_EQ(tip.size(), 12u);
  EXPECT_EQ(last, of({"link2"}));
  auto both = tip;
  both.insert(both.end(), link.begin(), link.end());
  EXPECT_EQ(of({"tip", "link1"}), both);
}

TEST(Trace, RandomTreesGiveTheSameAsInterpreted) {
  int compared = 0;
  for_each_tree(
      {.max_joints = 12, .armature = 0.3, .mimic = 0.2},
      [&](Case& c) {
        if (c.model.nv() == 0) return;
        ++compared;
        // The mass matrix of a random robot may be badly conditioned: forward dynamics amplifies rounding by that much.
        compare(c.model, {.external_forces = c.seed % 2 == 0}, c.seed, 1e-9);
      },
      60);
  EXPECT_GT(compared, 30);
}

TEST(Trace, ScheduleKeepsOperandsBeforeTheirUsers) {
  LoadOptions options;
  options.base = Base::free;
  const auto model = load(model_path("humanoid"), options);
  for (const auto& row : algorithms()) {
    const auto program = trace(model, row.algorithm, {.share_between_passes = false});
    for (const auto& s : {schedule(program), in_order_of_trace(program)}) {
      std::vector<bool> known(program.graph.size());
      for (NodeId i = 0; i < program.graph.size(); ++i) known[i] = !is_operation(program.graph[i].op);
      for (const NodeId i : s.order) {
        const Node& n = program.graph[i];
        const NodeId operands[] = {n.a, n.b, n.c};
        for (int k = 0; k < operand_count(n.op); ++k) ASSERT_TRUE(known[operands[k]]) << row.name;
        ASSERT_FALSE(known[i]) << "twice";
        known[i] = true;
      }
      EXPECT_EQ(std::ranges::count(known, false), 0) << row.name;
      EXPECT_EQ(s.segments.front().begin, 0);
      EXPECT_EQ(s.segments.back().end, int(s.order.size()));
    }
  }
}

TEST(Trace, LimbByLimbKeepsFewValues) {
  LoadOptions options;
  options.base = Base::free;
  const auto program = trace(load(model_path("humanoid"), options), Algorithm::rnea);
  const int by_limbs = liveness(program, schedule(program)).peak;
  const int as_traced = liveness(program, in_order_of_trace(program)).peak;
  EXPECT_LT(2 * by_limbs, as_traced);
}

TEST(Trace, PassesThatShareNothingKeepFewerValues) {
  LoadOptions options;
  options.base = Base::free;
  const auto model = load(model_path("humanoid"), options);
  for (const auto algorithm : {Algorithm::aba_jvp, Algorithm::aba_vjp}) {
    const auto shared = trace(model, algorithm), apart = trace(model, algorithm, {.share_between_passes = false});
    EXPECT_LT(shared.counts().arithmetic(), apart.counts().arithmetic());
    EXPECT_LT(1.5 * liveness(apart, schedule(apart)).peak, liveness(shared, schedule(shared)).peak);
  }
}

TEST(Trace, RefusesBranchesOnValues) {
  Graph graph;
  const Recording recording(graph, "my algorithm");
  const Traced x = Traced::of(graph.input(0));
  EXPECT_TRUE(refuses([&] { (void)any(x < Traced(1)); }, {"my algorithm", "trace_test.cpp:", "select"}));
  const int line = __LINE__ + 1;
  const auto branch = [&] { return x < Traced(1) ? 1 : 0; };
  EXPECT_TRUE(refuses([&] { (void)branch(); },
                      {"my algorithm branches on a value (trace_test.cpp:" + std::to_string(line) + ")"}));
  EXPECT_TRUE(refuses([&] { (void)(x >= 0.5 ? 1 : 0); }, {"my algorithm branches on a value (trace_test.cpp:"}));
}

TEST(Trace, RefusesWhatItDoesNotKnow) {
  EXPECT_TRUE(refuses([] { (void)algorithm_of("rnae"); }, {"no algorithm 'rnae'", "did you mean 'rnea'?", "crba"}));
  EXPECT_EQ(algorithm_of("fk"), Algorithm::placements);
  Description nothing;
  nothing.name = "stone";
  nothing.links.emplace_back().name = "stone";
  BuildOptions fixed;
  fixed.base = Base::fixed;
  const auto model = build(nothing, fixed);
  EXPECT_TRUE(refuses([&] { (void)trace(model, Algorithm::rnea); }, {"'stone' has no degrees of freedom"}));
}

}  // namespace lissom::test
