#include "lissom/control/clearance.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "lissom/geometry/bounding_spheres.h"
#include "lissom/model/wording.h"

namespace lissom::control {

namespace {

// The line in the middle of the box around all balls, along its longest side.
struct Line {
  Vec3<double> middle, along;
};
Line longest_middle(const std::vector<Ball>& balls) {
  Vec3<double> low = {1e9, 1e9, 1e9}, high = {-1e9, -1e9, -1e9};
  for (const auto& [p, r] : balls) {
    low = {std::min(low.x, p.x - r), std::min(low.y, p.y - r), std::min(low.z, p.z - r)};
    high = {std::max(high.x, p.x + r), std::max(high.y, p.y + r), std::max(high.z, p.z + r)};
  }
  const auto side = high - low;
  const auto along = side.x >= side.y && side.x >= side.z ? Vec3<double>(1, 0, 0)
                     : side.y >= side.z                   ? Vec3<double>(0, 1, 0)
                                                          : Vec3<double>(0, 0, 1);
  return {.5 * (low + high), along};
}

}  // namespace

Capsule capsule_of(const Model& model, const std::string& link) {
  model.link(link);
  std::vector<Ball> balls;
  for (const auto& l : model.description().links)
    if (l.name == link)
      for (const auto& geometry : l.collisions) add_balls(balls, geometry);
  if (balls.empty()) throw Error("link " + in_quotes(link) + ": no collision shape to put a capsule around; give one");
  const auto [middle, along] = longest_middle(balls);
  // As thick as it must be, and then as short: a ball at z along the line and d beside it lies within where
  // |z| ≤ reach, or (|z| - reach)² + d² ≤ (radius - its own)².
  const auto aside = [&](const Ball& ball) {
    const auto across = cross(ball.centre - middle, along);
    return std::sqrt(dot(across, across));
  };
  double radius = 0, reach = 0;
  for (const auto& ball : balls) radius = std::max(radius, aside(ball) + ball.radius);
  for (const auto& ball : balls) {
    const double room = radius - ball.radius, d = aside(ball);
    reach = std::max(reach, std::abs(dot(ball.centre - middle, along)) - std::sqrt(std::max(0.0, room * room - d * d)));
  }
  return {link, middle - reach * along, middle + reach * along, radius};
}

NearestPoints nearest_points(const Vec3<double>& a0, const Vec3<double>& a1, const Vec3<double>& b0,
                             const Vec3<double>& b1) {
  // |a0 + s u - b0 - t w|² over the unit square (Ericson, "Real-Time Collision Detection", 5.1.9).
  const auto u = a1 - a0, w = b1 - b0, r = a0 - b0;
  const double a = dot(u, u), e = dot(w, w), f = dot(w, r), tiny = 1e-18;
  if (a <= tiny && e <= tiny) return {0, 0};
  if (a <= tiny) return {0, std::clamp(f / e, 0.0, 1.0)};
  const double c = dot(u, r);
  if (e <= tiny) return {std::clamp(-c / a, 0.0, 1.0), 0};
  const double b = dot(u, w), denominator = a * e - b * b;
  double s = denominator > 1e-12 * a * e ? std::clamp((b * f - c * e) / denominator, 0.0, 1.0) : 0;
  double t = (b * s + f) / e;
  if (t < 0) t = 0, s = std::clamp(-c / a, 0.0, 1.0);
  if (t > 1) t = 1, s = std::clamp((b - c) / a, 0.0, 1.0);
  return {s, t};
}

std::string name_of(const Clearance& clearance) {
  return clearance.name.empty() ? clearance.a.frame + " and " + clearance.b.frame : clearance.name;
}

ClearanceEntry make_entry(const Model& model, const Clearance& clearance) {
  ClearanceEntry e;
  e.clearance = clearance;
  e.name = name_of(clearance);
  e.a = model.frame(clearance.a.frame), e.b = model.frame(clearance.b.frame);
  if (!(clearance.begin > clearance.least))
    throw Error("clearance of " + e.name + ": begins at " + in_words(clearance.begin) +
                " m; expected more than the least, " + in_words(clearance.least) + " m");
  if (!(clearance.weight > 0) || !(clearance.speed > 0))
    throw Error("clearance of " + e.name + ": weight and speed have to be above 0");
  e.J = Eigen::RowVectorXd::Zero(model.nv());
  e.J_a = e.J_b = Columns6::Zero(6, model.nv());
  return e;
}

void evaluate(ClearanceEntry& e, Moment& m, double horizon) {
  const auto& c = e.clearance;
  const auto X_a = m.placement(e.a), X_b = m.placement(e.b);
  const auto a0 = X_a * c.a.from, a1 = X_a * c.a.to, b0 = X_b * c.b.from, b1 = X_b * c.b.to;
  const auto [s, t] = nearest_points(a0, a1, b0, b1);
  const auto p = a0 + s * (a1 - a0), r = b0 + t * (b1 - b0), way = p - r;
  const double length = std::sqrt(dot(way, way));
  e.distance = length - c.a.radius - c.b.radius;
  e.near = e.distance < c.begin && length > 1e-9;
  if (!e.near) {
    e.lower = -1e20;
    return;
  }
  const auto n = (1 / length) * way;
  const auto identity = identity3<double>();
  m.jacobian(e.a, p, identity, e.J_a);
  m.jacobian(e.b, r, identity, e.J_b);
  e.J.noalias() = to_eigen(n).transpose() * (e.J_a.topRows<3>() - e.J_b.topRows<3>());
  const auto v = m.velocity(e.a, p).linear - m.velocity(e.b, r).linear;
  const auto a = m.acceleration(e.a, p).linear - m.acceleration(e.b, r).linear;
  e.rate = dot(n, v);
  // d̈ = n·(Δa) + (|Δv|² - ḋ²) / length, taking the nearest points as fixed to their links.
  const double bias = dot(n, a) + (dot(v, v) - e.rate * e.rate) / length;
  const double allowed = -c.speed * (e.distance - c.least) / (c.begin - c.least);
  e.lower = (allowed - e.rate) / horizon - bias;
}

}  // namespace lissom::control
