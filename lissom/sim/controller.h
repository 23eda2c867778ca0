#pragma once
// What drives the motors. The same controller drives a System, which asks it at every stage of an integrator (unless it
// is frozen), and a SimulatedRobot, which asks it once a tick. It adds its torques to tau, and may be a function:
// `system.control([](const Instant& at, Eigen::VectorXd& tau) { … })`.
#include <functional>
#include <memory>

#include "lissom/api/workspace.h"
#include "lissom/sim/command.h"

namespace lissom::sim {

// A state at a time, and a workspace to compute with.
struct Instant {
  const Model& model;
  Workspace& work;
  double t;
  const Eigen::VectorXd& q;
  const Eigen::VectorXd& v;
};

class Controller {
 public:
  virtual ~Controller() = default;
  virtual const char* name() const { return "controller"; }
  virtual void torques(const Instant& at, Eigen::VectorXd& tau) = 0;
  /// One tick of a SimulatedRobot. Unless a controller knows more, torques() alone.
  virtual void command(const Instant& at, Command& command);
  // Adds -∂tau/∂q and -∂tau/∂v of single degrees of freedom, for the integrators that are implicit in them.
  virtual void gains(Eigen::VectorXd& stiffness, Eigen::VectorXd& damping) const;
};

using ControlLaw = std::function<void(const Instant&, Eigen::VectorXd& tau)>;
std::unique_ptr<Controller> controller(ControlLaw law);

// Where to be, how fast, and with which acceleration; v and a come set to zero.
struct Reference {
  Eigen::VectorXd q, v, a;
};
using Trajectory = std::function<void(double t, Reference&)>;
Trajectory hold(Eigen::VectorXd q);

struct Gains {
  double stiffness = 100, damping = 10;
};
// tau = stiffness (q_ref - q) + damping (v_ref - v) in every joint; free joints are not driven.
std::unique_ptr<Controller> pd(const Model& model, Trajectory trajectory, Gains gains = {},
                               bool gravity_compensation = false);
// tau = M (a_ref + stiffness (q_ref - q) + damping (v_ref - v)) + h: gains per unit of inertia. Of a robot on a free
// base the joints' part.
std::unique_ptr<Controller> computed_torque(const Model& model, Trajectory trajectory, Gains gains = {});
// tau = g(q), free joints not driven.
std::unique_ptr<Controller> gravity_compensation(const Model& model);

}  // namespace lissom::sim
