// Finds the models, links, joints and frames of a file.
#include <algorithm>
#include <charconv>

#include "lissom/io/sdf/parts.h"
#include "lissom/model/text.h"

namespace lissom::io::sdf {
namespace {

// A model of a world, or the model of a file.
struct TopModel {
  pugi::xml_node node, include;
  Version version;
  bool is_static = false;
};

class Scan {
 public:
  explicit Scan(Reading& reading) : reading_(reading), frames_(reading.frames) {}

  void run(const Element& sdf) {
    const Version version = read_version(sdf.text("version"), sdf);
    frames_.scope(world_scope).version = version;
    sdf.expect({"version"}, {"world", "model", "actor", "light"});
    const Element world = first_world(sdf);
    for (const pugi::xml_node child : sdf.children()) {
      const Element element = reading_.element(child, "robot");
      if (element.tag() == "model") add_top(child, {}, version);
      if (element.tag() == "light" || element.tag() == "actor") not_read(element, "it has no part in the mechanics");
    }
    if (tops_.size() > 1)
      reading_.element(tops_[1].node, "robot")
          .warning("several-models", "there are several models in <sdf>; other programs read the first only",
                   "put them into a <world>");
    if (world) scan_world(world, version);
    name_and_scan();
  }

 private:
  Element first_world(const Element& sdf) {
    const Element first = sdf.peek("world");
    if (const pugi::xml_node second = first.node().next_sibling("world"))
      reading_.element(second, "robot")
          .warning("several-worlds", "there are several worlds; the first is read", "write a file for each of them");
    return first;
  }

  void add_top(pugi::xml_node model, pugi::xml_node include, Version version) {
    const auto is_static = flag_in(reading_.element(include, "include"), "static");
    const std::string subject = "model " + in_quotes(model.attribute("name").value());
    tops_.push_back({model, include, version,
                     is_static.value_or(flag_in(reading_.element(model, subject), "static").value_or(false))});
  }

  // Only a robot that is alone has names without that of its model; what does not move is not counted.
  void name_and_scan() {
    const auto moving = std::ranges::count(tops_, false, &TopModel::is_static);
    for (const TopModel& top : tops_) {
      const bool alone = top.is_static ? tops_.size() == 1 : moving == 1;
      Scope scope;
      scope.version = top.version;
      scope.is_static = top.is_static;
      if (reading_.description.name.empty() && alone) reading_.description.name = name_of(top.node, top.include);
      scan_model(top.node, top.include, world_scope, scope, alone);
    }
    if (reading_.description.name.empty() && !tops_.empty())
      reading_.description.name = world_name_.empty() ? name_of(tops_[0].node, tops_[0].include) : world_name_;
  }

  static std::string name_of(pugi::xml_node model, pugi::xml_node include) {
    std::string_view name = include.child("name").child_value();
    const auto first = std::min(name.find_first_not_of(" \t\r\n"), name.size());
    name = name.substr(first, name.find_last_not_of(" \t\r\n") + 1 - first);
    return std::string(name.empty() ? model.attribute("name").value() : name);
  }

  void scan_world(const Element& unnamed, Version version) {
    const std::string subject = "world " + in_quotes(unnamed.text("name"));
    const Element world = unnamed.with_subject(subject);
    world_name_ = world.text("name");
    world.expect({"name"}, {"audio", "wind", "include", "gravity", "magnetic_field", "atmosphere", "gui", "physics",
                            "scene", "light", "frame", "joint", "model", "actor", "plugin", "road",
                            "spherical_coordinates", "state", "population"});
    Description& description = reading_.description;
    description.gravity = vector_in(world, "gravity").value_or(Vec3<double>{0, 0, -9.8});  // as SDF says
    if (const Element physics = world.child("physics", Severity::note)) {
      if (const auto gravity = vector_in(physics, "gravity")) description.gravity = *gravity;  // until 1.5
      description.time_step = number_in(physics, "max_step_size");
      if (description.time_step && !(*description.time_step > 0)) description.time_step.reset();
      keep(physics, {"gravity", "max_step_size"}, description);
    }
    for (const pugi::xml_node child : world.children()) {
      const Element element = reading_.element(child, subject);
      const std::string_view tag = element.tag();
      if (tag == "model") add_top(child, {}, version);
      if (tag == "include") scan_include_of_world(child);
      if (tag == "frame") scan_frame(child, world_scope);
      if (tag == "joint") scan_joint(child, world_scope);
      if (tag == "population" || tag == "state")
        element.warning("not-read", "<" + std::string(tag) + "> is not read: its models, or their poses, are missing",
                        "write the models out");
      for (const char* other : {"audio", "wind", "magnetic_field", "atmosphere", "gui", "scene", "light", "actor",
                                "plugin", "road", "spherical_coordinates"})
        if (tag == other) not_read(element, "it has no part in the mechanics");
    }
  }

