#pragma once
// Where units touch, and the blocks of rows that a step consists of. Not installed.
#include <array>
#include <cstdint>

#include "lissom/contact/one_contact.h"
#include "lissom/geometry/collide.h"
#include "lissom/world/unit.h"

namespace lissom::worlds {

inline constexpr int fixed_unit = -1;

/// A convex shape on a body of a unit.
struct PlacedCollider {
  Collider collider;
  int unit = fixed_unit;
  int body = 0;
  int owner = 0;  ///< body, robot or fixed shape, for properties by name
  std::string link = {};
  Pose<double> in_body{};
  int material = -1;                        ///< of its surface, in World::Impl::materials; -1: the file does not say
  std::string shape = {};                   ///< its name in the robot's file
  int contact_group = 1, contact_mask = 1;  ///< as in Geometry
};

/// One point where two units touch, or may touch within the step.
struct Contact {
  std::array<int, 2> collider{};  ///< a, b
  std::array<int, 2> unit{}, body{};
  Vec3<double> point{0, 0, 0};
  Mat3<double> axes = identity3<double>();  ///< columns: the normal, from b to a, and two tangents
  double gap = 0;
  std::uint64_t key = 0;  ///< the same in the next step, for warm starts
  const ContactProperties* properties = nullptr;
  bool has_rows = false;                      ///< otherwise it is taken to separate, which is checked after the step
  Vec3<double> impulse{0, 0, 0};              ///< of the smooth stage, along the axes
  Vec3<double> impact{0, 0, 0};               ///< of the impact stage
  Vec3<double> drift{0, 0, 0};                ///< of a from b, along the tangents, in the world
  Vec3<double> turned{0, 0, 0};               ///< the rotation that belongs to it
  Vec3<double> parted{0, 0, 0};               ///< the same, in this step alone
  Vec3<double> twist{0, 0, 0};                ///< angular impulse of torsional and rolling friction, in the world
  double slip = 0;                            ///< tangential speed, but for the return from a drift, m/s
  bool returns = false;                       ///< from that drift, in this step
  ContactMode mode = ContactMode::separated;  ///< where derivatives were asked for
};

/// The rows of a contact, a joint limit, dry friction, a servo or a loop: those of one law (contact/problem.h).
struct Block {
  contact::Kind kind = contact::Kind::cone;
  int size = 3;
  /// Which columns of which units' rows they are; both sides of a contact within one robot share columns.
  struct Side {
    int unit = fixed_unit, column = 0;
  };
  std::array<Side, 2> sides{};
  int contact = -1;  ///< its index, of a contact
  int own = -1;      ///< index of the rows that a unit has by itself
  int normal = -1;   ///< of torsional (one row) and rolling friction (two): the block of their contact
  double gap = 0;
  std::uint64_t key = 0;

  // These belong to the stage that is solved.
  bool active = true;
  double friction = 0, lower = 0, upper = 0;
  double bound = 0;       ///< on the first row's velocity
  double compliance = 0;  ///< the first row gives way by this times its impulse
  /// The velocity of what sticks along the tangents, which undoes its drift (drift.cpp).
  std::array<double, 2> tangent_bound{};
  std::array<double, contact::max_free_rows> impulse{};
};

/// Units that act on each other, directly or not, and their blocks.
struct Island {
  std::vector<int> blocks, units;
  std::vector<int> first_row;  ///< of each block, in G
  int rows = 0, stride = 0;
  bool has_G = false;
  bool is_plastic_robot = false;  ///< see World::Impl::is_plastic_robot
  bool moves_with_end = false;    ///< positions move with the velocity after the step, not with the mean one
  AlignedMemory<double> G;
  std::size_t capacity = 0;
};

/// Two unit vectors that are perpendicular to n, and n, as columns: n, t1, t2.
Mat3<double> contact_axes(const Vec3<double>& n);

}  // namespace lissom::worlds
