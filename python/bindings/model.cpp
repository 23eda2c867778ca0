// Models: loading and building, joints, links and frames by name, copying and pickling.
#include "bound_model.h"
#include "description.h"
#include "lissom/api/load.h"
#include "lissom/api/mass_matrix_factor.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

// A Frame with its index, by which functions find it.
struct BoundFrame : Frame {
  int index = 0;
};

BoundModel load_file(const std::string& path, Base base, bool mimic, double axis_tolerance,
                     const std::vector<std::string>& package_paths, bool find_meshes, const std::string& loops_file,
                     const std::map<std::string, std::string>& xacro) {
  const nb::gil_scoped_release release;  // files may be large, or pipes that are written by another thread
  std::vector<Diagnostic> diagnostics;
  Model model =
      load(path, {base, mimic, axis_tolerance, package_paths, find_meshes, loops_file, {xacro.begin(), xacro.end()}},
           &diagnostics);
  return BoundModel(std::move(model), std::move(diagnostics));
}

BoundModel load_string(const std::string& text, const std::string& file_name, Base base, bool mimic,
                       double axis_tolerance, const std::vector<std::string>& package_paths,
                       const std::map<std::string, std::string>& xacro) {
  const nb::gil_scoped_release release;
  std::vector<Diagnostic> diagnostics;
  LoadOptions options{base, mimic, axis_tolerance, package_paths};
  options.xacro_arguments.assign(xacro.begin(), xacro.end());
  Model model = load_text(text, file_name, options, &diagnostics);
  return BoundModel(std::move(model), std::move(diagnostics));
}

// Elements first … first + count - 1 of the last axis; for a single one, without that axis.
nb::object elements(nb::handle array, int first, int count, const char* name, const Joint& joint) {
  const nb::object a = PyArray_Check(array.ptr()) ? nb::borrow(array) : real_array(name, array);
  if (count == 0) throw Error("joint '" + joint.name + "' has no elements of " + name);
  if (nb::cast<int>(a.attr("ndim")) == 0 || nb::cast<long>(a.attr("shape")[-1]) < first + count)
    throw Error(std::string(name) + " is too short for joint '" + joint.name + "', expected the shape (…, n" + name +
                ")");
  if (count == 1) return a[nb::make_tuple(nb::ellipsis(), first)];
  return a[nb::make_tuple(nb::ellipsis(), nb::slice(first, first + count))];
}

void bind_joint(nb::module_& m) {
  auto joint = nb::class_<Joint>(m, "Joint", "A joint of a model.");
  joint.def_ro("name", &Joint::name, "Unique among joints.")
      .def_ro("type", &Joint::type, "'revolute', 'prismatic', 'free', …, as in JointDescription.")
      .def_ro("parent", &Joint::parent, "A link.")
      .def_ro("child", &Joint::child, "A link.");
  joint.def_ro("body", &Joint::body, "The body it moves.");
  joint.def_ro("q_index", &Joint::q_index, "Its first element of q.")
      .def_ro("nq", &Joint::nq, "Its number of elements of q.");
  joint.def_ro("v_index", &Joint::v_index, "Its first element of v, tau, and column of Jacobians.")
      .def_ro("nv", &Joint::nv, "Its degrees of freedom: elements of v, a and tau.");
  joint.def_prop_ro(
      "lower", [](const Joint& j) { return to_numpy(std::span<const double>(j.lower)); },
      nb::sig("def lower(self) -> NDArray[np.float64]"), "Position limits; empty: none. rad, m.");
  joint.def_prop_ro(
      "upper", [](const Joint& j) { return to_numpy(std::span<const double>(j.upper)); },
      nb::sig("def upper(self) -> NDArray[np.float64]"), "Position limits; empty: none. rad, m.");
  joint.def_ro("velocity_limit", &Joint::velocity_limit, "rad/s, m/s")
      .def_ro("effort_limit", &Joint::effort_limit, "N m, N");
  joint.def_ro("damping", &Joint::damping, "One for each degree of freedom, N m s/rad, N s/m.")
      .def_ro("dry_friction", &Joint::dry_friction, "N m, N");
  joint.def_ro("spring_stiffness", &Joint::spring_stiffness, "N m/rad, N/m")
      .def_ro("spring_rest", &Joint::spring_rest, "Where the spring has no force, rad, m.")
      .def_ro("armature", &Joint::armature, "Inertia of the rotor, as the joint sees it, kg m², kg.");
  joint.def_prop_ro(
      "follows",
      [](const Joint& j) -> std::optional<std::array<double, 3>> {
        if (!j.follows) return std::nullopt;
        return std::array{double(j.follows->joint), j.follows->ratio, j.follows->offset};
      },
      "Of a mimic joint: (index of the leader, ratio, offset).");
  joint.def(
      "q", [](const Joint& j, nb::handle q) { return elements(q, j.q_index, j.nq, "q", j); }, "q"_a,
      nb::sig("def q(self, q: ArrayLike) -> Any"),
      "Its elements of q, (…, nq of the joint), or (…,) if it has one: a view, which can be assigned to.");
  joint.def(
      "v", [](const Joint& j, nb::handle v) { return elements(v, j.v_index, j.nv, "v", j); }, "v"_a,
      nb::sig("def v(self, v: ArrayLike) -> Any"), "Its elements of v, a or tau, as q() gives those of q.");
  joint.def("__repr__", [](const Joint& j) {
    std::string text = "Joint('" + j.name + "', " + to_string(j.type) + ", " + j.parent + " → " + j.child;
    if (j.nq == 1) text += ", q[" + std::to_string(j.q_index) + "]";
    if (j.nq > 1) text += ", q[" + std::to_string(j.q_index) + ":" + std::to_string(j.q_index + j.nq) + "]";
    return text + ")";
  });
}

