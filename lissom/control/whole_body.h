#pragma once
// Whole-body control: tasks and contacts on any link of the robot, turned into torques by one quadratic program a tick.
//
//   control::WholeBody controller(model);
//   auto com  = controller.add(control::CenterOfMassTask{.target = {0, 0, .6}, .stiffness = 50, .weight = 10});
//   auto foot = controller.add(control::Contact{.frame = "left_sole", .friction = .7});
//   const auto& tick = controller.solve(q, v);
//   if (tick.status == control::TickStatus::optimal) send(tick.torques);
//
// After Bouyarmane and Kheddar (docs/control.md): min Σ ‖ÿ_i - ÿ_i*‖² over accelerations and
// contact forces, subject to the equation of motion, friction cones, contacts that do not move, and limits of torque
// and joints. A controller belongs to one caller at a time. solve() neither allocates (after prepare()) nor throws.
#include <memory>

#include "lissom/constraints/contact.h"
#include "lissom/control/clearance.h"
#include "lissom/control/limits.h"
#include "lissom/control/task.h"
#include "lissom/control/tick.h"

namespace lissom::control {

// How the tick is written as a quadratic program. All give the same answer; the first is fast, the others are the
// paper's, in the coordinates q itself with the base's quaternion, and check it.
enum class Formulation {
  reduced,     // variables (a, forces); torques eliminated
  multiplier,  // (38): variables (q̈, torques, forces, λ), with the multiplier of the quaternion's length
  projected,   // (37): variables (q̈, torques, forces), with the projected equation of motion
  oblique      // the same with the paper's own projector, which suffers far from the origin
};
const char* to_string(Formulation formulation);

struct WholeBodyOptions {
  double step = 1e-3;  // from one solve() to the next: moves the ramps of contacts
  Formulation formulation = Formulation::reduced;
  JointLimits joints = {};
  bool torque_limits = true;
  std::vector<std::string> passive = {};  // joints without a motor; those of free joints never have one
  // What is left undetermined is kept small: ½ regularization ‖·‖² of accelerations and of forces.
  double acceleration_regularization = 1e-4, force_regularization = 1e-5;
};

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

class WholeBody {
 public:
  explicit WholeBody(const Model& model, const WholeBodyOptions& options = {});
  ~WholeBody();
  WholeBody(WholeBody&&) noexcept;
  WholeBody& operator=(WholeBody&&) noexcept;

  // Allocate; Error where a frame is unknown or a number makes no sense.
  template <class Task>
  TaskId<Task> add(Task task) {
    return {add_task(std::move(task))};
  }
  ContactId add(Contact contact);
  ClearanceId add(const Clearance& clearance);

  // Targets, gains, weights, friction may be changed between ticks; frames and points are read when they are added.
  template <class Task>
  Task& operator[](TaskId<Task> id) {
    return std::get<Task>(task(id.index));
  }
  Contact& operator[](ContactId id);
  // Tasks count or do not. A contact comes and goes with its ramp: it comes at its place, or where its frame is then.
  template <class Task>
  void enable(TaskId<Task> id, bool on = true) {
    enable_task(id.index, on);
  }
  void enable(ContactId id, bool on = true);
  // Without the ramp: on this the robot stands already.
  void activate_without_ramp(ContactId id);
  // A contact that has come at another place than it was added with.
  void place(ContactId id, const Pose<double>& place);
  // Takes part in the next tick; not any more at the end of its ramp.
  bool active(ContactId id) const;
  void set_formulation(Formulation formulation);

  const Model& model() const;
  const WholeBodyOptions& options() const;
  int contacts() const;
  int tasks() const;
  const std::string& contact_name(int index) const;
  const std::string& task_name(int index) const;
  // Degrees of freedom that have a motor.
  const std::vector<int>& motors() const;

  // Makes the memory that ticks need now; otherwise the first one after something was added does so.
  void prepare();
  // q and v of any content: what is no state gives TickStatus::invalid, and the next tick is as good as any.
  const Tick& solve(const VectorIn& q, const VectorIn& v);
  const Tick& tick() const;
  // The ramps stay as they are; active rows of the last tick are forgotten.
  void forget();
  // The conflicts of the last tick, a line each.
  std::string explain() const;

  struct Impl;

 private:
  int add_task(AnyTask task);
  AnyTask& task(int index);
  void enable_task(int index, bool on);
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::control
