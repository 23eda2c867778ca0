// Links that keep a distance.
#include "lissom/control/clearance.h"

#include <algorithm>

#include "control_test_support.h"
#include "largest.h"
#include "lissom/control/self_clearance.h"

namespace lissom::control::test {
namespace {

using lissom::test::smaller;

double length(const Vec3<double>& x) {
  return std::sqrt(dot(x, x));
}
double distance(const Vec3<double>& a0, const Vec3<double>& a1, const Vec3<double>& b0, const Vec3<double>& b1,
                double s, double t) {
  return length(a0 + s * (a1 - a0) - b0 - t * (b1 - b0));
}

TEST(Clearance, KeepsLinksApartThatATaskPullsTogether) {
  const auto model = robot("humanoid.urdf");
  State s{crouched_humanoid(model), VectorXd::Zero(model.nv())};
  const Capsule hand{"left_hand", {0, 0, -.08}, {0, 0, 0}, .05}, thigh{"left_thigh", {0, 0, -.3}, {0, 0, 0}, .08};
  const auto between = [&] {
    const auto A = placement_at(model, s.q, hand.frame), B = placement_at(model, s.q, thigh.frame);
    const auto a0 = A * hand.from, a1 = A * hand.to, b0 = B * thigh.from, b1 = B * thigh.to;
    const auto near = nearest_points(a0, a1, b0, b1);
    return distance(a0, a1, b0, b1, near.s, near.t) - hand.radius - thigh.radius;
  };
  for (const bool kept : {true, false}) {
    s = {crouched_humanoid(model), VectorXd::Zero(model.nv())};
    ASSERT_GE(between(), .05);
    WholeBody controller(model);
    controller.add(Contact{.frame = "left_sole"});
    controller.add(Contact{.frame = "right_sole"});
    if (kept) controller.add(Clearance{.a = hand, .b = thigh});
    Workspace work(model);
    controller.add(CenterOfMassTask{.target = center_of_mass(model, work, s.q), .weight = 10});
    controller.add(PostureTask{.target = s.q, .weight = .01});
    controller.add(PointTask{.frame = "left_hand", .target = {0, 0, -.15}, .relative_to = "left_thigh"});
    double min_distance = 1;
    for (int i = 0; i < 3000; ++i) {
      const auto& tick = controller.solve(s.q, s.v);
      ASSERT_EQ(tick.status, TickStatus::optimal) << i << " " << controller.explain();
      const VectorXd a = tick.accelerations;
      s.q = integrate(model, s.q, s.v + .5e-3 * a, 1e-3);
      s.v += 1e-3 * a;
      min_distance = smaller(min_distance, between());
    }
    if (kept) {
      EXPECT_GE(min_distance, .0095);  // 0.01, softly
      EXPECT_LE(between(), .02);
    } else {
      EXPECT_LE(min_distance, 0);
    }
  }
}

bool has(const std::vector<Clearance>& pairs, const std::string& a, const std::string& b) {
  return std::ranges::any_of(pairs, [&](const Clearance& c) {
    return (c.a.frame == a && c.b.frame == b) || (c.a.frame == b && c.b.frame == a);
  });
}

TEST(SelfClearances, AreBetweenLinksThatCanMeet) {
  const auto model = robot("humanoid.urdf");
  const auto q = crouched_humanoid(model);
  const auto pairs = self_clearances(model, {q});
  EXPECT_TRUE(has(pairs, "left_hand", "left_thigh"));
  EXPECT_TRUE(has(pairs, "left_hand", "right_hand"));
  EXPECT_FALSE(has(pairs, "left_thigh", "left_shank"));  // joined
  const auto other = robot("quadruped.urdf");
  const auto legs = self_clearances(other, {standing_quadruped(other)});
  EXPECT_TRUE(has(legs, "front_left_shank", "rear_left_shank"));
  EXPECT_FALSE(has(legs, "front_left_hip", "rear_right_hip"));  // never near each other
  // In none of the postures does one act, and those that are nearly touching there are left out.
  for (const auto& c : pairs) EXPECT_GT(c.influence_distance, c.min_distance) << name_of(c);
  VectorXd hands_together = q;
  for (const std::string side : {"left", "right"}) joint(model, hands_together, side + "_elbow") = -2.2;
  EXPECT_LE(self_clearances(model, {q, hands_together}).size(), pairs.size());
  const auto again = self_clearances(model, {q});
  ASSERT_EQ(again.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) EXPECT_EQ(name_of(again[i]), name_of(pairs[i]));
}

// Nobody names the pair. The clearance is skipped while the links are far from each other, and still evaluated in time.
TEST(SelfClearances, KeepLinksApartThatATaskPullsTogether) {
  const auto model = robot("humanoid.urdf");
  State s{crouched_humanoid(model), VectorXd::Zero(model.nv())};
  WholeBody controller(model);
  controller.add(Contact{.frame = "left_sole"});
  controller.add(Contact{.frame = "right_sole"});
  const auto pairs = self_clearances(model, {s.q});
  for (const auto& c : pairs) controller.add(c);
  controller.add(CenterOfMassTask{.target = {0, 0, .75}, .weight = 10});
  controller.add(PostureTask{.target = s.q, .weight = .01});
  controller.add(PointTask{.frame = "left_hand", .target = {0, 0, -.15}, .relative_to = "left_thigh"});
  double nearest = 1;
  int near = 0;
  Workspace work(model);
  for (int i = 0; i < 1500; ++i) {
    const auto& tick = controller.solve(s.q, s.v);
    ASSERT_EQ(tick.status, TickStatus::optimal) << i << " " << controller.explain();
    const VectorXd a = tick.accelerations;
    s.q = integrate(model, s.q, s.v + .5e-3 * a, 1e-3);
    s.v += 1e-3 * a;
    forward_kinematics(model, work, s.q);
    for (const auto& c : pairs) {
      const auto A = placement(model, work, model.frame(c.a.frame)), B = placement(model, work, model.frame(c.b.frame));
      const auto a0 = A * c.a.from, a1 = A * c.a.to, b0 = B * c.b.from, b1 = B * c.b.to;
      const auto at = nearest_points(a0, a1, b0, b1);
      const double d = distance(a0, a1, b0, b1, at.s, at.t) - c.a.radius - c.b.radius;
      nearest = smaller(nearest, d);
      near += d < c.influence_distance;
    }
  }
  EXPECT_GT(near, 100);
  EXPECT_GE(nearest, .008);
}

}  // namespace
}  // namespace lissom::control::test
