#pragma once
// The robot at one instant: everything that constraints, tasks and limits read, computed once.
#include "lissom/api/dynamics.h"
#include "lissom/constraints/relative_motion.h"

namespace lissom {

/// Why q and v are not a state of the model; nullptr where they are.
const char* invalid_state(const Model& model, const VectorIn& q, const VectorIn& v);

class RobotSnapshot {
 public:
  explicit RobotSnapshot(const Model& model);

  // Allocates nothing. The state must be finite, with quaternions of length 1.
  void update(const VectorIn& q, const VectorIn& v);

  const Model& model;
  Eigen::VectorXd q, v;
  Matrix M;
  Eigen::VectorXd h;                // with gravity
  Columns6 A;                       // centroidal map
  Vector6 momentum, momentum_rate;  // A v and Ȧ v
  Vec3<double> com = {0, 0, 0};
  double mass;

  Pose<double> placement(FrameId frame) const;
  // Of the frame's particle at a point of the world, along the world's axes. The acceleration is J̇ v: that of a = 0.
  SpatialVector velocity(FrameId frame, const Vec3<double>& at) const;
  SpatialVector acceleration(FrameId frame, const Vec3<double>& at) const;
  // Along the columns of R.
  void jacobian(FrameId frame, const Vec3<double>& at, const Mat3<double>& R, Columns6& J) const;

  /// Motion of `frame` relative to `from`, at a point of the world, along the axes of `from` rotated by R.
  struct Relative {
    Pose<double> X;  // of the frame in `from`
    SpatialVector velocity, Jdot_v;
  };
  /// Writes J of that motion.
  Relative relative(FrameId frame, FrameId from, const Vec3<double>& at, const Mat3<double>& R, Columns6& J);

  Workspace& work() const { return work_; }

 private:
  PointMotion<double> motion(FrameId frame, const Vec3<double>& at) const;
  int body(FrameId frame) const { return model.frames()[std::size_t(frame.index)].body; }

  mutable Workspace work_;
  Eigen::VectorXd zero_;
  Columns6 J_from_;
};

}  // namespace lissom
