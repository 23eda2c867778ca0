#include "lissom/geometry/gjk.h"

#include "lissom/geometry/vectors.h"

namespace lissom::collision {

namespace {

// Which points of a simplex its nearest point to the origin is made of, and the squared distance of that point.
struct Choice {
  int count;
  int indices[3];
  double weights[3];
  double distance2;
};

// The nearest points of parts of a simplex (Ericson, "Real-Time Collision Detection", 5.1).
Choice nearest_on_segment(const Simplex& s, int i, int j) {
  const Vec &p = s.points[i].w, &q = s.points[j].w, along = q - p;
  const double t = -dot(p, along), length = dot(along, along);
  if (t <= 0 || length <= 0) return {1, {i, 0, 0}, {1, 0, 0}, squared(p)};
  if (t >= length) return {1, {j, 0, 0}, {1, 0, 0}, squared(q)};
  const double u = t / length;
  return {2, {i, j, 0}, {1 - u, u, 0}, squared(p + u * along)};
}

Choice nearest_on_triangle(const Simplex& s, int i, int j, int k) {
  const Vec &a = s.points[i].w, &b = s.points[j].w, &c = s.points[k].w;
  const Vec ab = b - a, ac = c - a;
  const double d1 = -dot(ab, a), d2 = -dot(ac, a);
  if (d1 <= 0 && d2 <= 0) return {1, {i, 0, 0}, {1, 0, 0}, squared(a)};
  const double d3 = -dot(ab, b), d4 = -dot(ac, b);
  if (d3 >= 0 && d4 <= d3) return {1, {j, 0, 0}, {1, 0, 0}, squared(b)};
  const double d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d6 >= 0 && d5 <= d6) return {1, {k, 0, 0}, {1, 0, 0}, squared(c)};
  // Areas by the normal, not by differences of the products above: these cancel for slender triangles.
  const Vec normal = cross(ab, ac);
  const double area = dot(normal, normal);
  const double u = dot(normal, cross(b, c)), v = dot(normal, cross(c, a)), w = dot(normal, cross(a, b));
  if (area > 0 && u > 0 && v > 0 && w > 0) {
    const double sum = u + v + w, x = u / sum, y = v / sum, z = w / sum;
    return {3, {i, j, k}, {x, y, z}, squared(x * a + y * b + z * c)};
  }
  // On one of the edges: the nearest of the three.
  Choice best = nearest_on_segment(s, i, j);
  if (const auto edge = nearest_on_segment(s, i, k); edge.distance2 < best.distance2) best = edge;
  if (const auto edge = nearest_on_segment(s, j, k); edge.distance2 < best.distance2) best = edge;
  return best;
}

void keep(Simplex& s, const Choice& choice) {
  DifferencePoint kept[3];
  for (int m = 0; m < choice.count; ++m) kept[m] = s.points[choice.indices[m]], s.weights[m] = choice.weights[m];
  for (int m = 0; m < choice.count; ++m) s.points[m] = kept[m];
  s.size = choice.count;
}

// Whether the origin lies beyond the plane of the face (i, j, k), as seen from the fourth point.
bool beyond(const Simplex& s, int i, int j, int k, int fourth) {
  const Vec normal = cross(s.points[j].w - s.points[i].w, s.points[k].w - s.points[i].w);
  const double side = dot(normal, s.points[fourth].w - s.points[i].w), origin = -dot(normal, s.points[i].w);
  return side > 0 ? origin < 0 : side < 0 ? origin > 0 : true;  // a flat tetrahedron has no inside
}

// False if the origin lies inside of the tetrahedron.
bool nearest_on_tetrahedron(Simplex& s) {
  constexpr int faces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  Choice best;
  bool outside = false;
  for (const auto& f : faces) {
    if (!beyond(s, f[0], f[1], f[2], f[3])) continue;
    const auto face = nearest_on_triangle(s, f[0], f[1], f[2]);
    if (!outside || face.distance2 < best.distance2) best = face;
    outside = true;
  }
  if (outside)
    keep(s, best);
  else
    for (auto& weight : s.weights) weight = .25;  // some point inside: which one does not matter
  return outside;
}

Vec nearest_point(const Simplex& s) {
  Vec p(0, 0, 0);
  for (int i = 0; i < s.size; ++i) p += s.weights[i] * s.points[i].w;
  return p;
}

bool has(const Simplex& s, const Vec& w) {
  for (int i = 0; i < s.size; ++i)
    if (s.points[i].w.x == w.x && s.points[i].w.y == w.y && s.points[i].w.z == w.z) return true;
  return false;
}

Separation separation_of(const Simplex& s, const Vec& v) {
  Separation result;
  result.point_a = result.point_b = {0, 0, 0};
  for (int i = 0; i < s.size; ++i) {
    result.point_a += s.weights[i] * s.points[i].a;
    result.point_b += s.weights[i] * s.points[i].b;
  }
  result.distance = norm(v);
  result.normal = unit_or(v, {0, 0, 1});
  return result;
}

}  // namespace

bool reduce_to_nearest(Simplex& s) {
  if (s.size == 2)
    keep(s, nearest_on_segment(s, 0, 1));
  else if (s.size == 3)
    keep(s, nearest_on_triangle(s, 0, 1, 2));
  return s.size < 4 || nearest_on_tetrahedron(s);
}

GjkResult gjk(const Core& a, const Core& b, double cutoff, double tolerance) {
  constexpr int max_iterations = 100;
  const double size = reach(a) + reach(b) + norm(a.X.p - b.X.p);
  const double touching = 1e-13 * size;
  GjkResult result;
  Simplex& s = result.simplex;
  const Vec start = a.X.p - b.X.p;
  s.points[0] = difference_support(a, b, squared(start) > 0 ? -start : Vec(-1, 0, 0));
  s.weights[0] = 1, s.size = 1;
  Vec v = s.points[0].w, last = unit_or(start, {1, 0, 0});
  const auto overlapping = [&]() -> GjkResult& {
    result.apart = false, result.direction = unit_or(last, {0, 0, 1});
    return result;
  };
  Simplex previous;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    const double vv = squared(v);
    if (vv <= touching * touching) return overlapping();
    last = v;
    const auto p = difference_support(a, b, -v);
    // The distance lies between v · w / |v| and |v|.
    const double lower = dot(v, p.w);
    if (lower > 0 && lower * lower > cutoff * cutoff * vv) break;
    if (vv - lower <= 1e-15 * vv + (1e-16 * size + tolerance) * std::sqrt(vv) || has(s, p.w)) break;
    previous = s;
    s.points[s.size++] = p;
    if (!reduce_to_nearest(s)) {
      if (lower <= 0) return overlapping();
      s = previous;  // v separates the cores: only rounding sees the origin in a flat tetrahedron
      break;
    }
    const Vec next = nearest_point(s);
    if (squared(next) >= vv) {  // rounding: no progress any more
      s = previous;
      break;
    }
    v = next;
  }
  result.apart = true;
  result.nearest = separation_of(s, v);
  result.direction = result.nearest.normal;
  return result;
}

}  // namespace lissom::collision
