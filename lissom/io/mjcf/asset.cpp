// <asset>: meshes, materials, textures and models to attach.
#include <algorithm>
#include <filesystem>

#include "lissom/io/mjcf/parts.h"
#include "lissom/mesh/load.h"
#include "lissom/mesh/mass_properties.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace {

Color color_of(const NumberList& n, Color otherwise) {
  return {n.value[0], n.value[1], n.value[2], n.count > 3 ? n.value[3] : otherwise.a};
}

// The name of an asset that has none is that of its file, without folder and ending.
std::string asset_name(const Element& element) {
  if (element.has("name")) return std::string(element.text("name"));
  return std::filesystem::path(element.text("file")).stem().string();
}

template <class Map, class Asset>
void add_asset(const Element& element, const std::string& name, Map& map, Asset asset) {
  if (name.empty()) {
    if (element.tag() != "texture")  // the sky has no name
      element.error("missing-attribute", "<" + std::string(element.tag()) + "> has neither a name nor a file",
                    "add name=\"…\"");
    return;
  }
  if (!map.try_emplace(name, std::move(asset)).second)
    element.error("name-duplicate", "another " + std::string(element.tag()) + " is called " + in_quotes(name),
                  "rename one of them");
}

void read_list(const Element& element, const char* attribute, std::vector<double>& out) {
  if (!element.has(attribute)) return;
  if (const auto problem = parse_numbers(element.text(attribute), out)) {
    element.error(problem->code, "attribute " + in_quotes(attribute) + ": " + problem->message, problem->remedy);
    out.clear();
  }
}

void find_file(const Element& element, const ModelPart& model, Reading& reading, MeshAsset& mesh) {
  const Compiler& compiler = model.compiler;
  std::string name = mesh.file;
  if (compiler.strip_path) name = std::filesystem::path(name).filename().string();
  const auto folder = std::filesystem::path(model.folder) / compiler.mesh_folder;
  mesh.file = (folder / name).generic_string();
  if (!reading.options.check_meshes && !reading.options.read_includes) return;
  bool outside = false;
  mesh.path = reading.sources.find(folder.string(), name, outside);
  if (outside) reading.outside_meshes.insert(mesh.file);
  if (!reading.options.check_meshes) return;  // it is only for masses
  if (outside)
    element.warning(
        "path-outside",
        "the mesh " + in_quotes(mesh.file) + " lies outside of the folder of the robot's file, and is not read",
        "put it into that folder or below, or give its folder with --packages or $LISSOM_PACKAGE_PATH");
  else if (mesh.path.empty())
    reading.report.count(Severity::note, "mesh-missing", element.line(), element.subject(),
                         "the mesh " + in_quotes(mesh.file) + " is not found",
                         "put it there; the path is relative to the folder of the main file, and <compiler meshdir>",
                         compiler.mesh_folder);
}

void read_mesh(const Element& element, const Settings& s, ModelPart& model, Reading& reading) {
  MeshAsset mesh;
  mesh.name = asset_name(element);
  mesh.line = element.line();
  s.vector("scale", mesh.scale);
  s.vector("refpos", mesh.reference.p);
  if (s.has("refquat")) mesh.reference.R = read_quaternion(s, "refquat");
  if (s.has("inertia")) mesh.inertia = s.word("inertia", {"legacy", "convex", "exact", "shell"});
  mesh.file = s.string("file");
  if (s.string("builtin") != "none") mesh.built_in = s.string("builtin");
  read_list(element, "params", mesh.params);
  read_list(element, "vertex", mesh.vertices);
  read_list(element, "face", mesh.faces);
  if (!mesh.built_in.empty() && (!mesh.vertices.empty() || !mesh.file.empty()))
    element.error("mesh-sources", "the mesh is built in, and has vertices or a file as well", "remove one of them");
  else if (mesh.vertices.size() % 3 != 0 || mesh.faces.size() % 3 != 0)
    element.error("number-count",
                  "there are " + std::to_string(mesh.vertices.size()) + " numbers for vertices and " +
                      std::to_string(mesh.faces.size()) + " for faces, expected multiples of 3",
                  "write three numbers for each vertex and each face");
  else if (mesh.file.empty() && mesh.built_in.empty() && mesh.vertices.empty())
    element.error("missing-attribute", "the mesh has neither a file nor vertices", "add file=\"…\"");
  if (!mesh.file.empty()) find_file(element, model, reading, mesh);
  for (const char* attribute : {"content_type", "material", "maxhullvert", "normal", "smoothnormal", "texcoord"})
    if (s.has(attribute)) reading.skip("mesh " + std::string(attribute), element.line());
  add_asset(element, mesh.name, model.assets.meshes, mesh);
}

