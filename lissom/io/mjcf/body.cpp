// Bodies become links. <frame>, <replicate> and <attach> only change where and under which name elements are read.
#include <algorithm>

#include "lissom/io/mjcf/parts.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace {

struct Item {
  Element element;
  Scope scope;
};
struct BodyContent {
  std::vector<JointSource> joints;
  std::vector<Item> geoms, sites, bodies;
  std::optional<Item> inertial;
};

void collect(const Element& element, const Scope& scope, BodyContent& content, Reading& reading);

Scope framed(const Element& element, const Scope& scope, const Pose<double>& pose) {
  Scope inner = scope;
  inner.frame = scope.frame * pose;
  if (element.has("childclass"))
    if (const auto* found = scope.model->defaults.find(element, "childclass")) inner.childclass = found;
  return inner;
}

void collect_replicas(const Element& element, const Scope& scope, BodyContent& content, Reading& reading) {
  const Settings s(element, nullptr, reading.reported);
  const int count = s.integer("count", 0);
  if (!s.has("count")) element.missing("count");
  if (count < 1) {
    element.error("replicate-count", "<replicate> has the count " + in_quotes(s.text("count")) + ", expected 1 or more",
                  "write a positive whole number");
    return;
  }
  Vec3<double> offset{0, 0, 0};
  s.vector("offset", offset);
  const std::size_t digits = std::to_string(count).size();
  Pose<double> pose;
  for (int i = 0; i < count && !reading.too_large; ++i) {
    Scope inner = framed(element, scope, pose);
    std::string number = std::to_string(i);
    number.insert(0, digits - number.size(), '0');
    inner.suffix = s.string("sep") + number + scope.suffix;
    reading.replicas.insert(inner.suffix);
    if (!reading.may_add(element)) return;
    collect(element, inner, content, reading);
    // As MuJoCo does it: the angles are multiplied, not the rotations.
    pose = {read_euler(s, scope.model->compiler, i + 1), pose * offset};
  }
}

// The body or the frame of that name in another model.
pugi::xml_node find_named(const pugi::xml_node& root, std::string_view tag, std::string_view name) {
  return root.find_node(
      [&](const pugi::xml_node& node) { return tag == node.name() && name == node.attribute("name").value(); });
}

void collect_attached(const Element& element, const Scope& scope, BodyContent& content, Reading& reading) {
  const std::string name(element.text("model"));
  const auto& models = scope.model->assets.models;
  const auto known = models.find(name);
  if (!element.has("prefix")) element.missing("prefix", "names stay as they are");
  if (known == models.end()) {
    const std::string suggestion = reading.suggest(name, models);
    return element.error("model-unknown", "there is no model " + in_quotes(name) + " in <asset>",
                         suggestion.empty() ? "add <model name=\"…\" file=\"…\"/> to <asset>" : suggestion);
  }
  ModelPart* part = reading.attach(known->second, *scope.model, scope.prefix + std::string(element.text("prefix")),
                                   scope.suffix, element);
  if (!part) return;
  Scope inner = scope;
  inner.model = part;
  inner.prefix = part->prefix;
  inner.childclass = nullptr;
  const std::string_view body = element.text("body"), frame = element.text("frame");
  if (body.empty() && frame.empty()) {
    for (const pugi::xml_node world : part->root.children("worldbody"))
      collect({world, reading.report, "worldbody"}, inner, content, reading);
    return;
  }
  const bool by_frame = body.empty();
  const pugi::xml_node node = find_named(part->root, by_frame ? "frame" : "body", by_frame ? frame : body);
  if (!node)
    return element.error(by_frame ? "frame-unknown" : "body-unknown",
                         "the model " + in_quotes(name) + " has no " + (by_frame ? "frame " : "body ") +
                             in_quotes(by_frame ? frame : body),
                         "name one that is in its file");
  const Element found(node, reading.report, "attach");
  if (by_frame)
    collect(found, framed(found, inner, read_pose(Settings(found, nullptr, reading.reported), part->compiler)), content,
            reading);
  else
    content.bodies.push_back({found, inner});
}

