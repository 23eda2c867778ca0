#pragma once
// What lies between a controller and a simulated robot: sensors from which the state is estimated, and servos. Not for
// users.
#include <functional>
#include <optional>
#include <random>

#include "lissom/control/base_estimator.h"
#include "lissom/control/joint_reference.h"
#include "lissom/control/motion_runner.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::control {

// Joint encoders and sensors in the base of the simulated robot, and what is estimated from them.
class Estimation {
 public:
  // Appends where the limbs of the controller's robot should be.
  using Limbs = std::function<void(std::vector<MotionRunner::LimbTarget>&)>;
  Estimation(const Model& model, const sim::SimulatedRobot& robot, Limbs limbs);
  // Replaces the base's part of the sensed q and v.
  void estimate(Eigen::VectorXd& q, Eigen::VectorXd& v);

 private:
  ImuReading read();
  Vec3<double> noise(double deviation);

  const sim::SimulatedRobot& robot_;
  Limbs limbs_of_;
  BaseEstimator estimator_;
  Workspace work_;
  FrameId base_;
  std::mt19937_64 random_;
  Vec3<double> before_{0, 0, 0};
  std::vector<MotionRunner::LimbTarget> limbs_;
};

// The servos of a simulated robot, and the reference that they get; none if its joints take torques.
struct Servos {
  // Writes the gains to `robot`. Error if the simulator has no servos.
  Servos(const Model& model, JointMode mode, sim::Simulator simulator, const Eigen::VectorXd& q, double step,
         sim::RobotOptions& robot);
  void set_targets(const Tick& tick, const Eigen::VectorXd& q, const Eigen::VectorXd& v, sim::Command& command);

  std::optional<JointReference> reference;
};

}  // namespace lissom::control
