#include "lissom/recording/same_description.h"

#include <algorithm>
#include <concepts>
#include <tuple>

namespace lissom::recording {
namespace {

// The members that count. A struct of description.h with one member more does not compile here: so none is forgotten.
auto members(const Vec3<double>& v) {
  return std::tie(v.x, v.y, v.z);
}
auto members(const Mat3<double>& m) {
  return std::tie(m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz);
}
auto members(const Sym3<double>& m) {
  return std::tie(m.xx, m.xy, m.xz, m.yy, m.yz, m.zz);
}
auto members(const Pose<double>& pose) {
  const auto& [R, p] = pose;
  return std::tie(R, p);
}
auto members(const Color& color) {
  const auto& [r, g, b, a] = color;
  return std::tie(r, g, b, a);
}
auto members(const Material& material) {
  const auto& [name, color, texture] = material;
  return std::tie(name, color, texture);
}
auto members(const Shape& shape) {
  const auto& [kind, size, radius, length, file, path, scale] = shape;
  (void)path;
  return std::tie(kind, size, radius, length, file, scale);
}
auto members(const Geometry& geometry) {
  const auto& [name, origin, shape, material, contact_material, line] = geometry;
  return std::tie(name, origin, shape, material, contact_material, line);
}
auto members(const LinkDescription& link) {
  const auto& [name, mass, com, inertia, visuals, collisions, line, connects_joints] = link;
  return std::tie(name, mass, com, inertia, visuals, collisions, line, connects_joints);
}
auto members(const Mimic& mimic) {
  const auto& [joint, ratio, offset] = mimic;
  return std::tie(joint, ratio, offset);
}
auto members(const JointDescription& joint) {
  const auto& [name, type, parent, child, origin, axis, axis2, pitch, lower, upper, velocity_limit, effort_limit,
               damping, dry_friction, spring_stiffness, spring_rest, armature, mimic, line] = joint;
  return std::tie(name, type, parent, child, origin, axis, axis2, pitch, lower, upper, velocity_limit, effort_limit,
                  damping, dry_friction, spring_stiffness, spring_rest, armature, mimic, line);
}
auto members(const FrameDescription& frame) {
  const auto& [name, link, origin, line] = frame;
  return std::tie(name, link, origin, line);
}
auto members(const ActuatorDescription& actuator) {
  const auto& [name, joint, component, gear, min_command, max_command, line, kind, gain, bias, min_force, max_force,
               tendon] = actuator;
  return std::tie(name, joint, component, gear, min_command, max_command, line, kind, gain, bias, min_force, max_force,
                  tendon);
}
auto members(const ContactMaterial& material) {
  const auto& [name, friction, restitution, line] = material;
  return std::tie(name, friction, restitution, line);
}
auto members(const RootDescription& root) {
  const auto& [link, base, placement, line, is_ground] = root;
  return std::tie(link, base, placement, line, is_ground);
}
auto members(const TendonDescription::Term& term) {
  const auto& [joint, coefficient] = term;
  return std::tie(joint, coefficient);
}
auto members(const TendonDescription& tendon) {
  const auto& [name, terms, lower, upper, stiffness, rest, damping, dry_friction, armature, line] = tendon;
  return std::tie(name, terms, lower, upper, stiffness, rest, damping, dry_friction, armature, line);
}
auto members(const Description& robot) {
  const auto& [name, file, links, joints, frames, loops, couplings, springs, actuators, contact_materials, gravity,
               roots, tendons, postures, contact_exclusions, contact_pairs, kept, time_step, sources] = robot;
  (void)file, (void)loops, (void)couplings, (void)springs, (void)gravity;
  (void)postures, (void)contact_exclusions, (void)contact_pairs, (void)kept, (void)time_step, (void)sources;
  return std::tie(name, links, joints, frames, actuators, contact_materials, roots, tendons);
}

template <class T>
concept HasMembers = requires(const T& x) { members(x); };

template <std::equality_comparable T>
  requires(!HasMembers<T>)
bool same(const T& a, const T& b) {
  return a == b;
}
bool same(const PerDof& a, const PerDof& b) {
  return a.count() == b.count() && std::ranges::equal(a.values(), b.values());
}
template <HasMembers T>
bool same(const T& a, const T& b);
template <HasMembers T>
bool same(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}
template <HasMembers T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return same(x, y); });
}
template <HasMembers T>
bool same(const T& a, const T& b) {
  return std::apply(
      [&](const auto&... of_a) {
        return std::apply([&](const auto&... of_b) { return (same(of_a, of_b) && ...); }, members(b));
      },
      members(a));
}

}  // namespace

bool same_robot(const Description& a, const Description& b) {
  return same(a, b);
}

}  // namespace lissom::recording