void collect(const Element& element, const Scope& scope, BodyContent& content, Reading& reading) {
  for (const pugi::xml_node node : element.children()) {
    if (node.type() != pugi::node_element) continue;
    const Element child(node, reading.report, element.subject());
    const std::string_view tag = child.tag();
    if (tag == "joint" || tag == "freejoint") {
      content.joints.push_back({child, scope});
    } else if (tag == "geom") {
      content.geoms.push_back({child, scope});
    } else if (tag == "site") {
      content.sites.push_back({child, scope});
    } else if (tag == "body") {
      content.bodies.push_back({child, scope});
    } else if (tag == "inertial") {
      if (content.inertial)
        child.error("duplicate-element", "the body has more than one <inertial>", "remove all but one");
      content.inertial = Item{child, scope};
    } else if (tag == "frame") {
      const Settings s(child, nullptr, reading.reported);
      collect(child, framed(child, scope, read_pose(s, scope.model->compiler)), content, reading);
    } else if (tag == "replicate") {
      collect_replicas(child, scope, content, reading);
    } else if (tag == "attach") {
      collect_attached(child, scope, content, reading);
    } else if (tag == "camera" || tag == "light" || tag == "plugin") {
      reading.skip(tag, child.line());
    } else if (tag == "composite" || tag == "flexcomp") {
      child.warning("composite",
                    "<" + std::string(tag) + "> makes " + (tag == "flexcomp" ? "a deformable body" : "bodies") +
                        ", which lissom does not read; it is left out",
                    "write out the bodies: MuJoCo does that when it saves the model");
    }
  }
}

void read_site(const Item& item, const std::string& link, const std::string& fallback, Reading& reading) {
  FrameDescription frame;
  const std::string name = name_of(item.element, item.scope);
  frame.line = item.element.line();
  frame.link = link;
  const std::string subject = shown("site", name);
  const Element element = item.element.with_subject(subject);
  const Settings s = settings_of(element, item.scope, reading);
  const auto fromto = read_fromto(s);
  frame.origin = item.scope.frame * (fromto ? fromto->pose : read_pose(s, item.scope.model->compiler));
  if (!name.empty() && !reading.sites.try_emplace(name, SiteRecord{link, frame.origin}).second)
    element.error("name-duplicate", "another site has the same name", "give each site a name of its own");
  // A body and a site may share a name in MuJoCo; frames and links may not. Bodies have their names first.
  frame.name = name.empty() ? made_up_name(fallback, reading) : name;
  if (!name.empty() && reading.body_names.contains(name)) {
    frame.name = made_up_name(name + "/site", reading);
    reading.report.count(Severity::note, "site-renamed", frame.line, subject,
                         "a body has the same name; the frame is called " + in_quotes(frame.name), "none needed",
                         "site renamed");
  }
  keep(s, shown("site", frame.name), {"group", "material", "mesh", "rgba", "size", "type", "user"}, reading);
  reading.out.frames.push_back(std::move(frame));
}

// Geoms and sites in the order of the file; the mass of the geoms. `axes` are those of the inertia, if they are known.
void read_content(const BodyContent& content, const Element& body, const Compiler& compiler, bool in_world,
                  LinkDescription& link, std::optional<Mat3<double>>& axes, Reading& reading) {
  std::vector<MassProperties> masses;
  const GeomResult* unknown = nullptr;
  std::vector<GeomResult> results;
  results.reserve(content.geoms.size());
  int number = 0;
  for (const Item& item : content.geoms) {
    if (!reading.may_add(item.element)) return;
    const std::string name = link.name + "/geom" + std::to_string(++number);
    results.push_back(read_geom(item.element, item.scope, name, in_world, link, reading));
    if (results.back().counts) masses.push_back(results.back().mass);
    if (results.back().unknown_mass && !unknown) unknown = &results.back();
  }
  number = 0;
  for (const Item& item : content.sites) {
    if (!reading.may_add(item.element)) return;
    read_site(item, link.name, link.name + "/site" + std::to_string(++number), reading);
  }
  if (in_world) return;
  const auto from_geoms = compiler.inertia_from_geoms;
  const bool inferred =
      from_geoms == Settings::Tristate::yes || (from_geoms == Settings::Tristate::automatic && !content.inertial);
  if (inferred) {
    const MassProperties sum = sum_of(masses);
    if (sum.mass > 0 || !content.inertial)
      link.mass = sum.mass, link.com = sum.center, link.inertia = sum.inertia, axes = sum.axes;
    if (unknown) reading.mesh_masses.push_back({link.name, unknown->mesh, unknown->line});
  }
  finish_inertia(body, compiler, link);
}

