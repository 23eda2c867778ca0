#include "lissom/scenes/simulation.h"

#include <algorithm>
#include <cmath>

#include "lissom/model/short_text.h"

namespace lissom::scenes {

namespace {

Scene audited(Scene scene) {
  scene.options.audit = true;
  return scene;
}

}  // namespace

Simulation::Simulation(const Scene& scene)
    : scene_(audited(scene)), own_(std::make_unique<World>(make_world(scene_))), world_(own_.get()) {
  begin();
}

Simulation::Simulation(const Scene& scene, World& world) : scene_(scene), world_(&world) {
  begin();
}

void Simulation::begin() {
  read_energy();
  for (const auto& name : world_->moving()) weight_ += world_->mass(name);
  weight_ *= std::sqrt(dot(scene_.options.gravity, scene_.options.gravity));
  auto& r = report_;
  r.momentum_before = r.momentum_after = world_->momentum();
}

void Simulation::read_energy() {
  audit_.read(world_->time(), world_->kinetic_energy(), world_->potential_energy());
  figures_ = audit_.figures();
  if (scene_.options.audit) return;
  // Nobody knows the work, so nothing can be said of what it does not explain.
  figures_.unexplained_energy = figures_.appeared_energy = figures_.appeared_from = figures_.appeared_until = 0;
}

// Sets what acts on robots and bodies at this time.
void Simulation::command() {
  Servos servos;
  for (const auto& robot : scene_.robots) {
    if (!own_ && robot.servos.empty()) continue;
    auto& tau = world_->tau(robot.name);
    tau.setZero();
    if (own_) world_->external(robot.name).setZero();
    if (robot.servos.empty()) continue;
    robot.servos.at(robot.model, world_->time(), servos, tau);
    if (robot.servos.stiffness.size() > 0) world_->set_servos(robot.name, servos);
  }
  for (const auto& one : scene_.bodies) {
    if (!own_ && dot(one.force, one.force) == 0) continue;
    world_->tau(one.body.name) << one.force.x, one.force.y, one.force.z, 0, 0, 0;
  }
  if (hook_) hook_(*world_);
}

StepReport Simulation::step(double h) {
  constexpr double slides = 1e-5;  // m/s, well above the tolerance of the contact laws
  command();
  const auto step = world_->step(h);
  contacts_ = world_->contacts();
  auto& r = report_;
  ++r.steps;
  r.contacts = step.contacts;
  r.max_contacts = std::max(r.max_contacts, step.contacts);
  r.impacts += step.impact;
  if (!step.converged) note_unsolved();
  if (step.residual > r.max_residual) r.max_residual = step.residual, r.max_residual_time = world_->time();
  max_step_ = std::max(max_step_, h);
  audit_.add(step.work);
  read_energy();
  // A pair that touches in several points has slid as far as the one that slid farthest in this step.
  std::map<std::pair<std::string, std::string>, double> speeds;
  for (const auto& c : contacts_) {
    if (-c.gap > r.max_overlap) r.max_overlap = -c.gap, r.overlap_a = c.a, r.overlap_b = c.b;
    if (!(c.friction > 0 && c.slip > slides)) continue;
    auto& speed = speeds[{c.a, c.b}];
    speed = std::max(speed, c.slip);
  }
  for (const auto& [pair, speed] : speeds) {
    auto& slip = slips_[pair];
    slip.distance += h * speed;
    slip.max_speed = std::max(slip.max_speed, speed);
  }
  return step;
}

void Simulation::note_unsolved() {
  auto& r = report_;
  auto row = world_->worst_row();
  if (r.not_converged++ > 0 && !(row.residual > r.worst_row.residual)) return;
  r.worst_row = std::move(row), r.worst_row_time = world_->time();
}

// What to tell of steps that do not obey the laws of contact; empty where that is no more than one in a thousand, and
// by little.
std::string Simulation::warning_of_unsolved() const {
  constexpr double little = 1e-2;  // m/s
  const auto& r = report_;
  const auto& row = r.worst_row;
  if (r.not_converged == 0 || (1000 * r.not_converged <= r.steps && row.residual < little)) return "";
  auto text = std::to_string(r.not_converged) + " of " + std::to_string(r.steps) +
              " steps did not meet the laws of contact within " + short_text(scene_.options.acceptable) + " m/s; ";
  if (row.residual > scene_.options.acceptable)
    text += "the worst is the " + row.name + ", off by " + short_text(row.residual) + " " + row.unit;
  else
    text += "a contact or a motor came into play too late";
  return text + " at t = " + short_text(r.worst_row_time) +
         " s: take a smaller step, masses that differ less, or more room where bodies are wedged in";
}

Report Simulation::report() {
  auto all = report_;
  static_cast<EnergyFigures&>(all) =
      scene_.options.audit
          ? audit_.judged(audit_.warning(tolerance_of_worlds(weight_),
                                         "the contact simulation with a step of " + short_text(max_step_) + " s",
                                         "a smaller step"))
          : figures_;
  if (auto warning = warning_of_unsolved(); !warning.empty()) all.warnings.push_back(std::move(warning));
  all.momentum_after = world_->momentum();
  for (const auto& [pair, slip] : slips_) {
    all.slips.push_back(slip);
    all.slips.back().a = pair.first, all.slips.back().b = pair.second;
  }
  std::ranges::stable_sort(all.slips, std::greater(), &Report::Slip::distance);
  return all;
}

}  // namespace lissom::scenes
