// Bodies that rest on each other: a foot on the ground, a capsule in a hand. The rows of their contacts turn along with
// the robot. Velocities that are zero along the rows where a step begins are not where it ends, and a foot that only
// sticks to the rows of each step would creep with O(h). So it is to rest where the step ends: u(q⁺) = u(q) + δ, with
// the δ that was seen in the last step. δ is that of the relative velocity of the two bodies, so that all points of a
// face agree about it.
#include <algorithm>
#include <cmath>

#include "lissom/world/impl.h"

namespace lissom {
namespace {

// Bodies that move faster than this relative to each other do not rest, m/s and rad/s.
constexpr double largest_velocity = .02, largest_angular_velocity = .1;

double squared(const Vec3<double>& v) {
  return dot(v, v);
}

}  // namespace

std::uint64_t World::Impl::pair_key(const worlds::Contact& c) {
  const auto body = [&](std::size_t side) {
    return std::uint64_t(c.unit[side] + 1) << 12 | std::uint64_t(c.body[side]);
  };
  return body(0) << 32 | body(1);
}

void World::Impl::rest_at_the_end(worlds::Block& block) {
  const auto& c = contacts[std::size_t(block.contact)];
  const auto key = pair_key(c);
  const auto last = std::ranges::lower_bound(last_rests, key, {}, &Rest::key);
  if (last == last_rests.end() || last->key != key) return;
  auto found = std::ranges::find(rests, key, &Rest::key);
  if (found == rests.end()) {
    const auto twist = relative_twist(c, false);
    const bool turns = squared(twist.angular) > largest_angular_velocity * largest_angular_velocity;
    rests.push_back(turns ? Rest{key, {0, 0, 0}, {0, 0, 0}}
                          : Rest{key, last->linear - twist.linear, last->angular - twist.angular});
    found = rests.end() - 1;
  }
  const auto end = transpose_times(c.axes, found->linear + cross(found->angular, c.point));
  if (squared(end) > largest_velocity * largest_velocity) return;
  block.bound += end.x;
  block.tangent_bound = {end.y, end.z};
}

// Pairs of bodies all of whose contacts stick, and how they moved.
void World::Impl::collect_rests() {
  last_rests.clear();
  for (const auto& block : blocks) {
    if (block.contact < 0 || block.size != 3 || !block.active || !(block.impulse[0] > 0)) continue;
    const auto& c = contacts[std::size_t(block.contact)];
    const auto key = pair_key(c);
    if (std::ranges::find(last_rests, key, &Rest::key) != last_rests.end()) continue;
    const auto twist = relative_twist(c, true);
    last_rests.push_back({key, twist.linear, twist.angular});
  }
  for (const auto& block : blocks) {
    if (block.contact < 0 || block.size != 3 || !block.active || !(block.impulse[0] > 0)) continue;
    if (std::hypot(block.impulse[1], block.impulse[2]) < (1 - 1e-6) * block.friction * block.impulse[0]) continue;
    std::erase_if(last_rests,
                  [key = pair_key(contacts[std::size_t(block.contact)])](const Rest& r) { return r.key == key; });
  }
  std::ranges::sort(last_rests, {}, &Rest::key);
}

}  // namespace lissom
