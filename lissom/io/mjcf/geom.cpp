// Geoms: visuals and collisions of a link, and its mass if there is no <inertial>.
#include <algorithm>
#include <cmath>

#include "lissom/io/mjcf/parts.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace {

enum class GeomType { primitive, mesh, none };

struct GeomShape {
  GeomType type = GeomType::primitive;
  Shape shape;
  const MeshAsset* mesh = nullptr;
  Pose<double> frame{};  // of the shape in that of the geom
};

// How many sizes a type needs.
std::size_t size_count(std::string_view type, bool fromto) {
  if (type == "sphere") return 1;
  if (type == "capsule" || type == "cylinder") return fromto ? 1 : 2;
  if (type == "box" || type == "ellipsoid") return fromto ? 1 : 3;
  return type == "plane" ? 3 : 0;
}

void read_size(const Settings& s, std::string_view type, const std::optional<FromTo>& fromto, GeomShape& out) {
  NumberList n;
  const std::size_t needed = size_count(type, fromto.has_value());
  if (s.has("size") && !s.numbers("size", 1, 3, n)) return;
  if (n.count < needed) {
    s.owner("size").error("size-missing",
                          "a geom of type " + std::string(type) + " has " + counted(n.count, "size") + ", expected " +
                              std::to_string(needed),
                          "write size=\"…\" with " + counted(needed, "number"));
    for (std::size_t i = n.count; i < 3; ++i) n.value[i] = 1;
  }
  if (fromto) {
    n.value[1] = fromto->half_length;
    if (type == "box" || type == "ellipsoid") n.value[2] = n.value[1], n.value[1] = n.value[0];
  }
  const std::size_t used = type == "plane" ? 0 : std::max<std::size_t>(needed, fromto ? 2 : 0);
  for (std::size_t i = 0; i < used; ++i)
    if (!(n.value[i] > 0)) {
      s.owner("size").error("shape-size", "a size of the geom is " + to_text(n.value[i]) + ", expected more than 0",
                            "give positive lengths, in meters");
      n.value[i] = 1;
    }
  Shape& shape = out.shape;
  if (type == "box") shape.kind = Shape::Kind::box, shape.size = {2 * n.value[0], 2 * n.value[1], 2 * n.value[2]};
  if (type == "ellipsoid") shape.kind = Shape::Kind::ellipsoid, shape.size = {n.value[0], n.value[1], n.value[2]};
  if (type == "plane") shape.kind = Shape::Kind::plane, shape.size = {2 * n.value[0], 2 * n.value[1], 0};
  if (type == "sphere") shape.kind = Shape::Kind::sphere, shape.radius = n.value[0];
  if (type == "capsule" || type == "cylinder") {
    shape.kind = type == "capsule" ? Shape::Kind::capsule : Shape::Kind::cylinder;
    shape.radius = n.value[0], shape.length = 2 * n.value[1];
  }
}

const MeshAsset* find_mesh(const Settings& s, const Scope& scope, Reading& reading) {
  const auto& meshes = scope.model->assets.meshes;
  const std::string name = s.string("mesh");
  if (name.empty()) {
    s.element().error("missing-attribute", "a geom of type mesh has no attribute 'mesh'", "add mesh=\"…\"");
    return nullptr;
  }
  if (const auto known = meshes.find(name); known != meshes.end()) return &known->second;
  const std::string suggestion = reading.suggest(name, meshes);
  s.owner("mesh").error("mesh-unknown", "there is no mesh " + in_quotes(name) + " in <asset>",
                        suggestion.empty() ? "add <mesh name=\"…\" file=\"…\"/> to <asset>" : suggestion);
  return nullptr;
}

// A geom that bodies could touch in MuJoCo, and cannot here.
void lost_collision(const std::string& why, const Element& element, Reading& reading) {
  reading.report.count(Severity::warning, "collision-lost", element.line(), element.subject(),
                       why + ", so that nothing touches the geom, and it is not shown",
                       "correct the asset; none needed, if nothing is to touch the geom", "collision " + why);
}

// A geom whose height field is known; false if nothing can be shown or touched.
bool read_field_shape(const Settings& s, const Scope& scope, Reading& reading, Shape& shape) {
  const auto& fields = scope.model->assets.height_fields;
  const std::string name = s.string("hfield");
  const auto known = fields.find(name);
  if (known == fields.end()) {
    const std::string suggestion = reading.suggest(name, fields);
    s.element().error("height-field-unknown", "there is no height field " + in_quotes(name) + " in <asset>",
                      suggestion.empty() ? "add <hfield name=\"…\"/> to <asset>" : suggestion);
    return false;
  }
  if (known->second.uri.empty() || !may_add_uri(known->second.uri, reading)) {
    lost_collision("the heights of its height field are not known", s.element(), reading);
    return false;
  }
  shape.kind = Shape::Kind::height_field;
  shape.size = known->second.size, shape.length = known->second.depth;
  shape.file = shape.path = known->second.uri;
  return true;
}

