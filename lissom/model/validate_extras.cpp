// Checks the parts of a description besides links and joints: loops, couplings, springs, actuators, contact materials.
#include <algorithm>
#include <unordered_set>

#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"
#include "lissom/model/validate_parts.h"

namespace lissom::validation {
namespace {

template <class Item>
std::vector<std::string_view> names_of(const std::vector<Item>& items) {
  std::vector<std::string_view> names;
  for (const Item& item : items) names.push_back(item.name);
  return names;
}

std::string or_else(const std::string& suggestion, const char* remedy) {
  return suggestion.empty() ? remedy : suggestion;
}

// A description, and the names in it that loops, springs, couplings and actuators may refer to.
class Extras {
 public:
  explicit Extras(const Description& description)
      : description_(description), world_(inertial_frame_name(description)), frames_(names_of(description.links)) {
    for (const FrameDescription& frame : description.frames) frames_.push_back(frame.name);
    frames_.push_back(world_);
    known_frames_.insert(frames_.begin(), frames_.end());
    for (const JointDescription& joint : description.joints) joints_.emplace(joint.name, &joint);
  }

  void check_frame(const std::string& name, const char* what, int line, const std::string& whose,
                   Findings& findings) const {
    if (known_frames_.contains(name)) return;
    findings.error("frame-unknown", line, whose,
                   std::string(what) + " is on the frame " + in_quotes(name) + ", which does not exist",
                   or_else(did_you_mean(name, frames_), ("name a link, a frame, or " + world_).c_str()));
  }

  // The joint of this name; nullptr, and a finding, if there is none.
  const JointDescription* find_joint(const std::string& name, int line, const std::string& whose,
                                     Findings& findings) const {
    if (const auto found = joints_.find(name); found != joints_.end()) return found->second;
    findings.error("joint-unknown", line, whose, "it names the joint " + in_quotes(name) + ", which does not exist",
                   or_else(did_you_mean(name, names_of(description_.joints)), "name an existing joint"));
    return nullptr;
  }

  bool has_tendon(const std::string& name) const {
    const auto& tendons = description_.tendons;
    return std::ranges::find(tendons, name, &TendonDescription::name) != tendons.end();
  }

