// Worlds of robots and bodies that touch each other.
#include "lissom/world/world.h"

#include "calls.h"
#include "formulations.h"
#include "lissom/api/state.h"
#include "world_parts.h"
#include "worlds.h"

namespace lissom::python {

using namespace nb::literals;

nb::object structured_array(long n, const nb::list& fields) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  return numpy.attr("zeros")(n, numpy.attr("dtype")(fields));
}

std::vector<NamedFactors> named_factors(nb::handle mass, nb::handle inertia) {
  const char* const expected = "{'body': 1.2, 'robot/link': 0.9}";
  std::vector<NamedFactors> all;
  const auto find = [&](nb::handle key) -> NamedFactors& {
    if (!PyUnicode_Check(key.ptr())) {
      PyErr_Format(PyExc_TypeError, "a key is %R, expected the name of a body, a robot or a link", key.ptr());
      throw nb::python_error();
    }
    const auto name = nb::cast<std::string>(key);
    for (auto& known : all)
      if (known.name == name) return known;
    return all.emplace_back(NamedFactors{name, nb::none(), nb::none()});
  };
  for (const auto [name, factor] : mapping("mass", mass, expected)) find(name).mass = nb::borrow(factor);
  if (!inertia.is_none())
    for (const auto [name, factor] : mapping("inertia", inertia, expected)) find(name).inertia = nb::borrow(factor);
  return all;
}

namespace {

using W = BoundWorld;

// A function of the world, which nobody else uses meanwhile.
template <class R, class... A>
auto call(R (World::*f)(A...)) {
  return [f](W& self, std::remove_cvref_t<A>... arguments) {
    const OneCaller::Scope use(*self.in_use, "World");
    return (self.world.get()->*f)(arguments...);
  };
}
template <class R, class... A>
auto call(R (World::*f)(A...) const) {
  return [f](W& self, std::remove_cvref_t<A>... arguments) -> std::remove_cvref_t<R> {
    const OneCaller::Scope use(*self.in_use, "World");
    return (self.world.get()->*f)(arguments...);
  };
}

void make(W* self, nb::handle options, const nb::kwargs& fields) {
  // (Through the class, so that a wrong keyword argument names the right ones.)
  const nb::object type = nb::borrow(nb::type<World::Options>());
  if (!options.is_none() && fields.size() > 0) throw Error("options and their fields are given, expected either");
  const nb::object given = options.is_none() ? nb::object(type(**fields)) : nb::borrow(options);
  const auto& chosen = nb::cast<const World::Options&>(given);
  new (self) W{std::make_shared<World>(chosen)};
  self->parts->scene.name = "world";
  self->parts->scene.options = chosen;
}

// Parts are added while nothing runs: a recording knows them all from its beginning.
void expect_setup(const W& self) {
  if (self.parts->running) throw Error("this World runs; add parts before run() begins");
}

void add_body(W& self, const BoundRigidBody& body) {
  const auto given = to_rigid_body(body);
  expect_setup(self);
  const OneCaller::Scope use(*self.in_use, "World");
  self.world->add(given);
  self.parts->scene.bodies.push_back({.body = given});
}

void add_robot(W& self, const std::string& name, const BoundModel& model, nb::handle q, nb::handle v,
               nb::handle settings) {
  const Eigen::VectorXd at_q = q.is_none() ? neutral(model) : vector("q", q, model.nq());
  const Eigen::VectorXd at_v =
      v.is_none() ? Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv())) : vector("v", v, model.nv());
  const auto given = settings.is_none() ? RobotSettings{} : nb::cast<RobotSettings>(settings);
  expect_setup(self);
  const OneCaller::Scope use(*self.in_use, "World");
  self.world->add(name, model, at_q, given);
  self.world->v(name) = at_v;
  self.parts->scene.robots.push_back({.name = name, .model = model, .q = at_q, .v = at_v, .settings = given});
}

void add_fixed(W& self, const std::string& name, const Shape& shape, nb::handle at, double rounding) {
  const auto X = at.is_none() ? Pose<double>{} : pose("pose", at);
  expect_setup(self);
  const OneCaller::Scope use(*self.in_use, "World");
  self.world->add_fixed(name, shape, X, rounding);
  self.parts->scene.fixed.push_back({.name = name, .shape = shape, .pose = X, .rounding = rounding});
}