void bind_parts(nb::module_& m) {
  bind_joint(m);
  nb::class_<Link>(m, "Link", "A link of a model.")
      .def_ro("name", &Link::name, "Unique among links.")
      .def_ro("body", &Link::body, "The body it is part of; 0 is the world.")
      .def_ro("placement", &Link::placement, "Of its frame in the body's frame, 4 × 4.")
      .def_ro("joint", &Link::joint, "Index of the joint that moves it, -1 for a root fixed to the world.")
      .def_ro("mass", &Link::mass, "kg")
      .def("__repr__", [](const Link& l) {
        return "Link('" + l.name + "', mass=" + nb::cast<std::string>(nb::repr(nb::float_(l.mass))) + ")";
      });
  nb::class_<BoundFrame>(m, "Frame",
                         "A named frame on a body: that of every link, and the named frames of the description.")
      .def_ro("name", &BoundFrame::name, "Of a link, or of a frame fixed to one.")
      .def_ro("index", &BoundFrame::index, "In Model.frames.")
      .def_ro("body", &BoundFrame::body, "The body it is fixed to; 0 is the world.")
      .def_ro("placement", &BoundFrame::placement, "In the body's frame, 4 × 4.")
      .def("__index__", [](const BoundFrame& f) { return f.index; })
      .def("__repr__", [](const BoundFrame& f) {
        return "Frame('" + f.name + "', index=" + std::to_string(f.index) + ", body=" + std::to_string(f.body) + ")";
      });
  nb::class_<Actuator>(m, "Actuator", "A motor on one degree of freedom: tau[v_index] = gear · command.")
      .def_ro("name", &Actuator::name, "Of the motor.")
      .def_ro("joint", &Actuator::joint, "That it drives.")
      .def_ro("v_index", &Actuator::v_index, "Its element of tau.")
      .def_ro("gear", &Actuator::gear, "tau = gear · force.")
      .def_ro("min_command", &Actuator::min_command, "Commands below are clamped.")
      .def_ro("max_command", &Actuator::max_command, "Commands above are clamped.")
      .def("__repr__", [](const Actuator& a) { return "Actuator('" + a.name + "')"; });
}

BoundFrame bound_frame(const BoundModel& model, FrameId id) {
  return {model.frame_at(id), id.index};
}

std::string repr(const BoundModel& model) {
  char mass[32];
  std::snprintf(mass, sizeof mass, "%.4g", model.mass());
  return "Model('" + model.name() + "', nq=" + std::to_string(model.nq()) + ", nv=" + std::to_string(model.nv()) +
         ", " + std::to_string(model.links().size()) + " links, " + std::to_string(model.joints().size()) +
         " joints, " + mass + " kg)";
}

