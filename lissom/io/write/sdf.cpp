// Writes SDF, the format of Gazebo. What it cannot say is in one element of ours.
#include <algorithm>
#include <cmath>

#include "lissom/io/type_names.h"
#include "lissom/io/write/possible_inertia.h"
#include "lissom/io/write/prepare.h"
#include "lissom/io/write/sdf_writer.h"
#include "lissom/io/write/xml_output.h"
#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom::io::write {

void add_sdf_pose(pugi::xml_node parent, const Pose<double>& X, const std::string& relative_to) {
  const bool rotated = !is_identity(X.R);
  std::string text = numbers_text(X.p) + " 0 0 0";
  if (rotated) {
    const auto q = quaternion_of(X.R);
    text = numbers_text(X.p) + " " + numbers_text(std::array{q.x, q.y, q.z, q.w});
  }
  auto node = add_text(parent, "pose", text);
  if (!relative_to.empty()) put(node, "relative_to", relative_to);
  if (rotated) put(node, "rotation_format", "quat_xyzw");
}

SdfWriter::SdfWriter(const Description& description, const WriteOptions& options)
    : d_(prepared(description, options)),
      losses_(description, Format::sdf, options),
      meshes_(Format::sdf, options, losses_) {}

bool SdfWriter::is_world(const BodyNode& body) const {
  return body.parent < 0 && body.is_static && body.link->name == "world";
}

void SdfWriter::prepare() {
  extras_.rest.actuators = d_.actuators, extras_.rest.postures = d_.postures;  // of the joints as they are
  const BodyTree before(d_, [](const auto&) { return true; });
  extras_.joined = split_joints(d_, [&](const JointDescription& joint) {
    if (!format_name(joint.type, sdf_type_names).empty()) return false;
    if (joint.type == JointType::free && before.has(joint.parent) && before.node(joint.parent).is_static) return false;
    losses_.replaced("joint-type", joint.line, joint_subject(joint.name),
                     "its type is " + std::string(lissom::to_string(joint.type)) + ", which SDF does not have",
                     "it is several joints, with links without mass between them");
    return true;
  });
}

// In SDF, links, joints and frames of a model have names of their own, and "::" stands between names of models.
void SdfWriter::choose_names() {
  std::set<std::string> taken = {"world"};
  const auto choose = [&](const char* kind, const std::string& name, int line, auto& names) {
    std::string chosen = name;
    for (auto at = chosen.find("::"); at != std::string::npos; at = chosen.find("::")) chosen.replace(at, 2, "__");
    while (chosen.starts_with("__")) chosen.erase(0, 2);
    const std::string preferred = chosen;
    if (taken.contains(chosen)) chosen = preferred + "_" + kind;
    for (int i = 2; !taken.insert(chosen).second; ++i) chosen = preferred + "_" + kind + std::to_string(i);
    if (chosen == name) return;
    names[name] = chosen;
    extras_.names.push_back({kind, chosen, name});
    losses_.replaced("name", line, kind + (" " + in_quotes(name)),
                     "SDF has names only once among links, joints and frames, and none with '::'",
                     "it is called " + in_quotes(chosen));
  };
  for (const auto& body : tree_->nodes())
    if (!is_world(body)) choose("link", body.link->name, body.link->line, link_names_);
  for (const auto& body : tree_->nodes()) {
    if (body.fixed) choose("joint", body.fixed->name, body.fixed->line, joint_names_);
    for (const auto& joint : body.joints)
      if (joint.joint->type != JointType::free) choose("joint", joint.joint->name, joint.joint->line, joint_names_);
  }
  for (const auto& frame : d_.frames) choose("frame", frame.name, frame.line, frame_names_);
}

std::string SdfWriter::link_name(const std::string& link) const {
  const auto found = link_names_.find(link);
  return found == link_names_.end() ? link : found->second;
}
std::string SdfWriter::joint_name(const std::string& joint) const {
  const auto found = joint_names_.find(joint);
  return found == joint_names_.end() ? joint : found->second;
}

