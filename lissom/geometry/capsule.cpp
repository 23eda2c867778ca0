#include "lissom/geometry/capsule.h"

#include <algorithm>
#include <cmath>

#include "lissom/model/text.h"

namespace lissom {

namespace {

// A line through the center of the bounding box of all spheres, along its longest side.
struct Line {
  Vec3<double> middle, along;
};
Line long_axis(const std::vector<Sphere>& spheres) {
  Vec3<double> low = {1e9, 1e9, 1e9}, high = {-1e9, -1e9, -1e9};
  for (const auto& [p, r] : spheres) {
    low = {std::min(low.x, p.x - r), std::min(low.y, p.y - r), std::min(low.z, p.z - r)};
    high = {std::max(high.x, p.x + r), std::max(high.y, p.y + r), std::max(high.z, p.z + r)};
  }
  const auto side = high - low;
  const auto along = side.x >= side.y && side.x >= side.z ? Vec3<double>(1, 0, 0)
                     : side.y >= side.z                   ? Vec3<double>(0, 1, 0)
                                                          : Vec3<double>(0, 0, 1);
  return {.5 * (low + high), along};
}

}  // namespace

Capsule bounding_capsule(const Model& model, const std::string& link) {
  model.link(link);
  std::vector<Sphere> spheres;
  const CollisionGeometry geometry(model);
  for (const auto* s : geometry.of_link(link))
    for (const auto& [center, radius] : covering_spheres(s->shape)) spheres.push_back({s->in_link * center, radius});
  if (spheres.empty())
    throw Error("link " + in_quotes(link) +
                " has no collision shape (except meshes) to enclose in a capsule; give the capsule itself");
  const auto [middle, along] = long_axis(spheres);
  // The smallest radius, then the smallest half length: a sphere at z along the line and at the distance d from it lies
  // within the capsule if |z| ≤ half_length, or (|z| - half_length)² + d² ≤ (radius - its own)².
  const auto distance_from_line = [&](const Sphere& sphere) {
    const auto across = cross(sphere.center - middle, along);
    return std::sqrt(dot(across, across));
  };
  double radius = 0, half_length = 0;
  for (const auto& sphere : spheres) radius = std::max(radius, distance_from_line(sphere) + sphere.radius);
  for (const auto& sphere : spheres) {
    const double margin = radius - sphere.radius, d = distance_from_line(sphere);
    half_length = std::max(
        half_length, std::abs(dot(sphere.center - middle, along)) - std::sqrt(std::max(0.0, margin * margin - d * d)));
  }
  return {link, middle - half_length * along, middle + half_length * along, radius};
}

NearestPoints nearest_points(const Vec3<double>& a0, const Vec3<double>& a1, const Vec3<double>& b0,
                             const Vec3<double>& b1) {
  // |a0 + s u - b0 - t w|² over the unit square (Ericson, "Real-Time Collision Detection", 5.1.9).
  const auto u = a1 - a0, w = b1 - b0, r = a0 - b0;
  const double a = dot(u, u), e = dot(w, w), f = dot(w, r), tiny = 1e-18;
  if (a <= tiny && e <= tiny) return {0, 0};
  if (a <= tiny) return {0, std::clamp(f / e, 0.0, 1.0)};
  const double c = dot(u, r);
  if (e <= tiny) return {std::clamp(-c / a, 0.0, 1.0), 0};
  const double b = dot(u, w), denominator = a * e - b * b;
  double s = denominator > 1e-12 * a * e ? std::clamp((b * f - c * e) / denominator, 0.0, 1.0) : 0;
  double t = (b * s + f) / e;
  if (t < 0) t = 0, s = std::clamp(-c / a, 0.0, 1.0);
  if (t > 1) t = 1, s = std::clamp((b - c) / a, 0.0, 1.0);
  return {s, t};
}

}  // namespace lissom
