// Visuals and collisions: shapes, colors, friction.
#include <algorithm>
#include <filesystem>

#include "lissom/io/sdf/parts.h"
#include "lissom/mesh/height_map.h"
#include "lissom/model/axes.h"
#include "lissom/model/limits.h"
#include "lissom/model/text.h"

namespace lissom::io::sdf {
namespace {

void report_missing_mesh(const Element& mesh, const std::string& uri, FileFinder& files) {
  const std::string package = files.unknown_package(uri);
  const bool has_package = uri.find("://") != std::string::npos;
  // Only pictures need meshes, and robots are often kept without them.
  mesh.report().count(Severity::note, "mesh-missing", mesh.line(), mesh.subject(),
                      "the mesh " + in_quotes(uri) + " is not found" +
                          (package.empty() ? "" : ": there is no folder " + in_quotes(package)),
                      has_package ? "give the folder that holds it with --packages or $LISSOM_PACKAGE_PATH"
                                  : "put it there; the path is relative to the folder of the file",
                      package.empty() ? uri.substr(0, uri.rfind('/') + 1) : "package " + package);
}

void read_mesh(const Element& mesh, Reading& reading, Shape& shape) {
  mesh.expect({"optimization"}, {"uri", "scale", "submesh", "convex_decomposition"});
  shape.kind = Shape::Kind::mesh;
  shape.file = text_in(mesh, "uri");
  if (mesh.has("optimization"))
    reading.description.kept.push_back(
        {std::string(mesh.subject()), "mesh/optimization", std::string(mesh.text("optimization")), mesh.line()});
  keep_children(mesh, {"convex_decomposition"}, reading.description);
  shape.scale = vector_in(mesh, "scale").value_or(shape.scale);
  if (const Element submesh = mesh.child("submesh")) {
    mesh.report().count(Severity::warning, "submesh", submesh.line(), mesh.subject(),
                        "only a part of the mesh is meant; the whole mesh is used",
                        "write the part to a file of its own");
    keep(submesh, {}, reading.description);
  }
  if (shape.file.empty()) return mesh.warning("missing-element", "<mesh> has no <uri>; nothing is shown", "add <uri>");
  if (!reading.options.check_meshes) return;
  FileFinder& files = reading.files(mesh.line());
  shape.path = files.find(shape.file);
  if (shape.path.empty()) report_missing_mesh(mesh, shape.file, files);
}

double length_in(const Element& shape, const char* name, double otherwise) {
  if (!shape.peek(name))
    shape.warning("missing-element",
                  "<" + std::string(shape.tag()) + "> has no <" + name + ">; as SDF says, it is " + to_text(otherwise),
                  "add it, in m");
  return number_in(shape, name).value_or(otherwise);
}

void read_round(const Element& shape, Geometry& result) {
  const std::string_view tag = shape.tag();
  const bool sphere = tag == "sphere";
  if (sphere)
    shape.expect({}, {"radius"});
  else
    shape.expect({}, {"radius", "length"});
  result.shape.kind = sphere ? Shape::Kind::sphere : tag == "cylinder" ? Shape::Kind::cylinder : Shape::Kind::capsule;
  result.shape.radius = length_in(shape, "radius", tag == "capsule" ? 0.5 : 1);
  if (!sphere) result.shape.length = length_in(shape, "length", 1);
}

// An infinite plane; <size> is what is shown of it.
void read_plane(const Element& plane, Geometry& result) {
  plane.expect({}, {"normal", "size"});
  result.shape.kind = Shape::Kind::plane;
  if (const Element size = plane.child("size")) {
    NumberList n;
    if (read_numbers(size, 2, n)) result.shape.size = {n.value[0], n.value[1], 0};
  }
  const auto normal = vector_in(plane, "normal").value_or(Vec3<double>{0, 0, 1});
  if (dot(normal, normal) == 0)
    return plane.warning("plane-normal", "the normal of the plane is zero; it is taken as 0 0 1",
                         "write a vector of norm 1");
  if (normal.x != 0 || normal.y != 0 || normal.z < 0)
    result.origin.R = result.origin.R * rotation_from_z_to(unit(normal));
}

// Ground from an image. Returns false if it cannot be read.
bool read_heightmap(const Element& element, Reading& reading, Geometry& result) {
  element.expect({}, {"uri", "size", "pos", "texture", "blend", "use_terrain_paging", "sampling"});
  keep(element, {"uri", "size", "pos"}, reading.description);
  const std::string uri = text_in(element, "uri");
  FileFinder& files = reading.files(element.line());
  if (!reading.options.check_meshes) return false;  // no file may be opened
  const std::string path = uri.empty() ? std::string() : files.find(uri);
  if (path.empty()) {
    element.warning("height-map",
                    "the image " + in_quotes(uri) + " of the heightmap is not found; nothing is shown or touched",
                    "put it there, or say with --packages where models are");
    return false;
  }
  auto loaded = mesh::load_heights(path);
  if (!loaded.ok()) {
    for (const Diagnostic& d : loaded.findings) element.warning(d.code, in_quotes(uri) + ": " + d.message, d.remedy);
    return false;
  }
  const auto [lowest, range] = mesh::normalize(loaded.map);
  const std::string data = mesh::to_data_uri(loaded.map, std::filesystem::path(uri).stem().string());
  reading.uri_bytes += data.size();
  if (reading.uri_bytes > limits::mesh_bytes) {
    element.warning("height-map", "the heightmaps of the file are too large together; this one is left out",
                    "use smaller images");
    return false;
  }
  auto& shape = result.shape;
  shape.kind = Shape::Kind::height_field;
  shape.size = vector_in(element, "size").value_or(Vec3<double>{1, 1, 1});
  shape.file = shape.path = data;
  // The highest pixel is as high as the third size, and black is at 0.
  const double height = shape.size.z, highest = lowest + range;
  auto at = vector_in(element, "pos").value_or(Vec3<double>{0, 0, 0});
  if (highest > 0) at.z += height * lowest / highest;
  if (range > 0) shape.size.z = height * range / highest;
  result.origin = result.origin * Pose<double>{identity3<double>(), at};
  return true;
}

const Element::Words shape_tags = {"empty", "box",  "capsule", "cylinder", "ellipsoid", "heightmap",
                                   "image", "mesh", "plane",   "polyline", "sphere",    "cone"};

void read_color(const Element& material, const char* name, std::optional<Color>& color) {
  const Element element = material.child(name);
  if (!element) return;
  element.expect_value();
  NumberList n;
  if (const auto problem = parse_numbers(element.value(), n); problem || (n.count != 3 && n.count != 4)) {
    const std::string found = problem ? problem->message : "it has " + counted(n.count, "number");
    return element.error(
        problem ? problem->code : "number-count",
        "<" + std::string(name) + "> is " + in_quotes(element.value()) + ": " + found + ", expected 4 numbers",
        "write red, green, blue and alpha, 0 to 1 each");
  }
  if (!color) color = Color{n.value[0], n.value[1], n.value[2], n.count == 4 ? n.value[3] : 1};
}

Material read_material(const Element& element, Reading& reading) {
  element.expect({}, {"script", "shader", "render_order", "lighting", "ambient", "diffuse", "specular", "emissive",
                      "shininess", "double_sided", "pbr"});
  Material material;
  std::optional<Color> color;
  read_color(element, "diffuse", color);
  read_color(element, "ambient", color);
  if (color) material.color = *color;
  material.name = text_in(element.child("script"), "name");
  for (const pugi::xml_node workflow : element.child("pbr").children()) {
    const std::string map = text_in(reading.element(workflow, element.subject()), "albedo_map");
    if (material.texture.empty()) material.texture = map;
  }
  keep(element, {"diffuse"}, reading.description);
  return material;
}

// The friction and restitution of a surface. Surfaces that are alike share a material.
void read_surface(const Element& surface, Reading& reading, Geometry& result) {
  surface.expect({}, {"bounce", "friction", "contact", "soft_contact"});
  const Element friction = surface.child("friction"), ode = friction.child("ode"), bullet = friction.child("bullet");
  const auto mu = ode.peek("mu") ? number_in(ode, "mu") : number_in(bullet, "friction");
  const auto mu2 = number_in(ode, "mu2");
  const auto restitution = number_in(surface.child("bounce"), "restitution_coefficient");
  keep(surface, {"mu", "restitution_coefficient"}, reading.description);
  if (!mu && !restitution) return;
  if (mu && mu2 && *mu != *mu2)
    surface.report().count(Severity::note, "friction-directions", surface.line(), surface.subject(),
                           "friction differs between two directions; that of the first, " + to_text(*mu) + ", is used",
                           "none needed if both are large");
  ContactMaterial material;
  material.friction = mu.value_or(1);
  material.restitution = restitution.value_or(0);
  material.line = surface.line();
  material.name = "friction " + to_text(material.friction);
  if (material.restitution != 0) material.name += ", restitution " + to_text(material.restitution);
  if (reading.materials.insert(material.name).second) reading.description.contact_materials.push_back(material);
  result.contact_material = material.name;
}

// Returns false if there is no shape that a Shape can be.
bool read_shape(const Element& geometry, Reading& reading, Geometry& result) {
  geometry.expect({}, shape_tags);
  for (const pugi::xml_node node : geometry.children()) {
    const Element shape = reading.element(node, geometry.subject());
    const std::string_view tag = shape.tag();
    if (tag == "box" || tag == "ellipsoid") {
      const char* name = tag == "box" ? "size" : "radii";
      shape.expect({}, {name});
      result.shape.kind = tag == "box" ? Shape::Kind::box : Shape::Kind::ellipsoid;
      if (!shape.peek(name)) length_in(shape, name, 1);  // for its finding
      result.shape.size = vector_in(shape, name).value_or(Vec3<double>{1, 1, 1});
    } else if (tag == "sphere" || tag == "cylinder" || tag == "capsule") {
      read_round(shape, result);
    } else if (tag == "mesh") {
      read_mesh(shape, reading, result.shape);
    } else if (tag == "plane") {
      read_plane(shape, result);
    } else if (tag == "heightmap") {
      return read_heightmap(shape, reading, result);
    } else if (tag == "empty") {
      return false;
    } else if (std::ranges::find(shape_tags, tag) != shape_tags.end()) {
      shape.report().count(Severity::warning, "geometry-unsupported", shape.line(), shape.subject(),
                           "the shape <" + std::string(tag) + "> is not supported; it is left out",
                           "replace it by a mesh, or by boxes and cylinders", std::string(tag));
      keep(shape, {}, reading.description);
      return false;
    } else {
      continue;
    }
    return true;
  }
  geometry.warning("geometry-missing", "<geometry> has no known shape; it is left out",
                   "add a box, cylinder, sphere, capsule, ellipsoid, plane or mesh");
  return false;
}

// "link 'foot', collision 'sole'"
std::string subject_of(const Element& element) {
  return std::string(element.subject()) + ", " + std::string(element.tag()) + " " + in_quotes(element.text("name"));
}

// What visuals and collisions have in common. Returns false if there is no shape.
bool read_geometry(const Element& element, const Part& part, Reading& reading, Geometry& result) {
  result.name = element.text("name");
  result.line = element.line();
  result.origin = pose_in_link(element, part, reading);
  if (const Element geometry = element.child("geometry")) return read_shape(geometry, reading, result);
  element.warning("geometry-missing", "<" + std::string(element.tag()) + "> has no <geometry>; it is left out",
                  "add <geometry> with a shape, or remove the element");
  return false;
}

}  // namespace

void read_visual(const Element& unnamed, const Part& part, Reading& reading, std::vector<Geometry>& out) {
  const std::string subject = subject_of(unnamed);
  const Element element = unnamed.with_subject(subject);
  element.expect({"name"}, {"cast_shadows", "laser_retro", "transparency", "visibility_flags", "meta", "pose",
                            "material", "geometry", "plugin"});
  Geometry result;
  const bool has_shape = read_geometry(element, part, reading, result);
  keep_children(element, {"cast_shadows", "laser_retro", "visibility_flags", "meta"}, reading.description);
  if (const Element material = element.child("material")) result.material = read_material(material, reading);
  if (const auto transparency = number_in(element, "transparency"); transparency && *transparency != 0) {
    if (!result.material) result.material = Material{};
    result.material->color.a *= 1 - std::clamp(*transparency, 0., 1.);
  }
  for (const pugi::xml_node plugin : element.node().children("plugin"))
    not_read(reading.element(plugin, element.subject()), "lissom has no plugins");
  if (has_shape) out.push_back(std::move(result));
}

void read_collision(const Element& unnamed, const Part& part, Reading& reading, std::vector<Geometry>& out) {
  const std::string subject = subject_of(unnamed);
  const Element element = unnamed.with_subject(subject);
  element.expect({"name"},
                 {"laser_retro", "max_contacts", "pose", "geometry", "surface", "density", "auto_inertia_params"});
  Geometry result;
  const bool has_shape = read_geometry(element, part, reading, result);
  keep_children(element, {"laser_retro", "max_contacts", "density", "auto_inertia_params"}, reading.description);
  if (const Element surface = element.child("surface")) read_surface(surface, reading, result);
  if (has_shape) out.push_back(std::move(result));
}

}  // namespace lissom::io::sdf
