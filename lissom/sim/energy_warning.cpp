#include "lissom/sim/energy_warning.h"

#include "lissom/model/short_text.h"

namespace lissom::sim {

EnergyTolerance tolerance_of(int order) {
  return {.of_kinetic = order <= 1 ? .1 : order == 2 ? .03 : .01, .of_work = order <= 1 ? .05 : .02};
}

std::string energy_warning(const EnergyAudit& audit, const IntegratorInfo& method, double step) {
  const bool implicit = method.name == "implicit_joints" || method.name == "implicit_euler";
  return audit.warning(tolerance_of(method.order), method.name + " with a step of " + short_text(step) + " s",
                       method.name == "dopri5" ? "tighter tolerances (and no min_step)"
                       : implicit              ? "a smaller step, or the integrator dopri5"
                                               : "a smaller step, or the integrator dopri5 (implicit_joints if gains "
                                                 "or dampers are stiff)");
}

std::string energy_warning(const EnergyAudit& audit, const SimulatedRobot& robot) {
  if (robot.follows_accelerations()) return "";
  const auto& options = robot.options();
  return audit.warning(tolerance_of_worlds(weight(robot.model())),
                       "the contact simulation with a step of " + short_text(options.step / options.substeps) + " s",
                       "more substeps, or a smaller step");
}

}  // namespace lissom::sim
