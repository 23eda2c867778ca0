// Solves the contact laws, island by island.
#include <algorithm>
#include <cmath>

#include "lissom/contact/one_contact.h"
#include "lissom/world/impl.h"

namespace lissom {
namespace {

using contact::Triple;

Vec3<double> vector(const Triple<double>& t) {
  return {t.n, t.t0, t.t1};
}

// g ‖p - Π_K(p - (u + μ|u_t| n) / g)‖: how far a contact is from Coulomb's law, in m/s.
double residual(const Mat3<double>& G, double mu, const Vec3<double>& p, const Vec3<double>& u) {
  const double g = (G.xx + G.yy + G.zz) / 3;
  const double n = p.x - (u.x + mu * std::hypot(u.y, u.z)) / g, t0 = p.y - u.y / g, t1 = p.z - u.z / g;
  const double t = std::hypot(t0, t1);
  Vec3<double> on_cone{0, 0, 0};
  if (t <= mu * n && n >= 0) {
    on_cone = {n, t0, t1};
  } else if (mu * t > -n || (mu == 0 && n > 0)) {
    const double height = std::max((n + mu * t) / (1 + mu * mu), 0.), scale = t > 0 ? mu * height / t : 0;
    on_cone = {height, scale * t0, scale * t1};
  }
  const auto off = p - on_cone;
  return g * std::sqrt(dot(off, off));
}

}  // namespace

void World::Impl::solve(StepReport& report) {
  for (const auto& island : set.islands) {
    int count = 0;
    for (const int i : island) count += rows[std::size_t(i)].active;
    if (count == 0) continue;
    if (3 * count <= options.max_dense_rows)
      solve_dense(island, report);
    else
      solve_by_sweeps(island, report);
  }
}

// J_i M⁻¹ J_jᵀ of two contacts: they are coupled by the units that both act on.
Mat3<double> World::Impl::coupling(const worlds::Contact& a, const worlds::Contact& b) const {
  auto sum = Mat3<double>{0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      if (a.unit[i] == b.unit[j] && a.unit[i] != worlds::fixed_unit)
        sum = sum + worlds::product(&set.numbers[a.J[i]], &set.numbers[b.W[j]], units[std::size_t(a.unit[i])]->nv());
  return sum;
}

void World::Impl::make_problem(const std::vector<int>& island) {
  if (!buffer) {
    buffer.emplace(options.max_dense_rows, options.max_dense_rows / 3);
    solver.emplace(options.max_dense_rows, options.max_dense_rows / 3);
    p_dense.resize(std::size_t(options.max_dense_rows)), u_dense.resize(p_dense.size());
  }
  buffer->clear();
  solved.clear();
  for (const int i : island) {
    if (!rows[std::size_t(i)].active) continue;
    buffer->add(contact::cone(0, rows[std::size_t(i)].friction));
    solved.push_back(i);
  }
  for (std::size_t i = 0; i < solved.size(); ++i) {
    const auto& a = set.contacts[std::size_t(solved[i])];
    const auto b = set.velocity(a, v);
    const int row = 3 * int(i);
    for (std::size_t j = 0; j <= i; ++j) {
      const auto G = i == j ? a.G : coupling(a, set.contacts[std::size_t(solved[j])]);
      const double element[3][3] = {{G.xx, G.xy, G.xz}, {G.yx, G.yy, G.yz}, {G.zx, G.zy, G.zz}};
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          buffer->G(row + r, 3 * int(j) + c) = buffer->G(3 * int(j) + c, row + r) = element[r][c];
    }
    const double values[3] = {b.x - rows[std::size_t(solved[i])].bound, b.y, b.z};
    const double start[3] = {a.impulse.x, a.impulse.y, a.impulse.z};
    for (int r = 0; r < 3; ++r) buffer->b(row + r) = values[r], p_dense[std::size_t(row + r)] = start[r];
  }
}

// All contacts of an island at once, with the matrix that couples them.
void World::Impl::solve_dense(const std::vector<int>& island, StepReport& report) {
  make_problem(island);
  // v has no impulses of this island yet: they are applied below.
  contact::Settings settings;
  settings.tolerance = options.tolerance;
  settings.max_sweeps = options.max_sweeps;
  settings.max_factorizations = options.max_factorizations;
  const auto found = solver->solve(buffer->problem(), p_dense.data(), u_dense.data(), settings);
  report.sweeps += found.sweeps, report.factorizations += found.factorizations;
  report.residual = std::max(report.residual, found.residual);
  for (std::size_t i = 0; i < solved.size(); ++i) {
    auto& c = set.contacts[std::size_t(solved[i])];
    c.impulse = {p_dense[3 * i], p_dense[3 * i + 1], p_dense[3 * i + 2]};
    set.apply(c, c.impulse, v);
  }
}

// Gauss–Seidel on the velocities themselves: one contact after another gets its exact impulse.
void World::Impl::solve_by_sweeps(const std::vector<int>& island, StepReport& report) {
  frames.resize(set.contacts.size());
  for (const int i : island) {
    const auto& G = set.contacts[std::size_t(i)].G;
    frames[std::size_t(i)] = contact::contact_frame(G.xx, G.xy, G.xz, G.yy, G.yz, G.zz);
  }
  slips.assign(set.contacts.size(), 0);
  for (const int i : island)
    if (rows[std::size_t(i)].active) set.apply(set.contacts[std::size_t(i)], set.contacts[std::size_t(i)].impulse, v);
  double worst = 0;
  for (int sweep = 0; sweep < options.max_sweeps_of_large_islands; ++sweep) {
    ++report.sweeps;
    worst = 0;
    for (const int i : island) {
      const auto& row = rows[std::size_t(i)];
      if (!row.active) continue;
      auto& c = set.contacts[std::size_t(i)];
      const auto u = set.velocity(c, v) - Vec3<double>{row.bound, 0, 0};
      worst = std::max(worst, residual(c.G, row.friction, c.impulse, u));
      const auto alone = u - c.G * c.impulse;
      const auto p = vector(contact::one_contact(frames[std::size_t(i)], row.friction,
                                                 Triple<double>{alone.x, alone.y, alone.z}, slips[std::size_t(i)]));
      set.apply(c, p - c.impulse, v);
      c.impulse = p;
    }
    if (worst <= .5 * options.tolerance) break;
  }
  report.residual = std::max(report.residual, worst);
}

}  // namespace lissom
