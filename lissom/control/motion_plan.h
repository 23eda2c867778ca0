#pragma once
// A motion of a robot, as a list of stages: which posture and center of mass to go to, which contacts come and go,
// which limb moves where. Written as a JSON file (docs/control.md); a MotionRunner (motion_runner.h) carries it out.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lissom/api/postures.h"
#include "lissom/constraints/contact.h"
#include "lissom/control/clearance.h"
#include "lissom/control/task.h"

namespace lissom::control {

// A limb on its way to a new place, where it may become a contact.
struct LimbMove {
  std::string frame;
  // Its place at the end: `to` in the world, or `by` from where its contact was last.
  std::optional<Pose<double>> to;
  Vec3<double> by = {0, 0, 0};
  double lift = .05;  // above the straight way, in the middle
  bool touch = true;  // comes to rest on the ground and becomes a contact
};

struct Stage {
  std::string name;
  double seconds = 1;  // on the way
  double hold = 0;     // there
  // To a posture by name, or as it is.
  std::optional<std::string> posture;
  // The center of mass: over the middle of these contacts, moved by an offset; or at a place; or that of the posture.
  std::vector<std::string> over;
  Vec3<double> offset = {0, 0, 0};  // z: of the height
  std::optional<Vec3<double>> com;
  std::vector<std::string> release;  // contacts that go first
  std::vector<LimbMove> moves;
  double tolerance = .03;  // of the center of mass, before the stage is over (m)
  double timeout = 3;      // how long it is waited for (s)
};

// How much each kind of task counts and how stiff it is.
struct MotionGains {
  double com_weight = 100, com_stiffness = 100;
  double posture_weight = .2, posture_stiffness = 40;
  std::map<std::string, double> joint_stiffness = {};  // of single joints
  double base_weight = 1, base_stiffness = 40;         // orientation of the base
  double limb_weight = 30, limb_stiffness = 500;
  double momentum_weight = .02, momentum_damping = 5;
  double ramp = .15;             // of contacts that come and go (s)
  double friction_factor = .8;   // the part of its friction that the controller uses of a contact
  double support_scale = .75;    // the part of a face, about its middle, that the controller leans on
  double min_normal_force = 30;  // the least normal force of a contact that says nothing of it (N)
};

struct MotionPlan {
  std::string name, description;
  std::map<std::string, Eigen::VectorXd> postures;  // q of each, normalized
  std::string start;                                // the posture it begins with
  std::vector<Contact> contacts;                    // all that ever take part
  std::vector<std::string> standing;                // on these it begins
  std::vector<Clearance> clearances;                // links that keep off each other
  std::vector<Stage> stages;
  MotionGains gains;

  const Eigen::VectorXd& posture(const std::string& name) const;  // Error with the names there are
};

// Error with file and place, what was found and what was expected. Postures are looked for beside the file.
MotionPlan read_motion_plan(const Model& model, const std::string& path);

}  // namespace lissom::control
