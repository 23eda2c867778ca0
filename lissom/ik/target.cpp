#include <cmath>

#include "lissom/ik/checks.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom::ik {
namespace {

void expect_frame(const Model& model, FrameId frame, ArgumentName name, const char* part) {
  if (frame.index >= 0 && frame.index < int(model.frames().size())) return;
  throw Error(name.with(part) + ": model '" + model.name() + "' has no frame number " + std::to_string(frame.index) +
              "; get frames from model.frame(\"name\")");
}

void expect_finite(const Vec3<double>& x, ArgumentName name, const char* part) {
  if (!std::isfinite(x.x + x.y + x.z)) throw Error(name.with(part) + " is not finite; expected three numbers");
}

void expect_weights(const Vec3<double>& x, ArgumentName name, const char* part) {
  expect_finite(x, name, part);
  if (x.x < 0 || x.y < 0 || x.z < 0) throw Error(name.with(part) + " has a negative entry; expected 0 (free) or more");
}

void expect_rotation(const Mat3<double>& R, ArgumentName name, const char* part) {
  if (!is_rotation(R))
    throw Error(name.with(part) + " is no rotation: expected rows of length 1 at right angles, determinant 1");
}

bool has_place(TargetKind kind) {
  return kind != TargetKind::orientation;
}
bool has_rotation(TargetKind kind) {
  return kind == TargetKind::orientation || kind == TargetKind::pose;
}

}  // namespace

void check(const Model& model, const Target& target, ArgumentName name) {
  expect_frame(model, target.of, name, ".of");
  expect_frame(model, target.in, name, ".in");
  expect_finite(target.point, name, ".point");
  if (has_place(target.kind)) expect_finite(target.place.p, name, ".place.p");
  if (has_rotation(target.kind)) expect_rotation(target.place.R, name, ".place.R");
  if (target.kind == TargetKind::look_at) {
    expect_finite(target.axis, name, ".axis");
    if (!(dot(target.axis, target.axis) > 1e-24))
      throw Error(name.with(".axis") + " is zero; expected the direction that looks, along the axes of its frame");
  }
  if (target.kind == TargetKind::center_of_mass && model.mass() == 0)
    throw Error(name.with() + ": model '" + model.name() + "' has no mass, so no centre of mass");
  expect_weights(target.linear_weight, name, ".linear_weight");
  expect_weights(target.angular_weight, name, ".angular_weight");
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
