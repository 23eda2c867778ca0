// glTF 2.0: a scene of nodes in JSON, whose meshes refer to numbers in buffers; .glb is both in one file. Read are
// positions and triangles; materials, skins, morph targets and animations are passed over.
#include <array>
#include <unordered_map>

#include "lissom/mesh/gltf_buffers.h"
#include "lissom/mesh/reading.h"
#include "lissom/model/text.h"

namespace lissom::mesh {
namespace {

using Json = nlohmann::json;

// The numbers of a list of this length; false if it is something else.
template <std::size_t n>
bool numbers_in(const Json& list, std::array<double, n>& numbers) {
  if (!list.is_array() || list.size() != n) return false;
  for (std::size_t i = 0; i < n; ++i) {
    if (!list[i].is_number()) return false;
    numbers[i] = list[i].get<double>();
  }
  return true;
}

class GltfScene {
 public:
  GltfScene(Reading& reading, const Json& document, GltfBuffers& buffers)
      : reading_(reading), document_(document), buffers_(buffers) {}

  bool read() {
    const SceneTransform world = reading_.options.up_axis == UpAxis::ignore ? SceneTransform{} : z_up_from_y_up();
    const auto& scenes = list_in(document_, "scenes");
    const auto& nodes = list_in(document_, "nodes");
    if (scenes.empty() && nodes.empty()) {
      for (std::size_t i = 0; i < list_in(document_, "meshes").size(); ++i)
        if (!place_mesh(i, world)) return false;
      return true;
    }
    if (scenes.empty()) return place_roots(world);
    const std::size_t index = index_in(document_, "scene").value_or(0);
    if (index >= scenes.size()) return wrong("the scene is " + std::to_string(index) + ", but there are fewer");
    return place_all(list_in(scenes[index], "nodes"), world, 0);
  }

 private:
  bool wrong(const std::string& message) {
    return reading_.refuse("mesh-syntax", 0, message, "correct the file, or export it again");
  }
  bool place_all(const Json& list, const SceneTransform& parent, int depth) {
    for (const auto& entry : list) {
      const auto index = as_index(entry);
      if (!index) return wrong("a list of nodes has something else in it: " + in_quotes(in_short(entry)));
      if (!place_node(*index, parent, depth)) return false;
    }
    return true;
  }
  // Nodes that are nobody's children.
  bool place_roots(const SceneTransform& world) {
    const auto& nodes = list_in(document_, "nodes");
    std::vector<bool> is_child(nodes.size(), false);
    for (const auto& node : nodes)
      for (const auto& child : list_in(node, "children"))
        if (const auto index = as_index(child); index && *index < nodes.size()) is_child[*index] = true;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (!is_child[i] && !place_node(i, world, 0)) return false;
    return true;
  }

  bool transform_of(const Json& node, SceneTransform& transform) {
    std::array<double, 16> m{};
    std::array<double, 4> q{0, 0, 0, 1};
    std::array<double, 3> t{0, 0, 0}, s{1, 1, 1};
    if (node.contains("matrix")) {
      if (!numbers_in(node["matrix"], m)) return wrong("the matrix of a node is not a list of 16 numbers");
      // It is written column by column.
      transform = {{m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]}, {m[12], m[13], m[14]}};
      return true;
    }
    if ((node.contains("translation") && !numbers_in(node["translation"], t)) ||
        (node.contains("rotation") && !numbers_in(node["rotation"], q)) ||
        (node.contains("scale") && !numbers_in(node["scale"], s)))
      return wrong("the translation, rotation or scale of a node is not a list of 3, 4 or 3 numbers");
    const Vec3<double> v{q[0], q[1], q[2]};
    const auto rotation = rotation_about(v, 2 * std::atan2(std::sqrt(dot(v, v)), q[3]));
    transform = translation(t[0], t[1], t[2]) * rotation * stretch(s[0], s[1], s[2]);
    return true;
  }

