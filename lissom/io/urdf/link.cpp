#include <algorithm>
#include <cmath>

#include "lissom/io/urdf/parts.h"
#include "lissom/model/text.h"

namespace lissom::io::urdf {
namespace {

double mass_of(const Element& inertial) {
  const Element mass = inertial.child("mass");
  if (!mass) {
    inertial.error("missing-element", "<inertial> has no <mass>",
                   "add <mass value=\"…\"/>, in kg, or remove <inertial>");
    return 0;
  }
  mass.expect({"value"}, {});
  if (!mass.has("value")) mass.missing("value");
  return mass.number("value").value_or(0);
}

// Some programs write the full matrix; elements that are written twice must agree. A lower half of zeros is not meant.
void check_symmetry(const Element& inertia, const Sym3<double>& I) {
  std::string differing;
  bool all_zero = true;
  const struct {
    const char* name;
    double value;
  } mirrored[] = {{"iyx", I.xy}, {"izx", I.xz}, {"izy", I.yz}};
  for (const auto& [name, value] : mirrored) {
    const double below = inertia.number(name).value_or(value);
    if (below == value) continue;
    differing += (differing.empty() ? "" : ", ") + std::string(name);
    all_zero = all_zero && below == 0;
  }
  if (!differing.empty())
    inertia.say(all_zero ? Severity::note : Severity::warning, "inertia-asymmetric",
                "the inertia is not symmetric (" + differing + (all_zero ? " are zero" : "") +
                    "); its upper half, ixy, ixz and iyz, is used",
                "leave iyx, izx and izy out, or make them equal to ixy, ixz and iyz");
}

Sym3<double> inertia_of(const Element& inertial) {
  const Element inertia = inertial.child("inertia");
  if (!inertia) {
    inertial.warning("missing-element", "<inertial> has no <inertia>; it is taken as zero",
                     "add <inertia ixx=\"…\" …/>, in kg m²");
    return {0, 0, 0, 0, 0, 0};
  }
  inertia.expect({"ixx", "ixy", "ixz", "iyy", "iyz", "izz", "iyx", "izx", "izy"}, {});
  const auto moment = [&](const char* name) {
    if (!inertia.has(name)) inertia.missing(name);
    return inertia.number(name).value_or(0);
  };
  const auto product = [&](const char* name) {
    if (!inertia.has(name)) inertia.missing(name, "it is taken as 0");
    return inertia.number(name).value_or(0);
  };
  const Sym3<double> I{moment("ixx"), product("ixy"), product("ixz"), moment("iyy"), product("iyz"), moment("izz")};
  check_symmetry(inertia, I);
  return I;
}

void read_inertial(const Element& inertial, LinkDescription& link) {
  inertial.expect({}, {"origin", "mass", "inertia"});
  link.mass = mass_of(inertial);
  const Sym3<double> I = inertia_of(inertial);
  // The tensor is given along the axes of <origin>.
  const Pose<double> X = read_origin(inertial);
  link.com = X.p;
  const bool along_link = X.R.xx == 1 && X.R.yy == 1 && X.R.zz == 1;
  link.inertia = along_link ? I : congruence(X.R, I);
}

double length_of(const Element& shape, const char* name) {
  if (!shape.has(name)) shape.missing(name);
  return shape.number(name).value_or(1);
}

void read_scale(const Element& mesh, Vec3<double>& scale) {
  NumberList n;
  if (!mesh.numbers("scale", n)) return;
  const std::string found = "attribute 'scale' of <mesh> is " + in_quotes(mesh.text("scale")) + ": it has " +
                            counted(n.count, "number") + ", expected 3";
  if (n.count == 2) return mesh.error("number-count", found, "write 3 numbers separated by blanks");
  if (n.count == 1) mesh.extension("a single number for the scale of a mesh");
  if (n.count > 3) mesh.note("number-count", found + "; the first 3 are used", "write 3 numbers separated by blanks");
  scale = n.count == 1 ? Vec3<double>{n.value[0], n.value[0], n.value[0]}
                       : Vec3<double>{n.value[0], n.value[1], n.value[2]};
}

void report_missing_mesh(const Element& mesh, const std::string& file, FileFinder& files) {
  const std::string package = files.unknown_package(file);
  const bool has_package = file.find("://") != std::string::npos;
  // Only pictures need meshes, and robots are often kept without them.
  mesh.report().count(Severity::note, "mesh-missing", mesh.line(), mesh.subject(),
                      "the mesh " + in_quotes(file) + " is not found" +
                          (package.empty() ? "" : ": there is no package " + in_quotes(package)),
                      has_package ? "give the directory of its package with --packages or $LISSOM_PACKAGE_PATH"
                                  : "put it there; the path is relative to the directory of the robot's file",
                      package.empty() ? file.substr(0, file.rfind('/') + 1) : "package " + package);
}

void read_mesh(const Element& element, Reading& reading, Shape& shape) {
  element.expect({"filename", "scale"}, {});
  shape.kind = Shape::Kind::mesh;
  shape.file = element.text("filename");
  read_scale(element, shape.scale);
  if (shape.file.empty()) return element.missing("filename", "nothing is shown");
  if (!reading.options.check_meshes) return;
  shape.path = reading.files.find(shape.file);
  if (shape.path.empty()) report_missing_mesh(element, shape.file, reading.files);
}

// Extensions: the radii along x, y and z; the lengths of a plane that are shown, 0: infinite.
void read_ellipsoid_or_plane(const Element& element, Shape& shape) {
  NumberList n;
  if (element.tag() == "ellipsoid") {
    element.expect({"radii"}, {});
    shape.kind = Shape::Kind::ellipsoid;
    if (!element.has("radii")) element.missing("radii");
    shape.size =
        element.numbers("radii", 3, n) ? Vec3<double>{n.value[0], n.value[1], n.value[2]} : Vec3<double>{1, 1, 1};
  } else {
    element.expect({"size"}, {});
    shape.kind = Shape::Kind::plane;
    if (element.numbers("size", 2, n)) shape.size = {n.value[0], n.value[1], 0};
  }
  element.extension("<" + std::string(element.tag()) + ">");
}

constexpr std::string_view shape_tags[] = {"box", "sphere", "cylinder", "capsule", "ellipsoid", "plane", "mesh"};

// Returns false if there is no known shape.
bool read_shape(const Element& geometry, Reading& reading, Shape& shape) {
  geometry.expect({}, {"box", "sphere", "cylinder", "capsule", "ellipsoid", "plane", "mesh"});
  bool found = false;
  for (const pugi::xml_node node : geometry.children()) {
    const Element element(node, geometry.report(), geometry.subject());
    const std::string_view tag = element.tag();
    if (std::ranges::find(shape_tags, tag) == std::end(shape_tags)) continue;
    if (found) {
      element.warning("duplicate-element", "<geometry> has more than one shape; only the first is used",
                      "give each shape a <visual> or <collision> of its own");
      return true;
    }
    found = true;
    if (tag == "box") {
      element.expect({"size"}, {});
      shape.kind = Shape::Kind::box;
      if (!element.has("size")) element.missing("size");
      NumberList n;
      shape.size =
          element.numbers("size", 3, n) ? Vec3<double>{n.value[0], n.value[1], n.value[2]} : Vec3<double>{1, 1, 1};
    } else if (tag == "mesh") {
      read_mesh(element, reading, shape);
    } else if (tag == "ellipsoid" || tag == "plane") {
      read_ellipsoid_or_plane(element, shape);
    } else {
      shape.kind = tag == "sphere"     ? Shape::Kind::sphere
                   : tag == "cylinder" ? Shape::Kind::cylinder
                                       : Shape::Kind::capsule;
      shape.radius = length_of(element, "radius");
      if (tag == "sphere") {
        element.expect({"radius"}, {});
      } else {
        element.expect({"radius", "length"}, {});
        shape.length = length_of(element, "length");
      }
      if (tag == "capsule") element.extension("<capsule>");
    }
  }
  if (!found)
    geometry.warning("geometry-missing", "<geometry> has no known shape; it is left out",
                     "add a box, cylinder, sphere, capsule or mesh");
  return found;
}

void read_geometry(const Element& element, Reading& reading, std::vector<Geometry>& out) {
  const bool visual = element.tag() == "visual";
  if (visual)
    element.expect({"name"}, {"origin", "geometry", "material"});
  else
    element.expect({"name"}, {"origin", "geometry"});
  Geometry result;
  result.name = element.text("name");
  result.line = element.line();
  result.origin = read_origin(element);
  if (visual)
    if (const Element material = element.child("material", Severity::note))
      result.material = reading.materials.read(material);
  const Element geometry = element.child("geometry");
  if (!geometry)
    element.warning("geometry-missing", "<" + std::string(element.tag()) + "> has no <geometry>; it is left out",
                    "add <geometry> with a shape, or remove the element");
  else if (read_shape(geometry, reading, result.shape))
    out.push_back(std::move(result));
}

}  // namespace

LinkDescription read_link(const Element& unnamed, Reading& reading) {
  LinkDescription link;
  link.name = unnamed.text("name");
  link.line = unnamed.line();
  const std::string subject = "link " + in_quotes(link.name);
  const Element element = unnamed.with_subject(subject);
  element.expect({"name"}, {"inertial", "visual", "collision"});
  if (const Element inertial = element.child("inertial")) read_inertial(inertial, link);
  for (const pugi::xml_node node : element.children()) {
    const Element child(node, reading.report, subject);
    if (child.tag() == "visual") read_geometry(child, reading, link.visuals);
    if (child.tag() == "collision") read_geometry(child, reading, link.collisions);
  }
  return link;
}

}  // namespace lissom::io::urdf
