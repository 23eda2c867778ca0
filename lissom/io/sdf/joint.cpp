#include <algorithm>
#include <cmath>
#include <numbers>

#include "lissom/io/sdf/parts.h"
#include "lissom/io/type_names.h"
#include "lissom/model/text.h"

namespace lissom::io::sdf {
namespace {

JointType read_type(const Element& joint) {
  const std::string_view name = joint.text("type");
  if (const auto* known = std::ranges::find(sdf_type_names, name, &TypeName::name); known != std::end(sdf_type_names))
    return known->type;
  std::vector<std::string_view> names;
  for (const TypeName& known : sdf_type_names) names.push_back(known.name);
  const std::string suggestion = did_you_mean(name, names);
  joint.error("joint-type", name.empty() ? "the joint has no type" : "joint type " + in_quotes(name) + " is unknown",
              suggestion.empty() ? "use revolute, continuous, prismatic, fixed, ball, universal, screw, revolute2 or "
                                   "gearbox"
                                 : suggestion);
  return JointType::fixed;
}

// The link that an end of a joint is on; the names of frames are accepted, too.
int read_end(const Element& joint, const char* which, int frame, Reading& reading) {
  const Element end = joint.child(which);
  const std::string name = end ? end.value() : std::string();
  if (name.empty()) {
    joint.error("joint-ends", "it has no " + std::string(which),
                "add <" + std::string(which) + ">, with the name of a link");
    return none;
  }
  end.expect_value();
  if (name == "world") return world_frame;
  const Frames& frames = reading.frames;
  const bool is_child = std::string_view(which) == "child";
  // That of the child has been looked for already.
  const int found =
      is_child ? frames[frame].attached
               : frames.find(frames[frame].scope, name, "<parent>", end.line(), frames.subject(frame), reading.report);
  if (found == none) return none;
  if (frames[found].link == none)
    end.error("joint-ends", "its " + std::string(which) + " " + in_quotes(name) + " is attached to no link",
              "name a link, or attach the frame to one");
  return frames[found].link;
}

// An axis in the frame of the joint. Until 1.4, axes were along the model's frame.
Vec3<double> read_xyz(const Element& axis, int frame, Reading& reading) {
  const Frames& frames = reading.frames;
  const Version version = frames.scope(frames[frame].scope).version;
  const Element element = axis.child("xyz");
  Vec3<double> xyz{0, 0, 1};
  if (!element)
    axis.warning("missing-element", "<" + std::string(axis.tag()) + "> has no <xyz>; as SDF says, it is 0 0 1",
                 "add <xyz>");
  NumberList n;
  if (element) {
    element.expect_value({"expressed_in"});
    if (read_numbers(element, 3, n)) xyz = {n.value[0], n.value[1], n.value[2]};
  }
  const int scope = frames[frame].scope;
  int expressed_in = frame;
  if (flag_in(axis, "use_parent_model_frame").value_or(version.before(5))) expressed_in = frames.scope(scope).model;
  if (element && element.has("expressed_in") && !element.text("expressed_in").empty())
    expressed_in = frames.find(scope, element.text("expressed_in"), "expressed_in", element.line(),
                               frames.subject(frame), reading.report);
  if (expressed_in == none || expressed_in == frame) return xyz;
  return frames.pose(frame, expressed_in).R * xyz;
}

// What one axis says.
struct AxisValues {
  Vec3<double> xyz{0, 0, 1};
  double lower = -JointDescription::unlimited, upper = JointDescription::unlimited;
  double velocity = JointDescription::unlimited, effort = JointDescription::unlimited;
  double damping = 0, friction = 0, stiffness = 0, rest = 0;
  double initial_position = 0;
  std::optional<Mimic> mimic;
};

void read_limit(const Element& limit, AxisValues& values, Reading& reading) {
  limit.expect({}, {"lower", "upper", "effort", "velocity", "stiffness", "dissipation"});
  constexpr double no_limit = 1e15;  // files say ±1e16 where there is none
  const double lower = number_in(limit, "lower", Infinity::accept).value_or(values.lower);
  const double upper = number_in(limit, "upper", Infinity::accept).value_or(values.upper);
  if (lower > -no_limit) values.lower = lower;
  if (upper < no_limit) values.upper = upper;
  // Negative ones say that there is none.
  const double effort = number_in(limit, "effort", Infinity::accept).value_or(-1);
  const double velocity = number_in(limit, "velocity", Infinity::accept).value_or(-1);
  if (effort >= 0 && effort < no_limit) values.effort = effort;
  if (velocity >= 0 && velocity < no_limit) values.velocity = velocity;
  keep(limit, {"lower", "upper", "effort", "velocity"}, reading.description);
}

std::optional<Mimic> read_mimic(const Element& axis, int frame, Reading& reading) {
  const Element mimic = axis.child("mimic");
  if (!mimic) return std::nullopt;
  mimic.expect({"joint", "axis"}, {"multiplier", "offset", "reference"});
  if (!mimic.has("joint")) {
    mimic.missing("joint");
    return std::nullopt;
  }
  const int scope = reading.frames[frame].scope;
  const int leader = reading.frames.find(scope, mimic.text("joint"));
  const double ratio = number_in(mimic, "multiplier").value_or(1);
  const double offset = number_in(mimic, "offset").value_or(0), reference = number_in(mimic, "reference").value_or(0);
  // If the name is unknown, validate() says so.
  return Mimic{leader == none ? std::string(mimic.text("joint")) : reading.frames[leader].name, ratio,
               offset - ratio * reference};
}

AxisValues read_axis(const Element& axis, int frame, Reading& reading) {
  AxisValues values;
  axis.expect({}, {"xyz", "dynamics", "limit", "use_parent_model_frame", "initial_position", "mimic"});
  values.xyz = read_xyz(axis, frame, reading);
  if (const Element limit = axis.child("limit")) read_limit(limit, values, reading);
  if (const Element dynamics = axis.child("dynamics")) {
    dynamics.expect({}, {"damping", "friction", "spring_reference", "spring_stiffness"});
    values.damping = number_in(dynamics, "damping").value_or(0);
    values.friction = number_in(dynamics, "friction").value_or(0);
    values.stiffness = number_in(dynamics, "spring_stiffness").value_or(0);
    values.rest = number_in(dynamics, "spring_reference").value_or(0);
  }
  values.initial_position = number_in(axis, "initial_position").value_or(0);
  values.mimic = read_mimic(axis, frame, reading);
  return values;
}

PerDof each(double a, double b) {
  return a == b ? PerDof(a) : PerDof(std::span<const double>(std::array{a, b}));
}

void set_axes(const AxisValues& a, const AxisValues& b, FileJoint& result) {
  JointDescription& joint = result.joint;
  const bool two = joint.type == JointType::universal;
  const AxisValues& second = two ? b : a;
  joint.axis = a.xyz;
  joint.axis2 = two || result.is_gearbox ? b.xyz : a.xyz;
  joint.velocity_limit = each(a.velocity, second.velocity);
  joint.effort_limit = each(a.effort, second.effort);
  joint.damping = each(a.damping, second.damping);
  joint.dry_friction = each(a.friction, second.friction);
  joint.spring_stiffness = each(a.stiffness, second.stiffness);
  joint.spring_rest = each(a.rest, second.rest);
  result.initial_position = {a.initial_position, second.initial_position};
  joint.mimic = a.mimic;
  const bool limited =
      std::isfinite(a.lower) || std::isfinite(a.upper) || (two && (std::isfinite(b.lower) || std::isfinite(b.upper)));
  if (!limited || joint.type == JointType::continuous || joint.type == JointType::spherical) return;
  joint.lower = {a.lower}, joint.upper = {a.upper};
  if (two) joint.lower.push_back(b.lower), joint.upper.push_back(b.upper);
}

void read_axes(const Element& element, Reading& reading, FileJoint& result) {
  const int axes = result.is_gearbox ? 2 : joint_traits(result.joint.type).axes;
  const Element first = element.child("axis"), second = element.child("axis2");
  if (axes > 0 && !first)
    return element.error("axis-missing", "a " + std::string(element.text("type")) + " joint has no <axis>",
                         "add <axis><xyz>0 0 1</xyz></axis>");
  if (axes > 1 && !second)
    return element.error("axis-missing", "a " + std::string(element.text("type")) + " joint has no <axis2>",
                         "add <axis2>, its second axis");
  if (second && axes < 2)
    second.note("axis-ignored", "a " + std::string(element.text("type")) + " joint has no second axis; it is ignored",
                "remove <axis2>");
  AxisValues a, b;
  if (first && axes > 0) a = read_axis(first, result.frame, reading);
  if (second && axes > 1) b = read_axis(second, result.frame, reading);
  // A ball joint may have an axis for its dynamics.
  if (first && result.joint.type == JointType::spherical) {
    const Element dynamics = first.child("dynamics");
    result.joint.damping = number_in(dynamics, "damping").value_or(0);
    result.joint.dry_friction = number_in(dynamics, "friction").value_or(0);
    return keep(first, {"xyz", "damping", "friction"}, reading.description);
  }
  if (axes == 0) return;
  set_axes(a, b, result);
  if (b.mimic)
    second.error("mimic-size", "the second axis of a joint mimics another joint",
                 "only joints with one coordinate can mimic: make it two revolute joints");
}

// thread_pitch has the unit rad/m, and a positive one is a left-handed thread; screw_thread_pitch has m per turn.
void read_pitch(const Element& element, JointDescription& joint) {
  const auto old = number_in(element, "thread_pitch"), pitch = number_in(element, "screw_thread_pitch");
  if (joint.type != JointType::helical) {
    if (old || pitch) element.note("pitch-ignored", "a thread pitch is given, but the joint is no screw", "remove it");
    return;
  }
  if (old && *old == 0) {
    element.error("pitch-zero", "thread_pitch is 0 rad/m: the joint would not be able to rotate",
                  "write screw_thread_pitch, in meters per revolution");
    joint.pitch = 1;
  } else if (pitch) {
    joint.pitch = *pitch / (2 * std::numbers::pi);
  } else if (old) {
    joint.pitch = -1 / *old;
  } else {
    element.warning("missing-element",
                    "a screw joint has no <screw_thread_pitch>; as SDF says, it is 1 m per revolution", "add it");
    joint.pitch = 1 / (2 * std::numbers::pi);
  }
}

void read_gearbox(const Element& element, Reading& reading, FileJoint& result) {
  result.gear_ratio = number_in(element, "gearbox_ratio").value_or(1);
  const std::string reference = text_in(element, "gearbox_reference_body");
  if (!result.is_gearbox)
    return keep_children(element, {"gearbox_ratio", "gearbox_reference_body"}, reading.description);
  if (reference.empty())
    return element.error("gearbox", "a gearbox has no <gearbox_reference_body>",
                         "name the link that both geared links are connected to");
  if (reference == "world") {
    result.gear_reference = world_frame;
    return;
  }
  const int scope = reading.frames[result.frame].scope;
  const int found = reading.frames.find(scope, reference, "<gearbox_reference_body>", element.line(),
                                        std::string(element.subject()), reading.report);
  if (found != none) result.gear_reference = reading.frames[found].link;
}

}  // namespace

FileJoint read_joint(const Part& part, Reading& reading) {
  FileJoint result;
  const std::string subject = reading.frames.subject(part.frame);
  const Element element = reading.element(part.node, subject);
  element.expect({"name", "type"},
                 {"parent", "child", "pose", "axis", "axis2", "gearbox_ratio", "gearbox_reference_body", "thread_pitch",
                  "screw_thread_pitch", "physics", "sensor"});
  result.frame = part.frame;
  result.joint.name = reading.frames[part.frame].name;
  result.joint.line = reading.frames[part.frame].line;
  result.joint.type = read_type(element);
  result.is_gearbox = element.text("type") == "gearbox";
  result.parent = read_end(element, "parent", part.frame, reading);
  result.child = read_end(element, "child", part.frame, reading);
  read_axes(element, reading, result);
  read_pitch(element, result.joint);
  read_gearbox(element, reading, result);
  if (const Element physics = element.child("physics")) {
    result.closes_loop = flag_in(physics.child("simbody"), "must_be_loop_joint").value_or(false);
    keep(physics, {"must_be_loop_joint"}, reading.description);
  }
  for (const pugi::xml_node sensor : element.node().children("sensor"))
    not_read(reading.element(sensor, subject), "it has no part in the mechanics");
  return result;
}

}  // namespace lissom::io::sdf