void SdfWriter::write_inertial(const LinkDescription& link, Node node) {
  auto inertial = add(node, "inertial");
  const auto I = possible_inertia(link.inertia, 0);
  const auto& wanted = link.inertia;
  const double change = std::max({std::abs(I.xx - wanted.xx), std::abs(I.xy - wanted.xy), std::abs(I.xz - wanted.xz),
                                  std::abs(I.yy - wanted.yy), std::abs(I.yz - wanted.yz), std::abs(I.zz - wanted.zz)});
  constexpr double little = 1e-12;
  if (change > little)
    losses_.lost("inertia-impossible", link.line, link_subject(link.name),
                 "its principal moments are negative or violate A + B ≥ C, which Gazebo refuses; the inertia is one",
                 "the nearest possible inertia is written, which differs by " + to_text(change) + " kg m²");
  else if (change > 0)
    extras_.link_figures.push_back({link.name, link.mass, link.com, link.inertia});
  if (link.com.x != 0 || link.com.y != 0 || link.com.z != 0) add_sdf_pose(inertial, {identity3<double>(), link.com});
  add_text(inertial, "mass", number_text(link.mass));
  auto inertia = add(inertial, "inertia");
  const std::pair<const char*, double> elements[] = {{"ixx", I.xx}, {"ixy", I.xy}, {"ixz", I.xz},
                                                     {"iyy", I.yy}, {"iyz", I.yz}, {"izz", I.zz}};
  for (const auto& [name, value] : elements) add_text(inertia, name, number_text(value));
}

void SdfWriter::write_link(const BodyNode& body, Node model) {
  const LinkDescription& link = *body.link;
  auto node = add(model, "link");
  put(node, "name", link_name(link.name));
  const bool floats = !body.joints.empty() && body.joints[0].joint->type == JointType::free;
  const BodyNode* parent = body.parent < 0 ? nullptr : &tree_->nodes()[std::size_t(body.parent)];
  if (floats || !parent || is_world(*parent)) {
    const auto X = tree_->in_world(body) * (floats ? starting_pose(d_, body.joints[0].joint->name) : Pose<double>{});
    if (!is_identity(X)) add_sdf_pose(node, X);
  } else {
    add_sdf_pose(node, body.pose, link_name(parent->link->name));
  }
  if (link.connects_joints) extras_.connecting_links.push_back(link.name);
  write_inertial(link, node);
  write_geometries(link, node, {});
}

void SdfWriter::write_frames(Node model, Node world) {
  for (const auto& frame : d_.frames) {
    const BodyNode& body = tree_->node(frame.link);
    auto node = add(is_world(body) ? world : model, "frame");
    const auto renamed = frame_names_.find(frame.name);
    put(node, "name", renamed == frame_names_.end() ? frame.name : renamed->second);
    if (!is_world(body)) put(node, "attached_to", link_name(frame.link));
    add_sdf_pose(node, is_world(body) ? body.pose * frame.origin : frame.origin);
  }
}

void SdfWriter::write_model(Node model) {
  put(model, "name", d_.name.empty() ? "robot" : d_.name);
  for (const auto& body : tree_->nodes())
    if (!is_world(body)) write_link(body, model);
  for (const auto& body : tree_->nodes())
    if (!is_world(body)) write_joint(body, model);
  write_loops(model);
}

// Gravity, the time step and what the world looks like are of a world, not of a model.
pugi::xml_node SdfWriter::wrapped_in_world(Node sdf) {
  const auto& g = d_.gravity;
  const bool usual = g.x == 0 && g.y == 0 && g.z == -9.81;
  const BodyNode* ground = nullptr;
  for (const auto& body : tree_->nodes())
    if (is_world(body)) ground = &body;
  const bool shows = ground && (!ground->link->visuals.empty() || !ground->link->collisions.empty());
  const bool frames = ground && std::ranges::find(d_.frames, "world", &FrameDescription::link) != d_.frames.end();
  if (ground && !is_massless(*ground->link))
    losses_.lost("world-mass", ground->link->line, link_subject("world"), "it has mass, and never moves");
  if (usual && !d_.time_step && !shows && !frames) return sdf;
  auto world = add(sdf, "world");
  put(world, "name", "default");
  if (d_.time_step) {
    auto physics = add(world, "physics");
    put(physics, "name", "default"), put(physics, "type", "ignored");
    add_text(physics, "max_step_size", number_text(*d_.time_step));
    add_text(physics, "real_time_factor", "1");
  }
  add_text(world, "gravity", numbers_text(g));
  if (shows) {
    auto model = add(world, "model");
    put(model, "name", "scenery");
    add_text(model, "static", "true");
    auto link = add(model, "link");
    put(link, "name", "link");
    write_geometries(*ground->link, link, ground->pose);
    losses_.replaced("scenery", ground->link->line, link_subject("world"), "the world has shapes",
                     "they are a static model 'scenery'");
  }
  return world;
}

