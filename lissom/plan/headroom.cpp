#include "lissom/plan/headroom.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/kinematics.h"
#include "lissom/geometry/collider.h"
#include "lissom/geometry/collision_geometry.h"
#include "lissom/geometry/contact_polygon.h"

namespace lissom::plan {

namespace {

constexpr double min_headroom = .2;  // m: below that nothing goes through
constexpr double reach_beside = .1;  // m: how near contacts are to something that is overhead
constexpr double sample = .05;       // m, along a line
constexpr double level_floor = .9;   // z of a floor's normal

// Looks at the robot's primitives, m.
double highest_point(const Model& model, const Eigen::VectorXd& q) {
  Workspace work(model);
  forward_kinematics(model, work, q);
  double highest = 0;
  const CollisionGeometry geometry(model);
  for (const auto& s : geometry.shapes()) {
    if (!is_primitive(s.shape)) continue;
    const auto X = placement(model, work, s.frame) * s.in_link;
    highest = std::max(highest, X.p.z + support(s.shape, {X.R.zx, X.R.zy, X.R.zz}));
  }
  return highest;
}

// The highest level face below a thing, m; empty: there is none.
std::optional<double> floor_below(const Environment& environment, const Bounds& thing) {
  std::optional<double> highest;
  for (const auto& s : environment.surfaces) {
    if (s.polygon.pose.R.zz < level_floor) continue;
    Bounds face{s.polygon.pose * s.polygon.corners[0], s.polygon.pose * s.polygon.corners[0]};
    for (const auto& corner : s.polygon.corners) {
      const auto p = s.polygon.pose * corner;
      face = joined(face, {p, p});
    }
    if (face.upper.z >= thing.lower.z) continue;
    face.upper.z = thing.lower.z;
    if (overlap(face, thing)) highest = std::max(highest.value_or(face.lower.z), face.lower.z);
  }
  return highest;
}

}  // namespace

StanceObstacle half_space_above(double z, const std::string& name) {
  Shape plane;
  plane.kind = Shape::Kind::plane;
  return {name, plane, {Mat3<double>(1, 0, 0, 0, -1, 0, 0, 0, -1), {0, 0, z}}};
}

Headroom::Headroom(const Model& model, const PlanProblem& problem) : problem_(problem) {
  for (const auto& limb : problem.limbs) {
    auto points = limb.points;
    if (points.empty() && limb.kind == ContactKind::surface) points = contact_polygon(model, model.frame(limb.frame));
    if (points.empty()) points.emplace_back(0, 0, 0);
    corners_.push_back(points);
  }
  Workspace work(model);
  forward_kinematics(model, work, problem.start);
  double lowest = std::numeric_limits<double>::infinity();
  for (const auto& limb : problem.limbs) lowest = std::min(lowest, placement(model, work, model.frame(limb.frame)).p.z);
  const double standing = highest_point(model, problem.start) - lowest + problem.clearance;
  const auto& obstacles = problem.environment.obstacles;
  for (std::size_t k = 0; k < obstacles.size(); ++k) {
    if (!is_primitive(obstacles[k].shape)) continue;
    Low low{.obstacle = int(k), .bounds = bounds(Collider(obstacles[k].shape), obstacles[k].pose)};
    const auto floor = floor_below(problem.environment, low.bounds);
    if (!floor) continue;
    low.height = low.bounds.lower.z - *floor;
    if (low.height > min_headroom && low.height < standing) low_.push_back(low);
  }
}

Bounds Headroom::around(const std::vector<Placement>& contacts) const {
  Bounds all{contacts[0].pose.p, contacts[0].pose.p};
  for (const auto& c : contacts)
    for (const auto& corner : corners_[std::size_t(c.limb)]) {
      const auto p = c.pose * corner;
      all = joined(all, {p, p});
    }
  return all;
}

std::optional<StanceObstacle> Headroom::ceiling(const std::vector<Placement>& carrying) const {
  if (low_.empty() || carrying.empty()) return {};
  auto here = grown(around(carrying), reach_beside);
  const double top = here.upper.z - reach_beside;
  here.upper.z = std::numeric_limits<double>::infinity();
  const Low* lowest = nullptr;
  for (const auto& low : low_) {
    const bool touched = std::ranges::any_of(carrying, [&](const Placement& p) {
      return problem_.environment.surfaces[std::size_t(p.surface)].obstacle == low.obstacle;
    });
    if (touched || low.bounds.lower.z < top + min_headroom || !overlap(here, low.bounds)) continue;
    if (!lowest || low.bounds.lower.z < lowest->bounds.lower.z) lowest = &low;
  }
  if (!lowest) return {};
  return half_space_above(lowest->bounds.lower.z, problem_.environment.obstacles[std::size_t(lowest->obstacle)].name);
}

std::optional<double> Headroom::end_of_crawl(const Vec3<double>& from, const Vec3<double>& to) const {
  if (std::ranges::none_of(low_, [](const Low& low) { return low.needs_hands; })) return {};
  const double distance = std::hypot(to.x - from.x, to.y - from.y);
  std::optional<double> end;
  for (double s = 0; s < distance; s += sample) {
    const auto p = from + (s / distance) * (to - from);
    for (const auto& low : low_) {
      const auto b = grown(low.bounds, reach_beside);
      if (low.needs_hands && p.x > b.lower.x && p.x < b.upper.x && p.y > b.lower.y && p.y < b.upper.y) end = s + sample;
    }
  }
  return end;
}

}  // namespace lissom::plan
