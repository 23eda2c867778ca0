#include <algorithm>
#include <filesystem>

#include "lissom/files/data_uri.h"
#include "lissom/io/write/mjcf_writer.h"
#include "lissom/io/write/prepare.h"
#include "lissom/io/write/xml_output.h"
#include "lissom/mesh/height_map.h"
#include "lissom/mesh/load.h"
#include "lissom/model/text.h"

namespace lissom::io::write {
namespace {

bool same_place(const Geometry& a, const Geometry& b) {
  const auto &s = a.shape, &t = b.shape;
  return a.name == b.name && s.kind == t.kind && s.file == t.file && s.radius == t.radius && s.length == t.length &&
         numbers_text(s.size) == numbers_text(t.size) && numbers_text(a.origin.p) == numbers_text(b.origin.p) &&
         numbers_text(s.scale) == numbers_text(t.scale) && a.origin.R.xx == b.origin.R.xx &&
         a.origin.R.yy == b.origin.R.yy && a.origin.R.zz == b.origin.R.zz;
}

void put_surface(const mesh::TriangleMesh& surface, pugi::xml_node asset) {
  std::vector<double> vertices, faces;
  for (const auto& v : surface.vertices) vertices.insert(vertices.end(), {v.x, v.y, v.z});
  for (const auto& t : surface.triangles) faces.insert(faces.end(), t.begin(), t.end());
  put(asset, "vertex", numbers_text(vertices)), put(asset, "face", numbers_text(faces));
}

}  // namespace

// A geom that is shown and collides is a visual and a collision of the same name.
void MjcfWriter::write_geoms(const LinkDescription& link, Node node, const Pose<double>& X, bool is_static) {
  std::set<const Geometry*> both;
  for (const auto& visual : link.visuals) {
    const auto twin = std::ranges::find_if(link.collisions, [&](const Geometry& collision) {
      return !visual.name.empty() && !both.contains(&collision) && same_place(visual, collision);
    });
    const bool collides = twin != link.collisions.end();
    if (collides) both.insert(&*twin);
    Geometry geometry = visual;
    if (collides) {
      geometry.contact_material = twin->contact_material;
      geometry.contact_group = twin->contact_group, geometry.contact_mask = twin->contact_mask;
    }
    write_geom(geometry, true, collides, link, node, X, is_static);
  }
  for (const auto& collision : link.collisions)
    if (!both.contains(&collision)) write_geom(collision, false, true, link, node, X, is_static);
}

std::string MjcfWriter::geom_name(const Geometry& geometry, const std::string& subject) {
  if (geometry.name.empty()) return {};
  std::string name = geometry.name;
  for (int i = 2; !taken_geom_names_.insert(name).second; ++i) name = geometry.name + "_" + std::to_string(i);
  if (name != geometry.name)
    losses_.replaced("geometry-name", geometry.line, subject,
                     "another geometry is called " + in_quotes(geometry.name) + ", too",
                     "it is called " + in_quotes(name));
  return name;
}

void MjcfWriter::write_geom(const Geometry& geometry, bool shows, bool collides, const LinkDescription& link, Node node,
                            const Pose<double>& X, bool is_static) {
  const auto subject = link_subject(link.name);
  pugi::xml_document holder;
  auto geom = add(holder, "geom");
  if (const auto name = geom_name(geometry, subject); !name.empty()) put(geom, "name", name);
  if (!write_shape(geometry, collides, subject, geom, is_static)) return;
  put_mjcf_pose(geom, X * geometry.origin);
  const int group = collides ? geometry.contact_group : 0, mask = collides ? geometry.contact_mask : 0;
  if (group != 1) put(geom, "contype", std::to_string(group));
  if (mask != 1) put(geom, "conaffinity", std::to_string(mask));
  if (!collides || !shows) put(geom, "group", collides ? "3" : "2");
  if (geometry.material) {
    const Material& material = *geometry.material;
    const auto& c = material.color;
    if (material.name.empty())
      put(geom, "rgba", numbers_text(std::array{c.r, c.g, c.b, c.a}));
    else
      put(geom, "material", materials_.name(material));
    if (!material.texture.empty())
      losses_.lost("texture", geometry.line, subject, "a material has the texture " + in_quotes(material.texture));
  }
  const auto contact = std::ranges::find(d_.contact_materials, geometry.contact_material, &ContactMaterial::name);
  if (contact != d_.contact_materials.end()) put(geom, "friction", contact->friction);
  const auto copy = node.append_copy(geom);
  if (!geometry.name.empty()) elements_["geom " + in_quotes(geometry.name)] = copy;
}

// MuJoCo scales heights such that they begin at 0 and end at 1; readers leave them so. Returns false if they cannot be
// read.
bool MjcfWriter::write_height_field(const Shape& shape, Node geom) {
  const std::pair key{shape.path, numbers_text(shape.size)};
  if (!mesh_names_.contains(key)) {
    const auto map = mesh::load_heights(shape.path).map;
    if (map.heights.empty()) return false;
    const std::string stem = data_uri_name(shape.path).empty() ? "height_field" : data_uri_name(shape.path);
    std::string name = stem;
    for (int i = 2; !taken_field_names_.insert(name).second; ++i) name = stem + "_" + std::to_string(i);
    mesh_names_[key] = name;
    std::vector<double> heights;  // the row with the largest y first
    for (int row = map.rows - 1; row >= 0; --row)
      heights.insert(heights.end(), map.heights.begin() + std::ptrdiff_t(row) * map.columns,
                     map.heights.begin() + std::ptrdiff_t(row + 1) * map.columns);
    auto asset = add(assets_, "hfield");
    put(asset, "name", name), put(asset, "nrow", double(map.rows)), put(asset, "ncol", double(map.columns));
    put(asset, "size",
        numbers_text(
            std::array{shape.size.x / 2, shape.size.y / 2, shape.size.z, shape.length > 0 ? shape.length : .1}));
    put(asset, "elevation", numbers_text(heights));
  }
  put(geom, "type", "hfield"), put(geom, "hfield", mesh_names_[key]);
  return true;
}

// Returns false if MuJoCo does not accept the shape.
bool MjcfWriter::write_shape(const Geometry& geometry, bool collides, const std::string& subject, Node geom,
                             bool is_static) {
  const Shape& shape = geometry.shape;
  const auto sizes = [&](const char* type, std::initializer_list<double> values) {
    const bool positive = std::ranges::all_of(values, [](double x) { return x > 0; });
    if (!positive) {
      losses_.lost("shape-size", geometry.line, subject, "a shape has the size 0");
      return false;
    }
    put(geom, "type", type), put(geom, "size", numbers_text(std::vector(values)));
    return true;
  };
  const auto& s = shape.size;
  switch (shape.kind) {
    case Shape::Kind::box:
      return sizes("box", {s.x / 2, s.y / 2, s.z / 2});
    case Shape::Kind::sphere:
      return sizes("sphere", {shape.radius});
    case Shape::Kind::cylinder:
      return sizes("cylinder", {shape.radius, shape.length / 2});
    case Shape::Kind::capsule:
      return sizes("capsule", {shape.radius, shape.length / 2});
    case Shape::Kind::ellipsoid:
      return sizes("ellipsoid", {s.x, s.y, s.z});
    case Shape::Kind::plane:
      if (!is_static) {
        losses_.lost("shape", geometry.line, subject, "a plane moves");
        return false;
      }
      put(geom, "type", "plane"), put(geom, "size", numbers_text(std::array{s.x / 2, s.y / 2, 1.}));
      return true;
    case Shape::Kind::height_field:
      return write_height_field(shape, geom);
    case Shape::Kind::mesh:
      break;
  }
  const auto mesh = meshes_.reference(geometry, collides, subject);
  if (!mesh) return false;
  const std::pair key{mesh->file, numbers_text(mesh->scale)};
  if (!mesh_names_.contains(key)) {
    const bool has_file = !is_data_uri(mesh->file);
    const std::string stem = has_file ? std::filesystem::path(mesh->file).stem().string() : data_uri_name(mesh->file);
    std::string name = stem;
    for (int i = 2; !taken_mesh_names_.insert(name).second; ++i) name = stem + "_" + std::to_string(i);
    mesh_names_[key] = name;
    auto asset = add(assets_, "mesh");
    put(asset, "name", name);
    has_file ? put(asset, "file", mesh->file) : put_surface(mesh::load_mesh(mesh->file).mesh, asset);
    if (mesh->scale.x != 1 || mesh->scale.y != 1 || mesh->scale.z != 1) put(asset, "scale", mesh->scale);
    put(asset, "inertia", "shell");  // no mass is computed from it, and flat meshes are accepted
  }
  put(geom, "type", "mesh"), put(geom, "mesh", mesh_names_[key]);
  return true;
}

void MjcfWriter::write_assets(Node mujoco) {
  for (const auto& [name, material] : materials_.all()) {
    auto node = add(assets_, "material");
    const auto& c = material.color;
    put(node, "name", name), put(node, "rgba", numbers_text(std::array{c.r, c.g, c.b, c.a}));
    elements_["material " + in_quotes(name)] = node;
  }
  if (!assets_.first_child()) mujoco.remove_child(assets_);
}

}  // namespace lissom::io::write