void attach(W& self, const std::string& name, const std::string& robot, nb::handle frame, nb::handle shapes) {
  const auto geometries = list_of<Geometry>("shapes", shapes, "Geometry");
  const auto on = frame_name("frame", frame);
  expect_setup(self);
  const OneCaller::Scope use(*self.in_use, "World");
  const Model* const model = self.world->robot(robot);
  self.world->attach(name, robot, model ? frame_of(*model, on) : world_frame, geometries);
}

void add_ground(W& self, const std::string& name) {
  expect_setup(self);
  const OneCaller::Scope use(*self.in_use, "World");
  self.world->add_ground(name);
  auto& scene = self.parts->scene;
  Shape plane;
  plane.kind = Shape::Kind::plane;
  if (scene.ground)
    scene.fixed.push_back({.name = name, .shape = plane});
  else
    scene.ground = name;
}

// Reads fields of ContactProperties given as keyword arguments, or a record of them.
template <class T>
T record_of(nb::handle record, const nb::kwargs& fields, const char* name) {
  if (!record.is_none() && fields.size() > 0)
    throw Error(std::string(name) + " and their fields are given, expected either");
  const nb::object type = nb::borrow(nb::type<T>());
  return nb::cast<T>(record.is_none() ? nb::object(type(**fields)) : nb::borrow(record));
}

void set_servos(W& self, const std::string& robot, nb::handle servos, const nb::kwargs& fields) {
  auto given = record_of<Servos>(servos, fields, "servos");
  if (given.v_target.size() == 0) given.v_target = Eigen::VectorXd::Zero(given.stiffness.size());
  const OneCaller::Scope use(*self.in_use, "World");
  self.world->set_servos(robot, given);
}

void scale_masses(W& self, nb::handle mass, nb::handle inertia) {
  std::vector<MassFactors> factors;
  for (const auto& f : named_factors(mass, inertia)) {
    factors.push_back({.name = f.name, .mass = f.mass.is_none() ? 1 : nb::cast<double>(f.mass)});
    if (!f.inertia.is_none()) factors.back().inertia = nb::cast<double>(f.inertia);
  }
  const OneCaller::Scope use(*self.in_use, "World");
  self.world->scale_masses(factors);
}

StepReport step(W& self, double h, long count, nb::handle progress) {
  if (count < 0) throw Error("count is " + std::to_string(count) + ", expected 0 or more steps");
  const OneCaller::Scope use(*self.in_use, "World");
  StepReport report;
  in_pieces(
      count, 64,
      [&](long, long steps) {
        for (long k = 0; k < steps; ++k) report = combined(report, self.world->step(h));
      },
      progress);
  return report;
}

std::pair<StepReport, StepDerivatives> step_with_derivatives(W& self, double h, std::vector<StepParameter> parameters) {
  std::pair<StepReport, StepDerivatives> result;
  result.second.parameters = std::move(parameters);
  const OneCaller::Scope use(*self.in_use, "World");
  result.first = self.world->step(h, result.second);
  return result;
}

nb::object contact_array(W& self) {
  std::vector<ContactReading> all;
  {
    const OneCaller::Scope use(*self.in_use, "World");
    all = self.world->contacts();
  }
  nb::list a, b, fields;
  std::size_t longest = 1;
  for (const auto& c : all) longest = std::max({longest, c.a.size(), c.b.size()}), a.append(c.a), b.append(c.b);
  const std::string text = "U" + std::to_string(longest);
  for (const char* const name : {"a", "b"}) fields.append(nb::make_tuple(name, text));
  for (const char* const name : {"point", "normal", "force"}) fields.append(nb::make_tuple(name, "f8", 3));
  for (const char* const name : {"gap", "slip"}) fields.append(nb::make_tuple(name, "f8"));
  const nb::object array = structured_array(long(all.size()), fields);
  if (all.empty()) return array;
  array[nb::str("a")] = a, array[nb::str("b")] = b;
  const auto vectors = [&](const char* name, Vec3<double> ContactReading::* member) {
    std::vector<Vec3<double>> values;
    for (const auto& c : all) values.push_back(c.*member);
    array[nb::str(name)] = to_numpy(values);
  };
  const auto numbers = [&](const char* name, double ContactReading::* member) {
    std::vector<double> values;
    for (const auto& c : all) values.push_back(c.*member);
    array[nb::str(name)] = to_numpy(std::span<const double>(values));
  };
  vectors("point", &ContactReading::point), vectors("normal", &ContactReading::normal);
  vectors("force", &ContactReading::force);
  numbers("gap", &ContactReading::gap), numbers("slip", &ContactReading::slip);
  return array;
}

