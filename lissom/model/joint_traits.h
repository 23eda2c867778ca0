#pragma once
// The joint types, and a table of their properties other than kinematics: one row for each type. Code that names,
// counts, prints, limits or records coordinates reads this table instead of switching on the type.
#include <cstddef>
#include <optional>
#include <span>

#include "lissom/tree/joint_kind.h"

namespace lissom {

/// The type of a joint, with its q and v.
enum class JointType {
  fixed,        ///< no coordinates
  revolute,     ///< q = angle about the axis
  continuous,   ///< the same without position limits
  prismatic,    ///< q = displacement along the axis
  helical,      ///< q = angle about the axis; also translates `pitch` meters per radian along it
  cylindrical,  ///< q = (displacement along, angle about) the axis
  universal,    ///< q = (angle about axis, angle about axis2, which rotates with the first one)
  planar,     ///< q = (x, y, angle) in the plane normal to the axis; v = (ẋ, ẏ) in the child's frame, rate of the angle
  spherical,  ///< q = (qw qx qy qz); v = angular velocity in the child's frame
  free        ///< q = (x y z, qw qx qy qz); v = (linear, angular) velocity in the child's frame
};

/// The quantity that an element of q measures. An element of v is the rate of an angle or of a length.
enum class Quantity { angle, length, quaternion };

/// The direction of a velocity component in the joint's frame at q = 0.
enum class Direction { axis, axis2, plane_x, plane_y, x, y, z };

/// One element of a joint's q.
struct PositionComponent {
  const char* name;  ///< "x", "qw", …; empty if the joint has only one element
  Quantity quantity;
  bool periodic;  ///< q and q + 2π are the same pose
};
/// One element of a joint's v.
struct VelocityComponent {
  const char* name;
  Quantity quantity;  ///< angle: rad/s, length: m/s
  Direction along;
};

/// One of the elementary joints (revolute, prismatic, spherical) that a joint is composed of, from the parent to the
/// child. Their coordinates are those of the joint, in this order.
struct JointPart {
  const char* name;  ///< what files that split the joint add to its name; empty: nothing
  JointType type;
  Direction along = Direction::axis;  ///< of a revolute or prismatic one
  bool by_pitch = false;  ///< it has no coordinate of its own: it moves by `pitch` times that of the part before it
};

/// Whether a file must give position limits for a joint type, may give them, or cannot.
enum class PositionLimits { none, optional, required };

/// The properties of a joint type.
struct JointTraits {
  JointType type;
  const char* name;
  std::span<const PositionComponent> q;
  std::span<const VelocityComponent> v;
  std::span<const JointPart> parts;
  std::optional<JointKind> kind = {};  ///< of its class in tree/joint.h; none: its parts move one body each
  ManifoldKind manifold = ManifoldKind::flat;
  int axes = 0;  ///< how many of `axis`, `axis2` are used
  PositionLimits limits = PositionLimits::none;
  bool has_pitch = false;       ///< rotation that also translates along its axis
  bool takes_armature = false;  ///< a motor can drive its velocities, and its rotor adds to M

