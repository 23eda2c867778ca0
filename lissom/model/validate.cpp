#include "lissom/model/validate.h"

#include <algorithm>
#include <cmath>

#include "lissom/model/interpretation.h"
#include "lissom/model/printable.h"
#include "lissom/model/source_place.h"
#include "lissom/model/text.h"
#include "lissom/model/validate_parts.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom {
namespace validation {

namespace {

// Names are printed: a control character could erase or forge what a terminal shows.
void check_text(const std::string& name, int line, const std::string& whose, Findings& findings) {
  if (has_control_character(name))
    findings.error("name-control-character", line, whose, "its name has a control character, expected text on one line",
                   "remove the character; in XML it may be written as &#27; or &#10;");
}

template <class Item>
Names index_names(const std::vector<Item>& items, std::string_view kind, Findings& findings) {
  Names names;
  names.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    if (item.name.empty()) {
      findings.error("name-empty", item.line, std::string(kind) + " number " + std::to_string(i + 1), "it has no name",
                     "name it: all parts of a robot are addressed by name");
      continue;
    }
    check_text(item.name, item.line, subject(kind, item.name), findings);
    const auto [first, is_new] = names.emplace(item.name, static_cast<int>(i));
    if (is_new) continue;
    const int line = items[static_cast<std::size_t>(first->second)].line;
    findings.error("name-duplicate", item.line, subject(kind, item.name),
                   "another " + std::string(kind) + " has the same name" +
                       (line > 0 ? ", in line " + std::to_string(line) : std::string()),
                   "give each " + std::string(kind) + " a name of its own");
  }
  return names;
}

bool finite_pose(const Pose<double>& X) {
  return finite(X.p) && finite(row_x(X.R)) && finite(row_y(X.R)) && finite(row_z(X.R));
}
void check_geometry(const Geometry& geometry, const std::string& kind, const std::string& owner, Findings& findings) {
  const Shape& s = geometry.shape;
  const std::string whose = owner + ", " + subject(kind, geometry.name);
  check_pose(geometry.origin, "its origin", geometry.line, whose, findings);
  if (!finite(s.size) || !finite(s.radius) || !finite(s.length) || !finite(s.scale))
    return not_finite("a size of its shape", geometry.line, whose, findings);
  const bool round = s.kind == Shape::Kind::sphere || s.kind == Shape::Kind::cylinder || s.kind == Shape::Kind::capsule;
  const bool box = s.kind == Shape::Kind::box || s.kind == Shape::Kind::ellipsoid, mesh = s.kind == Shape::Kind::mesh;
  // Negative scales of a mesh mirror it, which is legitimate.
  double min_size = 1;
  if (round) min_size = s.kind == Shape::Kind::sphere ? s.radius : std::min(s.radius, s.length);
  if (box || s.kind == Shape::Kind::height_field) min_size = std::min({s.size.x, s.size.y, s.size.z});
  if (s.kind == Shape::Kind::plane) min_size = std::min({s.size.x, s.size.y, 0.}) < 0 ? -1 : 1;
  if (mesh) min_size = std::min({std::abs(s.scale.x), std::abs(s.scale.y), std::abs(s.scale.z)});
  if (min_size < 0)
    findings.warning("shape-size", geometry.line, whose, "a size of its shape is negative",
                     "give positive lengths, in meters");
  else if (min_size == 0)  // points are used for contact
    findings.note("shape-size", geometry.line, whose, "a size of its shape is zero",
                  "give positive lengths, in meters, unless a point is meant");
}

}  // namespace

std::string subject(std::string_view kind, const std::string& name) {
  return std::string(kind) + " " + (name.empty() ? "without name" : in_quotes(name));
}
std::string subject(const LinkDescription& link) {
  return subject("link", link.name);
}
std::string subject(const JointDescription& joint) {
  return subject("joint", joint.name);
}
std::string subject(const FrameDescription& frame) {
  return subject("frame", frame.name);
}

bool finite(double number) {
  return std::isfinite(number);
}
bool finite(const Vec3<double>& v) {
  return finite(v.x) && finite(v.y) && finite(v.z);
}
double norm(const Vec3<double>& v) {
  return std::hypot(v.x, v.y, v.z);
}

void not_finite(const std::string& what, int line, const std::string& whose, Findings& findings) {
  findings.error("number-not-finite", line, whose, what + " is NaN or infinite", "give a finite number");
}
void check_pose(const Pose<double>& X, const std::string& what, int line, const std::string& whose,
                Findings& findings) {
  if (!finite_pose(X))
    not_finite(what, line, whose, findings);
  else if (!is_rotation(X.R))
    findings.error("rotation", line, whose,
                   "R of " + what + " is not a rotation matrix: its rows are not orthonormal, or its determinant is -1",
                   "give a rotation matrix");
}

