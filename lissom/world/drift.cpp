// Points of robots that stick stay where they are. Rows are those at the beginning of a step, and J changes along it,
// so that a point with J v = 0 moves by O(h²) in each step, often in the same direction. That displacement is measured,
// and the next step moves the point back: tangential rows demand u = -drift / h where a contact sticks, as normal ones
// demand u ≥ -gap / h.
//
// Points of one body depend on each other, so the drift is that of two bodies, a displacement and a rotation about the
// normal; if each point had its own, they could contradict each other. Bodies of which a point slides, or that part,
// begin anew.
#include <algorithm>
#include <cmath>

#include "lissom/world/impl.h"

namespace lissom {
namespace {

constexpr double sliding = 1e-5;  // m/s, above the error of the solver

// Whatever the order of the two bodies in a contact, they have one key; the sign tells the order.
std::pair<std::uint64_t, double> bodies_of(const worlds::Contact& c) {
  const auto one = [&](std::size_t side) {
    return std::uint64_t(c.unit[side] + 1) << 16 | std::uint64_t(c.body[side]);
  };
  const auto a = one(0), b = one(1);
  return a > b ? std::pair{a << 32 | b, 1.} : std::pair{b << 32 | a, -1.};
}

Vec3<double> along_tangents(const worlds::Contact& c, const Vec3<double>& x) {
  const auto n = column_x(c.axes);
  return x - dot(n, x) * n;
}

}  // namespace

void World::Impl::return_from_drift(worlds::Block& block, double h) {
  auto& c = contacts[std::size_t(block.contact)];
  c.drift = c.turned = {0, 0, 0};
  c.returns = block.kind == contact::Kind::cone;
  if (!c.returns) return;
  const auto [bodies, sign] = bodies_of(c);
  const auto found = std::ranges::lower_bound(drifts, bodies, {}, &State::Drift::bodies);
  if (found == drifts.end() || found->bodies != bodies) return;
  c.drift = along_tangents(c, sign * (found->displacement + cross(found->rotation, c.point - found->center)));
  c.turned = sign * found->rotation;
  const auto back = (-1 / h) * transpose_times(c.axes, c.drift);
  block.tangent_bound = {back.y, back.z};
}

// How far the particles that touched at the beginning of the step have parted along the tangents.
Vec3<double> World::Impl::parted(const worlds::Contact& c) const {
  Vec3<double> sum{0, 0, 0};
  for (std::size_t side = 0; side < 2; ++side) {
    if (c.unit[side] == worlds::fixed_unit) continue;
    const auto collider = std::size_t(c.collider[side]);
    const auto now = units[std::size_t(c.unit[side])]->pose(c.body[side]) * colliders[collider].in_body;
    sum = sum + (side == 0 ? 1. : -1.) * (now * (inverse(poses[collider]) * c.point) - c.point);
  }
  return along_tangents(c, sum);
}

void World::Impl::measure_drifts() {
  struct Sum {
    std::uint64_t bodies;
    double count = 0, moment = 0, spread = 0;
    bool slides = false;
    Vec3<double> center{0, 0, 0}, displacement{0, 0, 0}, normal{0, 0, 0};
  };
  std::vector<Sum> sums;
  const auto carries = [](const worlds::Contact& c) { return c.returns && c.impulse.x > 0; };
  const auto sum_of = [&](std::uint64_t bodies) -> Sum& {
    const auto found = std::ranges::find(sums, bodies, &Sum::bodies);
    return found != sums.end() ? *found : sums.emplace_back(Sum{bodies});
  };
  for (auto& c : contacts) {
    if (!carries(c)) continue;
    const auto [bodies, sign] = bodies_of(c);
    auto& sum = sum_of(bodies);
    sum.slides = sum.slides || c.slip > sliding;
    c.parted = parted(c);
    ++sum.count;
    sum.center = sum.center + c.point;
    sum.displacement = sum.displacement + sign * (c.drift + c.parted);
    sum.normal = sum.normal + sign * column_x(c.axes);
  }
  std::erase_if(sums, [](const Sum& sum) { return sum.slides; });
  for (auto& sum : sums) {
    sum.center = (1 / sum.count) * sum.center, sum.displacement = (1 / sum.count) * sum.displacement;
    const double length = std::sqrt(dot(sum.normal, sum.normal));
    sum.normal = length > 0 ? (1 / length) * sum.normal : sum.normal;
  }
  for (const auto& c : contacts) {
    const auto [bodies, sign] = bodies_of(c);
    const auto sum = std::ranges::find(sums, bodies, &Sum::bodies);
    if (sum == sums.end() || !carries(c)) continue;
    const auto r = c.point - sum->center;
    sum->moment += dot(sum->normal, cross(r, sign * (c.drift + c.parted) - sum->displacement));
    sum->spread += dot(r, r);
  }
  drifts.clear();
  for (const auto& sum : sums)
    drifts.push_back({sum.bodies, sum.center, sum.displacement,
                      sum.spread > 1e-12 ? (sum.moment / sum.spread) * sum.normal : Vec3<double>{0, 0, 0}});
  std::ranges::sort(drifts, {}, &State::Drift::bodies);
}

}  // namespace lissom
