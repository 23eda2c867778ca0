#include "lissom/geometry/manifold.h"

#include <numbers>

#include "lissom/geometry/vectors.h"

namespace lissom::collision {

namespace {

constexpr int cap_sides = 8;

std::uint32_t mixed(std::uint32_t x) {
  x ^= x >> 16, x *= 0x7feb352du;
  x ^= x >> 15, x *= 0x846ca68bu;
  return x ^ x >> 16;
}
std::uint32_t edge_label(std::uint32_t a, std::uint32_t b) {
  return mixed(std::min(a, b) * 0x9e3779b9u + mixed(std::max(a, b) + 0x51ed270bu)) | 0x80000000u;
}

Feature box_face(const Core& core, const Vec& e) {
  const Vec& h = core.shape->half();
  const double x = std::abs(e.x), y = std::abs(e.y), z = std::abs(e.z);
  const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2, u = (axis + 1) % 3, w = (axis + 2) % 3;
  const bool positive = element(e, axis) >= 0;
  Feature f;
  constexpr int corners[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (int k = 0; k < 4; ++k) {
    const auto& c = corners[positive ? k : 3 - k];  // counterclockwise about the outward normal
    Vec p(0, 0, 0);
    set_element(p, axis, positive ? element(h, axis) : -element(h, axis));
    set_element(p, u, c[0] * element(h, u));
    set_element(p, w, c[1] * element(h, w));
    f.push(core.X * p, std::uint32_t((positive << axis) | ((c[0] > 0) << u) | ((c[1] > 0) << w)));
  }
  return f;
}

Feature hull_face(const Core& core, const Vec& e) {
  const auto& hull = core.shape->hull();
  const auto corners = hull.corners(hull.faces()[hull.nearest_face(e)]);
  Feature f;
  const std::size_t count = std::min(corners.size(), std::size_t(Feature::capacity));
  for (std::size_t k = 0; k < count; ++k) {
    const auto i = corners[k * corners.size() / count];
    f.push(core.X * hull.vertices()[i], i);
  }
  return f;
}

// The polygon in a cap; with the point that is farthest along e, if there is one.
Feature cap(const Core& core, bool top, const Vec& e) {
  const Vec& h = core.shape->half();
  constexpr double step = 2 * std::numbers::pi / cap_sides;
  const bool has_farthest = e.x * e.x + e.y * e.y > 1e-18;
  const double angle = std::atan2(e.y, e.x), turns = (angle < 0 ? angle + 2 * std::numbers::pi : angle) / step;
  const int before = std::min(int(turns), cap_sides - 1);  // the farthest point comes after this corner
  const bool is_corner = turns - before < 1e-6 || turns - before > 1 - 1e-6;
  Feature f;
  const auto push = [&](double at, std::uint32_t label) {
    f.push(core.X * Vec(h.x * std::cos(at), h.x * std::sin(at), top ? h.z : -h.z), label + (top ? 64 : 0));
  };
  for (int i = 0; i < cap_sides; ++i) {
    const int k = top ? i : cap_sides - 1 - i;  // counterclockwise, as seen from outside
    const bool between = has_farthest && !is_corner && k == before;
    if (between && !top) push(angle, cap_sides);
    push(step * k, std::uint32_t(k));
    if (between && top) push(angle, cap_sides);
  }
  return f;
}

}  // namespace

std::uint32_t feature_id(std::uint32_t of_a, std::uint32_t of_b) {
  return mixed(mixed(of_a + 1) * 3 + of_b);
}

FaceDirection nearest_face(const Core& core, const Vec& d) {
  const Vec e = transpose_times(core.X.R, d);
  if (!core.shape) {
    const Vec normal = cross(core.corners[1] - core.corners[0], core.corners[2] - core.corners[0]);
    const Vec n = core.X.R * unit_or(normal, {0, 0, 1});
    return {true, dot(n, d) < 0 ? -n : n};
  }
  switch (core.shape->kind()) {
    case Collider::Kind::box: {
      const double x = std::abs(e.x), y = std::abs(e.y), z = std::abs(e.z);
      const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
      return {true, (element(e, axis) >= 0 ? 1. : -1.) * column(core.X.R, axis)};
    }
    case Collider::Kind::cylinder:
      return {true, (e.z >= 0 ? 1. : -1.) * column_z(core.X.R)};
    case Collider::Kind::hull: {
      const auto& hull = core.shape->hull();
      if (hull.faces().empty()) break;
      return {true, core.X.R * hull.faces()[hull.nearest_face(e)].normal};
    }
    default:
      break;
  }
  return {false, d};
}

Feature face_polygon(const Core& core, const Vec& d) {
  const Vec e = transpose_times(core.X.R, d);
  Feature f;
  if (!core.shape) {
    const Vec normal = cross(core.corners[1] - core.corners[0], core.corners[2] - core.corners[0]);
    const bool upward = dot(normal, e) >= 0;
    for (std::uint32_t k = 0; k < 3; ++k) f.push(core.X * core.corners[upward ? k : 2 - k], upward ? k : 2 - k);
    return f;
  }
  if (core.shape->kind() == Collider::Kind::box) return box_face(core, e);
  if (core.shape->kind() == Collider::Kind::hull) return hull_face(core, e);
  return cap(core, e.z >= 0, {0, 0, 0});
}

Feature facing_feature(const Core& core, const Vec& d) {
  const Vec e = transpose_times(core.X.R, d);
  Feature f;
  if (!core.shape || core.shape->kind() == Collider::Kind::box) return face_polygon(core, d);
  const Vec& h = core.shape->half();
  switch (core.shape->kind()) {
    case Collider::Kind::hull: {
      if (!core.shape->hull().faces().empty()) return hull_face(core, e);
      const auto& vertices = core.shape->hull().vertices();
      if (vertices.size() > 2) break;
      for (std::uint32_t i = 0; i < vertices.size(); ++i) f.push(core.X * vertices[i], i);
      return f;
    }
    case Collider::Kind::capsule:
      f.push(core.X * Vec(0, 0, -h.z), 0), f.push(core.X * Vec(0, 0, h.z), 1);
      return f;
    case Collider::Kind::cylinder: {
      const double across = std::sqrt(e.x * e.x + e.y * e.y);
      if (std::abs(e.z) > across) return cap(core, e.z >= 0, e);
      const double x = h.x * e.x / across, y = h.x * e.y / across;
      f.push(core.X * Vec(x, y, -h.z), 128), f.push(core.X * Vec(x, y, h.z), 129);
      return f;
    }
    default:
      break;
  }
  f.push(support(core, d), 0);
  return f;
}

namespace {

// A corner of the polygon that is left, and the edge that leaves it: an edge of the incident feature, or a side of the
// face.
struct ClipCorner {
  Vec p;
  std::uint32_t id;
  bool edge_is_side;
  int side;
  std::uint32_t edge;  // label
};
struct ClipPolygon {
  static constexpr int capacity = 2 * Feature::capacity;
  ClipCorner corners[capacity];
  int size = 0;
  void push(const ClipCorner& c) {
    if (size < capacity) corners[size++] = c;
  }
};

struct ClipFace {
  const Feature& face;
  bool is_of_a;
  std::uint32_t id(std::uint32_t of_incident, std::uint32_t of_face) const {
    return is_of_a ? feature_id(of_face, of_incident) : feature_id(of_incident, of_face);
  }
  std::uint32_t side_label(int k) const { return edge_label(face.labels[k], face.labels[(k + 1) % face.size]); }
  // Where the edge of a corner meets side k.
  std::uint32_t crossing(const ClipCorner& c, int k) const {
    constexpr std::uint32_t none = 0x7fffffffu;
    if (!c.edge_is_side) return id(c.edge, side_label(k));
    if ((c.side + 1) % face.size == k) return id(none, face.labels[k]);
    if ((k + 1) % face.size == c.side) return id(none, face.labels[c.side]);
    return id(side_label(c.side), side_label(k));
  }
};

// Sutherland and Hodgman: what is left of a polygon inside of one side. An open polygon is a segment.
void clip(const ClipPolygon& in, bool open, const ClipFace& face, int k, const Vec& outward, double offset,
          ClipPolygon& out) {
  out.size = 0;
  for (int i = 0; i < in.size; ++i) {
    const auto& c = in.corners[i];
    const auto& next = in.corners[(i + 1) % in.size];
    const double at = dot(outward, c.p) - offset, then = dot(outward, next.p) - offset;
    if (at <= 0) out.push(c);
    if (open && i + 1 == in.size) break;
    if ((at <= 0) == (then <= 0)) continue;
    ClipCorner cut = c;
    cut.p = c.p + (at / (at - then)) * (next.p - c.p);
    cut.id = face.crossing(c, k);
    if (at <= 0) cut.edge_is_side = true, cut.side = k;  // it leaves here, and comes back along the side
    out.push(cut);
  }
}

}  // namespace

void add_clipped(const Feature& face, const Vec& normal, bool face_is_of_a, const Feature& incident, double max_gap,
                 double size, Manifold& out) {
  constexpr std::uint32_t none = 0x7fffffffu;
  const ClipFace sides{face, face_is_of_a};
  ClipPolygon buffers[2];
  ClipPolygon *polygon = &buffers[0], *next = &buffers[1];
  for (int i = 0; i < incident.size; ++i)
    polygon->push({incident.points[i], sides.id(incident.labels[i], none), false, 0,
                   edge_label(incident.labels[i], incident.labels[(i + 1) % incident.size])});
  // Corners on a side, within rounding, count as inside: so two equal faces have the same corners in each step.
  const double slack = 1e-9 * size;
  for (int k = 0; k < face.size && polygon->size > 0; ++k) {
    const Vec along = face.points[(k + 1) % face.size] - face.points[k];
    const Vec outward = unit_or(cross(along, normal), {0, 0, 0});
    if (squared(outward) == 0) continue;
    clip(*polygon, incident.size <= 2, sides, k, outward, dot(outward, face.points[k]) + slack, *next);
    std::swap(polygon, next);
  }
  const double offset = dot(normal, face.points[0]);
  for (int i = 0; i < polygon->size; ++i) {
    const auto& c = polygon->corners[i];
    const double gap = dot(normal, c.p) - offset;
    if (!(gap <= max_gap)) continue;
    if (face_is_of_a)
      out.push({c.p - gap * normal, -normal, gap, c.id});
    else
      out.push({c.p, normal, gap, c.id});
  }
}

void add_parallel_segments(const Feature& a, const Feature& b, double max_gap, Manifold& out) {
  const Vec u = a.points[1] - a.points[0], w = b.points[1] - b.points[0];
  const double uu = squared(u), ww = squared(w), uw = dot(u, w);
  if (!(uu > 0 && ww > 0) || uw * uw < .99 * uu * ww) return;  // more than 6 degrees: they cross
  // The common part: its ends are ends of a or of b.
  double s[2];
  std::uint32_t ids[2];
  for (int end = 0; end < 2; ++end) {
    const int of_b = (uw > 0) == (end == 0) ? 0 : 1;
    const double at = dot(u, b.points[of_b] - a.points[0]) / uu;
    const bool own = end == 0 ? at <= 0 : at >= 1;
    s[end] = own ? end : at;
    ids[end] = own ? feature_id(a.labels[end], 0x7fffffffu) : feature_id(0x7fffffffu, b.labels[of_b]);
  }
  if (!(s[0] <= s[1])) return;
  for (int end = 0; end < 2; ++end) {
    const Vec on_a = a.points[0] + s[end] * u;
    const double t = std::clamp(dot(w, on_a - b.points[0]) / ww, 0., 1.);
    const Vec between = on_a - (b.points[0] + t * w);
    const double gap = norm(between);
    if (gap <= max_gap && gap > 1e-150) out.push({on_a, (1 / gap) * between, gap, ids[end]});
  }
}

FaceChoice snap_to_face(const Core& a, const Core& b, double size, Separation& s) {
  const double tolerance = 1e-9 * size;
  FaceChoice choice;
  const auto along = [&](const Vec& n) { return dot(n, support(a, -n) - support(b, n)); };
  const auto on_a = nearest_face(a, -s.normal), on_b = nearest_face(b, s.normal);
  const double by_a = on_a.exists ? along(-on_a.normal) : -1e300, by_b = on_b.exists ? along(on_b.normal) : -1e300;
  if (on_a.exists && by_a >= s.distance - tolerance && by_a >= by_b - tolerance) {
    s.distance = by_a, s.normal = -on_a.normal, choice.of_a = true;
  } else if (on_b.exists && by_b >= s.distance - tolerance) {
    s.distance = by_b, s.normal = on_b.normal, choice.of_b = true;
  }
  return choice;
}

}  // namespace lissom::collision
