#pragma once
// Whole-body controllers of Python. Tasks and contacts are objects of Python, which the controller's own copies follow:
// they are copied before each tick, so that `controller[task].target = …` counts from the next one on.
#include "contacts.h"
#include "lissom/control/motion_runner.h"

LISSOM_ENUM(lissom::control::TickStatus, "optimal", "elastic", "infeasible", "limit", "invalid")
LISSOM_ENUM(lissom::control::Formulation, "reduced", "multiplier", "projected", "oblique")

namespace lissom::python {

template <>
inline constexpr bool fields_in_place<control::PointTask> = true;
template <>
inline constexpr bool fields_in_place<control::FrameTask> = true;
template <>
inline constexpr bool fields_in_place<control::CenterOfMassTask> = true;
template <>
inline constexpr bool fields_in_place<control::MomentumTask> = true;
template <>
inline constexpr bool fields_in_place<control::PostureTask> = true;
template <>
inline constexpr bool fields_in_place<control::TorqueTask> = true;
template <>
inline constexpr bool fields_in_place<control::ForceTask> = true;
template <>
inline constexpr bool fields_in_place<control::GazeTask> = true;
template <>
inline constexpr bool fields_in_place<control::WholeBodyOptions> = true;
template <>
inline constexpr bool fields_in_place<control::Clearance> = true;
template <>
inline constexpr bool fields_in_place<Capsule> = true;
LISSOM_PYTHON_TYPE(Capsule, "Capsule")
LISSOM_PYTHON_TYPE(control::JointLimits, "JointLimits")
LISSOM_PYTHON_TYPE(control::PassiveForces, "PassiveForces")

inline auto whole_body_fields() {
  using O = control::WholeBodyOptions;
  return std::tuple{
      Field{"step", &O::step, "From one solve() to the next, by which the ramps of contacts advance, s."},
      Field{"formulation", &O::formulation,
            "How the tick is written as a quadratic program; all have the same solution, 'reduced' is fast."},
      Field{"joints", &O::joints, "Which joint limits are kept, and how."},
      Field{"passive_forces", &O::passive_forces,
            "Which damping, dry friction and springs of joints it knows, and compensates."},
      Field{"torque_limits", &O::torque_limits, ""},
      Field{"passive", &O::passive, "Names of joints without a motor; free joints never have one."},
      Field{"acceleration_regularization", &O::acceleration_regularization, "Weight of ½ ‖a‖²."},
      Field{"force_regularization", &O::force_regularization, "Weight of ½ ‖forces‖²."}};
}

/// A controller, alone or that of a MotionRunner, with the objects of Python that it follows.
struct ControlCore {
  using Sync = void (*)(control::WholeBody&, int, nb::handle);
  struct Followed {
    int index;
    nb::object object;
    Sync sync;
  };

  Model model;
  std::optional<control::WholeBody> own = {};
  std::unique_ptr<control::MotionRunner> runner = {};
  std::vector<Followed> tasks = {}, contacts = {};
  InUse in_use = {};

  explicit ControlCore(const Model& m) : model(m) {}
  control::WholeBody& body() {
    if (own) return *own;
    if (runner) return runner->controller();
    throw Error("this controller has been freed");  // by the garbage collector, while others of its cycle still run
  }
  InUse::Taken take() { return in_use.take(own ? "WholeBody" : "MotionRunner"); }
  /// Takes over what was changed in Python. With the GIL.
  void follow();
};

struct BoundWholeBody {
  std::shared_ptr<ControlCore> core;
};

struct BoundTaskId {
  int index = -1;
};

/// A tick that stays as it is when the controller goes on.
struct BoundTick {
  struct Conflict {
    std::string name;
    double amount = 0;
    std::string unit;
  };
  explicit BoundTick(const control::Tick& t);
  control::Tick tick;
  std::string reason;
  std::vector<Conflict> conflicts;
};

/// Adds a task (of lissom, or any object with `size` and `evaluate`), a contact or a clearance, and returns its handle.
nb::object add_to(ControlCore& core, nb::handle what);

void bind_tasks(nb::module_& control);
void bind_tick(nb::module_& control);
void bind_whole_body(nb::module_& control);
void bind_motion_plan(nb::module_& control);
void bind_motion_runner(nb::module_& control);
void bind_motion_run(nb::module_& control);
void bind_generated_motions(nb::module_& control);

/// The garbage collector has to see the tasks: one that holds its controller would never be freed.
int traverse_core(const std::shared_ptr<ControlCore>& core, visitproc visit, void* arg);
void clear_core(const std::shared_ptr<ControlCore>& core);
template <class T>
int traverse(PyObject* self, visitproc visit, void* arg) {
#if PY_VERSION_HEX >= 0x03090000
  Py_VISIT(Py_TYPE(self));
#endif
  return nb::inst_ready(self) ? traverse_core(nb::inst_ptr<T>(self)->core, visit, arg) : 0;
}
template <class T>
int clear(PyObject* self) {
  if (nb::inst_ready(self)) clear_core(nb::inst_ptr<T>(self)->core);
  return 0;
}
template <class T>
inline PyType_Slot core_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(&traverse<T>)},
                                   {Py_tp_clear, reinterpret_cast<void*>(&clear<T>)},
                                   {0, nullptr}};

}  // namespace lissom::python