  constexpr int nq() const { return int(q.size()); }
  constexpr int nv() const { return int(v.size()); }
  /// Whether q̇ = v. Limits and ranges of q then bound v, element by element.
  constexpr bool is_flat() const { return manifold == ManifoldKind::flat; }
  /// Index of the unit quaternion in the joint's q; -1 if it has none.
  constexpr int quaternion() const {
    return manifold == ManifoldKind::so3 ? 0 : manifold == ManifoldKind::se3 ? 3 : -1;
  }
  constexpr bool has_quaternion() const { return quaternion() >= 0; }
  /// Whether it is a part of others, and has no parts but itself.
  constexpr bool is_elementary() const { return parts.size() == 1; }
  constexpr bool is_hinge() const { return is_elementary() && parts[0].type == JointType::revolute; }
  constexpr bool is_slider() const { return is_elementary() && parts[0].type == JointType::prismatic; }
  /// Only joints with one coordinate can follow another joint, or be followed.
  constexpr bool may_mimic() const { return nq() == 1; }
  constexpr bool is_angle(int k) const { return q[std::size_t(k)].quantity == Quantity::angle; }
  constexpr bool is_length(int k) const { return q[std::size_t(k)].quantity == Quantity::length; }
};

namespace joint_components {
// clang-format off
inline constexpr PositionComponent
    angle_q[] = {{"", Quantity::angle, true}},
    screw_q[] = {{"", Quantity::angle, false}},
    length_q[] = {{"", Quantity::length, false}},
    cylindrical_q[] = {{"along", Quantity::length, false}, {"about", Quantity::angle, true}},
    universal_q[] = {{"first", Quantity::angle, true}, {"second", Quantity::angle, true}},
    planar_q[] = {{"x", Quantity::length, false}, {"y", Quantity::length, false}, {"angle", Quantity::angle, true}},
    free_q[] = {{"x", Quantity::length, false}, {"y", Quantity::length, false}, {"z", Quantity::length, false},
                {"qw", Quantity::quaternion, false}, {"qx", Quantity::quaternion, false},
                {"qy", Quantity::quaternion, false}, {"qz", Quantity::quaternion, false}};
inline constexpr VelocityComponent
    angle_v[] = {{"", Quantity::angle, Direction::axis}},
    length_v[] = {{"", Quantity::length, Direction::axis}},
    cylindrical_v[] = {{"along", Quantity::length, Direction::axis}, {"about", Quantity::angle, Direction::axis}},
    universal_v[] = {{"first", Quantity::angle, Direction::axis}, {"second", Quantity::angle, Direction::axis2}},
    planar_v[] = {{"vx", Quantity::length, Direction::plane_x}, {"vy", Quantity::length, Direction::plane_y},
                  {"rate", Quantity::angle, Direction::axis}},
    free_v[] = {{"vx", Quantity::length, Direction::x}, {"vy", Quantity::length, Direction::y},
                {"vz", Quantity::length, Direction::z}, {"wx", Quantity::angle, Direction::x},
                {"wy", Quantity::angle, Direction::y}, {"wz", Quantity::angle, Direction::z}};
inline constexpr JointPart
    hinge_parts[] = {{"", JointType::revolute}},
    slider_parts[] = {{"", JointType::prismatic}},
    helical_parts[] = {{"", JointType::revolute}, {"along", JointType::prismatic, Direction::axis, true}},
    cylindrical_parts[] = {{"along", JointType::prismatic}, {"about", JointType::revolute}},
    universal_parts[] = {{"first", JointType::revolute}, {"second", JointType::revolute, Direction::axis2}},
    planar_parts[] = {{"x", JointType::prismatic, Direction::plane_x}, {"y", JointType::prismatic, Direction::plane_y},
                      {"angle", JointType::revolute}},
    free_parts[] = {{"x", JointType::prismatic, Direction::x}, {"y", JointType::prismatic, Direction::y},
                    {"z", JointType::prismatic, Direction::z}, {"rotation", JointType::spherical}};
// A spherical joint has the rotational elements of a free joint.
inline constexpr auto spherical_q = std::span(free_q).last<4>();
inline constexpr auto spherical_v = std::span(free_v).last<3>();
inline constexpr auto spherical_parts = std::span(free_parts).last<1>();
}  // namespace joint_components

/// One row for each JointType, in its order.
inline constexpr JointTraits joint_types[] = {
    {.type = JointType::fixed, .name = "fixed", .q = {}, .v = {}, .parts = {}},
    {.type = JointType::revolute, .name = "revolute",
     .q = joint_components::angle_q, .v = joint_components::angle_v,
     .parts = joint_components::hinge_parts,
     .axes = 1, .limits = PositionLimits::required, .takes_armature = true},
    {.type = JointType::continuous, .name = "continuous",
     .q = joint_components::angle_q, .v = joint_components::angle_v,
     .parts = joint_components::hinge_parts, .axes = 1, .takes_armature = true},
    {.type = JointType::prismatic, .name = "prismatic",
     .q = joint_components::length_q, .v = joint_components::length_v,
     .parts = joint_components::slider_parts,
     .axes = 1, .limits = PositionLimits::required, .takes_armature = true},
    {.type = JointType::helical, .name = "helical",
     .q = joint_components::screw_q, .v = joint_components::angle_v,
     .parts = joint_components::helical_parts, .kind = JointKind::screw,
     .axes = 1, .limits = PositionLimits::optional, .has_pitch = true, .takes_armature = true},
    {.type = JointType::cylindrical, .name = "cylindrical",
     .q = joint_components::cylindrical_q, .v = joint_components::cylindrical_v,
     .parts = joint_components::cylindrical_parts,
     .axes = 1, .limits = PositionLimits::optional, .takes_armature = true},
    {.type = JointType::universal, .name = "universal",
     .q = joint_components::universal_q, .v = joint_components::universal_v,
     .parts = joint_components::universal_parts,
     .axes = 2, .limits = PositionLimits::optional, .takes_armature = true},
    // No motor drives the velocities of a planar or free joint, which are in the child's frame: a constant on the
    // diagonal of M would not be the kinetic energy of a rotor.
    {.type = JointType::planar, .name = "planar",
     .q = joint_components::planar_q, .v = joint_components::planar_v,
     .parts = joint_components::planar_parts,
     .kind = JointKind::planar, .manifold = ManifoldKind::se2, .axes = 1, .limits = PositionLimits::optional},
    {.type = JointType::spherical, .name = "spherical",
     .q = joint_components::spherical_q, .v = joint_components::spherical_v,
     .parts = joint_components::spherical_parts,
     .kind = JointKind::spherical, .manifold = ManifoldKind::so3, .takes_armature = true},
    {.type = JointType::free, .name = "free",
     .q = joint_components::free_q, .v = joint_components::free_v,
     .parts = joint_components::free_parts,
     .kind = JointKind::free, .manifold = ManifoldKind::se3},
};
// clang-format on

/// The row of a joint type.
constexpr const JointTraits& joint_traits(JointType type) {
  return joint_types[std::size_t(type)];
}
/// "revolute", "prismatic", and so on.
constexpr const char* to_string(JointType type) {
  return joint_traits(type).name;
}
/// A spherical joint as three hinges, with other coordinates: for files that have no spherical joints.
inline constexpr JointPart ball_hinges[] = {{"x", JointType::revolute, Direction::x},
                                            {"y", JointType::revolute, Direction::y},
                                            {"z", JointType::revolute, Direction::z}};

/// "rad", "m"; "1" for an element of a quaternion.
constexpr const char* position_unit(Quantity quantity) {
  return quantity == Quantity::angle ? "rad" : quantity == Quantity::length ? "m" : "1";
}
/// The unit of a rate.
constexpr const char* rate_unit(Quantity quantity) {
  return quantity == Quantity::length ? "m/s" : "rad/s";
}
/// The unit of an acceleration; "1/s²" for an element of a quaternion.
constexpr const char* acceleration_unit(Quantity quantity) {
  return quantity == Quantity::angle ? "rad/s²" : quantity == Quantity::length ? "m/s²" : "1/s²";
}
/// The unit of the generalized force that is conjugate to a rate.
constexpr const char* effort_unit(Quantity quantity) {
  return quantity == Quantity::length ? "N" : "N m";
}

/// Whether the parts are elementary, and have the coordinates of the joint; and without a class of its own, velocities
/// that are the rates of these.
constexpr bool parts_fit(const JointTraits& traits) {
  int nq = 0;
  for (const JointPart& part : traits.parts) {
    if (!joint_traits(part.type).is_elementary()) return false;
    if (!traits.kind && (part.by_pitch || !traits.is_flat())) return false;
    if (!part.by_pitch) nq += joint_traits(part.type).nq();
  }
  return nq == traits.nq();
}

static_assert(
    [] {
      for (std::size_t i = 0; i < std::size(joint_types); ++i)
        if (joint_types[i].type != JointType(i) ||
            joint_types[i].nq() != joint_types[i].nv() + (joint_types[i].has_quaternion() ? 1 : 0) ||
            !parts_fit(joint_types[i]))
          return false;
      return joint_types[std::size(joint_types) - 1].type == JointType::free;
    }(),
    "joint_types has one row for each JointType, in its order; only a quaternion has more elements than degrees of "
    "freedom; the parts have the coordinates of the joint");

}  // namespace lissom
