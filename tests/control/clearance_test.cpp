// Links that keep a distance.
#include "lissom/control/clearance.h"

#include "control_test_support.h"

namespace lissom::control::test {
namespace {

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
      min_distance = std::min(min_distance, between());
    }
    if (kept) {
      EXPECT_GE(min_distance, .0095);  // 0.01, softly
      EXPECT_LE(between(), .02);
    } else {
      EXPECT_LE(min_distance, 0);
    }
  }
}

}  // namespace
}  // namespace lissom::control::test