  void check_include(const Element& include) {
    include.expect({"merge"}, {"uri", "name", "pose", "static", "placement_frame", "plugin", "model"});
    for (const pugi::xml_node plugin : include.node().children("plugin"))
      not_read(reading_.element(plugin, "include"), "lissom has no plugins");
    if (include.peek("placement_frame") && !include.peek("pose"))
      include.error("placement-frame", "<include> has a <placement_frame>, but no <pose>",
                    "add <pose>, where that frame is to be");
  }

  // The copy of the model that expand_includes has put into <include>; null if there is none.
  pugi::xml_node included_model(const pugi::xml_node& include, Version& version) {
    for (const pugi::xml_node model : include.children("model"))
      if (const auto found = reading_.included.find(model.internal_object()); found != reading_.included.end()) {
        version = found->second;
        return model;
      }
    return {};
  }

  void scan_include_of_world(const pugi::xml_node& include) {
    const Element element = reading_.element(include, "include");
    check_include(element);
    Version version;
    const auto model = included_model(include, version);
    if (!model) return;
    if (element.has("merge") && to_flag(element, element.text("merge"), "attribute 'merge'").value_or(false))
      element.error("include-merge", "a model cannot be merged into a world", "remove merge=\"true\"");
    add_top(model, include, version);
  }

  void scan_include(const pugi::xml_node& include, int outer) {
    const Element element = reading_.element(include, "include");
    check_include(element);
    Scope scope;
    const auto model = included_model(include, scope.version);
    if (!model) return;
    const bool merge =
        element.has("merge") && to_flag(element, element.text("merge"), "attribute 'merge'").value_or(false);
    if (merge && flag_in(element, "static"))
      element.warning("include-merge", "<static> has no effect on a model that is merged", "remove it");
    scan_model(model, include, outer, scope, false, merge);
  }

  // `alone`: names in it do not begin with its own name.
  void scan_model(pugi::xml_node node, pugi::xml_node include, int outer, Scope scope, bool alone, bool merge = false) {
    const std::string name = name_of(node, include);
    Frame frame;
    frame.scope = outer;
    frame.name = frames_.scope(outer).prefix + name;
    const std::string subject = "model " + in_quotes(frame.name);
    const Element model = reading_.element(node, subject), place = reading_.element(include, subject);
    model.expect({"name", "canonical_link", "placement_frame"},
                 {"static", "self_collide", "allow_auto_disable", "frame", "pose", "link", "joint", "plugin", "gripper",
                  "include", "model", "enable_wind", "lissom:extras"});
    if (!check_name(model, name, scope.version)) return;
    frame.line = include ? place.line() : model.line();
    frame.attached_to = model.text("canonical_link");
    frame.pose = read_pose(place && place.peek("pose") ? place : model);
    const std::string placed = place ? text_in(place, "placement_frame") : std::string();
    frame.placement_frame = placed.empty() && !(place && place.peek("pose")) ? model.text("placement_frame") : placed;
    scope.is_static = scope.is_static || frames_.scope(outer).is_static;
    scope.prefix = merge ? frames_.scope(outer).prefix : alone ? "" : frame.name + "::";
    const int index = frames_.add_model(std::move(frame), std::move(scope), merge);
    if (!merge && !take_name(index, name)) return;
    check_flags(model, outer);
    scan_children(model, frames_[index].inner);
    const Scope& inner = frames_.scope(frames_[index].inner);
    if (inner.links.empty() && inner.models.empty())
      model.warning("model-empty", "the model has no link", "add a link, or remove the model");
  }

  bool take_name(int model, const std::string& name) {
    Scope& outer = frames_.scope(frames_.scope(frames_[model].scope).names);
    const auto [entry, is_new] = outer.frames.try_emplace(name, model);
    if (is_new) {
      outer.models.push_back(model);
      return true;
    }
    reading_.report.add(Severity::error, "name-duplicate", frames_[model].line, frames_.subject(model),
                        "another " + std::string(to_string(frames_[entry->second].kind)) +
                            " has the same name, in line " + std::to_string(frames_[entry->second].line) +
                            "; the model is left out",
                        "give each of them a name of its own");
    return false;
  }

  void check_flags(const Element& model, int outer) {
    // (That of a model of the world has been read.)
    if (outer != world_scope && flag_in(model, "static").value_or(false) && !frames_.scope(outer).is_static)
      model.warning("static-nested", "a model inside one that moves is static, which has no effect",
                    "connect it to the world by a fixed joint");
    keep_children(model, {"self_collide", "allow_auto_disable", "enable_wind"}, reading_.description);
  }

