#pragma once
// A motion carried out on a simulated robot, and what there is to tell about it: whether it succeeded, and with which
// margins. And whole-body controllers as controllers of any simulator.
#include <functional>

#include "lissom/control/motion_runner.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::control {

/// What a tick asks of a robot, in the simulator's words. Allocates nothing where `command` was filled before.
void fill(const Tick& tick, sim::Command& command);

/// They solve a tick whenever they are asked: once a tick by a SimulatedRobot of the same step; at every stage by an
/// integrator, unless it is frozen. What they refer to must outlive them.
std::unique_ptr<sim::Controller> controller(WholeBody& whole_body);
std::unique_ptr<sim::Controller> controller(MotionRunner& runner);

/// After each tick, for those who watch or record.
struct MotionReading {
  const sim::SimulatedRobot& robot;
  MotionRunner& runner;
  const Tick& tick;
  double tick_us;  // the controller's time for it
};

struct MotionOptions {
  sim::Simulator simulator = sim::Simulator::rigid_contact;
  sim::RobotOptions robot = {};
  WholeBodyOptions controller = {};
  double max_duration = 300;  // s of motion; a run that takes longer has failed
  std::function<void(const MotionReading&)> observer = {};
};

// Extremes over the run; of friction while a contact carries more than 5 % of the weight.
struct ContactReport {
  std::string name;
  double max_normal = 0;            // N, on the simulated robot
  double planned_friction_use = 0;  // of the controller's own forces: |tangent| / (friction · normal), at most 1
  double friction_use = 0;          // on the simulated robot
  double slip = 0;                  // m
};
struct MotorReport {
  std::string joint;
  double max_torque = 0, limit = 0;  // N m
  double nearest_limit = 0;          // rad or m: how near it came to a position limit, negative beyond
};
struct ClearanceReport {
  std::string name;
  double min_distance = 0, required = 0;  // m; smallest as the controller saw it, infinite where it never did
};
struct MotionReport {
  bool succeeded = false;
  std::string failure;
  double seconds = 0;
  long ticks = 0, elastic_ticks = 0, failed_ticks = 0;
  double tick_median = 0, tick_p99 = 0, tick_max = 0;  // µs, dynamics included
  double max_com_error = 0;                            // m
  std::vector<ContactReport> contacts;
  std::vector<MotorReport> motors;
  std::vector<ClearanceReport> clearances;
  std::vector<MotionRunner::Transition> transitions;

  double max_friction_use() const;
  double max_slip() const;
  double max_torque_use() const;
};

MotionReport run(const Model& model, const MotionPlan& motion, const MotionOptions& options = {});

}  // namespace lissom::control
