// How points of contact move with the bodies that touch.
#include <algorithm>
#include <cmath>

#include "lissom/spatial/quaternion.h"
#include "lissom/world/impl.h"

namespace lissom {
namespace {

constexpr Mat3<double> no_response() {
  return {0, 0, 0, 0, 0, 0, 0, 0, 0};
}

Mat3<double> times(double s, const Mat3<double>& m) {
  return {s * m.xx, s * m.xy, s * m.xz, s * m.yx, s * m.yy, s * m.yz, s * m.zx, s * m.zy, s * m.zz};
}

Mat3<double> from_columns(const Vec3<double>* c) {
  return transpose(from_rows(c[0], c[1], c[2]));
}

// Whether the points of a shape on a plane are fixed in it, or centers of its roundings are.
bool has_fixed_points(const Collider& shape, std::uint64_t feature) {
  using Kind = Collider::Kind;
  const auto kind = shape.kind();
  if (kind == Kind::cylinder) return feature < 16;  // others run along the rims
  return kind == Kind::sphere || kind == Kind::capsule || kind == Kind::box || kind == Kind::hull;
}

Pose<double> moved(const Pose<double>& X, const Vec3<double>& about, const Vec3<double>& displacement,
                   const Vec3<double>& rotation) {
  const auto e = exponential(rotation);
  const auto R = matrix(e.w, e.x, e.y, e.z);
  return {R * X.R, about + displacement + R * (X.p - about)};
}

}  // namespace

// On planes in closed form. Otherwise by central differences of collide(), which moves the first body along and about
// the three axes.
worlds::ContactResponse World::Impl::response(const worlds::Contact& c) const {
  const auto a = std::size_t(c.collider[0]), b = std::size_t(c.collider[1]);
  const auto &A = colliders[a].collider, &B = colliders[b].collider;
  const auto n = column_x(c.axes);
  const std::uint64_t feature = c.key ^ std::uint64_t(a) << 42 ^ std::uint64_t(b) << 21;
  const auto zero = no_response(), one = identity3<double>();
  if (B.kind() == Collider::Kind::plane && has_fixed_points(A, feature))
    return {one, times(-A.radius(), skew(n)), zero, zero};
  if (A.kind() == Collider::Kind::plane && has_fixed_points(B, feature))
    return {zero, times(-B.radius(), skew(n)), zero, times(-1, skew(n))};
  constexpr double step = 1e-6;
  Vec3<double> point[6], normal[6];
  for (int k = 0; k < 6; ++k) {
    const Vec3<double> e{double(k % 3 == 0), double(k % 3 == 1), double(k % 3 == 2)}, none{0, 0, 0};
    ContactPoint found[2];
    for (int side = 0; side < 2; ++side) {
      const double displacement = side == 0 ? step : -step;
      const auto X = moved(poses[a], c.point, k < 3 ? displacement * e : none, k < 3 ? none : displacement * e);
      ContactPoints near;
      collide(A, X, B, poses[b], std::max(c.gap, 0.) + options.margin, near);
      const auto* const same = std::ranges::find(near, std::uint32_t(feature), &ContactPoint::feature);
      // (One that comes and goes is taken to move with the first body.)
      found[side] = same != near.end()
                        ? *same
                        : ContactPoint{c.point + (k < 3 ? displacement * e : none), n, c.gap, std::uint32_t(feature)};
    }
    point[k] = (.5 / step) * (found[0].point - found[1].point);
    normal[k] = (.5 / step) * (found[0].normal - found[1].normal);
  }
  return {from_columns(point), from_columns(point + 3), from_columns(normal), from_columns(normal + 3)};
}

}  // namespace lissom
