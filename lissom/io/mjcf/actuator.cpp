// <actuator>: what acts on a joint or a fixed tendon with a force that is linear in command, position and velocity.
#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "lissom/io/mjcf/parts.h"
#include "lissom/io/mjcf/references.h"
#include "lissom/io/mjcf/schema.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace {

using Kind = ActuatorDescription::Kind;

// All shortcuts set the same parameters, so that a default for one of them counts for the others.
struct Law {
  Kind kind = Kind::general;
  std::array<double, 3> gain = {1, 0, 0}, bias = {0, 0, 0};
  bool affine_gain = false, affine_bias = false;
  std::string why_not;  // what makes it more than a linear law
};

void read_triple(const Settings& s, const char* attribute, std::array<double, 3>& out) {
  std::vector<double> numbers;
  if (!s.has(attribute)) return;
  if (const auto problem = parse_numbers(s.text(attribute), numbers))
    return s.element().error(problem->code, "attribute " + in_quotes(attribute) + ": " + problem->message,
                             problem->remedy);
  for (std::size_t i = 0; i < std::min<std::size_t>(3, numbers.size()); ++i) out[i] = numbers[i];
}

void apply_general(const Settings& s, Law& law) {
  if (s.has("gaintype")) {
    const auto type = s.word("gaintype", {"fixed", "affine", "muscle", "dcmotor", "user"});
    law.affine_gain = type == "affine";
    if (type != "fixed" && type != "affine") law.why_not = "its gain is of type " + std::string(type);
  }
  if (s.has("biastype")) {
    const auto type = s.word("biastype", {"none", "affine", "muscle", "dcmotor", "user"});
    law.affine_bias = type == "affine";
    if (type != "none" && type != "affine") law.why_not = "its bias is of type " + std::string(type);
  }
  if (s.has("dyntype") && s.text("dyntype") != "none")
    law.why_not = "it has an activation of its own (dyntype " + in_quotes(s.text("dyntype")) + ")";
  read_triple(s, "gainprm", law.gain);
  read_triple(s, "biasprm", law.bias);
}

void apply_position(const Settings& s, Law& law) {
  law.affine_gain = false, law.affine_bias = true;
  law.gain = {s.number("kp", law.gain[0]), 0, 0};
  law.bias[0] = 0, law.bias[1] = -law.gain[0];
  if (s.has("kv")) law.bias[2] = -s.number("kv", 0);
  // With the other sign it is a ratio, as in MuJoCo (damping_ratio.cpp).
  if (s.has("dampratio")) law.bias[2] = s.number("dampratio", 0);
  if (s.number("timeconst", 0) > 0) law.why_not = "its command is filtered (timeconst)";
}

// What one element, of a class or of <actuator>, says.
void apply(const Element& element, ReportedAttributes& reported, Law& law) {
  const Settings s(element, nullptr, reported);
  const std::string_view tag = element.tag();
  if (tag == "general") {
    apply_general(s, law);
  } else if (tag == "motor") {
    law = {};
    law.kind = Kind::motor;
  } else if (tag == "position") {
    law.why_not.clear();
    apply_position(s, law);
  } else if (tag == "velocity") {
    law.why_not.clear();
    law.affine_gain = false, law.affine_bias = true;
    law.gain = {s.number("kv", law.gain[0]), 0, 0};
    law.bias = {0, 0, -law.gain[0]};
  } else {
    law.why_not = "<" + std::string(tag) + "> is not a linear law of command, position and velocity";
  }
}

Kind kind_of(std::string_view tag) {
  return tag == "motor"      ? Kind::motor
         : tag == "position" ? Kind::position
         : tag == "velocity" ? Kind::velocity
                             : Kind::general;
}

// The full name of what an attribute names; other attributes as they are.
std::string full_name(const std::string& attribute, std::string_view text, const Reference& reference) {
  const Reading& reading = reference.reading;
  const auto named = [&](const auto& map) {
    const auto* found = reference.find(text, map);
    return found ? found->first : reference.name_of(text);
  };
  if (attribute == "joint" || attribute == "jointinparent") return named(reading.joints);
  if (attribute == "body") return named(reading.bodies);
  if (attribute.ends_with("site")) return named(reading.sites);
  if (attribute == "tendon") return named(reading.tendons);
  return std::string(text);
}

