// The derivatives of a step (docs/contact.md, "Derivative of a step"): the equations of motion and the laws of contacts
// are linearized at the solution, inside the modes that it has, and solved for many columns at once: one for each
// element of tau, q and v, and one for each parameter.
#include <algorithm>
#include <cmath>

#include "lissom/contact/tables.h"
#include "lissom/model/text.h"
#include "lissom/world/impl.h"

namespace lissom {

using worlds::fixed_unit;
using worlds::Island;

namespace {

constexpr int padded_columns(int n) {
  return contact::padded<double>(n);
}

void reserve(AlignedMemory<double>& memory, std::size_t& capacity, std::size_t size) {
  if (size <= capacity) return;
  capacity = 2 * size;
  memory = AlignedMemory<double>(capacity);
}

}  // namespace

// Throws where something acts that has no derivative here.
void World::Impl::expect_differentiable() const {
  for (const auto& unit : units)
    if (unit->v_start != unit->v)
      throw Error(
          "step: " + in_quotes(unit->name()) +
          " was struck in this step, which has no derivative here; differentiate a step without an impact stage, "
          "or use step(h) alone");
  for (const auto& own : own_rows)
    if (own.kind == contact::Kind::free)
      throw Error(
          "step: derivatives of robots with closed loops are not known; switch RobotSettings::loops off, or use "
          "step(h) alone");
}

void World::Impl::differentiate(double h, StepDerivatives& to) {
  expect_differentiable();
  if (!linearization) linearization = std::make_unique<worlds::Linearization>();
  auto& l = *linearization;
  int total = 0;
  for (const auto& unit : units) total += unit->nv();
  l.units.resize(units.size());
  const auto count = Eigen::Index(to.parameters.size());
  to.A.resize(2 * total, 2 * total), to.B.resize(2 * total, total), to.P.resize(2 * total, count);
  // Where all units are connected, all elements are written.
  if (units.size() > 1) to.A.setZero(), to.B.setZero(), to.P.setZero();
  to.border = to.gap_border = std::numeric_limits<double>::infinity();
  for (auto& c : contacts) c.mode = ContactMode::separated;
  l.first_of_unit.clear();
  for (int first = 0; const auto& unit : units) l.first_of_unit.push_back(first), first += unit->nv();
  for (std::size_t i = 0; i < island_count; ++i) differentiate_units(h, &islands[i], islands[i].units, to);
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i]->rows().columns > 0) continue;
    l.alone.assign(1, int(i));
    differentiate_units(h, nullptr, l.alone, to);
  }
  to.modes.clear();
  for (const auto& block : blocks)
    if (block.contact >= 0 && block.active && block.impulse[0] != 0)
      to.modes.push_back(contacts[std::size_t(block.contact)].mode);
}

// Those of units that are connected, with one column for each of their tau, q and v.
void World::Impl::differentiate_units(double h, Island* island, std::span<const int> members, StepDerivatives& to) {
  auto& l = *linearization;
  int columns = 0;
  for (const int u : members) {
    const int n = padded_columns(units[std::size_t(u)]->nv());
    l.units[std::size_t(u)].columns = {nullptr, 0, columns, columns + n, columns + 2 * n};
    columns += 3 * n;
  }
  l.first_parameter = columns;
  l.stride = columns + padded_columns(int(to.parameters.size()));
  for (const int u : members) {
    auto& lines = l.units[std::size_t(u)];
    auto& unit = *units[std::size_t(u)];
    const auto size = std::size_t(unit.nv()) * std::size_t(l.stride);
    reserve(lines.numbers, lines.capacity, size);
    if (members.size() > 1) std::fill_n(lines.numbers.data(), size, 0.);
    lines.first.assign(std::size_t(unit.nv()), 0), lines.last.assign(std::size_t(unit.nv()), l.stride);
    lines.W = {lines.numbers.data(), unit.nv(), l.stride, l.stride, lines.first.data(), lines.last.data()};
    lines.columns.W = lines.W.Y, lines.columns.stride = l.stride;
    if (members.size() == 1)  // q and v are written completely
      for (int i = 0; i < unit.nv(); ++i) {
        double* const line = lines.W.Y + i * l.stride;
        std::fill_n(line + lines.columns.tau, lines.columns.q - lines.columns.tau, 0.);
        std::fill_n(line + l.first_parameter, l.stride - l.first_parameter, 0.);
      }
    unit.differentiate(h, lines.columns);
  }
  differentiate_masses(h, members, to);
  if (island) {
    if (!island->has_G) compute_G(*island);
    collect_laws(*island);
    reserve(l.rows, l.rows_capacity, (active_rows.size() + 3) * std::size_t(l.stride));
    std::fill_n(l.rows.data(), active_rows.size() * std::size_t(l.stride), 0.);
    change_rows(*island, h);
    change_friction(to);
  }
  for (const int u : members) {
    const auto& lines = l.units[std::size_t(u)];
    units[std::size_t(u)]->whiten(lines.W, lines.columns.v);
  }
  if (island && !active_rows.empty()) {
    solve_for_changes(*island);
    find_borders(to);
  }
  for (const int u : members) {
    units[std::size_t(u)]->unwhiten(l.units[std::size_t(u)].W);
    write_derivatives(h, u, is_euler() || (island && island->moves_with_end), members, to);
  }
}

