#pragma once
// What all simulated robots share: time and state, sensors, pushes, the delay of commands, links that hit the ground,
// and how a run fails. Not for users.
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
  const std::vector<ContactState>& contacts() const override { return contacts_; }

 protected:
  // Error where state and model do not belong to each other, or an option makes no sense.
  SimulatedRobotBase(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                     const RobotOptions& options, std::size_t contacts);

  // One tick. `delayed` is the part of the command that has come through the delay: what delayed_part() selects.
  // False after fail().
  virtual bool move(const Eigen::VectorXd& delayed) = 0;
  virtual const Eigen::VectorXd& delayed_part(const Command& command) const = 0;
  virtual const char* delayed_name() const = 0;

  bool fail(const std::string& what);
  // v, then q along it, for a time; false where that is not a state.
  bool advance(const Eigen::VectorXd& v, double time);
  // That act now.
  std::span<const ExternalForce> pushes();

  Model model_;  // the true one
  Workspace work_;
  RobotOptions options_;
  Command command_;  // of this tick
  Eigen::VectorXd q_, v_, zero_;
  std::vector<ContactState> contacts_;
  double ground_ = 0;  // the lowest

 private:
  bool step_by_command();
  bool check_finite(const Eigen::VectorXd& delayed);
  bool check_links();

  double time_ = 0;
  long ticks_ = 0;
  std::string failure_;
  CollisionGeometry geometry_;
  Sensors sensors_;
  std::vector<Eigen::VectorXd> commands_;  // a ring of delay + 1
  std::vector<ExternalForce> external_;
  Eigen::VectorXd next_q_, sensed_q_, sensed_v_;
  Model believed_;  // by controllers
  Workspace controllers_work_;
};

}  // namespace lissom::sim
