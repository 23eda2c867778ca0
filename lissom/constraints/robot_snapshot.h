#pragma once
// The robot at one instant: all quantities that constraints, tasks and limits read, computed once.
#include "lissom/api/dynamics.h"
#include "lissom/constraints/relative_motion.h"
#include "lissom/model/short_message.h"

namespace lissom {

/// Whether (q, v) is not a state of the model: a wrong size, an element that is NaN or infinite, a quaternion whose
/// norm is not 1. Why is written to `reason`, if there is one, in the words of the errors of the other functions.
bool invalid_state(const Model& model, const VectorIn& q, const VectorIn& v, ShortMessage* reason = nullptr);

/// A robot at one instant. It belongs to one caller at a time. Where several parts of a program read the same state,
/// one snapshot is computed and passed to all of them.
class RobotSnapshot {
  mutable Workspace work_;  // before M, which is a part of it

 public:
  /// At the neutral configuration, at rest.
  explicit RobotSnapshot(const Model& model);

  /// Computes everything at (q, v), in one pass over the tree; allocates nothing. Returns false if (q, v) is no state
  /// (invalid_state): then valid() is false, and the quantities stay those of the last valid state.
  bool update(const VectorIn& q, const VectorIn& v);
  bool valid() const { return valid_; }
  /// Why (q, v) of the last update was no state; meaningful if valid() is false.
  const ShortMessage& invalid_because() const { return invalid_because_; }

  const Model model;
  Eigen::VectorXd q, v;
  MatrixView M;                     ///< mass matrix, both triangles
  Eigen::VectorXd h;                ///< bias forces, with gravity
  Columns6 A;                       ///< centroidal momentum matrix
  Vector6 momentum, momentum_rate;  ///< A v and Ȧ v
  Vec3<double> com = {0, 0, 0};
  double mass;

  Pose<double> placement(FrameId frame) const;
  /// Motion of the frame's particle at a point in the world, along the world's axes. The acceleration is J̇ v, that at
  /// a = 0.
  SpatialVector velocity(FrameId frame, const Vec3<double>& at) const;
  SpatialVector acceleration(FrameId frame, const Vec3<double>& at) const;
  /// Jacobian of the same particle, along the columns of R.
  void jacobian(FrameId frame, const Vec3<double>& at, const Mat3<double>& R, Columns6& J) const;

  /// Motion of `frame` relative to `from`, at a point in the world, along the axes of `from` rotated by R.
  struct Relative {
    Pose<double> X;  ///< pose of the frame in `from`
    SpatialVector velocity, Jdot_v;
  };
  /// Returns this motion, and writes its Jacobian to J.
  Relative relative(FrameId frame, FrameId from, const Vec3<double>& at, const Mat3<double>& R, Columns6& J) const;

 private:
  friend class LoopRows;  // which reads the motions of bodies
  PointMotion<double> motion(FrameId frame, const Vec3<double>& at) const;
  int body(FrameId frame) const { return model.frames()[std::size_t(frame.index)].body; }

  mutable Columns6 J_from_;  // a buffer
  bool valid_ = true;
  ShortMessage invalid_because_;
};

}  // namespace lissom
