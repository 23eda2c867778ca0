#pragma once
// Walks on a simulated robot, and reports how it went, judged on the robot's true state.
#include <functional>

#include "lissom/control/run.h"
#include "lissom/walking/walker.h"

namespace lissom::walking {

/// What an observer is given after each tick.
struct WalkReading {
  const sim::SimulatedRobot& robot;
  Walker& walker;
  const control::Tick& tick;
  double tick_us;                ///< computation time of the walker for this tick, µs
  const EnergyFigures& figures;  ///< energy of the simulated robot, up to now
};

/// How a walk is simulated.
struct WalkOptions {
  GaitOptions gait = {};
  WalkerGains gains = {};
  sim::Simulator simulator = sim::Simulator::contact;
  sim::RobotOptions robot = {};
  control::WholeBodyOptions controller = {};
  /// The friction of the simulated ground; empty: that of the feet, which is what the controller knows.
  std::optional<double> ground_friction = {};
  control::Sensing sensing = control::Sensing::full;
  /// What the joints of the simulated robot take, as in control::MotionOptions.
  control::JointMode mode = control::JointMode::torque;
  double settle_timeout = 6;  ///< s, after the plan's own time, in which the robot has to come to rest
  std::function<void(const WalkReading&)> observer = {};
  std::function<bool()> stop = {};  ///< asked after each tick; if true, the run ends there and has not succeeded
};

/// A foot at the end of the run.
struct FootReport {
  std::string frame;
  double error = 0;                 ///< m, from where the plan, with its adaptations, wants it
  double max_normal = 0, slip = 0;  ///< N; m, while it carried more than 5 % of the weight
};

/// How a walk went.
struct WalkReport : EnergyFigures {
  bool succeeded = false, stopped = false;
  std::string failure;  ///< why it failed; empty if it succeeded
  double seconds = 0;
  int planned_steps = 0, steps = 0, capture_steps = 0, adapted_steps = 0;
  double distance = 0, turned = 0;  ///< m, rad: of the middle of all feet, from start to end
  double speed = 0,
         desired_speed = 0;  ///< m/s, of the center of mass, from the second planned step to the last but one
  double max_dcm_error = 0;  ///< m
  double max_tilt = 0;       ///< rad, of the base, from its orientation at the start, heading aside
  double step_length = 0, step_time = 0;
  long ticks = 0, elastic_ticks = 0, failed_ticks = 0;
  double tick_median = 0, tick_p99 = 0, tick_max = 0;  ///< µs, dynamics included
  double max_torque_use = 0;                           ///< of the effort limit, before clamping
  std::string max_torque_joint;
  double first_elastic = -1;  ///< s, of the first elastic tick; negative: none
  std::vector<FootReport> feet;
  // As in control::MotionReport; contacts are the feet.
  std::vector<control::ContactReport> contacts;
  std::vector<control::MotorReport> motors;
  std::vector<control::ConflictReport> conflicts;
  /// Joints that went beyond their limits of position (by 0.02 rad) or velocity (by 10 %), in words.
  std::vector<std::string> beyond_limits;
  std::vector<std::string> remarks;  ///< what about the robot makes walking hard
};

/// The robot stands at q, at rest, and walks; at gait.start_height above z = 0. Footsteps at other heights than 0 get
/// ground of their own in the simulator `contact`. Error if a name is unknown or the gait does not fit the robot.
WalkReport run(const Model& model, const Eigen::VectorXd& q, const std::vector<Contact>& feet,
               const WalkOptions& options);

/// Why the walk fails on the simulator prescribed_acceleration, undisturbed; empty: it succeeds. A robot that fails
/// there may still walk where soles may tilt. Empty for stairs, which this simulator does not know.
std::string predicted_failure(const Model& model, const Eigen::VectorXd& q, const std::vector<Contact>& feet,
                              const GaitOptions& gait);

}  // namespace lissom::walking
