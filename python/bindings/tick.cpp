// The result of a tick. Its arrays are views of it that cannot be written to.
#include "whole_body.h"

namespace lissom::python {

BoundTick::BoundTick(const control::Tick& t) : tick(t), reason(t.reason) {
  for (const auto& c : t.conflicts) conflicts.push_back({*c.name, c.amount, c.unit});
  tick.reason = "", tick.conflicts.clear();  // They point to memory of the controller.
}

namespace {

using control::ContactReading;
using control::TaskReading;

template <class T>
const T& self_of(nb::handle self) {
  return nb::cast<const T&>(self);
}
nb::object view(const Eigen::VectorXd& x, nb::handle owner) {
  return numpy_view(x.data(), std::array{long(x.size())}, owner);
}
nb::object view(const Vec3<double>& x, nb::handle owner) {
  return numpy_view(&x.x, std::array{3L}, owner);
}

// A property that is an array inside of the object.
template <class T, class Get>
void array(nb::class_<T>& c, const char* name, Get get, const char* doc) {
  const std::string sig = "def " + std::string(name) + "(self) -> NDArray[np.float64]";
  c.def_prop_ro(name, [get](nb::handle self) { return view(get(self_of<T>(self)), self); }, nb::sig(sig.c_str()), doc);
}

// The elements themselves, each of which keeps the tick alive.
template <class T>
nb::list parts(const std::vector<T>& all, nb::handle owner) {
  nb::list list;
  for (const auto& one : all) list.append(nb::cast(one, nb::rv_policy::reference_internal, owner));
  return list;
}

void bind_readings(nb::module_& m) {
  auto task = nb::class_<TaskReading>(m, "TaskReading", "One task in a tick.");
  task.def_ro("cost", &TaskReading::cost, "½ weight ‖actual - desired‖²");
  array(
      task, "desired", [](const TaskReading& r) -> const auto& { return r.desired; },
      "Accelerations, one per row; forces or torques for tasks about these.");
  array(task, "actual", [](const TaskReading& r) -> const auto& { return r.actual; }, "What the solution gives.");
  task.def("__repr__", [](nb::handle self) {
    return "TaskReading(desired=" + short_repr(self.attr("desired")) + ", actual=" + short_repr(self.attr("actual")) +
           ")";
  });
  auto contact = nb::class_<ContactReading>(m, "ContactReading", "One contact in a tick.");
  array(
      contact, "force", [](const ContactReading& r) -> const auto& { return r.force; },
      "On the frame, along the world's axes, N.");
  array(
      contact, "torque", [](const ContactReading& r) -> const auto& { return r.torque; },
      "On the frame, about its origin, N m.");
  contact.def_prop_ro(
      "point_forces", [](const ContactReading& r) { return r.point_forces; },
      "Two tangents and the normal of each point, along the axes of the placement, (n, 3), N.");
  contact.def_ro("normal", &ContactReading::normal, "Of all points, N.")
      .def_ro("friction_use", &ContactReading::friction_use, "Largest |tangent| / (friction · normal).");
  contact.def_ro("ramp_fraction", &ContactReading::ramp_fraction, "How far it is ramped in, 0 to 1.")
      .def_ro("active", &ContactReading::active, "It took part in this tick.");
  contact.def("__repr__", [](nb::handle self) {
    return "ContactReading(force=" + short_repr(self.attr("force")) +
           ", friction_use=" + short_repr(self.attr("friction_use")) + ", active=" + short_repr(self.attr("active")) +
           ")";
  });
  using C = BoundTick::Conflict;
  bind_record<C>(m, "ConflictReading",
                 "A constraint that was relaxed: 'torque of left_knee', exceeded by 3.2, 'N m'; below its lower limit "
                 "if negative.",
                 std::tuple{Field{"name", &C::name, "'torque of left_knee'."},
                            Field{"amount", &C::amount, "By how much it is exceeded; negative: below its lower limit."},
                            Field{"unit", &C::unit, "Of the amount."}});
}

}  // namespace

void bind_tick(nb::module_& m) {
  bind_readings(m);
  auto c = nb::class_<BoundTick>(m, "Tick",
                                 "The result of a tick: torques, and everything that explains them. Handles of tasks, "
                                 "contacts and clearances are indices of its lists.");
  c.def_prop_ro(
      "status", [](const BoundTick& t) { return t.tick.status; },
      "'optimal'; 'elastic': constraints contradict each other and were relaxed (conflicts); 'infeasible', 'limit', "
      "'invalid': torques are zero (reason).");
  c.def_ro("reason", &BoundTick::reason);
  array(
      c, "torques", [](const BoundTick& t) -> const auto& { return t.tick.torques; },
      "(nv,), within limits; zero where there is no motor. N m, N.");
  array(
      c, "unclamped_torques", [](const BoundTick& t) -> const auto& { return t.tick.unclamped_torques; },
      "(nv,), before they are clamped to the limits.");
  array(c, "accelerations", [](const BoundTick& t) -> const auto& { return t.tick.accelerations; }, "v̇, (nv,).");
  array(c, "com", [](const BoundTick& t) -> const auto& { return t.tick.com; }, "Center of mass, (3,), m.");
  array(c, "com_velocity", [](const BoundTick& t) -> const auto& { return t.tick.com_velocity; }, "(3,), m/s.");
  c.def_prop_ro(
      "tasks", [](nb::handle self) { return parts(self_of<BoundTick>(self).tick.tasks, self); },
      nb::sig("def tasks(self) -> list[TaskReading]"), "In the order in which they were added.");
  c.def_prop_ro(
      "contacts", [](nb::handle self) { return parts(self_of<BoundTick>(self).tick.contacts, self); },
      nb::sig("def contacts(self) -> list[ContactReading]"), "In the order in which they were added.");
  c.def_prop_ro(
      "clearances", [](const BoundTick& t) { return to_numpy(std::span<const double>(t.tick.clearances)); },
      nb::sig("def clearances(self) -> NDArray[np.float64]"), "Between the two capsules of each, m.");
  c.def_ro("conflicts", &BoundTick::conflicts, "Constraints that were relaxed.");
  c.def_prop_ro(
      "variables", [](const BoundTick& t) { return t.tick.variables; }, "Of the program of the last priority.");
  c.def_prop_ro(
      "equalities", [](const BoundTick& t) { return t.tick.equalities; }, "Of the program of the last priority.");
  c.def_prop_ro("rows", [](const BoundTick& t) { return t.tick.rows; }, "Of the program of the last priority.");
  c.def_prop_ro("iterations", [](const BoundTick& t) { return t.tick.iterations; }, "Of all priorities together.");
  c.def_prop_ro("objective", [](const BoundTick& t) { return t.tick.objective; });
  c.def("__repr__", [](const BoundTick& t) {
    std::string text = std::string("Tick(status='") + to_string(t.tick.status) + "'";
    if (!t.reason.empty()) text += ", reason='" + t.reason + "'";
    return text + ", " + std::to_string(t.tick.tasks.size()) + " tasks, " + std::to_string(t.tick.contacts.size()) +
           " contacts, " + std::to_string(t.conflicts.size()) + " conflicts)";
  });
}

}  // namespace lissom::python