void World::Impl::differentiate_masses(double h, std::span<const int> members, const StepDerivatives& to) {
  auto& l = *linearization;
  for (std::size_t k = 0; k < to.parameters.size(); ++k) {
    const auto& parameter = to.parameters[k];
    if (parameter.kind != StepParameter::Kind::mass) continue;
    auto [robot, name] = link(parameter.a);
    worlds::Unit* of = robot;
    if (!robot || owner_of.contains(parameter.a)) of = &unit(parameter.a), name.clear();
    for (const int u : members)
      if (units[std::size_t(u)].get() == of)
        of->differentiate_mass(h, name, l.units[std::size_t(u)].W.Y + l.first_parameter + int(k), l.stride);
  }
}

void World::Impl::change_friction(const StepDerivatives& to) {
  auto& l = *linearization;
  l.friction.clear();
  for (std::size_t k = 0; k < to.parameters.size(); ++k) {
    const auto& parameter = to.parameters[k];
    if (parameter.kind != StepParameter::Kind::friction) continue;
    const int a = parameter.a.empty() ? -1 : owner(parameter.a), b = parameter.b.empty() ? -1 : owner(parameter.b);
    for (std::size_t i = 0; i < active_blocks.size(); ++i) {
      const auto& block = blocks[std::size_t(active_blocks[i])];
      if (block.contact < 0) continue;
      const auto& c = contacts[std::size_t(block.contact)];
      const int first = colliders[std::size_t(c.collider[0])].owner,
                second = colliders[std::size_t(c.collider[1])].owner;
      const auto fits = [&](int x, int y) { return (a < 0 || a == x) && (b < 0 || b == y); };
      if (fits(first, second) || fits(second, first)) l.friction.push_back({int(i), l.first_parameter + int(k)});
    }
  }
}

// Changes of velocities, of the rows (l.rows) and of the units, become those of impulses, which move the units.
void World::Impl::solve_for_changes(Island& island) {
  auto& l = *linearization;
  const auto& kernels = contact::kernels();
  int columns = 0;
  for (const int u : island.units) columns = std::max(columns, units[std::size_t(u)]->rows().columns);
  // Where an island has one unit and all blocks act, its rows are the unit's columns in the same order.
  const bool same = island.units.size() == 1 && int(active_rows.size()) == island.rows;
  const auto lines_of = [&](int n) { return (std::size_t(n) + 3) * std::size_t(l.stride); };
  if (!same) reserve(l.rows_of_unit, l.rows_of_unit_capacity, lines_of(columns));
  reserve(l.impulses, l.impulses_capacity, lines_of(island.rows));
  // Calls work(row of the island's active ones, its line of the unit) for all that they share.
  const auto for_shared = [&](int u, auto work) {
    for (std::size_t k = 0; k < active_blocks.size(); ++k)
      for (const auto& side : blocks[std::size_t(active_blocks[k])].sides)
        if (side.unit == u)
          for (int r = 0; r < laws[k].size; ++r)
            work((laws[k].row + r) * l.stride, l.rows_of_unit.data() + (side.column + r) * l.stride);
  };
  for (const int u : island.units) {
    const auto& rows = units[std::size_t(u)]->rows();
    if (same) {
      kernels.add_rows_of(rows, l.units[std::size_t(u)].W, l.rows.data());
      continue;
    }
    std::fill_n(l.rows_of_unit.data(), lines_of(rows.columns), 0.);
    kernels.add_rows_of(rows, l.units[std::size_t(u)].W, l.rows_of_unit.data());
    for_shared(u, [&](int at, const double* own) {
      for (int c = 0; c < l.stride; ++c) l.rows.data()[at + c] += own[c];
    });
  }
  reserve_rows(island.rows, columns);
  const auto problem = problem_of(island);
  collect_velocities(island);
  std::copy_n(b_rows.data(), padded_columns(problem.rows), u_rows.data());
  if (!solver->differentiate(problem, p_rows.data(), u_rows.data(), l.friction, l.rows.data(), l.stride,
                             l.impulses.data()))
    throw Error("step: the derivative of a contact is not defined: the matrix of its law is singular");
  for (const int u : island.units) {
    const auto& rows = units[std::size_t(u)]->rows();
    if (!same) {
      std::fill_n(l.rows_of_unit.data(), rows.columns * l.stride, 0.);
      for_shared(u, [&](int at, double* own) { std::copy_n(l.impulses.data() + at, l.stride, own); });
    }
    kernels.add_rows_times(rows, same ? l.impulses.data() : l.rows_of_unit.data(), l.units[std::size_t(u)].W);
  }
}