// q, v and tau are views of the world's own memory, which stays where it is.
using Member = Eigen::VectorXd& (World::*)(const std::string&);
template <Member member>
nb::object view(nb::handle_t<W> self, const std::string& name) {
  auto& world = nb::cast<W&>(self);
  const OneCaller::Scope use(*world.in_use, "World");
  auto& x = (world.world.get()->*member)(name);
  return numpy_view(x.data(), std::array{long(x.size())}, self, true);
}
template <Member member>
void set(W& self, const std::string& name, nb::handle value, const char* what) {
  const OneCaller::Scope use(*self.in_use, "World");
  auto& x = (self.world.get()->*member)(name);
  // (Copied, not moved: arrays of Python look at this memory.)
  const Eigen::VectorXd given = vector(what, value, x.size());
  x = given;
}

void bind_setup(nb::class_<W>& c) {
  c.def("__init__", &make, "options"_a = nb::none(), "fields"_a,
        nb::sig("def __init__(self, options: WorldOptions | None = None, **fields: Any) -> None"));
  c.def("add_body", &add_body, "body"_a, "Adds a rigid body.");
  c.def("add_robot", &add_robot, "name"_a, "model"_a, "q"_a = nb::none(), "v"_a = nb::none(), "settings"_a = nb::none(),
        nb::sig("def add_robot(self, name: str, model: Model, q: ArrayLike | None = None, v: ArrayLike | None = None, "
                "settings: RobotSettings | None = None) -> None"),
        "Adds a robot with its collision shapes. q: None is the neutral configuration; v: None is at rest.");
  c.def("add_fixed", &add_fixed, "name"_a, "shape"_a, "pose"_a = nb::none(), "rounding"_a = 0.,
        nb::sig("def add_fixed(self, name: str, shape: Shape, pose: ArrayLike | None = None, rounding: float = 0.0) -> "
                "None"),
        "Adds a shape that does not move. rounding: radius of the edges of boxes and cylinders, m.");
  c.def(
      "attach", &attach, "name"_a, "robot"_a, "frame"_a, "shapes"_a,
      nb::sig("def attach(self, name: str, robot: str, frame: Any, shapes: Iterable[Geometry]) -> None"),
      "Adds collision shapes to a robot, in coordinates of a frame, besides those of its description: a tool, a load. "
      "They have a name of their own, for properties, exclusions and readings; they are not shown, and have no mass.");
  c.def("add_ground", &add_ground, "name"_a = "ground", "Adds the half space below z = 0.");
  c.def(
      "set_properties",
      [](W& self, const std::string& a, const std::string& b, nb::handle properties, const nb::kwargs& fields) {
        const auto given = record_of<ContactProperties>(properties, fields, "properties");
        const OneCaller::Scope use(*self.in_use, "World");
        self.world->set_properties(a, b, given);
      },
      "a"_a, "b"_a, "properties"_a = nb::none(), "fields"_a,
      nb::sig("def set_properties(self, a: str, b: str, properties: ContactProperties | None = None, **fields: Any) -> "
              "None"),
      "How two things touch, by the names of bodies, robots and fixed shapes; '' stands for everything else. "
      "properties, "
      "or its fields as keyword arguments.");
  c.def("properties", call(&World::properties), "a"_a, "b"_a, "How two things touch now.");
  c.def("exclude", call(&World::exclude), "a"_a, "b"_a,
        "Lets two things pass through each other: bodies, robots, fixed shapes, or links as 'robot/link'.");
  c.def("set_servos", &set_servos, "robot"_a, "servos"_a = nb::none(), "fields"_a,
        nb::sig("def set_servos(self, robot: str, servos: Servos | None = None, **fields: Any) -> None"),
        "Servos of a robot, or their fields as keyword arguments; without any, they are taken away.");
  c.def("servos", call(&World::servos), "robot"_a, "The servos of a robot; their arrays are empty if there are none.");
  c.def(
      "scale_masses", &scale_masses, "mass"_a, "inertia"_a = nb::none(),
      nb::sig("def scale_masses(self, mass: Mapping[str, float], inertia: Mapping[str, float] | None = None) -> None"),
      "Multiplies masses and moments of inertia of bodies, robots and links ('robot/link'), by name. Moments of "
      "inertia "
      "are multiplied as the masses are, unless `inertia` says otherwise.");
}

