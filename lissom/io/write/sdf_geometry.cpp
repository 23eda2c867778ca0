#include <algorithm>

#include "lissom/io/write/prepare.h"
#include "lissom/io/write/sdf_writer.h"
#include "lissom/io/write/xml_output.h"
#include "lissom/model/text.h"

namespace lissom::io::write {

void SdfWriter::write_geometries(const LinkDescription& link, Node node, const Pose<double>& X) {
  std::set<std::string> visuals, collisions;
  for (const auto& visual : link.visuals) write_geometry(visual, "visual", link, visuals, node, X);
  for (const auto& collision : link.collisions) write_geometry(collision, "collision", link, collisions, node, X);
}

// Names are required, and are those of one visual or collision of a link only.
void SdfWriter::write_geometry(const Geometry& geometry, const char* tag, const LinkDescription& link,
                               std::set<std::string>& taken, Node parent, const Pose<double>& X) {
  const auto subject = link_subject(link.name);
  pugi::xml_document holder;
  auto node = add(holder, tag);
  const std::string preferred = geometry.name.empty() ? tag : geometry.name;
  std::string name = preferred;
  for (auto at = name.find("::"); at != std::string::npos; at = name.find("::")) name.replace(at, 2, "__");
  for (int i = 2; !taken.insert(name).second; ++i) name = preferred + "_" + std::to_string(i);
  if (!geometry.name.empty() && name != geometry.name)
    losses_.replaced("geometry-name", geometry.line, subject,
                     "another geometry is called " + in_quotes(geometry.name) + ", too",
                     "it is called " + in_quotes(name));
  put(node, "name", name);
  const Pose<double> pose = X * geometry.origin;
  if (!is_identity(pose)) add_sdf_pose(node, pose);
  const bool collides = std::string_view(tag) == "collision";
  if (!write_shape(geometry, collides, subject, add(node, "geometry"))) return;
  if (collides)
    write_surface(geometry, node);
  else if (geometry.material)
    write_material(*geometry.material, geometry, subject, node);
  parent.append_copy(node);
}

void SdfWriter::write_material(const Material& material, const Geometry& geometry, const std::string& subject,
                               Node parent) {
  auto node = add(parent, "material");
  const auto& c = material.color;
  const auto color = numbers_text(std::array{c.r, c.g, c.b, c.a});
  add_text(node, "ambient", color), add_text(node, "diffuse", color);
  if (!material.texture.empty())
    losses_.lost("texture", geometry.line, subject, "a material has the texture " + in_quotes(material.texture));
  if (!material.name.empty())
    losses_.replaced("material-name", geometry.line, subject, "its material is called " + in_quotes(material.name),
                     "only the color is written");
}

void SdfWriter::write_surface(const Geometry& geometry, Node node) {
  const auto material = std::ranges::find(d_.contact_materials, geometry.contact_material, &ContactMaterial::name);
  if (material == d_.contact_materials.end()) return;
  auto surface = add(node, "surface");
  if (material->restitution != 0)
    add_text(add(surface, "bounce"), "restitution_coefficient", number_text(material->restitution));
  auto ode = add(add(surface, "friction"), "ode");
  add_text(ode, "mu", number_text(material->friction)), add_text(ode, "mu2", number_text(material->friction));
}

bool SdfWriter::write_shape(const Geometry& geometry, bool collides, const std::string& subject, Node parent) {
  const Shape& shape = geometry.shape;
  const auto round = [&](const char* tag, bool long_one) {
    auto node = add(parent, tag);
    add_text(node, "radius", number_text(shape.radius));
    if (long_one) add_text(node, "length", number_text(shape.length));
    return true;
  };
  switch (shape.kind) {
    case Shape::Kind::box:
      add_text(add(parent, "box"), "size", numbers_text(shape.size));
      return true;
    case Shape::Kind::sphere:
      return round("sphere", false);
    case Shape::Kind::cylinder:
      return round("cylinder", true);
    case Shape::Kind::capsule:
      return round("capsule", true);
    case Shape::Kind::ellipsoid:
      add_text(add(parent, "ellipsoid"), "radii", numbers_text(shape.size));
      return true;
    case Shape::Kind::plane: {
      auto node = add(parent, "plane");
      add_text(node, "normal", "0 0 1");
      add_text(node, "size", numbers_text(std::array{shape.size.x, shape.size.y}));
      return true;
    }
    case Shape::Kind::height_field: {
      const auto image = meshes_.height_image(shape);
      if (image.empty()) return false;
      losses_.replaced("height-field", geometry.line, subject, "it has a height field",
                       "its heights are rounded to 16 bits, and written to " + in_quotes(image));
      auto node = add(parent, "heightmap");
      add_text(node, "uri", image), add_text(node, "size", numbers_text(shape.size));
      return true;
    }
    case Shape::Kind::mesh:
      break;
  }
  const auto mesh = meshes_.reference(geometry, collides, subject);
  if (!mesh) return false;
  auto node = add(parent, "mesh");
  add_text(node, "uri", mesh->file);
  if (mesh->scale.x != 1 || mesh->scale.y != 1 || mesh->scale.z != 1)
    add_text(node, "scale", numbers_text(mesh->scale));
  return true;
}

}  // namespace lissom::io::write
