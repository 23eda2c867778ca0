#include "lissom/io/mjcf/mjcf.h"

#include <algorithm>

#include "lissom/io/extras.h"
#include "lissom/io/mjcf/parts.h"
#include "lissom/io/read_result.h"
#include "lissom/io/xml_text.h"
#include "lissom/model/limits.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::io {
namespace mjcf {
namespace {

constexpr int max_attachment_depth = 16;

// What does not depend on other sections.
void read_head(ModelPart& model, Reading& reading) {
  for (const pugi::xml_node node : model.root.children("compiler"))
    read_compiler({node, reading.report, "compiler"}, model.compiler);
  for (const pugi::xml_node node : model.root.children("default"))
    model.defaults.read({node, reading.report, "default"});
  read_assets(model, reading);
}

// What refers to bodies, joints and geoms; tendons before those that refer to them.
void read_sections(ModelPart& model, Reading& reading) {
  constexpr struct {
    const char* tag;
    void (*read)(const Element&, ModelPart&, Reading&);
  } sections[] = {{"tendon", read_tendons},
                  {"equality", read_equality},
                  {"actuator", read_actuators},
                  {"contact", read_contact},
                  {"keyframe", read_keyframes}};
  for (const auto& [tag, read] : sections)
    for (const pugi::xml_node node : model.root.children(tag)) read({node, reading.report, tag}, model, reading);
}

// Names that are written somewhere, which made-up names avoid.
void collect_names(const pugi::xml_node& top, Reading& reading) {
  pugi::xml_node node = top;
  while (true) {
    if (const pugi::xml_attribute name = node.attribute("name")) {
      reading.written_names.insert(name.value());
      if (std::string_view(node.name()) == "body") reading.body_names.insert(name.value());
    }
    if (node.first_child()) {
      node = node.first_child();
      continue;
    }
    while (node != top && !node.next_sibling()) node = node.parent();
    if (node == top) return;
    node = node.next_sibling();
  }
}

// What lissom has written for itself: <text name="lissom"> of <custom>.
bool is_extension(const pugi::xml_node& node) {
  return std::string_view(node.name()) == "text" && std::string_view(node.attribute("name").value()) == "lissom";
}

void note_skipped(Reading& reading) {
  // `children` keeps the pointer to the name while the loop runs: the names must outlive it.
  constexpr const char* sections[] = {"sensor", "visual", "statistic", "size", "custom", "extension", "deformable"};
  for (const char* const section : sections)
    for (const pugi::xml_node node : reading.parts.front().root.children(section)) {
      const std::string_view tag = section;
      const bool has_items = tag == "sensor" || tag == "custom" || tag == "deformable";
      int count = 0;
      for (const pugi::xml_node child : node.children())
        count += child.type() == pugi::node_element && !is_extension(child) ? 1 : 0;
      const int line = reading.report.line(node);
      for (int i = 0; i < (has_items ? count : 1); ++i) reading.skip(tag, line);
    }
  for (const pugi::xml_node compiler : reading.parts.front().root.children("compiler"))
    for (const pugi::xml_node range : compiler.children("lengthrange"))
      reading.skip("compiler lengthrange", reading.report.line(range));
  for (const auto& [what, seen] : reading.skipped)
    reading.report.add(Severity::note, "not-read", seen.first, what,
                       (seen.second > 1 ? std::to_string(seen.second) + " of them are" : "it is") +
                           std::string(" not carried over; the motion of the bodies does not depend on it"),
                       "none needed");
}

// MuJoCo refuses bodies that move and have no mass, unless bodies that are fixed to them have.
void check_masses(Reading& reading) {
  for (const auto& [link, mesh, line] : reading.mesh_masses) {
    const bool moves = reading.bodies.at(link).moves, outside = reading.outside_meshes.contains(mesh);
    reading.report.add(
        moves ? Severity::error : Severity::warning, "mesh-mass", line, shown("link", link),
        "its mass depends on the mesh " + in_quotes(mesh) + ", which " +
            (outside ? "lies outside of the folders that may be read" : "is not found or cannot be used") +
            (moves ? "" : "; it is taken without mass, which only bears on the energy: the body never moves"),
        outside ? "give its folder with --packages or $LISSOM_PACKAGE_PATH, put it below that of the robot's file, or "
                  "give the body an <inertial>"
                : "put the mesh there, or give the body an <inertial>");
  }
}

void read_model(const pugi::xml_node& root, Reading& reading) {
  reading.out.name = root.attribute("model").value();
  if (reading.out.name.empty()) reading.out.name = "MuJoCo Model";
  ModelPart& model = reading.parts.emplace_back();
  model.root = root;
  check_schema(model.root, reading.report);
  collect_names(model.root, reading);
  for (const pugi::xml_node node : model.root.children("option"))
    read_option({node, reading.report, "option"}, reading);
  read_head(model, reading);
  read_world(model, reading);
  align_sites(reading);
  for (ModelPart& part : reading.parts) read_sections(part, reading);
  report_spatial_tendons(reading);
  check_masses(reading);
  if (model.compiler.total_mass > 0) set_total_mass(model.compiler.total_mass, reading.out);
  convert_spring_dampers(reading);
  convert_damping_ratios(reading);
  add_initial_posture(reading);
  note_skipped(reading);
}

void read_extension(const pugi::xml_node& root, const Report& report, ReadResult& result) {
  for (const pugi::xml_node custom : root.children("custom"))
    for (const pugi::xml_node text : custom.children("text"))
      if (is_extension(text))
        read_extras_text(text.attribute("data").value(), report.line(text), result.description, result.diagnostics);
}

ReadResult refuse_fragment(const Element& root, ReadResult result) {
  root.error("format-fragment", "this is a part of a model, <mujocoinclude>, which other files include",
             "give the file that includes it, whose root element is <mujoco>");
  add_findings(root.report(), result);
  return result;
}

}  // namespace

ModelPart* Reading::attach(const pugi::xml_node& asset, const ModelPart& user, const std::string& prefix,
                           const std::string& suffix, const Element& element) {
  if (user.depth >= max_attachment_depth) {
    element.error("attach-depth",
                  "models are attached within each other more than " + std::to_string(max_attachment_depth) + " deep",
                  "check whether a model attaches itself");
    return nullptr;
  }
  auto& [root, folder] = attached[asset.internal_object()];
  if (!root) {
    auto read = sources.read_model({asset, report, "asset"}, user.folder, asset.attribute("file").value());
    if (!read.root) return nullptr;
    root = read.root, folder = std::move(read.folder);
    if (std::string_view(root.name()) != "mujoco") {
      element.error("format-unknown",
                    "the root element of the file is <" + printable(root.name()) + ">, expected <mujoco>",
                    "attach an MJCF file");
      return nullptr;
    }
    check_schema(root, report);
    collect_names(root, *this);
  }
  ModelPart& part = parts.emplace_back();
  part.root = root;
  part.prefix = prefix, part.suffix = suffix, part.folder = folder;
  part.attached_to = &user;
  part.depth = user.depth + 1;
  part.complete = !element.has("body") && !element.has("frame");
  read_head(part, *this);
  return &part;
}

}  // namespace mjcf

