#include <algorithm>
#include <cmath>

#include "lissom/io/type_names.h"
#include "lissom/io/write/prepare.h"
#include "lissom/io/write/sdf_writer.h"
#include "lissom/io/write/xml_output.h"
#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"

namespace lissom::io::write {
namespace {

constexpr double no_sdf_limit = 1e16;  // as SDF says it

std::string_view sdf_type(const JointDescription& joint) {
  const bool continuous = joint.type == JointType::revolute && !is_limited(joint);
  return format_name(continuous ? JointType::continuous : joint.type, sdf_type_names);
}

double bounded(const std::vector<double>& limits, int k, double none) {
  const double x = limits.empty() ? none : limits[std::size_t(k)];
  return std::isinf(x) ? none : x;
}

}  // namespace

void SdfWriter::figure(const JointDescription& joint, const char* code, const char* attribute, const char* what,
                       const PerDof& values) {
  losses_.extended(code, joint.line, joint_subject(joint.name), std::string("it has ") + what);
  extras_.joint_figures.push_back({joint.name, attribute, values});
}

// A root that does not move is fixed to the world; others float.
void SdfWriter::write_root_joint(const BodyNode& body, Node model) {
  if (!body.is_static) return;
  auto node = add(model, "joint");
  put(node, "name", link_name(body.link->name) + "/world"), put(node, "type", "fixed");
  add_text(node, "parent", "world"), add_text(node, "child", link_name(body.link->name));
}

void SdfWriter::write_joint(const BodyNode& body, Node model) {
  if (body.parent < 0) return write_root_joint(body, model);
  const BodyNode& parent = tree_->nodes()[std::size_t(body.parent)];
  const JointDescription& joint = body.joints.empty() ? *body.fixed : *body.joints[0].joint;
  if (joint.type == JointType::free) {
    losses_.extended("free-joint-name", joint.line, joint_subject(joint.name),
                     "a joint that lets a link float has a name");
    extras_.free_joints.push_back(joint);
    return;
  }
  auto node = add(model, "joint");
  put(node, "name", joint_name(joint.name)), put(node, "type", sdf_type(joint));
  add_text(node, "parent", is_world(parent) ? "world" : link_name(parent.link->name));
  add_text(node, "child", link_name(body.link->name));
  if (body.joints.empty()) return;
  const auto& p = body.joints[0].frame.p;
  if (p.x != 0 || p.y != 0 || p.z != 0) add_sdf_pose(node, {identity3<double>(), p});
  if (joint_traits(joint.type).has_pitch) add_text(node, "thread_pitch", number_text(-1 / joint.pitch));
  write_axes(body.joints[0], node);
}

void SdfWriter::write_axes(const BodyJoint& one, Node node) {
  const JointDescription& joint = *one.joint;
  if (joint.armature != 0) figure(joint, "armature", "armature", "armature", joint.armature);
  if (joint.type == JointType::spherical) {
    const auto ball = [&](const char* attribute, const PerDof& values, double none) {
      if (!(values == none)) figure(joint, "joint-figure", attribute, "a figure that SDF has for axes only", values);
    };
    ball("damping", joint.damping, 0), ball("friction", joint.dry_friction, 0);
    ball("spring_stiffness", joint.spring_stiffness, 0), ball("spring_reference", joint.spring_rest, 0);
    ball("velocity_limit", magnitude_limit(joint.velocity_limit), JointDescription::unlimited);
    ball("effort_limit", magnitude_limit(joint.effort_limit), JointDescription::unlimited);
    return;
  }
  write_axis(joint, 0, one.axis, add(node, "axis"));
  if (joint_traits(joint.type).axes > 1) write_axis(joint, 1, one.axis2, add(node, "axis2"));
}

void SdfWriter::write_axis(const JointDescription& joint, int k, const Vec3<double>& xyz, Node axis) {
  add_text(axis, "xyz", numbers_text(xyz));
  auto limit = add(axis, "limit");
  const auto range = position_range(joint);
  add_text(limit, "lower", number_text(bounded(range.lower, k, -no_sdf_limit)));
  add_text(limit, "upper", number_text(bounded(range.upper, k, no_sdf_limit)));
  const double effort = magnitude_limit(joint.effort_limit)[k], velocity = magnitude_limit(joint.velocity_limit)[k];
  if (std::isfinite(effort)) add_text(limit, "effort", number_text(effort));
  if (std::isfinite(velocity)) add_text(limit, "velocity", number_text(velocity));
  auto dynamics = add(axis, "dynamics");
  const auto figure_of = [&](const char* name, const PerDof& values) {
    if (values[k] != 0) add_text(dynamics, name, number_text(values[k]));
  };
  figure_of("damping", joint.damping), figure_of("friction", joint.dry_friction);
  figure_of("spring_reference", joint.spring_rest), figure_of("spring_stiffness", joint.spring_stiffness);
  if (!dynamics.first_child()) axis.remove_child(dynamics);
  if (const auto q = initial_position(joint); q && (*q)[std::size_t(k)] != 0)
    add_text(axis, "initial_position", number_text((*q)[std::size_t(k)]));
  if (!joint.mimic || k > 0) return;
  auto mimic = add(axis, "mimic");
  put(mimic, "joint", joint_name(joint.mimic->joint)), put(mimic, "axis", "axis");
  add_text(mimic, "multiplier", number_text(joint.mimic->ratio));
  add_text(mimic, "offset", number_text(joint.mimic->offset));
  add_text(mimic, "reference", "0");
}

// A joint that closes the loop, if there is one and the ends are together at q = 0. Returns false otherwise.
bool SdfWriter::write_loop(const LoopDescription& loop, Node model) {
  if (loop.kind != LoopKind::axes) return false;
  const auto& along = loop.axes.along;
  const auto& about = loop.axes.about;
  const auto held = [](const std::array<bool, 3>& axes) { return std::ranges::count(axes, true); };
  const auto a = tree_->place(loop.a), b = tree_->place(loop.b);
  const auto world = [&](const BodyTree::Place& place) {
    return place.node ? tree_->in_world(*place.node) * place.pose : place.pose;
  };
  const Pose<double> X = world(a), Y = world(b);
  constexpr double rounding = 1e-9;
  const auto gap = length(column_x(X.R) - column_x(Y.R)) + length(column_y(X.R) - column_y(Y.R));
  const bool ball = held(along) == 3 && held(about) == 0;
  const bool closed = length(X.p - Y.p) < rounding && (ball || gap < rounding);
  // The child has to be moved by another joint: otherwise this one would be the joint of the tree.
  if (!closed || !b.node || b.node->parent < 0 || is_world(*b.node) || !a.node ||
      a.node->is_static != b.node->is_static)
    return false;
  const char* type = nullptr;
  int axis = -1;
  const auto free_axis = [](const std::array<bool, 3>& axes) {
    return int(std::ranges::find(axes, false) - axes.begin());
  };
  if (ball) type = "ball";
  if (held(along) == 3 && held(about) == 3) type = "fixed";
  if (held(along) == 3 && held(about) == 2) type = "revolute", axis = free_axis(about);
  if (held(along) == 2 && held(about) == 3) type = "prismatic", axis = free_axis(along);
  if (!type) return false;
  auto node = add(model, "joint");
  put(node, "name", loop.name), put(node, "type", type);
  add_text(node, "parent", is_world(*a.node) ? "world" : link_name(a.node->link->name));
  add_text(node, "child", link_name(b.node->link->name));
  add_sdf_pose(node, b.pose);
  if (axis >= 0) add_text(add(node, "axis"), "xyz", axis == 0 ? "1 0 0" : axis == 1 ? "0 1 0" : "0 0 1");
  return true;
}

void SdfWriter::write_loops(Node model) {
  for (const auto& loop : d_.loops) {
    const std::string subject = "loop " + in_quotes(loop.name);
    extras_.rest.loops.push_back(loop);
    if (write_loop(loop, model)) {
      extras_.helper_loops.push_back(loop.name);  // it comes back as it was
      losses_.replaced("loop", loop.line, subject, "it closes a loop", "it is a joint whose child another joint moves");
    } else {
      losses_.extended("loop", loop.line, subject, "it is a constraint of this kind, or open at q = 0");
    }
  }
}

}  // namespace lissom::io::write
