#pragma once
// Whole-body control: tasks and contacts on any link of the robot become torques, by one quadratic program per tick.
//
//   control::WholeBody controller(model);
//   auto com  = controller.add(control::CenterOfMassTask{.target = {0, 0, .6}, .stiffness = 50, .weight = 10});
//   auto foot = controller.add(control::Contact{.frame = "left_sole", .friction = .7});
//   const auto& tick = controller.solve(q, v);
//   if (tick.status == control::TickStatus::optimal) send(tick.torques);
//
// After Bouyarmane and Kheddar (docs/control.md): min Σ ‖ÿ_i - ÿ_i*‖² over accelerations and
// contact forces, subject to the equation of motion, friction cones, contacts that do not move, and limits of torques
// and joints. A controller belongs to one caller at a time. solve() neither allocates (after prepare()) nor throws.
#include <memory>

#include "lissom/constraints/contact.h"
#include "lissom/control/clearance.h"
#include "lissom/control/contact_margins.h"
#include "lissom/control/limits.h"
#include "lissom/control/passive_forces.h"
#include "lissom/control/task.h"
#include "lissom/control/tick.h"

namespace lissom::control {

/// How the tick is written as a quadratic program. All have the same solution. The first is fast; the others are those
/// of the paper, in the coordinates q themselves with the base's quaternion, and serve to check it.
enum class Formulation {
  reduced,     ///< variables (a, forces); torques are eliminated
  multiplier,  ///< (38): variables (q̈, torques, forces, λ), with the multiplier of the quaternion's norm
  projected,   ///< (37): variables (q̈, torques, forces), with the projected equation of motion
  oblique      ///< as projected, with the paper's own projector, which loses accuracy far from the origin
};
const char* to_string(Formulation formulation);

/// What a controller takes into account.
struct WholeBodyOptions {
  double step = 1e-3;  ///< s from one solve() to the next, by which the ramps of contacts advance
  Formulation formulation = Formulation::reduced;
  JointLimits joints = {};
  PassiveForces passive_forces = {};
  bool torque_limits = true;
  std::vector<std::string> passive = {};  ///< names of joints without a motor; free joints never have one
  /// Weights of ½ regularization ‖·‖² of accelerations and of forces, which determine what the tasks leave free.
  double acceleration_regularization = 1e-4, force_regularization = 1e-5;
};

/// Handles that add() returns. The index is that in Tick::tasks, Tick::contacts or Tick::clearances.
template <class Task>
struct TaskId {
  int index = -1;
};
struct ContactId {
  int index = -1;
};
struct ClearanceId {
  int index = -1;
};

/// The controller.
class WholeBody {
 public:
  /// Error if options.step is not positive, or a joint of options.passive is unknown.
  explicit WholeBody(const Model& model, const WholeBodyOptions& options = {});
  ~WholeBody();
  WholeBody(WholeBody&&) noexcept;
  WholeBody& operator=(WholeBody&&) noexcept;

  /// Adds a task, a contact or a clearance. Allocates; Error if a frame is unknown or a value is out of range.
  template <class Task>
  TaskId<Task> add(Task task) {
    return {add_task(std::move(task))};
  }
  ContactId add(Contact contact, const ContactMargins& margins = {});
  ClearanceId add(const Clearance& clearance);

  /// A task or contact as it was added. Targets, gains, weights and friction may be changed between ticks; frames and
  /// points are read only by add().
  template <class Task>
  Task& operator[](TaskId<Task> id) {
    return std::get<Task>(task(id.index));
  }
  Contact& operator[](ContactId id);
  /// Switches a task on or off. A contact is activated and released along its ramp; it is activated at its placement,
  /// or where its frame is at that tick if it has none.
  template <class Task>
  void enable(TaskId<Task> id, bool on = true) {
    enable_task(id.index, on);
  }
  void enable(ContactId id, bool on = true);
  /// Activates a contact without the ramp, because the robot already stands on it.
  void activate_without_ramp(ContactId id);
  /// Sets the placement at which a contact is active, instead of the one that it was added with.
  void set_placement(ContactId id, const Pose<double>& placement);
  /// Whether the contact takes part in the next tick; a released one does until the end of its ramp.
  bool active(ContactId id) const;
  void set_formulation(Formulation formulation);

  const Model& model() const;
  const WholeBodyOptions& options() const;
  /// Numbers of contacts and of tasks.
  int contacts() const;
  int tasks() const;
  const std::string& contact_name(int index) const;
  const std::string& task_name(int index) const;
  /// Degrees of freedom (indices of v) that have a motor.
  const std::vector<int>& motors() const;

  /// Allocates the memory that ticks need; otherwise the first tick after something was added does so.
  void prepare();
  /// Solves one tick. An invalid state (NaN, wrong size) returns TickStatus::invalid; the controller stays usable.
  const Tick& solve(const VectorIn& q, const VectorIn& v);
  /// The same for a snapshot of the sensed state, from which the caller has set targets: it is computed once for both.
  /// A snapshot of another model returns TickStatus::invalid; so does one with another gravity, or of a second load.
  const Tick& solve(const RobotSnapshot& robot);
  /// The last tick.
  const Tick& tick() const;
  /// Makes the next tick a cold start: forgets the active set of the last one. Ramps stay as they are.
  void forget();
  /// The conflicts of the last tick, one per line.
  std::string explain() const;

  struct Impl;

 private:
  int add_task(AnyTask task);
  AnyTask& task(int index);
  void enable_task(int index, bool on);
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::control
