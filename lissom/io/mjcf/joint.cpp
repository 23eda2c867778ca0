// The joints of a body. MuJoCo lets a body have several, each with an anchor; here every joint has a link of its own,
// so that all but the last are links without mass, and a fixed joint leads from the last anchor to the body's frame.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "lissom/io/mjcf/parts.h"
#include "lissom/model/axes.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace {

using Tristate = Settings::Tristate;

struct OneJoint {
  JointDescription joint;
  Vec3<double> anchor{0, 0, 0};  // in the body's frame
  double ref = 0;
  std::array<double, 2> range{};  // that an actuator inherits; 0 0 if there is none
};

JointType read_joint_type(const Settings& s) {
  if (s.element().tag() == "freejoint") return JointType::free;
  const auto word = s.word("type", {"hinge", "slide", "ball", "free"});
  return word == "slide"  ? JointType::prismatic
         : word == "ball" ? JointType::spherical
         : word == "free" ? JointType::free
                          : JointType::continuous;
}

void read_joint_axis(const Settings& s, const Scope& scope, JointDescription& joint) {
  Vec3<double> axis{0, 0, 1};
  s.vector("axis", axis);
  if (dot(axis, axis) < 1e-28) {
    s.owner("axis").error("axis-zero", "the axis is zero: it has no direction", "give a direction, such as 0 0 1");
    axis = {0, 0, 1};
  }
  joint.axis = scope.frame.R * unit(axis);
}

void read_position_limits(const Settings& s, const Compiler& c, Reading& reading, OneJoint& one) {
  JointDescription& joint = one.joint;
  if (joint.type == JointType::free) return;
  const Range range = read_range(s, "range", "limited", c);
  const bool hinge = joint.type == JointType::continuous;
  const auto position = [&](double x) { return hinge ? c.angle(x) : x; };
  // An actuator may inherit a range that is no limit, too; MuJoCo leaves such a one in the unit of the file.
  one.range =
      range.limited ? std::array{position(range.lower), position(range.upper)} : std::array{range.lower, range.upper};
  if (!range.limited) return;
  if (joint.type == JointType::spherical) {
    if (range.lower != 0)
      s.owner("range").error("limit-ball",
                             "the range of a ball joint begins with " + to_text(range.lower) + ", expected 0",
                             "write 0 and the largest angle of rotation");
    // In radians, as what is written says angles.
    std::array<char, 32> text{};
    const auto* const end = std::to_chars(text.data(), text.data() + text.size(), c.angle(range.upper)).ptr;
    reading.out.kept.push_back({shown("joint", joint.name), "range",
                                "0 " + std::string(static_cast<const char*>(text.data()), end),
                                s.owner("range").line()});
    s.owner("range").report().count(Severity::note, "limit-ball-kept", s.owner("range").line(),
                                    shown("joint", joint.name),
                                    "a ball joint has a largest angle, " + to_text(c.angle(range.upper)) +
                                        " rad; lissom has no limits of ball joints, so that it is only kept",
                                    "none needed", "ball range");
    return;
  }
  if (hinge) joint.type = JointType::revolute;
  joint.lower = {one.range[0]}, joint.upper = {one.range[1]};
}

void read_effort(const Settings& s, const Compiler& c, Reading& reading, JointDescription& joint) {
  const Range range = read_range(s, "actuatorfrcrange", "actuatorfrclimited", c);
  if (!range.limited) return;
  joint.effort_limit = std::max(std::abs(range.lower), std::abs(range.upper));
  if (range.lower == -range.upper) return;
  s.owner("actuatorfrcrange")
      .note("effort-asymmetric",
            "the range of forces " + in_quotes(s.text("actuatorfrcrange")) +
                " is not symmetric; the larger magnitude is the effort limit",
            "none needed; the range is kept");
  reading.out.kept.push_back(
      {shown("joint", joint.name), "actuatorfrcrange", s.string("actuatorfrcrange"), joint.line});
}

// MuJoCo 4 has polynomials for springs and dampers, of which only the linear term is carried over.
double first_of(const Settings& s, const char* attribute, const std::string& subject, Reading& reading) {
  NumberList n;
  if (!s.numbers(attribute, 1, 3, n)) return 0;
  if (n.count > 1 && (n.value[1] != 0 || n.value[2] != 0)) {
    s.owner(attribute).warning("polynomial",
                               "attribute " + in_quotes(attribute) + " is a polynomial, " +
                                   in_quotes(s.text(attribute)) + "; only its first coefficient is used",
                               "none needed, if motions are slow or small");
    reading.out.kept.push_back({subject, attribute, s.string(attribute), s.owner(attribute).line()});
  }
  return n.value[0];
}

