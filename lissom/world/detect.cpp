// Finds where bodies touch, or may touch within the step.
#include <algorithm>
#include <cmath>

#include "lissom/world/impl.h"

namespace lissom {
namespace {

// How much a contact's velocity is expected to change in a step, m/s. Where it changes more, the step is done again.
constexpr double likely_change = .05;

bool is_plane(const worlds::PlacedCollider& c) {
  return c.collider.kind() == Collider::Kind::plane;
}

double length(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

}  // namespace

void World::Impl::detect(double h) {
  contacts.clear();
  if (!pairs_are_known) list_pairs();
  poses.resize(colliders.size());
  reaches.resize(colliders.size());
  own_reaches.resize(colliders.size());
  twists.resize(colliders.size());
  SpatialVector first_body{{0, 0, 0}, {0, 0, 0}};  // of the unit, as `twists` are
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    const auto& c = colliders[i];
    if (c.unit == worlds::fixed_unit) {
      poses[i] = c.in_body;
      reaches[i] = own_reaches[i] = 0;
      twists[i] = {{0, 0, 0}, {0, 0, 0}};
      continue;
    }
    const auto& unit = *units[std::size_t(c.unit)];
    const auto of_body = unit.pose(c.body);
    poses[i] = of_body * c.in_body;
    const auto motion = unit.velocity(c.body);
    twists[i] = {motion.linear - cross(motion.angular, of_body.p), motion.angular};
    if (i == 0 || colliders[i - 1].unit != c.unit) {
      const auto first = unit.velocity(1);
      first_body = {first.linear - cross(first.angular, unit.pose(1).p), first.angular};
    }
    // Twice the way of its fastest point, with what gravity adds.
    const auto reach = [&](const Vec3<double>& linear, const Vec3<double>& angular) {
      const double speed = length(linear) + c.collider.bounding_radius() * length(angular);
      return 2 * h * (speed + h * length(options.gravity));
    };
    reaches[i] = reach(twists[i].linear + cross(twists[i].angular, poses[i].p), twists[i].angular);
    const auto angular = twists[i].angular - first_body.angular;
    own_reaches[i] = reach(twists[i].linear - first_body.linear + cross(angular, poses[i].p), angular);
  }
  find_near_pairs();
  for (const auto& [a, b] : near_pairs)
    collide_pair(a, b, options.margin + reach_of_pair(std::size_t(a), std::size_t(b)), h);
}

// How much nearer to each other two colliders may come in the step. A robot that falls or turns as a whole does not
// bring its own links together: for them, only the motion relative to its first body counts.
double World::Impl::reach_of_pair(std::size_t a, std::size_t b) const {
  const auto& of = colliders[a].unit == colliders[b].unit ? own_reaches : reaches;
  return of[a] + of[b];
}

bool World::Impl::may_touch(std::size_t a, std::size_t b) const {
  const auto &A = colliders[a], &B = colliders[b];
  if (A.unit == worlds::fixed_unit && B.unit == worlds::fixed_unit) return false;
  if (A.unit == B.unit && A.body == B.body) return false;
  return !excluded.contains({std::min(a, b), std::max(a, b)});
}

// Few colliders: all pairs that may touch, once and for all. Many: a broad phase finds those that are near.
void World::Impl::list_pairs() {
  constexpr std::size_t many = 64;
  pairs_are_known = true;
  pairs.clear();
  broad_phase.reset();
  if (colliders.size() < many) {
    for (std::size_t a = 0; a < colliders.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (may_touch(a, b)) pairs.emplace_back(int(a), int(b));
    return;
  }
  broad_phase.emplace();
  // Bodies are numbered through all units; all fixed shapes are one.
  std::map<std::pair<int, int>, int> number;
  for (const auto& c : colliders) {
    const bool fixed = c.unit == worlds::fixed_unit;
    const auto key = fixed ? std::pair{worlds::fixed_unit, 0} : std::pair{c.unit, c.body};
    const int body = number.emplace(key, int(number.size())).first->second;
    broad_phase->add({.body = body, .fixed = fixed});
  }
}

void World::Impl::find_near_pairs() {
  near_pairs.clear();
  if (!broad_phase) {
    for (const auto& [a, b] : pairs) {
      const auto i = std::size_t(a), j = std::size_t(b);
      const auto apart = poses[i].p - poses[j].p;
      const double reach = options.margin + reach_of_pair(i, j);
      const double radius_i = colliders[i].collider.bounding_radius(),
                   radius_j = colliders[j].collider.bounding_radius();
      if (is_plane(colliders[j])) {
        if (dot(column_z(poses[j].R), apart) <= radius_i + reach) near_pairs.emplace_back(a, b);
      } else if (is_plane(colliders[i])) {
        if (-dot(column_z(poses[i].R), apart) <= radius_j + reach) near_pairs.emplace_back(a, b);
      } else if (const double all = radius_i + radius_j + reach; dot(apart, apart) <= all * all) {
        near_pairs.emplace_back(a, b);
      }
    }
    return;
  }
  for (std::size_t i = 0; i < colliders.size(); ++i)
    broad_phase->set_bounds(int(i), grown(bounds(colliders[i].collider, poses[i]), .5 * options.margin + reaches[i]));
  for (const auto& [a, b] : broad_phase->update())
    if (may_touch(std::size_t(a), std::size_t(b))) near_pairs.emplace_back(b, a);
}

Vec3<double> World::Impl::velocity_at_end(const worlds::Contact& c) const {
  Vec3<double> sum{0, 0, 0};
  for (std::size_t side = 0; side < 2; ++side) {
    if (c.unit[side] == worlds::fixed_unit) continue;
    const auto& unit = *units[std::size_t(c.unit[side])];
    const auto of_body = unit.twist(c.body[side], unit.v_end);
    sum = sum + (side == 0 ? 1. : -1.) * (of_body.linear + cross(of_body.angular, c.point));
  }
  return sum;
}

void World::Impl::collide_pair(int a, int b, double margin, double h) {
  const auto &A = colliders[std::size_t(a)], &B = colliders[std::size_t(b)];
  points.clear();
  collide(A.collider, poses[std::size_t(a)], B.collider, poses[std::size_t(b)], margin, points);
  const int robot = A.unit == worlds::fixed_unit ? B.unit : A.unit;
  const bool alone = A.unit == B.unit || A.unit == worlds::fixed_unit || B.unit == worlds::fixed_unit;
  const int body_a = A.unit == robot ? A.body : 0, body_b = B.unit == robot ? B.body : 0;
  for (const auto& point : points) {
    if (alone && !units[std::size_t(robot)]->can_part(body_a, body_b, point.point, point.normal)) continue;
    worlds::Contact c;
    c.collider = {a, b};
    c.unit = {A.unit, B.unit}, c.body = {A.body, B.body};
    c.point = point.point, c.gap = point.gap;
    c.axes = worlds::contact_axes(point.normal);
    c.key = (std::uint64_t(a) << 42) ^ (std::uint64_t(b) << 21) ^ point.feature;
    c.properties = &properties_of(std::size_t(a), std::size_t(b));
    // A contact that parts, or does not come near the other in this step, gets no rows unless it turns out to.
    const auto &of_a = twists[std::size_t(a)], &of_b = twists[std::size_t(b)];
    const auto approach = (of_a.linear - of_b.linear) + cross(of_a.angular - of_b.angular, c.point);
    const double change = likely_change + 10 * h * length(options.gravity);
    c.has_rows = c.gap <= 0 || last_contact(c.key) != nullptr || dot(point.normal, approach) < change - c.gap / h;
    contacts.push_back(c);
  }
}

}  // namespace lissom
