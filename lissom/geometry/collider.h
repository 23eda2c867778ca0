#pragma once
// Shapes prepared for collision detection (docs/geometry.md). Every convex shape is a core and a sphere around each of
// its points: a sphere is a point with a radius, a capsule a segment, a rounded box a smaller box. So all pairs work on
// cores and subtract the radii in the end; shapes with a radius touch while their cores are still apart, where
// distances and normals are exact and smooth.
#include <cstdint>
#include <memory>

#include "lissom/geometry/bounds.h"
#include "lissom/geometry/height_field.h"
#include "lissom/geometry/hull.h"
#include "lissom/model/description.h"

namespace lissom {

/// A shape as collision detection sees it: a convex core with a radius around it, a plane, or a height field.
class Collider {
 public:
  enum class Kind : std::uint8_t { sphere, capsule, box, cylinder, ellipsoid, hull, plane, height_field };

  /// A point. All functions below throw an Error for a size that is negative, not finite, or above 1e9 m; zero is
  /// allowed everywhere.
  Collider() = default;
  static Collider sphere(double radius);
  /// Along z; `length` is that of the segment, without the caps.
  static Collider capsule(double radius, double length);
  /// Edge lengths of the whole box; its edges and corners are rounded with the radius `rounding`, at most half of the
  /// shortest edge.
  static Collider box(const Vec3<double>& size, double rounding = 0);
  /// Along z. `rounding` is the radius of the rim, at most the cylinder's, and at most half of its length.
  static Collider cylinder(double radius, double length, double rounding = 0);
  static Collider ellipsoid(const Vec3<double>& radii);
  /// The half space z ≤ 0, without end; its normal is +z.
  static Collider plane();
  /// A convex polyhedron. With `rounding`, the polyhedron is the core: the shape is larger by that radius.
  static Collider convex_hull(std::shared_ptr<const Hull> hull, double rounding = 0);
  static Collider height_field(std::shared_ptr<const HeightField> field);
  /// A shape of a description. Throws an Error for meshes, whose hull has to be given, and for height fields, whose
  /// heights have to be. A plane has no end, whatever its size.
  explicit Collider(const Shape& shape, double rounding = 0);

  Kind kind() const { return kind_; }
  /// The size of the core: half edge lengths of a box; the radii of an ellipsoid; (radius, radius, half length) of a
  /// cylinder; (0, 0, half length) of a capsule.
  const Vec3<double>& half() const { return half_; }
  /// There is a sphere of this radius around each point of the core: that of a sphere or capsule, or the rounding.
  double radius() const { return radius_; }
  const Hull& hull() const { return *hull_; }
  const HeightField& field() const { return *field_; }
  /// A sphere about the origin of the shape's frame that holds the shape; infinite for a plane.
  double bounding_radius() const { return bounding_radius_; }
  bool is_convex() const { return kind_ != Kind::plane && kind_ != Kind::height_field; }
  /// Which of two shapes contact points lie on: 0 planes and height fields, 1 boxes and hulls with sharp edges, 2 those
  /// with rounded ones, and cylinders, 3 spheres, capsules and ellipsoids.
  int roundness() const;

 private:
  Collider with_kind(Kind kind) &&;

  Kind kind_ = Kind::sphere;
  Vec3<double> half_ = {0, 0, 0};
  double radius_ = 0, bounding_radius_ = 0;
  std::shared_ptr<const Hull> hull_;
  std::shared_ptr<const HeightField> field_;
};

/// The smallest box along the axes of the world that holds the shape at the pose X.
Bounds bounds(const Collider& shape, const Pose<double>& X);

}  // namespace lissom
