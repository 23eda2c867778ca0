// The whole-body controller, and objects of Python as its tasks.
#include "whole_body.h"

#include "snapshot.h"

namespace lissom::python {

using namespace nb::literals;
using control::WholeBody;

namespace {

template <class T>
void follow_task(WholeBody& body, int index, nb::handle object) {
  body[control::TaskId<T>{index}] = *nb::inst_ptr<T>(object);
}
void follow_contact(WholeBody& body, int index, nb::handle object) {
  body[control::ContactId{index}] = *nb::inst_ptr<Contact>(object);
}
double weight_of(nb::handle object) {
  if (!nb::hasattr(object, "weight")) return 1;
  const double weight = PyFloat_AsDouble(nb::object(object.attr("weight")).ptr());
  if (PyErr_Occurred()) throw nb::python_error();
  if (!(weight >= 0) || !std::isfinite(weight))
    throw Error("weight of a task is " + std::to_string(weight) + ", expected a finite number, 0 or more");
  return weight;
}
void follow_custom(WholeBody& body, int index, nb::handle object) {
  body[control::TaskId<control::CustomTask>{index}].weight = weight_of(object);
}

// Arrays of Python's own are filled in and copied: nobody can keep a view of the controller's memory.
nb::object zeros(std::initializer_list<long> shape) {
  nb::object array = new_array({shape.begin(), shape.size()});
  std::fill_n(data_of(array), PyArray_SIZE(reinterpret_cast<PyArrayObject*>(array.ptr())), 0.0);
  return array;
}
void expect_size(const nb::object& array, long size) {
  if (PyArray_SIZE(reinterpret_cast<PyArrayObject*>(array.ptr())) != size)
    throw Error("evaluate() of a task has resized one of its arrays");
}

void evaluate_custom(nb::handle object, const RobotSnapshot& robot, control::TaskRows rows) {
  const nb::gil_scoped_acquire acquire;
  const long n = rows.J.rows(), nv = rows.J.cols();
  const nb::object J = zeros({n, nv}), Jdot_v = zeros({n}), desired = zeros({n});
  const nb::object snapshot = nb::cast(BoundSnapshot{&robot});
  struct End {
    BoundSnapshot& snapshot;
    ~End() { snapshot.robot = nullptr; }
  } end{*nb::inst_ptr<BoundSnapshot>(snapshot)};
  const nb::object result = object.attr("evaluate")(snapshot, J, Jdot_v, desired);
  if (!result.is_none()) {
    PyErr_Format(PyExc_TypeError,
                 "evaluate() of a task returned a %s, expected None: it fills in J, Jdot_v and desired",
                 type_of(result).c_str());
    throw nb::python_error();
  }
  expect_size(J, n * nv), expect_size(Jdot_v, n), expect_size(desired, n);
  rows.J = Eigen::Map<const Matrix>(data_of(J), n, nv);
  rows.Jdot_v = Eigen::Map<const Eigen::VectorXd>(data_of(Jdot_v), n);
  rows.desired = Eigen::Map<const Eigen::VectorXd>(data_of(desired), n);
  if (!rows.J.allFinite() || !rows.Jdot_v.allFinite() || !rows.desired.allFinite())
    throw Error("evaluate() of a task wrote NaN or an infinite number into J, Jdot_v or desired");
}

template <class T>
bool add_task(ControlCore& core, nb::handle what, int& index) {
  if (!nb::isinstance<T>(what)) return false;
  index = core.body().add(nb::cast<const T&>(what)).index;
  // (A copy, as C++ has it: an object may be added to several controllers.)
  core.tasks.push_back({index, nb::cast(core.body()[control::TaskId<T>{index}], nb::rv_policy::copy), &follow_task<T>});
  return true;
}

int add_custom(ControlCore& core, nb::handle what) {
  if (!nb::hasattr(what, "size") || !nb::hasattr(what, "evaluate") ||
      !PyCallable_Check(nb::object(what.attr("evaluate")).ptr())) {
    PyErr_Format(PyExc_TypeError,
                 "%R is no task, contact or clearance; an object with `size` and `evaluate(snapshot, J, Jdot_v, "
                 "desired)` is a task",
                 what.ptr());
    throw nb::python_error();
  }
  control::CustomTask task;
  task.size = nb::cast<int>(what.attr("size"));
  if (task.size < 1 || task.size > 100'000)
    throw Error("size of a task is " + std::to_string(task.size) + ", expected 1 or more");
  task.weight = weight_of(what);
  if (nb::hasattr(what, "priority")) task.priority = nb::cast<int>(what.attr("priority"));
  if (nb::hasattr(what, "name")) task.name = nb::cast<std::string>(nb::str(what.attr("name")));
  if (task.name.empty()) task.name = type_of(what);
  // The core holds the object as long as the controller.
  task.evaluate = [object = what](const RobotSnapshot& robot, control::TaskRows rows) {
    evaluate_custom(object, robot, rows);
  };
  const int index = core.body().add(std::move(task)).index;
  core.tasks.push_back({index, nb::borrow(what), &follow_custom});
  return index;
}

nb::object followed(const std::vector<ControlCore::Followed>& all, int index, const char* what) {
  for (const auto& one : all)
    if (one.index == index) return one.object;
  throw Error(std::string("no ") + what + " " + std::to_string(index) +
              " was added to this controller by this program");
}

void expect_index(int index, int count, const char* what) {
  if (index < 0 || index >= count)
    throw Error(std::string("no ") + what + " " + std::to_string(index) + "; there are " + std::to_string(count));
}

}  // namespace

void ControlCore::follow() {
  auto& controller = body();
  for (const auto& task : tasks) task.sync(controller, task.index, task.object);
  for (const auto& contact : contacts) contact.sync(controller, contact.index, contact.object);
}

int traverse_core(const std::shared_ptr<ControlCore>& core, visitproc visit, void* arg) {
  // What two objects share, neither owns alone; it is then left to their reference counts.
  if (!core || core.use_count() > 1) return 0;
  for (const auto& task : core->tasks) Py_VISIT(task.object.ptr());
  return 0;
}
void clear_core(const std::shared_ptr<ControlCore>& core) {
  if (core && core.use_count() == 1) core->own.reset(), core->runner.reset(), core->tasks.clear();
}

nb::object add_to(ControlCore& core, nb::handle what) {
  const auto taken = core.take();
  if (nb::isinstance<Contact>(what)) {
    const auto id = core.body().add(nb::cast<Contact>(what));
    core.contacts.push_back({id.index, nb::cast(core.body()[id], nb::rv_policy::copy), &follow_contact});
    return nb::cast(id);
  }
  if (nb::isinstance<control::Clearance>(what))
    return nb::cast(core.body().add(nb::cast<const control::Clearance&>(what)));
  int index = -1;
  const bool known =
      add_task<control::PointTask>(core, what, index) || add_task<control::FrameTask>(core, what, index) ||
      add_task<control::CenterOfMassTask>(core, what, index) || add_task<control::MomentumTask>(core, what, index) ||
      add_task<control::PostureTask>(core, what, index) || add_task<control::TorqueTask>(core, what, index) ||
      add_task<control::ForceTask>(core, what, index) || add_task<control::GazeTask>(core, what, index);
  if (!known) index = add_custom(core, what);
  return nb::cast(BoundTaskId{index});
}

namespace {

template <class Id>
void bind_id(nb::module_& m, const char* name, const char* doc) {
  nb::class_<Id>(m, name, doc)
      .def(
          "__init__", [](Id* self, int index) { new (self) Id{index}; }, "index"_a)
      .def_ro("index", &Id::index)
      .def("__index__", [](const Id& self) { return self.index; })
      .def("__eq__",
           [](const Id& self, nb::handle other) {
             return nb::isinstance<Id>(other) && nb::cast<Id>(other).index == self.index;
           })
      .def("__hash__", [](const Id& self) { return self.index; })
      .def("__repr__", [name](const Id& self) { return std::string(name) + "(" + std::to_string(self.index) + ")"; });
}

void bind_contact_changes(nb::class_<BoundWholeBody>& c) {
  using B = BoundWholeBody;
  c.def(
      "activate_without_ramp",
      [](B& self, const control::ContactId& id) {
        const auto taken = self.core->take();
        expect_index(id.index, self.core->body().contacts(), "contact");
        self.core->body().activate_without_ramp(id);
      },
      "id"_a, "Activates a contact without the ramp, because the robot already stands on it.");
  c.def(
      "set_placement",
      [](B& self, const control::ContactId& id, nb::handle placement) {
        const auto taken = self.core->take();
        expect_index(id.index, self.core->body().contacts(), "contact");
        self.core->body().set_placement(id, pose("placement", placement));
      },
      "id"_a, "placement"_a, nb::sig("def set_placement(self, id: ContactId, placement: ArrayLike) -> None"),
      "Sets the placement, 4 × 4, at which a contact is active.");
  c.def(
      "active",
      [](B& self, const control::ContactId& id) {
        const auto taken = self.core->take();
        expect_index(id.index, self.core->body().contacts(), "contact");
        return self.core->body().active(id);
      },
      "id"_a, "Whether the contact takes part in the next tick; a released one does until the end of its ramp.");
  c.def(
      "set_formulation",
      [](B& self, control::Formulation formulation) {
        const auto taken = self.core->take();
        self.core->body().set_formulation(formulation);
      },
      "formulation"_a, "'reduced', 'multiplier', 'projected' or 'oblique'.");
}

void bind_changes(nb::class_<BoundWholeBody>& c) {
  using B = BoundWholeBody;
  c.def(
      "add", [](B& self, nb::handle what) { return add_to(*self.core, what); }, "what"_a,
      nb::sig("def add(self, what: Any) -> Any"),
      "Adds a task, a contact or a clearance, and returns its handle. A task is one of this module, or any object with "
      "`size` (rows), `evaluate(snapshot, J, Jdot_v, desired)`, "
      "which fills in arrays of shapes (size, nv), (size,), (size,) at every tick, and optionally `weight`, `priority` "
      "and `name`.");
  c.def(
      "__getitem__", [](B& self, const BoundTaskId& id) { return followed(self.core->tasks, id.index, "task"); },
      "id"_a, nb::sig("def __getitem__(self, id: TaskId) -> Any"),
      "The task or contact with this handle. Targets, gains, weights and friction may be changed between ticks; frames "
      "and points are read only by add().");
  c.def(
      "__getitem__",
      [](B& self, const control::ContactId& id) { return followed(self.core->contacts, id.index, "contact"); }, "id"_a,
      nb::sig("def __getitem__(self, id: ContactId) -> lissom._core.Contact"));
  c.def(
      "enable",
      [](B& self, const BoundTaskId& id, bool on) {
        const auto taken = self.core->take();
        expect_index(id.index, self.core->body().tasks(), "task");
        self.core->body().enable(control::TaskId<control::CustomTask>{id.index}, on);
      },
      "id"_a, "on"_a = true, "Switches a task on or off.");
  c.def(
      "enable",
      [](B& self, const control::ContactId& id, bool on) {
        const auto taken = self.core->take();
        expect_index(id.index, self.core->body().contacts(), "contact");
        self.core->body().enable(id, on);
      },
      "id"_a, "on"_a = true, "Activates or releases a contact, along its ramp.");
  bind_contact_changes(c);
}

void bind_names(nb::class_<BoundWholeBody>& c) {
  using B = BoundWholeBody;
  c.def_prop_ro("model", [](B& self) { return BoundModel(self.core->model); });
  c.def_prop_ro("options", [](B& self) { return self.core->body().options(); }, "A copy.");
  c.def_prop_ro(
      "task_names",
      [](B& self) {
        std::vector<std::string> names;
        for (int i = 0; i < self.core->body().tasks(); ++i) names.push_back(self.core->body().task_name(i));
        return names;
      },
      "In the order in which they were added.");
  c.def_prop_ro(
      "contact_names",
      [](B& self) {
        std::vector<std::string> names;
        for (int i = 0; i < self.core->body().contacts(); ++i) names.push_back(self.core->body().contact_name(i));
        return names;
      },
      "In the order in which they were added.");
  c.def_prop_ro(
      "motors", [](B& self) { return self.core->body().motors(); },
      "Degrees of freedom (indices of v) that have a motor.");
  c.def("__repr__", [](B& self) {
    return "WholeBody('" + self.core->model.name() + "', " + std::to_string(self.core->body().tasks()) + " tasks, " +
           std::to_string(self.core->body().contacts()) + " contacts)";
  });
}

void bind_reading(nb::class_<BoundWholeBody>& c) {
  using B = BoundWholeBody;
  c.def(
      "prepare",
      [](B& self) {
        const auto taken = self.core->take();
        self.core->body().prepare();
      },
      "Allocates the memory that ticks need; otherwise the first tick does so.");
  c.def(
      "solve",
      [](B& self, nb::handle q, nb::handle v) {
        auto& core = *self.core;
        const auto taken = core.take();
        const Eigen::VectorXd at_q = vector("q", q, core.model.nq()), at_v = vector("v", v, core.model.nv());
        core.follow();
        const nb::gil_scoped_release release;
        return BoundTick(core.body().solve(at_q, at_v));
      },
      "q"_a, "v"_a, nb::sig("def solve(self, q: ArrayLike, v: ArrayLike) -> Tick"),
      "Solves one tick for the state q, (nq,), v, (nv,). NaN gives a tick with the status 'invalid'; the controller "
      "stays usable.");
  c.def_prop_ro(
      "tick",
      [](B& self) {
        const auto taken = self.core->take();
        return BoundTick(self.core->body().tick());
      },
      "The last tick.");
  c.def(
      "forget",
      [](B& self) {
        const auto taken = self.core->take();
        self.core->body().forget();
      },
      "Makes the next tick a cold start.");
  c.def(
      "explain",
      [](B& self) {
        const auto taken = self.core->take();
        return self.core->body().explain();
      },
      "The conflicts of the last tick, one per line.");
  bind_names(c);
}

}  // namespace

void bind_whole_body(nb::module_& m) {
  bind_id<BoundTaskId>(m, "TaskId", "Handle of a task: its index in Tick.tasks.");
  bind_id<control::ContactId>(m, "ContactId", "Handle of a contact: its index in Tick.contacts.");
  bind_id<control::ClearanceId>(m, "ClearanceId", "Handle of a clearance: its index in Tick.clearances.");
  auto c = nb::class_<BoundWholeBody>(
      m, "WholeBody", nb::type_slots(core_slots<BoundWholeBody>),
      "Whole-body control: tasks and contacts on any link of the robot become torques, by one quadratic program per "
      "tick. Options are keyword arguments, or a WholeBodyOptions.");
  c.def(
      "__init__",
      [](BoundWholeBody* self, const BoundModel& model, nb::handle options, const nb::kwargs& fields) {
        const auto o = options_of<control::WholeBodyOptions>("WholeBodyOptions", options, fields, whole_body_fields());
        auto core = std::make_shared<ControlCore>(model);
        core->own.emplace(model, o);
        new (self) BoundWholeBody{std::move(core)};
      },
      "robot"_a, "options"_a = nb::none(), "fields"_a,
      nb::sig("def __init__(self, robot: lissom._core.Model, options: WholeBodyOptions | None = None, **fields: Any) "
              "-> None"));
  bind_changes(c);
  bind_reading(c);
}

void bind_control(nb::module_& module) {
  nb::module_ m = module.def_submodule("control", "Whole-body control.");
  m.attr("Contact") = module.attr("Contact");
  m.attr("RobotSnapshot") = module.attr("RobotSnapshot");
  m.attr("Work") = module.attr("Work");
  bind_tasks(m);
  bind_tick(m);
  bind_whole_body(m);
  bind_motion_plan(m);
  bind_motion_runner(m);
  bind_motion_run(m);
  bind_generated_motions(m);
}

}  // namespace lissom::python
