#pragma once
// What a run of a system or of a robot in contact says where energy appeared from nowhere. Not installed.
#include <string>

#include "lissom/sim/integrator.h"
#include "lissom/sim/simulated_robot.h"
#include "lissom/world/energy_audit.h"

namespace lissom::sim {

// What a method of this order may let appear.
EnergyTolerance tolerance_of(int order);
// A warning if more appeared than this method may leave in steps of this length, otherwise empty.
std::string energy_warning(const EnergyAudit& audit, const IntegratorInfo& method, double step);
// The same of a robot in contact. One that follows accelerations is not judged: nothing says which forces it took.
std::string energy_warning(const EnergyAudit& audit, const SimulatedRobot& robot);

}  // namespace lissom::sim
