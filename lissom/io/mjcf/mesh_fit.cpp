// Primitives that are fitted to a mesh: <geom type="box" mesh="…"/>.
#include <algorithm>
#include <cmath>

#include "lissom/io/mjcf/parts.h"

namespace lissom::io::mjcf {
namespace {

// Half edges of the box with the same mass and inertia, the shortest first.
Vec3<double> inertia_box(const MassProperties& mass, const std::array<double, 3>& I) {
  const auto half = [&](double sum) { return std::sqrt(std::max(0., 6 * sum / mass.mass)) / 2; };
  return {half(I[1] + I[2] - I[0]), half(I[0] + I[2] - I[1]), half(I[0] + I[1] - I[2])};
}

// Half edges of the box along the axes R that holds the mesh, and its center along these axes.
Vec3<double> bounding_box(const mesh::TriangleMesh& surface, const Pose<double>& frame, Vec3<double>& center) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Vec3<double> low{far, far, far}, high{-far, -far, -far};
  for (const auto& vertex : surface.vertices) {
    const auto v = transpose_times(frame.R, vertex - frame.p);
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  center = 0.5 * (low + high);
  return 0.5 * (high - low);
}

// Round shapes are as wide as the mean of the inertia box, or hold the bounding box's sides.
Shape shape_of(std::string_view type, const Vec3<double>& h, bool bounds, double factor) {
  Shape shape;
  const double radius = bounds ? std::max(h.x, h.y) : (h.x + h.y) / 2;
  if (type == "sphere") {
    shape.kind = Shape::Kind::sphere;
    shape.radius = factor * (bounds ? std::max({h.x, h.y, h.z}) : (h.x + h.y + h.z) / 3);
  } else if (type == "capsule" || type == "cylinder") {
    const bool capsule = type == "capsule";
    shape.kind = capsule ? Shape::Kind::capsule : Shape::Kind::cylinder;
    shape.radius = factor * radius;
    shape.length = 2 * factor * (capsule ? std::max(0., h.z - (bounds ? radius : radius / 2)) : h.z);
  } else if (type == "ellipsoid") {
    shape.kind = Shape::Kind::ellipsoid;
    shape.size = factor * h;
  } else {
    shape.size = 2 * factor * h;
  }
  return shape;
}

}  // namespace

std::optional<FittedShape> fit_to_mesh(const MeshAsset& mesh, std::string_view type, const Settings& s,
                                       const Compiler& compiler, Reading& reading) {
  const auto mass = mesh_mass(mesh, false, s.element(), reading);
  if (!mass || !(mass->mass > 0)) return std::nullopt;
  const auto axes = principal_axes(mass->inertia);
  FittedShape fitted;
  fitted.frame = {axes.R, mass->center};
  Vec3<double> half = inertia_box(*mass, axes.moments);
  mesh::TriangleMesh surface;
  if (compiler.fit_bounds && read_surface(mesh, s.element(), surface)) {
    Vec3<double> center{0, 0, 0};
    half = bounding_box(surface, fitted.frame, center);
    fitted.frame.p = fitted.frame * center;
  }
  fitted.shape = shape_of(type, half, compiler.fit_bounds, s.number("fitscale", 1));
  return fitted;
}

}  // namespace lissom::io::mjcf