void read_material(const Element& element, const Settings& s, ModelPart& model, Reading& reading) {
  Material material;
  material.name = element.text("name");
  material.color = {1, 1, 1, 1};
  NumberList n;
  const bool colored = s.numbers("rgba", 4, 4, n);
  if (colored) material.color = color_of(n, material.color);
  std::string texture = s.string("texture");
  if (texture.empty())
    if (const Element layer = element.peek("layer")) texture = layer.text("texture");
  if (const auto known = model.assets.textures.find(texture); known != model.assets.textures.end()) {
    material.texture = known->second.file;
    if (!colored && known->second.color) material.color = *known->second.color;
  } else if (!texture.empty()) {
    element.error("texture-unknown", "there is no texture " + in_quotes(texture) + " in <asset>",
                  "add <texture name=\"…\"/> to <asset>");
  }
  keep(s, element.subject(),
       {"emission", "metallic", "reflectance", "roughness", "shininess", "specular", "texrepeat", "texuniform"},
       reading);
  if (element.peek("layer")) reading.skip("material layer", element.line());
  add_asset(element, material.name, model.assets.materials, material);
}

void read_texture(const Element& element, const Settings& s, ModelPart& model, Reading& reading) {
  Texture texture;
  if (s.has("file"))
    texture.file = (std::filesystem::path(model.compiler.texture_folder) / s.string("file")).generic_string();
  const std::string built_in = s.string("builtin");
  NumberList n;
  if (!built_in.empty() && built_in != "none") {
    const Color white{.8, .8, .8, 1};
    texture.color = s.numbers("rgb1", 3, 3, n) ? color_of(n, white) : white;
    if (built_in == "checker" || built_in == "gradient") {  // seen from afar
      const Color second = s.numbers("rgb2", 3, 3, n) ? color_of(n, white) : Color{.5, .5, .5, 1};
      texture.color = Color{(texture.color->r + second.r) / 2, (texture.color->g + second.g) / 2,
                            (texture.color->b + second.b) / 2, 1};
    }
  }
  // A picture keeps only its file, one that MuJoCo makes only its mean color.
  const auto type = s.has("type") ? s.string("type") : "cube";
  for (const pugi::xml_attribute& a : element.attributes())
    if (std::string_view name = a.name(); name != "name" && name != "file" && name != "class" && name != "type") {
      reading.skip("texture " + std::string(built_in.empty() || built_in == "none" ? "parameters" : built_in),
                   element.line());
      break;
    }
  if (type != "2d") reading.skip("texture of type " + type, element.line());
  add_asset(element, asset_name(element), model.assets.textures, texture);
}

void read_asset(const pugi::xml_node& node, ModelPart& model, Reading& reading, bool textures) {
  const std::string_view tag = node.name();
  if ((tag == "texture") != textures) return;  // materials refer to textures
  const std::string subject = shown(tag, node.attribute("name").value());
  const Element named(node, reading.report, subject);
  Scope scope;
  scope.model = &model;
  if (tag == "texture") read_texture(named, settings_of(named, scope, reading), model, reading);
  if (tag == "mesh") read_mesh(named, settings_of(named, scope, reading), model, reading);
  if (tag == "material") read_material(named, settings_of(named, scope, reading), model, reading);
  if (tag == "hfield") read_height_field(named, settings_of(named, scope, reading), model, reading);
  if (tag == "skin") reading.skip(tag, named.line());
  if (tag == "model") {
    if (!named.has("file")) return named.missing("file");
    add_asset(named, asset_name(named), model.assets.models, node);
  }
}

}  // namespace

void read_assets(ModelPart& model, Reading& reading) {
  for (const bool textures : {true, false})
    for (const pugi::xml_node section : model.root.children("asset"))
      for (const pugi::xml_node node : section.children())
        if (node.type() == pugi::node_element) read_asset(node, model, reading, textures);
}

}  // namespace lissom::io::mjcf
