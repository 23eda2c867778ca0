// Pairs with spheres and capsules, and the general pair of convex shapes.
#include "lissom/geometry/box_axes.h"
#include "lissom/geometry/collide_pairs.h"
#include "lissom/geometry/point_separation.h"
#include "lissom/geometry/vectors.h"

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

namespace {

// Whether a core has a face, or a line, that is nearly perpendicular to a normal.
bool lies_on(const Core& core, const Vec& normal) {
  if (core.shape && (core.shape->kind() == Collider::Kind::capsule || core.shape->kind() == Collider::Kind::cylinder))
    if (std::abs(dot(column_z(core.X.R), normal)) < .1) return true;
  const auto face = nearest_face(core, normal);
  return face.exists && dot(face.normal, normal) > .995;
}

// Tries the faces that look from one center to the other, before anything else: bodies at rest lie on faces. True if
// the answer is known by that: the gap along a face's normal is a lower bound of the distance, so that points that are
// so near, or a bound above the margin, prove it. Where the shapes overlap, the faces have to overlap far wider than
// deep.
bool try_faces(const Core& a, const Core& b, double max_gap, double size, Manifold& out) {
  const Vec d = a.X.p - b.X.p;
  const auto on_a = nearest_face(a, -d), on_b = nearest_face(b, d);
  const auto along = [&](const Vec& n) { return dot(n, support(a, -n) - support(b, n)); };
  const double by_a = on_a.exists ? along(-on_a.normal) : -1e300, by_b = on_b.exists ? along(on_b.normal) : -1e300;
  const double tolerance = 1e-9 * size, best = std::max(by_a, by_b);
  if (best > max_gap) return true;
  if (best < -.01 * size) return false;
  const bool of_a = by_a >= by_b - tolerance;
  const double gap = of_a ? by_a : by_b;
  if (!lies_on(of_a ? b : a, of_a ? -on_a.normal : -on_b.normal)) return false;
  add_faces(a, b, of_a ? -on_a.normal : on_b.normal, {of_a, !of_a}, max_gap, size, out);
  double nearest = 1e300, width = 0;
  for (int i = 0; i < out.size; ++i) {
    nearest = std::min(nearest, out.points[i].gap);
    // Twice the area, as of a polygon in order.
    const Vec p = out.points[i].on_a - out.points[0].on_a, q = out.points[(i + 1) % out.size].on_a - out.points[0].on_a;
    width += dot(out.points[i].normal, cross(p, q));
  }
  if (nearest <= gap + tolerance && (gap > -tolerance || std::abs(width) > 1e4 * gap * gap)) return true;
  out.size = 0;
  return false;
}

}  // namespace

void collide_convex(const Core& a, const Core& b, double max_gap, Manifold& out) {
  const double size = reach(a) + reach(b);
  if (try_faces(a, b, max_gap, size, out)) return;
  Separation s = separation(a, b, max_gap);
  if (s.distance > max_gap) return;
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
