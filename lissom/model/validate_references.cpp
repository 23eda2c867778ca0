// Checks the parts of a description that refer to others by name: roots, tendons, postures, contact filters.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lissom/model/text.h"
#include "lissom/model/validate_parts.h"

namespace lissom::validation {
namespace {

void unknown(const char* kind, const std::string& name, int line, const std::string& whose, Findings& findings) {
  findings.error(std::string(kind) + "-unknown", line, whose,
                 "it names the " + std::string(kind) + " " + in_quotes(name) + ", which does not exist",
                 "name an existing " + std::string(kind));
}

void check_root(const Description& description, const AllNames& names, const RootDescription& root,
                Findings& findings) {
  const std::string whose = subject("root", root.link);
  if (!names.links.contains(root.link)) return unknown("link", root.link, root.line, whose, findings);
  check_pose(root.placement, "its placement", root.line, whose, findings);
  const auto above = std::ranges::find(description.joints, root.link, &JointDescription::child);
  if (above != description.joints.end())
    findings.error("root-has-joint", root.line, whose,
                   "it is the child of joint " + in_quotes(above->name) + ", so it is no root",
                   "remove it from the roots, or the joint");
  if (root.base != Base::fixed && root.base != Base::free)
    findings.error("root-base", root.line, whose, "its base is neither fixed nor free", "choose one of them");
}

void check_tendon(const Description& description, const AllNames& names, const TendonDescription& tendon,
                  Findings& findings) {
  const std::string whose = subject("tendon", tendon.name);
  for (const auto& [joint, coefficient] : tendon.terms) {
    const auto found = names.joints.find(joint);
    if (found == names.joints.end())
      unknown("joint", joint, tendon.line, whose, findings);
    else if (joint_traits(description.joints[std::size_t(found->second)].type).nv() != 1)
      findings.error("tendon-joint", tendon.line, whose,
                     "joint " + in_quotes(joint) + " has not exactly one degree of freedom",
                     "name joints with one degree of freedom");
    if (!finite(coefficient)) not_finite("a coefficient", tendon.line, whose, findings);
  }
  for (const double x : {tendon.stiffness, tendon.rest, tendon.damping, tendon.dry_friction, tendon.armature})
    if (!finite(x)) return not_finite("a number", tendon.line, whose, findings);
}

void check_posture(const Description& description, const AllNames& names, const PostureDescription& posture,
                   Findings& findings) {
  const std::string whose = subject("posture", posture.name);
  for (const auto& [joint, q] : posture.positions) {
    const auto found = names.joints.find(joint);
    if (found == names.joints.end()) {
      // The joint of a base is added when the model is built.
      if (joint != "base" && !joint.starts_with("base:")) unknown("joint", joint, posture.line, whose, findings);
      continue;
    }
    const auto nq = std::size_t(joint_traits(description.joints[std::size_t(found->second)].type).nq());
    if (q.size() != nq)
      findings.error("posture-size", posture.line, whose,
                     "it has " + counted(q.size(), "number") + " for joint " + in_quotes(joint) + ", expected " +
                         std::to_string(nq),
                     "give one number for each element of the joint's q");
    if (!std::ranges::all_of(q, [](double x) { return finite(x); }))
      not_finite("the position of joint " + in_quotes(joint), posture.line, whose, findings);
  }
}

}  // namespace

void check_references(const Description& description, const AllNames& names, Findings& findings) {
  for (const auto& root : description.roots) check_root(description, names, root, findings);
  for (const auto& tendon : description.tendons) check_tendon(description, names, tendon, findings);
  for (const auto& posture : description.postures) check_posture(description, names, posture, findings);
  for (const auto& exclusion : description.contact_exclusions)
    for (const auto* link : {&exclusion.a, &exclusion.b})
      if (!names.links.contains(*link))
        unknown("link", *link, exclusion.line, subject("contact exclusion", exclusion.name), findings);
  if (description.contact_pairs.empty()) return;
  std::unordered_set<std::string_view> geometries;
  for (const auto& link : description.links)
    for (const auto& collision : link.collisions) geometries.insert(collision.name);
  for (const auto& pair : description.contact_pairs)
    for (const auto* name : {&pair.a, &pair.b})
      if (!geometries.contains(*name))
        unknown("collision", *name, pair.line, subject("contact pair", pair.name), findings);
}

}  // namespace lissom::validation
