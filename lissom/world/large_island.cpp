// Islands with many rows: Gauss–Seidel on the velocities themselves, without a matrix. One block after another gets its
// exact impulse.
#include <algorithm>
#include <cmath>

#include "lissom/contact/residual.h"
#include "lissom/contact/sweep.h"
#include "lissom/world/impl.h"

namespace lissom {

using worlds::Block;
using worlds::fixed_unit;
using worlds::Island;

namespace {

// Loops over rows have a fixed length where it is the usual one.
template <class F>
void with_size(int size, F&& f) {
  if (size == 1) return f(std::integral_constant<int, 1>());
  if (size == 3) return f(std::integral_constant<int, 3>());
  f(size);
}

}  // namespace

void World::Impl::read_velocity(const Block& block, double* u) const {
  with_size(block.size, [&](auto size) {
    double sum[contact::max_free_rows] = {};
    for (const auto& side : block.sides) {
      if (side.unit == fixed_unit) continue;
      const auto& unit = *units[std::size_t(side.unit)];
      const auto& rows = unit.rows();
      const double* line = rows.Y + side.column;
      const double* const z = unit.z.data();
      for (int k = 0; k < rows.size; ++k, line += rows.stride)
        for (int r = 0; r < size; ++r) sum[r] += line[r] * z[k];
    }
    for (int r = 0; r < size; ++r) u[r] = sum[r];
  });
}

double World::Impl::normal_velocity(const Block& block) const {
  double u = 0;
  for (const auto& side : block.sides) {
    if (side.unit == fixed_unit) continue;
    const auto& unit = *units[std::size_t(side.unit)];
    const auto& rows = unit.rows();
    for (int k = 0; k < rows.size; ++k) u += rows.Y[k * rows.stride + side.column] * unit.z[std::size_t(k)];
  }
  return u;
}

void World::Impl::apply(const Block& block, const double* p) {
  with_size(block.size, [&](auto size) {
    for (const auto& side : block.sides) {
      if (side.unit == fixed_unit) continue;
      auto& unit = *units[std::size_t(side.unit)];
      const auto& rows = unit.rows();
      const double* line = rows.Y + side.column;
      double* const z = unit.z.data();
      for (int k = 0; k < rows.size; ++k, line += rows.stride) {
        double sum = 0;
        for (int r = 0; r < size; ++r) sum += line[r] * p[r];
        z[k] += sum;
      }
    }
  });
}

// The matrix of one block, and what its law needs of it.
void World::Impl::prepare_block(const Block& block, contact::PreparedBlock<double>& prepared) const {
  double G[contact::max_free_rows * contact::max_free_rows] = {};
  const double zeros[contact::max_free_rows] = {};
  for (const auto& side : block.sides) {
    if (side.unit == fixed_unit) continue;
    const auto& rows = units[std::size_t(side.unit)]->rows();
    const double* line = rows.Y + side.column;
    for (int k = 0; k < rows.size; ++k, line += rows.stride)
      for (int i = 0; i < block.size; ++i)
        for (int j = 0; j < block.size; ++j) G[i * block.size + j] += line[i] * line[j];
  }
  G[0] += block.compliance;
  const contact::Problem<double> alone{block.size, G, block.size, zeros, {}};
  contact::prepare(alone, {.kind = block.kind, .row = 0, .size = block.size}, zeros, zeros, prepared);
}

// The velocity of a block as its law has it; returns how far the block is from that law.
double World::Impl::residual_of(const Block& block, const contact::PreparedBlock<double>& prepared, double* u) const {
  read_velocity(block, u);
  u[0] += block.compliance * block.impulse[0] - block.bound;
  if (block.kind == contact::Kind::cone) u[1] -= block.tangent_bound[0], u[2] -= block.tangent_bound[1];
  const double* const p = block.impulse.data();
  if (block.normal >= 0) return contact::disk_residual(prepared.g, radius_of(block), p, u, block.size);
  const contact::Block<double> law{block.kind, 0, block.size, 0, block.friction, block.lower, block.upper};
  return contact::block_residual(law, prepared.g, p, u);
}

// The radius of the disk of torsional or rolling friction.
double World::Impl::radius_of(const Block& block) const {
  return block.friction * std::max(blocks[std::size_t(block.normal)].impulse[0], 0.);
}

// Gives a block the impulse that solves its law, given the others; returns how far it was from that.
double World::Impl::visit(Block& block, contact::PreparedBlock<double>& prepared) {
  double u[contact::max_free_rows], change[contact::max_free_rows];
  const double residual = residual_of(block, prepared, u);
  double* const p = block.impulse.data();
  if (block.normal >= 0) {
    visit_turning(block, prepared, u);
    return residual;
  }
  if (block.kind == contact::Kind::cone) {
    const double* const G = prepared.own;
    const contact::Triple<double> c{u[0] - (G[0] * p[0] + G[1] * p[1] + G[2] * p[2]),
                                    u[1] - (G[1] * p[0] + G[3] * p[1] + G[4] * p[2]),
                                    u[2] - (G[2] * p[0] + G[4] * p[1] + G[5] * p[2])};
    const auto next = contact::one_contact(prepared.frame, block.friction, c, prepared.lambda);
    change[0] = next.n - p[0], change[1] = next.t0 - p[1], change[2] = next.t1 - p[2];
  } else if (block.kind == contact::Kind::box) {
    change[0] = std::clamp(p[0] - u[0] * prepared.g_inverse, block.lower, block.upper) - p[0];
  } else {
    for (int r = 0; r < block.size; ++r) change[r] = -u[r];
    contact::solve_free(prepared.factor, block.size, change);
  }
  for (int r = 0; r < block.size; ++r) p[r] += change[r];
  apply(block, change);
  return residual;
}

// Torsional and rolling friction, given the normal impulse of their contact.
void World::Impl::visit_turning(Block& block, contact::PreparedBlock<double>& prepared, const double* u) {
  double* const p = block.impulse.data();
  double change[2] = {0, 0};
  if (block.size == 1) {
    const double radius = radius_of(block);
    change[0] = std::clamp(p[0] - u[0] * prepared.g_inverse, -radius, radius) - p[0];
  } else {
    const double* const G = prepared.own;
    const double normal = std::max(blocks[std::size_t(block.normal)].impulse[0], 0.);
    const contact::Triple<double> c{-normal * G[0], u[0] - (G[3] * p[0] + G[4] * p[1]),
                                    u[1] - (G[4] * p[0] + G[5] * p[1])};
    const auto next = contact::one_contact(prepared.frame, block.friction, c, prepared.lambda);
    change[0] = next.t0 - p[0], change[1] = next.t1 - p[1];
  }
  for (int r = 0; r < block.size; ++r) p[r] += change[r];
  apply(block, change);
}

contact::Report World::Impl::solve_by_sweeps(Island& island) {
  contact::Report report;
  prepared_blocks.resize(island.blocks.size());
  for (std::size_t k = 0; k < island.blocks.size(); ++k) {
    const auto& block = blocks[std::size_t(island.blocks[k])];
    if (!block.active) continue;
    prepare_block(block, prepared_blocks[k]);
    apply(block, block.impulse.data());
  }
  for (int sweep = 0; sweep < options.max_sweeps_of_large_islands; ++sweep) {
    ++report.sweeps;
    double worst = 0;
    for (std::size_t k = 0; k < island.blocks.size(); ++k)
      if (auto& block = blocks[std::size_t(island.blocks[k])]; block.active)
        worst = std::max(worst, visit(block, prepared_blocks[k]));
    if (worst <= .5 * options.tolerance) break;
  }
  // Each visit moved its neighbors: what they are now counts.
  for (std::size_t k = 0; k < island.blocks.size(); ++k) {
    const auto& block = blocks[std::size_t(island.blocks[k])];
    double u[contact::max_free_rows];
    if (!block.active) continue;
    const double residual = residual_of(block, prepared_blocks[k], u);
    if (!(residual <= report.residual)) report.residual = residual, report.worst_block = island.blocks[k];
  }
  return report;
}

// Sweeps from the impulses of the last step suffice for heaps. Where they do not, as in high stacks, Newton's method
// goes on from there, unless the matrix would be too large.
contact::Report World::Impl::solve_large(Island& island) {
  constexpr int max_newton_rows = 600;
  const bool may_go_on = options.max_dense_rows > 0 && island.rows <= max_newton_rows;
  const auto exchange = [&](std::vector<double>& with) {
    std::size_t k = 0;
    for (const int u : island.units)
      for (double& z : units[std::size_t(u)]->z) {
        if (k == with.size()) with.push_back(z);
        std::swap(z, with[k++]);
      }
  };
  if (may_go_on) {
    without_impulses.clear();
    exchange(without_impulses);
  }
  const auto swept = solve_by_sweeps(island);
  if (!may_go_on || swept.residual <= options.tolerance) return swept;
  swept_impulses.clear();
  for (const int i : island.blocks) swept_impulses.push_back(blocks[std::size_t(i)].impulse);
  exchange(without_impulses);
  auto found = solve_dense(island);
  found.sweeps += swept.sweeps;
  if (found.residual <= swept.residual) return found;
  exchange(without_impulses);
  for (std::size_t k = 0; k < island.blocks.size(); ++k)
    blocks[std::size_t(island.blocks[k])].impulse = swept_impulses[k];
  found.residual = swept.residual, found.worst_block = swept.worst_block;
  return found;
}

}  // namespace lissom
