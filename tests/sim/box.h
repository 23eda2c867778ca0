#pragma once
// A box on the ground, driven by forces instead of a controller.
#include "lissom/api/state.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::test {

inline constexpr double box_mass = 8, box_weight = box_mass * 9.81;

// A box with edges of 0.4, 0.2 and 0.6 m; the frame "sole" is at the center of its bottom, "top" at that of its top.
inline Model box() {
  Description d;
  d.name = "box";
  const Vec3<double> e(.4, .2, .6);
  const auto moment = [&](double a, double b) { return box_mass / 12 * (a * a + b * b); };
  LinkDescription link;
  link.name = "box";
  link.mass = box_mass;
  link.inertia = {moment(e.y, e.z), 0, 0, moment(e.x, e.z), 0, moment(e.x, e.y)};
  Geometry shape;
  shape.shape.size = e;
  link.collisions.push_back(shape);
  d.links.push_back(link);
  d.frames = {{"sole", "box", {.p = {0, 0, -.3}}}, {"top", "box", {.p = {0, 0, .3}}}};
  return build(d, {.base = Base::free});
}

inline Eigen::VectorXd box_at(const Model& model, double height) {
  Eigen::VectorXd q = neutral(model);
  q[2] = .3 + height;
  return q;
}

// A command with zero torques.
inline sim::Command still(const Model& model) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  return {.torques = zero, .accelerations = zero};
}

}  // namespace lissom::test
