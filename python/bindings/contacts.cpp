// Contacts, and the robot at one instant.
#include "contacts.h"

#include "lissom/limbs/standing_robot.h"
#include "snapshot.h"

namespace lissom::python {

using namespace nb::literals;

void BoundSnapshot::expect() const {
  if (!robot)
    throw Error(
        "this RobotSnapshot belongs to a call of evaluate() that has ended; keep what you read from it, not the "
        "snapshot");
}

namespace {

Vec3<double> at_or_origin(const RobotSnapshot& robot, FrameId frame, nb::handle at) {
  return at.is_none() ? robot.placement(frame).p : vec3("at", at);
}

nb::object jacobian(const BoundSnapshot& self, nb::handle of, nb::handle at, nb::handle R) {
  self.expect();
  const FrameId f = frame(self.robot->model, of, "frame");
  Columns6 J(6, self.robot->model.nv());
  self.robot->jacobian(f, at_or_origin(*self.robot, f, at), R.is_none() ? identity3<double>() : mat3("R", R), J);
  return to_numpy(J);
}

nb::tuple relative(const BoundSnapshot& self, nb::handle of, nb::handle from, nb::handle at, nb::handle R) {
  self.expect();
  const FrameId f = frame(self.robot->model, of, "frame"), g = frame(self.robot->model, from, "from_");
  Columns6 J(6, self.robot->model.nv());
  const auto r =
      self.robot->relative(f, g, at_or_origin(*self.robot, f, at), R.is_none() ? identity3<double>() : mat3("R", R), J);
  return nb::make_tuple(r.X, r.velocity, r.Jdot_v, to_numpy(J));
}

template <class Get>
auto read(Get get) {
  return [get](const BoundSnapshot& self) {
    self.expect();
    return get(*self.robot);
  };
}

void bind_snapshot_values(nb::class_<BoundSnapshot>& c) {
  const auto array = [&](const char* name, auto get, const char* doc) {
    const std::string sig = "def " + std::string(name) + "(self) -> NDArray[np.float64]";
    c.def_prop_ro(name, read([get](const RobotSnapshot& r) { return to_numpy(get(r)); }), nb::sig(sig.c_str()), doc);
  };
  array("q", [](const auto& r) -> const auto& { return r.q; }, "(nq,)");
  array("v", [](const auto& r) -> const auto& { return r.v; }, "(nv,)");
  array("M", [](const auto& r) { return Matrix(r.M); }, "Mass matrix, (nv, nv).");
  array("h", [](const auto& r) -> const auto& { return r.h; }, "Bias forces, with gravity, (nv,).");
  array("A", [](const auto& r) -> const auto& { return r.A; }, "Centroidal momentum matrix, (6, nv).");
  array(
      "momentum", [](const auto& r) -> const auto& { return r.momentum; },
      "A v, linear and angular about the center of mass, (6,).");
  array("momentum_rate", [](const auto& r) -> const auto& { return r.momentum_rate; }, "Ȧ v, (6,).");
  array("com", [](const auto& r) -> const auto& { return r.com; }, "Center of mass, (3,), m.");
  c.def_prop_ro("mass", read([](const RobotSnapshot& r) { return r.mass; }), "kg");
}

}  // namespace

namespace {

void bind_snapshot(nb::module_& m) {
  auto c = nb::class_<BoundSnapshot>(m, "RobotSnapshot",
                                     "The robot at one instant: what tasks read, computed once. A task gets one for "
                                     "the time of its evaluate(). All arrays are copies.");
  c.def(
      "__init__",
      [](BoundSnapshot* self, const BoundModel& model, nb::handle q, nb::handle v) {
        const Eigen::VectorXd at_q = vector("q", q, model.nq()),
                              at_v = v.is_none() ? Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv()))
                                                 : vector("v", v, model.nv());
        if (ShortMessage why; invalid_state(model, at_q, at_v, &why)) throw Error(why.c_str());
        auto held = std::make_shared<BoundSnapshot::Held>(model);
        held->robot.update(at_q, at_v);
        new (self) BoundSnapshot{&held->robot, held};
      },
      "robot"_a, "q"_a, "v"_a = nb::none(),
      nb::sig("def __init__(self, robot: Model, q: ArrayLike, v: ArrayLike | None = None) -> None"));
  bind_snapshot_values(c);
  c.def(
      "placement",
      [](const BoundSnapshot& self, nb::handle of) {
        self.expect();
        return self.robot->placement(frame(self.robot->model, of));
      },
      "frame"_a, nb::sig("def placement(self, frame: str) -> NDArray[np.float64]"),
      "Pose of the frame in the world, 4 × 4.");
  c.def(
      "velocity",
      [](const BoundSnapshot& self, nb::handle of, nb::handle at) {
        self.expect();
        const FrameId f = frame(self.robot->model, of);
        return self.robot->velocity(f, at_or_origin(*self.robot, f, at));
      },
      "frame"_a, "at"_a = nb::none(),
      nb::sig("def velocity(self, frame: str, at: ArrayLike | None = None) -> NDArray[np.float64]"),
      "Velocity, (6,), of the frame's particle at a point in the world (None: its origin), along the world's axes.");
  c.def(
      "acceleration",
      [](const BoundSnapshot& self, nb::handle of, nb::handle at) {
        self.expect();
        const FrameId f = frame(self.robot->model, of);
        return self.robot->acceleration(f, at_or_origin(*self.robot, f, at));
      },
      "frame"_a, "at"_a = nb::none(),
      nb::sig("def acceleration(self, frame: str, at: ArrayLike | None = None) -> NDArray[np.float64]"),
      "J̇ v, (6,): acceleration of the same particle at a = 0.");
  c.def("jacobian", &jacobian, "frame"_a, "at"_a = nb::none(), "R"_a = nb::none(),
        nb::sig("def jacobian(self, frame: str, at: ArrayLike | None = None, R: ArrayLike | None = None) -> "
                "NDArray[np.float64]"),
        "Jacobian of the same particle, (6, nv), linear rows first, along the columns of R (None: the world's axes).");
  c.def("relative", &relative, "frame"_a, "from_"_a, "at"_a = nb::none(), "R"_a = nb::none(),
        nb::sig("def relative(self, frame: str, from_: str, at: ArrayLike | None = None, R: ArrayLike | None = None) "
                "-> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]"),
        "Motion of `frame` relative to `from_`, at a point in the world, along the axes of `from_` rotated by R: (X, "
        "velocity, Jdot_v, J).");
}

}  // namespace