// An actuator that lissom cannot describe is kept, attribute by attribute, with those of its class.
void keep_whole(const Settings& s, const std::string& name, const std::string& why, const Reference& reference) {
  Reading& reading = reference.reading;
  const Element& element = s.element();
  const std::string subject = shown("actuator", name);
  reading.out.kept.push_back({subject, "", std::string(element.tag()), element.line()});
  std::istringstream attributes{std::string(attributes_of("actuator", element.tag()))};
  for (std::string attribute; attributes >> attribute;)
    if (attribute != "name" && attribute != "class" && s.has(attribute.c_str()))
      reading.out.kept.push_back(
          {subject, attribute, full_name(attribute, s.text(attribute.c_str()), reference), element.line()});
  reading.report.count(Severity::warning, "actuator-kept", element.line(), subject,
                       "the actuator is kept, but has no effect: " + why, "none needed, if it is not used");
}

// The degree of freedom of a joint that a gear of several numbers drives; -1 if it is not one alone.
int single_component(const NumberList& gear, JointType type) {
  const int count = type == JointType::spherical ? 3 : type == JointType::free ? 6 : 1;
  int found = count == 1 ? 0 : -1;
  for (int i = 0; i < count && count > 1; ++i)
    if (gear.value[std::size_t(i)] != 0) {
      if (found >= 0) return -1;
      found = i;
    }
  // Forces of a free joint are along the axes of the world in MuJoCo, of the body here.
  return type == JointType::free && found < 3 ? -1 : found;
}

constexpr const char* was_reported = "reported";

// Finds what the actuator acts on. Returns why it cannot be described, or an empty text.
std::string read_target(const Settings& s, const Reference& reference, const Law& law, const NumberList& gear,
                        ActuatorDescription& actuator) {
  Reading& reading = reference.reading;
  const Element& element = s.element();
  for (const char* other : {"site", "body", "cranksite", "slidersite"})
    if (element.has(other)) return "it acts on a " + std::string(other[0] == 's' && other[1] == 'l' ? "slider" : other);
  const char* attribute = element.has("joint") ? "joint" : "jointinparent";
  if (element.has(attribute)) {
    const auto* found = reference.expect(element, attribute, "joint", reading.joints);
    if (!found) return was_reported;
    actuator.joint = found->first;
    const JointDescription& joint = reading.out.joints[found->second.index];
    actuator.component = single_component(gear, joint.type);
    if (actuator.component < 0) return "it drives several degrees of freedom, or a free joint along axes of the world";
    if (joint_traits(joint.type).nq() > 1 && (law.affine_bias || std::string_view(attribute) == "jointinparent"))
      return "it is a feedback on a ball or free joint, or acts in the parent's frame";
    return {};
  }
  if (!element.has("tendon")) {
    element.error("actuator-target", "nothing says what the actuator acts on", "add joint=\"…\" or tendon=\"…\"");
    return was_reported;
  }
  if (reference.find(element.text("tendon"), reading.other_tendons)) return "its tendon is spatial";
  const auto* found = reference.expect(element, "tendon", "tendon", reading.tendons);
  if (!found) return was_reported;
  actuator.tendon = found->first;
  return {};
}

// MuJoCo 4 lets an actuator have armature and damping of its own, before the gear.
void add_rotor(const Settings& s, const ActuatorDescription& actuator, Reading& reading) {
  NumberList n;
  const double armature = s.number("armature", 0), damping = s.numbers("damping", 1, 3, n) ? n.value[0] : 0;
  if (armature == 0 && damping == 0) return;
  const double square = actuator.gear * actuator.gear;
  if (!actuator.tendon.empty()) {
    auto& tendon = reading.out.tendons[reading.tendons.at(actuator.tendon).index];
    tendon.armature += square * armature, tendon.damping += square * damping;
    if (armature != 0)
      s.element().warning("tendon-armature",
                          "the actuator has armature, and acts on a tendon; lissom keeps it, but has no "
                          "inertia of tendons",
                          "give the joints armature instead");
    return;
  }
  auto& joint = reading.out.joints[reading.joints.at(actuator.joint).index];
  if (joint_traits(joint.type).nv() > 1) {
    s.element().warning("actuator-rotor",
                        "the actuator has armature or damping, and acts on one axis of a ball or free joint; "
                        "they are left out",
                        "give them to the joint");
    return;
  }
  joint.armature += square * armature;
  joint.damping = joint.damping[0] + square * damping;
}

