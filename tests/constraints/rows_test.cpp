// Closures as equations: their derivatives against finite differences, their labels, and invalid input.
#include <cmath>
#include <numbers>

#include <Eigen/SVD>

#include "close.h"
#include "loop_cases.h"

namespace lissom::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(LoopRows, DerivativesOfEveryPatternOfAxes) {
  for_each_tree(
      {.min_joints = 2, .max_joints = 7, .armature = 0.2, .mimic = 0.2},
      [](Case& c) {
        Random random(c.seed);
        for (int pattern = 1; pattern < 64; ++pattern) {
          SCOPED_TRACE("axes " + std::to_string(pattern));
          Closures description{{random_loop(c, random, pattern)}, {}};
          LoopRows rows(c.model, description);
          ASSERT_EQ(rows.count(), description.loops[0].axes.count());
          expect_derivatives(c, rows);
        }
      },
      20);
}

TEST(LoopRows, DerivativesOfSeveralLoopsAndCouplings) {
  int couplings = 0;
  for_each_tree(
      {.min_joints = 3, .max_joints = 10, .mimic = 0.2},
      [&](Case& c) {
        Random random(c.seed);
        Closures description;
        for (int k = random.integer(0, 3); k > 0; --k)
          description.loops.push_back(random_loop(c, random, random.integer(1, 63)));
        for (int k = random.integer(1, 3); k > 0; --k) add_random_coupling(c.model, random, description);
        couplings += int(description.couplings.size());
        LoopRows rows(c.model, description);
        expect_derivatives(c, rows);
      },
      300);
  EXPECT_GT(couplings, 300);
}

// If b's frame coincides with a's, every loop is closed, whichever axes are constrained; and every row counts.
TEST(LoopRows, NothingIsOpenWhereTheEndsLieOnEachOther) {
  for_each_tree(
      {.min_joints = 2, .max_joints = 8},
      [](Case& c) {
        Random random(c.seed);
        for (int pattern = 1; pattern < 64; ++pattern) {
          ClosedLoops loops(c.model, {{closed_at(c, random_loop(c, random, pattern), c.q)}, {}});
          EXPECT_LT(loops.gap(c.model, c.work, c.q), 1e-13);
        }
      },
      20);
}

// Constrained against free axes: a body on a free joint is moved along and about each axis.
class OneBody : public ::testing::Test {
 protected:
  static Model body() {
    Random random(1);
    Description d;
    d.name = "one";
    d.links = {random_link("body", random)};
    return build(d, {.base = Base::free});
  }
  double gap(const LoopAxes& axes, int axis, double amount) {
    ClosedLoops loops(model, {{{"loop", {world_frame}, {model.frame("body")}, axes}}, {}});
    VectorXd v = VectorXd::Zero(6);
    v[axis] = amount;
    return loops.gap(model, work, integrate(model, neutral(model), v));
  }
  const Model model = body();
  Workspace work{model};
};

TEST_F(OneBody, WhatIsHeldOpensTheLoopAndWhatIsFreeDoesNot) {
  for (int pattern = 1; pattern < 64; ++pattern) {
    const auto axes = axes_of(pattern);
    for (int axis = 0; axis < 6; ++axis) {
      SCOPED_TRACE("axes " + std::to_string(pattern) + ", moved " + std::to_string(axis));
      const bool held = (pattern >> axis) & 1;
      if (held)
        EXPECT_NEAR(gap(axes, axis, 0.1), axis < 3 ? 0.1 : std::sin(0.1), 1e-14);
      else
        EXPECT_LT(gap(axes, axis, 0.1), 1e-14);
    }
  }
}

// A hinge may rotate without limit, and its rows are equally well conditioned at every angle.
TEST_F(OneBody, AHingeKeepsItsRankAtEveryAngle) {
  for (int free = 0; free < 3; ++free) {
    LoopAxes axes{{true, true, true}, {true, true, true}};
    axes.about[std::size_t(free)] = false;
    ClosedLoops loops(model, {{{"hinge", {world_frame}, {model.frame("body")}, axes}}, {}});
    for (int k = -36; k <= 36; ++k) {
      VectorXd v = VectorXd::Zero(6);
      v[3 + free] = k * std::numbers::pi / 18 + 1e-3;
      const VectorXd q = integrate(model, neutral(model), v);
      EXPECT_LT(loops.gap(model, work, q), 1e-14);
      const Eigen::JacobiSVD<MatrixXd> svd(loops.rows().J());
      EXPECT_NEAR(svd.singularValues()[4], 1, 1e-12);
      EXPECT_NEAR(svd.singularValues()[0], 1, 1e-12);
      VectorXd still = VectorXd::Zero(6);
      loops.project_velocity(model, work, q, still);
      EXPECT_EQ(loops.rank(), 5);
    }
  }
}

