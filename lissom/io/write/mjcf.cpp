// Writes MJCF, the format of MuJoCo. What it cannot say is in one text of <custom>.
#include <algorithm>
#include <cmath>

#include "lissom/io/write/mjcf_writer.h"
#include "lissom/io/write/prepare.h"
#include "lissom/io/write/xml_output.h"
#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom::io::write {
namespace {

// MuJoCo allows six degrees of freedom of a body, a ball joint only as the last rotation, and a free joint alone.
bool are_allowed(const std::vector<BodyJoint>& joints) {
  int count = 0;
  bool ball = false;
  for (const auto& one : joints) {
    const JointType type = one.joint->type;
    if (type == JointType::free && joints.size() > 1) return false;
    if (ball && !joint_traits(type).is_slider()) return false;
    ball = ball || type == JointType::spherical;
    count += joint_traits(type).nv();
  }
  return count <= 6;
}

}  // namespace

std::string quaternion_text(const Mat3<double>& R) {
  const auto q = quaternion_of(R);
  return numbers_text(std::array{q.w, q.x, q.y, q.z});
}

void put_mjcf_pose(pugi::xml_node node, const Pose<double>& X) {
  if (X.p.x != 0 || X.p.y != 0 || X.p.z != 0) put(node, "pos", X.p);
  if (!is_identity(X.R)) put(node, "quat", quaternion_text(X.R));
}

MjcfWriter::MjcfWriter(const Description& description, const WriteOptions& options)
    : d_(prepared(description, options)),
      losses_(description, Format::mjcf, options),
      meshes_(Format::mjcf, options, losses_) {}

// Joint types that MuJoCo does not have, and mimic joints, are replaced.
void MjcfWriter::prepare() {
  // Free joints are allowed between the world and a body.
  const BodyTree before(d_, [](const auto&) { return true; });
  const auto floats = [&](const JointDescription& joint) {
    return joint.type == JointType::free && before.has(joint.parent) && before.node(joint.parent).is_static;
  };
  extras_.joined = split_joints(d_, [&](const JointDescription& joint) {
    if (joint_traits(joint.type).is_elementary() || floats(joint)) return false;
    losses_.replaced("joint-type", joint.line, joint_subject(joint.name),
                     "its type is " + std::string(lissom::to_string(joint.type)) + ", which MJCF does not have",
                     joint_traits(joint.type).has_pitch
                         ? "it is a hinge and a slide with an equality, which is not exact"
                         : "it is several hinges and slides of one body");
    return true;
  });
  for (auto& joint : d_.joints) {
    if (!joint.mimic) continue;
    losses_.replaced("mimic", joint.line, joint_subject(joint.name),
                     "it follows joint " + in_quotes(joint.mimic->joint) + " exactly",
                     "it has a coordinate of its own, and an equality, which MuJoCo meets approximately");
    const std::string name = joint.name + "/mimic";
    d_.couplings.push_back(
        {name, joint.name, joint.mimic->joint, {joint.mimic->offset, joint.mimic->ratio}, joint.line});
    extras_.mimics.push_back(name);
  }
}

std::string MjcfWriter::body_name(const std::string& link) const {
  const auto& node = tree_->node(link);
  if (is_worldbody(node)) return "world";
  return link == "world" ? "world_link" : link;
}

// A root called world that does not move is the world.
bool MjcfWriter::is_worldbody(const BodyNode& body) const {
  return body.parent < 0 && body.is_static && body.link->name == "world";
}

void MjcfWriter::write_options(Node mujoco) {
  auto compiler = add(mujoco, "compiler");
  put(compiler, "angle", "radian"), put(compiler, "autolimits", "true"), put(compiler, "inertiafromgeom", "false");
  auto option = add(mujoco, "option");
  put(option, "gravity", d_.gravity);
  if (d_.time_step) put(option, "timestep", *d_.time_step);
  elements_["option"] = option;
}

