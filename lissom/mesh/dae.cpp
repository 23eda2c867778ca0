// COLLADA: the scene, a tree of nodes that place geometries. Read are positions and polygons; the unit of length is
// applied, the axis that is up as the options say. Materials, cameras, skins and animations are passed over.
#include <unordered_map>

#include <pugixml.hpp>

#include "lissom/mesh/dae_geometry.h"
#include "lissom/mesh/reading.h"
#include "lissom/mesh/text_scanner.h"
#include "lissom/model/text.h"

namespace lissom::mesh {
namespace {

// "#id", the only kind of reference that is followed.
std::string_view id_of(std::string_view url) {
  return url.starts_with('#') ? url.substr(1) : std::string_view{};
}

// Numbers of an element's text. False if there are fewer, or something else.
template <std::size_t n>
bool numbers_of(const pugi::xml_node& node, std::array<double, n>& numbers) {
  TextScanner scanner(node.child_value());
  for (double& number : numbers)
    if (!scanner.number(number)) return false;
  return true;
}

class DaeFile {
 public:
  explicit DaeFile(Reading& reading) : reading_(reading), lines_(reading.bytes) {}

  bool read() {
    if (reading_.bytes.size() > reading_.options.max_document_bytes)
      return reading_.refuse("mesh-size", 0,
                             "the file is larger than the limit of " +
                                 std::to_string(reading_.options.max_document_bytes) + " bytes for COLLADA",
                             "use STL or OBJ, or raise max_document_bytes");
    const auto result = document_.load_buffer(reading_.bytes.data(), reading_.bytes.size(),
                                              pugi::parse_minimal | pugi::parse_escapes, pugi::encoding_utf8);
    if (!result)
      return reading_.refuse("mesh-syntax", lines_.line(result.offset),
                             std::string("this is no valid XML: ") + result.description(),
                             "correct the file, or export it again");
    root_ = document_.child("COLLADA");
    if (!root_) return wrong(document_.first_child(), "the root element is not COLLADA", "check that this is COLLADA");
    collect(root_.child("library_geometries"), "geometry", geometries_);
    for (const auto scene : root_.child("library_visual_scenes").children("visual_scene")) collect_nodes(scene, 0);
    collect_nodes(root_.child("library_nodes"), 0);
    return place_scene();
  }

 private:
  using Ids = std::unordered_map<std::string_view, pugi::xml_node>;

  bool wrong(const pugi::xml_node& node, const std::string& message, const char* remedy = "export the mesh again") {
    return reading_.refuse("mesh-syntax", lines_.line(node), message, remedy);
  }
  static void collect(const pugi::xml_node& library, const char* tag, Ids& ids) {
    for (const auto node : library.children(tag)) ids.emplace(node.attribute("id").value(), node);
  }
  // (What lies deeper than that is refused when it is placed.)
  void collect_nodes(const pugi::xml_node& parent, int depth) {
    if (depth > limits::xml_depth) return;
    for (const auto node : parent.children("node")) {
      nodes_.emplace(node.attribute("id").value(), node);
      collect_nodes(node, depth + 1);
    }
  }

  SceneTransform unit_and_axes() {
    const auto asset = root_.child("asset");
    double meter = 1;
    if (const auto attribute = asset.child("unit").attribute("meter")) {
      const bool number = TextScanner::parse(attribute.value(), meter);
      if (!number || !(meter > 1e-9 && meter < 1e9)) {
        reading_.warn("mesh-unit", lines_.line(asset.child("unit")),
                      "the unit is " + in_quotes(attribute.value()) + " meters; 1 is assumed",
                      "write the length of the unit in meters, such as 0.001");
        meter = 1;
      }
    }
    SceneTransform axes;
    const std::string_view up = asset.child("up_axis").child_value();
    if (reading_.options.up_axis == UpAxis::apply && up != "Z_UP")
      axes = up == "X_UP" ? z_up_from_x_up() : z_up_from_y_up();
    return axes * stretch(meter, meter, meter);
  }

