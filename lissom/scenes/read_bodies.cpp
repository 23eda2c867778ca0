// Bodies and fixed shapes of a scene file.
#include <cmath>
#include <numbers>
#include <random>

#include "lissom/geometry/collider.h"
#include "lissom/math/random.h"
#include "lissom/model/limits.h"
#include "lissom/model/text.h"
#include "lissom/scenes/scene_reader.h"

namespace lissom::scenes {
namespace {

constexpr double min_mass = 1e-12, max_mass = 1e15;  // kg

double volume(const Shape& s) {
  constexpr double pi = std::numbers::pi;
  switch (s.kind) {
    case Shape::Kind::box:
      return s.size.x * s.size.y * s.size.z;
    case Shape::Kind::sphere:
      return 4. / 3 * pi * s.radius * s.radius * s.radius;
    case Shape::Kind::cylinder:
      return pi * s.radius * s.radius * s.length;
    case Shape::Kind::capsule:
      return pi * s.radius * s.radius * (s.length + 4. / 3 * s.radius);
    case Shape::Kind::ellipsoid:
      return 4. / 3 * pi * s.size.x * s.size.y * s.size.z;
    default:
      return 0;
  }
}

// Mass properties of shapes of the same density.
void set_homogeneous(RigidBody& body) {
  double total = 0;
  Vec3<double> moment{0, 0, 0};
  for (const auto& g : body.shapes) {
    const double v = volume(g.shape);
    total += v;
    moment = moment + v * g.origin.p;
  }
  body.com = (1 / total) * moment;
  body.inertia = {0, 0, 0, 0, 0, 0};
  for (const auto& g : body.shapes) {
    const double mass = body.mass * volume(g.shape) / total;
    const auto own = RigidBody::homogeneous(body.name, g.shape, mass).inertia;
    const auto c = g.origin.p - body.com;
    body.inertia += congruence(g.origin.R, own);
    body.inertia += Sym3<double>{mass * (c.y * c.y + c.z * c.z), -mass * c.x * c.y, -mass * c.x * c.z,
                                 mass * (c.x * c.x + c.z * c.z), -mass * c.y * c.z, mass * (c.x * c.x + c.y * c.y)};
  }
}

Sym3<double> read_inertia(const Place& p) {
  const auto x = p.numbers();
  if (x.size() != 3 && x.size() != 6)
    p.fail("found " + counted(x.size(), "number") + ", expected xx yy zz, or xx xy xz yy yz zz, in kg m²");
  const Sym3<double> I =
      x.size() == 3 ? Sym3<double>{x[0], 0, 0, x[1], 0, x[2]} : Sym3<double>{x[0], x[1], x[2], x[3], x[4], x[5]};
  const double minor = I.xx * I.yy - I.xy * I.xy;
  const double determinant =
      I.xx * (I.yy * I.zz - I.yz * I.yz) - I.xy * (I.xy * I.zz - I.yz * I.xz) + I.xz * (I.xy * I.yz - I.yy * I.xz);
  if (!(I.xx > 0 && minor > 0 && determinant > 0))
    p.fail("found " + in_short(p.value) + ", expected a positive definite matrix");
  return I;
}

void read_shapes(const Place& p, RigidBody& body) {
  if (p.has("shape") == p.has("shapes")) p.fail("expected \"shape\", or \"shapes\" if there are several");
  if (p.has("shape")) {
    Geometry g;
    g.shape = read_shape(p["shape"], false);
    body.shapes = {g};
    return;
  }
  p["shapes"].each([&](const Place& item) {
    item.only({"shape", "pose"});
    Geometry g;
    g.shape = read_shape(item["shape"], false);
    if (item.has("pose")) g.origin = read_pose(item["pose"]);
    body.shapes.push_back(g);
  });
  if (body.shapes.empty()) p["shapes"].fail("the list is empty, expected at least one shape");
}

SceneBody read_body(const Place& p) {
  p.only({"name", "shape", "shapes", "mass", "inertia", "com", "pose", "velocity", "angular_velocity", "rounding",
          "color", "force", "material", "grid"});
  SceneBody one;
  auto& body = one.body;
  body.name = read_name(p["name"]);
  body.mass = positive(p["mass"], "kg");
  // Beyond, products of masses and lengths lose their digits, or overflow.
  if (body.mass < min_mass || body.mass > max_mass)
    p["mass"].fail("found " + to_text(body.mass) + " kg, expected " + to_text(min_mass) + " to " + to_text(max_mass) +
                   " kg");
  read_shapes(p, body);
  set_homogeneous(body);
  if (p.has("com") && !p.has("inertia"))
    p["com"].fail("it needs \"inertia\", about this center of mass; without both, the density is constant");
  if (p.has("inertia")) body.inertia = read_inertia(p["inertia"]);
  if (p.has("com")) body.com = p["com"].vec3();
  if (p.has("pose")) body.pose = read_pose(p["pose"]);
  if (p.has("velocity")) body.velocity = p["velocity"].vec3();
  if (p.has("angular_velocity")) body.angular_velocity = p["angular_velocity"].vec3();
  if (p.has("rounding")) {
    body.rounding = nonnegative(p["rounding"], "m");
    for (const auto& g : body.shapes) p["rounding"].judged([&] { return Collider(g.shape, body.rounding).radius(); });
  }
  if (p.has("color")) one.color = read_color(p["color"]);
  if (p.has("force")) one.force = p["force"].vec3();
  return one;
}

struct Grid {
  int count[3] = {1, 1, 1};
  Vec3<double> spacing{0, 0, 0};
  double noise = 0;
  std::uint64_t seed = 1;
};

Grid read_grid(const Place& p) {
  p.only({"count", "spacing", "noise", "seed"});
  Grid grid;
  const auto counts = p["count"].numbers();
  if (counts.size() != 3) p["count"].fail("found " + counted(counts.size(), "number") + ", expected 3");
  double total = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(counts[k] >= 1) || counts[k] != std::floor(counts[k]))
      p["count"].fail("found " + to_text(counts[k]) + ", expected whole numbers from 1 on");
    total *= counts[k];
    if (total > double(limits::scene_parts))
      p["count"].fail("the grid has " + to_text(total) + " bodies, expected at most " +
                      std::to_string(limits::scene_parts));
    grid.count[k] = int(counts[k]);
  }
  grid.spacing = p["spacing"].vec3();
  if (p.has("noise")) grid.noise = nonnegative(p["noise"], "m");
  if (p.has("seed")) {
    if (!p["seed"].value.is_number_unsigned())
      p["seed"].fail("found " + in_short(p["seed"].value) + ", expected a whole number from 0 on");
    grid.seed = p["seed"].value.get<std::uint64_t>();
  }
  return grid;
}

}  // namespace

