// One step of a world: two-stage trapezoid (docs/contact.md). An impact stage where somebody would cross, then the
// smooth stage; positions move with the mean of the velocities after the two.
#include <algorithm>
#include <cmath>

#include "lissom/model/text.h"
#include "lissom/world/impl.h"

namespace lissom {
namespace {

double gap_bound(const worlds::Contact& c, double h) {
  return -std::max(c.gap, 0.) / h;
}

}  // namespace

// The crossing must be seen above the rounding of the solver, or every step would be an impact.
bool World::Impl::is_crossing(const worlds::Contact& c, double h) const {
  return set.velocity(c, v).x < gap_bound(c, h) - 2 * options.tolerance;
}

double World::Impl::energy_of(const std::vector<Eigen::VectorXd>& velocities) const {
  double sum = 0;
  for (std::size_t i = 0; i < units.size(); ++i) sum += units[i]->kinetic_energy(velocities[i]);
  return sum;
}

// Impacts. Plastic ones are solved once; elastic ones as long as somebody crosses, as in Newton's cradle.
bool World::Impl::impact_stage(double h, StepReport& report) {
  constexpr int max_passes = 30;
  bool any = false;
  for (int pass = 0; pass < max_passes; ++pass) {
    rows.assign(set.contacts.size(), {});
    bool crossing = false, elastic = false, limited = false;
    for (std::size_t i = 0; i < set.contacts.size(); ++i) {
      auto& c = set.contacts[i];
      const auto& properties = *c.properties;
      const bool crosses = is_crossing(c, h);
      crossing |= crosses;
      rows[i].friction = properties.impact_friction.value_or(properties.friction);
      rows[i].bound = gap_bound(c, h);
      c.impulse = {0, 0, 0};
      if (properties.restitution == 0) continue;
      elastic = true;
      if (properties.law == ContactProperties::Law::impulse) {
        // What strikes stops completely before its impulse grows by 1 + e: a bound of -gap/h would leave a part of the
        // velocity, and of the impulse, to later steps, which see a weaker impact.
        rows[i].active = crosses || c.gap <= 0;
        rows[i].bound = 0;
        continue;
      }
      limited |= rows[i].friction > 0;
      rows[i].active = crosses;
      if (crosses) rows[i].bound = -properties.restitution * set.velocity(c, v).x;
    }
    if (!crossing) break;
    any = true;
    const auto before = v;
    solve(report);
    for (auto& c : set.contacts) {
      if (c.properties->law == ContactProperties::Law::impulse) set.apply(c, c.properties->restitution * c.impulse, v);
      c.stage_impulse = c.stage_impulse + c.impulse;
    }
    if (limited) limit_energy(before, h, report);
    if (!elastic) break;
  }
  for (auto& c : set.contacts) c.impulse = {0, 0, 0};
  return any;
}

// Newton's law with friction may create energy: then v lies on the way from the plastic solution as far as energy
// allows.
void World::Impl::limit_energy(const std::vector<Eigen::VectorXd>& before, double h, StepReport& report) {
  const double allowed = energy_of(before), reached = energy_of(v);
  if (reached <= allowed) return;
  const auto elastic = v;
  v = before;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].active = true;
    rows[i].bound = gap_bound(set.contacts[i], h);
    set.contacts[i].impulse = {0, 0, 0};
  }
  solve(report);
  const auto plastic = v;
  const double lowest = energy_of(plastic);
  // T(plastic + s (elastic - plastic)) = lowest + b s + a s²
  std::vector<Eigen::VectorXd> way(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) way[i] = elastic[i] - plastic[i];
  const double a = energy_of(way), b = reached - lowest - a, c = lowest - allowed;
  const double root = std::sqrt(std::max(b * b - 4 * a * c, 0.));
  const double s = a > 0 ? std::clamp((root - b) / (2 * a), 0., 1.) : 0;
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = plastic[i] + s * way[i];
}

StepReport World::step(double h) {
  auto& w = *impl_;
  if (!(h > 0 && std::isfinite(h))) throw Error("step: h is " + to_text(h) + " s, expected a positive number");
  for (const auto& unit : w.units)
    if (!unit->q.allFinite() || !unit->v.allFinite() || !unit->tau.allFinite())
      throw Error("step: the state or a force of " + in_quotes(unit->name()) + " is not finite");
  StepReport report;
  w.v.resize(w.units.size());
  for (std::size_t i = 0; i < w.units.size(); ++i) {
    w.units[i]->begin(h, w.options.gravity);
    w.v[i] = w.units[i]->v;
  }
  w.detect(h);
  report.contacts = int(w.set.contacts.size());
  report.impact = w.impact_stage(h, report);
  const auto start = w.v;
  w.rows.assign(w.set.contacts.size(), {});
  for (std::size_t i = 0; i < w.rows.size(); ++i) {
    auto& c = w.set.contacts[i];
    auto& row = w.rows[i];
    const auto& properties = *c.properties;
    row.friction = properties.friction;
    row.bound = gap_bound(c, h);
    if (properties.restitution > 0 && properties.law == ContactProperties::Law::newton) {
      // A speculative bound would take energy from an elastic impact that comes later.
      const double normal = w.set.velocity(c, start).x;
      row.active = !(c.gap > 0 && normal < 0);
      row.bound = -properties.restitution * std::max(normal, 0.);
    }
    if (const auto last = w.impulses.find(c.key); last != w.impulses.end() && row.active)
      c.impulse = transpose_times(c.axes, last->second);
  }
  for (std::size_t i = 0; i < w.units.size(); ++i) w.v[i] += w.units[i]->dv;
  w.solve(report);
  w.finish(start, h);
  report.converged = report.residual <= w.options.tolerance;
  return report;
}

void World::Impl::finish(const std::vector<Eigen::VectorXd>& start, double h) {
  for (std::size_t i = 0; i < units.size(); ++i) {
    units[i]->v = v[i];
    units[i]->move(.5 * (start[i] + v[i]), h);
    units[i]->update_poses();
  }
  impulses.clear();
  for (const auto& c : set.contacts)
    if (dot(c.impulse, c.impulse) > 0) impulses[c.key] = c.axes * c.impulse;
  time += h;
  last_h = h;
}

}  // namespace lissom
