#pragma once
// Pulls a point of a robot to a place, as one would with a finger: the joints nearest to the point give way first, and
// those farther away only as far as these do not reach; the base moves last. Frames may be pinned to where they are.
//
//   ik::Pull pull(model, model.frame("left_palm"), {0, 0, 0}, {model.frame("left_sole")});
//   q = pull.solve(q, {0.4, 0.2, 1.0}).q;
//
// Featherstone's slides correct poses so when a link is pulled. Every stage is a descent within the joint limits
// (solver.h) in which the joints beyond are locked.
#include <vector>

#include "lissom/ik/solver.h"

namespace lissom::ik {

/// Pulls one point of a robot. Belongs to one caller at a time; solve() allocates nothing.
class Pull {
 public:
  /// The point `point` of the frame `of`, in its coordinates. `pinned` frames stay where they are in the configuration
  /// that solve() is given; calls that go on from the last result keep their places. `loops` stay closed
  /// (closed_loops.h). Throws an Error if an argument is invalid.
  Pull(const Model& model, FrameId of, const Vec3<double>& point, std::vector<FrameId> pinned = {},
       const ExtraRows& loops = {});
  ~Pull();
  Pull(Pull&&) noexcept;
  Pull& operator=(Pull&&) noexcept;

  struct Result {
    Eigen::VectorXd q;
    double distance = 0;    ///< between the point and where it is pulled to, m
    double slip = 0;        ///< the largest distance of a pinned frame from its place, m
    double slip_angle = 0;  ///< the largest angle of a pinned frame from its orientation, rad
    int joints = 0;         ///< how many of the joints between the point and the world, nearest first, could move
  };
  /// The configuration near q, within the joint limits, in which the point is at `to` or as near as it can get. The
  /// result stays here until the next call.
  const Result& solve(const VectorIn& q, const Vec3<double>& to);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::ik
