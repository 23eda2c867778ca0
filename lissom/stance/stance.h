#pragma once
// A stance: a posture in which a robot stays at rest on given contacts, with forces inside the friction cones, torques
// inside their limits, joints inside theirs, and the center of mass where it is balanced with some room around.
//
//   const auto s = find_stance(model, {.contacts = {{.frame = "left_sole"}, {.frame = "right_sole"}}});
//   if (s.status == StanceStatus::found) use(s.q, s.torques);
//   else                                          say(s.what);
//
// Escande, Kheddar and Miossec (2013) pose it so: min ‖q - from‖² over postures and forces, subject to contacts,
// equilibrium, cones and limits. Here inverse kinematics brings the contacts to their places, then a sequence of
// quadratic programs over (q, forces) leads down along them (stance_descent.h), from several starts where the first one
// fails. docs/stance.md. Shapes of the robot are kept above the ground, but not out of each other.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "lissom/constraints/contact.h"

namespace lissom {

struct StanceContact {
  std::string frame;
  // Where its frame lies in the world; empty: anywhere on the ground, level, near to where it is at the start. Of a
  // point contact the origin counts alone, which lies a radius above the ground where a sphere is around it.
  std::optional<Pose<double>> place = {};
  // Empty: a surface where `points` or the collision boxes of the frame's body give one (contact_polygon), else a
  // point. A fixed one is a grip; sliding contacts carry no stance.
  std::optional<ContactKind> kind = {};
  double friction = .7;
  std::vector<Vec3<double>> points = {};  // as of Contact
};

struct StanceProblem {
  std::vector<StanceContact> contacts;
  // The posture to stay near. Empty: neutral, at a height that brings the contacts to the ground.
  Eigen::VectorXd from = {};
  std::optional<Vec3<double>> com = {};  // where the center of mass shall be; empty: where it is balanced
  bool com_height = true;                // the height of `com` counts
  double com_margin = .02;               // m, kept from the edge of the support region where that is possible
  double torque_fraction = .9;           // of the effort limits
  // Height below which no collision shape comes (meshes are not looked at); empty: it does not matter.
  std::optional<double> ground = 0.0;
  int starts = 20;  // the first is `from`
  std::uint64_t seed = 0;
};

enum class StanceStatus {
  found,
  no_posture,    // no posture was found that brings the contacts (and the center of mass) to their places
  not_balanced,  // it was, but no forces within the friction cones hold it
  torque_limits  // they do, but ask for more torque than there is
};
const char* to_string(StanceStatus status);

// Vectors are along the world's axes.
struct StanceForces {
  std::string frame;
  ContactKind kind = ContactKind::surface;
  Pose<double> place;                                        // of the frame, as found
  std::vector<Vec3<double>> points = {}, point_forces = {};  // in the world, N; a grip has none
  Vec3<double> force = {0, 0, 0}, torque = {0, 0, 0};        // of all of them on the frame, about its origin
  double normal = 0;                                         // N
  double friction_use = 0;  // largest |tangent| / (friction · normal) over points that carry something
};

struct Stance {
  StanceStatus status = StanceStatus::no_posture;
  // Where there is none, why, in words: which contact is missed by how much, how far the center of mass is outside,
  // which torque exceeds its limit. All below then tells of the best that was found.
  std::string what;
  Eigen::VectorXd q, torques;  // torques: one per degree of freedom, zero where there is no motor
  std::vector<StanceForces> contacts;
  Vec3<double> com = {0, 0, 0};
  // How far the center of mass may move in every horizontal direction with the friction cones alone, m; negative: how
  // far it is outside. Infinite for a robot that is fixed to the world.
  double balance_margin = 0;
  std::vector<Vec3<double>> support;  // corners of the region that it is measured in, at z = 0
  double max_torque_use = 0;          // |torque| / effort limit
  std::string max_torque_joint = {};  // whose
  double max_friction_use = 0;
  double posture_distance = 0;     // root of the sum of squares of joint angles from `from`
  int starts = 0, iterations = 0;  // that were needed
};

// The same problem, the same answer. Error where a frame is unknown, a number makes no sense, or there is no contact.
Stance find_stance(const Model& model, const StanceProblem& problem);

}  // namespace lissom