// A joint is at the beginning where the posture "initial" has it, which SDF says of each axis.
std::optional<std::vector<double>> SdfWriter::initial_position(const JointDescription& joint) const {
  if (joint_traits(joint.type).axes != joint_traits(joint.type).nq()) return std::nullopt;
  for (const auto& posture : extras_.rest.postures)
    for (const auto& position : posture.positions)
      if (posture.name == "initial" && position.joint == joint.name &&
          int(position.q.size()) == joint_traits(joint.type).nq() &&
          std::ranges::any_of(position.q, [](double q) { return q != 0; }))
        return position.q;
  return std::nullopt;
}

// What the poses of links and the initial positions of axes say is not written again as the posture "initial".
void SdfWriter::drop_written_positions() {
  auto& postures = extras_.rest.postures;
  for (auto& posture : postures) {
    if (posture.name != "initial") continue;
    std::erase_if(posture.positions, [&](const PostureDescription::JointPosition& position) {
      const auto joint = std::ranges::find(d_.joints, position.joint, &JointDescription::name);
      if (joint != d_.joints.end()) return joint->type == JointType::free || initial_position(*joint).has_value();
      return std::ranges::find(extras_.joined, position.joint, &JoinedJoint::name) == extras_.joined.end();
    });
  }
  std::erase_if(postures, [](const auto& p) { return p.name == "initial" && p.positions.empty(); });
}

void SdfWriter::collect_rest() {
  const auto rest = [&](const char* code, const char* what, const auto& list, auto& into) {
    for (const auto& one : list)
      losses_.extended(code, one.line, what + (" " + in_quotes(one.name)), "it is " + with_article(what));
    into = list;
  };
  Description& out = extras_.rest;
  rest("coupling", "coupling", d_.couplings, out.couplings), rest("spring", "spring", d_.springs, out.springs);
  rest("tendon", "tendon", d_.tendons, out.tendons), rest("actuator", "actuator", out.actuators, d_.actuators);
  rest("contact-exclusion", "contact exclusion", d_.contact_exclusions, out.contact_exclusions);
  rest("contact-pair", "contact pair", d_.contact_pairs, out.contact_pairs);
  for (const auto& link : d_.links) {
    if (std::ranges::none_of(link.collisions, &Geometry::has_contact_groups)) continue;
    losses_.extended("contact-group", link.line, link_subject(link.name), "a collision has a contact group or mask");
    auto& groups = out.links.emplace_back();
    groups.name = link.name, groups.collisions = link.collisions;
    for (auto& collision : groups.collisions) collision.contact_material.clear();  // it is written with the shape
  }
  drop_written_positions();
  for (const auto& posture : out.postures)
    losses_.extended("posture", posture.line, "posture " + in_quotes(posture.name), "it is a posture");
  for (const auto& k : d_.kept) losses_.unused(k.line, k.subject, k.name);
  out.kept = d_.kept;
}

WriteResult SdfWriter::run() {
  prepare();
  tree_ = std::make_unique<BodyTree>(d_, [](const std::vector<BodyJoint>& joints) { return joints.size() < 2; });
  choose_names();
  for (const auto& joint : d_.joints) mimics_ = mimics_ || joint.mimic.has_value();
  pugi::xml_document document;
  auto declaration = document.append_child(pugi::node_declaration);
  put(declaration, "version", "1.0"), put(declaration, "encoding", "utf-8");
  auto sdf = add(document, "sdf");
  put(sdf, "version", mimics_ ? "1.11" : "1.9");
  auto world = wrapped_in_world(sdf);
  auto model = add(world, "model");
  write_model(model);
  write_frames(model, world);
  collect_rest();
  if (losses_.extensions()) write_extras(extras_, model, "lissom:extras");
  return {text_of(document), losses_.take(), meshes_.take(), losses_.not_read()};
}

WriteResult write_sdf(const Description& description, const WriteOptions& options) {
  return SdfWriter(description, options).run();
}

}  // namespace lissom::io::write
