#include "lissom/geometry/contact_polygon.h"

#include <algorithm>
#include <cmath>

#include "lissom/math/monotone_chain.h"
#include "lissom/model/text.h"

namespace lissom {

namespace {

constexpr double in_plane = 2e-3;  // m

// Twice the signed area of the triangle a b c, as seen from +z.
double doubled_area(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

}  // namespace

std::vector<Vec3<double>> convex_hull(std::vector<Vec3<double>> points) {
  std::sort(points.begin(), points.end(),
            [](const auto& a, const auto& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  if (points.size() < 3) return points;
  std::vector<Vec3<double>> hull;
  monotone_chain(
      points, [](const auto& a, const auto& b, const auto& c) { return doubled_area(a, b, c) > 1e-12; }, hull);
  return hull;
}

void scale_about_mean(std::vector<Vec3<double>>& points, double factor) {
  Vec3<double> mean(0, 0, 0);
  for (const auto& p : points) mean += (1 / double(points.size())) * p;
  for (auto& p : points) p = mean + factor * (p - mean);
}

std::vector<Vec3<double>> find_contact_polygon(const Model& model, const CollisionGeometry& geometry, FrameId frame) {
  const auto& f = model.frames()[std::size_t(frame.index)];
  std::vector<Vec3<double>> corners;
  for (const auto* s : geometry.of_body(f.body)) {
    if (s->shape.kind != Shape::Kind::box) continue;
    const auto X = inverse(f.placement) * s->in_body;
    for (const auto& corner : box_corners(s->shape.size))
      if (const auto p = X * corner; std::abs(p.z) <= in_plane) corners.push_back({p.x, p.y, 0});
  }
  auto hull = convex_hull(std::move(corners));
  if (hull.size() < 3) hull.clear();
  return hull;
}

std::vector<Vec3<double>> contact_polygon(const Model& model, FrameId frame) {
  auto polygon = find_contact_polygon(model, CollisionGeometry(model), frame);
  if (polygon.empty())
    throw Error(
        "frame " + in_quotes(model.frames()[std::size_t(frame.index)].name) +
        ": no collision box of its body has a face in the plane z = 0 of the frame; give the points of the contact "
        "(Contact::points; in the command stance, --points)");
  return polygon;
}

}  // namespace lissom
