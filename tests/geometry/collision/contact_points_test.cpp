// Contact points where the answer is known in closed form.
#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "collision_cases.h"
#include "largest.h"

namespace lissom::test {
namespace {

Pose<double> at(double x, double y, double z) {
  return {identity3<double>(), {x, y, z}};
}
// A rotation about an axis by an angle.
Pose<double> turned(const Vec3<double>& axis, double angle, const Vec3<double>& p) {
  const auto k = skew(axis), kk = k * k;
  Mat3<double> R = identity3<double>();
  const double s = std::sin(angle), c = 1 - std::cos(angle);
  R += Mat3<double>(s * k.xx, s * k.xy, s * k.xz, s * k.yx, s * k.yy, s * k.yz, s * k.zx, s * k.zy, s * k.zz);
  R += Mat3<double>(c * kk.xx, c * kk.xy, c * kk.xz, c * kk.yx, c * kk.yy, c * kk.yz, c * kk.zx, c * kk.zy, c * kk.zz);
  return {R, p};
}
ContactPoints contacts(const Collider& a, const Pose<double>& X_a, const Collider& b, const Pose<double>& X_b,
                       double margin = .01) {
  ContactPoints points;
  collide(a, X_a, b, X_b, margin, points);
  return points;
}
void expect_vector(const Vec3<double>& found, const Vec3<double>& expected, const char* what,
                   double tolerance = 1e-12) {
  EXPECT_NEAR(found.x, expected.x, tolerance) << what;
  EXPECT_NEAR(found.y, expected.y, tolerance) << what;
  EXPECT_NEAR(found.z, expected.z, tolerance) << what;
}
constexpr double right_angle = std::numbers::pi / 2;
const Vec3<double> along_x(1, 0, 0), along_y(0, 1, 0), along_z(0, 0, 1);

TEST(ContactPoints, OfTwoSpheres) {
  const auto points = contacts(Collider::sphere(.5), at(1, 2, 3), Collider::sphere(.25), at(1, 2, 2.3));
  ASSERT_EQ(points.size(), 1);
  expect_vector(points[0].normal, along_z, "normal from b to a");
  EXPECT_NEAR(points[0].gap, -.05, 1e-14);
  expect_vector(points[0].point, {1, 2, 2.525}, "middle between both surfaces");
  EXPECT_TRUE(contacts(Collider::sphere(.5), at(0, 0, 0), Collider::sphere(.25), at(0, 0, .77)).empty());
}

TEST(ContactPoints, OfASphereLieOnIt) {
  const auto sphere = Collider::sphere(.5);
  const Collider flats[] = {Collider::plane(), Collider::box({2, 2, 2}), Collider::cylinder(1, 2),
                            Collider::convex_hull(box_hull({1, 1, 1}))};
  for (const auto& flat : flats) {
    const double top = flat.kind() == Kind::plane ? 0 : 1;
    for (const double gap : {-.02, 0., .009}) {
      const auto points = contacts(sphere, at(.1, .2, top + .5 + gap), flat, at(0, 0, 0));
      ASSERT_EQ(points.size(), 1) << name_of(flat.kind());
      expect_vector(points[0].normal, along_z, name_of(flat.kind()));
      expect_vector(points[0].point, {.1, .2, top + gap}, name_of(flat.kind()));
      EXPECT_NEAR(points[0].gap, gap, 1e-12) << name_of(flat.kind());
    }
  }
}

TEST(ContactPoints, OfASphereAtACornerAndInsideOfABox) {
  const auto box = Collider::box({2, 2, 2});
  const double d = .4 / std::sqrt(3);
  const auto corner = contacts(Collider::sphere(.5), at(1 + d, 1 + d, 1 + d), box, at(0, 0, 0));
  ASSERT_EQ(corner.size(), 1);
  EXPECT_NEAR(corner[0].gap, -.1, 1e-12);
  expect_vector(corner[0].normal, (1 / std::sqrt(3)) * Vec3<double>(1, 1, 1), "corner");
  const auto inside = contacts(Collider::sphere(.5), at(.1, -.8, .2), box, at(0, 0, 0));
  ASSERT_EQ(inside.size(), 1);
  EXPECT_NEAR(inside[0].gap, -.7, 1e-12);
  expect_vector(inside[0].normal, -along_y, "through the nearest face");
}

TEST(ContactPoints, OfCapsules) {
  const auto capsule = Collider::capsule(.1, 1);
  const auto lying = turned(along_y, right_angle, {0, 0, .1});
  const auto on_plane = contacts(capsule, lying, Collider::plane(), at(0, 0, 0));
  ASSERT_EQ(on_plane.size(), 2);
  for (const auto& p : on_plane) {
    EXPECT_NEAR(p.gap, 0, 1e-12);
    EXPECT_NEAR(std::abs(p.point.x), .5, 1e-12);
    EXPECT_NEAR(p.point.z, 0, 1e-12);
  }
  EXPECT_NE(on_plane[0].feature, on_plane[1].feature);
  // Crossing: one point.
  const auto crossing =
      contacts(capsule, turned(along_y, right_angle, {0, 0, .19}), capsule, turned(along_x, right_angle, {0, 0, 0}));
  ASSERT_EQ(crossing.size(), 1);
  expect_vector(crossing[0].point, {0, 0, .095}, "crossing");
  expect_vector(crossing[0].normal, along_z, "crossing");
  // Parallel, shifted by .4: two points, at the ends of the common part.
  const auto parallel =
      contacts(capsule, turned(along_y, right_angle, {.4, 0, .2}), capsule, turned(along_y, right_angle, {0, 0, 0}));
  ASSERT_EQ(parallel.size(), 2);
  EXPECT_NEAR(std::min(parallel[0].point.x, parallel[1].point.x), -.1, 1e-12);
  EXPECT_NEAR(std::max(parallel[0].point.x, parallel[1].point.x), .5, 1e-12);
  // On a box, overhanging: cut off at its edge.
  const auto on_box =
      contacts(capsule, turned(along_y, right_angle, {.8, 0, 1.1}), Collider::box({2, 2, 2}), at(0, 0, 0));
  ASSERT_EQ(on_box.size(), 2);
  EXPECT_NEAR(std::max(on_box[0].point.x, on_box[1].point.x), 1, 1e-8);
  EXPECT_NEAR(std::min(on_box[0].point.x, on_box[1].point.x), .3, 1e-12);
  for (const auto& p : on_box) EXPECT_NEAR(p.point.z, 1, 1e-12);
}

TEST(ContactPoints, OfABoxOnAPlane) {
  for (const double rounding : {0., .1}) {
    const auto box = Collider::box({2, 4, 1}, rounding);
    const auto points = contacts(box, at(1, 2, .499), Collider::plane(), at(0, 0, 0));
    ASSERT_EQ(points.size(), 4);
    for (const auto& p : points) {
      EXPECT_NEAR(p.gap, -.001, 1e-12);
      EXPECT_NEAR(p.point.z, -.001, 1e-12) << "on the box";
      EXPECT_NEAR(std::abs(p.point.x - 1), 1 - rounding, 1e-12);
      EXPECT_NEAR(std::abs(p.point.y - 2), 2 - rounding, 1e-12);
      expect_vector(p.normal, along_z, "plane");
    }
    // On a corner: the lowest point is that of the rounded corner.
    const auto tilted = turned((1 / std::sqrt(2.)) * Vec3<double>(1, 1, 0), .5, {0, 0, 2});
    const auto d = distance(box, tilted, Collider::plane(), at(0, 0, 0));
    EXPECT_NEAR(d.distance, -reach_along(box, tilted, -along_z), 1e-12);
  }
}

TEST(ContactPoints, OfBoxesOnBoxes) {
  const auto box = Collider::box({1, 1, 1});
  // Equal ones: the four corners; shifted: the common rectangle; turned by 45 degrees: an octagon.
  const auto equal = contacts(box, at(0, 0, .999), box, at(0, 0, 0));
  ASSERT_EQ(equal.size(), 4);
  for (const auto& p : equal) {
    EXPECT_NEAR(p.gap, -.001, 1e-12);
    EXPECT_NEAR(std::abs(p.point.x), .5, 1e-8);
    EXPECT_NEAR(std::abs(p.point.y), .5, 1e-8);
    EXPECT_NEAR(p.point.z, .4995, 1e-12) << "in the middle";
  }
  const auto shifted = contacts(box, at(.3, .2, 1.001), box, at(0, 0, 0));
  ASSERT_EQ(shifted.size(), 4);
  double area = 0;
  for (int i = 0; i < 4; ++i) area += .5 * cross(shifted[i].point, shifted[(i + 1) % 4].point).z;
  EXPECT_NEAR(std::abs(area), .7 * .8, 1e-8);
  const auto octagon = contacts(box, turned(along_z, std::numbers::pi / 4, {0, 0, 1}), box, at(0, 0, 0));
  EXPECT_EQ(octagon.size(), 8);
  std::set<std::uint32_t> features;
  for (const auto& p : octagon) features.insert(p.feature);
  EXPECT_EQ(features.size(), 8u) << "each point has a feature of its own";
  // Edge on edge, crossing.
  const auto upper = turned(along_x, right_angle / 2, {0, 0, 0}), lower = turned(along_y, right_angle / 2, {0, 0, 0});
  const auto edges = contacts(box, {upper.R, {.1, .05, std::sqrt(2.) - .001}}, box, lower);
  ASSERT_EQ(edges.size(), 1);
  expect_vector(edges[0].normal, along_z, "edges");
  expect_vector(edges[0].point, {0, .05, std::sqrt(.5) - .0005}, "edges");
  EXPECT_NEAR(edges[0].gap, -.001, 1e-12);
}

TEST(ContactPoints, OfCylinders) {
  const auto cylinder = Collider::cylinder(.5, 2);
  const auto standing = contacts(cylinder, at(0, 0, 1.002), Collider::plane(), at(0, 0, 0));
  ASSERT_EQ(standing.size(), 4);
  for (const auto& p : standing) {
    EXPECT_NEAR(p.gap, .002, 1e-12);
    EXPECT_NEAR(std::hypot(p.point.x, p.point.y), .5, 1e-12);
  }
  const auto lying = contacts(cylinder, turned(along_y, right_angle, {0, 0, .5}), Collider::plane(), at(0, 0, 0));
  ASSERT_EQ(lying.size(), 2);
  for (const auto& p : lying) EXPECT_NEAR(std::abs(p.point.x), 1, 1e-12);
  // Tilted: the lowest point of the rim is among the points.
  const auto tilted = turned(direction(*std::make_unique<Random>(3)), .3, {0, 0, 1});
  const auto points = contacts(cylinder, tilted, Collider::plane(), at(0, 0, 0), 1);
  double lowest = 1;
  for (const auto& p : points) lowest = smaller(lowest, p.gap);
  EXPECT_NEAR(lowest, -reach_along(cylinder, tilted, -along_z), 1e-12);
  // On a box: standing on its face, partly beside it.
  const auto on_box = contacts(cylinder, at(.8, 0, 2), Collider::box({2, 2, 2}), at(0, 0, 0));
  EXPECT_GE(on_box.size(), 4);
  for (const auto& p : on_box) {
    expect_vector(p.normal, along_z, "on the box", 1e-9);
    EXPECT_NEAR(p.gap, 0, 1e-9);
    EXPECT_LE(p.point.x, 1 + 1e-8);
  }
  // Two logs side by side.
  const auto logs = contacts(cylinder, turned(along_y, right_angle, {.5, 0, 1.001}), cylinder,
                             turned(along_y, right_angle, {0, 0, 0}));
  EXPECT_EQ(logs.size(), 2);
}

TEST(ContactPoints, OfAnEllipsoidOnAPlane) {
  const auto X = turned(along_y, .4, {0, 0, 1});
  const auto ellipsoid = Collider::ellipsoid({1, .5, .25});
  const auto points = contacts(ellipsoid, X, Collider::plane(), at(0, 0, 0), 1);
  ASSERT_EQ(points.size(), 1);
  EXPECT_NEAR(points[0].gap, 1 - std::hypot(std::sin(.4), .25 * std::cos(.4)), 1e-12);
  EXPECT_NEAR(outside(ellipsoid, X, points[0].point), 0, 1e-12);
}

}  // namespace
}  // namespace lissom::test