ReadResult read_mjcf(const std::string& path, const ReadOptions& options) {
  return read_path(path, options, read_mjcf_text);
}

ReadResult read_mjcf_text(std::string_view text, const std::string& file_name, const ReadOptions& given) {
  ReadOptions options = given;
  if (options.max_depth == limits::xml_depth) options.max_depth = limits::mjcf_depth;
  ReadResult result;
  result.description.file = file_name;
  XmlText xml;
  parse_xml(text, file_name, {options.max_bytes, options.max_depth}, xml, result.diagnostics);
  if (!xml.root) return result;
  Report report(file_name, xml.lines, {});
  const Element root(xml.root, report, "robot");
  if (root.tag() == "mujocoinclude") return mjcf::refuse_fragment(root, std::move(result));
  if (root.tag() != "mujoco") {
    root.error("format-unknown", "the root element is <" + printable(root.tag()) + ">, expected <mujoco>",
               "check that this is MJCF");
    add_findings(report, result);
    return result;
  }
  mjcf::Sources sources(file_name, options, xml, result.description.sources, result.diagnostics);
  sources.add_main(text);
  sources.expand(xml.root, report);
  mjcf::Reading reading{options, report, sources, result.description};
  mjcf::read_model(xml.root, reading);
  if (result.description.sources.size() == 1) result.description.sources.clear();
  add_findings(report, result);
  mjcf::read_extension(xml.root, report, result);
  validate_into(result, options);
  return result;
}

}  // namespace lissom::io
