#pragma once
// A robot in contact with its environment, which a controller drives tick by tick. It moves according to physics, not
// as the controller expects, and may differ from the controller's model: heavier, with delayed torques, noisy sensors,
// and pushes.
//
//   auto robot = sim::contact_robot(model, contacts, q, v, {.step = 1e-3});
//   while (robot->time() < 10) {
//     robot->sense(q, v);
//     if (!robot->step(torques(q, v))) throw Error(robot->failure());
//   }
//
// docs/contact_simulation.md has the equations. A robot must not be used by two threads at a time.
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "lissom/constraints/contact.h"
#include "lissom/sim/command.h"
#include "lissom/sim/force_law.h"
#include "lissom/sim/imperfections.h"
#include "lissom/world/work.h"

namespace lissom::sim {

/// Something in the surroundings of a robot that never moves.
struct FixedShape {
  std::string name;
  Shape shape;
  Pose<double> pose{};
  double rounding = 0;  ///< radius of the edges of a box or cylinder, m
};

/// A piece of ground for one contact, beside the plane z = 0: a stair, a slope, a wall.
struct Patch {
  std::size_t contact = 0;       ///< its index; only points of this contact touch the patch
  Pose<double> surface;          ///< the patch is around its origin, in its plane z = 0, and z points out of the ground
  double length = 0, width = 0;  ///< m, along its x and y axes; 0: as large as the contact and a margin
};

/// How a robot is simulated.
struct RobotOptions {
  double step = 1e-3;  ///< length of a tick, s
  int substeps = 1;    ///< simulation steps per tick
  Imperfections imperfections = {};
  /// Further forces, which may depend on the state: someone who pulls at the robot. Asked once per simulation step.
  ForceLaw forces = {};
  /// What stands around the robot, besides the ground. Links whose body has no contact must not touch it. Only
  /// contact_robot knows such things; the others throw an Error.
  std::vector<FixedShape> surroundings = {};
  /// The friction of the ground and the surroundings: a contact has the smaller one of this and its own. Only for
  /// contact_robot.
  double max_friction = std::numeric_limits<double>::infinity();
  std::vector<Patch> patches = {};  ///< only contact_robot has them
  /// Gains of servos, one per degree of freedom, zero where there is none: joints then take Command::targets instead of
  /// torques. Empty: they take torques. Only contact_robot knows servos.
  Eigen::VectorXd servo_stiffness = {}, servo_damping = {};
};

/// A contact that carries less than this fraction of the robot's weight has just closed or is about to open.
inline constexpr double light_load = .05;

/// The load of a contact: the mean over a tick (in a World with the impulses of impacts); friction_use is the maximum
/// over the tick.
struct ContactState {
  /// Wrench on the frame, about its origin, along the world's axes, in N and N m.
  Vec3<double> force = {0, 0, 0}, torque = {0, 0, 0};
  double normal = 0;  ///< normal force of all points together, N
  /// The smallest possible maximum of |tangential| / (friction · normal) over the points that touch, among all
  /// distributions of the force to these points; accurate to 0.001 where it is above 0.5. In a World it is at most 1,
  /// and 1 where the contact slips; a fixed contact has none. With more than 1 (at most 1000) the points cannot carry
  /// the force that a prescribed acceleration needs.
  double friction_use = 0;
  double slip = 0;  ///< distance along the ground since the contact closed, largest of all points, m
  /// The part of it while the contact carried more than light_load of the weight, m. Feet that are lifted drag a
  /// little.
  double loaded_slip = 0;
  int points = 0;  ///< number of points that touch
};

/// The energy of a simulated robot, J, and what changed it in the last tick. A robot that follows accelerations has no
/// work: nothing says which torques it took.
struct RobotEnergy {
  double kinetic = 0, potential = 0;
  Work work;
};

/// A robot that takes torques and moves, with sensors. It belongs to one caller at a time.
class SimulatedRobot {
 public:
  virtual ~SimulatedRobot() = default;
  virtual const RobotOptions& options() const = 0;
  virtual double time() const = 0;
  /// The simulated robot, with its true masses.
  virtual const Model& model() const = 0;
  /// The true state.
  virtual const Eigen::VectorXd& q() const = 0;
  virtual const Eigen::VectorXd& v() const = 0;
  /// Measures the state; the noise is independent in every call.
  virtual void sense(Eigen::VectorXd& q, Eigen::VectorXd& v) = 0;
  /// One tick. Returns false if the run has failed; the state then no longer changes, also in later calls.
  virtual bool step(const Command& command) = 0;
  /// One tick with torques only, one per degree of freedom.
  virtual bool step(const Eigen::VectorXd& torques) = 0;
  /// One tick: measures the state and calls a controller, which gets the model that the robot was created with.
  virtual bool step(Controller& controller) = 0;
  /// The command of the last tick, before the delay.
  virtual const Command& command() const = 0;
  /// Why the run has failed: "chest hits the ground at t = 2.31 s"; empty while it has not.
  virtual const std::string& failure() const = 0;
  /// Whether it moves as the accelerations of its commands say, not its torques: these then do not explain its energy.
  virtual bool follows_accelerations() const { return false; }
  /// The energy of the true state.
  virtual const RobotEnergy& energy() const = 0;
  /// In the order in which the contacts were given.
  virtual const std::vector<ContactState>& contacts() const = 0;
};

// The contacts define where the robot may touch: faces (or points) of its frames, with friction. They touch the plane
// z = 0, or the plane z = 0 of the contact's placement if it has one.

/// Applies the torques of the command, within the effort limits, to a robot in a World (lissom/world/world.h): contacts
/// stick, slip, tip and lift off according to Coulomb's law. A fixed contact holds all the time, where the robot
/// starts. The run fails if a link hits the ground whose body has no contact.
std::unique_ptr<SimulatedRobot> contact_robot(const Model& model, std::vector<Contact> contacts,
                                              const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                              const RobotOptions& options = {});

/// Integrates the accelerations of the command; the command also determines which contacts are active, and their
/// forces. `contacts` are those of the command, in the same order. A push adds M⁻¹ Jᵀ f, projected onto the motions
/// that the active contacts allow.
std::unique_ptr<SimulatedRobot> prescribed_acceleration_robot(const Model& model, std::vector<Contact> contacts,
                                                              const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                              const RobotOptions& options = {});

/// The simulators, by name.
enum class Simulator { contact, prescribed_acceleration };
const char* to_string(Simulator simulator);
/// Throws an Error that lists the names if there is none of this name.
Simulator simulator_of(const std::string& name);
std::unique_ptr<SimulatedRobot> simulated_robot(Simulator simulator, const Model& model, std::vector<Contact> contacts,
                                                const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                const RobotOptions& options = {});

}  // namespace lissom::sim
