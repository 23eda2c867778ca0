#include "lissom/io/urdf/urdf.h"

#include <algorithm>
#include <charconv>

#include "lissom/io/extras.h"
#include "lissom/io/read_result.h"
#include "lissom/io/urdf/parts.h"
#include "lissom/io/urdf/read_document.h"
#include "lissom/io/xml_element.h"
#include "lissom/io/xml_text.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::io {
namespace {

// Elements that other programs add to a URDF. All names with a prefix (drake:…, sensor:…) are foreign, too.
constexpr std::string_view foreign_tags[] = {"gazebo",
                                             "transmission",
                                             "sensor",
                                             "ros2_control",
                                             "mujoco",
                                             "force_element",
                                             "loop_joint",
                                             "actuator",
                                             "plugin",
                                             "controller",
                                             "contact",
                                             "convex",
                                             "verbose",
                                             "springs",
                                             "self_collision_checking",
                                             "collision_checking",
                                             "audio_source",
                                             "joint_properties",
                                             "safety_limits",
                                             "hardware",
                                             "bushing"};

bool check_root(const Element& root) {
  const std::string_view tag = root.tag();
  if (tag == "robot") return true;
  if (tag.substr(0, 6) == "xacro:") {
    root.error("xacro-left", "the root element <" + printable(tag) + "> belongs to xacro, which has not been expanded",
               "give the file whose root is <robot>, which includes this one");
    return false;
  }
  root.error("not-urdf", "the root element is <" + printable(tag) + ">, not <robot>", "give a URDF file");
  return false;
}

// As in urdfdom, a version is x.y with x = 1. Versions up to 1.2 exist.
void check_version(const Element& robot) {
  if (!robot.has("version")) return;
  const std::string_view text = robot.text("version");
  const std::size_t dot = text.find('.');
  const auto whole = [](std::string_view digits, int& number) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size() && !digits.empty() && digits.front() != '-';
  };
  int major = 0, minor = 0;
  if (dot == std::string_view::npos || !whole(text.substr(0, dot), major) || !whole(text.substr(dot + 1), minor))
    return robot.error("version", "the version " + in_quotes(text) + " is not of the form 1.0",
                       "write version=\"1.0\", or leave it out");
  if (major != 1)
    return robot.error("version", "version " + in_quotes(text) + " of the format is unknown",
                       "write version=\"1.0\", or convert the file");
  if (minor > 2)
    robot.warning("version",
                  "version " + in_quotes(text) + " of the format is newer than this reader, which knows 1.0 to 1.2",
                  "check that everything you need was read");
}

// What ROS says of a joint, and lissom does not use.
void keep_calibration(const Element& joint, const std::string& name, Description& description) {
  for (const char* tag : {"calibration", "safety_controller"})
    for (const pugi::xml_attribute attribute : joint.child(tag).attributes())
      description.kept.push_back({"joint " + in_quotes(name), std::string(tag) + "/" + attribute.name(),
                                  attribute.value(), joint.child(tag).line()});
}

void read_robot(const Element& robot, urdf::Reading& reading, Description& description) {
  robot.expect({"name", "version"}, {"link", "joint", "material", "lissom", "frame", "drake:joint"});
  description.name = robot.text("name");
  if (description.name.empty())
    robot.warning("robot-name", "the robot has no name", "add name=\"…\" to <robot>; other programs refuse the file");
  check_version(robot);
  for (const pugi::xml_node node : robot.children()) {
    const Element child(node, reading.report, {});
    const std::string_view tag = child.tag();
    if (tag == "link") {
      description.links.push_back(urdf::read_link(child, reading));
    } else if (tag == "joint" || tag == "drake:joint") {
      if (tag == "drake:joint") child.extension("<drake:joint>");
      description.joints.push_back(urdf::read_joint(child));
      keep_calibration(child, description.joints.back().name, description);
    } else if (tag == "frame") {
      description.frames.push_back(urdf::read_frame(child));
    } else if (tag == "material") {
      reading.materials.read(child);  // kept for references by name
    }
  }
  reading.materials.resolve(description.links, reading.report);
}

// Drake and MuJoCo accept "world" as a parent without a declaration. For others it is a link like any other.
void add_world(Description& description, Report& report) {
  constexpr std::string_view world = "world";
  const auto uses = std::find_if(description.joints.begin(), description.joints.end(),
                                 [&](const JointDescription& joint) { return joint.parent == world; });
  const bool declared = std::any_of(description.links.begin(), description.links.end(),
                                    [&](const LinkDescription& link) { return link.name == world; });
  if (uses == description.joints.end() || declared) return;
  LinkDescription link;
  link.name = world;
  link.line = uses->line;
  report.add(Severity::note, "world-implicit", uses->line, "joint " + in_quotes(uses->name),
             "its parent 'world' is not declared; a link of that name, without mass, is added",
             "add <link name=\"world\"/>: other programs refuse the file");
  description.links.insert(description.links.begin(), std::move(link));
}

}  // namespace

ReadResult read_urdf(const std::string& path, const ReadOptions& options) {
  return read_path(path, options, read_urdf_text);
}

ReadResult read_urdf_text(std::string_view text, const std::string& file_name, const ReadOptions& options) {
  ReadResult result;
  result.description.file = file_name;
  XmlText xml;
  parse_xml(text, file_name, {options.max_bytes, options.max_depth}, xml, result.diagnostics);
  return xml.root ? read_urdf_document(xml, std::move(result), options) : result;
}

ReadResult read_urdf_document(const XmlText& xml, ReadResult result, const ReadOptions& options) {
  Description& description = result.description;
  Report report(description.file, xml.lines, foreign_tags);
  const Element root(xml.root, report, "robot");
  const bool is_urdf = check_root(root);
  if (is_urdf) {
    FileFinder files(options.package_paths, description.file);
    urdf::Reading reading{options, report, files, {}};
    read_robot(root, reading, description);
    add_world(description, report);
    if (const Element extras = root.child("lissom")) {
      extras.extension("<lissom>");
      read_extras(extras, description);
    }
  }
  add_findings(report, result);
  if (is_urdf) validate_into(result, options);
  return result;
}

}  // namespace lissom::io
