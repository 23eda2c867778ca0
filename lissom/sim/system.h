#pragma once
// A robot and all that acts on it: the right-hand side of its motion.
//   M(q) a + h(q, v) = tau_motors + tau_joints + Σ Jᵀ f (+ Jᵀ λ of closed loops)
// Motors obey their effort limits; joints have springs, dampers and dry friction as the model says; pushes act for a
// time; a controller and force laws are functions of the state. Belongs to one caller; a step allocates nothing.
#include <optional>
#include <vector>

#include "lissom/api/dynamics.h"
#include "lissom/constraints/closed_loops.h"
#include "lissom/sim/controller.h"
#include "lissom/sim/push.h"

namespace lissom::sim {

// Appends the forces of this moment.
using ForceLaw = std::function<void(const Instant&, std::vector<ExternalForce>&)>;

struct SystemOptions {
  bool passive_forces = true;  // springs, dampers and dry friction of the model's joints
  bool effort_limits = true;   // of what the controller asks for
  // Dry friction is friction · tanh(v / friction_speed): it sticks up to a creep of this order (rad/s, m/s).
  double friction_speed = 1e-3;
};

// Everything that acts, at one moment.
struct Applied {
  Eigen::VectorXd motors, tau;   // what motors give; with the joints' own forces, all of it
  std::vector<double> external;  // a force per body in the kernels' form: moment, linear, in its frame at its origin
  bool any_external = false;
};

class System {
 public:
  explicit System(Model model, SystemOptions options = {});

  void control(std::unique_ptr<Controller> controller) { controller_ = std::move(controller); }
  void control(ControlLaw law) { controller_ = controller(std::move(law)); }
  void add(const Push& push);
  void add(const Spring& spring);
  void add(ForceLaw law) { laws_.push_back(std::move(law)); }
  void close(Closures loops);

  const Model& model() const { return model_; }
  Workspace& work() { return work_; }
  ClosedLoops* loops() { return loops_ ? &*loops_ : nullptr; }
  const SystemOptions& options() const { return options_; }

  Applied applied() const;  // room for what acts
  // Error where a controller or a force is not finite: which, and when.
  void evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Applied& applied);
  // Error where it is not finite.
  void acceleration(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Applied& applied,
                    Eigen::VectorXd& a);
  // Both.
  void acceleration(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& a);
  // -∂tau/∂q and -∂tau/∂v of single degrees of freedom, after evaluate: a motor at its limit has none. Dry friction as
  // the damper that gives the same force now.
  void gains(const Eigen::VectorXd& v, Eigen::VectorXd& stiffness, Eigen::VectorXd& damping);
  // Adds what springs between points have of -(∂tau/∂v + h ∂tau/∂q), but for their turning.
  void add_spring_gains(const Eigen::VectorXd& q, double h, Eigen::Ref<Eigen::MatrixXd> matrix);
  // q and v to where closed loops are closed.
  void project(Eigen::VectorXd& q, Eigen::VectorXd& v);

  // ẋ = f(t, x) for other people's solvers: x = (q, v), nq + nv numbers; quaternions may be of any length but zero.
  int state_size() const { return model_.nq() + model_.nv(); }
  void derivative(double t, const double* x, double* x_dot);

  // Kinetic energy, and that of gravity and of springs.
  double kinetic_energy(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  double potential_energy(const Eigen::VectorXd& q);

 private:
  void add_spring_forces(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  void add_passive_forces(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau) const;

  Model model_;
  SystemOptions options_;
  Workspace work_, callers_work_;
  std::unique_ptr<Controller> controller_;
  std::vector<Push> pushes_;
  std::vector<Spring> springs_;
  std::vector<ForceLaw> laws_;
  std::vector<ExternalForce> forces_;
  std::optional<ClosedLoops> loops_;
  struct PassiveForce {
    int q, v;              // q = -1: no spring (a ball joint has no angle)
    double ratio, offset;  // the joint moves as ratio q + offset: 1 and 0 but for followers
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