bool follows_position(const Law& law) {
  return law.affine_bias && !law.affine_gain && law.gain[0] == -law.bias[1];
}

// The range of commands. A position actuator may inherit that of its joint or tendon, whether it is a limit or not.
Range read_commands(const Settings& s, const Law& law, const ActuatorDescription& actuator, const Compiler& compiler,
                    const Reading& reading) {
  const double factor = s.number("inheritrange", 0);
  if (factor <= 0 || !follows_position(law)) return read_range(s, "ctrlrange", "ctrllimited", compiler);
  if (s.element().has("ctrlrange") && s.element().has("inheritrange"))
    s.element().error("actuator-range", "there are both 'ctrlrange' and 'inheritrange'", "remove one of them");
  const bool on_joint = actuator.tendon.empty();
  const auto& target = on_joint ? reading.joints.at(actuator.joint).range : reading.tendons.at(actuator.tendon).range;
  if (target[0] == target[1]) {
    s.owner("inheritrange")
        .error("actuator-range",
               "the range of commands is to be inherited (inheritrange), but " +
                   shown(on_joint ? "joint" : "tendon", on_joint ? actuator.joint : actuator.tendon) + " has no range",
               "give it a range, or write ctrlrange instead of inheritrange");
    return {};
  }
  const double mean = (target[0] + target[1]) / 2, radius = factor * (target[1] - target[0]) / 2;
  return inherited_range(s, "inheritrange", "ctrllimited", compiler, {mean - radius, mean + radius});
}

void read_actuator(const Settings& s, const Compiler& compiler, const Reference& reference, std::size_t number) {
  Reading& reading = reference.reading;
  const Element& element = s.element();
  ActuatorDescription actuator;
  actuator.name = reference.name_of(element.text("name"));
  if (actuator.name.empty()) actuator.name = made_up_name("actuator" + std::to_string(number), reading);
  actuator.line = element.line();
  actuator.kind = kind_of(element.tag());
  Law law;
  for (auto level = s.levels().rbegin(); level != s.levels().rend(); ++level) apply(*level, reading.reported, law);
  NumberList gear;
  if (!s.numbers("gear", 1, 6, gear)) gear.value[0] = 1;
  std::string why = read_target(s, reference, law, gear, actuator);
  if (why == was_reported) return;
  if (why.empty() && law.affine_gain && (law.gain[1] != 0 || law.gain[2] != 0)) why = "its gain depends on the motion";
  if (why.empty()) why = law.why_not;
  if (!why.empty()) return keep_whole(s, actuator.name, why, reference);
  actuator.gear = gear.value[std::size_t(actuator.component)];
  actuator.gain = law.gain[0];
  if (law.affine_bias) actuator.bias = law.bias;
  const Range command = read_commands(s, law, actuator, compiler, reading);
  const Range force = read_range(s, "forcerange", "forcelimited", compiler);
  if (command.limited) actuator.min_command = command.lower, actuator.max_command = command.upper;
  if (force.limited) actuator.min_force = force.lower, actuator.max_force = force.upper;
  add_rotor(s, actuator, reading);
  keep(s, shown("actuator", actuator.name),
       {"actdim", "actearly", "actlimited", "actrange", "cranklength", "delay", "dynprm", "ffrange", "group", "input",
        "interp", "lengthrange", "nsample", "user", "velrange"},
       reading);
  reading.out.actuators.push_back(std::move(actuator));
}

}  // namespace

void read_actuators(const Element& section, ModelPart& model, Reading& reading) {
  std::size_t number = reading.out.actuators.size();
  for (const pugi::xml_node node : section.children()) {
    if (node.type() != pugi::node_element) continue;
    ++number;
    const std::string subject = shown("actuator", node.attribute("name").value());
    const Element element(node, reading.report, subject);
    Scope scope;
    scope.model = &model;
    const Settings s = settings_of(element, scope, reading, "actuator");
    const std::string_view joint = element.text(element.has("joint") ? "joint" : "jointinparent");
    const auto suffixes = joint.empty() ? replicas_of(element.text("tendon"), reading.tendons, model, reading)
                                        : replicas_of(joint, reading.joints, model, reading);
    for (const auto& suffix : suffixes) read_actuator(s, model.compiler, {model, reading, suffix}, number);
  }
}

}  // namespace lissom::io::mjcf
