// Joints that close loops become constraints; a gearbox becomes a coupling of two joints.
#include <algorithm>
#include <cmath>
#include <map>

#include "lissom/io/sdf/parts.h"
#include "lissom/model/axes.h"
#include "lissom/model/text.h"

namespace lissom::io::sdf {
namespace {

double norm(const Vec3<double>& v) {
  return std::hypot(v.x, v.y, v.z);
}

// The rotation whose columns are x, y, and their cross product.
Mat3<double> rotation_of_columns(const Vec3<double>& x, const Vec3<double>& y) {
  const Vec3<double> z = cross(x, y);
  return {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}

// The axes that a joint holds, and a rotation from the joint's frame such that they are coordinate axes. Returns false
// if a loop cannot do what the joint does.
bool axes_of(const JointDescription& joint, LoopAxes& axes, Mat3<double>& R) {
  axes = {.along = {true, true, true}, .about = {true, true, true}};
  if (joint_traits(joint.type).axes > 0 && norm(joint.axis) == 0) return false;
  switch (joint.type) {
    case JointType::fixed:
      return true;
    case JointType::revolute:
    case JointType::continuous:
      axes.about[2] = false;
      R = rotation_from_z_to(unit(joint.axis));
      return true;
    case JointType::prismatic:
      axes.along[2] = false;
      R = rotation_from_z_to(unit(joint.axis));
      return true;
    case JointType::spherical:
      axes.about = {false, false, false};
      return true;
    case JointType::universal: {
      // The x axis of the parent stays at right angles to the y axis of the child.
      constexpr double tolerance = 1e-6;
      axes.about = {false, false, true};
      if (norm(joint.axis2) == 0) return false;
      const auto x = unit(joint.axis), y = unit(joint.axis2);
      if (std::abs(dot(x, y)) > tolerance) return false;
      R = rotation_of_columns(x, unit(y - dot(x, y) * x));
      return true;
    }
    default:
      return false;
  }
}

// Joints with one coordinate, by the links that they connect, the smaller one first.
using JointsByLinks = std::map<std::pair<int, int>, const FileJoint*>;

// The joint between the reference of a gearbox and one of its links, with the sign of its angle: +1 if it counts the
// rotation of the link relative to the reference about the axis.
const FileJoint* geared_joint(const JointsByLinks& joints, const FileJoint& gearbox, int link, const Vec3<double>& axis,
                              const Frames& frames, double& sign) {
  const int reference = gearbox.gear_reference;
  const auto found = joints.find(std::minmax(reference, link));
  if (found == joints.end()) return nullptr;
  const FileJoint& joint = *found->second;
  const Vec3<double> other = frames.pose(gearbox.frame, joint.frame).R * joint.joint.axis;
  sign = (dot(axis, other) < 0 ? -1 : 1) * (joint.parent == reference ? 1 : -1);
  return &joint;
}

void add_gearbox(const FileJoint& gearbox, const JointsByLinks& joints, Reading& reading) {
  double sign1 = 1, sign2 = 1;
  const auto* first = geared_joint(joints, gearbox, gearbox.parent, gearbox.joint.axis, reading.frames, sign1);
  const auto* second = geared_joint(joints, gearbox, gearbox.child, gearbox.joint.axis2, reading.frames, sign2);
  if (!first || !second)
    return reading.report.add(Severity::error, "gearbox", gearbox.joint.line, reading.frames.subject(gearbox.frame),
                              "its " + std::string(first ? "child" : "parent") +
                                  " is not connected to the reference body by a joint with one coordinate",
                              "add a revolute joint between them");
  // The second angle is -ratio times the first one.
  JointCoupling coupling;
  coupling.name = gearbox.joint.name;
  coupling.joint = second->joint.name;
  coupling.of = first->joint.name;
  coupling.coefficients = {0, -gearbox.gear_ratio * sign1 * sign2};
  coupling.line = gearbox.joint.line;
  reading.description.couplings.push_back(std::move(coupling));
}

}  // namespace

void add_loop(const FileJoint& joint, Reading& reading) {
  const Frames& frames = reading.frames;
  const std::string subject = frames.subject(joint.frame);
  LoopDescription loop;
  loop.name = joint.joint.name;
  loop.line = joint.joint.line;
  Pose<double> X;
  if (!axes_of(joint.joint, loop.axes, X.R))
    return reading.report.add(Severity::error, "loop-unsupported", loop.line, subject,
                              "it closes a loop, but a " + std::string(to_string(joint.joint.type)) +
                                  " joint with these axes cannot become a constraint",
                              "let another joint close the loop: the last one of the loop in the file does");
  const auto attachment = [&](int link) {
    return AttachmentDescription{frames[link].name, frames.pose(link, joint.frame) * X};
  };
  loop.a = attachment(joint.parent);
  loop.b = attachment(joint.child);
  reading.report.add(Severity::note, "joint-closes-loop", loop.line, subject,
                     "it closes a loop, and becomes a constraint without a coordinate of its own",
                     "none needed; which joint closes a loop depends on their order in the file");
  const JointDescription& j = joint.joint;
  if (!j.lower.empty() || !(j.damping == 0) || !(j.dry_friction == 0) || !(j.spring_stiffness == 0) || j.mimic)
    reading.report.add(Severity::warning, "loop-dynamics", loop.line, subject,
                       "it closes a loop: its limits, damping, friction, spring and mimic are not used",
                       "let another joint close the loop: the last one of the loop in the file does");
  reading.description.loops.push_back(std::move(loop));
}

void add_gearboxes(const std::vector<FileJoint>& joints, Reading& reading) {
  JointsByLinks by_links;
  for (const FileJoint& joint : joints)
    if (joint_traits(joint.joint.type).nq() == 1 && joint.parent != none && joint.child != none)
      by_links.try_emplace(std::minmax(joint.parent, joint.child), &joint);
  for (const FileJoint& joint : joints)
    if (joint.is_gearbox && joint.parent != none && joint.child != none && joint.gear_reference != none)
      add_gearbox(joint, by_links, reading);
}

}  // namespace lissom::io::sdf