nb::object view_of(const std::vector<double>& values, nb::handle owner) {
  return numpy_view(values.data(), std::array{long(values.size())}, owner);
}

void bind_limits(nb::class_<BoundModel>& m) {
  m.def_prop_ro(
      "lower", [](nb::handle self) { return view_of(nb::cast<const BoundModel&>(self).lower(), self); },
      nb::sig("def lower(self) -> NDArray[np.float64]"), "Position limits, (nq,); -inf: none. Read-only.");
  m.def_prop_ro(
      "upper", [](nb::handle self) { return view_of(nb::cast<const BoundModel&>(self).upper(), self); },
      nb::sig("def upper(self) -> NDArray[np.float64]"), "Position limits, (nq,); inf: none. Read-only.");
  m.def_prop_ro(
      "velocity_limit",
      [](nb::handle self) { return view_of(nb::cast<const BoundModel&>(self).velocity_limit(), self); },
      nb::sig("def velocity_limit(self) -> NDArray[np.float64]"), "(nv,); rad/s, m/s. Read-only.");
  m.def_prop_ro(
      "effort_limit", [](nb::handle self) { return view_of(nb::cast<const BoundModel&>(self).effort_limit(), self); },
      nb::sig("def effort_limit(self) -> NDArray[np.float64]"), "(nv,); N m, N. Read-only.");
  m.def_prop_ro(
      "quaternions", [](const BoundModel& model) { return model.quaternions(); },
      "The indices in q at which the quaternions of spherical and free joints begin.");
}

void bind_members(nb::class_<BoundModel>& m) {
  m.def_prop_ro("name", &BoundModel::name, "Of the robot.")
      .def_prop_ro("nq", &BoundModel::nq, "Elements of a configuration q.")
      .def_prop_ro("nv", &BoundModel::nv, "Degrees of freedom: elements of v, a, tau.");
  m.def_prop_ro("body_count", &BoundModel::body_count, "Number of moving bodies.")
      .def_prop_ro("mass", &BoundModel::mass, "Of all links, kg.")
      .def_prop_ro("moving_mass", &BoundModel::moving_mass,
                   "Of the links that move, kg: without those that are fixed to the world.");
  m.def_prop_ro("gravity", &BoundModel::gravity, "m/s², in the world frame.");
  m.def_prop_ro("joints", [](const BoundModel& model) { return model.joints(); }, "In the order of q.");
  m.def_prop_ro("links", [](const BoundModel& model) { return model.links(); }, "In the order of the description.");
  m.def_prop_ro(
      "frames",
      [](const BoundModel& model) {
        std::vector<BoundFrame> frames;
        for (std::size_t i = 0; i < model.frames().size(); ++i) frames.push_back({model.frames()[i], int(i)});
        return frames;
      },
      "The world, then links, then named frames.");
  m.def_prop_ro("actuators", [](const BoundModel& model) { return model.actuators(); }, "Motors of the description.");
  m.def(
      "joint", [](const BoundModel& model, const std::string& name) { return model.joint(name); }, "name"_a,
      "A joint by name; an unknown name raises an Error with the nearest ones.");
  m.def(
      "link", [](const BoundModel& model, const std::string& name) { return model.link(name); }, "name"_a,
      "A link by name.");
  m.def(
      "frame", [](const BoundModel& model, const std::string& name) { return bound_frame(model, model.frame(name)); },
      "name"_a, "A frame by name: a link, or a named frame.");
  m.def("has_joint", [](const BoundModel& model, const std::string& name) { return model.has_joint(name); }, "name"_a);
  m.def("has_link", [](const BoundModel& model, const std::string& name) { return model.has_link(name); }, "name"_a);
  m.def("has_frame", [](const BoundModel& model, const std::string& name) { return model.has_frame(name); }, "name"_a);
  m.def_prop_ro(
      "description", [](const BoundModel& model) { return from_description(model.description()); },
      "A copy of the description it was built from; change it and build() another model.");
  m.def_prop_ro("options", [](const BoundModel& model) { return model.options(); }, "The options it was built with.");
  m.def_ro("diagnostics", &BoundModel::diagnostics, "What load() found: notes and warnings.");
  m.def(
      "with_gravity",
      [](const BoundModel& model, const Vec3<double>& g) {
        return BoundModel(model.with_gravity(g), model.diagnostics);
      },
      "gravity"_a, "The same robot with another gravity, m/s².");
}

