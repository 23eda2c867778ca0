// Maximal coordinates to the model's own and back; another link as the base.
#include "lissom/formulations/conversions.h"

#include "description.h"
#include "formulations.h"
#include "lissom/formulations/reroot.h"

namespace lissom::python {

using namespace nb::literals;
using namespace formulations;

namespace {

nb::object poses_to_numpy(const std::vector<Pose<double>>& poses) {
  nb::object array = new_array(std::array{long(poses.size()), 4L, 4L});
  using Homogeneous = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>;
  double* x = data_of(array);
  for (const auto& X : poses) {
    Eigen::Map<Homogeneous>{x} = isometry(X).matrix();
    x += 16;
  }
  return array;
}

MaximalState maximal_state(nb::handle X, nb::handle V) {
  MaximalState state;
  const nb::object poses = double_array("X", X, std::array{-1L, 4L, 4L});
  const long links = nb::cast<long>(poses.attr("shape")[0]);
  for (long i = 0; i < links; ++i) state.X.push_back(pose("X", nb::object(poses[i])));
  state.V = V.is_none() ? std::vector<Vector6>(std::size_t(links), Vector6::Zero()) : rows6("V", V);
  if (state.V.size() != state.X.size())
    throw Error("V has " + std::to_string(state.V.size()) + " rows, expected as many as X has poses, " +
                std::to_string(links));
  return state;
}

std::optional<Eigen::VectorXd> optional_vector(const char* name, nb::handle object, long n) {
  if (object.is_none()) return std::nullopt;
  return vector(name, object, n);
}

void bind_states_of_links(nb::module_& m) {
  auto state = bind_result<MaximalState>(
      m, "MaximalState", "The state of all links, in the order of Mechanism.links.",
      {{"X", [](const MaximalState& s) { return poses_to_numpy(s.X); },
        "Pose of each link's frame in the world, (links, 4, 4)."},
       LISSOM_ARRAY_MEMBER(V,
                           "Velocity of its origin above its angular velocity, along the world's axes, (links, 6).")});
  state.def(
      "__init__", [](MaximalState* self, nb::handle X, nb::handle V) { new (self) MaximalState(maximal_state(X, V)); },
      "X"_a, "V"_a = nb::none(), nb::sig("def __init__(self, X: ArrayLike, V: ArrayLike | None = None) -> None"),
      "V: None: at rest.");
  state.def("__getstate__", [](const MaximalState& s) { return nb::make_tuple(poses_to_numpy(s.X), to_numpy(s.V)); });
  state.def("__setstate__",
            [](MaximalState& s, const nb::tuple& t) { new (&s) MaximalState(maximal_state(t[0], t[1])); });
  bind_result<JointResidual>(
      m, "JointResidual", "How far two links violate the joint between them.",
      {LISSOM_MEMBER(joint, ""), LISSOM_MEMBER(linear, "m, m/s"), LISSOM_MEMBER(angular, "rad, rad/s")});
  bind_result<GeneralizedState>(m, "GeneralizedState",
                                "q and v of a state of the links, and how far that violates the joints.",
                                {LISSOM_ARRAY_MEMBER(q, "(nq,)"), LISSOM_ARRAY_MEMBER(v, "(nv,)"),
                                 LISSOM_MEMBER(position, "Residual of each joint, a list of JointResidual."),
                                 LISSOM_MEMBER(velocity, "Residual of each joint, a list of JointResidual."),
                                 LISSOM_MEMBER(position_total, "Root of the sum of squares."),
                                 LISSOM_MEMBER(velocity_total, "Root of the sum of squares.")})
      .def("worst", &GeneralizedState::worst, "tolerance"_a,
           "A message about the joint with the largest residual; empty if all are within the tolerance.");
  bind_result<LeastSquares>(m, "LeastSquares", "A least-squares solution.",
                            {LISSOM_ARRAY_MEMBER(v, "(nv,)"), LISSOM_MEMBER(residual, "‖J v - V‖")});
  bind_result<JointTorques>(
      m, "JointTorques", "Torques in the joints.",
      {LISSOM_ARRAY_MEMBER(torques, "(links, 3), along the parent's axes, N m."),
       LISSOM_ARRAY_MEMBER(unmet, "The part of Q along translational axes, which torques cannot give, (nv,).")});
}

#define ROBOT "robot: a Mechanism, or a Model. "

void bind_velocities(nb::module_& m) {
  m.def(
      "to_maximal",
      [](nb::handle robot, nb::handle q, nb::handle v) {
        const auto mechanism = mechanism_of(robot);
        return to_maximal(mechanism, vector("q", q, mechanism.nq), vector("v", v, mechanism.nv));
      },
      "robot"_a, "q"_a, "v"_a,
      nb::sig("def to_maximal(robot: Mechanism | Model, q: ArrayLike, v: ArrayLike) -> MaximalState"),
      "The poses and velocities of all links at q, (nq,), and v, (nv,). " ROBOT);
  m.def(
      "to_generalized",
      [](nb::handle robot, const MaximalState& state, nb::handle near) {
        const auto mechanism = mechanism_of(robot);
        const auto q = optional_vector("near", near, mechanism.nq);
        return without_gil([&] { return to_generalized(mechanism, state, q ? &*q : nullptr); });
      },
      "robot"_a, "state"_a, "near"_a = nb::none(),
      nb::sig("def to_generalized(robot: Mechanism | Model, state: MaximalState, near: ArrayLike | None = None) -> "
              "GeneralizedState"),
      "q and v of a state of the links, joint by joint in O(n) (66). Angles lie within ±π of those in `near`, (nq,), "
      "or of 0 without it. " ROBOT);
  m.def(
      "stacked_jacobian",
      [](nb::handle robot, nb::handle q) {
        const auto mechanism = mechanism_of(robot);
        return to_numpy(stacked_jacobian(mechanism, vector("q", q, mechanism.nq)));
      },
      "robot"_a, "q"_a, nb::sig("def stacked_jacobian(robot: Mechanism | Model, q: ArrayLike) -> NDArray[np.float64]"),
      "The Jacobian of all links, (6 links, nv): V = J v. q: (nq,). " ROBOT);
  m.def(
      "velocities_by_least_squares",
      [](nb::handle robot, nb::handle q, nb::handle V) {
        const auto mechanism = mechanism_of(robot);
        const auto x = vector("q", q, mechanism.nq);
        const auto all = rows6("V", V);
        return without_gil([&] { return velocities_by_least_squares(mechanism, x, all); });
      },
      "robot"_a, "q"_a, "V"_a,
      nb::sig("def velocities_by_least_squares(robot: Mechanism | Model, q: ArrayLike, V: ArrayLike) -> LeastSquares"),
      "The least-squares solution v = J⁺ V for any V, (links, 6) (61). q: (nq,). " ROBOT);
  m.def(
      "difference_matrix", [](nb::handle robot) { return to_numpy(difference_matrix(mechanism_of(robot))); }, "robot"_a,
      nb::sig("def difference_matrix(robot: Mechanism | Model) -> NDArray[np.float64]"),
      "The matrix D, (3 links, 3 links), that subtracts each parent's ω from its child's: ω̂ = Rᵀ D ω (63–65). " ROBOT);
  m.def(
      "parent_rotations",
      [](nb::handle robot, nb::handle q) {
        const auto mechanism = mechanism_of(robot);
        return to_numpy(parent_rotations(mechanism, vector("q", q, mechanism.nq)));
      },
      "robot"_a, "q"_a, nb::sig("def parent_rotations(robot: Mechanism | Model, q: ArrayLike) -> NDArray[np.float64]"),
      "R, (3 links, 3 links): the parents' rotation matrices on its diagonal. q: (nq,). " ROBOT);
}

// [(link, point, force), …]
std::vector<PointForce> point_forces(const Mechanism& mechanism, nb::handle forces) {
  std::vector<PointForce> all;
  if (forces.is_none()) return all;
  for (const auto item : forces) {
    if (!nb::isinstance<nb::tuple>(item) || nb::len(item) != 3) {
      PyErr_Format(PyExc_TypeError, "forces has %R, expected tuples (link, point, force)", item.ptr());
      throw nb::python_error();
    }
    all.push_back({link_of(mechanism, nb::object(item[0]), "forces"), to_eigen(vec3("forces", nb::object(item[1]))),
                   to_eigen(vec3("forces", nb::object(item[2])))});
  }
  return all;
}

void bind_forces(nb::module_& m) {
  m.def(
      "generalized_forces",
      [](nb::handle robot, nb::handle q, nb::handle forces, nb::handle torques) {
        const auto mechanism = mechanism_of(robot);
        return to_numpy(generalized_forces(mechanism, vector("q", q, mechanism.nq), point_forces(mechanism, forces),
                                           rows3("joint_torques", torques)));
      },
      "robot"_a, "q"_a, "forces"_a = nb::none(), "joint_torques"_a = nb::none(),
      nb::sig("def generalized_forces(robot: Mechanism | Model, q: ArrayLike, forces: Iterable[tuple[str | int, "
              "ArrayLike, ArrayLike]] | None = None, joint_torques: ArrayLike | None = None) -> NDArray[np.float64]"),
      "Generalized forces Q, (nv,), of Cartesian forces [(link, point, force), …], point and force in the world frame, "
      "and of torques in the joints, (links, 3), along the parent's axes (67, 69). q: (nq,). " ROBOT);
  m.def(
      "body_torques",
      [](nb::handle robot, nb::handle q, nb::handle torques) {
        const auto mechanism = mechanism_of(robot);
        return to_numpy(body_torques(mechanism, vector("q", q, mechanism.nq), rows3("joint_torques", torques)));
      },
      "robot"_a, "q"_a, "joint_torques"_a,
      nb::sig(
          "def body_torques(robot: Mechanism | Model, q: ArrayLike, joint_torques: ArrayLike) -> NDArray[np.float64]"),
      "Torques on the links, (links, 3), along the world's axes, that are equivalent to torques in the joints, (links, "
      "3) (68): τ' = Dᵀ R τ̂. q: (nq,). " ROBOT);
  m.def(
      "joint_torques",
      [](nb::handle robot, nb::handle q, nb::handle Q) {
        const auto mechanism = mechanism_of(robot);
        return joint_torques(mechanism, vector("q", q, mechanism.nq), vector("Q", Q, mechanism.nv));
      },
      "robot"_a, "q"_a, "Q"_a,
      nb::sig("def joint_torques(robot: Mechanism | Model, q: ArrayLike, Q: ArrayLike) -> JointTorques"),
      "Torques in the joints for Q, (nv,), without linear forces (71). q: (nq,). " ROBOT);
  m.def(
      "body_forces",
      [](nb::handle robot, nb::handle q, nb::handle Q) {
        const auto mechanism = mechanism_of(robot);
        return to_numpy(body_forces(mechanism, vector("q", q, mechanism.nq), vector("Q", Q, mechanism.nv)));
      },
      "robot"_a, "q"_a, "Q"_a,
      nb::sig("def body_forces(robot: Mechanism | Model, q: ArrayLike, Q: ArrayLike) -> NDArray[np.float64]"),
      "The smallest forces at the links' origins and torques on them, (links, 6), that give Q, (nv,) (70): F = (Jᵀ)⁺ "
      "Q. q: (nq,). " ROBOT);
}

void bind_rerooted(nb::module_& m) {
  nb::class_<Rerooted>(m, "Rerooted",
                       "The same robot with another link as its base, and the conversion of states and forces. Motion, "
                       "energies and wrenches do not change.")
      .def(
          "__init__",
          [](Rerooted* self, const BoundModel& model, const std::string& base_link) {
            new (self) Rerooted(model, base_link);
          },
          "model"_a, "base_link"_a, nb::sig("def __init__(self, model: Model, base_link: str) -> None"),
          "Raises an Error if the model's base is not free, or there is no such link.")
      .def_prop_ro(
          "model", [](const Rerooted& self) { return BoundModel(self.model()); }, nb::sig("def model(self) -> Model"))
      .def(
          "convert",
          [](const Rerooted& self, nb::handle q, nb::handle v, nb::handle near) {
            const auto x = vector("q", q), rate = vector("v", v);
            const auto close = optional_vector("near", near, self.model().nq());
            const auto state = without_gil([&] { return self.convert(x, rate, close ? &*close : nullptr); });
            return nb::make_tuple(to_numpy(state.q), to_numpy(state.v));
          },
          "q"_a, "v"_a, "near"_a = nb::none(),
          nb::sig("def convert(self, q: ArrayLike, v: ArrayLike, near: ArrayLike | None = None) -> "
                  "tuple[NDArray[np.float64], NDArray[np.float64]]"),
          "The same state, (q, v), in the new model's coordinates. Angles keep their values; with `near`, a q of the "
          "new model, they are within ±π of its angles.")
      .def(
          "velocity_map",
          [](const Rerooted& self, nb::handle q) { return to_numpy(self.velocity_map(vector("q", q))); }, "q"_a,
          nb::sig("def velocity_map(self, q: ArrayLike) -> NDArray[np.float64]"),
          "The matrix A, (nv, nv), with v_new = A v at q. Its transpose converts forces: tau = Aᵀ tau_new.")
      .def("__repr__", [](const Rerooted& self) {
        return "Rerooted('" + self.model().name() + "', nv=" + std::to_string(self.model().nv()) + ")";
      });
  m.def(
      "rerooted",
      [](const BoundDescription& description, const std::string& base_link) {
        return from_description(rerooted(to_description(description), base_link));
      },
      "description"_a, "base_link"_a,
      "The description with another link as the root of its tree. A reversed joint gets a massless child link, "
      "'parent@joint', to which its old parent is fixed, so that every link keeps its frame.");
}

}  // namespace

void bind_conversions(nb::module_& m) {
  bind_states_of_links(m);
  bind_velocities(m);
  bind_forces(m);
  bind_rerooted(m);
}

}  // namespace lissom::python
