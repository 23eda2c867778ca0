#pragma once
// What closes a tree into loops: two frames that keep their distance along some axes, and joints that move together.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/model/model.h"

namespace lissom {

// A place on a link, beside those that have a name.
struct LoopEnd {
  FrameId frame;
  Pose<double> placement{};  // in that frame
};

// Directions, along the axes of end a, in which end b may not move away from a.
struct LoopAxes {
  std::array<bool, 3> along{};  // x, y, z: b's origin stays in a's coordinate plane
  std::array<bool, 3> about{};  // no turn about x, y, z; with one of them free, about that axis b may turn for ever
  int count() const;
  bool operator==(const LoopAxes&) const = default;
};
// "xyz" a ball joint, "xyz rx ry rz" a weld, "xyz rx ry" a hinge about z, "xy rx ry rz" a slide along z.
LoopAxes loop_axes(std::string_view text);

struct Loop {
  std::string name;
  LoopEnd a, b;
  LoopAxes axes = {.along = {true, true, true}};
};

// Joints with one degree of freedom that move together: q[joint] = c0 + c1 q[of] + c2 q[of]² + …; q[joint] = c0 where
// `of` is empty. Unlike a mimic joint both keep their coordinate, and the force between them is known.
struct JointCoupling {
  std::string name, joint, of;
  std::vector<double> coefficients = {0, 1};
};

struct LoopDescription {
  std::vector<Loop> loops;
  std::vector<JointCoupling> couplings;
  bool empty() const { return loops.empty() && couplings.empty(); }
};

// A spring with a damper between two points: pulls with stiffness (length - rest) + damping · rate.
struct Spring {
  std::string name;
  LoopEnd a, b;
  double stiffness = 0, damping = 0, rest = 0;
};

}  // namespace lissom