void read_bodies(const Place& list, Scene& scene, SceneNames& names) {
  list.each([&](const Place& p) {
    const auto one = read_body(p);
    const auto material = p.has("material") ? read_name(p["material"]) : "";
    if (!p.has("grid")) {
      names.add_part(p, one.body.name, material);
      scene.bodies.push_back(one);
      return;
    }
    if (names.is_part(one.body.name) || names.is_group(one.body.name))
      p["name"].fail("there is already something called " + in_quotes(one.body.name) + "; all names must differ");
    const auto grid = read_grid(p["grid"]);
    std::mt19937_64 random(grid.seed);
    const auto noise = [&] { return grid.noise * (2 * uniform01(random()) - 1); };
    int index = 0;
    for (int z = 0; z < grid.count[2]; ++z)
      for (int y = 0; y < grid.count[1]; ++y)
        for (int x = 0; x < grid.count[0]; ++x) {
          auto copy = one;
          copy.body.name += std::to_string(index++);
          auto& at = copy.body.pose.p;
          // (One after another: the order in which arguments are evaluated is not defined.)
          at.x += x * grid.spacing.x + noise();
          at.y += y * grid.spacing.y + noise();
          at.z += z * grid.spacing.z + noise();
          names.add_part(p, copy.body.name, material);
          names.add_to_group(p, one.body.name, copy.body.name);
          scene.bodies.push_back(std::move(copy));
        }
  });
}

void read_fixed(const Place& list, Scene& scene, SceneNames& names) {
  list.each([&](const Place& p) {
    p.only({"name", "shape", "pose", "color", "material", "rounding"});
    SceneFixed one{.name = read_name(p["name"]), .shape = read_shape(p["shape"], true)};
    if (p.has("pose")) one.pose = read_pose(p["pose"]);
    if (p.has("color")) one.color = read_color(p["color"]);
    if (p.has("rounding")) {
      one.rounding = nonnegative(p["rounding"], "m");
      p["rounding"].judged([&] { return Collider(one.shape, one.rounding).radius(); });
    }
    names.add_part(p, one.name, p.has("material") ? read_name(p["material"]) : "");
    scene.fixed.push_back(std::move(one));
  });
}

}  // namespace lissom::scenes
