// Convex shapes on a plane.
#include <numbers>

#include "lissom/geometry/collide_pairs.h"
#include "lissom/geometry/vectors.h"

namespace lissom::collision {

namespace {

class AbovePlane {
 public:
  AbovePlane(const Core& plane, double max_gap, Manifold& out)
      : normal_(column_z(plane.X.R)), offset_(dot(normal_, plane.X.p)), max_gap_(max_gap), out_(out) {}
  const Vec& normal() const { return normal_; }
  double height(const Vec& p) const { return dot(normal_, p) - offset_; }
  void add(const Vec& p, std::uint32_t feature) {
    if (const double gap = height(p); gap <= max_gap_) out_.push({p, normal_, gap, feature});
  }

 private:
  Vec normal_;
  double offset_, max_gap_;
  Manifold& out_;
};

// The corners of the face that looks down; one of them is the lowest of all.
void box_above(const Core& a, AbovePlane& plane) {
  const Vec& h = a.shape->half();
  const Vec axes[3] = {h.x * column_x(a.X.R), h.y * column_y(a.X.R), h.z * column_z(a.X.R)};
  const Vec rise = transpose_times(a.X.R, plane.normal());
  const double x = std::abs(rise.x), y = std::abs(rise.y), z = std::abs(rise.z);
  const int up = x > y && x > z ? 0 : y > z ? 1 : 2, u = (up + 1) % 3, w = (up + 2) % 3;
  const int low = element(rise, up) < 0;  // bit of the lower end
  const Vec face = a.X.p + (low ? 1. : -1.) * axes[up];
  for (int k = 0; k < 4; ++k) {
    const int bu = k & 1, bw = k >> 1;
    plane.add(face + (bu ? 1. : -1.) * axes[u] + (bw ? 1. : -1.) * axes[w],
              std::uint32_t(low << up | bu << u | bw << w));
  }
}

// The lowest point, and four points of each rim that move with the cylinder. All are points of the surface, so that
// rolling, standing and wobbling are supported alike.
void cylinder_above(const Core& a, AbovePlane& plane) {
  const Vec& h = a.shape->half();
  const Vec down = -transpose_times(a.X.R, plane.normal());
  const double across = std::sqrt(down.x * down.x + down.y * down.y);
  const double low = down.z < 0 ? -h.z : h.z;
  constexpr std::uint32_t lowest = 16, other_end = 17;
  // (Standing, it would run around the rim with each rounding error; the four points are as low, within 1e-8 radii.)
  if (across > 3e-8) {
    const double x = h.x * down.x / across, y = h.x * down.y / across;
    plane.add(a.X * Vec(x, y, low), lowest);
    if (across > .02) plane.add(a.X * Vec(x, y, -low), other_end);  // lying on its side
  }
  if (across < .5) {
    const std::uint32_t rim = low < 0 ? 0 : 4;
    for (std::uint32_t k = 0; k < 4; ++k) {
      const double x = k == 0 ? h.x : k == 2 ? -h.x : 0, y = k == 1 ? h.x : k == 3 ? -h.x : 0;
      plane.add(a.X * Vec(x, y, low), rim + k);
    }
  }
}

// Takes the lowest one of the vertices near the plane, and in each of many directions the outermost.
void hull_above(const Core& a, double max_gap, const Core& b, AbovePlane& plane, Manifold& out) {
  const auto& vertices = a.shape->hull().vertices();
  for (std::uint32_t i = 0; i < vertices.size() && out.size < Manifold::capacity; ++i) plane.add(a.X * vertices[i], i);
  if (out.size < Manifold::capacity) return;
  out.size = 0;
  constexpr int directions = 16;
  const std::uint32_t lowest = a.shape->hull().support(-transpose_times(a.X.R, plane.normal()));
  plane.add(a.X * vertices[lowest], lowest);
  const Vec u = transpose_times(a.X.R, column_x(b.X.R)), w = transpose_times(a.X.R, column_y(b.X.R));
  const Vec down = transpose_times(a.X.R, plane.normal());
  for (int k = 0; k < directions; ++k) {
    const double angle = 2 * std::numbers::pi * k / directions;
    const Vec d = std::cos(angle) * u + std::sin(angle) * w;
    std::uint32_t best = lowest;
    for (std::uint32_t i = 0; i < vertices.size(); ++i)
      if (dot(d, vertices[i]) > dot(d, vertices[best]) &&
          plane.height(a.X * vertices[lowest]) + dot(down, vertices[i] - vertices[lowest]) <= max_gap)
        best = i;
    bool known = false;
    for (int i = 0; i < out.size; ++i) known = known || out.points[i].feature == best;
    if (!known) plane.add(a.X * vertices[best], best);
  }
}

}  // namespace

void collide_with_plane(const Core& a, const Core& b, double max_gap, Manifold& out) {
  AbovePlane plane(b, max_gap, out);
  switch (a.shape->kind()) {
    case Collider::Kind::sphere:
      return plane.add(a.X.p, 0);
    case Collider::Kind::capsule:
      plane.add(a.X * Vec(0, 0, -a.shape->half().z), 0);
      return plane.add(a.X * Vec(0, 0, a.shape->half().z), 1);
    case Collider::Kind::box:
      return box_above(a, plane);
    case Collider::Kind::cylinder:
      return cylinder_above(a, plane);
    case Collider::Kind::ellipsoid:
      return plane.add(support(a, -plane.normal()), 0);
    case Collider::Kind::hull:
      return hull_above(a, max_gap, b, plane, out);
    case Collider::Kind::plane:
    case Collider::Kind::height_field:
      break;
  }
}

}  // namespace lissom::collision
