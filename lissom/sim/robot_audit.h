#pragma once
// The energy of a simulated robot in a run of its own, tick by tick.
#include "lissom/sim/simulated_robot.h"
#include "lissom/world/energy_audit.h"

namespace lissom::sim {

/// Audits the energy of a simulated robot, tick by tick.
class RobotAudit {
 public:
  explicit RobotAudit(const SimulatedRobot& robot) : robot_(robot) { read(); }
  /// After each tick.
  void tick();
  const EnergyFigures& figures() const { return audit_.figures(); }
  /// The same with a warning where energy appeared from nowhere. A robot that follows accelerations is not judged:
  /// nothing says which forces it took.
  EnergyFigures judged() const;

 private:
  void read() { audit_.read(robot_.time(), robot_.energy().kinetic, robot_.energy().potential); }

  const SimulatedRobot& robot_;
  EnergyAudit audit_;
};

}  // namespace lissom::sim
