// Robots in contact with the ground, which a controller drives tick by tick.
#include "contacts.h"
#include "results.h"
#include "shapes.h"
#include "sim_types.h"

namespace lissom::python {

using namespace nb::literals;
using sim::Command;
using sim::ContactForce;
using sim::ContactState;
using sim::FixedShape;
using sim::Patch;
LISSOM_PYTHON_TYPE(ContactForce, "ContactForce")
LISSOM_PYTHON_TYPE(FixedShape, "FixedShape")
LISSOM_PYTHON_TYPE(Patch, "Patch")

namespace {

struct BoundRobotOptions {
  double step = sim::RobotOptions().step;
  int substeps = 1;
  double mass_error = 0, mass_scale = 1;
  int delay = 0;
  double position_noise = 0, velocity_noise = 0;
  std::uint64_t seed = 0;
  std::vector<FixedShape> surroundings = {};
  std::vector<Patch> patches = {};
  Eigen::VectorXd servo_stiffness = {}, servo_damping = {};
};

sim::RobotOptions options_of(const Model& model, const BoundRobotOptions& o, nb::handle pushes) {
  sim::RobotOptions options{.step = o.step,
                            .substeps = o.substeps,
                            .imperfections = {.mass_error = o.mass_error,
                                              .mass_scale = o.mass_scale,
                                              .delay = o.delay,
                                              .position_noise = o.position_noise,
                                              .velocity_noise = o.velocity_noise,
                                              .pushes = {},
                                              .seed = o.seed},
                            .surroundings = o.surroundings,
                            .patches = o.patches,
                            .servo_stiffness = o.servo_stiffness,
                            .servo_damping = o.servo_damping};
  for (const auto push : nb::iter(pushes)) options.imperfections.pushes.push_back(push_of(model, push));
  return options;
}

// All of them, as one law; empty if there are none.
sim::ForceLaw laws_of(nb::handle forces, PythonFunctions& functions) {
  std::vector<sim::ForceLaw> laws;
  for (const auto force : nb::iter(forces)) laws.push_back(law_of(force, functions));
  if (laws.empty()) return {};
  return [laws](const sim::Instant& at, std::vector<ExternalForce>& all) {
    for (const auto& law : laws) law(at, all);
  };
}

template <class Make>
BoundRobot* make(const BoundModel& model, nb::handle contacts, nb::handle q, nb::handle v, nb::handle pushes,
                 nb::handle options, nb::handle forces, const nb::kwargs& kwargs, const Make& simulator) {
  const auto all = contacts_of(contacts);
  const sim::State x{0, vector("q", q, model.nq()),
                     v.is_none() ? Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv())) : vector("v", v, model.nv()), 0};
  expect_state(model, x);
  // (Through the class, so that a wrong keyword argument names the right ones.)
  const nb::object type = nb::borrow(nb::type<BoundRobotOptions>());
  if (!options.is_none() && kwargs.size() > 0) throw Error("options and their fields are given, expected either");
  const nb::object given = options.is_none() ? nb::object(type(**kwargs)) : nb::borrow(options);
  auto made = options_of(model, nb::cast<const BoundRobotOptions&>(given), pushes);
  PythonFunctions functions;
  made.forces = laws_of(forces, functions);
  std::vector<std::string> names;
  for (const auto& contact : all) names.push_back(contact.name.empty() ? contact.frame : contact.name);
  const nb::gil_scoped_release release;
  return new BoundRobot{simulator(model, all, x.q, x.v, made), names, std::move(functions)};
}

bool step(BoundRobot& self, nb::handle command) {
  auto& robot = *self.robot;
  if (nb::isinstance<Command>(command)) {
    const Command given = nb::cast<const Command&>(command);
    const OneCaller::Scope use(self.in_use, "SimulatedRobot");
    const nb::gil_scoped_release release;
    return robot.step(given);
  }
  if (nb::isinstance<BoundController>(command) || PyCallable_Check(command.ptr()) || nb::hasattr(command, "torques")) {
    const auto controller = controller_of(robot.model(), command);
    const OneCaller::Scope use(self.in_use, "SimulatedRobot");
    const nb::gil_scoped_release release;
    return robot.step(*controller);
  }
  const Eigen::VectorXd torques = vector("torques", command, robot.model().nv());
  const OneCaller::Scope use(self.in_use, "SimulatedRobot");
  const nb::gil_scoped_release release;
  return robot.step(torques);
}

nb::tuple sense(BoundRobot& self) {
  const OneCaller::Scope use(self.in_use, "SimulatedRobot");
  Eigen::VectorXd q = self.robot->q(), v = self.robot->v();
  self.robot->sense(q, v);
  return nb::make_tuple(to_numpy(q), to_numpy(v));
}

