#include "lissom/geometry/point_separation.h"

#include "lissom/geometry/capsule.h"
#include "lissom/geometry/vectors.h"

namespace lissom::collision {

Separation point_point(const Vec& a, const Vec& b) {
  const Vec between = a - b;
  const double length = norm(between);
  if (length > 1e-150) return {length, (1 / length) * between, a, b};
  return {0, {0, 0, 1}, a, b};
}

Separation segment_segment(const Core& a, const Core& b) {
  const Vec u = a.shape->half().z * column_z(a.X.R), w = b.shape->half().z * column_z(b.X.R);
  const auto [s, t] = nearest_points(a.X.p - u, a.X.p + u, b.X.p - w, b.X.p + w);
  Separation result;
  result.point_a = a.X.p + (2 * s - 1) * u;
  result.point_b = b.X.p + (2 * t - 1) * w;
  const Vec between = result.point_a - result.point_b;
  const double length = norm(between);
  const double long_a = norm(u), long_b = norm(w);
  if (length > 1e-14 * (long_a + long_b + norm(a.X.p - b.X.p))) {
    result.distance = length, result.normal = (1 / length) * between;
    return result;
  }
  // Segments that cross have the common perpendicular, or any one if they lie on a line.
  const Vec both = cross(u, w);
  Vec across = norm(both) > 1e-12 * long_a * long_b ? unit_or(both, {0, 0, 1}) : perpendicular(long_a > long_b ? u : w);
  if (long_a == 0 && long_b == 0) across = {0, 0, 1};  // capsules without length
  if (dot(across, a.X.p - b.X.p) < 0) across = -across;
  result.distance = 0, result.normal = across;
  return result;
}

namespace {

// From coordinates of b, in which the point a has the nearest point q of b.
Separation from_local(const Vec& point, const Core& b, const Vec& q, const Vec& normal, double distance) {
  return {distance, b.X.R * normal, point, b.X * q};
}

double sign(double x) {
  return x < 0 ? -1 : 1;
}

}  // namespace

Separation point_box(const Vec& point, const Core& box) {
  const Vec p = transpose_times(box.X.R, point - box.X.p), &h = box.shape->half();
  const Vec q(std::clamp(p.x, -h.x, h.x), std::clamp(p.y, -h.y, h.y), std::clamp(p.z, -h.z, h.z));
  const Vec away = p - q;
  if (const double length = norm(away); length > 1e-150) return from_local(point, box, q, (1 / length) * away, length);
  // Inside: through the nearest face.
  int axis = 0;
  double depth = h.x - std::abs(p.x);
  for (int i = 1; i < 3; ++i)
    if (const double d = element(h, i) - std::abs(element(p, i)); d < depth) depth = d, axis = i;
  Vec normal(0, 0, 0), on_face = p;
  set_element(normal, axis, sign(element(p, axis)));
  set_element(on_face, axis, sign(element(p, axis)) * element(h, axis));
  return from_local(point, box, on_face, normal, -depth);
}

Separation point_cylinder(const Vec& point, const Core& cylinder) {
  const Vec p = transpose_times(cylinder.X.R, point - cylinder.X.p), &h = cylinder.shape->half();
  const double across = std::sqrt(p.x * p.x + p.y * p.y);
  const Vec radial = across > 1e-150 ? Vec(p.x / across, p.y / across, 0) : Vec(1, 0, 0);
  const double rho = std::min(across, h.x), z = std::clamp(p.z, -h.z, h.z);
  const Vec q(rho * radial.x, rho * radial.y, z);
  const Vec away((across - rho) * radial.x, (across - rho) * radial.y, p.z - z);
  if (const double length = norm(away); length > 1e-150)
    return from_local(point, cylinder, q, (1 / length) * away, length);
  const double to_side = h.x - across, to_end = h.z - std::abs(p.z);
  if (to_side < to_end) return from_local(point, cylinder, {h.x * radial.x, h.x * radial.y, p.z}, radial, -to_side);
  return from_local(point, cylinder, {p.x, p.y, sign(p.z) * h.z}, {0, 0, sign(p.z)}, -to_end);
}

namespace {

// The point of the ellipsoid Σ (q / r)² = 1 that is nearest to y ≥ 0: q = r² y / (t + r²), where t is the largest root
// of F(t) = Σ (r y / (t + r²))² - 1. F is convex and falls, so Newton's method from the left does not overshoot.
Vec nearest_on_ellipsoid(const Vec& y, const Vec& r) {
  const double least = std::min({r.x, r.y, r.z});
  double t = -least * least;
  for (int i = 0; i < 3; ++i) t = std::max(t, element(r, i) * (element(y, i) - element(r, i)));
  const auto ratio = [&](int i, double at) {  // q / r
    const double ri = element(r, i), bottom = at + ri * ri, top = ri * element(y, i);
    return top > 0 && bottom > 0 ? std::min(top / bottom, 1.) : 0;
  };
  for (int iteration = 0; iteration < 100; ++iteration) {
    double F = -1, slope = 0;
    for (int i = 0; i < 3; ++i) {
      const double x = ratio(i, t), bottom = t + element(r, i) * element(r, i);
      F += x * x;
      if (x > 0) slope -= 2 * x * x / bottom;
    }
    if (!(F > 0) || !(slope < 0)) break;
    const double next = t - F / slope;
    if (!(next > t)) break;
    t = next;
  }
  double x[3], sum = 0;
  int shortest = 0;
  for (int i = 0; i < 3; ++i) {
    x[i] = ratio(i, t), sum += x[i] * x[i];
    if (element(r, i) < element(r, shortest)) shortest = i;
  }
  // On the plane of symmetry across the shortest axis, deep inside, F has no root: two points are equally near.
  if (sum < 1 && x[shortest] == 0) x[shortest] = std::sqrt(1 - sum), sum = 1;
  const double scale = sum > 0 ? 1 / std::sqrt(sum) : 0;
  return {scale * x[0] * r.x, scale * x[1] * r.y, scale * x[2] * r.z};
}

}  // namespace

Separation point_ellipsoid(const Vec& point, const Core& ellipsoid) {
  const Vec p = transpose_times(ellipsoid.X.R, point - ellipsoid.X.p), &r = ellipsoid.shape->half();
  const Vec y(std::abs(p.x), std::abs(p.y), std::abs(p.z));
  const double size = std::max({r.x, r.y, r.z});
  if (!(size > 0)) {  // a point
    const double length = norm(p);
    return from_local(point, ellipsoid, {0, 0, 0}, unit_or(p, {0, 0, 1}), length);
  }
  // A flat one is given a thickness that rounding does not see.
  const Vec thick(std::max(r.x, 1e-12 * size), std::max(r.y, 1e-12 * size), std::max(r.z, 1e-12 * size));
  Vec q = nearest_on_ellipsoid((1 / size) * y, (1 / size) * thick);
  Vec normal = unit_or({q.x / (thick.x * thick.x), q.y / (thick.y * thick.y), q.z / (thick.z * thick.z)}, {0, 0, 1});
  q = size * Vec(sign(p.x) * q.x, sign(p.y) * q.y, sign(p.z) * q.z);
  normal = {sign(p.x) * normal.x, sign(p.y) * normal.y, sign(p.z) * normal.z};
  return from_local(point, ellipsoid, q, normal, dot(normal, p - q));
}

Separation point_in_hull(const Vec& point, const Core& hull) {
  const Vec p = transpose_times(hull.X.R, point - hull.X.p);
  const Hull::Face* best = nullptr;
  for (const auto& face : hull.shape->hull().faces())
    if (!best || dot(face.normal, p) - face.offset > dot(best->normal, p) - best->offset) best = &face;
  const double distance = dot(best->normal, p) - best->offset;
  return from_local(point, hull, p - distance * best->normal, best->normal, distance);
}

}  // namespace lissom::collision
