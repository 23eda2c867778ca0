#include <cmath>

#include "lissom/ik/checks.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom::ik {
namespace {

bool has_position(TargetKind kind) {
  return kind != TargetKind::orientation;
}
bool has_rotation(TargetKind kind) {
  return kind == TargetKind::orientation || kind == TargetKind::pose;
}

}  // namespace

void expect_target_pose(TargetKind kind, const Pose<double>& pose, const Argument& p, const Argument& R) {
  if (has_position(kind)) expect_finite(p, pose.p);
  if (has_rotation(kind)) expect_rotation(R, pose.R);
}

void check(const Model& model, const Target& target, const Argument& name) {
  expect_frame(name.with(".of"), model, target.of);
  expect_frame(name.with(".in"), model, target.in);
  expect_finite(name.with(".point"), target.point);
  expect_target_pose(target.kind, target.pose, name.with(".pose.p"), name.with(".pose.R"));
  if (target.kind == TargetKind::look_at) {
    expect_finite(name.with(".axis"), target.axis);
    if (!(dot(target.axis, target.axis) > 1e-24))
      throw Error(name.with(".axis").text() + " is zero, expected a direction along the axes of the frame `of`");
  }
  if (target.kind == TargetKind::center_of_mass && model.mass() == 0)
    throw Error(name.text() + ": model '" + model.name() + "' has no mass, so it has no center of mass");
  expect_weights(name.with(".linear_weight"), target.linear_weight);
  expect_weights(name.with(".angular_weight"), target.angular_weight);
}

TargetRows<double> on_bodies(const Model& model, const Target& target) {
  const auto &of = model.frames()[std::size_t(target.of.index)], &in = model.frames()[std::size_t(target.in.index)];
  TargetRows<double> rows{.kind = target.kind,
                          .of = of.body,
                          .in = in.body,
                          .of_placement = of.placement,
                          .in_placement = in.placement,
                          .axis = target.axis,
                          .linear_weight = target.linear_weight,
                          .angular_weight = target.angular_weight};
  rows.of_placement.p = of.placement * target.point;
  if (target.kind == TargetKind::look_at) rows.axis = (1 / std::sqrt(dot(target.axis, target.axis))) * target.axis;
  return rows;
}

}  // namespace lissom::ik
