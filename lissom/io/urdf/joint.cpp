#include <algorithm>
#include <cmath>
#include <numbers>

#include "lissom/io/type_names.h"
#include "lissom/io/urdf/parts.h"
#include "lissom/model/text.h"

namespace lissom::io::urdf {
namespace {

// Drake's names for two extensions of URDF. The other types of lissom are extensions with their own names.
constexpr TypeName drake_names[] = {{"ball", JointType::spherical}, {"screw", JointType::helical}};

std::vector<TypeName> extensions() {
  std::vector<TypeName> names(std::begin(drake_names), std::end(drake_names));
  for (const JointTraits& traits : joint_types)
    if (format_name(traits.type, urdf_type_names).empty()) names.push_back({traits.name, traits.type});
  return names;
}

JointType read_type(const Element& element) {
  if (!element.has("type")) {
    element.missing("type");
    return JointType::fixed;
  }
  const std::string_view name = element.text("type");
  if (const auto* known = std::ranges::find(urdf_type_names, name, &TypeName::name);
      known != std::end(urdf_type_names)) {
    // Drake accepts its own tag only for joints with several coordinates.
    if (joint_traits(known->type).nv() <= 1 && element.tag() == "drake:joint")
      element.warning(
          "joint-tag",
          "a " + std::string(name) + " joint is written as <drake:joint>, which Drake refuses and others ignore",
          "write it as <joint>");
    return known->type;
  }
  const auto others = extensions();
  if (const auto known = std::ranges::find(others, name, &TypeName::name); known != others.end()) {
    element.extension("joint type " + in_quotes(name));
    return known->type;
  }
  if (name == "curvilinear") {
    element.error("joint-type", "joint type 'curvilinear' is an extension of Drake that lissom does not have",
                  "replace it by a chain of revolute and prismatic joints, or leave it to Drake");
    return JointType::fixed;
  }
  std::vector<std::string_view> names;
  for (const TypeName& known : urdf_type_names) names.push_back(known.name);
  for (const TypeName& known : others) names.push_back(known.name);
  const std::string suggestion = did_you_mean(name, names);
  element.error("joint-type", "joint type " + in_quotes(name) + " is unknown",
                suggestion.empty() ? "use revolute, continuous, prismatic, fixed, floating or planar (or spherical, "
                                     "universal, helical, cylindrical)"
                                   : suggestion);
  return JointType::fixed;
}

std::string read_end(const Element& element, const char* which) {
  const Element end = element.child(which);
  if (!end) return {};  // validate() reports it
  end.expect({"link"}, {});
  return std::string(end.text("link"));
}

void read_axis(const Element& element, const char* which, Vec3<double>& axis) {
  const Element child = element.child(which);
  if (!child) return;
  child.expect({"xyz", "pitch"}, {});
  if (!child.has("xyz")) child.missing("xyz", "the default is used");
  NumberList n;
  if (child.numbers("xyz", 3, n)) axis = {n.value[0], n.value[1], n.value[2]};
}

// There are three ways to write it: two of lissom, in meters per radian, and that of Drake, in meters per revolution.
void read_pitch(const Element& element, JointDescription& joint) {
  const Element axis = element.peek("axis"), own = element.child("pitch"),
                drakes = element.child("drake:screw_thread_pitch");
  const Element* source = axis && axis.has("pitch") ? &axis : own ? &own : drakes ? &drakes : nullptr;
  if (own) own.expect({"value"}, {});
  if (!joint_traits(joint.type).has_pitch) {
    if (source)
      source->warning("pitch-ignored", "a pitch is given, but the joint is " + std::string(to_string(joint.type)),
                      "make the joint helical or remove the pitch");
    return;
  }
  if (source == nullptr) {
    element.error("missing-element", "a helical joint has no pitch", "add <pitch value=\"…\"/>, in meters per radian");
    return;
  }
  const char* attribute = source == &axis ? "pitch" : "value";
  if (!source->has(attribute)) source->missing(attribute);
  joint.pitch = source->number(attribute).value_or(1);
  if (source == &drakes) joint.pitch /= 2 * std::numbers::pi;
}

bool any_infinite(const NumberList& n) {
  return std::any_of(n.value.begin(),
                     n.value.begin() + static_cast<std::ptrdiff_t>(std::min(n.count, NumberList::max_count)),
                     [](double x) { return std::isinf(x); });
}

void note_infinite(const Element& limit, const char* attribute) {
  limit.note("limit-infinite", "attribute '" + std::string(attribute) + "' of <limit> is infinite: there is no limit",
             "leave the attribute out if other programs do not accept it");
}

// One bound for each element of q; as the specification says, 0 if none is given.
void read_bounds(const Element& limit, const char* attribute, std::size_t size, double fallback,
                 std::vector<double>& bounds) {
  bounds.assign(size, fallback);
  NumberList n;
  if (!limit.numbers(attribute, n, Infinity::accept)) return;
  if (n.count != size) {
    limit.error("number-count",
                "attribute " + in_quotes(attribute) + " of <limit> is " + in_quotes(limit.text(attribute)) +
                    ": it has " + counted(n.count, "number") + ", expected " + counted(size, "number"),
                "write one number for each coordinate of the joint");
    return;
  }
  bounds.assign(n.value.begin(), n.value.begin() + static_cast<std::ptrdiff_t>(size));
  if (any_infinite(n)) note_infinite(limit, attribute);
}

void read_position_limits(const Element& limit, JointDescription& joint) {
  const bool given = limit.has("lower") || limit.has("upper");
  const JointTraits& traits = joint_traits(joint.type);
  const bool limited = traits.limits == PositionLimits::required;
  const bool may_be_limited = traits.limits != PositionLimits::none;
  if (given && !may_be_limited)
    limit.note("limit-ignored", "position limits of a " + std::string(to_string(joint.type)) + " joint are ignored",
               "remove lower and upper, or change the type of the joint");
  if (!may_be_limited || (!given && !limited)) return;
  read_bounds(limit, "lower", traits.q.size(), 0, joint.lower);
  read_bounds(limit, "upper", traits.q.size(), 0, joint.upper);
}

// One number or, as in Drake, one for each degree of freedom.
PerDof read_per_dof(const Element& element, const char* attribute, JointType type, double missing,
                    Infinity infinity = Infinity::refuse) {
  NumberList n;
  if (!element.numbers(attribute, n, infinity)) return missing;
  const auto values = std::span(n.value).first(std::min(n.count, NumberList::max_count));
  if (values.size() == joint_traits(type).v.size()) return PerDof(values);
  if (std::ranges::any_of(values, [&](double x) { return x != values[0]; }))
    element.warning("dynamics-several",
                    "attribute " + in_quotes(attribute) + " of <" + std::string(element.tag()) + "> has " +
                        counted(n.count, "number") + ", but the joint " +
                        counted(joint_traits(type).v.size(), "degree") +
                        " of freedom; the first number is used for all",
                    "give one number, or one for each degree of freedom");
  return values[0];
}

PerDof read_max(const Element& limit, const char* attribute, JointType type, bool required) {
  if (!limit.has(attribute)) {
    if (required) limit.missing(attribute, "there is no such limit");
    return JointDescription::unlimited;
  }
  const PerDof max = read_per_dof(limit, attribute, type, JointDescription::unlimited, Infinity::accept);
  if (std::ranges::any_of(max.values(), [](double x) { return std::isinf(x); })) note_infinite(limit, attribute);
  return max;
}

void read_limits(const Element& element, JointDescription& joint) {
  const Element limit = element.child("limit");
  const bool needed = joint_traits(joint.type).limits == PositionLimits::required;
  if (!limit) {
    // A mimic joint is limited by its leader.
    if (needed && !joint.mimic)
      element.warning("limit-missing",
                      "a " + std::string(to_string(joint.type)) + " joint without <limit>; it is taken as unlimited",
                      "add <limit lower=\"…\" upper=\"…\" effort=\"…\" velocity=\"…\"/>");
    return;
  }
  limit.expect({"lower", "upper", "effort", "velocity"}, {});
  if (joint.type == JointType::fixed) return;
  read_position_limits(limit, joint);
  joint.effort_limit = read_max(limit, "effort", joint.type, needed);
  joint.velocity_limit = read_max(limit, "velocity", joint.type, needed);
}

void read_dynamics(const Element& element, JointDescription& joint) {
  const Element dynamics = element.child("dynamics");
  if (!dynamics) return;
  dynamics.expect({"damping", "friction", "armature", "spring_stiffness", "spring_reference"}, {});
  joint.damping = read_per_dof(dynamics, "damping", joint.type, 0);
  joint.dry_friction = read_per_dof(dynamics, "friction", joint.type, 0);
  joint.armature = dynamics.number("armature").value_or(0);
  joint.spring_stiffness = read_per_dof(dynamics, "spring_stiffness", joint.type, 0);
  joint.spring_rest = read_per_dof(dynamics, "spring_reference", joint.type, 0);
  for (const char* name : {"armature", "spring_stiffness", "spring_reference"})
    if (dynamics.has(name)) dynamics.extension("attribute " + in_quotes(name) + " of <dynamics>");
}

void read_mimic(const Element& element, JointDescription& joint) {
  const Element mimic = element.child("mimic");
  if (!mimic) return;
  mimic.expect({"joint", "multiplier", "offset"}, {});
  if (!mimic.has("joint")) return mimic.missing("joint");
  joint.mimic = Mimic{std::string(mimic.text("joint")), mimic.number("multiplier").value_or(1),
                      mimic.number("offset").value_or(0)};
}

}  // namespace

JointDescription read_joint(const Element& unnamed) {
  JointDescription joint;
  joint.name = unnamed.text("name");
  joint.line = unnamed.line();
  const std::string subject = "joint " + in_quotes(joint.name);
  const Element element = unnamed.with_subject(subject);
  element.expect({"name", "type"}, {"parent", "child", "origin", "axis", "axis2", "pitch", "limit", "dynamics", "mimic",
                                    "calibration", "safety_controller", "drake:screw_thread_pitch"});
  joint.type = read_type(element);
  joint.parent = read_end(element, "parent");
  joint.child = read_end(element, "child");
  joint.origin = read_origin(element);
  read_axis(element, "axis", joint.axis);
  read_axis(element, "axis2", joint.axis2);
  read_pitch(element, joint);
  read_mimic(element, joint);
  read_limits(element, joint);
  read_dynamics(element, joint);
  return joint;
}

}  // namespace lissom::io::urdf
