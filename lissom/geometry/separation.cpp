#include "lissom/geometry/box_axes.h"
#include "lissom/geometry/gjk.h"
#include "lissom/geometry/manifold.h"
#include "lissom/geometry/point_separation.h"
#include "lissom/geometry/polish.h"

namespace lissom::collision {

namespace {

using Kind = Collider::Kind;

// Cores with curved surfaces: the iteration only has to come near; what remains is done by Newton's method.
Separation curved(const Core& a, const Core& b, double cutoff) {
  const double size = reach(a) + reach(b), limit = std::max(cutoff, 0.);
  const auto guess = gjk(a, b, limit, 1e-3 * size);
  if (guess.apart && guess.nearest.distance - 1e-3 * size > cutoff) return guess.nearest;
  Separation s = guess.apart ? guess.nearest : Separation{0, guess.direction, a.X.p, b.X.p};
  if (polish(a, b, s) && s.distance > -.01 * size) return s;
  const auto found = gjk(a, b, limit);
  if (found.apart && found.nearest.distance > cutoff) return found.nearest;
  if (found.apart && found.nearest.distance > 1e-7 * size) {
    s = found.nearest;
    polish(a, b, s);
    if (s.distance >= found.nearest.distance - 1e-9 * size) return s;
    // Next to nothing apart, the direction between the nearest points may be noise; the polytope does not need it.
    const Vec& n = found.nearest.normal;
    const double along = dot(n, difference_support(a, b, -n).w);
    if (found.nearest.distance > 1e-5 * size || along >= found.nearest.distance - 1e-9 * size) return found.nearest;
  }
  s = expanding_polytope(a, b, found.simplex);
  polish(a, b, s);
  return s;
}

Separation flat(const Core& a, const Core& b, double cutoff) {
  const auto found = gjk(a, b, std::max(cutoff, 0.));
  const double size = reach(a) + reach(b);
  auto s = found.apart ? found.nearest : expanding_polytope(a, b, found.simplex);
  // Next to nothing apart, the direction between the nearest points may be noise; the polytope does not need it.
  if (found.apart && s.distance < 1e-7 * size) {
    const double along = dot(s.normal, difference_support(a, b, -s.normal).w);
    if (along < s.distance - 1e-7 * size) s = expanding_polytope(a, b, found.simplex);
  }
  if (s.distance > cutoff || !(std::abs(s.distance) < 1e-5 * size)) return s;
  // Where they nearly touch, the direction of a face is known best, then that of a pair of edges.
  if (const auto choice = snap_to_face(a, b, size, s); !choice.of_a && !choice.of_b) polish(a, b, s);
  return s;
}

Separation by_support_functions(const Core& a, const Core& b, double cutoff) {
  return is_curved(a) || is_curved(b) ? curved(a, b, cutoff) : flat(a, b, cutoff);
}

// Boxes that overlap: the best axis, and a point where they do.
Separation overlapping_boxes(const Core& a, const Core& b, const BoxAxis& axis) {
  Separation s{axis.separation, axis.normal, a.X.p, b.X.p};
  if (axis.of == BoxAxis::Of::edges) {
    s.point_a = edge_points(a, b, axis).on_a;
  } else {
    const bool of_a = axis.of == BoxAxis::Of::face_of_a;
    const double size = reach(a) + reach(b);
    Manifold m;
    add_clipped(face_polygon(of_a ? a : b, of_a ? -axis.normal : axis.normal), of_a ? -axis.normal : axis.normal, of_a,
                facing_feature(of_a ? b : a, of_a ? axis.normal : -axis.normal), 1e300, size, m);
    const CorePoint* deepest = nullptr;
    for (int i = 0; i < m.size; ++i)
      if (!deepest || m.points[i].gap < deepest->gap) deepest = &m.points[i];
    s.point_a = deepest ? deepest->on_a : support(a, -axis.normal);
  }
  s.point_b = s.point_a - s.distance * s.normal;
  return s;
}

Separation box_box(const Core& a, const Core& b, double cutoff) {
  const auto axis = best_axis(a, b, cutoff);
  if (axis.separation > cutoff) return {axis.separation, axis.normal, a.X.p, b.X.p};
  if (axis.separation <= 0) return overlapping_boxes(a, b, axis);
  return flat(a, b, cutoff);
}

// For kinds in the order of the enumeration.
Separation ordered_separation(const Core& a, const Core& b, double cutoff) {
  const Kind first = a.shape->kind(), second = b.shape->kind();
  if (first == Kind::sphere) {
    switch (second) {
      case Kind::sphere:
        return point_point(a.X.p, b.X.p);
      case Kind::box:
        return point_box(a.X.p, b);
      case Kind::cylinder:
        return point_cylinder(a.X.p, b);
      case Kind::ellipsoid:
        return point_ellipsoid(a.X.p, b);
      case Kind::hull: {
        const auto found = gjk(a, b, std::max(cutoff, 0.));
        if (found.apart) return found.nearest;
        if (!b.shape->hull().faces().empty()) return point_in_hull(a.X.p, b);
        return expanding_polytope(a, b, found.simplex);
      }
      default:
        break;
    }
  }
  if (second <= Kind::capsule) return segment_segment(a, b);
  if (first == Kind::box && second == Kind::box) return box_box(a, b, cutoff);
  return by_support_functions(a, b, cutoff);
}

}  // namespace

Separation separation(const Core& a, const Core& b, double cutoff) {
  if (!a.shape || !b.shape) return by_support_functions(a, b, cutoff);
  if (a.shape->kind() <= b.shape->kind()) return ordered_separation(a, b, cutoff);
  return flipped(ordered_separation(b, a, cutoff));
}

}  // namespace lissom::collision
