#pragma once
// A run in time: a system and a state, or a robot in contact, and steps; and what a run did to energy and momentum.
#include "lissom/sim/integrator.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::sim {

// Taken at one moment, for those who watch or record.
struct Reading {
  const State& state;
  const Eigen::VectorXd& tau;  // of the motors
  double kinetic, potential;   // J
  const Vector6& momentum;     // linear, angular about the center of mass; world axes
  double gap;                  // of closed loops, m or rad
};

struct Report {
  double seconds = 0;       // of motion
  double wall_seconds = 0;  // of computing
  long steps = 0, work = 0;
  double energy_before = 0, energy_after = 0, min_energy = 0, max_energy = 0;
  double motor_work = 0;  // ∫ tauᵀ v dt of the motors, by the trapezoidal rule over readings
  Vector6 momentum_before = Vector6::Zero(), momentum_after = Vector6::Zero();
  double max_gap = 0;
  double max_speed = 0;                    // of any degree of freedom
  std::vector<std::string> beyond_limits;  // joints that were outside their position limits at some reading
};

struct RunOptions {
  double seconds = 1;
  double step = 1e-3;                                            // of a System; a SimulatedRobot has its own
  int every = 1;                                                 // steps between readings
  std::function<void(const Reading&)> observer = {};             // at the beginning, and then after every `every` steps
  std::function<void(double done, const State&)> progress = {};  // done: 0 … 1; now and then
};

// Error where seconds or step make no sense, or the motion cannot be computed; x is then the last good state, and
// `report` tells about the run up to it.
void run(System& system, Integrator& integrator, State& x, const RunOptions& options, Report& report);
/// The same for a robot in contact, from where it is; Error where it fails. tau of a reading is what the controller
/// asks for.
void run(SimulatedRobot& robot, Controller& controller, const RunOptions& options, Report& report);

}  // namespace lissom::sim
