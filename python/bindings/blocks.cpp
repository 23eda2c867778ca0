// A manipulator on a floating base, in the blocks of the toolbox bMSd.
#include "lissom/formulations/blocks.h"

#include "formulations.h"
#include "quantity.h"

LISSOM_ENUM(lissom::formulations::Attitude, "rotation", "quaternion")

namespace lissom::python {

using namespace nb::literals;
using namespace formulations;

namespace {

Vector6 six(const char* name, nb::handle object) {
  return vector(name, object, 6);
}

void bind_state(nb::module_& m) {
  using S = FloatingBaseState;
  auto state = bind_result<S>(
      m, "FloatingBaseState",
      "The state {p₁, R₁ or Q₁, v₁, ω₁} of the base's center of mass, and the joint coordinates.",
      {LISSOM_ARRAY_MEMBER(p1, "Position, m."), LISSOM_ARRAY_MEMBER(R1, "Rotation matrix, 3 × 3."),
       LISSOM_ARRAY_MEMBER(Q1, "Unit quaternion, w first."), LISSOM_ARRAY_MEMBER(v1, "m/s, along the world's axes."),
       LISSOM_ARRAY_MEMBER(omega1, "rad/s, along the world's axes."), LISSOM_ARRAY_MEMBER(q, "Joint coordinates."),
       LISSOM_ARRAY_MEMBER(q_rate, "Their velocities.")});
  state.def(
      "__init__",
      [](S* self, nb::handle p1, nb::handle v1, nb::handle omega1, nb::handle q, nb::handle q_rate, nb::handle R1,
         nb::handle Q1) {
        if (R1.is_none() == Q1.is_none()) throw Error("FloatingBaseState needs one of R1 and Q1");
        S s{.p1 = to_eigen(vec3("p1", p1)),
            .R1 = Eigen::Matrix3d::Zero(),
            .Q1 = Eigen::Vector4d::Zero(),
            .v1 = to_eigen(vec3("v1", v1)),
            .omega1 = to_eigen(vec3("omega1", omega1)),
            .q = vector("q", q),
            .q_rate = vector("q_rate", q_rate)};
        if (!R1.is_none()) {
          s.R1 = to_eigen(mat3("R1", R1));
          const Eigen::Quaterniond Q(s.R1);
          s.Q1 << Q.w(), Q.x(), Q.y(), Q.z();
        } else {
          s.Q1 = vector("Q1", Q1, 4);
          s.R1 = Eigen::Quaterniond(s.Q1[0], s.Q1[1], s.Q1[2], s.Q1[3]).normalized().toRotationMatrix();
        }
        new (self) S(std::move(s));
      },
      "p1"_a, "v1"_a, "omega1"_a, "q"_a, "q_rate"_a, "R1"_a = nb::none(), "Q1"_a = nb::none(),
      nb::sig("def __init__(self, p1: ArrayLike, v1: ArrayLike, omega1: ArrayLike, q: ArrayLike, q_rate: ArrayLike, "
              "R1: ArrayLike | None = None, Q1: ArrayLike | None = None) -> None"));
}

void bind_forces_and_accelerations(nb::module_& m) {
  using A = FloatingBaseAcceleration;
  bind_result<A>(m, "FloatingBaseAcceleration", "Accelerations of the base and of the joints.",
                 {LISSOM_ARRAY_MEMBER(base, "ẍ₁ = (v̇₁, ω̇₁), (6,)."), LISSOM_ARRAY_MEMBER(joints, "q̈")})
      .def(
          "__init__",
          [](A* self, nb::handle base, nb::handle joints) {
            new (self) A{six("base", base), vector("joints", joints)};
          },
          "base"_a, "joints"_a, nb::sig("def __init__(self, base: ArrayLike, joints: ArrayLike) -> None"));
  using F = FloatingBaseForces;
  bind_result<F>(
      m, "FloatingBaseForces", "A wrench on the base, and joint torques.",
      {LISSOM_ARRAY_MEMBER(W1, "Force at the base's center of mass, and torque, (6,); along the world's axes."),
       LISSOM_ARRAY_MEMBER(tau, "N m, N")})
      .def(
          "__init__", [](F* self, nb::handle W1, nb::handle tau) { new (self) F{six("W1", W1), vector("tau", tau)}; },
          "W1"_a, "tau"_a, nb::sig("def __init__(self, W1: ArrayLike, tau: ArrayLike) -> None"));
}

FloatingBaseForces equivalent(const BoundModel& model, nb::handle q, nb::handle forces) {
  Call call;
  call.read("q", q, model.nq());
  const auto frames = read_external(model, forces, call);
  call.resolve();
  call.compute_in_double();
  if (!call.single()) throw Error("q and forces have leading axes, expected one state");
  const auto work = model.workspace();
  return equivalent_forces(model, *work, call.vector(0), external_at(frames, call, 1, 0));
}

void bind_state_functions(nb::module_& m) {
  m.def(
      "floating_base_blocks",
      [](const BoundModel& model, nb::handle q, nb::handle v) {
        const auto work = model.workspace();
        return floating_base_blocks(model, *work, vector("q", q, model.nq()), vector("v", v, model.nv()));
      },
      "model"_a, "q"_a, "v"_a,
      nb::sig("def floating_base_blocks(model: Model, q: ArrayLike, v: ArrayLike) -> FloatingBaseBlocks"),
      "The blocks at q, (nq,), and v, (nv,). Raises an Error if the base is not free: load the model with "
      "base='free'.");
  m.def(
      "to_floating_base",
      [](const BoundModel& model, nb::handle q, nb::handle v) {
        return to_floating_base(model, vector("q", q, model.nq()), vector("v", v, model.nv()));
      },
      "model"_a, "q"_a, "v"_a,
      nb::sig("def to_floating_base(model: Model, q: ArrayLike, v: ArrayLike) -> FloatingBaseState"),
      "The state of the model in these coordinates. q: (nq,), v: (nv,).");
  m.def(
      "from_floating_base",
      [](const BoundModel& model, const FloatingBaseState& state, Attitude attitude) {
        Eigen::VectorXd q, v;
        from_floating_base(model, state, q, v, attitude);
        return nb::make_tuple(to_numpy(q), to_numpy(v));
      },
      "model"_a, "state"_a, "attitude"_a = Attitude::rotation,
      nb::sig("def from_floating_base(model: Model, state: FloatingBaseState, attitude: Literal['rotation', "
              "'quaternion'] = 'rotation') -> tuple[NDArray[np.float64], NDArray[np.float64]]"),
      "The model's (q, v) of a state. attitude: which of R1 and Q1 is read.");
}

void bind_force_functions(nb::module_& m) {
  m.def(
      "forward_dynamics",
      [](const FloatingBaseBlocks& blocks, const FloatingBaseForces& forces) {
        return forward_dynamics(blocks, forces);
      },
      "blocks"_a, "forces"_a, "The accelerations that a wrench on the base and joint torques cause.");
  m.def(
      "inverse_dynamics",
      [](const FloatingBaseBlocks& blocks, const FloatingBaseAcceleration& a) { return inverse_dynamics(blocks, a); },
      "blocks"_a, "acceleration"_a, "The wrench on the base and the joint torques that accelerations need.");
  m.def("equivalent_forces", &equivalent, "model"_a, "q"_a, "forces"_a,
        nb::sig(
            "def equivalent_forces(model: Model, q: ArrayLike, forces: Mapping[str, ArrayLike]) -> FloatingBaseForces"),
        "The wrench on the base and the joint torques that are equivalent to forces on frames, {frame: (6,)}: force "
        "(N) and torque (N m) at the frame's origin, along the world's axes.");
  m.def(
      "coriolis_and_gravity_forces",
      [](const BoundModel& model, nb::handle q, nb::handle v) {
        const auto work = model.workspace();
        return to_numpy(
            coriolis_and_gravity_forces(model, *work, vector("q", q, model.nq()), vector("v", v, model.nv())));
      },
      "model"_a, "q"_a, "v"_a,
      nb::sig("def coriolis_and_gravity_forces(model: Model, q: ArrayLike, v: ArrayLike) -> NDArray[np.float64]"),
      "DART's name for bias_forces, (nv,).");
  m.def(
      "coriolis_forces",
      [](const BoundModel& model, nb::handle q, nb::handle v) {
        const auto work = model.workspace();
        return to_numpy(coriolis_forces(model, *work, vector("q", q, model.nq()), vector("v", v, model.nv())));
      },
      "model"_a, "q"_a, "v"_a,
      nb::sig("def coriolis_forces(model: Model, q: ArrayLike, v: ArrayLike) -> NDArray[np.float64]"),
      "Coriolis and centrifugal forces alone, (nv,).");
}

}  // namespace

void bind_blocks(nb::module_& m) {
  using B = FloatingBaseBlocks;
  bind_result<B>(
      m, "FloatingBaseBlocks",
      "The blocks of (H₁ H_c; H_cᵀ H) (ẍ₁; q̈) + (C₁; C) + (G₁; G) = (W₁; τ), with ẋ₁ = (v₁, ω₁) of the base link's "
      "center of mass, along the world's axes.",
      {LISSOM_ARRAY_MEMBER(H1, "6 × 6"), LISSOM_ARRAY_MEMBER(Hc, "(6, joints)"),
       LISSOM_ARRAY_MEMBER(H, "(joints, joints)"), LISSOM_ARRAY_MEMBER(C1, "(6,)"), LISSOM_ARRAY_MEMBER(G1, "(6,)"),
       LISSOM_ARRAY_MEMBER(C, "(joints,)"), LISSOM_ARRAY_MEMBER(G, "(joints,)")});
  bind_state(m);
  bind_forces_and_accelerations(m);
  bind_state_functions(m);
  bind_force_functions(m);
}

}  // namespace lissom::python