// A base, and a revolute, a prismatic and a spherical joint.
Model chain() {
  Random random(2);
  Description d;
  d.name = "chain";
  for (const char* name : {"base", "arm", "slider", "ball"}) d.links.push_back(random_link(name, random));
  const JointType types[] = {JointType::revolute, JointType::prismatic, JointType::spherical};
  for (int i = 0; i < 3; ++i) {
    JointDescription j;
    j.name = "to_" + d.links[std::size_t(i) + 1].name, j.type = types[i];
    j.parent = d.links[std::size_t(i)].name, j.child = d.links[std::size_t(i) + 1].name;
    d.joints.push_back(j);
  }
  return build(d);
}

TEST(LoopRows, AreNamedAndHaveUnits) {
  const auto model = chain();
  Closures d;
  d.loops.push_back({"rod", {world_frame}, {model.frame("ball")}, loop_axes("xz ry")});
  d.loops.push_back({"weld", {world_frame}, {model.frame("arm")}, loop_axes("rx,ry,rz,x,y,z")});
  d.couplings.push_back({"turning", "to_arm", "to_slider", {0, 2}});
  d.couplings.push_back({"sliding", "to_slider", "to_arm", {0, 2}});
  const LoopRows rows(model, d);
  const std::vector<std::pair<std::string, std::string>> expected{
      {"rod, along x", "m"},    {"rod, along z", "m"},  {"rod, about y", "rad"},  {"weld, along x", "m"},
      {"weld, along y", "m"},   {"weld, along z", "m"}, {"weld, about x", "rad"}, {"weld, about y", "rad"},
      {"weld, about z", "rad"}, {"turning", "rad"},     {"sliding", "m"}};
  ASSERT_EQ(rows.count(), int(expected.size()));
  for (int i = 0; i < rows.count(); ++i) {
    EXPECT_EQ(rows.label(i).name, expected[std::size_t(i)].first);
    EXPECT_EQ(rows.label(i).unit, expected[std::size_t(i)].second) << rows.label(i).name;
  }
}

TEST(LoopAxesText, SaysWhatIsHeld) {
  EXPECT_EQ(loop_axes("xyz"), axes_of(0b000111));
  EXPECT_EQ(loop_axes("xyz rx ry rz"), axes_of(0b111111));
  EXPECT_EQ(loop_axes("xyz rx ry"), axes_of(0b011111));
  EXPECT_EQ(loop_axes("xy rx ry rz"), axes_of(0b111011));
  EXPECT_EQ(loop_axes("rz"), axes_of(0b100000));
  EXPECT_EQ(loop_axes("y, rxryrz"), axes_of(0b111010));
  EXPECT_EQ(loop_axes("z y x"), axes_of(0b000111));
  EXPECT_EQ(loop_axes("").count(), 0);
  EXPECT_EQ((Loop{"default", {}, {}}.axes), loop_axes("xyz"));
  for (const char* bad : {"w", "xyw", "r", "rw", "xyz r", "X", "x;y", "roll"}) {
    SCOPED_TRACE(bad);
    expect_words(refusal([&] { loop_axes(bad); }), {std::string("\"") + bad + "\"", "expected"});
  }
}

TEST(LoopRows, RefuseWhatTheyCannotUse) {
  const auto model = chain();
  const auto made = [&](const Closures& d) { return refusal([&] { ClosedLoops(model, d); }); };
  const Loop good{"rod", {world_frame}, {model.frame("ball")}, loop_axes("x")};
  for (const int none : {-1, int(model.frames().size()), 1 << 30}) {
    auto a = good, b = good;
    a.a.frame.index = b.b.frame.index = none;
    expect_words(made({{good, a}, {}}), {"'rod'", "is " + std::to_string(none) + ", expected a frame", "chain"});
    expect_words(made({{b}, {}}), {"'rod'", "is " + std::to_string(none) + ", expected a frame"});
  }
  auto nothing = good;
  nothing.axes = {};
  expect_words(made({{nothing}, {}}), {"'rod'", "constrains no axis"});
  expect_words(made({{}, {{"c", "to_arn", "to_slider", {0, 1}}}}), {"to_arn", "to_arm"});
  expect_words(made({{}, {{"c", "to_arm", "slide", {0, 1}}}}), {"slide"});
  expect_words(made({{}, {{"c", "to_ball", "to_arm", {0, 1}}}}), {"'c'", "'to_ball'", "3"});
  expect_words(made({{}, {{"c", "to_arm", "to_ball", {0, 1}}}}), {"'c'", "'to_ball'", "3"});
  expect_words(made({{}, {{"c", "to_arm", "to_slider", {}}}}), {"'c'", "coefficients"});
}

}  // namespace
}  // namespace lissom::test
