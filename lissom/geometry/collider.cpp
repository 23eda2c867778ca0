#include "lissom/geometry/collider.h"

#include <string>

#include "lissom/geometry/vectors.h"
#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"

namespace lissom {

namespace {

constexpr double max_size = 1e9;  // m

void check_size(const char* name, double value) {
  if (!(value >= 0 && value <= max_size))
    throw Error(std::string(name) + " of a collision shape is " + std::to_string(value) +
                " m, expected a number from 0 to 1e9");
}
void check_rounding(double rounding, double limit) {
  check_size("rounding", rounding);
  if (rounding > limit)
    throw Error("rounding of a collision shape is " + std::to_string(rounding) + " m, expected at most " +
                std::to_string(limit) + " m, half of its smallest size");
}

}  // namespace

Collider Collider::sphere(double radius) {
  return capsule(radius, 0).with_kind(Kind::sphere);
}
Collider Collider::capsule(double radius, double length) {
  check_size("radius", radius), check_size("length", length);
  Collider c;
  c.kind_ = Kind::capsule;
  c.half_ = {0, 0, .5 * length}, c.radius_ = radius;
  c.bounding_radius_ = radius + .5 * length;
  return c;
}
Collider Collider::box(const Vec3<double>& size, double rounding) {
  check_size("size.x", size.x), check_size("size.y", size.y), check_size("size.z", size.z);
  check_rounding(rounding, .5 * std::min({size.x, size.y, size.z}));
  Collider c;
  c.kind_ = Kind::box;
  c.half_ = .5 * size - Vec3<double>(rounding, rounding, rounding);
  c.radius_ = rounding;
  c.bounding_radius_ = collision::norm(c.half_) + rounding;
  return c;
}
Collider Collider::cylinder(double radius, double length, double rounding) {
  check_size("radius", radius), check_size("length", length);
  check_rounding(rounding, std::min(radius, .5 * length));
  Collider c;
  c.kind_ = Kind::cylinder;
  c.half_ = {radius - rounding, radius - rounding, .5 * length - rounding};
  c.radius_ = rounding;
  c.bounding_radius_ = std::hypot(c.half_.x, c.half_.z) + rounding;
  return c;
}
Collider Collider::ellipsoid(const Vec3<double>& radii) {
  check_size("size.x", radii.x), check_size("size.y", radii.y), check_size("size.z", radii.z);
  Collider c;
  c.kind_ = Kind::ellipsoid;
  c.half_ = radii;
  c.bounding_radius_ = std::max({radii.x, radii.y, radii.z});
  return c;
}
Collider Collider::plane() {
  Collider c;
  c.kind_ = Kind::plane;
  c.bounding_radius_ = std::numeric_limits<double>::infinity();
  return c;
}
Collider Collider::convex_hull(std::shared_ptr<const Hull> hull, double rounding) {
  if (!hull) throw Error("hull of a collision shape is missing");
  check_size("rounding", rounding);
  Collider c;
  c.kind_ = Kind::hull;
  c.radius_ = rounding, c.bounding_radius_ = hull->reach() + rounding;
  c.hull_ = std::move(hull);
  return c;
}
Collider Collider::height_field(std::shared_ptr<const HeightField> field) {
  if (!field) throw Error("height field of a collision shape is missing");
  Collider c;
  c.kind_ = Kind::height_field;
  c.bounding_radius_ = std::numeric_limits<double>::infinity();  // it is solid down to any depth
  c.field_ = std::move(field);
  return c;
}

Collider::Collider(const Shape& shape, double rounding) {
  switch (shape.kind) {
    case Shape::Kind::box:
      *this = box(shape.size, rounding);
      break;
    case Shape::Kind::sphere:
      *this = sphere(shape.radius);
      break;
    case Shape::Kind::cylinder:
      *this = cylinder(shape.radius, shape.length, rounding);
      break;
    case Shape::Kind::capsule:
      *this = capsule(shape.radius, shape.length);
      break;
    case Shape::Kind::ellipsoid:
      *this = ellipsoid(shape.size);
      break;
    case Shape::Kind::plane:
      *this = plane();
      break;
    case Shape::Kind::mesh:
      throw Error("a mesh (" + in_quotes(shape.file) +
                  ") has no collision shape of its own; give the convex hull of its vertices (Collider::convex_hull)");
    case Shape::Kind::height_field:
      throw Error("the heights of a height field are not known here; give them (Collider::height_field)");
  }
}

Collider Collider::with_kind(Kind kind) && {
  kind_ = kind;
  return std::move(*this);
}

int Collider::roundness() const {
  switch (kind_) {
    case Kind::plane:
    case Kind::height_field:
      return 0;
    case Kind::box:
    case Kind::hull:
      return radius_ > 0 ? 2 : 1;
    case Kind::cylinder:
      return 2;
    case Kind::sphere:
    case Kind::capsule:
    case Kind::ellipsoid:
      break;
  }
  return 3;
}

namespace {

// Half lengths of the box around the core, which is symmetric about its center.
Vec3<double> half_lengths(const Collider& shape, const Mat3<double>& R) {
  const auto& h = shape.half();
  switch (shape.kind()) {
    case Collider::Kind::ellipsoid: {
      const auto reach = [&](double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); };
      return {reach(R.xx * h.x, R.xy * h.y, R.xz * h.z), reach(R.yx * h.x, R.yy * h.y, R.yz * h.z),
              reach(R.zx * h.x, R.zy * h.y, R.zz * h.z)};
    }
    case Collider::Kind::cylinder: {
      const auto reach = [&](double x, double y, double z) {
        return h.x * std::sqrt(x * x + y * y) + h.z * std::abs(z);
      };
      return {reach(R.xx, R.xy, R.xz), reach(R.yx, R.yy, R.yz), reach(R.zx, R.zy, R.zz)};
    }
    default:
      return {std::abs(R.xx) * h.x + std::abs(R.xy) * h.y + std::abs(R.xz) * h.z,
              std::abs(R.yx) * h.x + std::abs(R.yy) * h.y + std::abs(R.yz) * h.z,
              std::abs(R.zx) * h.x + std::abs(R.zy) * h.y + std::abs(R.zz) * h.z};
  }
}

}  // namespace

