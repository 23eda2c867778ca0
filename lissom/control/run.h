#pragma once
// Executes a motion plan on a simulated robot, and reports whether it succeeded and with which margins. Also makes
// whole-body controllers usable as controllers of any simulator.
#include <functional>
#include <optional>

#include "lissom/control/joint_reference.h"
#include "lissom/control/motion_report.h"
#include "lissom/control/motion_runner.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::control {

/// Writes the torques, accelerations and contacts of a tick into a command for a simulator. Allocates nothing if
/// `command` was filled before.
void fill(const Tick& tick, sim::Command& command);

/// Error if a closed loop is open in q, in which `what` ("the motion") begins.
void expect_closed(const Model& model, const Eigen::VectorXd& q, const std::string& what);

/// A simulator's controller that solves a tick at every call: once per tick of a SimulatedRobot with the same step, or
/// at every stage of an integrator, unless that holds it constant (zero_order_hold). The argument must outlive it.
std::unique_ptr<sim::Controller> controller(WholeBody& whole_body);
std::unique_ptr<sim::Controller> controller(MotionRunner& runner);

/// What an observer is given after each tick.
struct MotionReading {
  const sim::SimulatedRobot& robot;
  MotionRunner& runner;
  const Tick& tick;
  double tick_us;                ///< computation time of the controller for this tick, µs
  const EnergyFigures& figures;  ///< energy of the simulated robot, up to now
};

/// What the controller knows of the state.
enum class Sensing {
  full,     ///< q and v, with the noise of the imperfections
  encoders  ///< joints, with that noise, and a gyroscope and an accelerometer in the base: the rest is estimated
};

/// Options of run().
struct MotionOptions {
  sim::Simulator simulator = sim::Simulator::contact;
  sim::RobotOptions robot = {};
  WholeBodyOptions controller = {};
  /// Friction of the simulated ground; empty: that of the plan's contacts, which is what the controller knows.
  std::optional<double> ground_friction = {};
  Sensing sensing = Sensing::full;
  /// What the joints of the simulated robot take; with positions or velocities they have the servos of servo_gains().
  /// Only the simulator `contact` has servos.
  JointMode mode = JointMode::torque;
  Tolerances tolerances = {};
  double max_duration = 300;  ///< s of simulated time; a run that takes longer has failed
  std::function<void(const MotionReading&)> observer = {};
  std::function<bool()> stop = {};  ///< asked after each tick; if true, the run ends there and has not succeeded
};

/// Executes the plan from its start posture, at rest. The simulated ground is the plane z = 0, and a patch wherever a
/// contact of the plan has a place elsewhere. Error if a name of the plan is unknown.
MotionReport run(const Model& model, const MotionPlan& plan, const MotionOptions& options = {});

/// Why the plan fails on the simulator prescribed_acceleration, undisturbed; empty: it succeeds. Whatever fails there
/// is asked too much of: of its motors, or of balance. Takes a few percent of the motion's own time.
std::string predicted_failure(const Model& model, const MotionPlan& plan);

}  // namespace lissom::control
