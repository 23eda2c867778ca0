#pragma once
// Controllers compute the torques of the motors. The same controller drives a System, which calls it at every stage of
// an integrator (unless IntegratorOptions::zero_order_hold is set), and a SimulatedRobot, which calls it once per tick.
// It adds its torques to tau, and may be a function of (const Instant&, Eigen::VectorXd& tau), as a lambda is.
#include <functional>
#include <memory>

#include "lissom/api/workspace.h"
#include "lissom/sim/command.h"

namespace lissom::sim {

/// A state at a time, and a workspace for computations.
struct Instant {
  const Model& model;
  Workspace& work;
  double t;
  const Eigen::VectorXd& q;
  const Eigen::VectorXd& v;
};

/// Computes the torques of the motors from the time and the state.
class Controller {
 public:
  virtual ~Controller() = default;
  virtual const char* name() const { return "controller"; }
  /// Adds its torques to tau, which has nv elements.
  virtual void torques(const Instant& at, Eigen::VectorXd& tau) = 0;
  /// Writes the command of one tick of a SimulatedRobot: by default torques() alone.
  virtual void command(const Instant& at, Command& command);
  /// Adds the diagonals of -∂tau/∂q and -∂tau/∂v, for integrators that are implicit in them.
  virtual void gains(Eigen::VectorXd& stiffness, Eigen::VectorXd& damping) const;
};

using ControlLaw = std::function<void(const Instant&, Eigen::VectorXd& tau)>;
/// A controller that calls a function.
std::unique_ptr<Controller> controller(ControlLaw law);

/// The reference of a tracking controller.
struct Reference {
  Eigen::VectorXd q, v, a;
};
/// Writes the reference at time t. v and a are zero when it is called.
using Trajectory = std::function<void(double t, Reference&)>;
/// The trajectory that stays at q.
Trajectory hold(Eigen::VectorXd q);
/// The minimum-jerk trajectory from one configuration to another, at rest at both ends: it leaves the first at the time
/// `start`, arrives `seconds` later and stays. Throws Error if one of them is no configuration or not finite, or if
/// `seconds` is negative.
Trajectory reach(const Model& model, const Eigen::VectorXd& from, const Eigen::VectorXd& to, double start,
                 double seconds);

/// The gains of a tracking controller: N m/rad and N m s/rad, or N/m and N s/m.
struct Gains {
  double stiffness = 100, damping = 10;
};
/// tau = stiffness (q_ref - q) + damping (v_ref - v) in every joint; free joints have no motor.
std::unique_ptr<Controller> pd(const Model& model, Trajectory trajectory, Gains gains = {},
                               bool gravity_compensation = false);
/// tau = M (a_ref + stiffness (q_ref - q) + damping (v_ref - v)) + h: the gains are per unit of inertia. For a robot
/// with a free base, only the torques of the actuated joints are applied.
std::unique_ptr<Controller> computed_torque(const Model& model, Trajectory trajectory, Gains gains = {});
/// tau = g(q); free joints have no motor.
std::unique_ptr<Controller> gravity_compensation(const Model& model);

}  // namespace lissom::sim
