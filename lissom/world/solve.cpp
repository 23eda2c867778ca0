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
  for (auto& c : set.contacts)
    if (dot(c.impulse, c.impulse) > 0) set.apply(c, c.impulse, v);
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

// Gauss–Seidel on the velocities themselves: one contact after another gets its exact impulse.
void World::Impl::solve_by_sweeps(const std::vector<int>& island, StepReport& report) {
  frames.resize(set.contacts.size());
  for (const int i : island) {
    const auto& G = set.contacts[std::size_t(i)].G;
    frames[std::size_t(i)] = contact::contact_frame(G.xx, G.xy, G.xz, G.yy, G.yz, G.zz);
  }
  slips.assign(set.contacts.size(), 0);
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
