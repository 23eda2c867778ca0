#pragma once
// What a loop constrains: the axes along and about which its two ends stay together, or their distance.
#include <array>
#include <string_view>

namespace lissom {

/// What a loop keeps constant.
enum class LoopKind {
  axes,      ///< the ends stay together along and about some axes
  distance,  ///< the origins of the ends stay at a distance: a massless rod with a ball joint at each end
};

/// The constrained motions of end b relative to end a, along and about the axes of a.
struct LoopAxes {
  std::array<bool, 3> along{};  ///< x, y, z: this coordinate of b's origin in a stays 0
  /// x, y, z: no rotation about this axis. If one of them is free, b may rotate about that axis without limit.
  std::array<bool, 3> about{};
  /// Number of constrained axes.
  int count() const;
  bool operator==(const LoopAxes&) const = default;
};

/// From text: "xyz" is a ball joint, "xyz rx ry rz" a weld, "xyz rx ry" a hinge about z, "xy rx ry rz" a prismatic
/// joint along z. Throws Error if the text has another form.
LoopAxes loop_axes(std::string_view text);

}  // namespace lissom
