#include "lissom/io/sdf/parts.h"
#include "lissom/model/text.h"

namespace lissom::io::sdf {
namespace {

Sym3<double> read_inertia(const Element& inertial) {
  const Element inertia = inertial.child("inertia");
  if (!inertia) {
    inertial.report().count(Severity::note, "inertia-default", inertial.line(), inertial.subject(),
                            "<inertial> has no <inertia>; as SDF says, it is 1 kg m² about each axis",
                            "add <inertia>, in kg m²", "inertia");
    return {1, 0, 0, 1, 0, 1};
  }
  inertia.expect({}, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"});
  const auto element = [&](const char* name, double otherwise) {
    if (!inertia.peek(name) && otherwise != 0)
      inertia.warning("missing-element",
                      "<inertia> has no <" + std::string(name) + ">; as SDF says, it is " + to_text(otherwise),
                      "add it, in kg m²");
    return number_in(inertia, name).value_or(otherwise);
  };
  return {element("ixx", 1), element("ixy", 0), element("ixz", 0),
          element("iyy", 1), element("iyz", 0), element("izz", 1)};
}

Pose<double> read_inertial_pose(const Element& inertial) {
  const WrittenPose pose = read_pose(inertial);
  if (!pose.relative_to.empty())
    inertial.warning("relative-to-ignored",
                     "the pose of <inertial> is relative to the link; its relative_to is ignored",
                     "remove relative_to, or frame");
  return pose.pose;
}

void read_inertial(const Element& inertial, const Element& link, const Part& part, Reading& reading,
                   LinkDescription& result) {
  inertial.expect({"auto"}, {"mass", "pose", "inertia", "fluid_added_mass", "density", "auto_inertia_params", "frame"});
  keep_children(inertial, {"density", "auto_inertia_params"}, reading.description);
  if (const Element fluid = inertial.child("fluid_added_mass")) {
    fluid.warning("fluid-added-mass", "<fluid_added_mass> is not used: lissom has no fluid",
                  "none needed in air; under water, accelerations will be too large");
    keep(fluid, {}, reading.description);
  }
  if (inertial.has("auto") && to_flag(inertial, inertial.text("auto"), "attribute 'auto'").value_or(false))
    return compute_inertia(inertial, link, part, reading, result);
  const auto mass = number_in(inertial, "mass");
  if (!inertial.peek("mass"))
    inertial.report().count(Severity::note, "mass-default", inertial.line(), inertial.subject(),
                            "<inertial> has no <mass>; as SDF says, it is 1 kg", "add <mass>, in kg", "mass");
  result.mass = mass.value_or(1);
  const Sym3<double> I = read_inertia(inertial);
  const Pose<double> X = read_inertial_pose(inertial);
  result.com = X.p;
  const bool along_link = X.R.xx == 1 && X.R.yy == 1 && X.R.zz == 1;
  result.inertia = along_link ? I : congruence(X.R, I);
}

void read_flags(const Element& link, Reading& reading) {
  if (!flag_in(link, "gravity").value_or(true))
    link.warning("gravity-off", "gravity does not act on this link in Gazebo; in lissom it does",
                 "compensate its weight by a force, or set the gravity of the world to zero");
  if (flag_in(link, "kinematic").value_or(false))
    link.warning("kinematic", "the link is kinematic only in Gazebo; in lissom it has its mass",
                 "make its model static if it is not to move");
  keep_children(link, {"gravity", "kinematic", "self_collide", "enable_wind", "must_be_base_link", "velocity_decay"},
                reading.description);
}

}  // namespace

Pose<double> pose_in_link(const Element& element, const Part& part, Reading& reading) {
  const WrittenPose pose = read_pose(element);
  if (pose.relative_to.empty()) return pose.pose;
  const int relative_to = reading.frames.find(reading.frames[part.frame].scope, pose.relative_to, "relative_to",
                                              pose.line, std::string(element.subject()), reading.report);
  return relative_to == none || relative_to == part.frame ? pose.pose
                                                          : reading.frames.pose(part.frame, relative_to) * pose.pose;
}

LinkDescription read_link(const Part& part, Reading& reading) {
  const Frame& frame = reading.frames[part.frame];
  const std::string subject = reading.frames.subject(part.frame);
  const Element link = reading.element(part.node, subject);
  link.expect({"name"}, {"pose", "inertial", "collision", "visual", "sensor", "projector", "audio_sink", "audio_source",
                         "battery", "light", "particle_emitter", "gravity", "enable_wind", "self_collide", "kinematic",
                         "must_be_base_link", "velocity_decay", "plugin"});
  LinkDescription result;
  result.name = frame.name;
  result.line = frame.line;
  for (const pugi::xml_node node : link.children()) {
    const Element child = reading.element(node, subject);
    if (child.tag() == "visual") read_visual(child, part, reading, result.visuals);
    if (child.tag() == "collision") read_collision(child, part, reading, result.collisions);
    for (const char* other :
         {"sensor", "projector", "audio_sink", "audio_source", "battery", "light", "particle_emitter", "plugin"})
      if (child.tag() == other) not_read(child, "it has no part in the mechanics");
  }
  read_flags(link, reading);
  if (const Element inertial = link.child("inertial")) {
    read_inertial(inertial, link, part, reading, result);
  } else {
    result.mass = 1;
    result.inertia = {1, 0, 0, 1, 0, 1};
    if (!reading.frames.scope(frame.scope).is_static)
      reading.report.count(Severity::note, "inertial-default", result.line, subject,
                           "the link has no <inertial>; as SDF says, its mass is 1 kg, its inertia 1 kg m²",
                           "add <inertial>", "inertial");
  }
  return result;
}

}  // namespace lissom::io::sdf
