#include "lissom/geometry/collide.h"

#include "lissom/geometry/collide_pairs.h"
#include "lissom/geometry/vectors.h"
#include "lissom/model/diagnostic.h"

namespace lissom {

namespace {

using collision::Core;
using collision::CorePoint;
using collision::Manifold;
using collision::Vec;
using Kind = Collider::Kind;

void find_points(const Core& a, const Core& b, double max_gap, Manifold& m) {
  const Kind first = a.shape->kind(), second = b.shape->kind();
  if (second == Kind::plane) return collide_with_plane(a, b, max_gap, m);
  if (second == Kind::height_field) return collide_with_field(a, b, max_gap, m);
  if (first == Kind::sphere) return collide_point(a, b, max_gap, m);
  if (second == Kind::capsule) return collide_capsules(a, b, max_gap, m);
  if (second == Kind::box && first == Kind::box) return collide_boxes(a, b, max_gap, m);
  collide_convex(a, b, max_gap, m);
}

// For a.kind() ≤ b.kind().
void collide_ordered(const Collider& a, const Pose<double>& X_a, const Collider& b, const Pose<double>& X_b,
                     double margin, bool swapped, ContactPoints& out) {
  if (!a.is_convex()) return;
  const Vec between = X_b.p - X_a.p;
  const double reach = a.bounding_radius() + b.bounding_radius() + margin;
  // Written so that NaN ends here.
  if (!(dot(between, between) <= reach * reach) || !(reach >= 0)) return;
  if (!(dot(between, between) < 1e300) || !(margin < 1e100)) return;
  const double radii = a.radius() + b.radius();
  Manifold m;
  find_points({&a, {X_a.R, {0, 0, 0}}}, {&b, {X_b.R, between}}, margin + radii, m);
  if (m.size > ContactPoints::capacity) collision::reduce(m, ContactPoints::capacity);
  const int rounder = a.roundness() - b.roundness();
  for (int i = 0; i < m.size; ++i) {
    const CorePoint& p = m.points[i];
    const double gap = p.gap - radii;
    if (!(gap <= margin)) continue;
    const Vec on_a = p.on_a - a.radius() * p.normal;
    const double below = rounder > 0 ? 0 : rounder < 0 ? gap : .5 * gap;
    out.push({X_a.p + (on_a - below * p.normal), swapped ? -p.normal : p.normal, gap, p.feature});
  }
}

}  // namespace

void collide(const Collider& a, const Pose<double>& X_a, const Collider& b, const Pose<double>& X_b, double margin,
             ContactPoints& out) {
  out.clear();
  if (a.kind() <= b.kind())
    collide_ordered(a, X_a, b, X_b, margin, false, out);
  else
    collide_ordered(b, X_b, a, X_a, margin, true, out);
}

Distance distance(const Collider& a, const Pose<double>& X_a, const Collider& b, const Pose<double>& X_b) {
  if (!(a.is_convex() || b.is_convex()) || a.kind() == Kind::height_field || b.kind() == Kind::height_field)
    throw Error("distance of two shapes: expected two convex ones, or one and a plane");
  const Core core_a{&a, {X_a.R, {0, 0, 0}}}, core_b{&b, {X_b.R, X_b.p - X_a.p}};
  collision::Separation s;
  const auto from_plane = [](const Core& convex, const Core& plane) {
    const Vec n = column_z(plane.X.R), p = support(convex, -n);
    const double d = dot(n, p - plane.X.p);
    return collision::Separation{d, n, p, p - d * n};
  };
  if (b.kind() == Kind::plane)
    s = from_plane(core_a, core_b);
  else if (a.kind() == Kind::plane)
    s = flipped(from_plane(core_b, core_a));
  else
    s = separation(core_a, core_b);
  return {s.distance - a.radius() - b.radius(), X_a.p + (s.point_a - a.radius() * s.normal),
          X_a.p + (s.point_b + b.radius() * s.normal), s.normal};
}

}  // namespace lissom