std::vector<Contact> contacts_of(nb::handle contacts, const char* name) {
  if (nb::isinstance<RobotContacts>(contacts)) return control_contacts(nb::cast<const RobotContacts&>(contacts));
  std::vector<Contact> all;
  if (PyUnicode_Check(contacts.ptr())) {
    PyErr_Format(PyExc_TypeError, "%s is a str, expected a list of Contacts or of names of frames", name);
    throw nb::python_error();
  }
  for (const auto item : nb::iter(contacts)) {
    if (PyUnicode_Check(item.ptr()))
      all.push_back({.frame = nb::cast<std::string>(item)});
    else if (nb::isinstance<Contact>(item))
      all.push_back(nb::cast<const Contact&>(item));
    else {
      PyErr_Format(PyExc_TypeError, "contact is a %s, expected a Contact or the name of a frame",
                   python::type_name(item).c_str());
      throw nb::python_error();
    }
  }
  return all;
}

void bind_contacts(nb::module_& m) {
  using C = Contact;
  bind_record<C>(m, "Contact",
                 "A contact of a robot with its surroundings. Its face lies in the frame's plane z = 0, and the "
                 "frame's z axis points into the robot: the ground pushes along +z.",
                 std::tuple{Field{"frame", &C::frame, "Of the robot."},
                            Field{"against", &C::against,
                                  "What it touches: the world (empty), or a frame of another body of the model, on "
                                  "which the reaction acts."},
                            Field{"kind", &C::kind,
                                  "'surface': a face is fixed, with forces at its corners; 'point': one point is "
                                  "fixed; 'fixed': a firm grip; 'sliding': a face may slide in its plane."},
                            Field{"points", &C::points,
                                  "Corners of the face in the frame's coordinates, (n, 3), m; empty: those of the "
                                  "collision boxes that end in the frame's plane."},
                            Field{"placement", &C::placement,
                                  "Pose at which the frame is constrained, in coordinates of `against`, 4 × 4; None: "
                                  "where it is when the contact is first active."},
                            Field{"friction", &C::friction, "Coefficient."},
                            Field{"radius", &C::radius, "Of a ball around the origin of a point contact, m."},
                            Field{"min_normal_force", &C::min_normal_force, "Of all points together, N."},
                            Field{"max_normal_force", &C::max_normal_force, "Of all points together, N."},
                            Field{"ramp", &C::ramp,
                                  "Time in which the limit on the normal force grows when the contact is activated, "
                                  "and falls when it is released, s."},
                            Field{"stiffness", &C::stiffness, "Of the stabilization of drift, 1/s²."},
                            Field{"damping", &C::damping, "Of the stabilization of drift, 1/s."},
                            Field{"name", &C::name, "Empty: that of the frame."}});
  m.def(
      "weight", [](const BoundModel& model) { return weight(model); }, "robot"_a,
      "The weight of the robot: its mass times |gravity|, N.");
  bind_snapshot(m);
}

}  // namespace lissom::python
