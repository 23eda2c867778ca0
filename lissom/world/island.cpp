// Solves the laws of an island with the matrix G that couples its rows, which serves all stages of a step.
#include <algorithm>
#include <cmath>

#include "lissom/contact/tables.h"
#include "lissom/world/impl.h"

namespace lissom {

using worlds::Block;
using worlds::fixed_unit;
using worlds::Island;

void World::Impl::solve(Island& island, StepReport& report) {
  const bool any = std::ranges::any_of(island.blocks, [&](int i) { return blocks[std::size_t(i)].active; });
  if (!any) return;
  const auto found = island.rows <= options.max_dense_rows ? solve_dense(island) : solve_large(island);
  report.sweeps += found.sweeps, report.factorizations += found.factorizations;
  if (worst_block >= 0 && !(found.residual > report.residual)) return;
  report.residual = worst_residual = found.residual;
  worst_block = found.worst_block;
}

void World::Impl::reserve_rows(int rows, int columns) {
  const auto size = std::size_t(contact::padded<double>(std::max(rows, columns)));
  if (size <= memory_rows) return;
  memory_rows = 2 * size;
  for (auto* memory : {&u_of_unit, &p_of_unit, &b_rows, &p_rows, &u_rows}) *memory = AlignedMemory<double>(memory_rows);
}

// G = Σ Yᵀ Y over the units. Where an island has one unit, its rows are the unit's columns in the same order.
void World::Impl::compute_G(Island& island) {
  island.has_G = true;
  island.stride = contact::padded<double>(island.rows);
  const auto size = std::size_t(island.stride) * std::size_t(island.stride);
  if (size > island.capacity) {
    island.capacity = 2 * size;
    island.G = AlignedMemory<double>(island.capacity);
  }
  const auto& kernels = contact::kernels();
  if (island.units.size() == 1) {
    kernels.gram(units[std::size_t(island.units[0])]->rows(), island.G.data(), island.stride);
    return add_compliance(island);
  }
  std::fill_n(island.G.data(), size, 0.);
  for (const int u : island.units) {
    const auto& rows = units[std::size_t(u)]->rows();
    const auto own_size = std::size_t(rows.stride) * std::size_t(rows.stride);
    if (own_size > memory_products) {
      memory_products = 2 * own_size;
      products = AlignedMemory<double>(memory_products);
    }
    kernels.gram(rows, products.data(), rows.stride);
    // Which row of the island each column of the unit is.
    auto& row_of_column = active_rows;
    row_of_column.assign(std::size_t(rows.columns), 0);
    for (std::size_t k = 0; k < island.blocks.size(); ++k)
      for (const auto& side : blocks[std::size_t(island.blocks[k])].sides)
        if (side.unit == u)
          for (int r = 0; r < blocks[std::size_t(island.blocks[k])].size; ++r)
            row_of_column[std::size_t(side.column + r)] = island.first_row[k] + r;
    for (int i = 0; i < rows.columns; ++i) {
      double* const to = island.G.data() + row_of_column[std::size_t(i)] * island.stride;
      const double* const from = products.data() + i * rows.stride;
      for (int j = 0; j < rows.columns; ++j) to[row_of_column[std::size_t(j)]] += from[j];
    }
  }
  add_compliance(island);
}

void World::Impl::add_compliance(Island& island) {
  for (std::size_t k = 0; k < island.blocks.size(); ++k)
    island.G.data()[island.first_row[k] * (island.stride + 1)] += blocks[std::size_t(island.blocks[k])].compliance;
}

// The laws of the active blocks.
void World::Impl::collect_laws(const Island& island) {
  laws.clear(), active_rows.clear(), active_blocks.clear();
  row_of_block.resize(blocks.size());
  int row = 0;
  for (std::size_t k = 0; k < island.blocks.size(); ++k) {
    const auto& block = blocks[std::size_t(island.blocks[k])];
    if (!block.active) continue;
    laws.push_back({.kind = block.kind,
                    .row = row,
                    .size = block.size,
                    .normal_row = block.normal >= 0 ? row_of_block[std::size_t(block.normal)] : 0,
                    .friction = block.friction,
                    .lower = block.lower,
                    .upper = block.upper});
    active_blocks.push_back(island.blocks[k]);
    row_of_block[std::size_t(island.blocks[k])] = row;
    for (int r = 0; r < block.size; ++r) active_rows.push_back(island.first_row[k] + r);
    row += block.size;
  }
}

// b = u - bound and p of the active blocks.
void World::Impl::collect_velocities(const Island& island) {
  std::fill_n(b_rows.data(), contact::padded<double>(int(active_rows.size())), 0.);
  for (const int u : island.units) {
    const auto& unit = *units[std::size_t(u)];
    std::fill_n(u_of_unit.data(), unit.rows().stride, 0.);
    contact::kernels().add_velocities(unit.rows(), unit.z.data(), u_of_unit.data());
    for (std::size_t k = 0; k < active_blocks.size(); ++k)
      for (const auto& side : blocks[std::size_t(active_blocks[k])].sides)
        if (side.unit == u)
          for (int r = 0; r < laws[k].size; ++r) b_rows.data()[laws[k].row + r] += u_of_unit.data()[side.column + r];
  }
  for (std::size_t k = 0; k < active_blocks.size(); ++k) {
    const auto& block = blocks[std::size_t(active_blocks[k])];
    b_rows.data()[laws[k].row] -= block.bound;
    if (block.kind == contact::Kind::cone)
      for (int r = 0; r < 2; ++r) b_rows.data()[laws[k].row + 1 + r] -= block.tangent_bound[std::size_t(r)];
    for (int r = 0; r < block.size; ++r) p_rows.data()[laws[k].row + r] = block.impulse[std::size_t(r)];
  }
}

// z += Y p of the active blocks.
void World::Impl::apply_impulses(const Island& island) {
  for (std::size_t k = 0; k < active_blocks.size(); ++k)
    for (int r = 0; r < laws[k].size; ++r)
      blocks[std::size_t(active_blocks[k])].impulse[std::size_t(r)] = p_rows.data()[laws[k].row + r];
  for (const int u : island.units) {
    auto& unit = *units[std::size_t(u)];
    std::fill_n(p_of_unit.data(), unit.rows().stride, 0.);
    for (const int i : active_blocks) {
      const auto& block = blocks[std::size_t(i)];
      for (const auto& side : block.sides)
        if (side.unit == u)
          for (int r = 0; r < block.size; ++r) p_of_unit.data()[side.column + r] = block.impulse[std::size_t(r)];
    }
    contact::kernels().add_impulses(unit.rows(), p_of_unit.data(), unit.z.data());
  }
}

// The laws that were collected, with the part of G that belongs to them, and a solver that is large enough.
contact::Problem<double> World::Impl::problem_of(Island& island) {
  if (!island.has_G) compute_G(island);
  const int rows = int(active_rows.size());
  contact::Problem<double> problem{rows, island.G.data(), island.stride, b_rows.data(), laws};
  if (rows != island.rows) {
    problem.stride = contact::padded<double>(rows);
    const auto size = std::size_t(problem.stride) * std::size_t(rows);
    if (size > memory_products) memory_products = 2 * size, products = AlignedMemory<double>(memory_products);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j)
        products.data()[i * problem.stride + j] =
            island.G.data()[active_rows[std::size_t(i)] * island.stride + active_rows[std::size_t(j)]];
    problem.G = products.data();
  }
  if (!solver || rows > solver_rows || int(laws.size()) > solver_blocks) {
    solver_rows = 2 * rows, solver_blocks = 2 * int(laws.size());
    solver = std::make_unique<contact::Solver>(solver_rows, solver_blocks);
  }
  return problem;
}

