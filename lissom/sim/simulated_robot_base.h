#pragma once
// The common part of all simulated robots: time and state, sensors, pushes, the delay of commands, links that hit the
// ground, and failures. Not for users.
#include <optional>
#include <span>

#include "lissom/api/dynamics.h"
#include "lissom/geometry/collision_geometry.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::sim {

class SimulatedRobotBase : public SimulatedRobot {
 public:
  const RobotOptions& options() const override { return options_; }
  double time() const override { return time_; }
  const Model& model() const override { return model_; }
  const Eigen::VectorXd& q() const override { return q_; }
  const Eigen::VectorXd& v() const override { return v_; }
  void sense(Eigen::VectorXd& q, Eigen::VectorXd& v) override { sensors_.read(model_, q_, v_, q, v); }
  bool step(const Command& command) override;
  bool step(const Eigen::VectorXd& torques) override;
  bool step(Controller& controller) override;
  const Command& command() const override { return command_; }
  const std::string& failure() const override { return failure_; }
  const RobotEnergy& energy() const override { return energy_; }
  const std::vector<ContactState>& contacts() const override { return contacts_; }

 protected:
  // Throws an Error if the state does not fit the model, or an option is out of range.
  SimulatedRobotBase(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                     const RobotOptions& options, std::size_t contacts);

  // One tick. `delayed` is the vector that delayed_part() selects from a command, after the delay. Returns false after
  // fail().
  virtual bool move(const Eigen::VectorXd& delayed) = 0;
  virtual const Eigen::VectorXd& delayed_part(const Command& command) const = 0;
  virtual const char* delayed_name() const = 0;
  virtual int delayed_size() const { return model_.nv(); }

  bool fail(const std::string& what);
  // Sets v and integrates q along it for a time; fails if the result is not finite.
  bool advance(const Eigen::VectorXd& v, double time);
  // Sets the state that is reached after a time; fails if it is not finite.
  bool adopt(const Eigen::VectorXd& q, const Eigen::VectorXd& v, double time);
  // Called at the end of a tick. By default, fails if a link is below the ground.
  virtual bool check_links();
  // Writes the energies of the state to energy_, and leaves the work as it is.
  virtual void read_energy();
  // The pushes and other external forces that act in this step.
  std::span<const ExternalForce> pushes();

  Model model_;  // with the true masses
  Workspace work_;
  RobotOptions options_;
  Command command_;  // of this tick
  Eigen::VectorXd q_, v_, zero_;
  std::vector<ContactState> contacts_;
  RobotEnergy energy_;
  double ground_ = 0;  // height of the lowest ground plane

 private:
  bool step_by_command();
  bool check_finite(const Eigen::VectorXd& delayed);

  double time_ = 0;
  long ticks_ = 0;
  std::string failure_;
  CollisionGeometry geometry_;
  Sensors sensors_;
  std::vector<Eigen::VectorXd> commands_;  // a ring buffer of delay + 1 commands
  std::vector<ExternalForce> external_;
  Eigen::VectorXd next_q_, sensed_q_, sensed_v_;
  Model controller_model_;  // the model that controllers get
  Workspace controller_work_;
  std::optional<Workspace> law_work_;  // that a law of forces gets
};

}  // namespace lissom::sim
