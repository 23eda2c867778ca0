#pragma once
// Plans how a robot gets from one stance to another by making and releasing contacts, one at a time: which limb touches
// where, with a static posture for every change. After Bouyarmane and Kheddar, and Escande, Kheddar and Miossec
// (*Planning contact points for humanoid robots*, 2013); docs/plan.md has the method.
//
//   const auto found = plan::find_plan(model, {.limbs = limbs, .environment = plan::environment_of(scene),
//                                              .start = q, .standing = {"left_sole", "right_sole"}, .goal = goal});
//   if (found.reached) write_motion(model, problem, found, "climb.json");
//   else               say(found.what);
#include <functional>
#include <map>

#include "lissom/limbs/limb_contact.h"
#include "lissom/plan/environment.h"

namespace lissom::plan {

/// A part of the robot that may touch.
struct Limb {
  std::string frame;
  bool foot = true;  ///< it stands on level faces only, and is moved along with the robot; false: a hand
  ContactKind kind = ContactKind::surface;
  std::vector<Vec3<double>> points = {};  ///< as in Contact; empty: those of the collision boxes
  double friction = .7;
  double radius = 0;  ///< m: the frame is the center of a ball of this radius, which touches
};

/// The limbs of a robot whose contacts are known: its feet, and its hands.
std::vector<Limb> limbs_of(const RobotContacts& contacts);

/// A limb on a surface.
struct Placement {
  int limb = 0, surface = 0;
  Pose<double> pose;  ///< of its frame, in the world
};

/// Where the robot shall be. At least one of `base`, `contacts` and `posture` is given.
struct Goal {
  /// Horizontal place of the base, m; the feet then stand on the ground there as they did at the start.
  std::optional<Vec3<double>> base;
  std::optional<double> heading;  ///< rad; empty: any
  double tolerance = .15;         ///< m, of each foot's place
  /// The limbs that touch in the end, and no others. Empty: with a posture alone, those that lie on faces of the scene
  /// in it; otherwise, or if none does, the feet.
  std::vector<std::string> contacts;
  /// Where they touch, by name; those without an entry may touch anywhere.
  std::map<std::string, Pose<double>> places;
  std::optional<Eigen::VectorXd> posture;  ///< the posture in the end, as nearly as it is in balance
};

/// A robot in its surroundings, and where it is to go.
struct PlanProblem {
  std::vector<Limb> limbs;
  Environment environment;
  Eigen::VectorXd start;              ///< the first posture, on the surfaces
  std::vector<std::string> standing;  ///< limbs that touch in it
  Goal goal;

  /// At least so many limbs touch while a foot is in the air: with 2 or 3 the hands help.
  int support = 1;

  double seconds = 60;        ///< at most
  int threads = 0;            ///< 0: as many as the machine has; the plan is the same for any number
  std::uint64_t seed = 0;     ///< other seeds scatter the places that are tried
  long max_stances = 100000;  ///< at most so many postures are tried
  // Margins that postures keep, so that a controller can carry them out with a model that is slightly wrong.
  double torque_fraction = .8, friction_fraction = .6, support_fraction = .65;
  double joint_margin = .06;                  ///< rad or m, from the limits of joints
  double com_margin = .01, clearance = .012;  ///< m
  double body_clearance = .03;                ///< m, from obstacles, of all links but hands and feet
  double edge_margin = .01;                   ///< m, of faces on their surfaces
  double lift = .05;                          ///< m, height to which limbs are raised before and after they move
};

/// What a plan does from one posture to the next.
enum class Change {
  start,    ///< the first posture
  shift,    ///< all contacts stay; at the end the limb carries nothing
  release,  ///< the limb leaves its place, and is raised above it
  raise,    ///< the limb in the air goes straight up, or to the side
  reach,    ///< the limb in the air comes to stand above its new place
  touch,    ///< the limb comes down and touches, without force
  settle    ///< all contacts stay; the last posture
};
const char* to_string(Change change);

/// One posture of a plan, and how it is reached.
struct PlanStep {
  Change change = Change::start;
  int limb = -1;                    ///< that changes
  std::optional<Pose<double>> at;   ///< where that limb's frame is
  std::vector<Placement> contacts;  ///< that touch in it, the changed limb among them if it does
  Eigen::VectorXd q;
};

/// A sequence of postures, and how the search went.
struct Plan {
  bool reached = false;
  std::string what;             ///< why the goal was not reached; steps then lead as near to it as was found
  std::vector<PlanStep> steps;  ///< the start first
  double distance = 0;          ///< m, mean distance of the feet from the goal at the end
  // What the search did.
  long nodes = 0, stances = 0, found = 0, filtered = 0;  ///< stances: postures sought; filtered: refused without that
  double seconds = 0;
};

/// Says how far the search is: time used / seconds, number of nodes, least distance from the goal (m). May return
/// false to end it.
using Progress = std::function<bool(double part, long nodes, double distance)>;

/// Searches. The same problem and seed give the same plan on any number of threads, unless the time is up before.
/// Error if a limb or a value makes no sense, or the start is no stance.
Plan find_plan(const Model& model, const PlanProblem& problem, const Progress& progress = {});

/// Reads a goal from a JSON file; paths of postures in it are relative to the file. Error with the place in the file.
Goal read_goal(const Model& model, const std::vector<Limb>& limbs, const std::string& path);

/// Error if a file cannot be written there: its folder is missing, or may not be written to.
void expect_writable(const std::string& path);

/// Writes the plan as a motion file for `lissom control`, and its postures to a file beside it (NAME.postures.json).
/// Error if it cannot be written.
void write_motion(const Model& model, const PlanProblem& problem, const Plan& plan, const std::string& path);

}  // namespace lissom::plan
