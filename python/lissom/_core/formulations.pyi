"""
The classical formulations of the equations of motion, which verify each other and the fast algorithms.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray


import lissom._core
from lissom._core import Chart, Model

class MechanismLink:
    """A link and its joint to the parent."""

    @property
    def name(self) -> Any: ...

    @property
    def parent(self) -> Any:
        """Index in Mechanism.links; -1: the world."""

    @property
    def mass(self) -> Any:
        """kg"""

    @property
    def com(self) -> Any:
        """Center of mass in the link's frame, m."""

    @property
    def inertia(self) -> Any:
        """About the center of mass, along the link's axes, 3 × 3, kg m²."""

    @property
    def joint(self) -> Any:
        """Its name."""

    @property
    def type(self) -> Any:
        """Of the joint."""

    @property
    def origin(self) -> Any:
        """Of the joint's frame in the parent link's, 4 × 4."""

    @property
    def axis(self) -> Any:
        """Unit vector in the joint's frame."""

    @property
    def axis2(self) -> Any:
        """Of a universal joint."""

    @property
    def pitch(self) -> Any:
        """Of a helical joint, m/rad."""

    @property
    def armature(self) -> Any:
        """Rotor inertia, kg m², kg."""

    @property
    def q_index(self) -> Any:
        """Its first element of q, or its leader's."""

    @property
    def v_index(self) -> Any:
        """Its first element of v, or its leader's."""

    @property
    def nv(self) -> Any: ...

    @property
    def joint_index(self) -> Any:
        """In Model.joints; -1: a root fixed to the world."""

    @property
    def follows(self) -> Any:
        """
        Whether it mimics another joint, with the coordinate ratio · q + offset.
        """

    @property
    def ratio(self) -> Any: ...

    @property
    def offset(self) -> Any: ...

    def __repr__(self) -> str: ...

class MaximalSolution:
    """What maximal_dynamics() finds."""

    @property
    def a(self) -> Any:
        """Accelerations in the model's coordinates, (…, nv)."""

    @property
    def accelerations(self) -> Any:
        """
        Of each link, (…, links, 6): of its center of mass above angular, along the world's axes.
        """

    @property
    def joint_wrenches(self) -> Any:
        """
        What the joint of each link transmits to it, motor and rotor included, (…, links, 6): force above torque at the link's center of mass, along the world's axes.
        """

    def __repr__(self) -> str: ...

class ComFrame:
    """One link; all vectors are along its own axes."""

    @property
    def R(self) -> Any:
        """From the parent's axes to this link's, 3 × 3."""

    @property
    def r(self) -> Any:
        """From the parent's center of mass to this one, m."""

    @property
    def R_W(self) -> Any:
        """Orientation of this link in the world, 3 × 3."""

    @property
    def omega(self) -> Any:
        """Angular velocity, rad/s."""

    @property
    def v(self) -> Any:
        """Velocity of the center of mass, m/s."""

    @property
    def s(self) -> Any:
        """
        Joint axes, (u; u × d) each, angular above linear, (6, nv of the joint); times the ratio of a mimic joint.
        """

    @property
    def axes(self) -> Any:
        """The same without the ratio."""

    @property
    def c(self) -> Any:
        """Bias of the acceleration: (α; a) = X̂ a_parent + s q̈ + c."""

    def __repr__(self) -> str: ...

class Mechanism:
    """
    A robot for the classical formulations: its links, each with its joint to the parent, in the frames of the description. No links are merged and no frames rotated.
    """

    def __init__(self, model: Model) -> None: ...

    @property
    def links(self) -> list[MechanismLink]:
        """Parents before children."""

    @property
    def gravity(self) -> NDArray[np.float64]:
        """m/s²"""

    @property
    def nq(self) -> int: ...

    @property
    def nv(self) -> int: ...

    @property
    def coupled(self) -> bool:
        """Whether there are mimic joints."""

    def link(self, name: str) -> int:
        """Index of a link."""

    def __repr__(self) -> str: ...

def com_frames(robot: Mechanism | Model, q: ArrayLike, v: ArrayLike) -> list[ComFrame]:
    """
    Velocities and joint axes of all links, in frames at their centers of mass along their own axes; in the order of Mechanism.links. q: (nq,), v: (nv,).

    robot: a Mechanism, or a Model.
    """

