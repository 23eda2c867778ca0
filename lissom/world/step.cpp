// One step of a world: two-stage trapezoid (docs/contact.md). An impact stage where somebody would cross, then the
// smooth stage; positions move with the mean of the velocities after the two.
#include <algorithm>
#include <cmath>

#include "lissom/model/text.h"
#include "lissom/world/impl.h"

namespace lissom {

using worlds::Block;
using worlds::fixed_unit;
using worlds::Island;

namespace {

// m: the mean velocity may lead as deep as this, and no deeper, since then it is not taken.
constexpr double negligible_overlap = 1e-6;

}  // namespace

// Above the error that the solver may leave.
double World::Impl::crossing_speed() const {
  return 2 * options.acceptable;
}

void World::Impl::prepare_turning(Block& block) const {
  const auto& of = blocks[std::size_t(block.normal)];
  const auto& properties = *contacts[std::size_t(of.contact)].properties;
  block.active = of.active, block.bound = 0;
  block.friction = block.size == 1 ? properties.torsional_friction : properties.rolling_friction;
}

// Bounds and first guesses of the smooth stage.
void World::Impl::prepare_smooth(Island& island, double h) {
  for (const int i : island.blocks) {
    auto& block = blocks[std::size_t(i)];
    block.impulse = {}, block.tangent_bound = {};
    block.active = true;
    block.bound = block.kind == contact::Kind::free ? 0 : -std::max(block.gap, 0.) / h;
    if (block.normal >= 0) {
      prepare_turning(block);
      if (const auto* last = last_contact(block.key); last != nullptr && block.active) {
        const auto p =
            transpose_times(contacts[std::size_t(blocks[std::size_t(block.normal)].contact)].axes, last->impulse);
        if (block.size == 1)
          block.impulse[0] = p.x;
        else
          block.impulse[0] = p.y, block.impulse[1] = p.z;
      }
      continue;
    }
    if (block.contact < 0) {
      const auto& own = own_rows[std::size_t(block.own)];
      block.lower = own.lower, block.upper = own.upper;
      if (!own.in_impacts) block.bound = own.target;  // dry friction resists every motion
      if (const auto* last = last_contact(block.key)) block.impulse[0] = last->impulse.x;
      continue;
    }
    const auto& c = contacts[std::size_t(block.contact)];
    const auto& properties = *c.properties;
    block.lower = 0, block.upper = std::numeric_limits<double>::infinity();
    block.friction = properties.friction;
    if (properties.restitution > 0 && properties.law == ContactProperties::Law::newton) {
      // A speculative bound would take energy from an elastic impact that comes later.
      const double normal = normal_velocity(block);
      block.active = !(c.gap > 0 && normal < 0);
      block.bound = -properties.restitution * std::max(normal, 0.);
    }
    if (const auto* last = last_contact(c.key); last != nullptr && block.active) {
      const auto p = transpose_times(c.axes, last->impulse);
      block.impulse[0] = p.x;
      if (block.size == 3) block.impulse[1] = p.y, block.impulse[2] = p.z;
    }
    if (island.is_plastic_robot && block.size == 3) return_from_drift(block, h);
  }
}

// All of the step but the motion. Returns whether what was taken for granted holds: contacts without rows separate,
// motors stay within their limits.
bool World::Impl::attempt(double h, StepReport& report) {
  make_blocks(h);
  make_islands();
  for (auto& c : contacts) c.impulse = c.impact = c.twist = {0, 0, 0};
  report.sweeps = report.factorizations = 0;
  report.residual = worst_residual = 0, report.impact = false, worst_block = -1;
  impact_work = 0;
  for (std::size_t i = 0; i < island_count; ++i) {
    islands[i].is_plastic_robot = is_plastic_robot(islands[i]);
    if (islands[i].is_plastic_robot) continue;
    const double before = options.audit ? kinetic_energy_of(islands[i], false) : 0;
    if (!impacts(islands[i], h, report)) continue;
    report.impact = true;
    for (const int u : islands[i].units) {
      auto& unit = *units[std::size_t(u)];
      unit.from_whitened(unit.z, unit.v_start);
    }
    if (options.audit) impact_work += kinetic_energy_of(islands[i], true) - before;
  }
  for (std::size_t i = 0; i < units.size(); ++i) z_before[i] = units[i]->z;
  // The bounds of elastic contacts depend on the velocities before forces act.
  for (std::size_t i = 0; i < island_count; ++i) prepare_smooth(islands[i], h);
  for (std::size_t i = 0; i < units.size(); ++i) {
    units[i]->accelerate(h);
    z_free[i] = units[i]->z, units[i]->excess_energy = 0;
  }
  for (std::size_t i = 0; i < island_count; ++i) {
    solve(islands[i], report);
    find_excess_energy(islands[i]);
  }
  for (auto& unit : units) {
    unit->from_whitened(unit->z, unit->v_end);
    unit->v_mean = .5 * (unit->v_start + unit->v_end);
    if (is_euler()) unit->v_mean = unit->v_end;
  }
  for (std::size_t i = 0; i < island_count; ++i)
    if (islands[i].moves_with_end = !is_euler() && islands[i].is_plastic_robot && crosses_with_mean(islands[i], h);
        islands[i].moves_with_end) {
      report.impact = true;
      for (const int u : islands[i].units) units[std::size_t(u)]->v_mean = units[std::size_t(u)]->v_end;
    }
  bool holds = skipped_contacts_separate(h);
  for (auto& unit : units) holds &= unit->motors_agree(h);
  return holds;
}

// Robots that touch something without restitution: their impacts need no stage of their own. Where the mean velocity
// would lead into the other body, positions move with the velocity after the step, which does not. (The energy that
// this would add is taken off by RobotUnit::conserve.)
bool World::Impl::is_plastic_robot(const Island& island) const {
  const bool has_robot = std::ranges::any_of(island.units, [&](int u) { return units[std::size_t(u)]->is_robot(); });
  return has_robot && std::ranges::none_of(island.blocks, [&](int i) {
           const auto& block = blocks[std::size_t(i)];
           return block.contact >= 0 && contacts[std::size_t(block.contact)].properties->restitution > 0;
         });
}

// Contacts take energy and give none. But rows hold at the end of a step only, and where the robot has turned since the
// last one, friction may act along a velocity of the beginning: p · (u + u⁺)/2 > 0. The robots of the island hand that
// back.
void World::Impl::find_excess_energy(const Island& island) {
  if (std::ranges::none_of(island.units, [&](int u) { return units[std::size_t(u)]->is_robot(); })) return;
  double work = 0, energy = 0;
  for (const int i : island.units) {
    const auto u = std::size_t(i);
    const auto& z = units[u]->z;
    for (std::size_t k = 0; k < z.size(); ++k) {
      work += .5 * (z[k] - z_free[u][k]) * (z_before[u][k] + z[k]);
      if (units[u]->is_robot()) energy += .5 * z[k] * z[k];
    }
  }
  for (const int i : island.blocks)
    if (const auto& block = blocks[std::size_t(i)]; block.own >= 0 && own_rows[std::size_t(block.own)].compliance > 0)
      work -= block.impulse[0] * mean_velocity(block);  // a motor's
  if (!(work > 0 && energy > 0)) return;
  for (const int i : island.units) {
    auto& unit = *units[std::size_t(i)];
    if (!unit.is_robot()) continue;
    double own = 0;
    for (const double z : unit.z) own += .5 * z * z;
    unit.excess_energy = work * own / energy;
  }
}

bool World::Impl::crosses_with_mean(const Island& island, double h) {
  for (const int i : island.blocks) {
    const auto& block = blocks[std::size_t(i)];
    if (block.kind == contact::Kind::free || block.normal >= 0 ||
        (block.own >= 0 && !own_rows[std::size_t(block.own)].in_impacts))
      continue;
    const double u = mean_velocity(block);
    if (u < 0 && block.gap + h * u < -negligible_overlap) return true;
  }
  return false;
}

// Half of the velocity of a block's first row before the smooth stage, and half of that after it.
double World::Impl::mean_velocity(const Block& block) const {
  double u = 0;
  for (const auto& side : block.sides) {
    if (side.unit == fixed_unit) continue;
    const auto& unit = *units[std::size_t(side.unit)];
    const auto& rows = unit.rows();
    for (int k = 0; k < rows.size; ++k)
      u += .5 * rows.Y[k * rows.stride + side.column] *
           (unit.z[std::size_t(k)] + z_before[std::size_t(side.unit)][std::size_t(k)]);
  }
  return u;
}

bool World::Impl::skipped_contacts_separate(double h) {
  bool holds = true;
  for (auto& c : contacts) {
    if (c.has_rows) continue;
    if (dot(column_x(c.axes), velocity_at_end(c)) >= -std::max(c.gap, 0.) / h) continue;
    c.has_rows = true;
    holds = false;
  }
  return holds;
}

StepReport World::step(double h) {
  return impl_->step(h, nullptr);
}

StepReport World::step(double h, StepDerivatives& derivatives) {
  return impl_->step(h, &derivatives);
}

StepReport World::Impl::step(double h, StepDerivatives* derivatives) {
  if (!(h > 0 && std::isfinite(h))) throw Error("step: h is " + to_text(h) + " s, expected a positive number");
  for (const auto& unit : units)
    if (!unit->q.allFinite() || !unit->v.allFinite() || !unit->tau.allFinite() || !unit->external.allFinite())
      throw Error("step: the state or a force of " + in_quotes(unit->name()) +
                  " is not finite; set its q, v, tau and external forces to finite numbers, or restore a saved state");
  StepReport report;
  z_before.resize(units.size()), z_elastic.resize(units.size()), z_free.resize(units.size());
  constexpr int max_attempts = 4;
  bool holds = false;
  for (auto& unit : units) {
    unit->forget_attempts();
    unit->q_before = unit->q, unit->v_before = unit->v;
  }
  for (int k = 0; k < max_attempts && !holds; ++k) {
    for (auto& unit : units) unit->begin(h);
    if (k == 0) detect(h), begin_imus();
    holds = attempt(h, report);
  }
  for (const auto& unit : units)
    if (!unit->v_end.allFinite())
      throw Error(
          "step: the velocity of " + in_quotes(unit->name()) + " after " + to_text(h) +
          " s would not be finite; its mass or the forces on it are too extreme: change them, or take a shorter step");
  if (derivatives != nullptr) differentiate(h, *derivatives);
  report.contacts = int(contacts.size());
  collect_impulses(h);
  finish(h);
  expect_finite(h);
  if (options.audit) report.work = work_of_step(h);
  report.converged = holds && report.residual <= options.acceptable;
  measure_drifts();
  // Bodies that touch each other in a ring, as the links of a robot that lies on the ground, may not be able to return.
  if (!report.converged) drifts.clear();
  read_imus(h);
  remove_overlaps(report);
  return report;
}

// A motion that has diverged ends here, with the state before the step.
void World::Impl::expect_finite(double h) {
  const auto diverged =
      std::ranges::find_if(units, [](const auto& unit) { return !unit->q.allFinite() || !unit->v.allFinite(); });
  if (diverged == units.end()) return;
  for (auto& unit : units) {
    unit->q = unit->q_before, unit->v = unit->v_before;
    unit->update_poses();
  }
  last_contacts.clear(), drifts.clear();
  time -= h;
  throw Error("step: the motion of " + in_quotes((*diverged)->name()) + " has diverged at t = " + to_text(time) +
              " s; take a shorter step than " + to_text(h) + " s");
}

// Hands the impulses of the smooth stage to the contacts, and to the units for their balance of momentum.
void World::Impl::collect_impulses(double h) {
  for (auto& unit : units) unit->impulse = unit->angular_impulse = {0, 0, 0};
  last_contacts.clear();
  for (const auto& block : blocks) {
    if (!block.active) continue;
    if (block.normal >= 0) {
      collect_twist(block);
      continue;
    }
    const Vec3<double> p{block.impulse[0], block.size >= 3 ? block.impulse[1] : 0,
                         block.size >= 3 ? block.impulse[2] : 0};
    if (block.contact < 0) {
      units[std::size_t(block.sides[0].unit)]->keep_forces(own_rows[std::size_t(block.own)], block.impulse.data(), h);
      if (block.size == 1 && p.x != 0) last_contacts.push_back({block.key, p});
      continue;
    }
    auto& c = contacts[std::size_t(block.contact)];
    c.impulse = p;
    if (dot(p, p) == 0) continue;
    const auto u = transpose_times(c.axes, velocity_at_end(c));
    c.slip = std::hypot(u.y - block.tangent_bound[0], u.z - block.tangent_bound[1]);
    const auto in_world = c.axes * p;
    last_contacts.push_back({c.key, in_world});
    for (std::size_t side = 0; side < 2; ++side) {
      if (c.unit[side] == fixed_unit) continue;
      auto& unit = *units[std::size_t(c.unit[side])];
      const auto on_unit = (side == 0 ? 1 : -1) * in_world;
      unit.impulse = unit.impulse + on_unit;
      if (c.unit[1 - side] != fixed_unit)
        unit.angular_impulse = unit.angular_impulse + cross(c.point - unit.com(), on_unit);
    }
  }
  std::ranges::sort(last_contacts, {}, &LastContact::key);
}

// The angular impulse of torsional or rolling friction.
void World::Impl::collect_twist(const Block& block) {
  auto& c = contacts[std::size_t(blocks[std::size_t(block.normal)].contact)];
  const auto in_world = block.size == 1 ? block.impulse[0] * column_x(c.axes)
                                        : block.impulse[0] * column_y(c.axes) + block.impulse[1] * column_z(c.axes);
  if (dot(in_world, in_world) == 0) return;
  c.twist = c.twist + in_world;
  last_contacts.push_back({block.key, in_world});
  for (std::size_t side = 0; side < 2; ++side)
    if (c.unit[side] != fixed_unit && c.unit[1 - side] != fixed_unit) {
      auto& unit = *units[std::size_t(c.unit[side])];
      unit.angular_impulse = unit.angular_impulse + (side == 0 ? 1. : -1.) * in_world;
    }
}

void World::Impl::finish(double h) {
  grounded.assign(units.size(), false);
  for (const auto& c : contacts)
    for (std::size_t side = 0; side < 2; ++side)
      if (c.unit[side] != fixed_unit && c.unit[1 - side] == fixed_unit && dot(c.impulse, c.impulse) > 0)
        grounded[std::size_t(c.unit[side])] = true;
  for (std::size_t i = 0; i < units.size(); ++i) units[i]->finish(h, grounded[i]);
  time += h;
  last_h = h;
}

}  // namespace lissom
