#include "world_recording.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/state.h"
#include "lissom/recording/header.h"
#include "lissom/recording/size.h"
#include "output.h"
#include "recording_size.h"

namespace {

namespace recording = lissom::recording;
using lissom::ContactReading;
using lissom::scenes::Scene;

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

recording::Recorder make_recorder(const WorldRecordingOptions& o, const recording::Header& header,
                                  const lissom::Model& model, const std::vector<recording::Signal>& signals) {
  const auto options = o.ros.options(model);
  check_recording_size(o.path, recording::estimated_bytes(o.path, header, signals, options, o.frame_count, o.seconds),
                       o.frame_count, o.max_gigabytes);
  recording::Recorder recorder(o.path, header, signals, options);
  print_notes(recorder);
  return recorder;
}

}  // namespace

ContactSlots::ContactSlots(int count, const std::vector<std::string>& names)
    : used_(std::size_t(count)), row_(std::size_t(count * width)), next_(row_.size()) {
  for (std::size_t i = 0; i < names.size(); ++i) index_[names[i]] = int(i);
}

recording::Signal ContactSlots::signal() const {
  recording::Signal signal{"contacts", {}};
  for (int i = 0; i < count(); ++i)
    for (const auto& [name, unit] : {std::pair{".x", "m"},
                                     {".y", "m"},
                                     {".z", "m"},
                                     {".nx", "1"},
                                     {".ny", "1"},
                                     {".nz", "1"},
                                     {".fx", "N"},
                                     {".fy", "N"},
                                     {".fz", "N"},
                                     {".gap", "m"},
                                     {".slip", "m/s"},
                                     {".friction", "1"},
                                     {".a", "1"},
                                     {".b", "1"}})
      signal.columns.push_back({std::to_string(i) + name, unit});
  return signal;
}

const std::vector<double>& ContactSlots::row(std::vector<ContactReading> contacts) {
  const auto squared = [](const lissom::Vec3<double>& x) { return dot(x, x); };
  if (int(contacts.size()) > count()) {
    std::ranges::stable_sort(contacts, std::greater(), [&](const auto& c) { return squared(c.force); });
    contacts.resize(used_.size());
  }
  const auto was_used = used_;
  used_.assign(used_.size(), false);
  std::ranges::fill(next_, 0.);
  for (int i = 0; i < count(); ++i) next_[std::size_t(i * width + 12)] = next_[std::size_t(i * width + 13)] = -1;
  const auto put = [&](int slot, const ContactReading& c) {
    const double a = index_.at(c.a), b = index_.at(c.b);
    const double all[width] = {c.point.x, c.point.y, c.point.z, c.normal.x, c.normal.y, c.normal.z, c.force.x,
                               c.force.y, c.force.z, c.gap,     c.slip,     c.friction, a,          b};
    std::ranges::copy(all, next_.begin() + slot * width);
    used_[std::size_t(slot)] = true;
  };
  // First those that were there before, each at the nearest place of its pair; then the new ones where there is room.
  std::vector<const ContactReading*> fresh;
  for (const auto& c : contacts) {
    int best = -1;
    double nearest = 1e-2 * 1e-2;  // m², that a contact may move between two frames
    for (int i = 0; i < count(); ++i) {
      const double* const old = row_.data() + i * width;
      if (!was_used[std::size_t(i)] || used_[std::size_t(i)] || old[12] != index_.at(c.a) || old[13] != index_.at(c.b))
        continue;
      const double away = squared(c.point - lissom::Vec3<double>{old[0], old[1], old[2]});
      if (away < nearest) best = i, nearest = away;
    }
    if (best >= 0)
      put(best, c);
    else
      fresh.push_back(&c);
  }
  int slot = 0;
  for (const auto* c : fresh) {
    while (used_[std::size_t(slot)]) ++slot;
    put(slot, *c);
  }
  row_.swap(next_);
  return row_;
}

WorldRecording::WorldRecording(const WorldRecordingOptions& o, const Scene& scene,
                               const lissom::scenes::WorldModel& model)
    : model_(model),
      names_(touching_names(scene)),
      slots_(slot_count(scene), names_),
      settings_(o.settings),
      extras_(model.model(), frames_to_record(model.model(), o.frames), o.pushes, bool(o.reference), o.pull),
      reference_(o.reference),
      desired_{neutral(model.model()), Eigen::VectorXd::Zero(model.model().nv()),
               Eigen::VectorXd::Zero(model.model().nv())} {
  settings_["contact_names"] = names_;
  auto tau = recording::velocity_columns(model.model());
  for (auto& column : tau) column.unit = column.unit == "m/s" ? "N" : "N·m";
  std::vector<recording::Column> momentum = axes("linear", "kg·m/s"), forces;
  for (const auto& column : axes("angular", "kg·m²/s")) momentum.push_back(column);
  for (const auto& name : names_) {
    const auto link = model.link(name);
    if (link.empty() || model.model().link(link).body == 0) continue;
    force_of_[name] = int(forces.size());
    for (const auto& column : axes(link, "N")) forces.push_back(column);
  }
  forces_.resize(forces.size());
  signals_ = {{"q", recording::configuration_columns(model.model())},
              {"v", recording::velocity_columns(model.model())},
              {"tau", std::move(tau)}};
  for (auto& signal : lissom::sim::RecordedEnergy::signals()) signals_.push_back(std::move(signal));
  signals_.push_back({"momentum", std::move(momentum)});
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
  signals_.insert(signals_.end(), extras_.signals().begin(), extras_.signals().end());
  if (o.path.empty()) return;
  const auto header = recording::describe(model.model(), json_text(settings_));
  recorder_.emplace(make_recorder(o, header, model.model(), signals_));
}

void WorldRecording::sum_forces(const std::vector<ContactReading>& contacts) {
  std::ranges::fill(forces_, 0.);
  const auto add = [&](const std::string& name, double sign, const lissom::Vec3<double>& f) {
    const auto found = force_of_.find(name);
    if (found == force_of_.end()) return;
    double* const sum = forces_.data() + found->second;
    sum[0] += sign * f.x, sum[1] += sign * f.y, sum[2] += sign * f.z;
  };
  for (const auto& c : contacts) add(c.a, 1, c.force), add(c.b, -1, c.force);
}

void WorldRecording::write(lissom::scenes::Simulation& simulation, const lissom::StepReport& step) {
  auto& world = simulation.world();
  const auto& contacts = simulation.contacts();
  model_.read(world, q_, v_, tau_);
  sum_forces(contacts);
  double overlap = 0;
  for (const auto& c : contacts) overlap = std::max(overlap, -c.gap);
  const double kinetic = world.kinetic_energy(), potential = world.potential_energy();
  const double numbers[] = {
      double(step.contacts), step.residual,         overlap, double(step.sweeps), double(step.factorizations),
      double(step.impact),   double(step.converged)};
  const auto momentum = world.momentum();
  desired_.v.setZero();
  desired_.a.setZero();
  if (reference_) reference_(world.time(), desired_);
  std::vector<recording::Row> rows{q_, v_, tau_};
  energy_.append(kinetic, potential, simulation.energy(), rows);
  rows.emplace_back(momentum);
  rows.emplace_back(std::span(numbers));
  if (!forces_.empty()) rows.emplace_back(forces_);
  rows.emplace_back(slots_.row(contacts));
  extras_.append(world.time(), q_, desired_.q, desired_.v, rows);
  if (recorder_) recorder_->write(world.time(), rows);
  if (also_) also_(world.time(), rows);
}