void MjcfWriter::write_bodies(Node mujoco) {
  auto world = add(mujoco, "worldbody");
  const auto& nodes = tree_->nodes();
  std::vector<Node> written(nodes.size());
  std::vector<Pose<double>> shift(nodes.size());  // of a body's frame in that of its element
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const BodyNode& body = nodes[i];
    const bool floats = !body.joints.empty() && body.joints[0].joint->type == JointType::free;
    Pose<double> X = body.parent < 0 ? body.pose : shift[std::size_t(body.parent)] * body.pose;
    if (is_worldbody(body)) {
      written[i] = world, shift[i] = X;
      bodies_[body.link->name] = world;
      if (!is_massless(*body.link))
        losses_.lost("world-mass", body.link->line, link_subject(body.link->name), "it has mass, and never moves");
      write_content(body, world, X);
      continue;
    }
    Node parent = world;
    if (floats)
      X = tree_->in_world(body) * starting_pose(d_, body.joints[0].joint->name);
    else if (body.parent >= 0)
      parent = written[std::size_t(body.parent)];
    written[i] = add(parent, "body");
    write_body(body, written[i], X);
  }
}

void MjcfWriter::write_body(const BodyNode& body, Node node, const Pose<double>& X) {
  const std::string& name = body.link->name;
  bodies_[name] = node;
  put(node, "name", body_name(name));
  if (name == "world")
    losses_.lost("name", body.link->line, link_subject(name), "it is called world, and is not the world",
                 "it is called 'world_link'");
  put_mjcf_pose(node, X);
  elements_[link_subject(name)] = node;
  if (body.link->connects_joints) extras_.connecting_links.push_back(name);
  if (body.parent < 0) write_root_joint(body, node);
  for (const auto& joint : body.joints) write_joint(joint, node);
  if (body.fixed && body.fixed->name != name + "/fixed") {
    extras_.fixed_joints.push_back({name, body.fixed->name});
    losses_.extended("fixed-joint-name", body.fixed->line, joint_subject(body.fixed->name), "a fixed joint has a name");
  }
  write_inertial(body, node);
  write_content(body, node, {});
}

void MjcfWriter::write_content(const BodyNode& body, Node node, const Pose<double>& X) {
  for (const auto& frame : d_.frames) {
    if (frame.link != body.link->name) continue;
    auto site = add(node, "site");
    put(site, "name", frame.name);
    elements_["site " + in_quotes(frame.name)] = site;
    put_mjcf_pose(site, X * frame.origin);
  }
  write_geoms(*body.link, node, X, body.is_static);
}

void MjcfWriter::write_rest(Node mujoco) {
  const auto rest = [&](const char* code, const char* what, const auto& list) {
    for (const auto& one : list)
      losses_.extended(code, one.line, what + (" " + in_quotes(one.name)), "it is " + with_article(what));
  };
  rest("spring", "spring", extras_.rest.springs);
  for (const auto& material : d_.contact_materials)
    if (material.restitution != 0)
      losses_.lost("restitution", material.line, "contact material " + in_quotes(material.name),
                   "it has a coefficient of restitution");
  if (!losses_.extensions()) return;
  const auto text = extras_text(extras_);
  if (text.empty()) return;
  auto node = add(add(mujoco, "custom"), "text");
  put(node, "name", "lissom"), put(node, "data", text);
}

WriteResult MjcfWriter::run() {
  prepare();
  tree_ = std::make_unique<BodyTree>(d_, are_allowed);
  pugi::xml_document document;
  auto mujoco = add(document, "mujoco");
  put(mujoco, "model", d_.name.empty() ? "robot" : d_.name);
  write_options(mujoco);
  assets_ = add(mujoco, "asset");
  write_bodies(mujoco);
  write_assets(mujoco);
  write_tendons(mujoco);
  write_equalities(mujoco);
  write_actuators(mujoco);
  write_contacts(mujoco);
  write_keyframes(mujoco);
  write_kept(mujoco);
  write_rest(mujoco);
  return {text_of(document), losses_.take(), meshes_.take(), losses_.not_read()};
}

WriteResult write_mjcf(const Description& description, const WriteOptions& options) {
  return MjcfWriter(description, options).run();
}

}  // namespace lissom::io::write