  bool place_node(std::size_t index, const SceneTransform& parent, int depth) {
    if (depth > limits::xml_depth || ++placed_nodes_ > limits::mesh_nodes)
      return reading_.refuse("mesh-nodes", 0,
                             "nodes are nested more than " + std::to_string(limits::xml_depth) +
                                 " deep, or more than " + std::to_string(limits::mesh_nodes) + " are placed",
                             "check whether a node is its own child; export the mesh again");
    const auto& nodes = list_in(document_, "nodes");
    if (index >= nodes.size() || !nodes[index].is_object()) return wrong("there is no node " + std::to_string(index));
    const auto& node = nodes[index];
    SceneTransform here;
    if (!transform_of(node, here)) return false;
    here = parent * here;
    if (const auto mesh = index_in(node, "mesh"); mesh && !place_mesh(*mesh, here)) return false;
    return place_all(list_in(node, "children"), here, depth + 1);
  }

  bool place_mesh(std::size_t index, const SceneTransform& placement) {
    auto known = parts_.find(index);
    if (known == parts_.end()) {
      auto placed = reading_.take_part();
      if (!read_mesh(index)) return false;
      known = parts_.emplace(index, reading_.take_part()).first;
      reading_.mesh = std::move(placed);
    }
    return reading_.add_part(known->second, placement);
  }
  bool read_mesh(std::size_t index) {
    const auto& meshes = list_in(document_, "meshes");
    if (index >= meshes.size()) return wrong("there is no mesh " + std::to_string(index));
    for (const auto& primitive : list_in(meshes[index], "primitives"))
      if (!read_primitive(primitive)) return false;
    return true;
  }

  bool read_primitive(const Json& primitive) {
    constexpr std::size_t triangles = 4, strip = 5, fan = 6;
    const std::size_t mode = index_in(primitive, "mode").value_or(triangles);
    if (mode < triangles || mode > fan) return true;  // points and lines
    const auto extensions = primitive.find("extensions");
    if (extensions != primitive.end() && extensions->is_object() && extensions->contains("KHR_draco_mesh_compression"))
      return refuse_compressed(reading_, "KHR_draco_mesh_compression");
    const auto attributes = primitive.find("attributes");
    const auto positions = attributes == primitive.end() ? std::nullopt : index_in(*attributes, "POSITION");
    if (!positions) return true;  // nothing to see
    const auto first = std::int64_t(reading_.mesh.vertices.size());
    if (!buffers_.read_positions(*positions)) return false;
    corners_.clear();
    if (const auto indices = index_in(primitive, "indices")) {
      if (!buffers_.read_indices(*indices, corners_)) return false;
    } else {
      for (std::int64_t i = first; i < std::int64_t(reading_.mesh.vertices.size()); ++i) corners_.push_back(i - first);
    }
    const std::size_t step = mode == triangles ? 3 : 1;
    for (std::size_t i = 0; i + 2 < corners_.size(); i += step) {
      auto a = corners_[mode == fan ? 0 : i], b = corners_[i + 1], c = corners_[i + 2];
      if (mode == strip && i % 2 == 1) std::swap(b, c);  // every second triangle is the other way round
      if (!reading_.add_triangle(first + a, first + b, first + c, 0)) return false;
    }
    return true;
  }

  Reading& reading_;
  const Json& document_;
  GltfBuffers& buffers_;
  std::unordered_map<std::size_t, TriangleMesh> parts_;
  std::vector<std::int64_t> corners_;
  int placed_nodes_ = 0;
};

// Extensions that the file says cannot be done without.
bool check_extensions(Reading& reading, const Json& document) {
  for (const auto& entry : list_in(document, "extensionsRequired")) {
    const std::string name = entry.is_string() ? entry.get<std::string>() : "";
    if (name.find("compression") != std::string::npos) return refuse_compressed(reading, name);
    const bool harmless = name.starts_with("KHR_materials") || name.starts_with("KHR_texture") ||
                          name.starts_with("KHR_lights") || name.starts_with("EXT_texture") ||
                          name == "KHR_mesh_quantization";
    if (!harmless)
      reading.warn("mesh-unsupported", 0, "the file needs the extension " + in_quotes(name) + ", which is not known",
                   "look at the mesh; export it without this extension if something is missing");
  }
  return true;
}

}  // namespace

bool read_gltf(Reading& reading) {
  GltfBuffers buffers(reading);
  if (!buffers.read_container()) return false;
  const auto& document = buffers.document();
  return check_extensions(reading, document) && GltfScene(reading, document, buffers).read();
}

}  // namespace lissom::mesh
