#pragma once
// A robot in contact with its surroundings, that a controller acts on tick by tick. It moves as physics says, not as
// the controller expects, and may be another robot than the controller believes: heavier, slower to obey, badly sensed,
// pushed.
//
//   auto robot = sim::rigid_contact_robot(model, contacts, q, v, {.step = 1e-3});
//   while (robot->time() < 10) {
//     robot->sense(q, v);
//     if (!robot->step(torques(q, v))) throw Error(robot->failure());
//   }
//
// docs/contact_simulation.md has the equations. A robot belongs to one caller at a time.
#include <memory>
#include <string>
#include <vector>

#include "lissom/constraints/contact.h"
#include "lissom/sim/command.h"
#include "lissom/sim/controller.h"
#include "lissom/sim/imperfections.h"

namespace lissom::sim {

struct RobotOptions {
  double step = 1e-3;  // length of a tick, s
  int substeps = 1;    // of the simulation in a tick
  Imperfections imperfections = {};
};

/// A contact that carries less than this part of the robot's weight, as one that comes or leaves, may slip a little.
inline constexpr double light_load = .05;

/// What a contact carries: the mean over a tick (without impacts); of friction_use the largest in it.
struct ContactState {
  Vec3<double> force = {0, 0, 0}, torque = {0, 0, 0};  // on the frame, about its origin, along the world's axes
  double normal = 0;                                   // of all points together
  // Of all ways to share the force among the points that touch, the one whose largest |tangent| / (friction · normal)
  // is smallest: that ratio, to a thousandth where it is above 0.5. More than 1: the points cannot carry it, and the
  // face slips. (1000 at most.)
  double friction_use = 0;
  double slip = 0;  // m: how far the face has moved along the ground since it came, the farthest of its points
  int points = 0;   // that touch
};

class SimulatedRobot {
 public:
  virtual ~SimulatedRobot() = default;
  virtual const RobotOptions& options() const = 0;
  virtual double time() const = 0;
  /// The robot as it is, with its true masses.
  virtual const Model& model() const = 0;
  /// The true state.
  virtual const Eigen::VectorXd& q() const = 0;
  virtual const Eigen::VectorXd& v() const = 0;
  /// What sensors say of it; every call has noise of its own.
  virtual void sense(Eigen::VectorXd& q, Eigen::VectorXd& v) = 0;
  /// One tick. False where the run has failed; the state then stays as it is, also in later calls.
  virtual bool step(const Command& command) = 0;
  /// One tick with torques alone, one per degree of freedom.
  virtual bool step(const Eigen::VectorXd& torques) = 0;
  /// One tick: senses, and asks a controller, which sees the model that the robot was made with.
  virtual bool step(Controller& controller) = 0;
  /// The command of the last tick, as it was given.
  virtual const Command& command() const = 0;
  /// In words: "left_sole slips: friction use 1.3 at t = 2.31 s"; empty while there is none.
  virtual const std::string& failure() const = 0;
  /// In the order of the contacts given.
  virtual const std::vector<ContactState>& contacts() const = 0;
};

// The contacts say where the robot may touch: faces (or points) of its frames, with friction. What they touch is the
// plane z = 0, or the plane z = 0 of the contact's place where it has one.

/// Takes torques alone. Points that touch are held by rigid constraints, released where they would have to pull, and
/// come down by inelastic impacts. The run fails where a face slips (one that has just come or carries next to nothing:
/// where it slips by a millimeter) or another link hits the ground.
std::unique_ptr<SimulatedRobot> rigid_contact_robot(const Model& model, std::vector<Contact> contacts,
                                                    const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                    const RobotOptions& options = {});

/// Integrates the accelerations of the command; what touches and with which force is what the command says. `contacts`
/// are those of the command, in the same order. A push adds M⁻¹ Jᵀ f, as far as the active contacts let it.
std::unique_ptr<SimulatedRobot> prescribed_acceleration_robot(const Model& model, std::vector<Contact> contacts,
                                                              const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                              const RobotOptions& options = {});

/// Either of them, by name.
enum class Simulator { rigid_contact, prescribed_acceleration };
const char* to_string(Simulator simulator);
/// Error with the names there are.
Simulator simulator_of(const std::string& name);
std::unique_ptr<SimulatedRobot> simulated_robot(Simulator simulator, const Model& model, std::vector<Contact> contacts,
                                                const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                const RobotOptions& options = {});

}  // namespace lissom::sim