// A property that is read from the robot.
template <class F>
auto reading(const F& f) {
  return [f](BoundRobot& self) {
    const OneCaller::Reading use(self.in_use, "SimulatedRobot");
    return f(*self.robot);
  };
}

void bind_surroundings(nb::module_& m) {
  bind_record<FixedShape>(
      m, "FixedShape", "Something in the surroundings of a robot that never moves.",
      std::tuple{Field{"name", &FixedShape::name, "Of the thing."}, Field{"shape", &FixedShape::shape, "A Shape."},
                 Field{"pose", &FixedShape::pose, "In the world, 4 × 4."}});
  bind_record<Patch>(
      m, "Patch", "A piece of ground for one contact, beside the plane z = 0: a stair, a slope, a wall.",
      std::tuple{
          Field{"contact", &Patch::contact, "Its index; only points of this contact touch the patch."},
          Field{"surface", &Patch::surface,
                "Pose of its middle in the world, 4 × 4; it is in the plane z = 0 of this frame, and z points out "
                "of the ground."},
          Field{"length", &Patch::length, "Along its x axis, m; 0: as large as the contact and a margin."},
          Field{"width", &Patch::width, "Along its y axis, m; 0: as large as the contact and a margin."}});
}

void bind_command(nb::module_& m) {
  bind_record<ContactForce>(
      m, "ContactForce", "What a controller expects of one contact.",
      std::tuple{Field{"active", &ContactForce::active, "The contact is constrained in this tick."},
                 Field{"force", &ContactForce::force, "On the frame, along the world's axes, N."},
                 Field{"torque", &ContactForce::torque, "About the frame's origin, N m."}});
  bind_record<Command>(
      m, "Command", "What a controller asks of a robot in one tick.",
      std::tuple{Field{"torques", &Command::torques, "(nv,), N m or N."},
                 Field{"accelerations", &Command::accelerations,
                       "That the controller expects, (nv,); only prescribed_acceleration_robot reads them."},
                 Field{"targets", &Command::targets,
                       "Positions (nq) and then velocities (nv) for the servos of the joints, where RobotOptions gives "
                       "them some."},
                 Field{"contacts", &Command::contacts, "One ContactForce for each contact."},
                 Field{"failure", &Command::failure, "Why the controller found no solution; empty if it found one."}});
  bind_result<ContactState>(
      m, "ContactState", "The load of a contact: the mean over a tick, without impacts.",
      std::tuple{
          Field{"force", &ContactState::force, "On the frame, along the world's axes, N."},
          Field{"torque", &ContactState::torque, "About the frame's origin, N m."},
          Field{"normal", &ContactState::normal, "Normal force of all points together, N."},
          Field{"friction_use", &ContactState::friction_use,
                "The part of the friction that is needed, largest in the tick; with more than 1 the face slips."},
          Field{"slip", &ContactState::slip, "Distance along the ground since the contact closed, m."},
          Field{"loaded_slip", &ContactState::loaded_slip,
                "The part of it while the contact carried more than 5 % of the weight, m."},
          Field{"points", &ContactState::points, "Number of points that touch."}});
  using O = BoundRobotOptions;
  bind_record<O>(
      m, "RobotOptions", "How a robot in contact is simulated, and what its controller does not know about it.",
      std::tuple{
          Field{"step", &O::step, "Length of a tick, s."},
          Field{"substeps", &O::substeps, "Simulation steps per tick."},
          Field{"mass_error", &O::mass_error,
                "Mass and inertia of every link are multiplied by a random factor within 1 ± mass_error."},
          Field{"mass_scale", &O::mass_scale, "And by this factor, the same for all."},
          Field{"delay", &O::delay, "Ticks between the computation of torques and their application."},
          Field{"position_noise", &O::position_noise, "Standard deviation of the measured q, rad and m."},
          Field{"velocity_noise", &O::velocity_noise, "Standard deviation of the measured v."},
          Field{"seed", &O::seed, "Of all random numbers."},
          Field{"surroundings", &O::surroundings,
                "What stands around the robot, besides the ground: a list of FixedShape. Links whose body has no "
                "contact must not touch it. Only contact_robot has them."},
          Field{"patches", &O::patches, "A list of Patch. Only contact_robot has them."},
          Field{"servo_stiffness", &O::servo_stiffness,
                "Gains of servos, (nv,), zero where there is none: joints then take Command.targets instead of "
                "torques; empty: they take torques. Only contact_robot has servos."},
          Field{"servo_damping", &O::servo_damping, "The same, for velocities."}});
}

const char* const robot_signature =
    "(model: lissom.Model, contacts: Sequence[lissom.Contact | str], q: ArrayLike, v: ArrayLike | None = None, pushes: "
    "Sequence[Any] = (), options: RobotOptions | None = None, forces: Iterable[Any] = (), **fields: Any) -> "
    "SimulatedRobot";

