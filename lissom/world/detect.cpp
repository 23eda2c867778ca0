// Finds where bodies touch, or may touch within the step.
#include <algorithm>
#include <cmath>

#include "lissom/world/impl.h"

namespace lissom {
namespace {

double length(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

}  // namespace

void World::Impl::detect(double h) {
  set.contacts.clear();
  poses.resize(colliders.size());
  reaches.resize(colliders.size());
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    const auto& c = colliders[i];
    if (c.unit == worlds::fixed_unit) {
      poses[i] = c.in_body;
      reaches[i] = 0;
      continue;
    }
    const auto& unit = *units[std::size_t(c.unit)];
    poses[i] = unit.pose(c.body) * c.in_body;
    const auto motion = unit.velocity(c.body);
    const double arm = length(c.in_body.p) + c.collider.bounding_radius();
    // Twice the way of its fastest point, with what gravity adds.
    reaches[i] = 2 * h * (length(motion.linear) + arm * length(motion.angular) + h * length(options.gravity));
  }
  pairs.clear();
  find_pairs();
  for (const auto& [a, b] : pairs) collide_pair(a, b, options.margin + reaches[a] + reaches[b]);
  set.make_rows(units);
  set.find_islands(units);
}

bool World::Impl::may_touch(std::size_t a, std::size_t b) const {
  const auto &A = colliders[a], &B = colliders[b];
  if (A.unit == worlds::fixed_unit && B.unit == worlds::fixed_unit) return false;
  if (A.unit == B.unit && A.body == B.body) return false;
  return !excluded.contains({std::min(a, b), std::max(a, b)});
}

void World::Impl::find_pairs() {
  for (std::size_t a = 0; a < colliders.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const double radii = colliders[a].collider.bounding_radius() + colliders[b].collider.bounding_radius();
      const auto apart = poses[a].p - poses[b].p;
      const double reach = radii + options.margin + reaches[a] + reaches[b];
      if (dot(apart, apart) <= reach * reach && may_touch(a, b)) pairs.emplace_back(a, b);
    }
}

void World::Impl::collide_pair(std::size_t a, std::size_t b, double margin) {
  const auto &A = colliders[a], &B = colliders[b];
  points.clear();
  collide(A.collider, poses[a], B.collider, poses[b], margin, points);
  for (const auto& point : points) {
    worlds::Contact c;
    c.collider = {int(a), int(b)};
    c.unit = {A.unit, B.unit}, c.body = {A.body, B.body};
    c.point = point.point, c.gap = point.gap;
    c.axes = worlds::contact_axes(point.normal);
    c.key = (std::uint64_t(a) << 42) ^ (std::uint64_t(b) << 21) ^ point.feature;
    c.properties = &properties_of(A.owner, B.owner);
    set.contacts.push_back(c);
  }
}

}  // namespace lissom
