// Collision shapes: support functions, covering spheres, and the bodies that they are fixed to.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/kinematics.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/geometry/collision_geometry.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

constexpr Shape::Kind primitives[] = {Shape::Kind::box, Shape::Kind::sphere, Shape::Kind::cylinder,
                                      Shape::Kind::capsule};

Shape random_shape(Random& random, Shape::Kind kind) {
  Shape shape;
  shape.kind = kind;
  shape.size = {random.uniform(.1, 1), random.uniform(.1, 1), random.uniform(.1, 1)};
  shape.radius = random.uniform(.1, 1), shape.length = random.uniform(.1, 1);
  return shape;
}

// Many points on the surface.
std::vector<Vec3<double>> surface(const Shape& shape) {
  std::vector<Vec3<double>> points;
  if (shape.kind == Shape::Kind::box) {
    for (const double x : {-.5, .5})
      for (const double y : {-.5, .5})
        for (const double z : {-.5, .5}) points.push_back({x * shape.size.x, y * shape.size.y, z * shape.size.z});
    return points;
  }
  const bool round = shape.kind != Shape::Kind::cylinder;
  const double half = shape.kind == Shape::Kind::sphere ? 0 : shape.length / 2;
  for (int i = 0; i < 120; ++i)
    for (int k = 0; k <= (round ? 60 : 0); ++k)
      for (const double end : {-1., 1.}) {
        const double around = i / 60. * std::numbers::pi, up = k / 120. * std::numbers::pi;
        points.push_back({shape.radius * std::cos(up) * std::cos(around),
                          shape.radius * std::cos(up) * std::sin(around), end * (half + shape.radius * std::sin(up))});
      }
  return points;
}

TEST(Shapes, SupportIsTheLargestReachOfTheSurface) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    for (const auto kind : primitives) {
      const auto shape = random_shape(random, kind);
      const auto d = random.vec3(1);
      double most = 0;
      for (const auto& p : surface(shape)) most = larger(most, dot(d, p));
      const double found = support(shape, d);
      EXPECT_LE(most, found + 1e-12);
      EXPECT_GE(most, found - 3e-3) << "kind " << int(kind) << ", seed " << seed;
    }
  }
}

TEST(Shapes, SpheresCoverThem) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    for (const auto kind : primitives) {
      const auto shape = random_shape(random, kind);
      const auto d = random.vec3(1);
      double reach = 0;
      for (const auto& [center, radius] : covering_spheres(shape))
        reach = larger(reach, dot(d, center) + radius * std::sqrt(dot(d, d)));
      EXPECT_GE(reach, support(shape, d) - 1e-12);
      EXPECT_LE(reach, 1.03 * support(shape, d)) << "kind " << int(kind);
    }
  }
  Shape mesh;
  mesh.kind = Shape::Kind::mesh;
  EXPECT_TRUE(covering_spheres(mesh).empty());
  EXPECT_FALSE(is_primitive(mesh));
}

// The shapes of a link that is fixed to another belong to the other's body, at the pose given by the fixed joint.
TEST(CollisionGeometry, KnowsTheBodyOfEachShape) {
  const auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  const CollisionGeometry geometry(model);
  std::size_t described = 0;
  for (const auto& link : model.description().links) {
    described += link.collisions.size();
    EXPECT_EQ(geometry.of_link(link.name).size(), link.collisions.size());
  }
  EXPECT_EQ(geometry.shapes().size(), described);
  Workspace work(model);
  forward_kinematics(model, work, random_configuration(model, 3));
  for (const auto& s : geometry.shapes()) {
    EXPECT_EQ(s.body, model.link(s.link).body);
    const auto by_link = placement(model, work, model.frame(s.link)) * s.in_link;
    const auto X_WB = placement(model, work, s.frame) * inverse(model.link(s.link).placement);
    const auto away = (X_WB * s.in_body).p - by_link.p;
    EXPECT_LT(std::sqrt(dot(away, away)), 1e-12) << s.link;
  }
}

TEST(CollisionGeometry, FindsTheLowestPoint) {
  Description d;
  for (const auto kind : primitives) {
    Random random(7 + std::uint64_t(kind));
    LinkDescription link;
    link.name = "body", link.mass = 1, link.inertia = {1, 0, 0, 1, 0, 1};
    Geometry g;
    g.shape = random_shape(random, kind);
    g.origin.p = random.vec3(.5);
    link.collisions.push_back(g);
    d.links = {link};
    const auto model = build(d, {.base = Base::free});
    const CollisionGeometry geometry(model);
    Workspace work(model);
    forward_kinematics(model, work, random_configuration(model, 11));
    const auto X = placement(model, work, model.frame("body")) * g.origin;
    double lowest = 1e9;
    for (const auto& p : surface(g.shape)) lowest = -larger(-lowest, -(X * p).z);
    const auto found = geometry.lowest([&](FrameId frame) { return placement(model, work, frame); });
    ASSERT_NE(found.shape, nullptr);
    EXPECT_EQ(found.shape->link, "body");
    EXPECT_NEAR(found.z, lowest, 3e-3);
    EXPECT_LE(found.z, lowest + 1e-12);
  }
}

TEST(CollisionGeometry, FindsASphereAroundAFrame) {
  Description d;
  LinkDescription link;
  link.name = "leg", link.mass = 1, link.inertia = {1, 0, 0, 1, 0, 1};
  Geometry g;
  g.shape.kind = Shape::Kind::sphere, g.shape.radius = .03, g.origin.p = {0, 0, -.4};
  link.collisions.push_back(g);
  d.links = {link};
  d.frames = {{"foot", "leg", {.p = {0, 0, -.4}}}, {"knee", "leg", {.p = {0, 0, 0}}}};
  const auto model = build(d, {.base = Base::free});
  const CollisionGeometry geometry(model);
  EXPECT_EQ(sphere_around(model, geometry, model.frame("foot")), .03);
  EXPECT_EQ(sphere_around(model, geometry, model.frame("knee")), 0);
}

}  // namespace
}  // namespace lissom::test
