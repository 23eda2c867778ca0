#include "lissom/scenes/world_signals.h"

#include <algorithm>

namespace lissom::scenes {
namespace {

// Everything that has a shape, as contacts call it.
std::vector<std::string> touching_names(const Scene& scene) {
  std::vector<std::string> names;
  if (scene.ground) names.push_back(*scene.ground);
  for (const auto& one : scene.fixed) names.push_back(one.name);
  for (const auto& robot : scene.robots)
    for (const auto& link : robot.model.description().links)
      if (!link.collisions.empty()) names.push_back(robot.name + "/" + link.name);
  for (const auto& one : scene.bodies) names.push_back(one.body.name);
  return names;
}

// A box on another one touches in up to eight points, a robot that lies on the ground in some tens.
int slot_count(const Scene& scene) {
  constexpr std::size_t max_count = 128;
  return int(std::min(max_count, 8 * scene.bodies.size() + 32 * scene.robots.size()));
}

std::vector<recording::Column> axes(const std::string& name, const char* unit) {
  return {{name + ".x", unit}, {name + ".y", unit}, {name + ".z", unit}};
}

}  // namespace

WorldSignals::WorldSignals(const Scene& scene, const WorldModel& model)
    : model_(model), names_(touching_names(scene)), slots_(slot_count(scene), names_) {
  const auto& m = model.model();
  std::vector<recording::Column> forces;
  for (const auto& name : names_) {
    const auto link = model.link(name);
    if (link.empty() || m.link(link).body == 0) continue;
    force_of_[name] = int(forces.size());
    for (const auto& column : axes(link, "N")) forces.push_back(column);
  }
  forces_.resize(forces.size());
  signals_ = sim::state_signals(m);
  signals_.push_back({"step",
                      {{"contacts", "1"},
                       {"residual", "m/s"},
                       {"overlap", "m"},
                       {"sweeps", "1"},
                       {"factorizations", "1"},
                       {"impact", "1"},
                       {"converged", "1"}}});
  if (!forces.empty()) signals_.push_back({"forces", std::move(forces)});
  signals_.push_back(slots_.signal());
}

void WorldSignals::sum_forces(const std::vector<ContactReading>& contacts) {
  std::ranges::fill(forces_, 0.);
  const auto add = [&](const std::string& name, double sign, const Vec3<double>& f) {
    const auto found = force_of_.find(name);
    if (found == force_of_.end()) return;
    double* const sum = forces_.data() + found->second;
    sum[0] += sign * f.x, sum[1] += sign * f.y, sum[2] += sign * f.z;
  };
  for (const auto& c : contacts) add(c.a, 1, c.force), add(c.b, -1, c.force);
}

std::vector<recording::Row>& WorldSignals::rows(Simulation& simulation, const StepReport& step) {
  auto& world = simulation.world();
  const auto& contacts = simulation.contacts();
  model_.read(world, q_, v_, tau_);
  sum_forces(contacts);
  double overlap = 0;
  for (const auto& c : contacts) overlap = std::max(overlap, -c.gap);
  numbers_ = {double(step.contacts), step.residual,         overlap, double(step.sweeps), double(step.factorizations),
              double(step.impact),   double(step.converged)};
  momentum_ = world.momentum();
  rows_.clear();
  rows_.emplace_back(q_);
  rows_.emplace_back(v_);
  rows_.emplace_back(tau_);
  energy_.append(world.kinetic_energy(), world.potential_energy(), simulation.energy(), rows_);
  rows_.emplace_back(momentum_);
  rows_.emplace_back(numbers_);
  if (!forces_.empty()) rows_.emplace_back(forces_);
  rows_.emplace_back(slots_.row(contacts));
  return rows_;
}

}  // namespace lissom::scenes