GeomShape read_geom_shape(const Settings& s, const Scope& scope, const std::optional<FromTo>& fromto,
                          Reading& reading) {
  GeomShape out;
  const auto type =
      s.word("type", {"sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "plane", "hfield", "sdf"});
  if (fromto && size_count(type, false) < 2)
    s.owner("fromto").error("fromto", "a geom of type " + std::string(type) + " has 'fromto'",
                            "use it with capsules, cylinders, boxes and ellipsoids");
  if (type == "hfield") {
    const bool found = read_field_shape(s, scope, reading, out.shape);
    out.type = found ? GeomType::primitive : GeomType::none;
  } else if (type == "mesh" || type == "sdf") {
    out.mesh = find_mesh(s, scope, reading);
    out.type = out.mesh ? GeomType::mesh : GeomType::none;
    out.shape.kind = Shape::Kind::mesh;
  } else if (s.has("mesh")) {
    out.mesh = find_mesh(s, scope, reading);
    const auto fitted =
        out.mesh ? fit_to_mesh(*out.mesh, type, s, scope.model->compiler, reading) : std::optional<FittedShape>{};
    out.type = fitted ? GeomType::primitive : GeomType::none;
    if (fitted) out.shape = fitted->shape, out.frame = fitted->frame;
    if (out.mesh && !fitted)
      reading.report.count(Severity::warning, "mesh-fit", s.element().line(), s.element().subject(),
                           "the geom is to be fitted to the mesh " + in_quotes(out.mesh->name) +
                               ", which is not found or cannot be used; the geom is left out",
                           "put the mesh there, or write the size and the pose of the shape", "mesh fit");
  } else {
    read_size(s, type, fromto, out);
  }
  return out;
}

// The pose and the scale of a mesh as a Shape has them: MuJoCo subtracts refpos, rotates back by refquat, then scales.
// False if nothing can be shown or touched.
bool place_mesh(const MeshAsset& mesh, const Element& element, Geometry& geometry, Reading& reading) {
  if (mesh.file.empty()) {
    const auto& uri = mesh_uri(mesh, element, reading);
    if (uri.empty() || !may_add_uri(uri, reading)) {
      lost_collision("its mesh cannot be used", element, reading);
      return false;
    }
    geometry.shape.file = geometry.shape.path = uri;
    return true;
  }
  geometry.shape.file = mesh.file, geometry.shape.path = mesh.path;
  geometry.shape.scale = mesh.scale;
  const auto& [R, p] = mesh.reference;
  const auto scaled = [&](const Vec3<double>& v) {
    return Vec3<double>{mesh.scale.x * v.x, mesh.scale.y * v.y, mesh.scale.z * v.z};
  };
  const bool rotated = !(R.xx == 1 && R.yy == 1 && R.zz == 1);
  const bool uniform = mesh.scale.x == mesh.scale.y && mesh.scale.y == mesh.scale.z;
  if (rotated && !uniform)
    element.report().count(Severity::warning, "mesh-sheared", element.line(), element.subject(),
                           "the mesh " + in_quotes(mesh.name) +
                               " is rotated (refquat) before it is scaled by different factors, which cannot be shown; "
                               "it is shown without the rotation",
                           "scale it by one factor, or rotate the file");
  const Pose<double> moved{rotated && uniform ? transpose(R) : identity3<double>(),
                           -scaled(rotated && uniform ? transpose(R) * p : p)};
  geometry.origin = geometry.origin * moved;
  if (!reading.options.check_meshes) geometry.shape.path.clear();
  return true;
}

std::optional<Material> material_of(const Settings& s, const Scope& scope, Reading& reading) {
  NumberList n;
  const bool colored = s.numbers("rgba", 4, 4, n);
  const Color color{n.value[0], n.value[1], n.value[2], n.value[3]};
  const bool is_default = n.value[0] == .5 && n.value[1] == .5 && n.value[2] == .5 && n.value[3] == 1;
  if (s.has("material")) {
    const std::string name = s.string("material");
    const auto& materials = scope.model->assets.materials;
    const auto known = materials.find(name);
    if (known == materials.end()) {
      const std::string suggestion = reading.suggest(name, materials);
      s.owner("material")
          .error("material-unknown", "there is no material " + in_quotes(name) + " in <asset>",
                 suggestion.empty() ? "add <material name=\"…\"/> to <asset>" : suggestion);
      return std::nullopt;
    }
    Material material = known->second;
    if (colored && !is_default) material.color = color;
    return material;
  }
  if (!colored) return Material{"", {.5, .5, .5, 1}, ""};
  return Material{"", color, ""};
}

double friction_of(const Settings& s) {
  NumberList n;
  return s.numbers("friction", 1, 3, n) ? n.value[0] : 1;
}

// What the file says of a mass: a number, or a density.
GeomResult mass_of_geom(const Settings& s, const GeomShape& shape, const Pose<double>& X, const Scope& scope,
                        Reading& reading) {
  GeomResult result;
  result.line = s.element().line();
  const int group = s.integer("group", 0);
  const Compiler& c = scope.model->compiler;
  const bool has_mass = s.has("mass");
  const double mass = s.number("mass", 0), density = s.number("density", 1000);
  if (has_mass && mass < 0)
    s.owner("mass").error("mass-negative", "the mass is " + to_text(mass) + " kg, expected 0 or more",
                          "give a mass of 0 or more");
  if (group < c.min_group || group > c.max_group || (has_mass ? mass <= 0 : density <= 0)) return result;
  if (shape.type == GeomType::none && shape.mesh) {
    result.unknown_mass = true;
    result.mesh = shape.mesh->name;
  }
  if (shape.type == GeomType::none || shape.shape.kind == Shape::Kind::plane) return result;
  const bool shell = s.flag("shellinertia", false);
  MassProperties unit;
  if (shape.type == GeomType::mesh) {
    const auto found = mesh_mass(*shape.mesh, shell, s.element(), reading);
    if (!found) {
      result.unknown_mass = true;
      result.mesh = shape.mesh->file.empty() ? shape.mesh->name : shape.mesh->file;
      return result;
    }
    unit = *found;
  } else {
    unit = unit_mass_properties(shape.shape, shell);
  }
  if (!(unit.mass > 0)) return result;
  const double k = has_mass ? mass / unit.mass : density;
  result.mass = {k * unit.mass, X * unit.center, scaled(k, congruence(X.R, unit.inertia)), X.R};
  if (shape.type == GeomType::mesh) result.mass.axes = X.R * principal_axes(unit.inertia, eigenvalue_threshold).R;
  result.counts = result.mass.mass > 0;
  return result;
}

}  // namespace

std::string contact_material(double friction, int line, Reading& reading) {
  const std::string name = "friction " + to_text(friction);
  if (reading.frictions.insert(name).second) reading.out.contact_materials.push_back({name, friction, 0, line});
  return name;
}

Sym3<double> scaled(double k, const Sym3<double>& I) {
  return {k * I.xx, k * I.xy, k * I.xz, k * I.yy, k * I.yz, k * I.zz};
}

GeomResult read_geom(const Element& unnamed, const Scope& scope, const std::string& fallback_name, bool in_world,
                     LinkDescription& link, Reading& reading) {
  Geometry geometry;
  geometry.name = name_of(unnamed, scope);
  if (geometry.name.empty()) geometry.name = made_up_name(fallback_name, reading);
  geometry.line = unnamed.line();
  const std::string subject = shown("geom", geometry.name);
  const Element element = unnamed.with_subject(subject);
  const Settings s = settings_of(element, scope, reading);
  const auto fromto = read_fromto(s);
  const GeomShape shape = read_geom_shape(s, scope, fromto, reading);
  const Pose<double> X = scope.frame * (fromto ? fromto->pose : read_pose(s, scope.model->compiler)) * shape.frame;
  geometry.origin = X;
  geometry.shape = shape.shape;
  const GeomResult result = in_world ? GeomResult{} : mass_of_geom(s, shape, X, scope, reading);
  geometry.contact_group = s.integer("contype", 1), geometry.contact_mask = s.integer("conaffinity", 1);
  const bool collides = geometry.contact_group != 0 || geometry.contact_mask != 0;
  const bool shown = s.integer("group", 0) < 3;
  const auto [known, is_new] = reading.geoms.try_emplace(geometry.name, GeomRecord{link.name, collides, shown});
  if (geometry.shape.kind == Shape::Kind::sphere) known->second.sphere = {X.p, geometry.shape.radius};
  if (!is_new) element.error("name-duplicate", "another geom has the same name", "give each geom a name of its own");
  keep(s, subject,
       {"adhesion", "castshadow", "condim", "fluidcoef", "fluidshape", "gap", "group", "margin", "priority", "solimp",
        "solmix", "solref", "surfacevel", "user"},
       reading);
  keep_rest(s, subject, "friction", reading);
  if (shape.type == GeomType::none) return result;
  if (shape.type == GeomType::mesh) {
    if (!place_mesh(*shape.mesh, element, geometry, reading)) return result;
  }
  geometry.material = material_of(s, scope, reading);
  if (!collides ? !scope.model->compiler.discard_visual : shown) {
    link.visuals.push_back(geometry);
    link.visuals.back().contact_group = link.visuals.back().contact_mask = 1;  // they say nothing of what is only seen
  }
  geometry.material.reset();
  if (collides) {
    geometry.contact_material = contact_material(friction_of(s), geometry.line, reading);
    link.collisions.push_back(std::move(geometry));
  } else if (is_new) {
    known->second.friction = friction_of(s);
    known->second.unused = std::move(geometry);
  }
  return result;
}

}  // namespace lissom::io::mjcf
