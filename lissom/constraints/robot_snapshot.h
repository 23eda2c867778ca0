#pragma once
// The robot at one tick: everything that tasks, contacts and limits read, computed once.
#include "lissom/api/dynamics.h"

namespace lissom::control {

// Why q and v are no state of the model; nullptr where they are one.
const char* complaint(const Model& model, const VectorIn& q, const VectorIn& v);

class Moment {
 public:
  explicit Moment(const Model& model);

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
  // Along the axes of R, turned so against the world's.
  void jacobian(FrameId frame, const Vec3<double>& at, const Mat3<double>& R, Columns6& J) const;

  // The same seen from another frame: motion of `frame` relative to `from`, along the axes of `from` turned by R.
  struct Relative {
    Pose<double> X;                // of the frame in `from`
    SpatialVector velocity, rate;  // at the point; rate: J̇ v
  };
  // Writes J of that motion.
  Relative relative(FrameId frame, FrameId from, const Vec3<double>& at, const Mat3<double>& R, Columns6& J);

  Workspace& work() const { return work_; }

 private:
  mutable Workspace work_;
  Eigen::VectorXd zero_;
  Columns6 J_from_;
};

}  // namespace lissom::control
