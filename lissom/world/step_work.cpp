// What the forces of a step do to the energy of a world. With the mean v̄ = (v + v⁺)/2 of the velocities before and
// after the smooth stage, and M at its beginning,
//   T(v⁺) - T(v) = h (bias + τ_motors + τ_damping + τ_external) · v̄ + Σ p · J v̄,
// where p are the impulses along the rows J of contacts, joint limits, dry friction and loops, so that each of them has
// a work of its own. Between the stages there are impacts, in which T changes by impulses alone.
#include <algorithm>

#include "lissom/world/impl.h"

namespace lissom {

using worlds::Block;
using worlds::fixed_unit;
using worlds::Island;

// The kinetic energy of an island at the velocities z, in the metric of M.
double World::Impl::kinetic_energy_of(const Island& island, bool after_impacts) const {
  double energy = energy_of(island);
  for (const int u : island.units) {
    const auto& unit = *units[std::size_t(u)];
    energy -= unit.implicit_energy(after_impacts ? unit.v_start : unit.v);
  }
  return energy;
}

void World::Impl::add_work_of_rows(const Block& block, Work& work) const {
  if (block.own >= 0 && own_rows[std::size_t(block.own)].compliance > 0) return;  // a motor's, which its robot knows
  double mean[contact::max_free_rows] = {};
  for (const auto& side : block.sides) {
    if (side.unit == fixed_unit) continue;
    const auto u = std::size_t(side.unit);
    const auto& rows = units[u]->rows();
    for (int k = 0; k < rows.size; ++k)
      for (int r = 0; r < block.size; ++r)
        mean[r] +=
            .5 * rows.Y[k * rows.stride + side.column + r] * (z_start[u][std::size_t(k)] + units[u]->z[std::size_t(k)]);
  }
  const double first = block.impulse[0] * mean[0];
  double rest = 0;
  for (int r = 1; r < block.size; ++r) rest += block.impulse[std::size_t(r)] * mean[r];
  if (block.normal >= 0) {
    work.friction += first + rest;
  } else if (block.contact >= 0) {
    // Rows are coupled: where bodies strike, the tangents may gain what the normal loses.
    work.impacts += first + std::max(rest, 0.);
    work.friction += std::min(rest, 0.);
  } else if (block.kind == contact::Kind::free) {
    work.loops += first + rest;
  } else {
    (own_rows[std::size_t(block.own)].in_impacts ? work.limits : work.damping) += first;
  }
}

// After the units have moved, and before overlaps are removed.
Work World::Impl::work_of_step(double h) {
  Work work{.impacts = impact_work};
  z_start.resize(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    z_start[i].resize(units[i]->z.size());
    units[i]->to_whitened(units[i]->v_start, z_start[i]);
    units[i]->add_work(h, work);
  }
  for (const auto& block : blocks)
    if (block.active) add_work_of_rows(block, work);
  return work;
}

}  // namespace lissom