  void scan_children(const Element& model, int scope) {
    const std::string subject(model.subject());
    for (const pugi::xml_node child : model.children()) {
      const Element element = reading_.element(child, subject);
      const std::string_view tag = element.tag();
      if (tag == "link") scan_link(child, scope);
      if (tag == "joint") scan_joint(child, scope);
      if (tag == "frame") scan_frame(child, scope);
      if (tag == "include") scan_include(child, scope);
      if (tag == "model") {
        Scope inner;
        inner.version = frames_.scope(scope).version;
        scan_model(child, {}, scope, inner, false);
      }
      if (tag == "plugin") not_read(element, "lissom has no plugins");
      if (tag == "gripper") not_read(element, "lissom has no grippers that hold without contact");
    }
  }

  void scan_link(pugi::xml_node node, int scope) { add(node, FrameKind::link, scope, {}, reading_.links); }
  void scan_joint(pugi::xml_node node, int scope) {
    const Element joint = reading_.element(node, "joint");
    add(node, FrameKind::joint, scope, text_in(joint, "child"), reading_.joints);
  }
  void scan_frame(pugi::xml_node node, int scope) {
    const Element frame = reading_.element(node, "frame");
    frame.expect({"name", "attached_to"}, {"pose"});
    add(node, FrameKind::frame, scope, std::string(frame.text("attached_to")), reading_.named_frames);
  }

  void add(pugi::xml_node node, FrameKind kind, int scope, std::string attached_to, std::vector<Part>& parts) {
    Frame frame;
    frame.kind = kind;
    frame.scope = scope;
    const std::string name = node.attribute("name").value();
    const std::string full = frames_.scope(scope).prefix + name;
    const std::string subject = std::string(to_string(kind)) + " " + in_quotes(full);
    const Element element = reading_.element(node, subject);
    if (!check_name(element, name, frames_.scope(scope).version)) return;
    frame.name = full;
    frame.line = element.line();
    frame.pose = read_pose(element);
    frame.attached_to = std::move(attached_to);
    int taken_by = none;
    parts.push_back({node, frames_.add(std::move(frame), name, taken_by)});
    if (taken_by == none) return;
    // Two links or frames, and a link and a frame or joint, are reported by validate(); of two joints, one may close a
    // loop, or be none at all.
    const FrameKind other = frames_[taken_by].kind;
    const bool other_reports =
        (other == kind && kind != FrameKind::joint) || other == FrameKind::link || kind == FrameKind::link;
    if (!other_reports || other == FrameKind::model)
      element.error("name-duplicate",
                    "a " + std::string(to_string(other)) + " has the same name, in line " +
                        std::to_string(frames_[taken_by].line),
                    "give each of them a name of its own");
  }

  // Names that the format keeps for itself. Returns false if there is no name.
  static bool check_name(const Element& element, const std::string& name, Version version) {
    if (name.empty()) {
      element.error("name-empty", "<" + std::string(element.tag()) + "> has no name", "add name=\"…\"");
      return false;
    }
    const bool reserved = name == "world" || (name.size() >= 4 && name.starts_with("__") && name.ends_with("__"));
    if (reserved)
      element.error("name-reserved", "the name " + in_quotes(name) + " is reserved",
                    "choose another name, which is not 'world' and not between two underscores");
    else if (!version.before(8) && name.find("::") != std::string::npos)
      element.error("name-delimiter", "the name has \"::\" in it, which stands between the names of models",
                    "choose another name, or put the part into a model of its own");
    return true;
  }

  Reading& reading_;
  Frames& frames_;
  std::vector<TopModel> tops_;
  std::string world_name_;
};

}  // namespace

Version read_version(std::string_view text, const Element& where) {
  Version version;
  if (text.empty()) {
    where.error("version", "<sdf> has no version", "add version=\"1.9\", or the one that the file was written for");
    return version;
  }
  const auto dot = text.find('.');
  const std::string_view digits = dot == std::string_view::npos ? "" : text.substr(dot + 1);
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), version.minor);
  if (text.substr(0, dot) != "1" || digits.empty() || failed != std::errc() || end != digits.data() + digits.size() ||
      version.minor < 0) {
    where.error("version", "version " + in_quotes(text) + " of SDF is unknown",
                "write the version that the file was written for, 1.4 to 1.12");
    return {};
  }
  if (version.before(oldest_version))
    where.error("version",
                "version " + in_quotes(text) + " of SDF is older than 1.4; its elements have other names and meanings",
                "convert the file with Gazebo: gz sdf --convert");
  if (version.minor > newest_version)
    where.warning("version",
                  "version " + in_quotes(text) + " of SDF is newer than this reader, which knows 1.4 to 1.12",
                  "check that everything you need was read");
  return version;
}

void scan(const Element& sdf, Reading& reading) {
  Scan(reading).run(sdf);
}

}  // namespace lissom::io::sdf
