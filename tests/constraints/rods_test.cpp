// Rods: loops that keep a distance. Their equation, forces, lengths and assembly, against closed forms and against
// links.
#include <cmath>

#include "close.h"
#include "largest.h"
#include "lissom/constraints/precise_rows.h"
#include "loop_cases.h"

namespace lissom::test {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

Loop rod(const std::string& name, const LoopEnd& a, const LoopEnd& b, std::optional<double> length) {
  Loop loop{name, a, b};
  loop.kind = LoopKind::distance;
  loop.length = length;
  return loop;
}

TEST(Rods, DerivativesAreThoseOfTheDistance) {
  int rods = 0;
  for_each_tree(
      {.min_joints = 2, .max_joints = 8, .armature = 0.2, .mimic = 0.2},
      [&](Case& c) {
        Random random(c.seed);
        Closures description;
        for (int k = 0; k < 4; ++k) {
          auto loop = random_loop(c, random, 1);
          loop.a.placement.p = random.vec3(1) + Vec3<double>{2, 0, 0};  // ends that meet have no direction
          description.loops.push_back(rod("rod" + std::to_string(k), loop.a, loop.b, random.uniform(0.1, 2)));
        }
        description.loops.push_back(random_loop(c, random, random.integer(1, 63)));  // rows of both kinds
        LoopRows rows(c.model, description);
        ASSERT_EQ(rows.count(), 4 + description.loops[4].axes.count());
        expect_derivatives(c, rows);
        rods += 4;
        // The residual is the distance less the length, and extended precision finds the same.
        PreciseRows precise(c.model, rows);
        precise.evaluate(c.model, rows, c.q, c.v, c.a);
        rows.evaluate(c.model, c.work, c.q);
        rows.evaluate_Jdot_v(c.model, c.work, c.q, c.v);
        EXPECT_TRUE(close(precise.residual(), rows.residual(), 1e-12));
        EXPECT_TRUE(close(precise.rate(), rows.J() * c.v, 1e-11));
        EXPECT_TRUE(close(precise.acceleration(), rows.J() * c.a + rows.Jdot_v(), 1e-10));
        forward_kinematics(c.model, c.work, c.q);
        for (int k = 0; k < 4; ++k) {
          const auto& loop = description.loops[std::size_t(k)];
          const auto end = [&](const LoopEnd& e) {
            return to_eigen((placement(c.model, c.work, e.frame) * e.placement).p);
          };
          EXPECT_NEAR(rows.residual()[k], (end(loop.b) - end(loop.a)).norm() - *loop.length, 1e-12);
        }
      },
      100);
  EXPECT_GE(rods, 400);
}

// A link without size that moves in space by three prismatic joints.
Description particle(double mass) {
  Description d;
  d.name = "particle";
  d.links.resize(4);
  const char* names[] = {"ground", "x_slide", "y_slide", "particle"};
  for (std::size_t i = 0; i < 4; ++i) d.links[i].name = names[i];
  d.links[3].mass = mass;
  for (std::size_t i = 0; i < 3; ++i) {
    JointDescription j;
    j.name = std::string("to_") + names[i + 1], j.type = JointType::prismatic;
    j.parent = names[i], j.child = names[i + 1];
    j.axis = {i == 0 ? 1.0 : 0, i == 1 ? 1.0 : 0, i == 2 ? 1.0 : 0};
    j.lower = {-10}, j.upper = {10};
    d.joints.push_back(j);
  }
  return d;
}

// A pendulum: the rod pulls with m g cos θ + m v² / L.
TEST(Rods, CarryTheForceOfAPendulum) {
  const double m = 2, L = 0.7, g = 9.81;
  const auto model = build(particle(m));
  Workspace work(model);
  ClosedLoops loops(model, {{rod("string", {world_frame}, {model.frame("particle")}, L)}, {}});
  EXPECT_EQ(loops.rows().label(0).name, "string, length");
  EXPECT_STREQ(force_unit(loops.rows().label(0)), "N");
  for (const double angle : {0.0, 0.4, 1.2, 2.5, 3.14}) {
    const double rate = 1.5;
    const VectorXd q = Vector3d(L * std::sin(angle), 0, -L * std::cos(angle));
    const VectorXd v = L * rate * Vector3d(std::cos(angle), 0, std::sin(angle));
    const VectorXd a = forward_dynamics(model, work, loops, q, v, VectorXd::Zero(3));
    EXPECT_NEAR(loops.multipliers()[0], -m * (g * std::cos(angle) + L * rate * rate), 1e-11);
    const Vector3d along(std::cos(angle), 0, std::sin(angle)), inward(-std::sin(angle), 0, std::cos(angle));
    EXPECT_NEAR(a.dot(along), -g * std::sin(angle), 1e-11);
    EXPECT_NEAR(a.dot(inward), L * rate * rate, 1e-11);
  }
}

LinkDescription bar(const std::string& name, double length, double mass) {
  LinkDescription link;
  link.name = name, link.mass = mass, link.com = {length / 2, 0, 0};
  const double I = mass * length * length / 12;
  link.inertia = {I / 100, 0, 0, I, 0, I};
  return link;
}
JointDescription hinge(const std::string& parent, const std::string& child, const Vec3<double>& at) {
  JointDescription j;
  j.name = "to_" + child, j.type = JointType::continuous, j.parent = parent, j.child = child;
  j.origin.p = at, j.axis = {0, 1, 0};
  return j;
}

// Two cranks whose planes are parallel and apart, with a rod between their ends; the same with a link of 1 mg and a
// ball joint at each end instead of the rod.
TEST(Rods, AreLightLinksWithTwoBallJoints) {
  const double apart = 0.8, length = 0.9;
  Description d;
  d.name = "cranks";
  d.links = {bar("ground", 1, 1), bar("left", 0.3, 1.2), bar("right", 0.5, 0.8)};
  d.joints = {hinge("ground", "left", {0, 0, 0}), hinge("ground", "right", {apart, 0.2, 0})};
  const LoopEnd left_tip{{}, {identity3<double>(), {0.3, 0, 0}}}, right_tip{{}, {identity3<double>(), {0.5, 0, 0}}};
  const auto at = [](const Model& model, const char* link, LoopEnd end) {
    end.frame = model.frame(link);
    return end;
  };
  const auto with_rod = build(d);
  ClosedLoops rods(with_rod,
                   {{rod("rod", at(with_rod, "left", left_tip), at(with_rod, "right", right_tip), length)}, {}});
  Workspace work(with_rod);
  VectorXd q = Eigen::Vector2d(-1.1, -1.4), v = Eigen::Vector2d(2, -1);
  EXPECT_EQ(rods.assemble(with_rod, work, q), 0);
  EXPECT_LT(rods.gap(with_rod, work, q), 1e-14);
  rods.project_velocity(with_rod, work, q, v);
  const VectorXd a = forward_dynamics(with_rod, work, rods, q, v, VectorXd::Zero(2));

  const double light = 1e-6;
  d.links.push_back(bar("rod", length, light));
  JointDescription ball;
  ball.name = "ball", ball.type = JointType::spherical, ball.parent = "left", ball.child = "rod";
  ball.origin.p = {0.3, 0, 0};
  d.joints.push_back(ball);
  const auto with_link = build(d);
  const LoopEnd rod_tip{with_link.frame("rod"), {identity3<double>(), {length, 0, 0}}};
  ClosedLoops links(with_link, {{{"ball 2", at(with_link, "right", right_tip), rod_tip}}, {}});
  Workspace link_work(with_link);
  VectorXd link_q = neutral(with_link), link_v = VectorXd::Zero(with_link.nv());
  for (const char* joint : {"to_left", "to_right"}) {
    link_q[with_link.joint(joint).q_index] = q[with_rod.joint(joint).q_index];
    link_v[with_link.joint(joint).v_index] = v[with_rod.joint(joint).v_index];
  }
  // The link lies from tip to tip.
  forward_kinematics(with_rod, work, q);
  const auto left = placement(with_rod, work, with_rod.frame("left"));
  const auto right = placement(with_rod, work, with_rod.frame("right"));
  const Vector3d along =
      to_eigen(transpose(left.R) * (right * Vec3<double>{0.5, 0, 0} - left * Vec3<double>{0.3, 0, 0}));
  const auto Q = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), along);
  link_q.segment<4>(with_link.joint("ball").q_index) << Q.w(), Q.x(), Q.y(), Q.z();
  EXPECT_LT(links.gap(with_link, link_work, link_q), 1e-12);
  links.project_velocity(with_link, link_work, link_q, link_v);
  const VectorXd link_a = forward_dynamics(with_link, link_work, links, link_q, link_v, VectorXd::Zero(with_link.nv()));
  for (const char* joint : {"to_left", "to_right"}) {
    EXPECT_NEAR(link_q[with_link.joint(joint).q_index], q[with_rod.joint(joint).q_index], 1e-12) << joint;
    EXPECT_NEAR(link_v[with_link.joint(joint).v_index], v[with_rod.joint(joint).v_index], 1e-5) << joint;
    EXPECT_NEAR(link_a[with_link.joint(joint).v_index], a[with_rod.joint(joint).v_index], 1e-4 * largest(a)) << joint;
  }
  EXPECT_NEAR(links.multipliers().norm(), std::abs(rods.multipliers()[0]), 1e-4 * links.multipliers().norm());
}

