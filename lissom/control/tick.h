#pragma once
// The result of a tick: torques, and everything that explains them.
#include <string>
#include <vector>

#include "lissom/api/dynamics.h"
#include "lissom/qp/solver.h"

namespace lissom::control {

/// How a tick ended.
enum class TickStatus {
  optimal,     ///< all constraints hold, and the objective is minimal
  elastic,     ///< the constraints contradict each other and were relaxed; `conflicts` says which and by how much
  infeasible,  ///< they contradict each other, and no usable relaxation was found: torques are those of the tick before
  limit,       ///< not solved within the tick's limit on iterations (`reason`): torques are those of the tick before
  invalid      ///< q, v or a target is invalid (`reason`): torques are zero
};
/// "optimal", "elastic", and so on.
const char* to_string(TickStatus status);

/// One task in a tick.
struct TaskReading {
  double cost = 0;                  ///< ½ weight ‖actual - desired‖²
  Eigen::VectorXd desired, actual;  ///< accelerations ÿ, one per row; forces or torques for tasks about these
};

/// One contact in a tick.
struct ContactReading {
  Vec3<double> force = {0, 0, 0}, torque = {0, 0, 0};  ///< on the frame, about its origin, along the world's axes
  std::vector<Vec3<double>> point_forces;              ///< two tangents and the normal, along the axes of the placement
  double normal = 0;                                   ///< N, of all points
  double friction_use = 0;   ///< largest |tangent| / (friction · normal) of the points with a normal force
  double ramp_fraction = 1;  ///< how far it is ramped in, 0 to 1
  bool active = false;       ///< it took part in this tick
};

/// A constraint that was relaxed: "torque of left_knee", exceeded by 3.2, "N m"; below its lower limit if negative.
struct ConflictReading {
  const std::string* name;
  double amount;
  const char* unit;
};

/// The iterations of all programs of a tick together, a humanoid's at 2 µs each. Ticks take up to 25, those in which
/// many limits become active at once up to a hundred; a tick that is relaxed further than the one before, up to 250.
inline constexpr int max_tick_iterations = 450;

/// The result of a tick. Its arrays are sized once, so that a tick allocates nothing.
struct Tick {
  TickStatus status = TickStatus::invalid;
  /// It says why the status is invalid ("q[7] is NaN"), infeasible or limit, or why tasks of later priorities were left
  /// out. It points to memory of the controller, until its next tick.
  const char* reason = "";
  Eigen::VectorXd torques;  ///< one per degree of freedom, within limits; zero where there is no motor
  /// The torques that the solution asks for, before they are clamped to the limits: beyond them by the solver's
  /// tolerance, or by as much as limits were relaxed (`conflicts`).
  Eigen::VectorXd unclamped_torques;
  Eigen::VectorXd accelerations;  ///< v̇
  Vec3<double> com = {0, 0, 0}, com_velocity = {0, 0, 0};
  std::vector<TaskReading> tasks;  ///< in the order in which they were added
  std::vector<ContactReading> contacts;
  /// Forces that keep closed loops closed, one for each of their equations (constraints/loop_rows.h), on frame b; zero
  /// for equations that depend on others.
  Eigen::VectorXd loop_forces;
  std::vector<double> clearances;  ///< m, between the two capsules of each, at the last valid state
  std::vector<ConflictReading> conflicts;
  int variables = 0, equalities = 0, rows = 0;  ///< of the program of the last priority
  int iterations = 0;                           ///< of all priorities together, at most max_tick_iterations
  double objective = 0;
};

}  // namespace lissom::control