void bind_factor(nb::module_& m) {
  nb::class_<MassMatrixFactor>(m, "MassMatrixFactor",
                               "The sparse factorization M(q) = Lᵀ D L, for solving and inverting.")
      .def(
          "solve", [](MassMatrixFactor& self, nb::handle b) { return to_numpy(self.solve(vector("b", b))); }, "b"_a,
          nb::sig("def solve(self, b: ArrayLike) -> NDArray[np.float64]"), "M⁻¹ b.")
      .def_prop_ro(
          "L", [](MassMatrixFactor& self) { return to_numpy(Matrix(self.L())); },
          nb::sig("def L(self) -> NDArray[np.float64]"), "The unit lower triangular matrix L.")
      .def_prop_ro(
          "D", [](MassMatrixFactor& self) { return to_numpy(self.D()); }, nb::sig("def D(self) -> NDArray[np.float64]"),
          "The diagonal of D.");
}

}  // namespace

void bind_model(nb::module_& m) {
  bind_parts(m);
  bind_factor(m);
  auto model = nb::class_<BoundModel>(
      m, "Model",
      "A robot model: immutable, shared by any number of threads. Joints, links and frames are addressed by name.");
  bind_members(model);
  bind_limits(model);
  bind_kinematics(model);
  bind_dynamics(model);
  bind_derivatives(m, model);
  bind_second_order(model);
  bind_states(model);
  bind_html(model);
  bind_variants(m, model);
  bind_model_loops(model);
  bind_equations(m, model);
  model.def(
      "factorize_mass_matrix",
      [](const BoundModel& self, nb::handle q) {
        const auto work = self.workspace();
        return factorize_mass_matrix(self, *work, vector("q", q, self.nq()));
      },
      "q"_a, nb::sig("def factorize_mass_matrix(self, q: ArrayLike) -> MassMatrixFactor"),
      "A factor of M(q), q of shape (nq,), for solving with M.");
  model.def("__repr__", &repr);
  model.def("__copy__", [](const BoundModel& self) { return BoundModel(self); });
  model.def("__deepcopy__", [](const BoundModel& self, nb::handle) { return BoundModel(self); }, "memo"_a);
  model.def("__getstate__", [](const BoundModel& self) {
    return nb::make_tuple(from_description(self.description()), self.options(), self.gravity(), self.diagnostics);
  });
  model.def("__setstate__", [](BoundModel& self, const nb::tuple& state) {
    const auto gravity = nb::cast<Vec3<double>>(state[2]);
    new (&self)
        BoundModel(build(to_description(nb::cast<const BoundDescription&>(state[0])), nb::cast<BuildOptions>(state[1]))
                       .with_gravity(gravity),
                   nb::cast<std::vector<Diagnostic>>(state[3]));
  });
  m.def("_load", &load_file, "path"_a, "base"_a = Base::file, "mimic"_a = true,
        "axis_tolerance"_a = BuildOptions{}.axis_tolerance, "package_paths"_a = std::vector<std::string>(),
        "find_meshes"_a = false, "loops_file"_a = "", "xacro"_a = std::map<std::string, std::string>());
  m.def("load_text", &load_string, "text"_a, "file_name"_a = "text", "base"_a = Base::file, "mimic"_a = true,
        "axis_tolerance"_a = BuildOptions{}.axis_tolerance, "package_paths"_a = std::vector<std::string>(),
        "xacro"_a = std::map<std::string, std::string>(),
        "Loads a robot from the text of a robot file; file_name appears in findings and errors, and a xacro file "
        "includes others relative to it.");
  m.def(
      "build",
      [](const BoundDescription& description, Base base, bool mimic, double axis_tolerance) {
        return BoundModel(
            build(to_description(description), {.base = base, .mimic = mimic, .axis_tolerance = axis_tolerance}));
      },
      "description"_a, "base"_a = Base::file, "mimic"_a = true, "axis_tolerance"_a = BuildOptions{}.axis_tolerance,
      "Checks a description and builds a model of it. Raises an Error with all findings if there is an error among "
      "them.");
}

}  // namespace lissom::python
