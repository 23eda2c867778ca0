// States in the conventions of other programs.
#include "lissom/formulations/conventions.h"

#include "formulations.h"

LISSOM_ENUM(lissom::formulations::Convention, "lissom", "pinocchio", "ros", "mujoco", "world")

namespace lissom::python {

using namespace nb::literals;
using namespace formulations;

namespace {

// A Conversion with the model it was made for, whose sizes and workspaces the calls need.
struct BoundConversion : Conversion {
  BoundModel model;
  BoundConversion(const BoundModel& m, Convention other) : Conversion(m, other), model(m) {}
  BoundConversion(const BoundModel& m, Convention other, const std::vector<std::string>& joints)
      : Conversion(m, other, joints), model(m) {}
};

BoundConversion make(const BoundModel& model, const std::string& name,
                     const std::optional<std::vector<std::string>>& joints) {
  const auto other = convention(name);
  return joints ? BoundConversion(model, other, *joints) : BoundConversion(model, other);
}

struct Argument {
  const char* name;
  nb::handle object;
  long n;
};
// Calls f(arguments of one row) for all rows; it returns the row of the result.
template <class F>
nb::object for_all(const BoundConversion& self, std::initializer_list<Argument> arguments,
                   std::initializer_list<long> shape, const F& f) {
  Call call;
  for (const auto& a : arguments) call.read(a.name, a.object, a.n);
  call.resolve();
  call.compute_in_double();
  call.result(nb::none(), shape);
  for_rows(self.model, call.rows(), [&](Workspace&, long i) {
    double* const out = call.result_data<double>() + i * call.result_size();
    const auto x = f([&](int k) { return call.vector(k, i); });
    Eigen::Map<Matrix>(out, x.rows(), x.cols()) = x;
  });
  return call.finish();
}

Eigen::VectorXd joined(const State& state) {
  Eigen::VectorXd both(state.q.size() + state.v.size());
  both << state.q, state.v;
  return both;
}
// The first n elements of the last axis, and the others.
nb::object split(const nb::object& both, long n) {
  return nb::make_tuple(both[nb::make_tuple(nb::ellipsis(), nb::slice(nb::none(), nb::int_(n), nb::none()))],
                        both[nb::make_tuple(nb::ellipsis(), nb::slice(nb::int_(n), nb::none(), nb::none()))]);
}

nb::object to_state(const BoundConversion& self, nb::handle q, nb::handle v) {
  const long nq = self.nq(), nv = self.nv();
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(self.model.nv());
  if (v.is_none())
    return for_all(self, {{"q", q, self.model.nq()}}, {nq}, [&](const auto& x) { return self.to_state(x(0), rest).q; });
  return split(for_all(self, {{"q", q, self.model.nq()}, {"v", v, self.model.nv()}}, {nq + nv},
                       [&](const auto& x) { return joined(self.to_state(x(0), x(1))); }),
               nq);
}
nb::object from_state(const BoundConversion& self, nb::handle q, nb::handle v) {
  const long nq = self.model.nq(), nv = self.model.nv();
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(self.nv());
  if (v.is_none())
    return for_all(self, {{"q_there", q, self.nq()}}, {nq},
                   [&](const auto& x) { return self.from_state(x(0), rest).q; });
  return split(for_all(self, {{"q_there", q, self.nq()}, {"v_there", v, self.nv()}}, {nq + nv},
                       [&](const auto& x) { return joined(self.from_state(x(0), x(1))); }),
               nq);
}

// A matrix of each row as an argument: (…, rows, columns) is read as (…, rows · columns).
nb::object flat(const char* name, nb::handle object, long rows, long columns) {
  const nb::object array = real_array(name, object);
  const nb::object shape = array.attr("shape");
  const long axes = long(nb::len(shape));
  if (axes < 2 || nb::cast<long>(shape[-1]) != columns || (rows >= 0 && nb::cast<long>(shape[-2]) != rows))
    throw Error(std::string(name) + " has the shape " + nb::cast<std::string>(nb::str(shape)) + ", expected (…, " +
                (rows < 0 ? "rows" : std::to_string(rows)) + ", " + std::to_string(columns) + ")");
  nb::list wanted;
  for (long i = 0; i + 2 < axes; ++i) wanted.append(shape[i]);
  wanted.append(nb::cast<long>(shape[axes - 2]) * columns);
  return array.attr("reshape")(nb::tuple(wanted));
}
long rows_of(nb::handle matrix_object) {
  return nb::cast<long>(real_array("J", matrix_object).attr("shape")[-2]);
}
template <class X>
Eigen::MatrixXd unflat(const X& x, long rows, long columns) {
  return Eigen::Map<const Matrix>(x.data(), rows, columns);
}

void bind_entry(nb::module_& m) {
  using E = Conversion::Entry;
  bind_result<E>(
      m, "ConversionEntry", "A joint in the other program's vectors.",
      {LISSOM_MEMBER(name, "Of the model's joint."), LISSOM_MEMBER(joint, "Index in Model.joints."),
       LISSOM_MEMBER(q_index, "There."), LISSOM_MEMBER(nq, "There."), LISSOM_MEMBER(v_index, "There."),
       LISSOM_MEMBER(nv, "There."),
       LISSOM_MEMBER(follows, "It has no coordinates in the model, because it mimics another joint there."),
       LISSOM_ARRAY_MEMBER(
           frame, "The coordinates are relative to a frame in which the joint's frame has this pose, 4 × 4.")});
}

using C = BoundConversion;

void bind_vectors(nb::class_<C>& c) {
  c.def("to_state", &to_state, "q"_a, "v"_a = nb::none(),
        nb::sig("def to_state(self, q: ArrayLike, v: ArrayLike | None = None) -> Any"),
        "(q, v) in the other program's convention, (…, its nq) and (…, its nv), of the model's q, (…, nq), and v, (…, "
        "nv); without v, q alone.");
  c.def("from_state", &from_state, "q_there"_a, "v_there"_a = nb::none(),
        nb::sig("def from_state(self, q_there: ArrayLike, v_there: ArrayLike | None = None) -> Any"),
        "The model's (q, v) of the other program's; without v_there, q alone. Raises an Error if a quaternion or (cos, "
        "sin) is not normalized (within 1e-6), or a follower is not where its leader puts it (within 1e-6).");
  c.def(
      "velocity_map",
      [](const C& self, nb::handle q) {
        return for_all(self, {{"q", q, self.model.nq()}}, {self.nv(), self.model.nv()},
                       [&](const auto& x) { return self.velocity_map(x(0)); });
      },
      "q"_a, nb::sig("def velocity_map(self, q: ArrayLike) -> NDArray[np.float64]"),
      "The matrix T, (…, its nv, nv), with v_there = T v; q: the model's, (…, nq).");
#define LISSOM_ACCELERATION(name, there, n, result, doc)                                                      \
  c.def(                                                                                                      \
      #name,                                                                                                  \
      [](const C& self, nb::handle q, nb::handle v, nb::handle a) {                                           \
        return for_all(self, {{"q", q, self.model.nq()}, {"v", v, self.model.nv()}, {there, a, n}}, {result}, \
                       [&](const auto& x) { return self.name(x(0), x(1), x(2)); });                           \
      },                                                                                                      \
      "q"_a, "v"_a, nb::arg(there),                                                                           \
      nb::sig("def " #name "(self, q: ArrayLike, v: ArrayLike, " there ": ArrayLike) -> NDArray[np.float64]"), doc)
  LISSOM_ACCELERATION(to_acceleration, "a", self.model.nv(), self.nv(),
                      "a_there = T a + Ṫ v, (…, its nv). q and v are the model's.");
  LISSOM_ACCELERATION(from_acceleration, "a_there", self.nv(), self.model.nv(),
                      "a, (…, nv), of a_there. q and v are the model's.");
#define LISSOM_FORCES(name, there, n, result, doc)                                   \
  c.def(                                                                             \
      #name,                                                                         \
      [](const C& self, nb::handle q, nb::handle tau) {                              \
        return for_all(self, {{"q", q, self.model.nq()}, {there, tau, n}}, {result}, \
                       [&](const auto& x) { return self.name(x(0), x(1)); });        \
      },                                                                             \
      "q"_a, nb::arg(there),                                                         \
      nb::sig("def " #name "(self, q: ArrayLike, " there ": ArrayLike) -> NDArray[np.float64]"), doc)
  LISSOM_FORCES(to_forces, "tau", self.model.nv(), self.nv(),
                "Generalized forces tau_there, (…, its nv); followers get none. q is the model's.");
  LISSOM_FORCES(from_forces, "tau_there", self.nv(), self.model.nv(),
                "Generalized forces tau = Tᵀ tau_there, (…, nv). q is the model's.");
}

void bind_matrices(nb::class_<C>& c) {
  c.def(
      "to_bias_forces",
      [](const C& self, nb::handle q, nb::handle v, nb::handle M, nb::handle h) {
        const long n = self.model.nv();
        return for_all(self, {{"q", q, self.model.nq()}, {"v", v, n}, {"M", flat("M", M, n, n), n * n}, {"h", h, n}},
                       {self.nv()},
                       [&](const auto& x) { return self.to_bias_forces(x(0), x(1), unflat(x(2), n, n), x(3)); });
      },
      "q"_a, "v"_a, "M"_a, "h"_a,
      nb::sig(
          "def to_bias_forces(self, q: ArrayLike, v: ArrayLike, M: ArrayLike, h: ArrayLike) -> NDArray[np.float64]"),
      "Bias forces, (…, its nv): the generalized forces that a_there = 0 needs. All arguments are the model's.");
  c.def(
      "to_mass_matrix",
      [](const C& self, nb::handle q, nb::handle M) {
        const long n = self.model.nv();
        return for_all(self, {{"q", q, self.model.nq()}, {"M", flat("M", M, n, n), n * n}}, {self.nv(), self.nv()},
                       [&](const auto& x) { return self.to_mass_matrix(x(0), unflat(x(1), n, n)); });
      },
      "q"_a, "M"_a, nb::sig("def to_mass_matrix(self, q: ArrayLike, M: ArrayLike) -> NDArray[np.float64]"),
      "M_there, (…, its nv, its nv), of the model's M. Raises an Error if has_followers.");
  c.def(
      "from_mass_matrix",
      [](const C& self, nb::handle q, nb::handle M) {
        const long n = self.nv();
        return for_all(self, {{"q", q, self.model.nq()}, {"M_there", flat("M_there", M, n, n), n * n}},
                       {self.model.nv(), self.model.nv()},
                       [&](const auto& x) { return self.from_mass_matrix(x(0), unflat(x(1), n, n)); });
      },
      "q"_a, "M_there"_a,
      nb::sig("def from_mass_matrix(self, q: ArrayLike, M_there: ArrayLike) -> NDArray[np.float64]"),
      "M = Tᵀ M_there T, (…, nv, nv). q is the model's.");
  c.def(
      "to_jacobian",
      [](const C& self, nb::handle q, nb::handle J) {
        const long n = self.model.nv();
        const nb::object values = flat("J", J, -1, n);
        const long rows = rows_of(J);
        return for_all(self, {{"q", q, self.model.nq()}, {"J", values, rows * n}}, {rows, self.nv()},
                       [&](const auto& x) { return self.to_jacobian(x(0), unflat(x(1), rows, n)); });
      },
      "q"_a, "J"_a, nb::sig("def to_jacobian(self, q: ArrayLike, J: ArrayLike) -> NDArray[np.float64]"),
      "J_there, (…, rows, its nv), of anything with one column for each element of v. Raises an Error if "
      "has_followers.");
  c.def(
      "from_jacobian",
      [](const C& self, nb::handle q, nb::handle J) {
        const long n = self.nv();
        const nb::object values = flat("J_there", J, -1, n);
        const long rows = rows_of(J);
        return for_all(self, {{"q", q, self.model.nq()}, {"J_there", values, rows * n}}, {rows, self.model.nv()},
                       [&](const auto& x) { return self.from_jacobian(x(0), unflat(x(1), rows, n)); });
      },
      "q"_a, "J_there"_a, nb::sig("def from_jacobian(self, q: ArrayLike, J_there: ArrayLike) -> NDArray[np.float64]"),
      "J = J_there T, (…, rows, nv). q is the model's.");
}

nb::tuple convert_states(const BoundModel& model, nb::handle q, nb::handle v, const std::string& from,
                         const std::string& to) {
  const BoundConversion source(model, convention(from)), target(model, convention(to));
  const nb::object here = from_state(source, q, v);
  return nb::tuple(to_state(target, nb::object(here[0]), nb::object(here[1])));
}

}  // namespace

void bind_conventions(nb::module_& m) {
  bind_entry(m);
  nb::class_<C> c(
      m, "Conversion",
      "Converts between the vectors and matrices of a model and those of another program's model of the same robot: "
      "'pinocchio', 'ros', 'mujoco', 'world' (velocities along the world's axes) or 'lissom'. to_… takes the model's "
      "and gives the other program's, from_… the reverse; q and v are always the model's, except in from_state().");
  c.def(
      "__init__",
      [](C* self, const BoundModel& model, const std::string& other,
         const std::optional<std::vector<std::string>>& joints) { new (self) C(make(model, other, joints)); },
      "model"_a, "other"_a, "joints"_a = nb::none(),
      nb::sig("def __init__(self, model: Model, other: Literal['lissom', 'pinocchio', 'ros', 'mujoco', 'world'], "
              "joints: Sequence[str] | None = None) -> None"),
      "joints: the other program's own list of joints that have coordinates, in the order of its q and v; None: those "
      "of joint_order(). "
      "Pinocchio's model.names may begin with 'universe'; a base that the model calls 'base' may have another name "
      "there ('root_joint').");
  c.def_prop_ro(
      "entries", [](const C& self) { return self.entries(); }, nb::sig("def entries(self) -> list[ConversionEntry]"),
      "In the order of the other program's q and v.");
  c.def_prop_ro("model", [](const C& self) {
     return self.model;
   }).def_prop_ro("other", [](const C& self) { return self.other(); }, nb::sig("def other(self) -> str"));
  c.def_prop_ro(
       "nq", [](const C& self) { return self.nq(); }, "Of the other program.")
      .def_prop_ro("nv", [](const C& self) { return self.nv(); }, "Of the other program.");
  c.def_prop_ro(
      "has_followers", [](const C& self) { return self.has_followers(); },
      "Whether followers have coordinates in the other program, but none in the model.");
  c.def("__repr__", [](const C& self) {
    return "Conversion('" + self.model.name() + "', '" + to_string(self.other()) +
           "', nq=" + std::to_string(self.nq()) + ", nv=" + std::to_string(self.nv()) + ")";
  });
  bind_vectors(c);
  bind_matrices(c);
  m.def(
      "joint_order",
      [](const BoundModel& model, const std::string& other) { return joint_order(model, convention(other)); },
      "model"_a, "convention"_a,
      nb::sig("def joint_order(model: Model, convention: Literal['lissom', 'pinocchio', 'ros', 'mujoco', 'world']) -> "
              "list[str]"),
      "The joints that have coordinates in that program's model of the same robot, in the order of its q and v.");
  m.def(
      "base_joints", [](const BoundModel& model) { return base_joints(model); }, "model"_a,
      "The joints that are not in the robot's file: those of a free or planar base.");
  m.def("convert", &convert_states, "model"_a, "q"_a, "v"_a, "from_"_a, "to"_a,
        nb::sig("def convert(model: Model, q: ArrayLike, v: ArrayLike, from_: str, to: str) -> tuple[NDArray[Any], "
                "NDArray[Any]]"),
        "The same state, (…, nq) and (…, nv), in another convention, with the joints in joint_order().");
}

}  // namespace lissom::python
