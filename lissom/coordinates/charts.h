#pragma once
// The built-in charts, by name:
//   euler-xyz, …          three angles about axes that rotate along (all 12 sequences): R = R_x(θ₁) R_y(θ₂) R_z(θ₃)
//   fixed-xyz, …          the same about fixed axes: R = R_z(θ₃) R_y(θ₂) R_x(θ₁)
//   roll-pitch-yaw        fixed-xyz
//   quaternion            unit quaternion, w first
//   matrix                the nine elements of R, row by row, with orthonormal columns
//   axis-angle            unit axis, and angle
//   exponential           rotation vector: axis times angle
#include <string_view>
#include <vector>

#include "lissom/coordinates/chart.h"

namespace lissom {

/// The chart of this name; throws an Error that lists the names if there is none.
Chart chart(std::string_view name);
/// The names of all built-in charts.
std::vector<std::string> chart_names();

}  // namespace lissom
