#include <cmath>

#include "lissom/io/write/mjcf_writer.h"
#include "lissom/io/write/possible_inertia.h"
#include "lissom/io/write/prepare.h"
#include "lissom/io/write/xml_output.h"
#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"

namespace lissom::io::write {
namespace {

bool is_scalar(JointType type) {
  return joint_traits(type).nq() == 1;
}
bool is_uniform(const PerDof& values) {
  return values == values[0];
}

}  // namespace

// A free base is no joint of the description.
void MjcfWriter::write_root_joint(const BodyNode& body, Node node) {
  if (body.is_static) return;
  const BaseJoints joints(d_, Base::file);
  for (int i = 0; i < int(d_.links.size()); ++i) {
    if (d_.links[std::size_t(i)].name != body.link->name) continue;
    const auto base = joints.of(i);
    put(add(node, "freejoint"), "name", base.name);
    joints_.push_back({base.name, JointType::free, {}});
  }
}

void MjcfWriter::write_joint(const BodyJoint& one, Node node) {
  const JointDescription& joint = *one.joint;
  const bool slide = joint_traits(joint.type).is_slider(), ball = joint.type == JointType::spherical,
             free = joint.type == JointType::free;
  auto element = add(node, "joint");
  put(element, "name", joint.name);
  if (slide || ball || free) put(element, "type", slide ? "slide" : ball ? "ball" : "free");
  elements_["joint " + in_quotes(joint.name)] = element;
  Written written{joint.name, joint.type, {}};
  if (free) {
    const auto& parent = tree_->node(joint.parent);
    written.origin = tree_->in_world(parent) * joint.origin;
    if (!is_identity(written.origin))
      losses_.replaced("free-joint-origin", joint.line, joint_subject(joint.name),
                       "its coordinates are relative to another frame than the world's",
                       "they are relative to the world");
  } else {
    const auto& p = one.frame.p;
    if (!slide && (p.x != 0 || p.y != 0 || p.z != 0)) put(element, "pos", p);
    if (!ball) put(element, "axis", one.axis);
  }
  joints_.push_back(std::move(written));
  write_limits(joint, element);
  write_passive(joint, element);
}

void MjcfWriter::figure(const JointDescription& joint, const char* code, const char* attribute, const char* what,
                        const PerDof& values) {
  losses_.extended(code, joint.line, joint_subject(joint.name), std::string("it has ") + what);
  extras_.joint_figures.push_back({joint.name, attribute, values});
}

void MjcfWriter::write_limits(const JointDescription& joint, Node element) {
  const auto range = position_range(joint);
  constexpr double no_limit = 1e16;
  if (is_scalar(joint.type) && !(range.lower.empty() && range.upper.empty())) {
    double lower = range.lower.empty() ? -no_limit : range.lower[0],
           upper = range.upper.empty() ? no_limit : range.upper[0];
    if (std::isinf(lower)) lower = -no_limit;
    if (std::isinf(upper)) upper = no_limit;
    if (lower == upper) upper = std::nextafter(upper, no_limit);  // MuJoCo wants a range
    put(element, "range", numbers_text(std::array{lower, upper}));
  }
  const PerDof effort = magnitude_limit(joint.effort_limit), velocity = magnitude_limit(joint.velocity_limit);
  if (!(effort == JointDescription::unlimited)) {
    if (is_scalar(joint.type) && effort[0] > 0)
      put(element, "actuatorfrcrange", numbers_text(std::array{-effort[0], effort[0]}));
    else
      figure(joint, "effort-limit", "effort_limit", "an effort limit", effort);
  }
  if (!(velocity == JointDescription::unlimited))
    figure(joint, "velocity-limit", "velocity_limit", "a velocity limit", velocity);
}

void MjcfWriter::write_passive(const JointDescription& joint, Node element) {
  const bool scalar = is_scalar(joint.type);
  const auto common = [&](const char* attribute, const char* extension, const char* what, const PerDof& values) {
    put_unless(0, element, attribute, values[0]);
    if (!is_uniform(values)) figure(joint, "joint-figure", extension, what, values);
  };
  common("damping", "damping", "different damping for each degree of freedom", joint.damping);
  common("frictionloss", "friction", "different friction for each degree of freedom", joint.dry_friction);
  put_unless(0, element, "armature", joint.armature);
  if (joint.spring_stiffness == 0) return;
  if (scalar) {
    put(element, "stiffness", joint.spring_stiffness[0]);
    put_unless(0, element, "springref", joint.spring_rest[0]);
  } else {
    figure(joint, "joint-spring", "spring_stiffness", "a spring on several degrees of freedom", joint.spring_stiffness);
    if (!(joint.spring_rest == 0))
      figure(joint, "joint-spring", "spring_reference", "a spring on several degrees of freedom", joint.spring_rest);
  }
}

// MuJoCo wants mass and inertia of every body that has a joint, and possible inertias of all of them.
void MjcfWriter::write_inertial(const BodyNode& body, Node node) {
  const LinkDescription& link = *body.link;
  const bool moves = !body.joints.empty() || (body.parent < 0 && !body.is_static);
  if (!moves && is_massless(link)) return;
  const auto subject = link_subject(link.name);
  const double mass = moves ? std::max(link.mass, min_inertia) : link.mass;
  const Sym3<double> inertia = possible_inertia(link.inertia, min_inertia);
  const std::array written{inertia.xx, inertia.yy, inertia.zz, inertia.xy, inertia.xz, inertia.yz};
  const auto& I = link.inertia;
  const std::array wanted{I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  double change = std::abs(mass - link.mass);
  for (std::size_t i = 0; i < written.size(); ++i) change = std::max(change, std::abs(written[i] - wanted[i]));
  constexpr double little = 1e-12;
  if (change > little) {
    losses_.lost("inertia-impossible", link.line, subject,
                 "its principal moments are negative or violate A + B ≥ C, which MuJoCo refuses; the inertia is one",
                 "the nearest possible inertia is written, which differs by " + to_text(change) + " kg m²");
  } else if (change > 0) {
    losses_.replaced("massless-body", link.line, subject,
                     "it moves without mass or without a principal moment, which MuJoCo refuses",
                     "it is " + to_text(min_inertia) + " kg and kg m² there; lissom reads what it was");
    extras_.link_figures.push_back({link.name, link.mass, link.com, link.inertia});
  }
  auto element = add(node, "inertial");
  put(element, "pos", link.com), put(element, "mass", mass), put(element, "fullinertia", numbers_text(written));
}

}  // namespace lissom::io::write
