#pragma once
// What the controller answers: torques, and everything that explains them.
#include <string>
#include <vector>

#include "lissom/api/dynamics.h"
#include "lissom/qp/solver.h"

namespace lissom::control {

enum class TickStatus {
  optimal,     // all laws and limits hold
  elastic,     // they contradict each other: the least relaxation was taken, `conflicts` tells of what
  infeasible,  // the same, but no answer to stand on was found: torques are zero
  limit,       // the solver's bound on time: torques are zero
  invalid      // the state is not a state (`reason`): torques are zero
};
const char* to_string(TickStatus status);

struct TaskReading {
  double cost = 0;                  // ½ weight ‖got - wish‖²
  Eigen::VectorXd desired, actual;  // accelerations ÿ (forces, torques for tasks about these), by row
};

struct ContactReading {
  Vec3<double> force = {0, 0, 0}, torque = {0, 0, 0};  // on the frame, about its origin, along the world's axes
  std::vector<Vec3<double>> point_forces;              // along the axes of the place: two tangents and the normal
  double normal = 0;                                   // of all points
  double friction_use = 0;   // largest |tangent| / (friction · normal) over points that carry something
  double ramp_fraction = 1;  // how far it is ramped, 0 … 1
  bool active = false;       // it took part in this tick
};

// "torque of left_knee", 3.2 too much, "N m".
struct ConflictReading {
  const std::string* name;
  double amount;
  const char* unit;
};

// Its arrays are sized once; a tick allocates nothing.
struct Tick {
  TickStatus status = TickStatus::invalid;
  const char* reason = "";        // of invalid, infeasible and limit; and where tasks of later levels were left out
  Eigen::VectorXd torques;        // one per degree of freedom; zero where there is no motor
  Eigen::VectorXd accelerations;  // q̈, as of v
  Vec3<double> com = {0, 0, 0}, com_velocity = {0, 0, 0};
  std::vector<TaskReading> tasks;  // in the order in which they were added
  std::vector<ContactReading> contacts;
  std::vector<double> clearances;  // m, between the capsules of each; of the last state that was one
  std::vector<ConflictReading> conflicts;
  int variables = 0, equalities = 0, rows = 0;  // of the last level
  int iterations = 0;                           // of all levels
  double objective = 0;
};

}  // namespace lissom::control
