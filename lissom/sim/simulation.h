#pragma once
// A run of many steps, of a system or of a robot in contact, and a report of energy and momentum.
#include <optional>

#include "lissom/sim/integrator.h"
#include "lissom/sim/simulated_robot.h"
#include "lissom/world/energy_audit.h"

namespace lissom::sim {

/// Quantities at one instant, for observers and recordings.
struct Reading {
  const State& state;
  const Eigen::VectorXd& tau;  ///< of the motors
  double kinetic, potential;   ///< energies, J
  const Vector6& momentum;     ///< linear, and angular about the center of mass; along the world's axes
  /// Work up to now and unexplained energy, J, as in the report.
  const EnergyFigures& figures;
  double gap;  ///< of closed loops, m or rad
  /// One for each row of the closed loops, N or N m: on frame b, and the reaction on a; a rod that is under pressure
  /// has a positive one. Zero for redundant rows.
  const Eigen::VectorXd& loop_forces;
};

/// A motor whose controller asked for more than its effort limit, at some readings.
struct SaturatedMotor {
  std::string joint;
  double limit = 0;     ///< the smallest of the joint's limits that was reached, N m or N
  double fraction = 0;  ///< of the readings
};

/// How a run went.
struct Report : EnergyFigures {
  std::string integrator;   ///< its name; empty for a robot in contact
  double seconds = 0;       ///< simulated time
  double wall_seconds = 0;  ///< time of the computation
  long steps = 0;
  long evaluations = 0;  ///< sum of Integrator::evaluations(), or ticks of a SimulatedRobot
  Vector6 momentum_before = Vector6::Zero(), momentum_after = Vector6::Zero();
  double max_gap = 0;  ///< of closed loops, m or rad
  struct LoopForce {
    std::string name;  ///< of the row, as LoopRows::label
    const char* unit;
    double max;  ///< its largest absolute value
  };
  std::vector<LoopForce> loop_forces;      ///< one for each row of the closed loops
  double max_speed = 0;                    ///< of any degree of freedom
  std::vector<std::string> beyond_limits;  ///< joints outside their position limits at some reading
  std::vector<SaturatedMotor> saturated;   ///< motors at their effort limits
  bool stopped = false;                    ///< RunOptions::stop ended the run before its time
};

/// How long a run takes, and who is told of it.
struct RunOptions {
  double seconds = 1;
  double step = 1e-3;                                            ///< of a System; a SimulatedRobot has its own
  int every = 1;                                                 ///< steps between readings
  std::function<void(const Reading&)> observer = {};             ///< called at the beginning, then every `every` steps
  std::function<void(double done, const State&)> progress = {};  ///< called now and then; done is 0 … 1
  std::optional<EarlierEnergy> earlier =
      {};  ///< of a run that this one goes on with: energies and work count from there
  std::function<bool()> stop =
      {};  ///< asked after each step; if true, the run ends there, with a reading and its report
};

/// Throws an Error if an option is out of range, or the run would take more than 10¹⁵ steps.
void check(const RunOptions& options);
/// Runs a system for options.seconds. Throws an Error if an option is out of range, if the loops are rigid at x
/// (ClosedLoops::rigid_because), or if the motion cannot be computed; x is then the last valid state, and `report`
/// describes the run up to it. Before the run it checks that the step is short enough for the gains and dampers of
/// joints, and afterwards that no energy came from nowhere: see Report::warnings.
void run(System& system, Integrator& integrator, State& x, const RunOptions& options, Report& report);
/// The same with fitting_integrator().
void run(System& system, State& x, const RunOptions& options, Report& report);
/// The same for a robot in contact, from its present state; throws an Error if it fails. tau of a reading is the torque
/// that the controller commands.
void run(SimulatedRobot& robot, Controller& controller, const RunOptions& options, Report& report);

}  // namespace lissom::sim