void bind_state(nb::class_<W>& c) {
#define LISSOM_WORLD_VECTOR(member, doc)                                                                              \
  c.def(#member, &view<&World::member>, "name"_a, nb::sig("def " #member "(self, name: str) -> NDArray[np.float64]"), \
        doc " A view: writing to it changes the world.");                                                             \
  c.def(                                                                                                              \
      "set_" #member,                                                                                                 \
      [](W& self, const std::string& name, nb::handle value) { set<&World::member>(self, name, value, #member); },    \
      "name"_a, #member##_a, nb::sig("def set_" #member "(self, name: str, " #member ": ArrayLike) -> None"), doc);
  LISSOM_WORLD_VECTOR(
      q,
      "The configuration of a robot; of a body the position of its center of mass and its quaternion (w, "
      "x, y, z).")
  LISSOM_WORLD_VECTOR(v,
                      "The velocity of a robot; of a body that of its center of mass along the world's axes, and its "
                      "angular velocity along its own.")
  LISSOM_WORLD_VECTOR(
      tau,
      "Generalized forces of a robot's motors, within its effort limits; of a body all that acts on it. They "
      "stay until they are set again.")
  LISSOM_WORLD_VECTOR(external,
                      "Generalized forces on a robot from outside, such as pushes: they act besides tau, and no limit "
                      "cuts them. They stay until they are set again.")
#undef LISSOM_WORLD_VECTOR
  c.def("state", call(&World::state), "Everything that the next steps depend on.");
  c.def("restore", call(&World::restore), "state"_a, "Goes on from a state of this world, or of one made like it.");
  const auto clone = [](W& self) {
    const OneCaller::Scope use(*self.in_use, "World");
    return W{std::make_shared<World>(self.world->clone()), std::make_shared<OneCaller>(),
             std::make_shared<WorldParts>(self.parts->scene)};
  };
  c.def("clone", clone, "Another world in the same state, which moves with the same bits.");
  c.def("__copy__", clone);
  c.def("__deepcopy__", [clone](W& self, nb::handle) { return clone(self); }, "memo"_a);
  c.def(
      "step", &step, "h"_a, "count"_a = 1, "progress"_a = nb::none(),
      nb::sig(
          "def step(self, h: float, count: int = 1, progress: Callable[[int, int], Any] | None = None) -> StepReport"),
      "Advances by count steps of h seconds each. progress(done, count) is called several times a second. Raises an "
      "Error, and changes nothing in that step, if the state or a force is not finite.");
  c.def("step_with_derivatives", &step_with_derivatives, "h"_a, "parameters"_a = std::vector<StepParameter>(),
        nb::sig("def step_with_derivatives(self, h: float, parameters: Sequence[StepParameter] = []) -> "
                "tuple[StepReport, StepDerivatives]"),
        "Advances by one step, and gives its derivatives with respect to state, forces and parameters. Raises an Error "
        "where the step has none: an impact stage acted, or a robot has closed loops.");
}

void bind_imus(nb::class_<W>& c) {
  c.def(
      "add_imu",
      [](W& self, const std::string& name, const std::string& on, nb::handle at) {
        const auto X = at.is_none() ? Pose<double>{} : pose("pose", at);
        const OneCaller::Scope use(*self.in_use, "World");
        self.world->add_imu(name, on, X);
      },
      "name"_a, "on"_a, "pose"_a = nb::none(),
      nb::sig("def add_imu(self, name: str, on: str, pose: ArrayLike | None = None) -> None"),
      "Adds an inertial measurement unit on a rigid body, or on a link or frame of a robot ('robot/link'), at a pose "
      "in "
      "its frame.");
  c.def("imu", call(&World::imu), "name"_a,
        "What an IMU showed in the last step: angular velocity at its end, specific force as its mean.");
  c.def_prop_ro("imus", call(&World::imus), "Names of the IMUs.");
}

void bind_readings(nb::class_<W>& c) {
  c.def_prop_ro("time", call(&World::time), "s");
  c.def_prop_ro("names", call(&World::names),
                "Of bodies, robots and fixed shapes, in the order in which they were added.");
  c.def_prop_ro("moving", call(&World::moving), "Of bodies and robots alone, those that have a state.");
  c.def_prop_ro("notes", call(&World::notes),
                "What differs from what one might expect: links that overlap at the start and do not touch each other, "
                "meshes that could not be read.");
  c.def(
      "robot",
      [](W& self, const std::string& name) -> std::optional<BoundModel> {
        const OneCaller::Scope use(*self.in_use, "World");
        const Model* const model = self.world->robot(name);
        return model ? std::optional<BoundModel>(std::in_place, *model) : std::nullopt;
      },
      "name"_a, "The robot of this name; None where a rigid body or a fixed shape has it.");
  c.def("mass", call(&World::mass), "name"_a, "Of a rigid body, a robot or a link ('robot/link'), kg.");
  c.def("pose", call(&World::pose), "body"_a, "The pose of a rigid body's frame, 4 × 4.");
  c.def("contacts", call(&World::contacts), "The contacts with a force at the end of the last step.");
  c.def("contact_array", &contact_array, nb::sig("def contact_array(self) -> NDArray[Any]"),
        "The same as a structured array: a, b, point, normal, force, gap, slip.");
  c.def("contact_force", call(&World::contact_force), "name"_a,
        "The sum of the contact forces on a body, a fixed shape or a link ('robot/link'), mean over the last step, N.");
  c.def("worst_row", call(&World::worst_row), "The row of the last step that is farthest from its law.");
  c.def("loop_forces", call(&World::loop_forces), "robot"_a,
        "Forces and torques of a robot's loops in the last step, one for each of their rows.");
  c.def("motor_torques", call(&World::motor_torques), "robot"_a,
        "Torques of a robot's motors in the last step: tau and servos, after the effort limits. Empty before a step.");
  c.def("kinetic_energy", call(&World::kinetic_energy), "J");
  c.def("potential_energy", call(&World::potential_energy), "Of gravity and of joint springs, J.");
  c.def(
      "momentum",
      [](W& self) {
        const OneCaller::Scope use(*self.in_use, "World");
        return to_numpy(self.world->momentum());
      },
      nb::sig("def momentum(self) -> NDArray[np.float64]"),
      "Linear momentum, and angular momentum about the world's origin, (6,).");
  c.def("__repr__", [](W& self) {
    const OneCaller::Scope use(*self.in_use, "World");
    std::string list;
    for (const auto& name : self.world->names()) list += (list.empty() ? "" : ", ") + name;
    return "World(time=" + to_text(self.world->time()) + ", " + list + ")";
  });
}

}  // namespace

void bind_world(nb::module_& m) {
  bind_world_parts(m);
  nb::class_<W> c(
      m, "World",
      "A world of robots, rigid bodies and fixed shapes that touch each other. It belongs to one caller at a "
      "time. options, or its fields as keyword arguments: WorldOptions.\n\n"
      "    world = lissom.World()\n    world.add_ground()\n"
      "    world.add_body(lissom.RigidBody.homogeneous('box', lissom.Shape('box', size=[.1, .1, .1]), 1.0))\n"
      "    report = world.step(1e-3)");
  bind_setup(c);
  bind_state(c);
  bind_imus(c);
  bind_readings(c);
  bind_scenes(m, c);
}

}  // namespace lissom::python