void read_body(const Item& item, const std::string& parent, const Pose<double>& parent_pose, bool parent_moves,
               Reading& reading);

void read_children(const std::vector<Item>& bodies, const std::string& link, const Pose<double>& pose, bool moves,
                   Reading& reading) {
  for (const Item& child : bodies) {
    if (!reading.may_add(child.element)) return;
    read_body(child, link, pose, moves, reading);
  }
}

void read_body(const Item& item, const std::string& parent, const Pose<double>& parent_pose, bool parent_moves,
               Reading& reading) {
  const int number = ++reading.body_count;
  LinkDescription link;
  const std::string name = name_of(item.element, item.scope);
  link.name = name.empty() ? made_up_name("body" + std::to_string(number), reading) : name;
  const bool taken = reading.bodies.contains(link.name);
  if (taken) link.name = made_up_name(name, reading);
  link.line = item.element.line();
  const std::string subject = shown("link", link.name);
  const Element element = item.element.with_subject(subject);
  if (taken)
    element.error("name-duplicate",
                  name == world_link ? "the body is called 'world', which is the name of the world"
                                     : "another body is called " + in_quotes(name),
                  "give each body a name of its own");
  const Settings s(element, nullptr, reading.reported);
  const Pose<double> pose = item.scope.frame * read_pose(s, item.scope.model->compiler);
  Scope inner = framed(element, item.scope, {});
  inner.frame = {};
  BodyContent content;
  collect(element, inner, content, reading);

  // Links come before those that they carry, and joints in the order of qpos.
  const std::string link_name = link.name;
  const bool top_level = parent == world_link;
  if (s.flag("mocap", false)) {
    element.note("mocap", "a mocap body is moved by a program in MuJoCo; here it is fixed to the world", "none needed");
    keep(s, subject, {"mocap"}, reading);
  }
  keep(s, subject, {"fuse", "gravcomp", "simple", "sleep", "user"}, reading);
  if (s.number("gravcomp", 0) != 0)
    reading.report.count(Severity::note, "gravcomp", link.line, subject,
                         "gravity is compensated by a force in MuJoCo (gravcomp), which lissom does not apply",
                         "none needed; give the force as an external one", "gravcomp");
  const bool moved = read_joints(content.joints, {parent, link_name, pose, top_level, link.line}, reading);
  const bool moves = parent_moves || moved;
  std::optional<Mat3<double>> axes;
  if (content.inertial) axes = read_inertial(content.inertial->element, content.inertial->scope, link, reading);
  const std::size_t first_frame = reading.out.frames.size();
  read_content(content, element, item.scope.model->compiler, false, link, axes, reading);
  Pose<double> world = parent_pose * pose;
  const bool alone = top_level && content.bodies.empty() && content.joints.size() == 1;
  if (alone && is_aligned(content.joints[0], reading)) align_body(axes, first_frame, world, link, reading);
  reading.bodies[link_name] = {link_name, world, moves};
  reading.out.links.push_back(std::move(link));
  read_children(content.bodies, link_name, world, moves, reading);
}

}  // namespace

void read_world(ModelPart& model, Reading& reading) {
  LinkDescription world;
  world.name = world_link;
  BodyContent content;
  Scope scope;
  scope.model = &model;
  for (const pugi::xml_node node : model.root.children("worldbody")) {
    const Element element(node, reading.report, "worldbody");
    if (world.line == 0) world.line = element.line();
    collect(element, framed(element, scope, {}), content, reading);
  }
  const Element element(model.root, reading.report, "worldbody");
  for (const JointSource& joint : content.joints)
    joint.element.error("joint-world", "a joint is in the world, which cannot move", "put it into a body");
  if (content.inertial)
    content.inertial->element.error("inertial-world", "the world has <inertial>", "remove it, or put it into a body");
  reading.bodies[world_link] = {world_link, {}, false};
  reading.out.roots.push_back({world_link, Base::fixed, {}, world.line, true});
  std::optional<Mat3<double>> ignored;
  read_content(content, element, model.compiler, true, world, ignored, reading);
  reading.out.links.push_back(std::move(world));
  read_children(content.bodies, world_link, {}, false, reading);
}

}  // namespace lissom::io::mjcf
