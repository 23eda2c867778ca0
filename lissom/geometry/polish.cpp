// The signed distance is the maximum over unit vectors n of S(n) = min n · a - max n · b. S is smooth where curved
// surfaces touch, and has creases: normals perpendicular to an edge, or to the side of a cylinder. Here S is maximized
// by Newton's method on the sphere, on the creases near the given normal, and on their intersections; the best one
// counts. All of this stays well conditioned where the distance is zero, unlike the direction between the nearest
// points.
#include "lissom/geometry/polish.h"

#include "lissom/geometry/gjk.h"
#include "lissom/geometry/vectors.h"

namespace lissom::collision {

namespace {

constexpr double near_crease = .02;  // rad
constexpr int max_creases = 8;

struct Creases {
  Vec directions[max_creases];  // unit vectors to which the normal is perpendicular
  int size = 0;
  void push(const Vec& d) {
    if (size < max_creases) directions[size++] = d;
  }
};

void find_creases(const Core& core, const Vec& n, Creases& out) {
  if (!core.shape) return;
  const auto along = [&](int i) {
    if (const Vec axis = column(core.X.R, i); std::abs(dot(axis, n)) < near_crease) out.push(axis);
  };
  switch (core.shape->kind()) {
    case Collider::Kind::box:
      for (int i = 0; i < 3; ++i) along(i);
      break;
    case Collider::Kind::cylinder:
      // Perpendicular to the axis: the side. Along it: a cap, as the crossing of two creases.
      if (std::abs(dot(column_z(core.X.R), n)) > 1 - near_crease * near_crease) along(0), along(1);
      [[fallthrough]];
    case Collider::Kind::capsule:
      along(2);
      break;
    case Collider::Kind::hull: {
      const auto& hull = core.shape->hull();
      const Vec e = transpose_times(core.X.R, n);
      const auto top = hull.support(e);
      for (const auto i : hull.neighbors(top))
        if (const Vec d = unit_or(hull.vertices()[i] - hull.vertices()[top], {0, 0, 0});
            std::abs(dot(d, e)) < near_crease && squared(d) > 0)
          out.push(core.X.R * d);
      break;
    }
    default:
      break;
  }
}

// uᵀ H w, with H the second derivative of the support function of the core at n.
double curvature(const Core& core, const Vec& n, const Vec& u, const Vec& w) {
  if (!is_curved(core)) return 0;
  const Vec e = transpose_times(core.X.R, n), x = transpose_times(core.X.R, u), y = transpose_times(core.X.R, w);
  const Vec& h = core.shape->half();
  if (core.shape->kind() == Collider::Kind::cylinder) {
    const double across = std::sqrt(e.x * e.x + e.y * e.y);
    if (!(across > 1e-9)) return 0;
    return h.x / (across * across * across) * (x.x * e.y - x.y * e.x) * (y.x * e.y - y.y * e.x);
  }
  const Vec s(h.x * e.x, h.y * e.y, h.z * e.z), p(h.x * x.x, h.y * x.y, h.z * x.z), q(h.x * y.x, h.y * y.y, h.z * y.z);
  const double length = norm(s);
  if (!(length > 1e-150)) return 0;
  return (dot(p, q) - dot(s, p) * dot(s, q) / (length * length)) / length;
}

class Ascent {
 public:
  Ascent(const Core& a, const Core& b) : a_(a), b_(b) {}

  double value(const Vec& n) const { return dot(n, difference_support(a_, b_, -n).w); }
  // From n, perpendicular to `fixed` directions; n becomes the best normal found.
  void run(Vec& n, const Vec* fixed, int count) const;

