#pragma once
// The charts that are built in, by name:
//   euler-xyz, …          three angles about axes that turn along (all 12 sequences): R = R_x(θ₁) R_y(θ₂) R_z(θ₃)
//   fixed-xyz, …          the same about axes that stand still: R = R_z(θ₃) R_y(θ₂) R_x(θ₁)
//   roll-pitch-yaw        fixed-xyz
//   quaternion            w first; length 1
//   matrix                the nine entries of R, row by row; its columns orthonormal
//   axis-angle            the axis, of length 1, and the angle
//   exponential           axis times angle
#include <string_view>
#include <vector>

#include "lissom/coordinates/chart.h"

namespace lissom {

// Error that lists the names where there is none of this name.
Chart chart(std::string_view name);
std::vector<std::string> chart_names();

}  // namespace lissom
