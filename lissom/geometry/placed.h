#pragma once
// The core of a shape at a pose: what the algorithms on pairs ask of it. Not for users.
#include "lissom/geometry/collider.h"
#include "lissom/geometry/vectors.h"

namespace lissom::collision {

/// A core: that of a collider without its radius, or a triangle.
struct Core {
  const Collider* shape;  ///< nullptr: a triangle
  Pose<double> X;
  const Vec* corners = nullptr;  ///< of the triangle, in coordinates of X
};

/// The point of the core that is farthest along d, all in coordinates in which the pose is given.
inline Vec support(const Core& core, const Vec& d) {
  const Vec e = transpose_times(core.X.R, d);
  if (!core.shape) {
    const Vec* const c = core.corners;
    const double a = dot(e, c[0]), b = dot(e, c[1]), f = dot(e, c[2]);
    return core.X * (a >= b && a >= f ? c[0] : b >= f ? c[1] : c[2]);
  }
  const Vec& h = core.shape->half();
  switch (core.shape->kind()) {
    case Collider::Kind::sphere:
      return core.X.p;
    case Collider::Kind::capsule:
      return core.X.p + (e.z < 0 ? -h.z : h.z) * column_z(core.X.R);
    case Collider::Kind::box:
      return core.X * Vec(e.x < 0 ? -h.x : h.x, e.y < 0 ? -h.y : h.y, e.z < 0 ? -h.z : h.z);
    case Collider::Kind::cylinder: {
      const double across = std::sqrt(e.x * e.x + e.y * e.y), z = e.z < 0 ? -h.z : h.z;
      const double scale = across > 1e-150 ? h.x / across : 0;
      return core.X * Vec(scale * e.x, scale * e.y, z);
    }
    case Collider::Kind::ellipsoid: {
      const Vec s(h.x * e.x, h.y * e.y, h.z * e.z);
      const double length = norm(s);
      if (!(length > 1e-150)) return core.X.p;
      return core.X * Vec(h.x * s.x / length, h.y * s.y / length, h.z * s.z / length);
    }
    case Collider::Kind::hull:
      return core.X * core.shape->hull().vertices()[core.shape->hull().support(e)];
    case Collider::Kind::plane:
    case Collider::Kind::height_field:
      break;
  }
  return core.X.p;
}

/// Whether a core has curved surfaces.
inline bool is_curved(const Core& core) {
  return core.shape &&
         (core.shape->kind() == Collider::Kind::cylinder || core.shape->kind() == Collider::Kind::ellipsoid);
}

/// The size of the core, for tolerances: no point is farther from the pose's origin.
inline double reach(const Core& core) {
  if (core.shape) return core.shape->bounding_radius();
  return std::sqrt(std::max({squared(core.corners[0]), squared(core.corners[1]), squared(core.corners[2])}));
}

/// How far apart two cores are: the signed distance, negative where they overlap; the points at which it is taken; and
/// the unit normal from b to a. point_a - point_b = distance · normal.
struct Separation {
  double distance;
  Vec normal, point_a, point_b;
};
/// The same pair, seen the other way round.
inline Separation flipped(const Separation& s) {
  return {s.distance, -s.normal, s.point_b, s.point_a};
}

/// For any two convex cores. Closed forms where there are some, else GJK and, where the cores overlap, the expanding
/// polytope. If the distance is above `cutoff`, then so is the result's, but that may be all that is true of it.
Separation separation(const Core& a, const Core& b, double cutoff = 1e300);

}  // namespace lissom::collision
