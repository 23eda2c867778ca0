#include "lissom/sim/energy_audit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/sim/messages.h"

namespace lissom::sim {

void EnergyAudit::add(const Work& work) {
  work_.add(1, work);
  turnover_ += turnover(work);
}

void EnergyAudit::read(double kinetic, double potential) {
  const double energy = kinetic + potential;
  if (first_) begin_ = energy;
  first_ = false;
  unexplained_ = energy - begin_ - work_.sum();
  lowest_ = std::min(lowest_, unexplained_);
  const double rise = unexplained_ - lowest_;
  appeared_ = std::isfinite(rise) ? std::max(appeared_, rise) : std::numeric_limits<double>::infinity();
  max_kinetic_ = std::max(max_kinetic_, kinetic);
  max_energy_ = std::max({max_energy_, std::abs(kinetic), std::abs(potential)});
}

double EnergyAudit::tolerance(int order) const {
  const double of_kinetic = order <= 1 ? 0.1 : order == 2 ? 0.03 : 0.01, of_work = order <= 1 ? 0.05 : 0.02;
  return of_kinetic * max_kinetic_ + of_work * turnover_ + 1e-5 * max_energy_;
}

std::string EnergyAudit::warning(const IntegratorInfo& method, double step) const {
  if (appeared_ <= tolerance(method.order) + allowed_) return "";
  const bool implicit = method.name == "implicit_joints" || method.name == "implicit_euler";
  const std::string other = method.name == "dopri5" ? "tighter tolerances (and no min_step)"
                            : implicit              ? "a smaller step, or the integrator dopri5"
                                                    : "a smaller step, or the integrator dopri5 (implicit_joints if "
                                                      "gains or dampers are stiff)";
  return "energy appears from nowhere: " + (std::isfinite(appeared_) ? short_text(appeared_) + " J more" : "more") +
         " than motors, pushes, forces and dampers explain, with at most " + short_text(max_kinetic_) +
         " J of kinetic energy; " + method.name + " with a step of " + short_text(step) +
         " s is not accurate here, and the motion is not to be trusted: take " + other;
}

}  // namespace lissom::sim
