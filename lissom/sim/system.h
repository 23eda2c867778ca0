#pragma once
// A robot and all forces on it: the right-hand side of its equation of motion.
//   M(q) a + h(q, v) = tau_motors + tau_joints + Σ Jᵀ f (+ Jᵀ λ of closed loops)
// Motors obey their effort limits; joints have the springs, dampers and dry friction of the model; pushes act during an
// interval; a controller and force laws are functions of the state. A System must not be used by two threads at a time.
// A step allocates nothing.
#include <optional>
#include <vector>

#include "lissom/api/dynamics.h"
#include "lissom/constraints/closed_loops.h"
#include "lissom/sim/force_law.h"
#include "lissom/sim/push.h"
#include "lissom/world/work.h"

namespace lissom::sim {

/// Which forces act in a system.
struct SystemOptions {
  bool passive_forces = true;  ///< springs, dampers and dry friction of the model's joints
  bool effort_limits = true;   ///< the controller's torques are clipped to the joints' effort limits
  /// Dry friction is friction · tanh(v / friction_speed): a joint that sticks creeps with up to this order (rad/s,
  /// m/s).
  double friction_speed = 1e-3;
};

/// The forces at one instant.
struct Applied {
  Eigen::VectorXd commanded;  ///< torques that the controller asks for
  Eigen::VectorXd motors;     ///< the same within the effort limits: torques of the motors
  Eigen::VectorXd tau;        ///< the same plus passive joint forces
  /// A spatial force (angular, linear) per body, in the body's frame at its origin.
  std::vector<double> external;
  bool any_external = false;
};

/// A robot without contact, with its controller and the forces on it. It belongs to one caller at a time.
class System {
 public:
  explicit System(Model model, SystemOptions options = {});

  /// Sets the controller.
  void control(std::unique_ptr<Controller> controller) { controller_ = std::move(controller); }
  void control(ControlLaw law) { controller_ = controller(std::move(law)); }
  /// Sets the controller, and returns the one before; nullptr stands for none.
  std::unique_ptr<Controller> exchange_control(std::unique_ptr<Controller> controller) {
    std::swap(controller_, controller);
    return controller;
  }
  /// Adds forces: they act in addition to those added before.
  void add(const Push& push);
  void add(const Spring& spring);
  void add(ForceLaw law) { laws_.push_back(std::move(law)); }
  /// Replaces the closures of the model's description.
  void close(Closures loops);

  const Model& model() const { return model_; }
  Workspace& work() { return work_; }
  /// nullptr if there are no closed loops.
  ClosedLoops* loops() { return loops_ ? &*loops_ : nullptr; }
  const SystemOptions& options() const { return options_; }
  const std::vector<Push>& pushes() const { return pushes_; }
  const std::vector<Spring>& springs() const { return springs_; }
  bool has_force_laws() const { return !laws_.empty(); }

  /// An Applied with buffers of the right size.
  Applied applied() const;
  /// Computes the forces. Throws an Error that names the source and the time if a torque or force is not finite.
  void evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Applied& applied);
  /// The acceleration under given forces. Throws an Error if it is not finite.
  void acceleration(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Applied& applied,
                    Eigen::VectorXd& a);
  /// evaluate(), then acceleration().
  void acceleration(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& a);
  /// The diagonals of -∂tau/∂q and -∂tau/∂v, after evaluate(). A motor at its limit contributes nothing; dry friction
  /// counts as the damper that gives the same force at v.
  void gains(const Eigen::VectorXd& v, Eigen::VectorXd& stiffness, Eigen::VectorXd& damping);
  /// The part of the passive joint forces in them.
  void passive_gains(const Eigen::VectorXd& v, Eigen::VectorXd& stiffness, Eigen::VectorXd& damping) const;
  /// Adds the derivatives of the passive joint forces with respect to q, along the tangent space, and v: dq is nv × nv,
  /// dv the diagonal. (Dry friction has the slope of its law, where gains() have the secant.) damping_change, unless
  /// nullptr: the derivatives of the damping of passive_gains() with respect to v.
  void add_passive_slopes(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::MatrixXd& dq, Eigen::VectorXd& dv,
                          Eigen::VectorXd* damping_change) const;
  /// The motors' part of the gains above, whether or not a motor is at its limit; zeros without a controller.
  void motor_gains(Eigen::VectorXd& stiffness, Eigen::VectorXd& damping) const;
  /// Whether the controller reports gains, so that integrators that are implicit in them have an effect.
  bool has_motor_gains() const;
  /// The largest torque of a motor: its effort limit, or infinity without effort_limits.
  double max_torque(int dof) const;
  /// Degrees of freedom whose motor was at its limit in the last evaluate().
  const std::vector<bool>& at_limit() const { return at_limit_; }
  /// The power of the forces of the last evaluate() at q and v, W. Dampers are evaluated at damper_v: integrators that
  /// are implicit in them give the velocity at the end of the step.
  Work power(const Applied& applied, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
             const Eigen::VectorXd& damper_v);
  Work power(const Applied& applied, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    return power(applied, q, v, v);
  }
  /// Adds -(∂tau/∂v + h ∂tau/∂q) of springs between points, without the part from the rotation of their direction.
  void add_spring_gains(const Eigen::VectorXd& q, double h, Eigen::Ref<Eigen::MatrixXd> matrix);
  /// Projects q and v onto the states in which all loops are closed. Throws an Error that names a loop if it stays
  /// open.
  void project(Eigen::VectorXd& q, Eigen::VectorXd& v);
  /// The same; adds the change of energy to work.loops.
  void project(Eigen::VectorXd& q, Eigen::VectorXd& v, Work& work);

  /// ẋ = f(t, x) for other ODE solvers: x = (q, v), nq + nv elements; quaternions may have any norm but zero.
  int state_size() const { return model_.nq() + model_.nv(); }
  void derivative(double t, const double* x, double* x_dot);

  double kinetic_energy(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  /// Potential energy of gravity and of all springs, J.
  double potential_energy(const Eigen::VectorXd& q);

 private:
  void add_spring_forces(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  double spring_power(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  void add_passive_forces(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau) const;

  Model model_;
  SystemOptions options_;
  Workspace work_, callers_work_;  // callers_work_: for controllers and force laws
  std::unique_ptr<Controller> controller_;
  std::vector<Push> pushes_;
  std::vector<Spring> springs_;
  std::vector<ForceLaw> laws_;
  std::vector<ExternalForce> forces_;               // of pushes, springs and laws, in this order
  std::size_t push_count_ = 0, first_of_laws_ = 0;  // in forces_
  std::optional<ClosedLoops> loops_;
  struct PassiveForce {
    int q, v;              // q = -1: no spring (a spherical joint has no angle)
    double ratio, offset;  // the joint's position is ratio q + offset: 1 and 0 except for mimic joints
    double stiffness, rest, damping, friction;
  };
  std::vector<PassiveForce> passive_forces_;
  Eigen::VectorXd q_, v_, a_, closed_q_, closed_v_, force_, stretch_;
  Columns6 J_, J_from_;
  Applied applied_;
  std::vector<bool> at_limit_;
  Eigen::VectorXd motor_stiffness_, motor_damping_;
};

}  // namespace lissom::sim
