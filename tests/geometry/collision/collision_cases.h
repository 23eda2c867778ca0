#pragma once
// Random shapes for tests of collision detection, and what is true of them, written a second time: support functions of
// whole shapes, and whether a point lies inside.
#include <cmath>
#include <memory>
#include <vector>

#include "largest.h"
#include "lissom/geometry/collide.h"
#include "random_tree.h"

namespace lissom::test {

using Kind = Collider::Kind;
inline constexpr Kind convex_kinds[] = {Kind::sphere,   Kind::capsule,   Kind::box,
                                        Kind::cylinder, Kind::ellipsoid, Kind::hull};
inline const char* name_of(Kind kind) {
  constexpr const char* names[] = {"sphere",    "capsule", "box",   "cylinder",
                                   "ellipsoid", "hull",    "plane", "height field"};
  return names[int(kind)];
}

inline double length(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}
inline Vec3<double> direction(Random& random) {
  for (;;)
    if (const auto v = random.vec3(1); length(v) > .1 && length(v) < 1) return (1 / length(v)) * v;
}

// The hull of random points on an ellipsoid: all triangles that have no point outside.
inline std::shared_ptr<const Hull> random_hull(Random& random, int points) {
  const Vec3<double> radii(random.uniform(.2, 1), random.uniform(.2, 1), random.uniform(.2, 1));
  std::vector<Vec3<double>> p;
  for (int i = 0; i < points; ++i) {
    const auto d = direction(random);
    p.push_back({radii.x * d.x, radii.y * d.y, radii.z * d.z});
  }
  std::vector<Hull::Triangle> triangles;
  for (std::uint32_t i = 0; i < p.size(); ++i)
    for (std::uint32_t j = i + 1; j < p.size(); ++j)
      for (std::uint32_t k = j + 1; k < p.size(); ++k) {
        const auto n = cross(p[j] - p[i], p[k] - p[i]);
        bool above = false, below = false;
        for (const auto& q : p) {
          const double side = dot(n, q - p[i]);
          above = above || side > 1e-12, below = below || side < -1e-12;
        }
        if (!above) triangles.push_back({i, j, k});
        if (above && !below) triangles.push_back({i, k, j});
      }
  return std::make_shared<const Hull>(p, triangles);
}
inline std::shared_ptr<const Hull> box_hull(const Vec3<double>& h) {
  std::vector<Vec3<double>> p;
  for (int i = 0; i < 8; ++i) p.push_back({i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z});
  return std::make_shared<const Hull>(p, std::vector<Hull::Triangle>{{0, 2, 1},
                                                                     {1, 2, 3},
                                                                     {4, 5, 6},
                                                                     {5, 7, 6},
                                                                     {0, 1, 4},
                                                                     {1, 5, 4},
                                                                     {2, 6, 3},
                                                                     {3, 6, 7},
                                                                     {0, 4, 2},
                                                                     {2, 4, 6},
                                                                     {1, 3, 5},
                                                                     {3, 7, 5}});
}

inline Collider random_collider(Random& random, Kind kind) {
  const auto size = [&] { return random.uniform(.2, 1); };
  const double rounding = random.chance(.5) ? random.uniform(.01, .08) : 0;
  switch (kind) {
    case Kind::sphere:
      return Collider::sphere(size());
    case Kind::capsule:
      return Collider::capsule(random.uniform(.1, .5), size());
    case Kind::box:
      return Collider::box({size(), size(), size()}, rounding);
    case Kind::cylinder:
      return Collider::cylinder(random.uniform(.1, .5), size(), rounding);
    case Kind::ellipsoid:
      return Collider::ellipsoid({size(), size(), size()});
    case Kind::hull:
      return Collider::convex_hull(random_hull(random, random.integer(4, 14)), rounding);
    default:
      return Collider::plane();
  }
}
inline Pose<double> pose_at(Random& random, const Vec3<double>& p) {
  return {random.rotation(), p};
}

// The largest d · p over the points of the whole shape, at the pose X; |d| = 1.
inline double reach_along(const Collider& c, const Pose<double>& X, const Vec3<double>& d) {
  const auto e = transpose(X.R) * d;
  const auto& h = c.half();
  double core = 0;
  if (c.kind() == Kind::capsule) core = h.z * std::abs(e.z);
  if (c.kind() == Kind::box) core = h.x * std::abs(e.x) + h.y * std::abs(e.y) + h.z * std::abs(e.z);
  if (c.kind() == Kind::cylinder) core = h.x * std::hypot(e.x, e.y) + h.z * std::abs(e.z);
  if (c.kind() == Kind::ellipsoid) core = std::hypot(h.x * e.x, h.y * e.y, h.z * e.z);
  if (c.kind() == Kind::hull) {
    core = -1e300;
    for (const auto& p : c.hull().vertices()) core = larger(core, dot(e, p));
  }
  return dot(d, X.p) + core + c.radius();
}
// How far apart the shapes are along n, from b to a: at most the distance.
inline double gap_along(const Collider& a, const Pose<double>& X_a, const Collider& b, const Pose<double>& X_b,
                        const Vec3<double>& n) {
  return -reach_along(a, X_a, -n) - reach_along(b, X_b, n);
}

// How far a point lies outside of a shape: exact for most shapes, for some a number with the right sign and of the
// right order.
inline double outside(const Collider& c, const Pose<double>& X, const Vec3<double>& point) {
  const auto p = transpose(X.R) * (point - X.p);
  const auto& h = c.half();
  const auto past = [](double x, double limit) { return std::max(std::abs(x) - limit, 0.); };
  switch (c.kind()) {
    case Kind::sphere:
      return length(p) - c.radius();
    case Kind::capsule:
      return std::hypot(p.x, p.y, past(p.z, h.z)) - c.radius();
    case Kind::box:
      return std::hypot(past(p.x, h.x), past(p.y, h.y), past(p.z, h.z)) - c.radius();
    case Kind::cylinder:
      return std::hypot(past(std::hypot(p.x, p.y), h.x), past(p.z, h.z)) - c.radius();
    case Kind::ellipsoid:
      return (std::hypot(p.x / h.x, p.y / h.y, p.z / h.z) - 1) * std::min({h.x, h.y, h.z});
    case Kind::hull: {
      // (With rounding, this is less than the distance near edges.)
      double most = -1e300;
      for (const auto& f : c.hull().faces()) most = larger(most, dot(f.normal, p) - f.offset);
      return most - c.radius();
    }
    default:
      return p.z;
  }
}

}  // namespace lissom::test
