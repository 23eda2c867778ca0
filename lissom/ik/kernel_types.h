#pragma once
// The arguments of the kernels of inverse kinematics: targets, and the problem of one step. They are plain data; the
// algorithms are in target_rows.h and damped_step.h.
#include <algorithm>

#include "lissom/spatial/pose.h"

namespace lissom::ik {

/// What a target constrains; see ik/target.h.
enum class TargetKind { position, orientation, pose, look_at, center_of_mass };

/// The number of rows of a target.
inline constexpr int rows_of(TargetKind kind) {
  return kind == TargetKind::pose ? 6 : 3;
}

/// The parts of a target that stay the same during a search: bodies, frames on them, weights.
template <class Real>
struct TargetRows {
  TargetKind kind = TargetKind::pose;
  int of = 0, in = 0;            // bodies; 0 is the world
  Pose<Real> of_placement = {};  // in the body's frame; its origin is the target's point
  Pose<Real> in_placement = {};  // in the body's frame
  Vec3<Real> axis = {0, 0, 1};   // for look_at: a unit vector along the axes of the frame `of`
  Vec3<Real> linear_weight = {1, 1, 1}, angular_weight = {1, 1, 1};  // 0 leaves an axis free
};

/// The columns to compute, and their layout: element (r, c) is at c * height + r.
struct ChosenColumns {
  const int* index;
  int count, height;
};

/// The arrays that a step reads and writes; their elements are interleaved by lanes, as in kernels.h.
template <class S>
struct DampedStep {
  int rows, columns;
  const S *J, *e;          // J(r, c) is at c * rows + r
  const S *lower, *upper;  // bounds of d; lower <= 0 <= upper
  const S* damping;        // μ > 0
  S *buffer, *d;
};
inline int damped_step_buffer_size(int rows, int columns) {
  const int k = std::min(rows, columns);
  return k * (k + 1) / 2 + k + rows + columns;
}

}  // namespace lissom::ik