contact::Report World::Impl::solve_dense(Island& island) {
  // (Before the laws are collected, since it uses the same lists.)
  if (!island.has_G) compute_G(island);
  int columns = 0;
  for (const int u : island.units) columns = std::max(columns, units[std::size_t(u)]->rows().columns);
  reserve_rows(island.rows, columns);
  collect_laws(island);
  collect_velocities(island);
  const auto problem = problem_of(island);
  contact::Settings settings;
  settings.tolerance = options.tolerance;
  settings.max_sweeps = options.max_sweeps;
  settings.max_factorizations = options.max_factorizations;
  auto found = solver->solve(problem, p_rows.data(), u_rows.data(), settings);
  if (found.worst_block >= 0) found.worst_block = active_blocks[std::size_t(found.worst_block)];
  apply_impulses(island);
  return found;
}

RowReading World::Impl::worst_row() const {
  if (worst_block < 0 || std::size_t(worst_block) >= blocks.size()) return {};
  const auto& block = blocks[std::size_t(worst_block)];
  if (block.own >= 0) {
    const auto& own = own_rows[std::size_t(block.own)];
    const auto& unit = *units[std::size_t(block.sides[0].unit)];
    return {unit.name_of(own) + " of " + unit.name(), worst_residual, unit.turns(own) ? "rad/s" : "m/s"};
  }
  const bool turns = block.normal >= 0;
  const auto& c = contacts[std::size_t(turns ? blocks[std::size_t(block.normal)].contact : block.contact)];
  const auto link = [&](std::size_t side) { return colliders[std::size_t(c.collider[side])].link; };
  const std::string law = !turns ? "contact" : block.size == 1 ? "torsional friction" : "rolling friction";
  return {law + " of " + link(0) + " and " + link(1), worst_residual, turns ? "rad/s" : "m/s"};
}

double World::Impl::energy_of(const Island& island) const {
  double sum = 0;
  for (const int u : island.units)
    for (const double z : units[std::size_t(u)]->z) sum += .5 * z * z;
  return sum;
}

}  // namespace lissom
