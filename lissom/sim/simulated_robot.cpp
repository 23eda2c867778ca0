#include "lissom/sim/simulated_robot.h"

#include "lissom/model/text.h"

namespace lissom::sim {

const char* to_string(Simulator simulator) {
  return simulator == Simulator::contact ? "contact" : "prescribed_acceleration";
}

Simulator simulator_of(const std::string& name) {
  for (auto simulator : {Simulator::contact, Simulator::prescribed_acceleration})
    if (name == to_string(simulator)) return simulator;
  throw Error(
      "no simulator " + in_quotes(name) +
      "; simulators: contact (torques act on a robot in a world with Coulomb friction), prescribed_acceleration "
      "(the controller's accelerations are integrated)");
}

std::unique_ptr<SimulatedRobot> simulated_robot(Simulator simulator, const Model& model, std::vector<Contact> contacts,
                                                const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                const RobotOptions& options) {
  const auto make = simulator == Simulator::contact ? contact_robot : prescribed_acceleration_robot;
  return make(model, std::move(contacts), q, v, options);
}

}  // namespace lissom::sim
