#include "lissom/control/clearance.h"

#include <algorithm>
#include <cmath>

#include "lissom/model/wording.h"

namespace lissom::control {

namespace {

// The box around all collision shapes of a link, along the link's axes.
struct Box {
  Vec3<double> low = {1e9, 1e9, 1e9}, high = {-1e9, -1e9, -1e9};
  void cover(const Vec3<double>& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
};

void cover(Box& box, const Geometry& geometry) {
  const auto& shape = geometry.shape;
  Vec3<double> half(0, 0, 0);
  switch (shape.kind) {
    case Shape::Kind::box:
      half = .5 * shape.size;
      break;
    case Shape::Kind::sphere:
      half = {shape.radius, shape.radius, shape.radius};
      break;
    case Shape::Kind::cylinder:
      half = {shape.radius, shape.radius, shape.length / 2};
      break;
    case Shape::Kind::capsule:
      half = {shape.radius, shape.radius, shape.length / 2 + shape.radius};
      break;
    case Shape::Kind::mesh:
      return;
  }
  for (int corner = 0; corner < 8; ++corner)
    box.cover(geometry.origin * Vec3<double>(corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                                             corner & 4 ? half.z : -half.z));
}

}  // namespace

Capsule capsule_of(const Model& model, const std::string& link) {
  model.link(link);
  Box box;
  for (const auto& l : model.description().links)
    if (l.name == link)
      for (const auto& geometry : l.collisions) cover(box, geometry);
  if (box.low.x > box.high.x)
    throw Error("link " + in_quotes(link) + ": no collision shape to put a capsule around; give one");
  const auto centre = .5 * (box.low + box.high), half = .5 * (box.high - box.low);
  // Along the longest side; as thick as the middle one.
  double sides[3] = {half.x, half.y, half.z};
  const int along = int(std::max_element(sides, sides + 3) - sides);
  const double length = sides[along];
  std::sort(sides, sides + 3);
  const double radius = sides[1], reach = std::max(0.0, length - radius);
  const Vec3<double> way(along == 0 ? reach : 0, along == 1 ? reach : 0, along == 2 ? reach : 0);
  return {link, centre - way, centre + way, radius};
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

ClearanceEntry make_entry(const Model& model, const Clearance& clearance) {
  ClearanceEntry e;
  e.clearance = clearance;
  e.name = clearance.name.empty() ? clearance.a.frame + " and " + clearance.b.frame : clearance.name;
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