AllNames check_names(const Description& description, Findings& findings) {
  check_text(description.name, 0, subject("robot", description.name), findings);
  AllNames names{index_names(description.links, "link", findings), index_names(description.joints, "joint", findings)};
  index_names(description.frames, "frame", findings);
  index_names(description.loops, "loop", findings);
  index_names(description.couplings, "coupling", findings);
  index_names(description.springs, "spring", findings);
  index_names(description.actuators, "actuator", findings);
  index_names(description.contact_materials, "contact material", findings);
  index_names(description.tendons, "tendon", findings);
  index_names(description.postures, "posture", findings);
  if (description.links.empty()) findings.error("no-links", 0, "", "the description has no links", "add a link");
  for (const JointDescription& joint : description.joints)
    if (names.links.contains(joint.name))
      findings.note("name-shared", joint.line, subject(joint), "a link has the same name",
                    "rename one of them if other programs are to read the file: some do not tell the two apart");
  for (const FrameDescription& frame : description.frames) {
    if (names.links.contains(frame.name))
      findings.error("frame-name-taken", frame.line, subject(frame),
                     "a link has the same name, and a link is a frame too", "rename the frame");
    if (frame.link.empty() || !names.links.contains(frame.link))
      findings.error("link-unknown", frame.line, subject(frame),
                     "it is fixed to the link " + in_quotes(frame.link) + ", which does not exist",
                     "name an existing link");
  }
  return names;
}

void check_numbers(const Description& description, Findings& findings) {
  if (!finite(description.gravity)) not_finite("gravity", 0, "robot", findings);
  for (const LinkDescription& link : description.links) {
    const Sym3<double>& I = link.inertia;
    const int line = link.line;
    if (!finite(link.mass)) not_finite("the mass", line, subject(link), findings);
    if (!finite(link.com)) not_finite("the center of mass", line, subject(link), findings);
    if (!finite(row_x(I)) || !finite(row_y(I)) || !finite(I.zz))
      not_finite("the inertia", line, subject(link), findings);
    for (const Geometry& visual : link.visuals) check_geometry(visual, "visual", subject(link), findings);
    for (const Geometry& collision : link.collisions) check_geometry(collision, "collision", subject(link), findings);
  }
  for (const JointDescription& joint : description.joints) {
    check_pose(joint.origin, "its origin", joint.line, subject(joint), findings);
    const struct {
      const char* what;
      PerDof figure;
    } figures[] = {{"the pitch", joint.pitch},
                   {"the armature", joint.armature},
                   {"the damping", joint.damping},
                   {"the friction", joint.dry_friction},
                   {"the spring's stiffness", joint.spring_stiffness},
                   {"the spring's rest position", joint.spring_rest},
                   {"the ratio of its mimic", joint.mimic ? joint.mimic->ratio : 0},
                   {"the offset of its mimic", joint.mimic ? joint.mimic->offset : 0}};
    for (const auto& [what, figure] : figures)
      if (!std::ranges::all_of(figure.values(), [](double x) { return finite(x); }))
        not_finite(what, joint.line, subject(joint), findings);
    if (!finite(joint.axis)) not_finite("the axis", joint.line, subject(joint), findings);
    if (!finite(joint.axis2)) not_finite("the second axis", joint.line, subject(joint), findings);
  }
  for (const FrameDescription& frame : description.frames)
    check_pose(frame.origin, "its origin", frame.line, subject(frame), findings);
}

}  // namespace validation

std::vector<Diagnostic> validate(const Description& given, const BuildOptions& options) {
  const auto released = without_mounts(given, options.base);
  const Description& description = released ? *released : given;
  validation::Findings findings(description);
  const validation::AllNames names = validation::check_names(description, findings);
  validation::check_numbers(description, findings);
  const validation::Tree tree = validation::check_tree(description, names, findings);
  validation::check_size(description, tree, findings);
  validation::check_joints(description, findings);
  validation::check_mimics(description, names, findings);
  validation::check_extras(description, findings);
  validation::check_references(description, names, findings);
  validation::check_inertias(description, tree, findings);
  if (!findings.any_error()) {
    validation::check_base(description, options, findings);
    validation::check_mass_distribution(description, tree, options, findings);
  }

  std::vector<Diagnostic> found = findings.take();
  sort_by_line(found);
  find_places(found, description.file, description.sources);
  return found;
}

bool any_error(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

void sort_by_line(std::vector<Diagnostic>& diagnostics) {
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
}

}  // namespace lissom