def inverse_dynamics_in_link_frames(robot: Mechanism | Model, q: ArrayLike, v: ArrayLike, a: ArrayLike, external: Iterable[tuple[str | int, ArrayLike, ArrayLike]] | None = None, joint_wrenches: bool = False) -> Any:
    """
    tau, (…, nv), in two passes with every quantity in its own link's frame (Liu & Jain, 72–85). q: (…, nq); v, a: (…, nv).

    robot: a Mechanism, or a Model.
    external: [(link, force, torque), …] on links, at their frames' origins, along their axes.
    joint_wrenches: if True, the result is (tau, wrenches): what each joint transmits to its link, (…, links, 6), force above torque, at the link's origin, along its axes.
    """

def maximal_dynamics(robot: Mechanism | Model, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: ArrayLike | None = None) -> MaximalSolution:
    """
    Forward dynamics in maximal coordinates: the Newton–Euler equations of every link, and multipliers for every joint, in O(n). q: (…, nq); v, tau: (…, nv).

    robot: a Mechanism, or a Model.
    external: a wrench on each link, (links, 6), force above torque at its center of mass, along the world's axes, in addition to gravity.
    """

def forward_dynamics_mirtich(robot: Mechanism | Model, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> NDArray[np.float64]:
    """
    The acceleration, (…, nv), by the articulated-body algorithm in Mirtich's form. Raises an Error if there are mimic joints: build the model with mimic=False. q: (…, nq); v, tau: (…, nv).

    robot: a Mechanism, or a Model.
    """

def check_vector(x: ArrayLike, size: int, what: str) -> None:
    """
    Raises an Error that names the argument `what` unless x has `size` elements and all are finite.
    """

def check_configuration(robot: Mechanism | Model, q: ArrayLike) -> None:
    """The same for q, whose quaternions must be normalized."""

def cross_matrix(a: ArrayLike) -> NDArray[np.float64]:
    """The matrix [a], 3 × 3, with [a] b = a × b."""

class ChartedSlot:
    """The coordinates of one joint in q̃."""

    @property
    def joint(self) -> Any: ...

    @property
    def type(self) -> Any: ...

    @property
    def at(self) -> Any:
        """First element in q̃."""

    @property
    def size(self) -> Any:
        """Number of elements in q̃."""

    @property
    def q_index(self) -> Any: ...

    @property
    def v_index(self) -> Any: ...

    @property
    def nv(self) -> Any: ...

    @property
    def chart(self) -> Any:
        """Of free and spherical joints; its coordinates are the last ones."""

    @property
    def constraint(self) -> Any:
        """Index of its first constraint."""

    def __repr__(self) -> str: ...

class WorstChart:
    """The joint whose chart has the smallest inverse condition."""

    @property
    def joint(self) -> Any: ...

    @property
    def inverse_condition(self) -> Any: ...

    def __repr__(self) -> str: ...

class Charted:
    """
    Coordinates q̃ whose velocities are their time derivatives: joint by joint those of the chosen charts. v = E q̃̇, v̇ = E q̃̈ + Ė q̃̇, and for forces Q̃ = Eᵀ tau.
    """

    def __init__(self, model: Model, charts: Mapping[str, str | Chart] | None = None, otherwise: str | Chart = 'quaternion') -> None:
        """
        charts: of free and spherical joints, {joint: chart}, each a name or a Chart; those that are not listed get `otherwise`.
        """

    @property
    def slots(self) -> list[ChartedSlot]:
        """The coordinates of each joint."""

    @property
    def mechanism(self) -> Mechanism: ...

    @property
    def size(self) -> int:
        """Number of elements of q̃."""

    @property
    def constraints(self) -> int:
        """Number of constraints C."""

    def from_model(self, q: ArrayLike) -> NDArray[np.float64]:
        """q̃, (…, size), of the model's q, (…, nq)."""

    def to_model(self, charted: ArrayLike) -> NDArray[Any]:
        """
        q, (…, nq), of q̃; raises an Error if q̃ violates C. charted: q̃, (…, size).
        """

    def velocity_map(self, charted: ArrayLike) -> NDArray[Any]:
        """E with v = E q̃̇, (…, nv, size). charted: q̃, (…, size)."""

    def velocity_map_rate(self, charted: ArrayLike, rates: ArrayLike) -> NDArray[Any]:
        """
        Its time derivative Ė, (…, nv, size). charted, rates: q̃ and q̃̇, (…, size).
        """

    def rates_map(self, charted: ArrayLike) -> NDArray[Any]:
        """
        E⁺ with E E⁺ = 1, (…, size, nv); its columns are rates that satisfy the constraints. charted: q̃, (…, size).
        """

    def constraint(self, charted: ArrayLike) -> NDArray[Any]:
        """C(q̃), (…, constraints). charted: q̃, (…, size)."""

    def constraint_jacobian(self, charted: ArrayLike) -> NDArray[Any]:
        """∂C/∂q̃, (…, constraints, size). charted: q̃, (…, size)."""

    def constraint_bias(self, charted: ArrayLike, rates: ArrayLike) -> NDArray[Any]:
        """
        The bias in C̈ = ∂C/∂q̃ q̃̈ + bias, (…, constraints). charted, rates: q̃ and q̃̇, (…, size).
        """

    def worst_chart(self, charted: ArrayLike) -> WorstChart:
        """The joint whose chart has the smallest inverse condition."""

    def __repr__(self) -> str: ...

class EquationsOfMotion:
    """M q̃̈ + C = Q in charted coordinates."""

    @property
    def M(self) -> Any:
        """Mass matrix, (…, size, size)."""

    @property
    def C(self) -> Any:
        """Coriolis and centrifugal forces, (…, size)."""

    @property
    def gravity(self) -> Any:
        """The part of Q due to gravity, (…, size)."""

    def __repr__(self) -> str: ...

class GaussEquations:
    """M q̈ + N q̇ + ∂C/∂qᵀ λ = Q in charted coordinates."""

    @property
    def M(self) -> Any:
        """(25), (…, size, size)."""

    @property
    def N(self) -> Any:
        """(26), (…, size, size)."""

    @property
    def gravity(self) -> Any:
        """Σ m J_tᵀ g, (…, size)."""

    def __repr__(self) -> str: ...

class Constrained:
    """What solve_with_multipliers() finds."""

    @property
    def acceleration(self) -> Any:
        """q̃̈, (…, size)."""

    @property
    def multipliers(self) -> Any:
        """λ, (…, constraints)."""

    def __repr__(self) -> str: ...

def lagrange(coordinates: Charted, charted: ArrayLike, rates: ArrayLike) -> EquationsOfMotion:
    """
    Lagrange's equations from the links' Jacobians and their time derivatives (48, 59). coordinates: a Charted. charted, rates: q̃ and q̃̇, (…, size).
    """

def lagrange_by_energy(coordinates: Charted, charted: ArrayLike, rates: ArrayLike) -> EquationsOfMotion:
    """
    Lagrange's equations from the kinetic energy alone (17), by dual numbers. coordinates: a Charted. charted, rates: q̃ and q̃̇, (…, size).
    """

def gauss(coordinates: Charted, charted: ArrayLike, rates: ArrayLike) -> GaussEquations:
    """
    The equations of motion from Gauss' principle of least constraint. coordinates: a Charted. charted, rates: q̃ and q̃̇, (…, size).
    """

def projector(coordinates: Charted, charted: ArrayLike, kind: Literal['orthogonal', 'oblique'] = 'orthogonal') -> NDArray[Any]:
    """
    The projector, (…, size, size), that eliminates the multipliers (34, 35): 'orthogonal', 1 - ∂C⁺ ∂C, for every chart, well conditioned; 'oblique', the paper's 1 - SᵀS q qᵀ, for unit quaternions only.
    """

def solve_with_multipliers(coordinates: Charted, charted: ArrayLike, rates: ArrayLike, M: ArrayLike, bias: ArrayLike, Q: ArrayLike) -> Constrained:
    """
    q̃̈ for generalized forces Q, from M q̃̈ + bias = Q and C̈ = 0, by multipliers (32). Vectors are (…, size), M is (…, size, size).
    """

def solve_projected(coordinates: Charted, charted: ArrayLike, rates: ArrayLike, M: ArrayLike, bias: ArrayLike, Q: ArrayLike, kind: Literal['orthogonal', 'oblique'] = 'orthogonal', condition: bool = False) -> Any:
    """
    The same by the projected equation A (M q̃̈ + bias) = A Q (35), with the rows of C̈ = 0 below it: q̃̈, (…, size). condition: if True, the result is (q̃̈, condition number of the matrix that is solved).
    """

class MaximalState:
    """The state of all links, in the order of Mechanism.links."""

    def __init__(self, X: ArrayLike, V: ArrayLike | None = None) -> None:
        """V: None: at rest."""

    @property
    def X(self) -> Any:
        """Pose of each link's frame in the world, (links, 4, 4)."""

    @property
    def V(self) -> Any:
        """
        Velocity of its origin above its angular velocity, along the world's axes, (links, 6).
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class JointResidual:
    """How far two links violate the joint between them."""

    @property
    def joint(self) -> Any: ...

    @property
    def linear(self) -> Any:
        """m, m/s"""

    @property
    def angular(self) -> Any:
        """rad, rad/s"""

    def __repr__(self) -> str: ...

class GeneralizedState:
    """q and v of a state of the links, and how far that violates the joints."""

    @property
    def q(self) -> Any:
        """(nq,)"""

    @property
    def v(self) -> Any:
        """(nv,)"""

    @property
    def position(self) -> Any:
        """Residual of each joint, a list of JointResidual."""

    @property
    def velocity(self) -> Any:
        """Residual of each joint, a list of JointResidual."""

    @property
    def position_total(self) -> Any:
        """Root of the sum of squares."""

    @property
    def velocity_total(self) -> Any:
        """Root of the sum of squares."""

    def __repr__(self) -> str: ...

    def worst(self, tolerance: float) -> str:
        """
        A message about the joint with the largest residual; empty if all are within the tolerance.
        """

class LeastSquares:
    """A least-squares solution."""

    @property
    def v(self) -> Any:
        """(nv,)"""

    @property
    def residual(self) -> Any:
        """‖J v - V‖"""

    def __repr__(self) -> str: ...

class JointTorques:
    """Torques in the joints."""

    @property
    def torques(self) -> Any:
        """(links, 3), along the parent's axes, N m."""

    @property
    def unmet(self) -> Any:
        """
        The part of Q along translational axes, which torques cannot give, (nv,).
        """

    def __repr__(self) -> str: ...

def to_maximal(robot: Mechanism | Model, q: ArrayLike, v: ArrayLike) -> MaximalState:
    """
    The poses and velocities of all links at q, (nq,), and v, (nv,). robot: a Mechanism, or a Model.
    """

def to_generalized(robot: Mechanism | Model, state: MaximalState, near: ArrayLike | None = None) -> GeneralizedState:
    """
    q and v of a state of the links, joint by joint in O(n) (66). Angles lie within ±π of those in `near`, (nq,), or of 0 without it. robot: a Mechanism, or a Model.
    """

def stacked_jacobian(robot: Mechanism | Model, q: ArrayLike) -> NDArray[np.float64]:
    """
    The Jacobian of all links, (6 links, nv): V = J v. q: (nq,). robot: a Mechanism, or a Model.
    """

def velocities_by_least_squares(robot: Mechanism | Model, q: ArrayLike, V: ArrayLike) -> LeastSquares:
    """
    The least-squares solution v = J⁺ V for any V, (links, 6) (61). q: (nq,). robot: a Mechanism, or a Model.
    """

def difference_matrix(robot: Mechanism | Model) -> NDArray[np.float64]:
    """
    The matrix D, (3 links, 3 links), that subtracts each parent's ω from its child's: ω̂ = Rᵀ D ω (63–65). robot: a Mechanism, or a Model.
    """

def parent_rotations(robot: Mechanism | Model, q: ArrayLike) -> NDArray[np.float64]:
    """
    R, (3 links, 3 links): the parents' rotation matrices on its diagonal. q: (nq,). robot: a Mechanism, or a Model.
    """

def generalized_forces(robot: Mechanism | Model, q: ArrayLike, forces: Iterable[tuple[str | int, ArrayLike, ArrayLike]] | None = None, joint_torques: ArrayLike | None = None) -> NDArray[np.float64]:
    """
    Generalized forces Q, (nv,), of Cartesian forces [(link, point, force), …], point and force in the world frame, and of torques in the joints, (links, 3), along the parent's axes (67, 69). q: (nq,). robot: a Mechanism, or a Model.
    """

def body_torques(robot: Mechanism | Model, q: ArrayLike, joint_torques: ArrayLike) -> NDArray[np.float64]:
    """
    Torques on the links, (links, 3), along the world's axes, that are equivalent to torques in the joints, (links, 3) (68): τ' = Dᵀ R τ̂. q: (nq,). robot: a Mechanism, or a Model.
    """

def joint_torques(robot: Mechanism | Model, q: ArrayLike, Q: ArrayLike) -> JointTorques:
    """
    Torques in the joints for Q, (nv,), without linear forces (71). q: (nq,). robot: a Mechanism, or a Model.
    """

def body_forces(robot: Mechanism | Model, q: ArrayLike, Q: ArrayLike) -> NDArray[np.float64]:
    """
    The smallest forces at the links' origins and torques on them, (links, 6), that give Q, (nv,) (70): F = (Jᵀ)⁺ Q. q: (nq,). robot: a Mechanism, or a Model.
    """

class Rerooted:
    """
    The same robot with another link as its base, and the conversion of states and forces. Motion, energies and wrenches do not change.
    """

    def __init__(self, model: Model, base_link: str) -> None:
        """
        Raises an Error if the model's base is not free, or there is no such link.
        """

    @property
    def model(self) -> Model: ...

    def convert(self, q: ArrayLike, v: ArrayLike, near: ArrayLike | None = None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """
        The same state, (q, v), in the new model's coordinates. Angles keep their values; with `near`, a q of the new model, they are within ±π of its angles.
        """

    def velocity_map(self, q: ArrayLike) -> NDArray[np.float64]:
        """
        The matrix A, (nv, nv), with v_new = A v at q. Its transpose converts forces: tau = Aᵀ tau_new.
        """

    def __repr__(self) -> str: ...

def rerooted(description: lissom._core.Description, base_link: str) -> lissom._core.Description:
    """
    The description with another link as the root of its tree. A reversed joint gets a massless child link, 'parent@joint', to which its old parent is fixed, so that every link keeps its frame.
    """

class FloatingBaseBlocks:
    """
    The blocks of (H₁ H_c; H_cᵀ H) (ẍ₁; q̈) + (C₁; C) + (G₁; G) = (W₁; τ), with ẋ₁ = (v₁, ω₁) of the base link's center of mass, along the world's axes.
    """

    @property
    def H1(self) -> Any:
        """6 × 6"""

    @property
    def Hc(self) -> Any:
        """(6, joints)"""

    @property
    def H(self) -> Any:
        """(joints, joints)"""

    @property
    def C1(self) -> Any:
        """(6,)"""

    @property
    def G1(self) -> Any:
        """(6,)"""

    @property
    def C(self) -> Any:
        """(joints,)"""

    @property
    def G(self) -> Any:
        """(joints,)"""

    def __repr__(self) -> str: ...

class FloatingBaseState:
    """
    The state {p₁, R₁ or Q₁, v₁, ω₁} of the base's center of mass, and the joint coordinates.
    """

    def __init__(self, p1: ArrayLike, v1: ArrayLike, omega1: ArrayLike, q: ArrayLike, q_rate: ArrayLike, R1: ArrayLike | None = None, Q1: ArrayLike | None = None) -> None: ...

    @property
    def p1(self) -> Any:
        """Position, m."""

    @property
    def R1(self) -> Any:
        """Rotation matrix, 3 × 3."""

    @property
    def Q1(self) -> Any:
        """Unit quaternion, w first."""

    @property
    def v1(self) -> Any:
        """m/s, along the world's axes."""

    @property
    def omega1(self) -> Any:
        """rad/s, along the world's axes."""

    @property
    def q(self) -> Any:
        """Joint coordinates."""

    @property
    def q_rate(self) -> Any:
        """Their velocities."""

    def __repr__(self) -> str: ...

class FloatingBaseAcceleration:
    """Accelerations of the base and of the joints."""

    def __init__(self, base: ArrayLike, joints: ArrayLike) -> None: ...

    @property
    def base(self) -> Any:
        """ẍ₁ = (v̇₁, ω̇₁), (6,)."""

    @property
    def joints(self) -> Any:
        """q̈"""

    def __repr__(self) -> str: ...

class FloatingBaseForces:
    """A wrench on the base, and joint torques."""

    def __init__(self, W1: ArrayLike, tau: ArrayLike) -> None: ...

    @property
    def W1(self) -> Any:
        """
        Force at the base's center of mass, and torque, (6,); along the world's axes.
        """

    @property
    def tau(self) -> Any:
        """N m, N"""

    def __repr__(self) -> str: ...

def floating_base_blocks(model: Model, q: ArrayLike, v: ArrayLike) -> FloatingBaseBlocks:
    """
    The blocks at q, (nq,), and v, (nv,). Raises an Error if the base is not free: load the model with base='free'.
    """

def to_floating_base(model: Model, q: ArrayLike, v: ArrayLike) -> FloatingBaseState:
    """The state of the model in these coordinates. q: (nq,), v: (nv,)."""

def from_floating_base(model: Model, state: FloatingBaseState, attitude: Literal['rotation', 'quaternion'] = 'rotation') -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The model's (q, v) of a state. attitude: which of R1 and Q1 is read."""

def forward_dynamics(blocks: FloatingBaseBlocks, forces: FloatingBaseForces) -> FloatingBaseAcceleration:
    """The accelerations that a wrench on the base and joint torques cause."""

def inverse_dynamics(blocks: FloatingBaseBlocks, acceleration: FloatingBaseAcceleration) -> FloatingBaseForces:
    """The wrench on the base and the joint torques that accelerations need."""

def equivalent_forces(model: Model, q: ArrayLike, forces: Mapping[str, ArrayLike]) -> FloatingBaseForces:
    """
    The wrench on the base and the joint torques that are equivalent to forces on frames, {frame: (6,)}: force (N) and torque (N m) at the frame's origin, along the world's axes.
    """

def coriolis_and_gravity_forces(model: Model, q: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
    """DART's name for bias_forces, (nv,)."""

def coriolis_forces(model: Model, q: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
    """Coriolis and centrifugal forces alone, (nv,)."""

class ConversionEntry:
    """A joint in the other program's vectors."""

    @property
    def name(self) -> Any:
        """Of the model's joint."""

    @property
    def joint(self) -> Any:
        """Index in Model.joints."""

    @property
    def q_index(self) -> Any:
        """There."""

    @property
    def nq(self) -> Any:
        """There."""

    @property
    def v_index(self) -> Any:
        """There."""

    @property
    def nv(self) -> Any:
        """There."""

    @property
    def follows(self) -> Any:
        """
        It has no coordinates in the model, because it mimics another joint there.
        """

    @property
    def frame(self) -> Any:
        """
        The coordinates are relative to a frame in which the joint's frame has this pose, 4 × 4.
        """

    def __repr__(self) -> str: ...

class Conversion:
    """
    Converts between the vectors and matrices of a model and those of another program's model of the same robot: 'pinocchio', 'ros', 'mujoco', 'world' (velocities along the world's axes) or 'lissom'. to_… takes the model's and gives the other program's, from_… the reverse; q and v are always the model's, except in from_state().
    """

    def __init__(self, model: Model, other: Literal['lissom', 'pinocchio', 'ros', 'mujoco', 'world'], joints: Sequence[str] | None = None) -> None:
        """
        joints: the other program's own list of joints that have coordinates, in the order of its q and v; None: those of joint_order(). Pinocchio's model.names may begin with 'universe'; a base that the model calls 'base' may have another name there ('root_joint').
        """

    @property
    def entries(self) -> list[ConversionEntry]:
        """In the order of the other program's q and v."""

    @property
    def model(self) -> lissom._core.Model: ...

    @property
    def other(self) -> str: ...

    @property
    def nq(self) -> int:
        """Of the other program."""

    @property
    def nv(self) -> int:
        """Of the other program."""

    @property
    def has_followers(self) -> bool:
        """
        Whether followers have coordinates in the other program, but none in the model.
        """

    def __repr__(self) -> str: ...

    def to_state(self, q: ArrayLike, v: ArrayLike | None = None) -> Any:
        """
        (q, v) in the other program's convention, (…, its nq) and (…, its nv), of the model's q, (…, nq), and v, (…, nv); without v, q alone.
        """

    def from_state(self, q_there: ArrayLike, v_there: ArrayLike | None = None) -> Any:
        """
        The model's (q, v) of the other program's; without v_there, q alone. Raises an Error if a quaternion or (cos, sin) is not normalized (within 1e-6), or a follower is not where its leader puts it (within 1e-6).
        """

    def velocity_map(self, q: ArrayLike) -> NDArray[np.float64]:
        """
        The matrix T, (…, its nv, nv), with v_there = T v; q: the model's, (…, nq).
        """

    def to_acceleration(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> NDArray[np.float64]:
        """a_there = T a + Ṫ v, (…, its nv). q and v are the model's."""

    def from_acceleration(self, q: ArrayLike, v: ArrayLike, a_there: ArrayLike) -> NDArray[np.float64]:
        """a, (…, nv), of a_there. q and v are the model's."""

    def to_forces(self, q: ArrayLike, tau: ArrayLike) -> NDArray[np.float64]:
        """
        Generalized forces tau_there, (…, its nv); followers get none. q is the model's.
        """

    def from_forces(self, q: ArrayLike, tau_there: ArrayLike) -> NDArray[np.float64]:
        """Generalized forces tau = Tᵀ tau_there, (…, nv). q is the model's."""

    def to_bias_forces(self, q: ArrayLike, v: ArrayLike, M: ArrayLike, h: ArrayLike) -> NDArray[np.float64]:
        """
        Bias forces, (…, its nv): the generalized forces that a_there = 0 needs. All arguments are the model's.
        """

    def to_mass_matrix(self, q: ArrayLike, M: ArrayLike) -> NDArray[np.float64]:
        """
        M_there, (…, its nv, its nv), of the model's M. Raises an Error if has_followers.
        """

    def from_mass_matrix(self, q: ArrayLike, M_there: ArrayLike) -> NDArray[np.float64]:
        """M = Tᵀ M_there T, (…, nv, nv). q is the model's."""

    def to_jacobian(self, q: ArrayLike, J: ArrayLike) -> NDArray[np.float64]:
        """
        J_there, (…, rows, its nv), of anything with one column for each element of v. Raises an Error if has_followers.
        """

    def from_jacobian(self, q: ArrayLike, J_there: ArrayLike) -> NDArray[np.float64]:
        """J = J_there T, (…, rows, nv). q is the model's."""

def joint_order(model: Model, convention: Literal['lissom', 'pinocchio', 'ros', 'mujoco', 'world']) -> list[str]:
    """
    The joints that have coordinates in that program's model of the same robot, in the order of its q and v.
    """

def base_joints(model: lissom._core.Model) -> list[str]:
    """
    The joints that are not in the robot's file: those of a free or planar base.
    """

def convert(model: Model, q: ArrayLike, v: ArrayLike, from_: str, to: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """
    The same state, (…, nq) and (…, nv), in another convention, with the joints in joint_order().
    """

class Comparison:
    """One quantity, computed by several formulations."""

    @property
    def quantity(self) -> str:
        """'accelerations', 'joint forces', 'mass matrix'."""

    @property
    def formulations(self) -> list[str]: ...

    @property
    def disagreement(self) -> NDArray[np.float64]:
        """
        The largest relative disagreement of each pair, (formulations, formulations).
        """

    @property
    def max_disagreement(self) -> float: ...

    @property
    def first(self) -> str:
        """One of the two formulations that disagree most."""

    @property
    def second(self) -> str:
        """The other."""

    @property
    def seed(self) -> int:
        """verify() with this seed and one state reproduces it."""

    @property
    def joint(self) -> str:
        """The joint at which they disagree most."""

    def __repr__(self) -> str: ...

class VerifyReport:
    """What verify() found."""

    @property
    def comparisons(self) -> list[Comparison]:
        """One for each quantity."""

    @property
    def states(self) -> int:
        """Number of states."""

    @property
    def compared(self) -> int:
        """Number of states that were compared."""

    @property
    def remarks(self) -> list[str]:
        """What was left out, and why."""

    @property
    def max_disagreement(self) -> float:
        """Over all comparisons."""

    def __repr__(self) -> str: ...

def verify(model: Model, *, charts: Mapping[str, str] | None = None, chart: str = 'quaternion', states: int = 20, seed: int = 1, min_inverse_condition: float = 0.001, stop: Callable[[int], bool] | None = None, progress: Callable[[int], Any] | None = None) -> VerifyReport:
    """
    Evaluates all formulations of the equations of motion at the same random states, and reports how far any two of them disagree, and where.

    charts: of free and spherical joints, {joint: name}; `chart` for the others.
    min_inverse_condition: states at which a chart is nearer to its singularity are not compared; a remark says so.
    stop: asked before each state, and in between, with the number of states done; if true, the report is about those.
    progress: told that number whenever it changes.
    """