void read_passive(const Settings& s, const Compiler& c, Reading& reading, OneJoint& one) {
  JointDescription& joint = one.joint;
  const std::string subject = shown("joint", joint.name);
  const bool hinge = joint_traits(joint.type).is_hinge();
  const auto position = [&](double x) { return hinge ? c.angle(x) : x; };
  const bool scalar = hinge || joint.type == JointType::prismatic;
  if (scalar) {
    one.ref = position(s.number("ref", 0));
    joint.spring_rest = position(s.number("springref", 0));
  }
  joint.damping = first_of(s, "damping", subject, reading);
  const double stiffness = first_of(s, "stiffness", subject, reading);
  joint.dry_friction = s.number("frictionloss", 0);
  joint.armature = s.number("armature", 0);
  if (scalar) {
    joint.spring_stiffness = stiffness;
  } else if (stiffness != 0) {
    keep(s, subject, {"stiffness", "springref"}, reading);
    s.owner("stiffness")
        .warning("spring-ball",
                 "a " + std::string(joint.type == JointType::free ? "free" : "ball") +
                     " joint has a spring; lissom has none for it, so that it is only kept",
                 "none needed, if the spring does not matter");
  }
  if (joint.armature != 0 && !joint_traits(joint.type).takes_armature) {
    keep(s, subject, {"armature"}, reading);
    s.owner("armature")
        .warning("armature-free",
                 "the free joint has armature " + to_text(joint.armature) +
                     ", which MuJoCo adds to the diagonal of M; lissom has none for free joints, so that M differs",
                 "use <freejoint/>, which takes nothing from defaults, or set armature to 0 for this joint");
    joint.armature = 0;
  }
  NumberList n;
  if (!s.numbers("springdamper", 2, 2, n) || n.value[0] <= 0 || n.value[1] <= 0) return;
  if (scalar) {
    reading.spring_dampers.push_back({joint.name, n.value[0], n.value[1]});
    return;
  }
  keep(s, subject, {"springdamper"}, reading);
  s.owner("springdamper")
      .warning("spring-damper",
               "the spring and damping of a ball or free joint are given by time constant and damping ratio, which "
               "lissom does not convert",
               "write stiffness and damping; MuJoCo prints them when it saves the compiled model");
}

OneJoint read_one(const JointSource& source, const std::string& body, const std::string& fallback, Reading& reading) {
  OneJoint one;
  JointDescription& joint = one.joint;
  joint.name = name_of(source.element, source.scope);
  if (joint.name.empty()) joint.name = made_up_name(fallback, reading);
  joint.line = source.element.line();
  joint.child = body;
  const std::string subject = shown("joint", joint.name);
  const Element element = source.element.with_subject(subject);
  const bool free_element = element.tag() == "freejoint";  // takes nothing from defaults
  const Settings s =
      free_element ? Settings(element, nullptr, reading.reported) : settings_of(element, source.scope, reading);
  const Compiler& compiler = source.scope.model->compiler;
  joint.type = read_joint_type(s);
  if (joint_traits(joint.type).axes > 0) read_joint_axis(s, source.scope, joint);
  if (joint.type != JointType::free && joint.type != JointType::prismatic) {
    s.vector("pos", one.anchor);
    one.anchor = source.scope.frame * one.anchor;
  }
  if (free_element) {
    keep(s, subject, {"group"}, reading);
    return one;
  }
  read_position_limits(s, compiler, reading, one);
  read_effort(s, compiler, reading, joint);
  read_passive(s, compiler, reading, one);
  keep(s, subject,
       {"actuatorgravcomp", "group", "margin", "solimpfriction", "solimplimit", "solreffriction", "solreflimit",
        "springyield", "user"},
       reading);
  return one;
}