 private:
  bool step(Vec& n, const Vec* fixed, int count) const;
  const Core &a_, &b_;
};

bool Ascent::step(Vec& n, const Vec* fixed, int count) const {
  const Vec w = difference_support(a_, b_, -n).w;
  const double s = dot(n, w);
  const auto second = [&](const Vec& u, const Vec& v) {
    return -curvature(a_, -n, u, v) - curvature(b_, n, u, v) - s * dot(u, v);
  };
  const Vec u = count == 1 ? unit_or(cross(fixed[0], n), perpendicular(n)) : perpendicular(n), v = cross(n, u);
  const double gu = dot(u, w), gv = dot(v, w), uu = second(u, u);
  Vec moved;
  if (count == 1) {
    if (!(uu < 0)) return false;
    moved = n - (gu / uu) * u;
  } else {
    const double uv = second(u, v), vv = second(v, v), determinant = uu * vv - uv * uv;
    if (!(uu < 0 && determinant > 0)) return false;
    moved = n - ((vv * gu - uv * gv) / determinant) * u - ((uu * gv - uv * gu) / determinant) * v;
  }
  if (!(squared(moved - n) < .1)) return false;
  n = unit_or(moved, n);
  return true;
}

void Ascent::run(Vec& n, const Vec* fixed, int count) const {
  if (count == 2) {
    const Vec c = cross(fixed[0], fixed[1]);
    if (norm(c) < 1e-3) return;
    n = dot(c, n) < 0 ? unit_or(-c, n) : unit_or(c, n);
    return;
  }
  if (count == 1) n = unit_or(n - dot(n, fixed[0]) * fixed[0], n);
  double best = value(n);
  for (int iteration = 0; iteration < 8; ++iteration) {
    Vec next = n;
    if (!step(next, fixed, count)) return;
    const double s = value(next), moved = squared(next - n);
    if (!(s > best - 1e-14 * (reach(a_) + reach(b_)))) return;
    n = next, best = std::max(best, s);
    if (moved < 1e-24) return;
  }
}

// Points of both cores for a normal: on a crease there are several, which are mixed so that they face each other.
// Returns how much they fail to.
double find_witnesses(const Core& a, const Core& b, const Vec* fixed, int count, Separation& s) {
  constexpr double aside = 1e-9;
  Simplex simplex;
  for (int k = 0; k < 1 << count; ++k) {
    Vec d = -s.normal;
    for (int i = 0; i < count; ++i) d += (k >> i & 1 ? aside : -aside) * fixed[i];
    simplex.points[simplex.size] = difference_support(a, b, d);
    simplex.points[simplex.size].w -= s.distance * s.normal;
    simplex.weights[simplex.size++] = 1. / (1 << count);
  }
  reduce_to_nearest(simplex);
  Vec on_a(0, 0, 0), on_b(0, 0, 0);
  for (int i = 0; i < simplex.size; ++i)
    on_a += simplex.weights[i] * simplex.points[i].a, on_b += simplex.weights[i] * simplex.points[i].b;
  // On a cap there are more points than these: then the old ones may be better.
  const auto error = [&](const Vec& p, const Vec& q) { return squared(p - q - s.distance * s.normal); };
  if (error(on_a, on_b) < error(s.point_a, s.point_b)) s.point_a = on_a, s.point_b = on_b;
  const Vec middle = .5 * (s.point_a + s.point_b);
  const double left = std::sqrt(error(s.point_a, s.point_b));
  s.point_a = middle + (.5 * s.distance) * s.normal, s.point_b = middle - (.5 * s.distance) * s.normal;
  return left;
}

}  // namespace

bool polish(const Core& a, const Core& b, Separation& s) {
  const double size = reach(a) + reach(b);
  const Ascent ascent(a, b);
  Creases creases;
  Separation best = s;
  best.distance = ascent.value(s.normal);
  int best_count = -1;
  // The points of the normal prove that it is a maximum, if they are opposite to each other.
  const auto attempt = [&](const Vec* fixed, int count) {
    Separation found = s;
    ascent.run(found.normal, fixed, count);
    found.distance = ascent.value(found.normal);
    // More creases win ties: only with them are the points complete.
    if (!(found.distance > best.distance - (count > best_count ? 1e-13 * size : 0))) return false;
    const double error = find_witnesses(a, b, fixed, count, found);
    best = found, best_count = count;
    return error < (count == 0 ? 1e-10 : 5e-9) * size;
  };
  const auto settle = [&](bool proved) {
    if (best_count >= 0) s = best;
    return proved;
  };
  if (attempt(nullptr, 0)) return settle(true);
  find_creases(a, -s.normal, creases), find_creases(b, s.normal, creases);
  bool proved = false;
  for (int i = 0; i < creases.size; ++i) proved = attempt(&creases.directions[i], 1);
  for (int i = 0; i < creases.size; ++i)
    for (int j = i + 1; j < creases.size; ++j) {
      const Vec two[2] = {creases.directions[i], creases.directions[j]};
      if (attempt(two, 2)) proved = true;
    }
  return settle(proved);
}

}  // namespace lissom::collision
