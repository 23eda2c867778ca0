#pragma once
// Where and when the next step lands, given where ξ is now (docs/walking.md). A step of a walk that repeats itself ends
// with ξ at u + b, where u is the new foothold and b the offset that the plan demands. From ξ now, and with a constant
// center of pressure p for the remaining time r,
//   ξ(r) = p + (ξ - p) e^{ω r}.
// So p, u, and r are chosen such that u + b is reached: by the ankle (p) as far as the support allows, then by the
// foothold (u) within reach, and by the time. What remains is an error of b, which the step after it has to make good.
// For a given r each axis has a closed form; r is found by a search over its range. Khadiv, Herzog, Moosavian and
// Righetti (2016) solve the same with e^{ω r} as the variable of a quadratic program, without ankles.
#include "lissom/walking/dcm.h"

namespace lissom::walking {

/// Everything is along the axes of the supporting foot.
struct StepProblem {
  double omega = 3;
  Vec2 dcm = Vec2::Zero();
  Vec2 pressure = Vec2::Zero(), pressure_min = Vec2::Zero(), pressure_max = Vec2::Zero();  ///< planned, and its range
  Vec2 foothold = Vec2::Zero(), foothold_min = Vec2::Zero(), foothold_max = Vec2::Zero();  ///< planned, and reach
  /// b = ξ - u at touchdown: as planned, and the range in which it is as good.
  Vec2 offset = Vec2::Zero(), offset_min = Vec2::Zero(), offset_max = Vec2::Zero();
  double seconds = .5, seconds_min = .2, seconds_max = .6;  ///< until touchdown: planned, and its range
  double foothold_weight = 1, time_weight = .1, offset_weight = 100;
};

/// Where and when the step lands.
struct StepSolution {
  Vec2 foothold = Vec2::Zero(), pressure = Vec2::Zero();
  double seconds = 0;
  Vec2 dcm = Vec2::Zero();           ///< ξ at touchdown
  Vec2 offset_error = Vec2::Zero();  ///< of b, at touchdown
  double cost = 0;
};

/// The best of `candidates` durations. Allocates nothing.
StepSolution adapt_step(const StepProblem& problem, int candidates = 24);

}  // namespace lissom::walking
