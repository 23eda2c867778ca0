#include <algorithm>
#include <cmath>

#include "lissom/constraints/contact.h"
#include "lissom/model/wording.h"

namespace lissom::control {

namespace {

constexpr double in_plane = 2e-3;  // m

double side(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Andrew's monotone chain; counter-clockwise, without points on an edge.
std::vector<Vec3<double>> convex_hull(std::vector<Vec3<double>> points) {
  std::sort(points.begin(), points.end(),
            [](const auto& a, const auto& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::vector<Vec3<double>> hull;
  const auto chain = [&](auto begin, auto end) {
    const std::size_t start = hull.size();
    for (auto p = begin; p != end; ++p) {
      while (hull.size() >= start + 2 && side(hull[hull.size() - 2], hull.back(), *p) <= 1e-12) hull.pop_back();
      hull.push_back(*p);
    }
    hull.pop_back();
  };
  if (points.size() < 3) return points;
  chain(points.begin(), points.end());
  chain(points.rbegin(), points.rend());
  return hull;
}

}  // namespace

std::vector<Vec3<double>> contact_polygon(const Model& model, FrameId frame) {
  const auto& f = model.frames()[std::size_t(frame.index)];
  std::vector<Vec3<double>> corners;
  for (const auto& link : model.links()) {
    if (link.body != f.body) continue;
    const auto& description = model.description();
    const auto found = std::find_if(description.links.begin(), description.links.end(),
                                    [&](const auto& l) { return l.name == link.name; });
    if (found == description.links.end()) continue;
    for (const auto& geometry : found->collisions) {
      if (geometry.shape.kind != Shape::Kind::box) continue;
      const auto X = inverse(f.placement) * link.placement * geometry.origin;
      const auto& size = geometry.shape.size;
      for (int corner = 0; corner < 8; ++corner) {
        const auto half = [&](int bit, double edge) { return (corner >> bit & 1 ? .5 : -.5) * edge; };
        const auto p = X * Vec3<double>(half(0, size.x), half(1, size.y), half(2, size.z));
        if (std::abs(p.z) <= in_plane) corners.push_back({p.x, p.y, 0});
      }
    }
  }
  auto hull = convex_hull(std::move(corners));
  if (hull.size() < 3)
    throw Error("frame " + in_quotes(f.name) + ": no collision box of its body ends in the plane z = 0 of the frame; " +
                "give the points of the contact");
  return hull;
}

}  // namespace lissom::control
