#include "lissom/sim/robot_audit.h"

#include "lissom/sim/energy_warning.h"

namespace lissom::sim {

void RobotAudit::tick() {
  audit_.add(robot_.energy().work);
  read();
}

EnergyFigures RobotAudit::judged() const {
  return audit_.judged(energy_warning(audit_, robot_));
}

}  // namespace lissom::sim
