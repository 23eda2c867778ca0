#pragma once
// A stance is a posture in which a robot stays at rest on given contacts, with forces inside the friction cones,
// torques and joints within their limits, and the center of mass inside the support region with some margin.
//
//   const auto s = find_stance(model, {.contacts = {{.frame = "left_sole"}, {.frame = "right_sole"}}});
//   if (s.status == StanceStatus::found) use(s.q, s.torques);
//   else                                   say(s.what);
//
// The problem is that of Escande, Kheddar and Miossec (2013): min ‖q - from‖² over postures and forces, subject to
// contacts, equilibrium, cones and limits. Here inverse kinematics brings the contacts to their placements, then a
// sequence of quadratic programs over (q, forces) descends along them (stance_descent.h), from several starts if the
// first one fails (docs/stance.md). Collision shapes are kept above the ground, off obstacles and off each other.
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "lissom/constraints/contact.h"

namespace lissom {

/// A convex polygon of the surroundings on which a contact may lie anywhere.
struct StancePolygon {
  Pose<double> pose;                  ///< z is the normal, out of the solid
  std::vector<Vec3<double>> corners;  ///< in its plane z = 0, counter-clockwise about +z
  double margin = 0;                  ///< m, distance of all corners of the contact's face from the edges
};

/// A solid that the robot keeps away from.
struct StanceObstacle {
  std::string name;
  Shape shape;  ///< no mesh
  Pose<double> pose;
};

/// A contact that the robot shall stand on.
struct StanceContact {
  std::string frame;
  /// Pose of its frame in the world; empty: anywhere on the ground, level, near to where it is at the start. For a
  /// point contact only the origin counts, which lies a radius above the ground if it is the center of a collision
  /// sphere.
  std::optional<Pose<double>> placement = {};
  /// Empty: a surface if `points` or the collision boxes of the frame's body give one (contact_polygon), otherwise a
  /// point. A fixed one is a grip; sliding contacts are not allowed.
  std::optional<ContactKind> kind = {};
  double friction = .7;
  /// As in Contact. All corners of a surface have the same z, which need not be 0: the frame may be an ankle.
  std::vector<Vec3<double>> points = {};
  /// Where it may lie if it has no placement: anywhere on this polygon, flat on it and turned in any way about its
  /// normal. Empty: on the ground.
  std::optional<StancePolygon> polygon = {};
  /// False: it touches without force. So the next contact is already at its place while the others carry the robot.
  bool carries = true;
  /// N, limits of the sum of its normal forces.
  double min_normal_force = 0, max_normal_force = std::numeric_limits<double>::infinity();
  /// The obstacle that it touches, as an index in StanceProblem::obstacles, which its link then need not keep away
  /// from; -1: none.
  int on = -1;
  /// m, of a point contact that is a ball about its point. Empty: that of the collision sphere whose center is the
  /// frame's origin, if there is one.
  std::optional<double> radius = {};
};

/// The problem that find_stance() solves.
struct StanceProblem {
  std::vector<StanceContact> contacts;
  /// The posture to stay near. Empty: the neutral one, at a height that brings the contacts to the ground.
  Eigen::VectorXd from = {};
  /// Where the first start begins; empty: at `from`.
  Eigen::VectorXd start = {};
  /// Target of the center of mass; empty: it is chosen so that the robot is balanced.
  std::optional<Vec3<double>> com = {};
  bool com_height = true;       ///< whether the height of `com` counts
  double com_margin = .02;      ///< m, distance from the edge of the support region, if possible
  double torque_fraction = .9;  ///< fraction of the effort limits that may be used
  /// m, height below which no collision shape may be (meshes are not checked); empty: no such limit.
  std::optional<double> ground = 0.0;
  std::vector<StanceObstacle> obstacles = {};
  bool self_collision = false;  ///< links that can meet keep the distance `clearance`, too
  double clearance = .01;       ///< m, from obstacles, and between links
  /// Frames whose bodies keep a larger distance from obstacles, m: limbs in the air.
  std::vector<std::pair<std::string, double>> clearances = {};
  int starts = 3;  ///< at most; all but the first are random
  std::uint64_t seed = 0;
  /// Asked before each start and each step of it; if true, the search ends with the best posture so far. It may throw,
  /// which ends find_stance().
  std::function<bool()> stop = {};
};

/// Whether a stance was found, and what is missing otherwise.
enum class StanceStatus {
  found,
  no_posture,    ///< no posture was found that brings the contacts (and the center of mass) to their targets
  not_balanced,  ///< a posture was found, but no forces within the friction cones balance it
  torque_limits  ///< balanced, but only with torques beyond the limits
};
/// "found", "no_posture", and so on.
const char* to_string(StanceStatus status);

/// A contact of a stance with its forces. Vectors are along the world's axes.
struct StanceForces {
  std::string frame;
  ContactKind kind = ContactKind::surface;
  Pose<double> placement;                                    ///< of the frame, as found
  std::vector<Vec3<double>> points = {}, point_forces = {};  ///< m, N, in the world; a grip has none
  Vec3<double> force = {0, 0, 0}, torque = {0, 0, 0};        ///< of all points on the frame, about its origin
  double normal = 0;                                         ///< N
  double friction_use = 0;  ///< largest |tangent| / (friction · normal) of the points with a normal force
};

/// The result of find_stance().
struct Stance {
  StanceStatus status = StanceStatus::no_posture;
  /// If none was found, why: which contact is off by how much, how far the center of mass is outside the support
  /// region, which torque exceeds its limit. All members below then describe the best posture that was found.
  std::string what;
  Eigen::VectorXd q, torques;  ///< torques: one per degree of freedom, zero without a motor
  std::vector<StanceForces> contacts;
  Vec3<double> com = {0, 0, 0};
  /// m, how far the center of mass may move in every horizontal direction within the support region; negative: how far
  /// it is outside. Infinite for a robot that is fixed to the world, or holds on by a grip.
  double balance_margin = 0;
  std::vector<Vec3<double>> support;  ///< corners of the support region, at z = 0
  double max_torque_use = 0;          ///< |torque| / effort limit
  std::string max_torque_joint = {};  ///< the joint with that torque
  double max_friction_use = 0;
  double posture_distance = 0;     ///< root of the sum of squares of joint displacements from `from`
  int starts = 0, iterations = 0;  ///< that were needed
  /// What was assumed about the problem: a contact taken as a point, because its body has only meshes.
  std::vector<std::string> remarks = {};
};

/// Finds a stance near problem.from. The same problem and seed give the same result. Error if a frame is unknown, a
/// value is out of range, or there is no contact.
Stance find_stance(const Model& model, const StanceProblem& problem);

}  // namespace lissom