TEST(Rods, HaveTheLengthOfThePostureIfNoneIsGiven) {
  const auto model = build(particle(1));
  const LoopEnd a{world_frame, {identity3<double>(), {3, 0, 4}}}, b{model.frame("particle")};
  const ClosedLoops loops(model, {{rod("rod", a, b, {})}, {}});
  EXPECT_NEAR(*loops.rows().description().loops[0].length, 5, 1e-15);
  const auto refused = [&](const Loop& loop) { return refusal([&] { ClosedLoops(model, {{loop}, {}}); }); };
  expect_words(refused(rod("rod", {world_frame}, b, {})), {"rod 'rod' has length 0", "positive", "axes xyz"});
  for (const double wrong : {0.0, -1.0, std::nan(""), HUGE_VAL})
    expect_words(refused(rod("rod", a, b, wrong)), {"rod 'rod' has length", "positive"});
  auto d = particle(1);
  LoopDescription described{"rod", {"world"}, {"particle"}};
  described.kind = LoopKind::distance, described.length = 0;
  d.loops.push_back(described);
  expect_words(refusal([&] { build(d); }), {"loop 'rod'", "its length is 0", "rod-length"});
}

// Six rods leave the platform three translations; every pair of rods and its arm obeys the delta's own equation.
TEST(Rods, CarryTheDeltaRobot) {
  const std::string stem = LISSOM_MODELS_DIR "/mechanisms/delta";
  const auto model = load(stem + ".urdf", {.loops_file = stem + ".json"});
  Workspace work(model);
  ClosedLoops loops(model);
  ASSERT_EQ(loops.rows().count(), 6);
  EXPECT_LT(loops.gap(model, work, neutral(model)), 1e-9);  // the file has nine digits
  const double base = 0.20, platform = 0.06, upper = 0.22, length = 0.60;
  for (int seed = 1; seed < 20; ++seed) {
    Random random(std::uint64_t(seed) + 1);
    VectorXd q = neutral(model);
    for (const char* arm : {"a", "b", "c"})
      q[model.joint(std::string("shoulder_") + arm).q_index] = random.uniform(-0.5, 0.6);
    loops.assemble(model, work, q);
    VectorXd v = random.vector(model.nv(), 1);
    loops.project(model, work, q, v);
    EXPECT_EQ(loops.rank(), 6);
    forward_kinematics(model, work, q);
    const auto X = placement(model, work, model.frame("platform"));
    EXPECT_TRUE(close(to_eigen(X.R), Eigen::Matrix3d::Identity(), 1e-7));  // it stays level
    for (int k = 0; k < 3; ++k) {
      const double turn = k * 2 * 3.141592653589793 / 3;
      const double angle = q[model.joint(std::string("shoulder_") + "abc"[k]).q_index];
      const Vector3d p = to_eigen(X.p);
      // In the plane of the arm: the rod spans (x, y, z) from the elbow to the platform's edge.
      const double x = p.x() * std::cos(turn) + p.y() * std::sin(turn) + platform - base - upper * std::cos(angle);
      const double y = -p.x() * std::sin(turn) + p.y() * std::cos(turn), z = p.z() + upper * std::sin(angle);
      EXPECT_NEAR(x * x + y * y + z * z, length * length, 1e-8) << seed;
    }
  }
  // At rest in q = 0, held by the arms, all rods pull alike: six times T · 0.48 / 0.6 is the weight of the platform.
  VectorXd q = neutral(model);
  loops.assemble(model, work, q);
  std::vector<bool> actuated(std::size_t(model.nv()), false);
  for (const char* arm : {"a", "b", "c"})
    actuated[std::size_t(model.joint(std::string("shoulder_") + arm).v_index)] = true;
  const VectorXd zero = VectorXd::Zero(model.nv());
  const auto held = inverse_dynamics(model, work, loops, q, zero, zero, actuated);
  const double pull = 0.4 * 9.81 / 6 * 0.6 / 0.48;
  for (int row = 0; row < 6; ++row) EXPECT_NEAR(held.multipliers[row], -pull, 1e-6) << loops.rows().label(row).name;
}

}  // namespace
}  // namespace lissom::test
