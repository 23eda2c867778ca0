// Pairs with spheres and capsules, and the general pair of convex shapes.
#include "lissom/geometry/box_axes.h"
#include "lissom/geometry/collide_pairs.h"
#include "lissom/geometry/point_separation.h"

namespace lissom::collision {

namespace {

// Points by the nearest features of cores, not by corners: one for each pair.
constexpr std::uint32_t nearest_feature = 0;

void add_nearest(const Separation& s, double max_gap, Manifold& out) {
  if (s.distance <= max_gap) out.push({s.point_a, s.normal, s.distance, nearest_feature});
}

// Adds the nearest points, unless those that are there already reach as deep.
void add_missing(const Separation& s, double max_gap, double size, Manifold& out) {
  for (int i = 0; i < out.size; ++i)
    if (out.points[i].gap <= s.distance + 1e-9 * size) return;
  add_nearest(s, max_gap, out);
}

// A face of a or b, whose outward normal is within 5 degrees of the direction to the other shape, and what the other
// has above it.
void add_faces(const Core& a, const Core& b, const Vec& normal, FaceChoice choice, double max_gap, double size,
               Manifold& out) {
  constexpr double aligned = .996;
  if (!choice.of_a && !choice.of_b) {
    const auto on_a = nearest_face(a, -normal), on_b = nearest_face(b, normal);
    const double by_a = on_a.exists ? -dot(on_a.normal, normal) : 0, by_b = on_b.exists ? dot(on_b.normal, normal) : 0;
    if (std::max(by_a, by_b) < aligned) return;
    choice.of_a = by_a >= by_b, choice.of_b = !choice.of_a;
  }
  // A cap is a polygon only nearly: where there is a choice, it is the one that is cut.
  const auto is_cap = [](const Core& c) { return c.shape && c.shape->kind() == Collider::Kind::cylinder; };
  if (choice.of_a && is_cap(a) && !is_cap(b)) {
    if (const auto f = nearest_face(b, normal); f.exists && dot(f.normal, normal) > .9999999) choice = {false, true};
  } else if (choice.of_b && is_cap(b) && !is_cap(a)) {
    if (const auto f = nearest_face(a, -normal); f.exists && -dot(f.normal, normal) > .9999999) choice = {true, false};
  }
  const Core &face = choice.of_a ? a : b, &other = choice.of_a ? b : a;
  const Vec outward = nearest_face(face, choice.of_a ? -normal : normal).normal;
  add_clipped(face_polygon(face, outward), outward, choice.of_a, facing_feature(other, -outward), max_gap, size, out);
}

}  // namespace

void collide_point(const Core& a, const Core& b, double max_gap, Manifold& out) {
  add_nearest(separation(a, b, max_gap), max_gap, out);
}

void collide_capsules(const Core& a, const Core& b, double max_gap, Manifold& out) {
  const auto s = segment_segment(a, b);
  if (s.distance > max_gap) return;
  add_parallel_segments(facing_feature(a, -s.normal), facing_feature(b, s.normal), max_gap, out);
  add_missing(s, max_gap, reach(a) + reach(b), out);
}

void collide_convex(const Core& a, const Core& b, double max_gap, Manifold& out) {
  Separation s = separation(a, b, max_gap);
  if (s.distance > max_gap) return;
  const double size = reach(a) + reach(b);
  const auto choice = snap_to_face(a, b, size, s);
  add_faces(a, b, s.normal, choice, max_gap, size, out);
  if (out.size == 0) {
    const auto on_a = facing_feature(a, -s.normal), on_b = facing_feature(b, s.normal);
    if (on_a.size == 2 && on_b.size == 2 && s.distance > 0) add_parallel_segments(on_a, on_b, max_gap, out);
  }
  add_missing(s, max_gap, size, out);
}

void collide_boxes(const Core& a, const Core& b, double max_gap, Manifold& out) {
  const auto axis = best_axis(a, b, max_gap);
  if (axis.separation > max_gap) return;
  const double size = reach(a) + reach(b), tolerance = 1e-9 * size;
  if (axis.of == BoxAxis::Of::edges) {
    const auto edges = edge_points(a, b, axis);
    if (axis.separation > 0 && !edges.between_ends) return collide_convex(a, b, max_gap, out);
    add_faces(a, b, axis.normal, {}, max_gap, size, out);
    const Separation s{axis.separation, axis.normal, edges.on_a, edges.on_b};
    return add_missing(s, max_gap, size, out);
  }
  const bool of_a = axis.of == BoxAxis::Of::face_of_a;
  add_faces(a, b, axis.normal, {of_a, !of_a}, max_gap, size, out);
  // The separation along an axis is a lower bound of the distance. Points that are so near prove that it is the
  // distance; if there are none, corners or edges pass beside the face.
  double nearest = 1e300;
  for (int i = 0; i < out.size; ++i) nearest = std::min(nearest, out.points[i].gap);
  if (nearest <= axis.separation + tolerance) return;
  out.size = 0;
  collide_convex(a, b, max_gap, out);
}

}  // namespace lissom::collision
