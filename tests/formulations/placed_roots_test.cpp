// Robots whose file says where their root is, and how it is attached to the world: every formulation agrees about them.
#include <gtest/gtest.h>

#include "close.h"
#include "lissom/formulations/reroot.h"
#include "lissom/formulations/verify.h"
#include "lissom/io/read.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using namespace formulations;
using Eigen::VectorXd;

Description described(const std::string& file) {
  auto result = io::read(std::string(LISSOM_TEST_DATA) + "/io/sdf_models/" + file);
  EXPECT_TRUE(result.usable()) << file;
  return result.description;
}

class PlacedRoots : public testing::TestWithParam<std::string> {};

TEST_P(PlacedRoots, AreTheSameInEveryFormulation) {
  const auto robot = described(GetParam());
  for (const Base base : {Base::file, Base::fixed, Base::free}) {
    const auto model = build(robot, {.base = base});
    const auto report = verify(model, {.states = 5});
    EXPECT_EQ(report.compared, 5);
    EXPECT_FALSE(report.comparisons.empty());
    EXPECT_LT(report.max_disagreement(), 1e-10) << GetParam() << " " << int(base);
  }
}

// Fixed roots, and all that is fixed to the world, are where the file puts them; a free base is where its q says.
TEST_P(PlacedRoots, AreWhereTheFileSays) {
  const auto robot = described(GetParam());
  ASSERT_FALSE(robot.roots.empty());
  const auto fixed = build(robot, {.base = Base::fixed}), free = build(robot, {.base = Base::free});
  Workspace work(fixed), free_work(free);
  forward_kinematics(fixed, work, neutral(fixed));
  forward_kinematics(free, free_work, neutral(free));
  bool any_placed = false;
  for (const RootDescription& root : robot.roots) {
    const auto X = placement(fixed, work, fixed.frame(root.link)),
               Y = placement(free, free_work, free.frame(root.link));
    const auto& said = root.placement;
    EXPECT_LT(std::hypot(X.p.x - said.p.x, X.p.y - said.p.y, X.p.z - said.p.z), 1e-14) << root.link;
    EXPECT_LT(std::hypot(X.R.xx - said.R.xx, X.R.yx - said.R.yx, X.R.zx - said.R.zx), 1e-14) << root.link;
    EXPECT_LT(std::hypot(X.R.xz - said.R.xz, X.R.yz - said.R.yz, X.R.zz - said.R.zz), 1e-14) << root.link;
    if (root.is_ground) {
      EXPECT_LT(std::hypot(Y.p.x - said.p.x, Y.p.y - said.p.y, Y.p.z - said.p.z), 1e-14) << root.link;
    } else {
      EXPECT_LT(std::hypot(Y.p.x, Y.p.y, Y.p.z), 1e-14) << root.link;
    }
    any_placed = any_placed || said.p.x != 0 || said.p.y != 0 || said.p.z != 0;
  }
  EXPECT_TRUE(any_placed);
}

INSTANTIATE_TEST_SUITE_P(Files, PlacedRoots, testing::Values("frames.sdf", "nested.sdf", "world.sdf", "axes_1_6.sdf"),
                         [](const auto& file) { return file.param.substr(0, file.param.find('.')); });

// Another base link keeps the free base that the file gives, also if nobody asks for one.
TEST(PlacedRoot, IsKeptByAnotherBaseLink) {
  const auto robot = described("frames.sdf");
  const auto model = build(robot);
  const Rerooted other(model, "hand");
  ASSERT_EQ(other.model().nv(), model.nv());
  EXPECT_EQ(other.model().joints()[0].child, "hand");
  Random random(3);
  const VectorXd q = random_configuration(model, 1), v = random.vector(model.nv(), 1);
  const auto there = other.convert(q, v);
  Workspace work(model), other_work(other.model());
  EXPECT_TRUE(
      close(kinetic_energy(other.model(), other_work, there.q, there.v), kinetic_energy(model, work, q, v), 1e-10));
  EXPECT_TRUE(close(potential_energy(other.model(), other_work, there.q), potential_energy(model, work, q), 1e-10));
  // Fixed instead, the new base is where the file has that link.
  const auto fixed = build(robot, {.base = Base::fixed}), moved = build(rerooted(robot, "hand"), {.base = Base::fixed});
  Workspace fixed_work(fixed), moved_work(moved);
  forward_kinematics(fixed, fixed_work, neutral(fixed));
  forward_kinematics(moved, moved_work, neutral(moved));
  for (const auto& link : robot.links) {
    const auto X = placement(fixed, fixed_work, fixed.frame(link.name)),
               Y = placement(moved, moved_work, moved.frame(link.name));
    EXPECT_LT(std::hypot(X.p.x - Y.p.x, X.p.y - Y.p.y, X.p.z - Y.p.z), 1e-12) << link.name;
  }
}

}  // namespace
}  // namespace lissom::test