template <class Make>
void bind_simulator(nb::module_& m, const char* name, const Make& simulator, const char* doc) {
  m.def(
      name,
      [simulator](const BoundModel& model, nb::handle contacts, nb::handle q, nb::handle v, nb::handle pushes,
                  nb::handle options, nb::handle forces, const nb::kwargs& fields) {
        return make(model, contacts, q, v, pushes, options, forces, fields, simulator);
      },
      "model"_a, "contacts"_a, "q"_a, "v"_a = nb::none(), "pushes"_a = nb::make_tuple(), "options"_a = nb::none(),
      "forces"_a = nb::make_tuple(), "fields"_a, nb::sig(("def " + std::string(name) + robot_signature).c_str()), doc);
}

}  // namespace

void bind_simulated_robot(nb::module_& m) {
  bind_surroundings(m);
  bind_command(m);
  nb::class_<BoundRobot>(
      m, "SimulatedRobot", nb::type_slots(garbage_collected<BoundRobot>()),
      "A robot in contact with the ground, which a controller drives tick by tick. It belongs to one caller at a "
      "time.\n\n"
      "    robot = sim.contact_robot(model, contacts, q, v, step=1e-3)\n    while robot.time < 10:\n        q, v "
      "= robot.sense()\n        if not robot.step(torques(q, v)): raise lissom.Error(robot.failure)")
      .def("step", &step, "command"_a, nb::sig("def step(self, command: ArrayLike | Command | Any) -> bool"),
           "One tick, with torques (nv,), with a Command, or with a controller, which gets the measured state. False "
           "if the run has failed; the state then no longer changes.")
      .def("sense", &sense, nb::sig("def sense(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]"),
           "Measures (q, v); the noise is independent in every call.")
      .def_prop_ro("time", reading([](const sim::SimulatedRobot& robot) { return robot.time(); }), "s")
      .def_prop_ro("q", reading([](const sim::SimulatedRobot& robot) { return to_numpy(robot.q()); }),
                   nb::sig("def q(self) -> NDArray[np.float64]"), "The true configuration, a copy.")
      .def_prop_ro("v", reading([](const sim::SimulatedRobot& robot) { return to_numpy(robot.v()); }),
                   nb::sig("def v(self) -> NDArray[np.float64]"), "The true velocity, a copy.")
      .def_prop_ro(
          "model", [](const BoundRobot& self) { return BoundModel(self.robot->model()); },
          "The simulated robot, with its true masses.")
      .def_prop_ro("command", reading([](const sim::SimulatedRobot& robot) { return Command(robot.command()); }),
                   "The command of the last tick, before the delay.")
      .def_prop_ro("failure", reading([](const sim::SimulatedRobot& robot) { return std::string(robot.failure()); }),
                   "Why the run has failed; empty while it has not.")
      .def_prop_ro("contacts", reading([](const sim::SimulatedRobot& robot) {
                     return std::vector<ContactState>(robot.contacts());
                   }),
                   "Their loads, in the order in which they were given.")
      .def_prop_ro("contact_names", [](const BoundRobot& self) { return self.contacts; })
      .def_prop_ro(
          "follows_accelerations", [](const BoundRobot& self) { return self.robot->follows_accelerations(); },
          "Whether it moves as the accelerations of its commands say, not its torques.")
      .def("__repr__", [](BoundRobot& self) {
        const OneCaller::Reading use(self.in_use, "SimulatedRobot");
        return "SimulatedRobot('" + self.robot->model().name() +
               "', time=" + nb::cast<std::string>(nb::repr(nb::float_(self.robot->time()))) + ", " +
               std::to_string(self.contacts.size()) + " contacts" +
               (self.robot->failure().empty() ? "" : ", failed: " + self.robot->failure()) + ")";
      });
  bind_simulator(
      m, "contact_robot", &sim::contact_robot,
      "A robot in a world of rigid bodies with Coulomb friction, which applies the torques of its command "
      "within the effort limits. Contacts stick, slip, tip and lift off; a fixed one holds all the time. The "
      "run fails if a link hits the ground whose body has no contact. "
      "contacts: Contacts, or names of frames. v: None is at rest. pushes: as for System.add. forces: further ones, "
      "which depend on the state: "
      "PullLaws, or functions of (t, q, v) that return {frame: wrench (6,)}, asked once per step. options, or "
      "its fields as keyword arguments: RobotOptions.");
  bind_simulator(m, "prescribed_acceleration_robot", &sim::prescribed_acceleration_robot,
                 "A robot that integrates the accelerations of its command, which also determines the active contacts "
                 "and their forces. Arguments as for contact_robot.");
}

}  // namespace lissom::python
