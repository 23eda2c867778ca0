#include <algorithm>
#include <cmath>

#include "lissom/api/eigen.h"
#include "lissom/control/clearance_entry.h"
#include "lissom/model/text.h"

namespace lissom::control {

namespace {

constexpr double fastest_approach = 10;  // m/s

}  // namespace

std::string name_of(const Clearance& clearance) {
  return clearance.name.empty() ? clearance.a.frame + " and " + clearance.b.frame : clearance.name;
}

ClearanceEntry make_entry(const Model& model, const Clearance& clearance) {
  ClearanceEntry e;
  e.clearance = clearance;
  e.name = name_of(clearance);
  e.a = model.frame(clearance.a.frame), e.b = model.frame(clearance.b.frame);
  if (!(clearance.influence_distance > clearance.min_distance))
    throw Error("clearance of " + e.name + ": influence_distance is " + to_text(clearance.influence_distance) +
                " m, expected more than min_distance (" + to_text(clearance.min_distance) + " m)");
  if (!(clearance.weight > 0) || !(clearance.max_approach_speed > 0))
    throw Error("clearance of " + e.name + ": weight is " + to_text(clearance.weight) + " and max_approach_speed " +
                to_text(clearance.max_approach_speed) + " m/s, expected positive numbers");
  e.J = Eigen::RowVectorXd::Zero(model.nv());
  e.J_a = e.J_b = Columns6::Zero(6, model.nv());
  return e;
}

void evaluate(ClearanceEntry& e, const RobotSnapshot& robot, double horizon, double step) {
  const auto& c = e.clearance;
  if (e.asleep > 0) {
    --e.asleep;
    return;
  }
  const auto X_a = robot.placement(e.a), X_b = robot.placement(e.b);
  const auto a0 = X_a * c.a.from, a1 = X_a * c.a.to, b0 = X_b * c.b.from, b1 = X_b * c.b.to;
  const auto [s, t] = nearest_points(a0, a1, b0, b1);
  const auto p = a0 + s * (a1 - a0), r = b0 + t * (b1 - b0), displacement = p - r;
  const double length = std::sqrt(dot(displacement, displacement));
  e.distance = length - c.a.radius - c.b.radius;
  e.near = e.distance < c.influence_distance && length > 1e-9;
  if (!e.near) {
    e.lower = -1e20;
    if (c.skip_while_far)
      e.asleep = int(std::clamp((e.distance - c.influence_distance) / (fastest_approach * step) - 1, 0., 1e3));
    return;
  }
  const auto n = (1 / length) * displacement;
  const auto identity = identity3<double>();
  robot.jacobian(e.a, p, identity, e.J_a);
  robot.jacobian(e.b, r, identity, e.J_b);
  e.J.noalias() = to_eigen(n).transpose() * (e.J_a.topRows<3>() - e.J_b.topRows<3>());
  const auto v = robot.velocity(e.a, p).linear - robot.velocity(e.b, r).linear;
  const auto a = robot.acceleration(e.a, p).linear - robot.acceleration(e.b, r).linear;
  e.rate = dot(n, v);
  // d̈ = n·(Δa) + (|Δv|² - ḋ²) / length, taking the nearest points as fixed to their links.
  const double bias = dot(n, a) + (dot(v, v) - e.rate * e.rate) / length;
  const double allowed =
      -c.max_approach_speed * (e.distance - c.min_distance) / (c.influence_distance - c.min_distance);
  e.lower = (allowed - e.rate) / horizon - bias;
}

}  // namespace lissom::control
