// Notes how the robot is connected to the world where that may surprise: it floats already, or a link called "world" is
// not the world.
#include <algorithm>

#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"
#include "lissom/model/validate_parts.h"

namespace lissom::validation {
namespace {

void note_floating(const Description& description, const BaseJoints& bases, Base asked, Findings& findings) {
  for (int link = 0; link < static_cast<int>(description.links.size()); ++link) {
    if (!bases.is_root(link) || bases.floats_by(link) < 0) continue;
    const JointDescription& joint = description.joints[static_cast<std::size_t>(bases.floats_by(link))];
    if (joint.name == "base" || joint.name.starts_with("base:")) continue;  // it was asked for (without_mounts)
    const auto root = in_quotes(description.links[static_cast<std::size_t>(link)].name);
    if (asked == Base::fixed) {
      findings.warning(
          "base-floats", joint.line, subject(joint),
          "a fixed base was asked for, but the robot floats by this joint; only the root link " + root + " is fixed",
          "replace the joint by a fixed one in the file, or leave out --base fixed (Base::fixed)");
      continue;
    }
    findings.note(
        "base-floats", joint.line, subject(joint),
        "the robot floats by this joint already; the root link " + root + " stays fixed, and no base joint is added",
        "none needed; the coordinates of the base are those of joint " + in_quotes(joint.name));
  }
}

// The file attaches every body to the world, by joints of its own.
void warn_ground(const Description& description, const BaseJoints& bases, Findings& findings) {
  for (const JointDescription& joint : description.joints)
    if (joint.name == "base" || joint.name.starts_with("base:")) return;
  int root = -1;
  for (int link = 0; link < static_cast<int>(description.links.size()); ++link) {
    if (!bases.is_root(link)) continue;
    if (bases.of(link).type != JointType::fixed || bases.floats_by(link) >= 0) return;
    root = link;
  }
  const LinkDescription& ground = description.links[static_cast<std::size_t>(root)];
  findings.warning("base-ground", ground.line, subject(ground),
                   "another base was asked for, but the file attaches everything to the ground by joints that move; "
                   "nothing changes",
                   "leave out --base (Base::file); give the body a free joint if it shall float");
}

void note_world(const std::string& whose, int line, const std::string& inertial, Findings& findings) {
  findings.note("world-moves", line, whose,
                "the name 'world' means this " + whose.substr(0, whose.find(' ')) +
                    ", not the inertial frame, which is called " + in_quotes(inertial),
                "none needed; rename it if that is confusing");
}

}  // namespace

void check_base(const Description& description, const BuildOptions& options, Findings& findings) {
  const BaseJoints bases(description, options.base);
  if (options.base != Base::file) note_floating(description, bases, options.base, findings);
  if (options.base == Base::free || options.base == Base::planar) warn_ground(description, bases, findings);
  const auto world = std::ranges::find(description.links, "world", &LinkDescription::name);
  const auto frame = std::ranges::find(description.frames, "world", &FrameDescription::name);
  if (world != description.links.end()) {
    const int link = static_cast<int>(world - description.links.begin());
    if (!bases.is_root(link) || bases.of(link).type != JointType::fixed)
      note_world(subject(*world), world->line, inertial_frame_name(description), findings);
  } else if (frame != description.frames.end()) {
    note_world(subject(*frame), frame->line, inertial_frame_name(description), findings);
  }
}

}  // namespace lissom::validation