Bounds bounds(const Collider& shape, const Pose<double>& X) {
  const auto around = [&](const Vec3<double>& center, const Vec3<double>& half) {
    const Vec3<double> h = half + Vec3<double>(shape.radius(), shape.radius(), shape.radius());
    return Bounds{center - h, center + h};
  };
  switch (shape.kind()) {
    case Collider::Kind::plane:
      return unbounded();
    case Collider::Kind::height_field: {
      // It is solid below: a box from the highest point down without end, which is bounded only if z is up.
      const auto& f = shape.field();
      if (X.R.zz < .999999) return unbounded();
      const double sine = std::hypot(X.R.zx, X.R.zy), reach = .5 * std::hypot(f.size_x(), f.size_y());
      const double aside = reach + sine * std::max(std::abs(f.lowest()), std::abs(f.highest()));
      auto b = unbounded();
      b.lower.x = X.p.x - aside, b.upper.x = X.p.x + aside;
      b.lower.y = X.p.y - aside, b.upper.y = X.p.y + aside;
      b.upper.z = X.p.z + std::max(f.highest(), f.highest() * X.R.zz) + sine * reach;
      return b;
    }
    case Collider::Kind::hull: {
      const auto& p = shape.hull().vertices();
      Bounds b{X * p[0], X * p[0]};
      for (const auto& v : p) {
        const auto at = X * v;
        b = joined(b, {at, at});
      }
      return around(.5 * (b.lower + b.upper), .5 * (b.upper - b.lower));
    }
    default:
      return around(X.p, half_lengths(shape, X.R));
  }
}

}  // namespace lissom
