#pragma once
// Where a robot is that has no sensor for it: pose and velocity of its free base from joint encoders, a gyroscope and
// an accelerometer in the base, and the contacts on which it stands. The sensors in the base predict; contacts correct,
// as far as they agree with each other: one that slips or does not touch moves against the others, and counts little.
#include <span>

#include "lissom/control/motion_runner.h"
#include "lissom/world/imu_reading.h"

namespace lissom::control {

class BaseEstimator {
 public:
  /// Begins at rest in the configuration q. Error if the model's root is no free joint.
  BaseEstimator(const Model& model, const Eigen::VectorXd& q, double step);
  /// Replaces the base's part of q and v, whose other parts were measured. `limbs`: where contacts should be; those
  /// that are no contacts are ignored. `imu`: along the axes of the base. Allocates nothing.
  void estimate(const ImuReading& imu, std::span<const MotionRunner::LimbTarget> limbs, Eigen::VectorXd& q,
                Eigen::VectorXd& v);

 private:
  void predict(const ImuReading& imu);
  void correct(std::span<const MotionRunner::LimbTarget> limbs);
  void write(Eigen::VectorXd& q, Eigen::VectorXd& v);

  Model model_;
  Workspace work_;
  FrameId base_;
  int q_index_ = 0, v_index_ = 0;
  double step_;
  Pose<double> X_;                                     // of the base
  Vec3<double> velocity_{0, 0, 0}, turning_{0, 0, 0};  // of its origin, and angular, along the world's axes
  std::vector<Vec3<double>> slips_;                    // of the contacts, as they seem
  Eigen::Matrix<double, 6, 6> map_;                    // from the joint's velocity to that of the base
};

}  // namespace lissom::control