// The lines of one unit: δv⁺ is in W; δq⁺ follows from the motion.
void World::Impl::write_derivatives(double h, int u, bool moves_with_end, std::span<const int> members,
                                    StepDerivatives& to) {
  auto& l = *linearization;
  const auto& unit = *units[std::size_t(u)];
  const auto& W = l.units[std::size_t(u)].W;
  const int total = int(to.B.cols()), n = unit.nv(), own = l.first_of_unit[std::size_t(u)];
  const auto parameters = Eigen::Index(to.parameters.size());
  const double share = moves_with_end ? 1 : .5;  // of v⁺ in the velocity with which positions move
  for (int i = 0; i < n; ++i) {
    const double* const line = W.Y + i * l.stride;
    for (const int other : members) {
      const auto& from = l.units[std::size_t(other)].columns;
      const int first = l.first_of_unit[std::size_t(other)], count = units[std::size_t(other)]->nv();
      double *const A_q = to.A.row(own + i).data(), *const A_v = to.A.row(total + own + i).data();
      double *const B_q = to.B.row(own + i).data(), *const B_v = to.B.row(total + own + i).data();
      for (int j = 0; j < count; ++j) {
        A_v[first + j] = line[from.q + j], A_v[total + first + j] = line[from.v + j];
        B_v[first + j] = line[from.tau + j];
        A_q[first + j] = share * h * line[from.q + j], A_q[total + first + j] = share * h * line[from.v + j];
        B_q[first + j] = share * h * line[from.tau + j];
      }
    }
    to.A(own + i, own + i) += 1;
    to.A(own + i, total + own + i) += (1 - share) * h;
    for (Eigen::Index k = 0; k < parameters; ++k) {
      to.P(total + own + i, k) = line[l.first_parameter + k];
      to.P(own + i, k) = share * h * line[l.first_parameter + k];
    }
  }
  l.curved.clear();
  unit.differentiate_motion(h, l.curved);
  for (const auto& block : l.curved) correct_curved(block, own, h, to);
}

// Where q moves on a manifold, 1 and h above become the derivatives of q ⊕ h v.
void World::Impl::correct_curved(const worlds::Unit::CurvedBlock& block, int own, double h, StepDerivatives& to) const {
  const int n = block.count, first = own + block.first;
  auto& rows = linearization->curved_rows;
  const auto apply = [&](Matrix& m) {
    const auto columns = std::size_t(m.cols());
    rows.assign(m.row(first).data(), m.row(first).data() + std::size_t(n) * columns);
    for (int i = 0; i < n; ++i) {
      double* const to_row = m.row(first + i).data();
      std::fill_n(to_row, columns, 0.);
      for (int k = 0; k < n; ++k) {
        const double factor = block.dv(i, k) / h;
        const double* const from = rows.data() + std::size_t(k) * columns;
        for (std::size_t c = 0; c < columns; ++c) to_row[c] += factor * from[c];
      }
    }
  };
  for (int i = 0; i < n; ++i) to.A(first + i, first + i) -= 1;
  apply(to.A), apply(to.B);
  if (to.P.cols() > 0) apply(to.P);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) to.A(first + i, first + j) += block.dq(i, j);
}

// How far the blocks of the island that was solved last are from another mode.
void World::Impl::find_borders(StepDerivatives& to) {
  const auto nearer = [&](double distance) { to.border = std::min(to.border, distance); };
  for (std::size_t k = 0; k < active_blocks.size(); ++k) {
    const auto& block = blocks[std::size_t(active_blocks[k])];
    const auto mode = solver->mode(int(k));
    const double *const p = p_rows.data() + laws[k].row, *const u = u_rows.data() + laws[k].row;
    const double g = solver->scale(int(k));
    const bool is_cone = block.kind == contact::Kind::cone,
               limit = block.own >= 0 && own_rows[std::size_t(block.own)].in_impacts;
    if (mode != contact::Mode::open && (block.contact >= 0 || limit))
      to.gap_border = std::min(to.gap_border, std::abs(block.gap));
    if (block.contact >= 0)
      contacts[std::size_t(block.contact)].mode = mode == contact::Mode::open    ? ContactMode::separated
                                                  : mode == contact::Mode::stick ? ContactMode::sticks
                                                                                 : ContactMode::slides;
    if (mode == contact::Mode::open) {
      nearer(std::abs(u[0]));
      continue;
    }
    if (block.kind == contact::Kind::box) nearer(g * std::min(p[0] - block.lower, block.upper - p[0]));
    if (is_cone) nearer(g * p[0]);
    if (!is_cone && block.kind != contact::Kind::disk) continue;
    const int first = is_cone ? 1 : 0, count = is_cone ? 2 : block.size;
    if (is_cone && block.friction <= 0) continue;
    const auto length = [&](const double* x) {
      return count > 1 ? std::hypot(x[first], x[first + 1]) : std::abs(x[first]);
    };
    const double normal = is_cone ? p[0] : p_rows.data()[laws[k].normal_row];
    nearer(mode == contact::Mode::slip ? length(u) : g * (block.friction * normal - length(p)));
  }
}

}  // namespace lissom
