#include "lissom/sim/robot_audit.h"

#include "lissom/model/short_text.h"

namespace lissom::sim {

void RobotAudit::tick() {
  audit_.add(robot_.energy().work);
  read();
}

EnergyFigures RobotAudit::judged() const {
  return audit_.judged(energy_warning(audit_, robot_));
}

std::string energy_warning(const EnergyAudit& audit, const SimulatedRobot& robot) {
  if (robot.follows_accelerations()) return "";
  const auto& options = robot.options();
  return audit.warning(tolerance_of_worlds(weight(robot.model())),
                       "the contact simulation with a step of " + short_text(options.step / options.substeps) + " s",
                       "more substeps, or a smaller step");
}

}  // namespace lissom::sim
