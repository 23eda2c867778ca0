#pragma once
// The directions in which a loop holds its two ends together.
#include <array>
#include <string_view>

namespace lissom {

/// Directions, along the axes of end a, in which end b may not move away from a.
struct LoopAxes {
  std::array<bool, 3> along{};  ///< x, y, z: b's origin stays in a's coordinate plane
  /// No rotation about x, y, z; with one of them free, b may rotate about that axis without end.
  std::array<bool, 3> about{};
  int count() const;
  bool operator==(const LoopAxes&) const = default;
};

/// "xyz" a ball joint, "xyz rx ry rz" a weld, "xyz rx ry" a hinge about z, "xy rx ry rz" a slide along z.
LoopAxes loop_axes(std::string_view text);

}  // namespace lissom
