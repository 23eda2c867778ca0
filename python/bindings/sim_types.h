#pragma once
// Simulation in Python: systems, controllers, integrators and robots in contact, each with what it has to keep alive.
#include <chrono>
#include <memory>
#include <mutex>

#include "energy.h"
#include "lissom/sim.h"
#include "one_caller.h"
#include "recordings.h"

LISSOM_ENUM(lissom::sim::Attitude, "exponential", "quaternion", "chart")
LISSOM_ENUM(lissom::sim::Springs, "of_joints", "between_points", "all")
LISSOM_ENUM(lissom::sim::Simulator, "contact", "prescribed_acceleration")

namespace lissom::python {

/// A Python function that C++ holds: it may be released by any thread.
class PythonFunction {
 public:
  explicit PythonFunction(nb::handle f) : f_(nb::borrow(f)) {}
  ~PythonFunction() {
    const nb::gil_scoped_acquire gil;
    f_.reset();
  }
  PythonFunction(const PythonFunction&) = delete;
  PythonFunction& operator=(const PythonFunction&) = delete;
  const nb::object& operator*() const { return f_; }
  void clear() { f_.reset(); }  ///< for the garbage collector

 private:
  nb::object f_;
};
using PythonFunctions = std::vector<std::shared_ptr<PythonFunction>>;

/// A trajectory that controllers follow.
struct BoundTrajectory {
  sim::Trajectory follow;
};

/// A controller that any number of systems may share.
struct BoundController {
  std::shared_ptr<sim::Controller> controller = {};
  sim::Trajectory reference = {};  ///< what it follows; empty if nothing
  int nq = -1, nv = -1;            ///< of the robot that it was made for; -1: any
  // (Recursive, because a trajectory of Python may ask the same controller.)
  std::shared_ptr<std::recursive_mutex> mutex = std::make_shared<std::recursive_mutex>();
  PythonFunctions functions = {};  ///< that it calls
  int traverse(visitproc visit, void* arg) const {
    for (const auto& f : functions)
      if ((**f).is_valid())
        if (const int result = visit((**f).ptr(), arg)) return result;
    return 0;
  }
  void clear() {
    for (const auto& f : functions) f->clear();
  }
};

/// A push as Python writes it: frames by name, so that it fits any model that has them.
struct BoundPush {
  std::string on;
  Vec3<double> force{0, 0, 0}, torque{0, 0, 0};
  Vec3<double> at{0, 0, 0};
  std::string in;
  double from = sim::Push().from, until = sim::Push().until;
};

struct BoundSystem {
  sim::System system;
  std::vector<sim::Push> pushes = {};
  sim::Trajectory reference = {};
  OneCaller in_use = {};
  PythonFunctions of_controller = {}, of_laws = {};  ///< that it calls
  nb::object controller = {};                        ///< keeps a Controller with its functions

  // Functions often refer to the system that calls them: the garbage collector has to see these cycles.
  int traverse(visitproc visit, void* arg) const {
    for (const auto* const list : {&of_controller, &of_laws})
      for (const auto& f : *list)
        if ((**f).is_valid())
          if (const int result = visit((**f).ptr(), arg)) return result;
    return controller.is_valid() ? visit(controller.ptr(), arg) : 0;
  }
  void clear() {
    for (auto* const list : {&of_controller, &of_laws})
      for (const auto& f : *list) f->clear();
    controller.reset();
  }
};

/// Slots of a class that has traverse() and clear().
template <class T>
PyType_Slot* garbage_collected() {
  static PyType_Slot slots[] = {
      {Py_tp_traverse, reinterpret_cast<void*>(+[](PyObject* self, visitproc visit, void* arg) -> int {
         Py_VISIT(Py_TYPE(self));
         return nb::inst_ready(self) ? nb::inst_ptr<T>(self)->traverse(visit, arg) : 0;
       })},
      {Py_tp_clear, reinterpret_cast<void*>(+[](PyObject* self) -> int {
         nb::inst_ptr<T>(self)->clear();
         return 0;
       })},
      {0, nullptr}};
  return slots;
}

/// An integrator by name; it is made for the model of the system that it steps.
class BoundIntegrator {
 public:
  BoundIntegrator(std::string name, sim::IntegratorOptions options);
  sim::Integrator& fit(const Model& model);
  const sim::IntegratorInfo& info() const { return info_; }
  const sim::IntegratorOptions& options() const { return options_; }
  const sim::Integrator* last() const { return made_.get(); }
  OneCaller in_use;

 private:
  sim::IntegratorInfo info_;
  sim::IntegratorOptions options_;
  std::unique_ptr<sim::Integrator> made_;
  std::shared_ptr<const void> structure_id_;
};

struct BoundRobot {
  std::unique_ptr<sim::SimulatedRobot> robot;
  std::vector<std::string> contacts;  ///< their names
  PythonFunctions of_laws = {};       ///< that it calls
  OneCaller in_use = {};
  // (A law often refers to the robot that calls it.)
  int traverse(visitproc visit, void* arg) const {
    for (const auto& f : of_laws)
      if ((**f).is_valid())
        if (const int result = visit((**f).ptr(), arg)) return result;
    return 0;
  }
  void clear() {
    for (const auto& f : of_laws) f->clear();
  }
};

/// Someone who pulls at a robot, as a force law that systems and simulated robots share.
struct BoundPull {
  std::shared_ptr<sim::PullLaw> law;
  Model model;
  std::shared_ptr<std::mutex> mutex = std::make_shared<std::mutex>();
};

/// One of: None; a name (pd and computed_torque hold the posture, gravity); a Controller; an object with a method
/// torques(t, q, v); a function of (t, q, v). Null for None.
std::unique_ptr<sim::Controller> controller_of(const Model& model, nb::handle controller,
                                               sim::Trajectory* reference = nullptr,
                                               PythonFunctions* functions = nullptr);
/// A PullLaw, or a function of (t, q, v) that returns wrenches by frame.
sim::ForceLaw law_of(nb::handle law, PythonFunctions& functions);
/// A Push, or (frame, force), or (frame, force, from, until).
sim::Push push_of(const Model& model, nb::handle push);
sim::Trajectory trajectory_of(const Model& model, nb::handle trajectory, PythonFunctions& functions);
/// q and v of the model's sizes, finite, with unit quaternions; throws an Error otherwise.
void expect_state(const Model& model, const sim::State& x);

/// Asked after each step of a run, without the GIL: notices Ctrl-C within 50 ms, and asks a function of Python.
/// `tells`: it counts how often it was asked, and tells what `with lissom.progress(f)` has set, for calls of which
/// nobody knows how long they take: the total is 0.
class Interruption {
 public:
  explicit Interruption(nb::handle stop, bool tells = false);
  bool operator()();

 private:
  std::shared_ptr<PythonFunction> stop_;
  std::shared_ptr<PieceProgress> told_;
  long asked_ = 0;
  std::chrono::steady_clock::time_point next_;
};

void bind_sim(nb::module_& m);
void bind_controllers(nb::module_& sim);
void bind_pushes(nb::module_& sim);
void bind_system(nb::module_& sim);
void bind_pull_law(nb::module_& sim);
void bind_integrators(nb::module_& sim);
void bind_run(nb::module_& sim);
void bind_simulated_robot(nb::module_& sim);
void bind_closed_loops(nb::module_& m);
void bind_bridge(nb::module_& m);

}  // namespace lissom::python
