#pragma once
// What motors, contacts and the controller did in a run: the parts of a report that motions and walks share. Not for
// users.
#include "lissom/control/motion_report.h"

namespace lissom::control {

// The parts of a report that RobotWatch writes.
struct RobotFigures {
  std::vector<ContactReport>& contacts;
  std::vector<MotorReport>& motors;
  std::vector<ConflictReport>& conflicts;
};

// Watches the motors and contacts of a simulated robot, and conflicts of its controller.
class RobotWatch {
 public:
  // motors: degrees of freedom; contacts: in the order of the controller's and the robot's.
  RobotWatch(const Model& model, std::vector<int> motors, const std::vector<Contact>& contacts,
             const sim::SimulatedRobot& robot, RobotFigures report);
  void watch(const Tick& tick);
  // The motors whose torques were at their limits, in words; empty if none was.
  std::string saturated() const;
  // Joints that went beyond their limits of position or velocity, in words.
  std::vector<std::string> beyond_limits(const Tolerances& tolerances) const;

 private:
  void watch_motors(const Tick& tick);
  void watch_contacts(const Tick& tick);
  void watch_conflicts(const Tick& tick);

  const Model& model_;
  std::vector<int> dofs_;
  const sim::SimulatedRobot& robot_;
  RobotFigures report_;
  double weight_;
};

}  // namespace lissom::control
