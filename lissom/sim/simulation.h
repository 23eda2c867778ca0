#pragma once
// A run of many steps, of a system or of a robot in contact, and a report of energy and momentum.
#include "lissom/sim/integrator.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::sim {

/// Quantities at one instant, for observers and recordings.
struct Reading {
  const State& state;
  const Eigen::VectorXd& tau;  ///< of the motors
  double kinetic, potential;   ///< energies, J
  const Vector6& momentum;     ///< linear, and angular about the center of mass; along the world's axes
  double gap;                  ///< of closed loops, m or rad
};

struct Report {
  double seconds = 0;       ///< simulated time
  double wall_seconds = 0;  ///< time of the computation
  long steps = 0;
  long evaluations = 0;  ///< sum of Integrator::evaluations(), or ticks of a SimulatedRobot
  double energy_before = 0, energy_after = 0, min_energy = 0, max_energy = 0;
  double motor_work = 0;  ///< ∫ tauᵀ v dt of the motors in J, by the trapezoidal rule over readings
  Vector6 momentum_before = Vector6::Zero(), momentum_after = Vector6::Zero();
  double max_gap = 0;                      ///< of closed loops, m or rad
  double max_speed = 0;                    ///< of any degree of freedom
  std::vector<std::string> beyond_limits;  ///< joints outside their position limits at some reading
  bool stopped = false;                    ///< RunOptions::stop ended the run before its time
};

struct RunOptions {
  double seconds = 1;
  double step = 1e-3;                                            ///< of a System; a SimulatedRobot has its own
  int every = 1;                                                 ///< steps between readings
  std::function<void(const Reading&)> observer = {};             ///< called at the beginning, then every `every` steps
  std::function<void(double done, const State&)> progress = {};  ///< called now and then; done is 0 … 1
  std::function<bool()> stop =
      {};  ///< asked after each step; if true, the run ends there, with a reading and its report
};

/// Runs a system for options.seconds. Throws an Error if an option is out of range, or if the motion cannot be
/// computed; x is then the last valid state, and `report` describes the run up to it.
void run(System& system, Integrator& integrator, State& x, const RunOptions& options, Report& report);
/// The same for a robot in contact, from its present state; throws an Error if it fails. tau of a reading is the torque
/// that the controller commands.
void run(SimulatedRobot& robot, Controller& controller, const RunOptions& options, Report& report);

}  // namespace lissom::sim
