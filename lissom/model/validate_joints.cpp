// Checks each joint: axes, limits, damping and similar parameters; then the mimic joints.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"
#include "lissom/model/validate_parts.h"

namespace lissom::validation {

namespace {

std::string to_text(const Vec3<double>& v) {
  return "(" + lissom::to_text(v.x) + " " + lissom::to_text(v.y) + " " + lissom::to_text(v.z) + ")";
}

std::string to_text(const PerDof& figure) {
  std::string text;
  for (const double x : figure.values()) text += (text.empty() ? "" : " ") + lissom::to_text(x);
  return text;
}

// Returns false if the axis has no direction.
bool check_axis(const Vec3<double>& axis, const std::string& what, const JointDescription& joint, Findings& findings) {
  constexpr double tolerance = 1e-4;  // files print few digits: 0.707106 0.707106
  if (!finite(axis)) return false;    // reported already
  const double length = norm(axis);
  if (length == 0) {
    findings.error("axis-zero", joint.line, subject(joint), what + " is zero: it has no direction",
                   "give a direction, such as 0 0 1");
    return false;
  }
  if (std::abs(length - 1) > tolerance)
    findings.warning(
        "axis-not-unit", joint.line, subject(joint),
        what + " " + to_text(axis) + " has norm " + lissom::to_text(length) + ", expected 1; it is normalized",
        "write a vector of norm 1");
  return true;
}

void check_axes(const JointDescription& joint, Findings& findings) {
  constexpr double tolerance = 1e-6;
  const int axes = joint_traits(joint.type).axes;
  if (axes == 0) return;
  const bool first = check_axis(joint.axis, "the axis", joint, findings);
  if (axes < 2) return;
  const bool second = check_axis(joint.axis2, "the second axis", joint, findings);
  if (!first || !second) return;
  if (norm(cross((1 / norm(joint.axis)) * joint.axis, (1 / norm(joint.axis2)) * joint.axis2)) < tolerance)
    findings.error("axes-parallel", joint.line, subject(joint), "its two axes are parallel",
                   "give it two different axes, usually at right angles");
}

void check_position_limits(const JointDescription& joint, Findings& findings) {
  if (joint.lower.empty() && joint.upper.empty()) return;
  const JointTraits& traits = joint_traits(joint.type);
  const auto expected = traits.has_quaternion() ? std::size_t{0} : traits.q.size();
  if (joint.lower.size() != expected || joint.upper.size() != expected) {
    findings.error("limit-count", joint.line, subject(joint),
                   "it has " + counted(joint.lower.size(), "lower limit") + " and " +
                       counted(joint.upper.size(), "upper limit") + "; a " + to_string(joint.type) + " joint takes " +
                       std::to_string(expected) + " of each, or none at all",
                   "give one limit for each element of its q");
    return;
  }
  for (std::size_t i = 0; i < expected; ++i) {
    const double lower = joint.lower[i], upper = joint.upper[i];
    if (std::isnan(lower) || std::isnan(upper))
      findings.error("number-not-finite", joint.line, subject(joint), "a position limit is NaN",
                     "give a number, or leave the limit out");
    else if (lower > upper)
      findings.error(
          "limit-reversed", joint.line, subject(joint),
          "the lower limit " + lissom::to_text(lower) + " is above the upper limit " + lissom::to_text(upper),
          "swap lower and upper; for a joint without limits leave them out, or make it continuous");
    else if (lower == upper && !joint.mimic)
      findings.warning("limit-locked", joint.line, subject(joint),
                       "the lower and the upper limit are both " + lissom::to_text(lower) + ": it cannot move",
                       "give the range of motion (limits left out of a URDF's <limit> are 0), or make the joint fixed "
                       "or continuous");
  }
}

// Ranges of several turns in whole numbers: degrees, where radians are meant.
void check_degrees(const JointDescription& joint, Findings& findings) {
  if (joint.type != JointType::revolute || joint.lower.size() != 1 || joint.upper.size() != 1) return;
  constexpr double revolution = 2 * std::numbers::pi;
  const double lower = joint.lower[0], upper = joint.upper[0];
  const auto is_half = [](double x) { return std::abs(2 * x - std::round(2 * x)) < 1e-9; };
  if (!(upper - lower > 4 * revolution) || std::max(std::abs(lower), std::abs(upper)) > 720) return;
  if (!is_half(lower) || !is_half(upper)) return;
  findings.warning("limit-degrees", joint.line, subject(joint),
                   "its position limits are " + lissom::to_text(lower) + " and " + lissom::to_text(upper) +
                       " rad, which are " + lissom::to_text(std::round((upper - lower) / revolution)) +
                       " turns; are these degrees?",
                   "write radians; none needed if the joint turns that far");
}

// Files write ±1e16 for "none".
void note_far_limits(const JointDescription& joint, Findings& findings) {
  if (joint.lower.size() != joint.upper.size() || !position_range(joint).any_far) return;
  std::string limits;
  for (std::size_t i = 0; i < joint.lower.size(); ++i)
    limits += (limits.empty() ? "" : ", ") + lissom::to_text(joint.lower[i]) + " to " + lissom::to_text(joint.upper[i]);
  findings.note("limit-infinite", joint.line, subject(joint),
                "its position limits are " + limits + ": beyond ±" + lissom::to_text(max_position_limit) +
                    " (rad or m) there is no limit",
                "none needed; in a URDF a joint without limits is continuous");
}

void check_velocity_and_effort(const JointDescription& joint, Findings& findings) {
  std::string zero;
  const struct {
    const char* what;
    const PerDof& limit;
  } limits[] = {{"velocity", joint.velocity_limit}, {"effort", joint.effort_limit}};
  for (const auto& [what, limit] : limits) {
    const auto any = [&](auto is) { return std::ranges::any_of(limit.values(), is); };
    if (any([](double x) { return std::isnan(x); }))
      findings.error("number-not-finite", joint.line, subject(joint), std::string("the ") + what + " limit is NaN",
                     "give a number");
    else if (any([](double x) { return x < 0; }))
      findings.add(any([](double x) { return x < 0 && x != -1; }) ? Severity::warning : Severity::note,
                   "limit-negative", joint.line, subject(joint),
                   std::string("the ") + what + " limit " + to_text(limit) + " is negative: it is taken as none",
                   "give the largest magnitude, a positive number, or leave it out");
    else if (any([](double x) { return x == 0; }) && joint.type != JointType::fixed)
      zero += (zero.empty() ? "" : " and ") + std::string(what);
  }
  if (!zero.empty())
    findings.warning("limit-zero", joint.line, subject(joint),
                     "the " + zero + ((zero.find(' ') != std::string::npos) ? " limits are" : " limit is") +
                         " zero: the joint can never " + (zero == "effort" ? "exert a force" : "move"),
                     "give the real limit, or leave it out if there is none");
}

void check_counts(const JointDescription& joint, Findings& findings) {
  const auto nv = joint_traits(joint.type).v.size();
  const struct {
    const char* what;
    const PerDof& figure;
  } figures[] = {{"velocity limit", joint.velocity_limit},
                 {"effort limit", joint.effort_limit},
                 {"damping", joint.damping},
                 {"friction", joint.dry_friction},
                 {"spring stiffness", joint.spring_stiffness},
                 {"spring rest position", joint.spring_rest}};
  for (const auto& [what, figure] : figures)
    if (figure.count() != 1 && figure.count() != nv)
      findings.error("figure-count", joint.line, subject(joint),
                     "the " + std::string(what) + " has " + counted(figure.count(), "number") + "; a " +
                         to_string(joint.type) + " joint has " + counted(nv, "degree") + " of freedom",
                     "give one number for all of them, or one for each");
}

void check_figures(const JointDescription& joint, Findings& findings) {
  const struct {
    const char* what;
    PerDof figure;
  } figures[] = {{"damping", joint.damping},
                 {"friction", joint.dry_friction},
                 {"armature", joint.armature},
                 {"spring stiffness", joint.spring_stiffness}};
  for (const auto& [what, figure] : figures)
    if (std::ranges::any_of(figure.values(), [](double x) { return x < 0; }))
      findings.warning("dynamics-negative", joint.line, subject(joint),
                       std::string("the ") + what + " " + to_text(figure) + " is negative: the joint would add energy",
                       "give 0 or a positive number");
  if (joint_traits(joint.type).has_pitch && joint.pitch == 0)
    findings.warning("pitch-zero", joint.line, subject(joint), "a helical joint with pitch 0 only rotates",
                     "give the pitch in meters per radian, or make the joint revolute");
}

// The index of the joint that a joint follows, or none; a mimic that is not possible is reported.
int leader_of(const Description& description, const JointDescription& joint, const Names& joints, Findings& findings) {
  if (!joint.mimic) return none;
  const std::string& name = joint.mimic->joint;
  const auto ignored = [&](const std::string& why, const char* remedy) {
    findings.warning("mimic-ignored", joint.line, subject(joint), why + ": the mimic is ignored", remedy);
    return none;
  };
  if (joint.type == JointType::fixed)
    return ignored("it mimics the joint " + in_quotes(name) + ", but is fixed", "remove the mimic, or give the type");
  const auto found = joints.find(name);
  if (name.empty() || found == joints.end()) {
    findings.error("mimic-unknown", joint.line, subject(joint),
                   "it mimics the joint " + in_quotes(name) + ", which does not exist", "name an existing joint");
    return none;
  }
  const JointDescription& leader = description.joints[static_cast<std::size_t>(found->second)];
  if (name == joint.name) {
    findings.error("mimic-self", joint.line, subject(joint), "it mimics itself", "name the joint it is to follow");
    return none;
  }
  if (leader.type == JointType::fixed)
    return ignored("it mimics the joint " + in_quotes(name) + ", which is fixed", "name a joint that moves");
  if (!can_follow(joint, leader)) {
    const JointDescription& culprit = joint_traits(joint.type).may_mimic() ? leader : joint;
    findings.error("mimic-size", joint.line, subject(joint),
                   subject(culprit) + " is " + to_string(culprit.type) +
                       ", but only joints with one coordinate can mimic or be mimicked",
                   "remove the mimic, or use a joint with one coordinate");
    return none;
  }
  if (joint.mimic->ratio == 0)
    findings.warning("mimic-zero", joint.line, subject(joint),
                     "it follows " + in_quotes(name) + " with ratio 0: it never moves",
                     "give the ratio (in a URDF: multiplier), or make the joint fixed");
  return found->second;
}

}  // namespace

void check_joints(const Description& description, Findings& findings) {
  for (const JointDescription& joint : description.joints) {
    check_axes(joint, findings);
    check_position_limits(joint, findings);
    note_far_limits(joint, findings);
    check_degrees(joint, findings);
    check_velocity_and_effort(joint, findings);
    check_counts(joint, findings);
    check_figures(joint, findings);
  }
}

void check_mimics(const Description& description, const AllNames& names, Findings& findings) {
  std::vector<int> leader;
  for (const JointDescription& joint : description.joints)
    leader.push_back(leader_of(description, joint, names.joints, findings));

  // Number of the walk along the leaders that visited each joint; 0: not yet visited.
  std::vector<int> walk(leader.size(), 0);
  for (std::size_t start = 0; start < leader.size(); ++start) {
    int i = static_cast<int>(start);
    while (i != none && walk[static_cast<std::size_t>(i)] == 0) {
      walk[static_cast<std::size_t>(i)] = static_cast<int>(start) + 1;
      i = leader[static_cast<std::size_t>(i)];
    }
    if (i == none || walk[static_cast<std::size_t>(i)] != static_cast<int>(start) + 1) continue;
    const JointDescription& joint = description.joints[static_cast<std::size_t>(i)];
    findings.error("mimic-cycle", joint.line, subject(joint),
                   "it mimics " + in_quotes(joint.mimic->joint) + ", which follows it in turn: the cycle has no leader",
                   "remove the mimic of one of these joints");
  }
}

}  // namespace lissom::validation
