// Removes deep overlaps without any effect on velocities: bodies that start inside of each other, joints that start
// beyond their limits. The displacement M⁻¹ Jᵀ p with p ≥ 0 ⊥ gap + G p ≥ 0 is the least one, in the metric of M.
#include <algorithm>

#include "lissom/contact/tables.h"
#include "lissom/world/impl.h"

namespace lissom {

double World::Impl::energy_of_units(const worlds::Island& island) const {
  double sum = 0;
  for (const int u : island.units)
    sum += units[std::size_t(u)]->kinetic_energy() + units[std::size_t(u)]->potential_energy(options.gravity);
  return sum;
}

void World::Impl::remove_overlaps(StepReport& report) {
  const int worst_of_step = worst_block;
  const double residual_of_step = worst_residual;
  for (std::size_t i = 0; i < island_count; ++i) {
    auto& island = islands[i];
    const auto is_deep = [&](int k) { return blocks[std::size_t(k)].gap < -options.allowed_overlap; };
    if (std::ranges::none_of(island.blocks, is_deep)) continue;
    const double before = options.audit ? energy_of_units(island) : 0;
    for (const int k : island.blocks) {
      auto& block = blocks[std::size_t(k)];
      const bool is_dry_friction = block.own >= 0 && !own_rows[std::size_t(block.own)].in_impacts;
      block.active = !is_dry_friction && block.normal < 0;
      block.impulse = {}, block.tangent_bound = {};
      block.friction = 0;  // only the normal is moved
      block.lower = 0, block.upper = std::numeric_limits<double>::infinity();
      // As velocities in a second: the gap, less what is allowed.
      block.bound = block.kind == contact::Kind::free ? 0 : -(block.gap + .5 * options.allowed_overlap);
    }
    for (const int u : island.units) {
      z_before[std::size_t(u)] = units[std::size_t(u)]->z;
      std::ranges::fill(units[std::size_t(u)]->z, 0);
    }
    StepReport of_displacement;
    solve(island, of_displacement);
    for (const int u : island.units) {
      auto& unit = *units[std::size_t(u)];
      unit.from_whitened(unit.z, unit.v_start);
      // A bounded part of it: shapes turn, and rows are linear.
      const double largest = unit.v_start.cwiseAbs().maxCoeff();
      if (largest > .1) unit.v_start *= .1 / largest;
      unit.displace(unit.v_start);
      unit.z = z_before[std::size_t(u)];
    }
    report.moved_apart = true;
    if (options.audit) report.work.overlaps += energy_of_units(island) - before;
  }
  worst_block = worst_of_step, worst_residual = residual_of_step;
}

}  // namespace lissom
