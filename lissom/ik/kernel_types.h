#pragma once
// What inverse kinematics hands to its kernels: targets, and the problem of one step. Plain numbers; the algorithms are
// in target_rows.h and damped_step.h.
#include <algorithm>

#include "lissom/spatial/pose.h"

namespace lissom::ik {

enum class TargetKind { position, orientation, pose, look_at, center_of_mass };

inline constexpr int rows_of(TargetKind kind) {
  return kind == TargetKind::pose ? 6 : 3;
}

// All of a target that does not change while it is sought: bodies, and frames on them.
template <class Real>
struct TargetRows {
  TargetKind kind = TargetKind::pose;
  int of = 0, in = 0;            // bodies; 0 is the world
  Pose<Real> of_placement = {};  // in the body's frame; its origin is the aimed point
  Pose<Real> in_placement = {};  // in the body's frame
  Vec3<Real> axis = {0, 0, 1};   // of look_at, of length 1, along the axes of the frame `of`
  Vec3<Real> linear_weight = {1, 1, 1}, angular_weight = {1, 1, 1};  // 0 leaves an axis free
};

// Which columns are wanted, and how they come: entry (r, c) is number c * height + r.
struct ChosenColumns {
  const int* index;
  int count, height;
};

// What a step reads and writes; arrays of numbers side by side in lanes, as in kernels.h.
template <class S>
struct DampedStep {
  int rows, columns;
  const S *J, *e;          // J(r, c) is number c * rows + r
  const S *lower, *upper;  // of d; lower <= 0 <= upper
  const S* damping;        // μ > 0
  S *buffer, *d;
};
inline int damped_step_buffer_size(int rows, int columns) {
  const int k = std::min(rows, columns);
  return k * (k + 1) / 2 + k + rows + columns;
}

}  // namespace lissom::ik