 private:
  const Description& description_;
  std::string world_;
  std::vector<std::string_view> frames_;
  std::unordered_set<std::string_view> known_frames_;
  std::unordered_map<std::string_view, const JointDescription*> joints_;
};

template <class Item>
void check_ends(const Extras& extras, const Item& item, const std::string& whose, Findings& findings) {
  const struct {
    const char* what;
    const AttachmentDescription& end;
  } ends[] = {{"its end a", item.a}, {"its end b", item.b}};
  for (const auto& [what, end] : ends) {
    extras.check_frame(end.frame, what, item.line, whose, findings);
    check_pose(end.placement, what, item.line, whose, findings);
  }
}

void check_coupling(const Extras& extras, const JointCoupling& coupling, Findings& findings) {
  const std::string whose = subject("coupling", coupling.name);
  const auto check_joint = [&](const std::string& name) {
    const JointDescription* joint = extras.find_joint(name, coupling.line, whose, findings);
    if (joint && !joint_traits(joint->type).may_mimic())
      findings.error(
          "coupling-size", coupling.line, whose,
          subject(*joint) + " is " + to_string(joint->type) + ", but only joints with one coordinate can be coupled",
          "name a joint with one coordinate");
  };
  check_joint(coupling.joint);
  if (!coupling.of.empty()) check_joint(coupling.of);
  if (coupling.coefficients.empty())
    findings.error("coupling-empty", coupling.line, whose, "it has no coefficients",
                   "give c0, c1, … of q[joint] = c0 + c1 q[of] + …");
  for (const double c : coupling.coefficients)
    if (!finite(c)) not_finite("a coefficient", coupling.line, whose, findings);
}

void check_actuator(const Extras& extras, const ActuatorDescription& actuator, Findings& findings) {
  const std::string whose = subject("actuator", actuator.name);
  if (!actuator.tendon.empty() && !extras.has_tendon(actuator.tendon))
    findings.error("tendon-unknown", actuator.line, whose,
                   "it names the tendon " + in_quotes(actuator.tendon) + ", which does not exist",
                   "name an existing tendon");
  const JointDescription* joint =
      actuator.tendon.empty() ? extras.find_joint(actuator.joint, actuator.line, whose, findings) : nullptr;
  if (joint && (actuator.component < 0 || actuator.component >= joint_traits(joint->type).nv()))
    findings.error("actuator-component", actuator.line, whose,
                   "it drives degree of freedom " + std::to_string(actuator.component) + " of " + subject(*joint) +
                       ", which has " + counted(joint_traits(joint->type).v.size(), "degree") + " of freedom",
                   "count the joint's degrees of freedom from 0");
  if (!finite(actuator.gear))
    not_finite("the gear", actuator.line, whose, findings);
  else if (actuator.gear == 0)
    findings.warning("actuator-zero", actuator.line, whose, "its gear is 0: it drives nothing",
                     "give the force on the joint for a command of 1");
  if (!(actuator.min_command <= actuator.max_command))
    findings.error("actuator-range", actuator.line, whose,
                   "min_command is " + to_text(actuator.min_command) + ", expected at most max_command, " +
                       to_text(actuator.max_command),
                   "give the smaller one as min_command");
}

void check_material(const ContactMaterial& material, Findings& findings) {
  const std::string whose = subject("contact material", material.name);
  if (!(material.friction >= 0 && finite(material.friction)))
    findings.error("contact-friction", material.line, whose,
                   "the coefficient of friction is " + to_text(material.friction) + ", expected 0 or more",
                   "give a coefficient of 0 or more");
  if (!(material.restitution >= 0 && material.restitution <= 1))
    findings.error("contact-restitution", material.line, whose,
                   "the coefficient of restitution is " + to_text(material.restitution) + ", expected 0 to 1",
                   "give a coefficient from 0 to 1");
}

}  // namespace

void check_extras(const Description& description, Findings& findings) {
  const Extras extras(description);
  for (const LoopDescription& loop : description.loops) {
    const std::string whose = subject("loop", loop.name);
    check_ends(extras, loop, whose, findings);
    if (loop.kind == LoopKind::distance) {
      if (loop.length && !(*loop.length > 0 && finite(*loop.length)))
        findings.error("rod-length", loop.line, whose,
                       "its length is " + to_text(*loop.length) + " m, expected a positive number",
                       "give the distance of its two points, or leave it out: then it is that of the posture q = 0; to "
                       "keep two points together, use the axes xyz");
    } else if (loop.axes.count() == 0)
      findings.error("loop-empty", loop.line, whose, "it constrains no axis",
                     "give at least one of its axes x y z rx ry rz");
  }
  for (const JointCoupling& coupling : description.couplings) check_coupling(extras, coupling, findings);
  for (const SpringDescription& spring : description.springs) {
    const std::string whose = subject("spring", spring.name);
    check_ends(extras, spring, whose, findings);
    if (!finite(spring.stiffness) || !finite(spring.damping))
      not_finite("the stiffness or damping", spring.line, whose, findings);
    if (!(spring.rest >= 0 && finite(spring.rest)))
      findings.error("spring-rest", spring.line, whose,
                     "its rest length is " + to_text(spring.rest) + " m, expected 0 or more",
                     "give a length of 0 or more");
  }
  for (const ActuatorDescription& actuator : description.actuators) check_actuator(extras, actuator, findings);
  for (const ContactMaterial& material : description.contact_materials) check_material(material, findings);
  for (const LinkDescription& link : description.links)
    for (const Geometry& geometry : link.collisions) {
      const std::string& name = geometry.contact_material;
      if (name.empty() || std::ranges::find(description.contact_materials, name, &ContactMaterial::name) !=
                              description.contact_materials.end())
        continue;
      findings.error(
          "contact-material-unknown", geometry.line, subject(link) + ", " + subject("collision", geometry.name),
          "its contact material " + in_quotes(name) + " does not exist",
          or_else(did_you_mean(name, names_of(description.contact_materials)), "add the material or correct the name"));
    }
}

}  // namespace lissom::validation
