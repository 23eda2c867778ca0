// Contacts without force, bounds of forces, places on polygons, obstacles, and links that meet.
#include <limits>

#include "largest.h"
#include "lissom/geometry/collide.h"
#include "lissom/geometry/collision_geometry.h"
#include "lissom/model/axes.h"
#include "lissom/stance/collisions.h"
#include "stance_support.h"

namespace lissom::test {

namespace {

Pose<double> level_at(double x, double y, double z) {
  return {identity3<double>(), {x, y, z}};
}

class Surroundings : public ::testing::Test {
 protected:
  Model model = standing_model("humanoid");
  StanceContact left{.frame = "left_sole", .placement = level_at(0, .1, 0)},
      right{.frame = "right_sole", .placement = level_at(0, -.1, 0)};
  Stance found(const StanceProblem& problem) {
    auto s = find_stance(model, problem);
    EXPECT_EQ(to_string(s.status), std::string("found")) << s.what;
    return s;
  }
  static StanceObstacle box(const Vec3<double>& size, const Pose<double>& pose) {
    StanceObstacle o{"block", {}, pose};
    o.shape.kind = Shape::Kind::box, o.shape.size = size;
    return o;
  }
};

TEST_F(Surroundings, AContactTouchesWithoutForce) {
  right.carries = false;
  const auto s = found({.contacts = {left, right}});
  ASSERT_EQ(s.contacts.size(), 2u);
  EXPECT_EQ(s.contacts[1].normal, 0);
  EXPECT_NEAR(s.contacts[0].normal, weight(model), 1e-6);
  EXPECT_LT(norm(s.contacts[1].placement.p - right.placement->p), 1e-8);
  EXPECT_GT(s.com.y, .03) << "the center of mass is above the left foot alone";
}

TEST_F(Surroundings, NormalForcesHaveLimits) {
  right.max_normal_force = 100;
  EXPECT_LE(found({.contacts = {left, right}}).contacts[1].normal, 100 + 1e-6);
  right.max_normal_force = std::numeric_limits<double>::infinity(), right.min_normal_force = 400;
  EXPECT_GE(found({.contacts = {left, right}}).contacts[1].normal, 400 - 1e-6);
  right.max_normal_force = 300;
  EXPECT_THROW(find_stance(model, {.contacts = {left, right}}), Error);
}

TEST_F(Surroundings, AFootIsSomewhereOnATiltedPolygon) {
  right.placement.reset();
  const Pose<double> pose{rotation_rpy(.1, -.15, 0), {.25, -.2, .1}};
  right.polygon = {
      .pose = pose, .corners = {{-.2, -.12, 0}, {.2, -.12, 0}, {.2, .12, 0}, {-.2, .12, 0}}, .margin = .01};
  const auto s = found({.contacts = {left, right}, .ground = {}});
  for (const auto& p : s.contacts[1].points) {
    const auto local = inverse(pose) * p;
    EXPECT_NEAR(local.z, 0, 1e-6);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto edge = stance::edge_of(*right.polygon, i);
      EXPECT_LT(dot(edge.n, local), edge.d + 2e-3);
    }
  }
}

TEST_F(Surroundings, LinksKeepAwayFromObstacles) {
  const auto free = found({.contacts = {left, right}});
  // A block that the chest is in.
  const auto block = box({.2, .6, .2}, level_at(.12, 0, 1.05));
  const auto s = found({.contacts = {left, right}, .obstacles = {block}, .clearance = .02});
  const auto nearest = [&](const Eigen::VectorXd& q) {
    Workspace work(model);
    forward_kinematics(model, work, q);
    double least = 1;
    for (const auto& shape : CollisionGeometry(model).shapes())
      if (shape.body != 0 && is_primitive(shape.shape))
        least = smaller(least, distance(Collider(shape.shape), placement(model, work, shape.frame) * shape.in_link,
                                        Collider(block.shape), block.pose)
                                   .distance);
    return least;
  };
  EXPECT_LT(nearest(free.q), 0) << "otherwise nothing is tested";
  EXPECT_GT(nearest(s.q), .02 - 4e-3);
}

TEST_F(Surroundings, LinksThatMeetKeepADistance) {
  // The left foot to the right of the right one: the legs would have to go through each other.
  StanceProblem problem{.contacts = {{.frame = "left_sole", .placement = level_at(0, -.06, 0)},
                                     {.frame = "right_sole", .placement = level_at(0, .06, 0)}}};
  EXPECT_EQ(find_stance(model, problem).status, StanceStatus::found);
  problem.self_collision = true;
  const auto s = find_stance(model, problem);
  EXPECT_EQ(s.status, StanceStatus::no_posture);
  EXPECT_NE(s.what.find("link"), std::string::npos) << s.what;
}

}  // namespace

}  // namespace lissom::test