  bool place_scene() {
    const auto world = unit_and_axes();
    const auto scenes = root_.child("library_visual_scenes");
    const auto id = id_of(root_.child("scene").child("instance_visual_scene").attribute("url").value());
    auto scene = scenes.child("visual_scene");
    for (const auto candidate : scenes.children("visual_scene"))
      if (!id.empty() && candidate.attribute("id").value() == id) scene = candidate;
    if (scene) {
      for (const auto node : scene.children("node"))
        if (!place_node(node, world, 0)) return false;
      return true;
    }
    for (const auto geometry : root_.child("library_geometries").children("geometry"))
      if (!place_geometry(geometry, world)) return false;
    return true;
  }

  // The product of a node's transformations, which apply from the last to the first.
  bool transform_of(const pugi::xml_node& node, SceneTransform& transform) {
    for (const auto child : node.children()) {
      const std::string_view tag = child.name();
      std::array<double, 16> m{};
      std::array<double, 4> r{};
      std::array<double, 3> v{};
      bool ok = true;
      if (tag == "matrix") {
        ok = numbers_of(child, m);
        if (ok) transform = transform * from_rows_of_4(m);
      } else if (tag == "translate") {
        ok = numbers_of(child, v);
        if (ok) transform = transform * translation(v[0], v[1], v[2]);
      } else if (tag == "scale") {
        ok = numbers_of(child, v);
        if (ok) transform = transform * stretch(v[0], v[1], v[2]);
      } else if (tag == "rotate") {
        ok = numbers_of(child, r);
        if (ok) transform = transform * rotation_about({r[0], r[1], r[2]}, r[3] * (M_PI / 180));
      } else if (tag == "skew" || tag == "lookat") {
        reading_.warn("mesh-unsupported", lines_.line(child), "<" + std::string(tag) + "> is not applied",
                      "export the mesh with its transformations applied");
      }
      if (!ok) return wrong(child, "<" + std::string(tag) + "> has not the numbers it needs");
    }
    return true;
  }

  // Whatever stands in a node is looked at as often as the node is placed; all of it counts.
  bool place_node(const pugi::xml_node& node, const SceneTransform& parent, int depth) {
    for (auto child = node.first_child(); child && placed_ <= limits::mesh_nodes; child = child.next_sibling())
      ++placed_;
    if (depth > limits::xml_depth || placed_ > limits::mesh_nodes)
      return reading_.refuse("mesh-nodes", lines_.line(node),
                             "nodes are nested more than " + std::to_string(limits::xml_depth) +
                                 " deep, or more than " + std::to_string(limits::mesh_nodes) + " elements are placed",
                             "check whether a node instantiates itself; export the mesh again");
    auto here = parent;
    if (!transform_of(node, here)) return false;
    for (const auto child : node.children()) {
      const std::string_view tag = child.name();
      if (tag == "node" && !place_node(child, here, depth + 1)) return false;
      if (tag == "instance_node" || tag == "instance_geometry") {
        const std::string_view url = child.attribute("url").value();
        const auto& ids = tag == "instance_node" ? nodes_ : geometries_;
        const auto found = ids.find(id_of(url));
        if (found == ids.end())
          return wrong(child, "<" + std::string(tag) + "> refers to " + in_quotes(url) + ", which is not in the file",
                       "put everything into one file");
        if (!(tag == "instance_node" ? place_node(found->second, here, depth + 1)
                                     : place_geometry(found->second, here)))
          return false;
      }
      if (tag == "instance_controller" && !std::exchange(said_controller_, true))
        reading_.warn("mesh-unsupported", lines_.line(child), "meshes with skins or morphs are left out",
                      "export the mesh without skeleton");
    }
    return true;
  }

  bool place_geometry(const pugi::xml_node& geometry, const SceneTransform& placement) {
    auto known = parts_.find(geometry.internal_object());
    if (known == parts_.end()) {
      auto placed = reading_.take_part();
      if (!read_dae_geometry(reading_, lines_, geometry)) return false;
      known = parts_.emplace(geometry.internal_object(), reading_.take_part()).first;
      reading_.mesh = std::move(placed);
    }
    return reading_.add_part(known->second, placement);
  }

  Reading& reading_;
  LineStarts lines_;
  pugi::xml_document document_;
  pugi::xml_node root_;
  Ids geometries_, nodes_;
  std::unordered_map<const void*, TriangleMesh> parts_;
  int placed_ = 0;
  bool said_controller_ = false;
};

}  // namespace

bool read_dae(Reading& reading) {
  return DaeFile(reading).read();
}

}  // namespace lissom::mesh
