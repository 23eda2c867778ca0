// <inertial auto="true">: mass, center and inertia are those of the link's collisions with their densities.
#include <cmath>
#include <numbers>

#include "lissom/io/sdf/parts.h"
#include "lissom/mesh/load.h"
#include "lissom/mesh/mass_properties.h"
#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"

namespace lissom::io::sdf {
namespace {

constexpr double density_of_water = 1000;

// A solid of density 1; its inertia is about its center, along the axes of the shape.
struct Solid {
  double volume = 0;
  Vec3<double> center{0, 0, 0};
  Sym3<double> inertia{0, 0, 0, 0, 0, 0};
};

Solid cylinder_of(double r, double l) {
  const double v = std::numbers::pi * r * r * l, side = v * (3 * r * r + l * l) / 12;
  return {v, {0, 0, 0}, {side, 0, 0, side, 0, v * r * r / 2}};
}

// Two half balls at the ends of a cylinder.
Solid capsule_of(double r, double l) {
  Solid solid = cylinder_of(r, l);
  const double ball = 4 * std::numbers::pi * r * r * r / 3;
  // About the middle: 2/5 m r² of each half about its flat side's center, moved by its center of mass.
  const double side = ball * (0.4 * r * r + l * l / 4 + 0.375 * r * l);
  solid.volume += ball;
  solid.inertia.xx += side, solid.inertia.yy += side, solid.inertia.zz += 0.4 * ball * r * r;
  return solid;
}

// Its middle between base and tip is the origin, and z points to the tip.
Solid cone_of(double r, double l) {
  const double v = std::numbers::pi * r * r * l / 3, side = v * (12 * r * r + 3 * l * l) / 80;
  return {v, {0, 0, -l / 4}, {side, 0, 0, side, 0, 0.3 * v * r * r}};
}

std::optional<Solid> solid_of(const Shape& shape) {
  const auto& s = shape.size;
  switch (shape.kind) {
    case Shape::Kind::box: {
      const double v = s.x * s.y * s.z;
      return Solid{v,
                   {0, 0, 0},
                   {v * (s.y * s.y + s.z * s.z) / 12, 0, 0, v * (s.x * s.x + s.z * s.z) / 12, 0,
                    v * (s.x * s.x + s.y * s.y) / 12}};
    }
    case Shape::Kind::ellipsoid: {
      const double v = 4 * std::numbers::pi / 3 * s.x * s.y * s.z;
      return Solid{
          v,
          {0, 0, 0},
          {v * (s.y * s.y + s.z * s.z) / 5, 0, 0, v * (s.x * s.x + s.z * s.z) / 5, 0, v * (s.x * s.x + s.y * s.y) / 5}};
    }
    case Shape::Kind::sphere: {
      const double v = 4 * std::numbers::pi / 3 * shape.radius * shape.radius * shape.radius,
                   I = 0.4 * v * shape.radius * shape.radius;
      return Solid{v, {0, 0, 0}, {I, 0, 0, I, 0, I}};
    }
    case Shape::Kind::cylinder:
      return cylinder_of(shape.radius, shape.length);
    case Shape::Kind::capsule:
      return capsule_of(shape.radius, shape.length);
    case Shape::Kind::plane:
    case Shape::Kind::mesh:
    case Shape::Kind::height_field:
      break;
  }
  return std::nullopt;
}

// What the mesh encloses. It is computed from its file: one that is not found, or not closed, has none.
std::optional<Solid> solid_of_mesh(const Element& collision, const Shape& shape, Reading& reading) {
  if (!reading.options.read_includes) return std::nullopt;
  const std::string path = shape.path.empty() ? reading.files(collision.line()).find(shape.file) : shape.path;
  if (path.empty()) return std::nullopt;
  mesh::LoadOptions options;
  options.scale = shape.scale;
  const mesh::LoadedMesh loaded = mesh::load_mesh(path, options);
  auto findings = loaded.findings;
  if (loaded.ok()) findings = mesh::check_surface(loaded.mesh, path);
  for (const Diagnostic& d : findings) collision.say(d.severity, d.code, in_quotes(path) + ": " + d.message, d.remedy);
  if (!loaded.ok()) return std::nullopt;
  const auto [mass, center, I] = mesh::mass_properties(loaded.mesh);
  if (!(mass > 0)) return std::nullopt;
  return Solid{mass, center, I};
}

// The solid of a <collision>, of which `read` has been read; nothing if it has none that can be computed.
std::optional<Solid> solid_of(const Element& collision, const Geometry* read, Reading& reading) {
  const Element geometry = collision.peek("geometry");
  if (const Element cone = geometry.peek("cone"))
    return cone_of(number_in(cone, "radius").value_or(0.5), number_in(cone, "length").value_or(1));
  if (geometry.peek("empty")) return Solid{};
  if (!read) return std::nullopt;
  return read->shape.kind == Shape::Kind::mesh ? solid_of_mesh(collision, read->shape, reading) : solid_of(read->shape);
}

}  // namespace

void compute_inertia(const Element& inertial, const Element& link, const Part& part, Reading& reading,
                     LinkDescription& result) {
  const double density = number_in(inertial, "density").value_or(density_of_water);
  RigidInertia<double> sum{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  auto next = result.collisions.begin();  // those without a shape were left out
  for (const pugi::xml_node node : link.node().children("collision")) {
    const Element collision = reading.element(node, link.subject());
    const bool was_read =
        next != result.collisions.end() && next->line == collision.line() && next->name == collision.text("name");
    const Geometry* read = was_read ? &*next++ : nullptr;
    const auto solid = solid_of(collision, read, reading);
    if (!solid) {
      collision.error("auto-inertia", "the mass of this collision's shape cannot be computed",
                      "write <mass> and <inertia> instead of auto=\"true\"");
      continue;
    }
    const double rho = number_in(collision, "density").value_or(density);
    LinkDescription solid_link;
    solid_link.mass = rho * solid->volume;
    solid_link.com = solid->center;
    const auto& I = solid->inertia;
    solid_link.inertia = {rho * I.xx, rho * I.xy, rho * I.xz, rho * I.yy, rho * I.yz, rho * I.zz};
    sum += inertia_about_origin(solid_link, read ? read->origin : pose_in_link(collision, part, reading));
  }
  if (!(sum.mass > 0)) {
    inertial.error("auto-inertia", "auto=\"true\", but the collisions of the link have no volume",
                   "add a collision with a shape, or write <mass> and <inertia>");
    result.mass = 1, result.inertia = {1, 0, 0, 1, 0, 1};
    return;
  }
  // A mass that is given scales all densities.
  const double mass = number_in(inertial, "mass").value_or(sum.mass), scale = mass / sum.mass;
  const Vec3<double> c = (1 / sum.mass) * sum.h;
  const double m = sum.mass, cc = dot(c, c);
  const auto& I = sum.I;
  result.mass = mass;
  result.com = c;
  result.inertia = {scale * (I.xx - m * (cc - c.x * c.x)), scale * (I.xy + m * c.x * c.y),
                    scale * (I.xz + m * c.x * c.z),        scale * (I.yy - m * (cc - c.y * c.y)),
                    scale * (I.yz + m * c.y * c.z),        scale * (I.zz - m * (cc - c.z * c.z))};
}

}  // namespace lissom::io::sdf
