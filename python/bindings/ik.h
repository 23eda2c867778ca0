#pragma once
// Targets and options of inverse kinematics as Python has them: frames are names.
#include "calls.h"
#include "lissom/ik/solver.h"

LISSOM_ENUM(lissom::ik::TargetKind, "position", "orientation", "pose", "look_at", "center_of_mass")
LISSOM_ENUM(lissom::ik::Status, "solved", "closest", "stopped")
LISSOM_ENUM(lissom::ik::Prefer, "first", "nearest", "central")

namespace lissom::python {

struct BoundTarget {
  ik::TargetKind kind = ik::TargetKind::pose;
  std::string of = {};
  Pose<double> pose = {identity3<double>(), {0, 0, 0}};
  std::string in = {};
  Vec3<double> point = {0, 0, 0}, axis = {1, 0, 0}, linear_weight = {1, 1, 1}, angular_weight = {1, 1, 1};
};
template <>
inline constexpr bool fields_in_place<BoundTarget> = true;

ik::Target to_target(const Model& model, const BoundTarget& target);

LISSOM_PYTHON_TYPE(ik::Tolerance, "Tolerance | float")
LISSOM_PYTHON_TYPE(ik::Residual, "Residual")
LISSOM_PYTHON_TYPE(std::function<bool(int)>, "Callable[[int], bool] | None")

/// Options from an Options and keywords; `tolerance` may be one number for meters and radians.
ik::Options ik_options(nb::handle options, const nb::kwargs& by_name);
/// A weight for each axis, or one for all.
Vec3<double> weights(const char* name, nb::handle object);
/// q0 with nq elements; None: the neutral configuration.
Eigen::VectorXd start_of(const Model& model, nb::handle q0);

}  // namespace lissom::python
