#include "lissom/world/energy_audit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/model/short_text.h"

namespace lissom {

void EnergyAudit::add(const Work& work) {
  work_.add(1, work);
  turnover_ += turnover(work);
}

void EnergyAudit::resume(const EarlierEnergy& earlier) {
  energy_before_resuming_ = earlier.energy_after;
  figures_.energy_before = earlier.energy_before;
  work_ = earlier.work;
  dissipated_ = work_.dissipated();
}

void EnergyAudit::read(double t, double kinetic, double potential) {
  auto& f = figures_;
  const double energy = kinetic + potential;
  if (first_) {
    f.energy_before = energy_before_resuming_ ? f.energy_before + (energy - *energy_before_resuming_) : energy;
    f.min_energy = f.max_energy = energy;
    f.appeared_from = f.appeared_until = lowest_time_ = t;
  }
  f.energy_after = energy, f.work = work_;
  f.min_energy = std::min(f.min_energy, energy), f.max_energy = std::max(f.max_energy, energy);
  f.unexplained_energy = energy - f.energy_before - f.work.sum();
  given_ += std::max(f.work.dissipated() - dissipated_, 0.);
  dissipated_ = f.work.dissipated();
  const double appeared = f.unexplained_energy + f.work.loops + given_;
  if (first_ || appeared < lowest_) lowest_ = appeared, lowest_time_ = t, loops_at_lowest_ = f.work.loops;
  first_ = false;
  if (const double rise = appeared - lowest_; !(rise <= f.appeared_energy)) {
    f.appeared_energy = std::isfinite(rise) ? rise : std::numeric_limits<double>::infinity();
    f.appeared_from = lowest_time_, f.appeared_until = t;
    from_loops_ = f.work.loops - loops_at_lowest_;
  }
  max_kinetic_ = std::max(max_kinetic_, kinetic);
  max_energy_ = std::max({max_energy_, std::abs(kinetic), std::abs(potential)});
}

double EnergyAudit::allowed(const EnergyTolerance& tolerance) const {
  constexpr double of_energy = 1e-5;  // rounding, and errors of order h⁴ where nearly nothing moves
  return tolerance.of_kinetic * max_kinetic_ + tolerance.of_work * turnover_ + of_energy * max_energy_ +
         tolerance.energy;
}

std::string EnergyAudit::warning(const EnergyTolerance& tolerance, const std::string& method,
                                 const std::string& remedy) const {
  const auto& f = figures_;
  if (f.appeared_energy <= allowed(tolerance)) return "";
  const bool by_loops = from_loops_ > .5 * f.appeared_energy;
  return "energy appears from nowhere: " +
         (std::isfinite(f.appeared_energy) ? short_text(f.appeared_energy) + " J more" : "more") +
         " than motors, pushes, forces and dampers explain, between t = " + short_text(f.appeared_from) + " s and " +
         short_text(f.appeared_until) + " s" +
         (by_loops ? ", " + short_text(from_loops_) + " J of it by the projection onto closed loops" : "") +
         ", with at most " + short_text(max_kinetic_) + " J of kinetic energy; " + method +
         " is not accurate here, and the motion is not to be trusted: take " + remedy;
}

EnergyFigures EnergyAudit::judged(const std::string& warning) const {
  auto all = figures_;
  all.energy_from_nowhere = !warning.empty();
  if (all.energy_from_nowhere) all.warnings.push_back(warning);
  return all;
}

EnergyTolerance tolerance_of_worlds(double weight) {
  constexpr double displacement = 1e-3;  // m
  return {.of_kinetic = .03, .of_work = .02, .energy = displacement * weight};
}

}  // namespace lissom
