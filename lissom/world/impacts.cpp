// Impacts: the first stage of a step, in which velocities jump and positions do not change.
#include <algorithm>
#include <cmath>

#include "lissom/world/impl.h"

namespace lissom {

using worlds::Block;
using worlds::Island;

// Sets the bounds of a pass; returns whether anybody crosses. The crossing must be seen above the rounding of the
// solver, or every step would be an impact.
bool World::Impl::prepare_impact(Island& island, double h, bool& elastic, bool& limited) {
  bool crossing = false;
  double restitution = -1;  // of the contacts so far
  elastic = limited = false;
  for (const int i : island.blocks) {
    auto& block = blocks[std::size_t(i)];
    block.impulse = {}, block.tangent_bound = {};
    block.bound = -std::max(block.gap, 0.) / h;
    if (block.normal >= 0) {
      prepare_turning(block);
      continue;
    }
    if (block.contact < 0) {
      const auto& own = own_rows[std::size_t(block.own)];
      block.active = own.in_impacts;
      block.lower = own.lower, block.upper = own.upper;
      if (own.kind == contact::Kind::box && own.in_impacts) {
        crossing |= normal_velocity(block) < block.bound - crossing_speed();
        limited = true;
      }
      continue;
    }
    const auto& properties = *contacts[std::size_t(block.contact)].properties;
    block.active = true;
    block.lower = 0, block.upper = std::numeric_limits<double>::infinity();
    block.friction = properties.impact_friction.value_or(properties.friction);
    const double normal = normal_velocity(block);
    const bool crosses = normal < block.bound - crossing_speed();
    crossing |= crosses;
    limited |= restitution >= 0 && restitution != properties.restitution;
    restitution = properties.restitution;
    if (properties.restitution == 0) continue;
    elastic = true;
    if (properties.law == ContactProperties::Law::impulse) {
      // What strikes stops completely before its impulse grows by 1 + e: a bound of -gap/h would leave a part of the
      // velocity, and of the impulse, to later steps, which see a weaker impact.
      block.active = crosses || block.gap <= 0;
      block.bound = 0;
      continue;
    }
    limited |= block.friction > 0;
    block.active = crosses;
    if (crosses) block.bound = -properties.restitution * normal;
  }
  return crossing;
}

// Plastic impacts are solved once; elastic ones as long as somebody crosses, as in Newton's cradle.
bool World::Impl::impacts(Island& island, double h, StepReport& report) {
  constexpr int max_passes = 30;
  bool any = false;
  for (int pass = 0; pass < max_passes; ++pass) {
    bool elastic = false, limited = false;
    if (!prepare_impact(island, h, elastic, limited)) break;
    any = true;
    for (const int u : island.units) z_before[std::size_t(u)] = units[std::size_t(u)]->z;
    solve(island, report);
    for (const int i : island.blocks) {
      auto& block = blocks[std::size_t(i)];
      if (block.contact < 0 || !block.active) continue;
      auto& c = contacts[std::size_t(block.contact)];
      double share = 1;
      if (c.properties->law == ContactProperties::Law::impulse && c.properties->restitution > 0) {
        auto more = block.impulse;
        for (double& p : more) p *= c.properties->restitution;
        apply(block, more.data());
        share += c.properties->restitution;
      }
      c.impact = c.impact + share * Vec3<double>{block.impulse[0], block.impulse[1], block.impulse[2]};
    }
    if (!elastic) break;
    if (limited) limit_energy(island, h, report);
  }
  return any;
}

// Newton's law may create energy where there is friction, where joints strike their limits, which are plastic, and
// where restitution differs: then the velocity lies on the way from the plastic solution to the elastic one, as far as
// energy allows.
void World::Impl::limit_energy(Island& island, double h, StepReport& report) {
  double allowed = 0;
  for (const int u : island.units)
    for (const double z : z_before[std::size_t(u)]) allowed += .5 * z * z;
  const double reached = energy_of(island);
  constexpr double rounding = 1e-13;
  if (reached <= (1 + rounding) * allowed) return;
  for (const int u : island.units) {
    auto& z = units[std::size_t(u)]->z;
    z_elastic[std::size_t(u)] = z;
    z = z_before[std::size_t(u)];
  }
  for (const int i : island.blocks) {
    auto& block = blocks[std::size_t(i)];
    block.impulse = {}, block.tangent_bound = {};
    block.bound = -std::max(block.gap, 0.) / h;
    block.active = block.contact >= 0 || block.normal >= 0 || own_rows[std::size_t(block.own)].in_impacts;
    if (block.normal >= 0) block.bound = 0;
  }
  solve(island, report);
  // T(plastic + s (elastic - plastic)) = lowest + b s + a s²
  const double lowest = energy_of(island);
  double a = 0;
  for (const int u : island.units)
    for (std::size_t k = 0; k < units[std::size_t(u)]->z.size(); ++k)
      a += .5 * std::pow(z_elastic[std::size_t(u)][k] - units[std::size_t(u)]->z[k], 2);
  const double b = reached - lowest - a, c = lowest - allowed;
  const double root = std::sqrt(std::max(b * b - 4 * a * c, 0.));
  const double s = a > 0 ? std::clamp((root - b) / (2 * a), 0., 1.) : 0;
  for (const int u : island.units)
    for (std::size_t k = 0; k < units[std::size_t(u)]->z.size(); ++k) {
      double& z = units[std::size_t(u)]->z[k];
      z += s * (z_elastic[std::size_t(u)][k] - z);
    }
}

}  // namespace lissom
