#pragma once
// Executes a motion plan on a simulated robot, and reports whether it succeeded and with which margins. Also makes
// whole-body controllers usable as controllers of any simulator.
#include <functional>

#include "lissom/control/motion_runner.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::control {

/// Writes the torques, accelerations and contacts of a tick into a command for a simulator. Allocates nothing if
/// `command` was filled before.
void fill(const Tick& tick, sim::Command& command);

/// A simulator's controller that solves a tick at every call: once per tick of a SimulatedRobot with the same step, or
/// at every stage of an integrator, unless it is frozen. The argument must outlive it.
std::unique_ptr<sim::Controller> controller(WholeBody& whole_body);
std::unique_ptr<sim::Controller> controller(MotionRunner& runner);

/// What an observer is given after each tick.
struct MotionReading {
  const sim::SimulatedRobot& robot;
  MotionRunner& runner;
  const Tick& tick;
  double tick_us;  ///< computation time of the controller for this tick, µs
};

/// Options of run().
struct MotionOptions {
  sim::Simulator simulator = sim::Simulator::contact;
  sim::RobotOptions robot = {};
  WholeBodyOptions controller = {};
  double max_duration = 300;  ///< s of simulated time; a run that takes longer has failed
  std::function<void(const MotionReading&)> observer = {};
  std::function<bool()> stop = {};  ///< asked after each tick; if true, the run ends there and has not succeeded
};

/// A contact's extremes over the run.
struct ContactReport {
  std::string name;
  double max_normal = 0;            ///< N, on the simulated robot
  double planned_friction_use = 0;  ///< |tangent| / (friction · normal) of the controller's forces, at most 1
  /// On the simulated robot, 1 where it slipped. While it carries more than 5 % of the weight, and while it carries
  /// less.
  double friction_use = 0, light_friction_use = 0;
  double slip = 0, loaded_slip = 0;  ///< m: in all, and while it carries more than 5 % of the weight
};
/// A motor's extremes over the run.
struct MotorReport {
  std::string joint;
  double max_torque = 0, limit = 0;  ///< N m; the largest that was asked for, before clamping to the limit
  double nearest_limit = 0;          ///< rad or m: smallest distance from a position limit, negative beyond it
};
/// A clearance's extremes over the run.
struct ClearanceReport {
  std::string name;
  double min_distance = 0, required = 0;  ///< m; min_distance as seen by the controller, infinite without a valid tick
};
/// How a run went.
struct MotionReport {
  bool succeeded = false, stopped = false;  ///< stopped: MotionOptions::stop ended the run
  std::string failure;                      ///< why it failed; empty if it succeeded
  double seconds = 0;
  long ticks = 0, elastic_ticks = 0, failed_ticks = 0;
  double tick_median = 0, tick_p99 = 0, tick_max = 0;  ///< µs, dynamics included
  double max_com_error = 0;                            ///< m
  std::vector<ContactReport> contacts;
  std::vector<MotorReport> motors;
  std::vector<ClearanceReport> clearances;
  std::vector<MotionRunner::Transition> transitions;

  double max_friction_use() const;
  double max_slip() const;
  double max_loaded_slip() const;
  double max_torque_use() const;
};

/// Executes the plan from its start posture, at rest. Error if a name of the plan is unknown.
MotionReport run(const Model& model, const MotionPlan& plan, const MotionOptions& options = {});

}  // namespace lissom::control
