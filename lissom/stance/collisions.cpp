#include "lissom/stance/collisions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/api/state.h"
#include "lissom/model/text.h"
#include "lissom/tree/tree.h"

namespace lissom::stance {

namespace {

constexpr double look_ahead = .06;  // m: pairs are near if their distance exceeds the clearance by less
constexpr int shift_rounds = 30;

// Bodies that are joined directly, or by bodies without shapes, are allowed to overlap at their joint.
bool are_joined(const Model& model, int a, int b, const std::vector<bool>& has_shape) {
  const auto up = [&](int body) {
    do body = model.tree<double>().bodies[std::size_t(body)].parent;
    while (body > 0 && !has_shape[std::size_t(body)]);
    return body;
  };
  return up(a) == b || up(b) == a;
}

}  // namespace

bool is_carried_by(const Model& model, int body, int carrier) {
  while (body > 0 && body != carrier) body = model.tree<double>().bodies[std::size_t(body)].parent;
  return body == carrier;
}

Collisions::Collisions(const Model& model, const CollisionGeometry& geometry, const StanceProblem& problem)
    : clearance_(problem.clearance) {
  if (problem.obstacles.empty() && !problem.self_collision) return;
  for (const auto& s : geometry.shapes())
    if (s.body != 0 && is_primitive(s.shape))
      parts_.push_back({s.link, Collider(s.shape), s.body, s.frame, s.in_link, {}, problem.clearance});
  for (const auto& [frame, distance] : problem.clearances) {
    const int body = model.frame_at(model.frame(frame)).body;
    for (auto& p : parts_)
      if (p.body == body) p.clearance = std::max(distance, p.clearance);
  }
  const int links = int(parts_.size());
  for (const auto& o : problem.obstacles) {
    if (o.shape.kind == Shape::Kind::mesh || o.shape.kind == Shape::Kind::height_field)
      throw Error("stance: obstacle " + in_quotes(o.name) +
                  " is a mesh or a height field, expected a box, sphere, cylinder, capsule, ellipsoid or plane");
    parts_.push_back({o.name, Collider(o.shape), 0, world_frame, o.pose, o.pose, 0});
  }
  add_obstacle_pairs(model, problem, links);
  if (problem.self_collision) add_link_pairs(model, problem.clearance);
  near_.reserve(std::size_t(max_near));
}

void Collisions::add_obstacle_pairs(const Model& model, const StanceProblem& problem, int links) {
  for (int a = 0; a < links; ++a)
    for (int k = 0; k < int(problem.obstacles.size()); ++k) {
      const bool touches = std::any_of(problem.contacts.begin(), problem.contacts.end(), [&](const StanceContact& c) {
        return c.on == k && model.frame_at(model.frame(c.frame)).body == parts_[std::size_t(a)].body;
      });
      if (!touches) pairs_.emplace_back(a, links + k);
    }
}

// Links that overlap in the neutral posture overlap in most others: their shapes are drawn so.
void Collisions::add_link_pairs(const Model& model, double clearance) {
  const int links = int(std::count_if(parts_.begin(), parts_.end(), [](const Part& p) { return p.body != 0; }));
  std::vector<bool> has_shape(model.tree<double>().bodies.size(), false);
  for (const auto& p : parts_) has_shape[std::size_t(p.body)] = true;
  Workspace work(model);
  forward_kinematics(model, work, neutral(model));
  for (auto& p : parts_)
    if (p.body != 0) p.in_world = placement(model, work, p.frame) * p.pose;
  const auto body = [&](int k) { return parts_[std::size_t(k)].body; };
  for (int a = 0; a < links; ++a)
    for (int b = a + 1; b < links; ++b)
      if (body(a) != body(b) && !are_joined(model, body(a), body(b), has_shape) &&
          distance_of(a, b).distance > clearance)
        pairs_.emplace_back(a, b);
}

Distance Collisions::distance_of(int a, int b) const {
  const auto &first = parts_[std::size_t(a)], &second = parts_[std::size_t(b)];
  return distance(first.shape, first.in_world, second.shape, second.in_world);
}

void Collisions::evaluate(const RobotSnapshot& robot) {
  if (pairs_.empty()) return;
  for (auto& p : parts_)
    if (p.body != 0) p.in_world = robot.placement(p.frame) * p.pose;
  find_near();
}
void Collisions::evaluate(const Model& model, const Workspace& work) {
  if (pairs_.empty()) return;
  for (auto& p : parts_)
    if (p.body != 0) p.in_world = placement(model, work, p.frame) * p.pose;
  find_near();
}

// By the spheres around them.
bool Collisions::are_far(const Part& a, const Part& b, double reach) const {
  const auto apart = a.in_world.p - b.in_world.p;
  const double radius = a.shape.bounding_radius() + reach;
  if (b.shape.kind() == Collider::Kind::plane) return dot(column_z(b.in_world.R), apart) > radius;
  const double radii = radius + b.shape.bounding_radius();
  if (dot(apart, apart) > radii * radii) return true;
  if (b.shape.kind() != Collider::Kind::box) return false;
  const auto local = transpose(b.in_world.R) * apart;
  const auto& half = b.shape.half();
  const double grown = radius + b.shape.radius();
  return std::abs(local.x) > half.x + grown || std::abs(local.y) > half.y + grown || std::abs(local.z) > half.z + grown;
}

void Collisions::find_near() {
  near_.clear();
  for (const auto& [a, b] : pairs_) {
    const auto &first = parts_[std::size_t(a)], &second = parts_[std::size_t(b)];
    const double required = second.body == 0 ? first.clearance : clearance_, reach = required + look_ahead;
    if (are_far(first, second, reach)) continue;
    const auto found = distance_of(a, b);
    if (found.distance < reach)
      near_.push_back({a, b, found.distance, required, found.point_a, found.point_b, found.normal});
  }
  std::stable_sort(near_.begin(), near_.end(),
                   [](const Near& x, const Near& y) { return x.distance - x.required < y.distance - y.required; });
  if (int(near_.size()) > max_near) near_.resize(std::size_t(max_near));
}

Edge edge_of(const StancePolygon& polygon, std::size_t i) {
  const auto &a = polygon.corners[i], &b = polygon.corners[(i + 1) % polygon.corners.size()];
  const auto along = b - a;
  const double length = std::hypot(along.x, along.y);
  if (!(length > 0)) return {{0, 0, 0}, 0};
  const Vec3<double> n(along.y / length, -along.x / length, 0);
  return {n, dot(n, a) - polygon.margin};
}

FarthestCorner farthest_out(const StancePolygon& polygon, std::size_t i, const Pose<double>& X,
                            const std::vector<Vec3<double>>& corners) {
  const auto edge = edge_of(polygon, i);
  FarthestCorner out{polygon.pose.R * edge.n, X * corners[0], -std::numeric_limits<double>::infinity()};
  for (const auto& p : corners)
    if (const double x = dot(out.n, X * p - polygon.pose.p) - edge.d; x > out.beyond)
      out.corner = X * p, out.beyond = x;
  return out;
}

// Projects onto one half plane after the other.
Vec3<double> shift_inside(const StancePolygon& polygon, const Pose<double>& placed,
                          const std::vector<Vec3<double>>& corners) {
  Vec3<double> shift(0, 0, 0);
  for (int round = 0; round < shift_rounds; ++round) {
    double moved = 0;
    for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
      const auto edge = edge_of(polygon, i);
      double beyond = 0;
      for (const auto& p : corners) beyond = std::max(beyond, dot(edge.n, placed * p + shift) - edge.d);
      shift -= beyond * edge.n;
      moved = std::max(moved, beyond);
    }
    if (moved < 1e-12) break;
  }
  return shift;
}

}  // namespace lissom::stance
