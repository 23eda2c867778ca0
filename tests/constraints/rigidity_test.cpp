// Loops that close only where they are rigid, and linkages that are drawn straight.
#include "loop_cases.h"

namespace lissom::test {
namespace {

using Eigen::VectorXd;

// Three bars in a row from (0, 0, 0), hinged about y; a pin at (ground, 0, 0), or a rod to it, closes the loop.
Model four_bar(const std::array<double, 3>& lengths) {
  Description d;
  d.name = "four-bar";
  d.links.resize(4);
  d.links[0].name = "ground";
  for (std::size_t i = 0; i < 3; ++i) {
    auto& link = d.links[i + 1];
    const double length = lengths[i], I = length * length / 12;
    link.name = "bar_" + std::to_string(i + 1), link.mass = 1, link.com = {length / 2, 0, 0};
    link.inertia = {I / 100, 0, 0, I, 0, I};
    JointDescription j;
    j.name = "joint_" + std::to_string(i + 1), j.type = JointType::continuous;
    j.parent = d.links[i].name, j.child = link.name, j.axis = {0, 1, 0};
    if (i > 0) j.origin.p = {lengths[i - 1], 0, 0};
    d.joints.push_back(j);
  }
  return build(d);
}
Loop pin(const Model& model, double ground, double last) {
  return {"pin",
          {world_frame, {identity3<double>(), {ground, 0, 0}}},
          {model.frame("bar_3"), {identity3<double>(), {last, 0, 0}}}};
}

TEST(Rigidity, ALoopThatClosesOnlyStretchedIsNamed) {
  const auto model = four_bar({0.3, 0.4, 0.5});
  Workspace work(model);
  ClosedLoops loops(model, {{pin(model, 1.2, 0.5)}, {}});
  VectorXd q = VectorXd::Zero(3);
  expect_words(loops.rigid_because(model, work, q), {"loop 'pin'", "only", "rigid"});
  // Also where assembly finds it, to the digits that it can have there.
  q << 0.3, -0.5, 0.1;
  loops.assemble(model, work, q);
  expect_words(loops.rigid_because(model, work, q), {"loop 'pin'", "only", "rigid"});
  // A hinge has redundant rows besides.
  Loop hinge = pin(model, 1.2, 0.5);
  hinge.axes = loop_axes("xyz rx rz");
  ClosedLoops redundant(model, {{hinge}, {}});
  expect_words(redundant.rigid_because(model, work, VectorXd::Zero(3)), {"loop 'pin'"});
  // A rod instead of the last bar.
  Loop rod{"rod", {world_frame, {identity3<double>(), {1.2, 0, 0}}}, {model.frame("bar_3")}};
  rod.kind = LoopKind::distance, rod.length = 0.5;
  ClosedLoops rods(model, {{rod}, {}});
  expect_words(rods.rigid_because(model, work, VectorXd::Zero(3)), {"loop 'rod'", "only"});
}

TEST(Rigidity, LoopsThatMoveAreNotCalledRigid) {
  const auto model = four_bar({0.3, 1.0, 0.3});
  Workspace work(model);
  ClosedLoops parallelogram(model, {{pin(model, 1.0, 0.3)}, {}});
  // Flat, where its two branches cross; and upright.
  VectorXd q = Eigen::Vector3d(0, 0, 3.141592653589793);
  EXPECT_LT(parallelogram.gap(model, work, q), 1e-12);
  EXPECT_EQ(parallelogram.rigid_because(model, work, q), "");
  q << -1.2, 1.2, 1.2 + 3.141592653589793 - 2.4;
  parallelogram.assemble(model, work, q);
  EXPECT_EQ(parallelogram.rigid_because(model, work, q), "");
  for (const char* name : {"a02_four_bars_2", "a03_squeezer", "a04_bricard", "a05_governor"}) {
    const auto m = iftomm(name);
    Workspace other(m.model);
    ClosedLoops loops(m.model, m.closures);
    VectorXd start = neutral(m.model);
    loops.assemble(m.model, other, start);
    EXPECT_EQ(loops.rigid_because(m.model, other, start), "") << name;
  }
}

TEST(Assembly, OfALinkageThatIsDrawnStraight) {
  const auto model = four_bar({0.3, 0.4, 0.5});
  Workspace work(model);
  ClosedLoops loops(model, {{pin(model, 1.0, 0.5)}, {}});
  VectorXd q = VectorXd::Zero(3);
  EXPECT_GT(loops.assemble(model, work, q), 0);
  EXPECT_LT(loops.gap(model, work, q), 1e-12);
  VectorXd again = VectorXd::Zero(3);
  loops.assemble(model, work, again);
  EXPECT_EQ(again, q);  // the same bits
  // Too far away: no start helps, and the message says that others were tried.
  ClosedLoops open(model, {{pin(model, 1.3, 0.5)}, {}});
  expect_words(refusal([&] { open.assemble(model, work, q); }), {"'pin, along x'", "stays open", "nearby"});
}

}  // namespace
}  // namespace lissom::test
