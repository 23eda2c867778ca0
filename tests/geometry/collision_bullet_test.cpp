// Distances and depths of overlap beside Bullet's (double precision), where it is installed: cores of the same shapes
// in its GJK and EPA.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "collision/collision_cases.h"
#ifdef LISSOM_WITH_BULLET
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <btBulletCollisionCommon.h>
#endif

namespace lissom::test {
namespace {

#ifndef LISSOM_WITH_BULLET
TEST(Bullet, FindsTheSameDistances) {
  GTEST_SKIP() << "Bullet (package libbullet-dev, with bullet-float64) is not installed: nothing is compared with it";
}
#else

std::unique_ptr<btConvexShape> core_in_bullet(const Collider& c) {
  const auto& h = c.half();
  std::unique_ptr<btConvexShape> shape;
  switch (c.kind()) {
    case Kind::sphere:
      return std::make_unique<btSphereShape>(c.radius());  // (its support without margin is the center)
    case Kind::capsule:
      return std::make_unique<btCapsuleShapeZ>(c.radius(), 2 * h.z);
    case Kind::box:
      shape = std::make_unique<btBoxShape>(btVector3(h.x, h.y, h.z));
      break;
    case Kind::cylinder:
      shape = std::make_unique<btCylinderShapeZ>(btVector3(h.x, h.x, h.z));
      break;
    default: {
      auto hull = std::make_unique<btConvexHullShape>();
      for (const auto& p : c.hull().vertices()) hull->addPoint(btVector3(p.x, p.y, p.z));
      shape = std::move(hull);
    }
  }
  shape->setMargin(0);
  return shape;
}
btTransform in_bullet(const Pose<double>& X) {
  const auto& R = X.R;
  return btTransform(btMatrix3x3(R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz), btVector3(X.p.x, X.p.y, X.p.z));
}

TEST(Bullet, FindsTheSameDistances) {
  int apart = 0, farther = 0, overlapping = 0, failed = 0;
  for (const auto a : convex_kinds)
    for (const auto b : convex_kinds) {
      if (a == Kind::ellipsoid || b == Kind::ellipsoid) continue;
      for (std::uint64_t seed = 300; seed < 360; ++seed) {
        Random random(seed);
        const auto ca = random_collider(random, a), cb = random_collider(random, b);
        const auto X_a = pose_at(random, random.vec3(.4)), X_b = pose_at(random, 1.5 * random.vec3(.6));
        const double core = distance(ca, X_a, cb, X_b).distance + ca.radius() + cb.radius();
        const auto shape_a = core_in_bullet(ca), shape_b = core_in_bullet(cb);
        btGjkEpaSolver2::sResults results;
        const btVector3 guess(X_b.p.x - X_a.p.x, X_b.p.y - X_a.p.y, X_b.p.z - X_a.p.z);
        const auto which = std::string(name_of(a)) + "–" + name_of(b) + ", seed " + std::to_string(seed);
        if (core > 1e-6) {
          ASSERT_TRUE(
              btGjkEpaSolver2::Distance(shape_a.get(), in_bullet(X_a), shape_b.get(), in_bullet(X_b), guess, results))
              << which;
          // Ours are distances of two points of the shapes; Bullet's iteration now and then ends before the nearest
          // ones.
          EXPECT_LE(core, results.distance + 1e-6) << which;
          farther += results.distance > core + 1e-6;
          ++apart;
        } else if (!btGjkEpaSolver2::Penetration(shape_a.get(), in_bullet(X_a), shape_b.get(), in_bullet(X_b), guess,
                                                 results, false)) {
          ++failed;  // it does not find a polytope around points and segments
        } else {
          // Its polytope ends with 256 faces: the way out that it found may be longer, not shorter.
          EXPECT_GE(core, results.distance - 1e-6) << which;
          if (a != Kind::cylinder && b != Kind::cylinder) EXPECT_NEAR(results.distance, core, 1e-6) << which;
          ++overlapping;
        }
      }
    }
  EXPECT_GT(apart, 500);
  EXPECT_LT(farther, .01 * apart);
  EXPECT_GT(overlapping, 150);
  EXPECT_LT(failed, .1 * overlapping) << apart << " apart, " << overlapping << " overlapping";
}

#endif

}  // namespace
}  // namespace lissom::test