// Reports combinations that MuJoCo refuses.
void check_combination(const std::vector<OneJoint>& joints, const BodyJoints& body, Reading& reading) {
  const auto type = [](const OneJoint& one) { return one.joint.type; };
  const auto ball = std::ranges::find(joints, JointType::spherical, type);
  const auto rotates = [](const OneJoint& one) { return one.joint.type != JointType::prismatic; };
  if (ball != joints.end() && std::any_of(ball + 1, joints.end(), rotates))
    reading.report.add(Severity::warning, "ball-not-last", ball->joint.line, shown("joint", ball->joint.name),
                       "a ball joint is followed by another rotation in the same body, which MuJoCo refuses",
                       "remove the other rotation, or put it into a body of its own");
  const auto free = std::ranges::find(joints, JointType::free, type);
  if (free == joints.end()) return;
  const std::string subject = shown("joint", free->joint.name);
  if (!body.top_level)
    reading.report.add(Severity::error, "free-not-top", free->joint.line, subject,
                       "the free joint is in a body whose parent is not the world",
                       "move the body to the top level, or use other joints");
  if (joints.size() > 1)
    reading.report.add(Severity::error, "free-not-alone", free->joint.line, subject,
                       "the body has other joints besides a free joint", "remove the other joints");
}

void add_link_between(const std::string& name, int line, Reading& reading) {
  LinkDescription link;
  link.name = name;
  link.line = line;
  link.connects_joints = true;
  reading.frame_names.insert(name);
  reading.out.links.push_back(std::move(link));
}

bool is_zero_vector(const Vec3<double>& v) {
  return v.x == 0 && v.y == 0 && v.z == 0;
}

void add_fixed(const std::string& name, const std::string& parent, const std::string& child, const Pose<double>& origin,
               int line, Reading& reading) {
  JointDescription joint;
  joint.name = made_up_name(name, reading);
  joint.parent = parent, joint.child = child;
  joint.origin = origin;
  joint.line = line;
  reading.out.joints.push_back(std::move(joint));
}

}  // namespace

bool is_aligned(const JointSource& joint, Reading& reading) {
  const bool free_element = joint.element.tag() == "freejoint";
  const Settings s = free_element ? Settings(joint.element, nullptr, reading.reported)
                                  : settings_of(joint.element, joint.scope, reading);
  if (!free_element && read_joint_type(s) != JointType::free) return false;
  const Tristate align = s.tristate("align", Tristate::automatic);
  return align == Tristate::yes || (align == Tristate::automatic && joint.scope.model->compiler.align_free);
}

bool read_joints(const std::vector<JointSource>& sources, const BodyJoints& body, Reading& reading) {
  if (sources.empty()) {
    add_fixed(body.body + "/fixed", body.parent, body.body, body.pose, body.line, reading);
    return false;
  }
  std::vector<OneJoint> joints;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const bool free = sources[i].element.tag() == "freejoint";
    const std::string number = sources.size() > 1 ? std::to_string(i + 1) : "";
    joints.push_back(read_one(sources[i], body.body, body.body + (free ? "/free" : "/joint") + number, reading));
  }
  check_combination(joints, body, reading);

  std::string parent = body.parent;
  Pose<double> before = body.pose;  // of the body's frame at rest, in the parent link
  Vec3<double> last{0, 0, 0};
  for (std::size_t i = 0; i < joints.size(); ++i) {
    JointDescription& joint = joints[i].joint;
    const auto& anchor = joints[i].anchor;
    joint.parent = parent;
    if (joint.type == JointType::free) {
      joint.origin = {};  // its coordinates are the pose in the world
    } else {
      joint.origin = {before.R, before * (anchor - last)};
      const double ref = joints[i].ref;
      if (ref != 0 && joint.type == JointType::prismatic)
        joint.origin.p = joint.origin.p - joint.origin.R * (ref * joint.axis);
      if (ref != 0 && joint.type != JointType::prismatic)
        joint.origin.R = joint.origin.R * rotation_about(joint.axis, -ref);
    }
    const bool is_last = i + 1 == joints.size();
    if (!is_last || !is_zero_vector(anchor)) {
      joint.child = made_up_name(body.body + "/" + joint.name, reading);
      add_link_between(joint.child, joint.line, reading);
    }
    parent = joint.child;
    before = {};
    last = anchor;
    reading.joints[joint.name] = {reading.out.joints.size(), joints[i].ref, joints[i].range, body.body,
                                  sources[i].scope.model};
    reading.joint_order.push_back(joint.name);
    reading.out.joints.push_back(std::move(joint));
  }
  if (parent != body.body)
    add_fixed(body.body + "/frame", parent, body.body, {identity3<double>(), -last}, body.line, reading);
  return true;
}

}  // namespace lissom::io::mjcf
