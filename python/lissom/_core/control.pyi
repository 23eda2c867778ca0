"""Whole-body control."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray


import lissom._core
from lissom._core import (
    Contact as Contact,
    RobotSnapshot as RobotSnapshot,
    Work as Work
)

class ImpossibleMotion(lissom._core.Error): ...

critical: float = -1.0

class PointTask:
    """
    Position of a point of a frame, relative to the frame relative_to: target, velocity, acceleration and axes are in its coordinates.
    """

    def __init__(self, frame: str = ..., point: ArrayLike = ..., target: ArrayLike = ..., velocity: ArrayLike = ..., acceleration: ArrayLike = ..., relative_to: str = ..., axes: ArrayLike = ..., stiffness: float = ..., damping: float = ..., weight: float = ..., priority: int = ..., name: str = ...) -> None: ...

    @property
    def frame(self) -> str:
        """Of the robot."""

    @frame.setter
    def frame(self, value: str, /) -> None: ...

    @property
    def point(self) -> object:
        """In the frame's coordinates, m."""

    @point.setter
    def point(self, value: ArrayLike, /) -> None: ...

    @property
    def target(self) -> object:
        """(3,)"""

    @target.setter
    def target(self, value: ArrayLike, /) -> None: ...

    @property
    def velocity(self) -> object:
        """(3,)"""

    @velocity.setter
    def velocity(self, value: ArrayLike, /) -> None: ...

    @property
    def acceleration(self) -> object:
        """(3,)"""

    @acceleration.setter
    def acceleration(self, value: ArrayLike, /) -> None: ...

    @property
    def relative_to(self) -> str:
        """A frame; empty: the world."""

    @relative_to.setter
    def relative_to(self, value: str, /) -> None: ...

    @property
    def axes(self) -> object:
        """Weights of the axes; 0 leaves an axis free."""

    @axes.setter
    def axes(self, value: ArrayLike, /) -> None: ...

    @property
    def stiffness(self) -> float:
        """1/s²"""

    @stiffness.setter
    def stiffness(self, value: float, /) -> None: ...

    @property
    def damping(self) -> float:
        """1/s; critical (-1): 2 √stiffness."""

    @damping.setter
    def damping(self, value: float, /) -> None: ...

    @property
    def weight(self) -> float:
        """Of its squared error, against those of other tasks."""

    @weight.setter
    def weight(self, value: float, /) -> None: ...

    @property
    def priority(self) -> int:
        """0 is met first, strictly."""

    @priority.setter
    def priority(self, value: int, /) -> None: ...

    @property
    def name(self) -> str:
        """For reports; may be empty."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class FrameTask:
    """
    Position and orientation of a frame, or single axes of either. Target, velocity and acceleration are in coordinates of relative_to.
    """

    def __init__(self, frame: str = ..., target: ArrayLike = ..., velocity: ArrayLike = ..., acceleration: ArrayLike = ..., relative_to: str = ..., linear: ArrayLike = ..., angular: ArrayLike = ..., stiffness: float = ..., damping: float = ..., weight: float = ..., priority: int = ..., name: str = ...) -> None: ...

    @property
    def frame(self) -> str:
        """Of the robot."""

    @frame.setter
    def frame(self, value: str, /) -> None: ...

    @property
    def target(self) -> object:
        """4 × 4"""

    @target.setter
    def target(self, value: ArrayLike, /) -> None: ...

    @property
    def velocity(self) -> object:
        """Linear and angular, (6,)."""

    @velocity.setter
    def velocity(self, value: ArrayLike, /) -> None: ...

    @property
    def acceleration(self) -> object:
        """(6,)"""

    @acceleration.setter
    def acceleration(self, value: ArrayLike, /) -> None: ...

    @property
    def relative_to(self) -> str:
        """A frame; empty: the world."""

    @relative_to.setter
    def relative_to(self, value: str, /) -> None: ...

    @property
    def linear(self) -> object:
        """Weights of the axes of the target; 0 leaves an axis free."""

    @linear.setter
    def linear(self, value: ArrayLike, /) -> None: ...

    @property
    def angular(self) -> object:
        """Weights of the axes of the target; 0 leaves an axis free."""

    @angular.setter
    def angular(self, value: ArrayLike, /) -> None: ...

    @property
    def stiffness(self) -> float:
        """1/s²"""

    @stiffness.setter
    def stiffness(self, value: float, /) -> None: ...

    @property
    def damping(self) -> float:
        """1/s; critical (-1): 2 √stiffness."""

    @damping.setter
    def damping(self, value: float, /) -> None: ...

    @property
    def weight(self) -> float:
        """Of its squared error, against those of other tasks."""

    @weight.setter
    def weight(self, value: float, /) -> None: ...

    @property
    def priority(self) -> int:
        """0 is met first, strictly."""

    @priority.setter
    def priority(self, value: int, /) -> None: ...

    @property
    def name(self) -> str:
        """For reports; may be empty."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class CenterOfMassTask:
    """Position of the center of mass, along the world's axes."""

    def __init__(self, target: ArrayLike = ..., velocity: ArrayLike = ..., acceleration: ArrayLike = ..., axes: ArrayLike = ..., stiffness: float = ..., damping: float = ..., weight: float = ..., priority: int = ..., name: str = ...) -> None: ...

    @property
    def target(self) -> object:
        """(3,)"""

    @target.setter
    def target(self, value: ArrayLike, /) -> None: ...

    @property
    def velocity(self) -> object:
        """(3,)"""

    @velocity.setter
    def velocity(self, value: ArrayLike, /) -> None: ...

    @property
    def acceleration(self) -> object:
        """(3,)"""

    @acceleration.setter
    def acceleration(self, value: ArrayLike, /) -> None: ...

    @property
    def axes(self) -> object:
        """Weights of the axes; 0 leaves an axis free."""

    @axes.setter
    def axes(self, value: ArrayLike, /) -> None: ...

    @property
    def stiffness(self) -> float:
        """1/s²"""

    @stiffness.setter
    def stiffness(self, value: float, /) -> None: ...

    @property
    def damping(self) -> float:
        """1/s; critical (-1): 2 √stiffness."""

    @damping.setter
    def damping(self, value: float, /) -> None: ...

    @property
    def weight(self) -> float:
        """Of its squared error, against those of other tasks."""

    @weight.setter
    def weight(self, value: float, /) -> None: ...

    @property
    def priority(self) -> int:
        """0 is met first, strictly."""

    @priority.setter
    def priority(self, value: int, /) -> None: ...

    @property
    def name(self) -> str:
        """For reports; may be empty."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class GazeTask:
    """
    Direction of an axis of a frame, which is to point from the frame's origin at a position in the world.
    """

    def __init__(self, frame: str = ..., axis: ArrayLike = ..., target: ArrayLike = ..., stiffness: float = ..., damping: float = ..., weight: float = ..., priority: int = ..., name: str = ...) -> None: ...

    @property
    def frame(self) -> str:
        """Of the robot."""

    @frame.setter
    def frame(self, value: str, /) -> None: ...

    @property
    def axis(self) -> object:
        """In the frame's coordinates."""

    @axis.setter
    def axis(self, value: ArrayLike, /) -> None: ...

    @property
    def target(self) -> object:
        """In the world, m."""

    @target.setter
    def target(self, value: ArrayLike, /) -> None: ...

    @property
    def stiffness(self) -> float:
        """1/s²"""

    @stiffness.setter
    def stiffness(self, value: float, /) -> None: ...

    @property
    def damping(self) -> float:
        """1/s; critical (-1): 2 √stiffness."""

    @damping.setter
    def damping(self, value: float, /) -> None: ...

    @property
    def weight(self) -> float:
        """Of its squared error, against those of other tasks."""

    @weight.setter
    def weight(self, value: float, /) -> None: ...

    @property
    def priority(self) -> int:
        """0 is met first, strictly."""

    @priority.setter
    def priority(self, value: int, /) -> None: ...

    @property
    def name(self) -> str:
        """For reports; may be empty."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class MomentumTask:
    """
    Momentum, linear and angular about the center of mass, along the world's axes. Its desired rate is rate + damping (target - momentum).
    """

    def __init__(self, target: ArrayLike = ..., rate: ArrayLike = ..., linear: ArrayLike = ..., angular: ArrayLike = ..., damping: float = ..., weight: float = ..., priority: int = ..., name: str = ...) -> None: ...

    @property
    def target(self) -> object:
        """(6,), N s and N m s."""

    @target.setter
    def target(self, value: ArrayLike, /) -> None: ...

    @property
    def rate(self) -> object:
        """(6,)"""

    @rate.setter
    def rate(self, value: ArrayLike, /) -> None: ...

    @property
    def linear(self) -> object:
        """Weights of the axes."""

    @linear.setter
    def linear(self, value: ArrayLike, /) -> None: ...

    @property
    def angular(self) -> object:
        """Weights of the axes."""

    @angular.setter
    def angular(self, value: ArrayLike, /) -> None: ...

    @property
    def damping(self) -> float:
        """1/s"""

    @damping.setter
    def damping(self, value: float, /) -> None: ...

    @property
    def weight(self) -> float:
        """Of its squared error, against those of other tasks."""

    @weight.setter
    def weight(self, value: float, /) -> None: ...

    @property
    def priority(self) -> int:
        """0 is met first, strictly."""

    @priority.setter
    def priority(self, value: int, /) -> None: ...

    @property
    def name(self) -> str:
        """For reports; may be empty."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class PostureTask:
    """
    Configuration of all joints; free joints take part only if `base` is set.
    """

    def __init__(self, target: ArrayLike = ..., velocity: ArrayLike = ..., acceleration: ArrayLike = ..., joint_weights: ArrayLike = ..., joint_stiffness: ArrayLike = ..., base: bool = ..., stiffness: float = ..., damping: float = ..., weight: float = ..., priority: int = ..., name: str = ...) -> None: ...

    @property
    def target(self) -> object:
        """(nq,); empty: neutral."""

    @target.setter
    def target(self, value: ArrayLike, /) -> None: ...

    @property
    def velocity(self) -> object:
        """(nv,); empty: zero."""

    @velocity.setter
    def velocity(self, value: ArrayLike, /) -> None: ...

    @property
    def acceleration(self) -> object:
        """(nv,); empty: zero."""

    @acceleration.setter
    def acceleration(self, value: ArrayLike, /) -> None: ...

    @property
    def joint_weights(self) -> object:
        """(nv,), or empty."""

    @joint_weights.setter
    def joint_weights(self, value: ArrayLike, /) -> None: ...

    @property
    def joint_stiffness(self) -> object:
        """(nv,), or empty; an element above 0 replaces stiffness."""

    @joint_stiffness.setter
    def joint_stiffness(self, value: ArrayLike, /) -> None: ...

    @property
    def base(self) -> bool:
        """Whether the base is held, too."""

    @base.setter
    def base(self, value: bool, /) -> None: ...

    @property
    def stiffness(self) -> float:
        """1/s²"""

    @stiffness.setter
    def stiffness(self, value: float, /) -> None: ...

    @property
    def damping(self) -> float:
        """1/s; critical (-1): 2 √stiffness."""

    @damping.setter
    def damping(self, value: float, /) -> None: ...

    @property
    def weight(self) -> float:
        """Of its squared error, against those of other tasks."""

    @weight.setter
    def weight(self, value: float, /) -> None: ...

    @property
    def priority(self) -> int:
        """0 is met first, strictly."""

    @priority.setter
    def priority(self, value: int, /) -> None: ...

    @property
    def name(self) -> str:
        """For reports; may be empty."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class TorqueTask:
    """
    Torques of the motors. It couples forces and accelerations in the cost, which takes computation time.
    """

    def __init__(self, target: ArrayLike = ..., weight: float = ..., name: str = ...) -> None: ...

    @property
    def target(self) -> object:
        """(nv,), N m, N; empty: zero."""

    @target.setter
    def target(self, value: ArrayLike, /) -> None: ...

    @property
    def weight(self) -> float:
        """Of its squared error, against those of other tasks."""

    @weight.setter
    def weight(self, value: float, /) -> None: ...

    @property
    def name(self) -> str:
        """For reports; may be empty."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ForceTask:
    """Force of a contact, along the world's axes."""

    def __init__(self, contact: str = ..., target: ArrayLike = ..., axes: ArrayLike = ..., weight: float = ..., name: str = ...) -> None: ...

    @property
    def contact(self) -> str:
        """Its name."""

    @contact.setter
    def contact(self, value: str, /) -> None: ...

    @property
    def target(self) -> object:
        """N"""

    @target.setter
    def target(self, value: ArrayLike, /) -> None: ...

    @property
    def axes(self) -> object:
        """Weights of the axes."""

    @axes.setter
    def axes(self, value: ArrayLike, /) -> None: ...

    @property
    def weight(self) -> float:
        """Of its squared error, against those of other tasks."""

    @weight.setter
    def weight(self, value: float, /) -> None: ...

    @property
    def name(self) -> str:
        """For reports; may be empty."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Capsule:
    """A line segment with a radius, in coordinates of its frame."""

    def __init__(self, frame: str = ..., from_: ArrayLike = ..., to: ArrayLike = ..., radius: float = ...) -> None: ...

    @property
    def frame(self) -> str:
        """Of the robot."""

    @frame.setter
    def frame(self, value: str, /) -> None: ...

    @property
    def to(self) -> object:
        """m"""

    @to.setter
    def to(self, value: ArrayLike, /) -> None: ...

    @property
    def radius(self) -> float:
        """m"""

    @radius.setter
    def radius(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def bounding_capsule(robot: lissom._core.Model, link: str) -> Capsule:
    """A capsule around the collision shapes of a link (without meshes)."""

class Clearance:
    """
    A pair of capsules, fixed to links, that keep a distance: the speed with which they approach is limited below `influence_distance`.
    """

    def __init__(self, a: Capsule = ..., b: Capsule = ..., min_distance: float = ..., influence_distance: float = ..., max_approach_speed: float = ..., weight: float = ..., name: str = ...) -> None: ...

    @property
    def a(self) -> Capsule:
        """A Capsule."""

    @a.setter
    def a(self, value: Capsule, /) -> None: ...

    @property
    def b(self) -> Capsule:
        """The other."""

    @b.setter
    def b(self, value: Capsule, /) -> None: ...

    @property
    def min_distance(self) -> float:
        """m"""

    @min_distance.setter
    def min_distance(self, value: float, /) -> None: ...

    @property
    def influence_distance(self) -> float:
        """m"""

    @influence_distance.setter
    def influence_distance(self, value: float, /) -> None: ...

    @property
    def max_approach_speed(self) -> float:
        """Allowed speed of approach at `influence_distance`, m/s."""

    @max_approach_speed.setter
    def max_approach_speed(self, value: float, /) -> None: ...

    @property
    def weight(self) -> float:
        """Of the soft row."""

    @weight.setter
    def weight(self, value: float, /) -> None: ...

    @property
    def name(self) -> str:
        """Empty: those of its frames."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class JointLimits:
    """
    Which joint limits are kept, and how: a joint may move only so fast that it can still be stopped before its limit.
    """

    def __init__(self, positions: bool = ..., velocities: bool = ..., braking: float = ..., horizon: float = ..., acceleration: float = ..., margin: float = ...) -> None: ...

    @property
    def positions(self) -> bool:
        """Whether they are kept."""

    @positions.setter
    def positions(self, value: bool, /) -> None: ...

    @property
    def velocities(self) -> bool:
        """Whether they are kept."""

    @velocities.setter
    def velocities(self, value: bool, /) -> None: ...

    @property
    def braking(self) -> float:
        """Deceleration, rad/s², m/s²."""

    @braking.setter
    def braking(self, value: float, /) -> None: ...

    @property
    def horizon(self) -> float:
        """s"""

    @horizon.setter
    def horizon(self, value: float, /) -> None: ...

    @property
    def acceleration(self) -> float:
        """Maximum of every joint, rad/s², m/s²."""

    @acceleration.setter
    def acceleration(self, value: float, /) -> None: ...

    @property
    def margin(self) -> float:
        """Kept from position limits, rad, m."""

    @margin.setter
    def margin(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class PassiveForces:
    """
    Which forces of the joints themselves a controller knows, and compensates.
    """

    def __init__(self, damping: bool = ..., dry_friction: bool = ..., springs: bool = ..., friction_speed: float = ...) -> None: ...

    @property
    def damping(self) -> bool:
        """Whether it does."""

    @damping.setter
    def damping(self, value: bool, /) -> None: ...

    @property
    def dry_friction(self) -> bool:
        """Whether it does."""

    @dry_friction.setter
    def dry_friction(self, value: bool, /) -> None: ...

    @property
    def springs(self) -> bool:
        """Whether it does."""

    @springs.setter
    def springs(self, value: bool, /) -> None: ...

    @property
    def friction_speed(self) -> float:
        """
        Dry friction is compensated in full at this speed and above, in proportion below, rad/s, m/s.
        """

    @friction_speed.setter
    def friction_speed(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class WholeBodyOptions:
    """Options of a WholeBody, which also takes them as keyword arguments."""

    def __init__(self, step: float = ..., formulation: Literal['reduced', 'multiplier', 'projected', 'oblique'] = ..., joints: JointLimits = ..., passive_forces: PassiveForces = ..., torque_limits: bool = ..., passive: Sequence[str] = ..., acceleration_regularization: float = ..., force_regularization: float = ...) -> None: ...

    @property
    def step(self) -> float:
        """
        From one solve() to the next, by which the ramps of contacts advance, s.
        """

    @step.setter
    def step(self, value: float, /) -> None: ...

    @property
    def formulation(self) -> str:
        """
        How the tick is written as a quadratic program; all have the same solution, 'reduced' is fast.
        """

    @formulation.setter
    def formulation(self, value: Literal['reduced', 'multiplier', 'projected', 'oblique'], /) -> None: ...

    @property
    def joints(self) -> JointLimits:
        """Which joint limits are kept, and how."""

    @joints.setter
    def joints(self, value: JointLimits, /) -> None: ...

    @property
    def passive_forces(self) -> PassiveForces:
        """
        Which damping, dry friction and springs of joints it knows, and compensates.
        """

    @passive_forces.setter
    def passive_forces(self, value: PassiveForces, /) -> None: ...

    @property
    def torque_limits(self) -> bool: ...

    @torque_limits.setter
    def torque_limits(self, value: bool, /) -> None: ...

    @property
    def passive(self) -> object:
        """Names of joints without a motor; free joints never have one."""

    @passive.setter
    def passive(self, value: Sequence[str], /) -> None: ...

    @property
    def acceleration_regularization(self) -> float:
        """Weight of ½ ‖a‖²."""

    @acceleration_regularization.setter
    def acceleration_regularization(self, value: float, /) -> None: ...

    @property
    def force_regularization(self) -> float:
        """Weight of ½ ‖forces‖²."""

    @force_regularization.setter
    def force_regularization(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class TaskReading:
    """One task in a tick."""

    @property
    def cost(self) -> float:
        """½ weight ‖actual - desired‖²"""

    @property
    def desired(self) -> NDArray[np.float64]:
        """Accelerations, one per row; forces or torques for tasks about these."""

    @property
    def actual(self) -> NDArray[np.float64]:
        """What the solution gives."""

    def __repr__(self) -> str: ...

class ContactReading:
    """One contact in a tick."""

    @property
    def force(self) -> NDArray[np.float64]:
        """On the frame, along the world's axes, N."""

    @property
    def torque(self) -> NDArray[np.float64]:
        """On the frame, about its origin, N m."""

    @property
    def point_forces(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Two tangents and the normal of each point, along the axes of the placement, (n, 3), N.
        """

    @property
    def normal(self) -> float:
        """Of all points, N."""

    @property
    def friction_use(self) -> float:
        """Largest |tangent| / (friction · normal)."""

    @property
    def ramp_fraction(self) -> float:
        """How far it is ramped in, 0 to 1."""

    @property
    def active(self) -> bool:
        """It took part in this tick."""

    def __repr__(self) -> str: ...

class ConflictReading:
    """
    A constraint that was relaxed: 'torque of left_knee', exceeded by 3.2, 'N m'; below its lower limit if negative.
    """

    def __init__(self, name: str = ..., amount: float = ..., unit: str = ...) -> None: ...

    @property
    def name(self) -> str:
        """'torque of left_knee'."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def amount(self) -> float:
        """By how much it is exceeded; negative: below its lower limit."""

    @amount.setter
    def amount(self, value: float, /) -> None: ...

    @property
    def unit(self) -> str:
        """Of the amount."""

    @unit.setter
    def unit(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Tick:
    """
    The result of a tick: torques, and everything that explains them. Handles of tasks, contacts and clearances are indices of its lists.
    """

    @property
    def status(self) -> str:
        """
        'optimal'; 'elastic': constraints contradict each other and were relaxed (conflicts); 'infeasible', 'limit', 'invalid': torques are zero (reason).
        """

    @property
    def reason(self) -> str: ...

    @property
    def torques(self) -> NDArray[np.float64]:
        """(nv,), within limits; zero where there is no motor. N m, N."""

    @property
    def unclamped_torques(self) -> NDArray[np.float64]:
        """(nv,), before they are clamped to the limits."""

    @property
    def accelerations(self) -> NDArray[np.float64]:
        """v̇, (nv,)."""

    @property
    def com(self) -> NDArray[np.float64]:
        """Center of mass, (3,), m."""

    @property
    def com_velocity(self) -> NDArray[np.float64]:
        """(3,), m/s."""

    @property
    def tasks(self) -> list[TaskReading]:
        """In the order in which they were added."""

    @property
    def contacts(self) -> list[ContactReading]:
        """In the order in which they were added."""

    @property
    def clearances(self) -> NDArray[np.float64]:
        """Between the two capsules of each, m."""

    @property
    def conflicts(self) -> list[ConflictReading]:
        """Constraints that were relaxed."""

    @property
    def variables(self) -> int:
        """Of the program of the last priority."""

    @property
    def equalities(self) -> int:
        """Of the program of the last priority."""

    @property
    def rows(self) -> int:
        """Of the program of the last priority."""

    @property
    def iterations(self) -> int:
        """Of all priorities together."""

    @property
    def objective(self) -> float: ...

    def __repr__(self) -> str: ...

class TaskId:
    """Handle of a task: its index in Tick.tasks."""

    def __init__(self, index: int) -> None: ...

    @property
    def index(self) -> int: ...

    def __index__(self) -> int: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class ContactId:
    """Handle of a contact: its index in Tick.contacts."""

    def __init__(self, index: int) -> None: ...

    @property
    def index(self) -> int: ...

    def __index__(self) -> int: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class ClearanceId:
    """Handle of a clearance: its index in Tick.clearances."""

    def __init__(self, index: int) -> None: ...

    @property
    def index(self) -> int: ...

    def __index__(self) -> int: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class WholeBody:
    """
    Whole-body control: tasks and contacts on any link of the robot become torques, by one quadratic program per tick. Options are keyword arguments, or a WholeBodyOptions.
    """

    def __init__(self, robot: lissom._core.Model, options: WholeBodyOptions | None = None, **fields: Any) -> None: ...

    def add(self, what: Any) -> Any:
        """
        Adds a task, a contact or a clearance, and returns its handle. A task is one of this module, or any object with `size` (rows), `evaluate(snapshot, J, Jdot_v, desired)`, which fills in arrays of shapes (size, nv), (size,), (size,) at every tick, and optionally `weight`, `priority` and `name`.
        """

    @overload
    def __getitem__(self, id: TaskId) -> Any:
        """
        The task or contact with this handle. Targets, gains, weights and friction may be changed between ticks; frames and points are read only by add().
        """

    @overload
    def __getitem__(self, id: ContactId) -> lissom._core.Contact: ...

    @overload
    def enable(self, id: TaskId, on: bool = True) -> None:
        """Switches a task on or off."""

    @overload
    def enable(self, id: ContactId, on: bool = True) -> None:
        """Activates or releases a contact, along its ramp."""

    def activate_without_ramp(self, id: ContactId) -> None:
        """
        Activates a contact without the ramp, because the robot already stands on it.
        """

    def set_placement(self, id: ContactId, placement: ArrayLike) -> None:
        """Sets the placement, 4 × 4, at which a contact is active."""

    def active(self, id: ContactId) -> bool:
        """
        Whether the contact takes part in the next tick; a released one does until the end of its ramp.
        """

    def set_formulation(self, formulation: str) -> None:
        """'reduced', 'multiplier', 'projected' or 'oblique'."""

    def prepare(self) -> None:
        """
        Allocates the memory that ticks need; otherwise the first tick does so.
        """

    def solve(self, q: ArrayLike, v: ArrayLike) -> Tick:
        """
        Solves one tick for the state q, (nq,), v, (nv,). NaN gives a tick with the status 'invalid'; the controller stays usable.
        """

    @property
    def tick(self) -> Tick:
        """The last tick."""

    def forget(self) -> None:
        """Makes the next tick a cold start."""

    def explain(self) -> str:
        """The conflicts of the last tick, one per line."""

    @property
    def model(self) -> lissom._core.Model: ...

    @property
    def options(self) -> WholeBodyOptions:
        """A copy."""

    @property
    def task_names(self) -> list[str]:
        """In the order in which they were added."""

    @property
    def contact_names(self) -> list[str]:
        """In the order in which they were added."""

    @property
    def motors(self) -> list[int]:
        """Degrees of freedom (indices of v) that have a motor."""

    def __repr__(self) -> str: ...

class LimbMove:
    """Moves a limb to a new placement, where it may become a contact."""

    def __init__(self, frame: str = ..., to: ArrayLike | None = ..., by: ArrayLike = ..., lift: float = ..., touch: bool = ...) -> None: ...

    @property
    def frame(self) -> str:
        """Of the limb."""

    @frame.setter
    def frame(self, value: str, /) -> None: ...

    @property
    def to(self) -> object:
        """
        Its placement at the end, in the world, 4 × 4; None: displaced by `by`.
        """

    @to.setter
    def to(self, value: ArrayLike | None, /) -> None: ...

    @property
    def by(self) -> object:
        """Displacement from where its contact was last, m."""

    @by.setter
    def by(self, value: ArrayLike, /) -> None: ...

    @property
    def lift(self) -> float:
        """Height above the straight line, in the middle, m."""

    @lift.setter
    def lift(self, value: float, /) -> None: ...

    @property
    def touch(self) -> bool:
        """It lands on the ground and becomes a contact."""

    @touch.setter
    def touch(self, value: bool, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Stage:
    """One stage of a motion plan."""

    def __init__(self, name: str = ..., seconds: float = ..., hold: float = ..., posture: str | None = ..., over: list[Any] = ..., offset: ArrayLike = ..., com: ArrayLike | None = ..., release: list[Any] = ..., moves: list[Any] = ..., tolerance: float = ..., timeout: float = ...) -> None: ...

    @property
    def name(self) -> str:
        """For reports."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def seconds(self) -> float:
        """Duration of the motion, s."""

    @seconds.setter
    def seconds(self, value: float, /) -> None: ...

    @property
    def hold(self) -> float:
        """How long it then stays, s."""

    @hold.setter
    def hold(self, value: float, /) -> None: ...

    @property
    def posture(self) -> object:
        """Name of the target posture; None: it stays the same."""

    @posture.setter
    def posture(self, value: str | None, /) -> None: ...

    @property
    def over(self) -> list[Any]:
        """Contacts above whose middle the center of mass should be."""

    @over.setter
    def over(self, value: list[Any], /) -> None: ...

    @property
    def offset(self) -> object:
        """Added to that, m; z to the height of the posture's center of mass."""

    @offset.setter
    def offset(self, value: ArrayLike, /) -> None: ...

    @property
    def com(self) -> object:
        """Target of the center of mass, m."""

    @com.setter
    def com(self, value: ArrayLike | None, /) -> None: ...

    @property
    def release(self) -> list[Any]:
        """Contacts that are released before anything moves."""

    @release.setter
    def release(self, value: list[Any], /) -> None: ...

    @property
    def moves(self) -> list[Any]:
        """A list of LimbMove."""

    @moves.setter
    def moves(self, value: list[Any], /) -> None: ...

    @property
    def tolerance(self) -> float:
        """Of the center of mass, for settling, m."""

    @tolerance.setter
    def tolerance(self, value: float, /) -> None: ...

    @property
    def timeout(self) -> float:
        """Limit on the duration of landing, and of settling, s."""

    @timeout.setter
    def timeout(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class MotionGains:
    """
    Weight and stiffness of each kind of task of a motion; damping is critical.
    """

    def __init__(self, com_weight: float = ..., com_stiffness: float = ..., posture_weight: float = ..., posture_stiffness: float = ..., joint_stiffness: dict[str, Any] = ..., base_weight: float = ..., base_stiffness: float = ..., limb_weight: float = ..., limb_stiffness: float = ..., momentum_weight: float = ..., momentum_damping: float = ..., ramp: float = ..., friction_factor: float = ..., support_scale: float = ..., min_normal_force: float = ...) -> None: ...

    @property
    def com_weight(self) -> float: ...

    @com_weight.setter
    def com_weight(self, value: float, /) -> None: ...

    @property
    def com_stiffness(self) -> float:
        """1/s²"""

    @com_stiffness.setter
    def com_stiffness(self, value: float, /) -> None: ...

    @property
    def posture_weight(self) -> float: ...

    @posture_weight.setter
    def posture_weight(self, value: float, /) -> None: ...

    @property
    def posture_stiffness(self) -> float:
        """1/s²"""

    @posture_stiffness.setter
    def posture_stiffness(self, value: float, /) -> None: ...

    @property
    def joint_stiffness(self) -> dict[Any, Any]:
        """Of single joints: {name: stiffness}."""

    @joint_stiffness.setter
    def joint_stiffness(self, value: dict[str, Any], /) -> None: ...

    @property
    def base_weight(self) -> float: ...

    @base_weight.setter
    def base_weight(self, value: float, /) -> None: ...

    @property
    def base_stiffness(self) -> float:
        """1/s²"""

    @base_stiffness.setter
    def base_stiffness(self, value: float, /) -> None: ...

    @property
    def limb_weight(self) -> float: ...

    @limb_weight.setter
    def limb_weight(self, value: float, /) -> None: ...

    @property
    def limb_stiffness(self) -> float:
        """1/s²"""

    @limb_stiffness.setter
    def limb_stiffness(self, value: float, /) -> None: ...

    @property
    def momentum_weight(self) -> float: ...

    @momentum_weight.setter
    def momentum_weight(self, value: float, /) -> None: ...

    @property
    def momentum_damping(self) -> float:
        """1/s"""

    @momentum_damping.setter
    def momentum_damping(self, value: float, /) -> None: ...

    @property
    def ramp(self) -> float:
        """Of contacts that are activated or released, s."""

    @ramp.setter
    def ramp(self, value: float, /) -> None: ...

    @property
    def friction_factor(self) -> float:
        """Fraction of a contact's friction that the controller uses."""

    @friction_factor.setter
    def friction_factor(self, value: float, /) -> None: ...

    @property
    def support_scale(self) -> float:
        """Factor by which support surfaces are scaled about their middle."""

    @support_scale.setter
    def support_scale(self, value: float, /) -> None: ...

    @property
    def min_normal_force(self) -> float:
        """For contacts that do not give their own, N."""

    @min_normal_force.setter
    def min_normal_force(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class MotionPlan:
    """A motion: stages that lead from one static posture to the next."""

    def __init__(self, name: str = ..., description: str = ..., postures: dict[str, Any] = ..., start: str = ..., contacts: list[Any] = ..., standing: list[Any] = ..., clearances: list[Any] = ..., self_clearances: bool = ..., stages: list[Any] = ..., gains: MotionGains = ...) -> None: ...

    @property
    def name(self) -> str:
        """Of the motion."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def description(self) -> str:
        """One line for people."""

    @description.setter
    def description(self, value: str, /) -> None: ...

    @property
    def postures(self) -> dict[Any, Any]:
        """{name: q}"""

    @postures.setter
    def postures(self, value: dict[str, Any], /) -> None: ...

    @property
    def start(self) -> str:
        """Name of the posture in which it begins."""

    @start.setter
    def start(self, value: str, /) -> None: ...

    @property
    def contacts(self) -> list[Any]:
        """All contacts that are used: names of frames, or Contact."""

    @contacts.setter
    def contacts(self, value: list[Any], /) -> None: ...

    @property
    def standing(self) -> list[Any]:
        """Names of the contacts that are active at the start."""

    @standing.setter
    def standing(self, value: list[Any], /) -> None: ...

    @property
    def clearances(self) -> list[Any]:
        """A list of Clearance."""

    @clearances.setter
    def clearances(self, value: list[Any], /) -> None: ...

    @property
    def self_clearances(self) -> bool:
        """All other links that can meet keep a distance, too."""

    @self_clearances.setter
    def self_clearances(self, value: bool, /) -> None: ...

    @property
    def stages(self) -> list[Any]:
        """A list of Stage."""

    @stages.setter
    def stages(self, value: list[Any], /) -> None: ...

    @property
    def gains(self) -> MotionGains:
        """MotionGains."""

    @gains.setter
    def gains(self, value: MotionGains, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def read_motion_plan(robot: lissom._core.Model, path: Any, contacts: lissom._core.RobotContacts | Sequence[lissom._core.Contact | str] | None = None) -> MotionPlan:
    """
    Reads a motion file (docs/control.md). contacts: of the robot; a contact of the file at the frame of one of them is like that, but for what the file says.
    """

class Transition:
    """When a phase of a stage was entered."""

    def __init__(self, time: float = ..., stage: str = ..., phase: str = ...) -> None: ...

    @property
    def time(self) -> float:
        """s"""

    @time.setter
    def time(self, value: float, /) -> None: ...

    @property
    def stage(self) -> str:
        """Its name."""

    @stage.setter
    def stage(self, value: str, /) -> None: ...

    @property
    def phase(self) -> str:
        """Of the stage."""

    @phase.setter
    def phase(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ContactReport:
    """A contact's extremes over a run."""

    def __init__(self, name: str = ..., max_normal: float = ..., planned_friction_use: float = ..., friction_use: float = ..., light_friction_use: float = ..., slip: float = ..., loaded_slip: float = ...) -> None: ...

    @property
    def name(self) -> str:
        """Of the contact."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def max_normal(self) -> float:
        """On the simulated robot, N."""

    @max_normal.setter
    def max_normal(self, value: float, /) -> None: ...

    @property
    def planned_friction_use(self) -> float:
        """Of the controller's forces, at most 1."""

    @planned_friction_use.setter
    def planned_friction_use(self, value: float, /) -> None: ...

    @property
    def friction_use(self) -> float:
        """
        On the simulated robot, while it carries more than 5 % of the weight; more than 1 where it slipped.
        """

    @friction_use.setter
    def friction_use(self, value: float, /) -> None: ...

    @property
    def light_friction_use(self) -> float:
        """The same while it carries less."""

    @light_friction_use.setter
    def light_friction_use(self, value: float, /) -> None: ...

    @property
    def slip(self) -> float:
        """m"""

    @slip.setter
    def slip(self, value: float, /) -> None: ...

    @property
    def loaded_slip(self) -> float:
        """While it carries more than 5 % of the weight, m."""

    @loaded_slip.setter
    def loaded_slip(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class MotorReport:
    """A motor's extremes over a run."""

    def __init__(self, joint: str = ..., max_torque: float = ..., limit: float = ..., nearest_limit: float = ..., max_velocity: float = ..., velocity_limit: float = ..., saturated: float = ...) -> None: ...

    @property
    def joint(self) -> str:
        """That it drives."""

    @joint.setter
    def joint(self, value: str, /) -> None: ...

    @property
    def max_torque(self) -> float:
        """The largest that was asked for, before clamping, N m."""

    @max_torque.setter
    def max_torque(self, value: float, /) -> None: ...

    @property
    def limit(self) -> float:
        """N m"""

    @limit.setter
    def limit(self, value: float, /) -> None: ...

    @property
    def nearest_limit(self) -> float:
        """Smallest distance from a position limit, rad, m; negative beyond it."""

    @nearest_limit.setter
    def nearest_limit(self, value: float, /) -> None: ...

    @property
    def max_velocity(self) -> float:
        """Of the simulated robot, rad/s, m/s."""

    @max_velocity.setter
    def max_velocity(self, value: float, /) -> None: ...

    @property
    def velocity_limit(self) -> float:
        """rad/s, m/s"""

    @velocity_limit.setter
    def velocity_limit(self, value: float, /) -> None: ...

    @property
    def saturated(self) -> float:
        """When its torque was first at the limit, s; negative: never."""

    @saturated.setter
    def saturated(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ClearanceReport:
    """A clearance's extremes over a run."""

    def __init__(self, name: str = ..., min_distance: float = ..., required: float = ..., influence_distance: float = ..., automatic: bool = ...) -> None: ...

    @property
    def name(self) -> str:
        """Of the two links."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def min_distance(self) -> float:
        """m"""

    @min_distance.setter
    def min_distance(self, value: float, /) -> None: ...

    @property
    def required(self) -> float:
        """m"""

    @required.setter
    def required(self, value: float, /) -> None: ...

    @property
    def influence_distance(self) -> float:
        """Below which it takes part, m."""

    @influence_distance.setter
    def influence_distance(self, value: float, /) -> None: ...

    @property
    def automatic(self) -> bool:
        """The plan does not name it: two links that can meet."""

    @automatic.setter
    def automatic(self, value: bool, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class LimbReport:
    """A limb at the ends of holds, on the simulated robot."""

    def __init__(self, frame: str = ..., distance: float = ..., angle: float = ..., stage: str = ...) -> None: ...

    @property
    def frame(self) -> str:
        """Of the limb."""

    @frame.setter
    def frame(self, value: str, /) -> None: ...

    @property
    def distance(self) -> float:
        """The largest, from its target, m."""

    @distance.setter
    def distance(self, value: float, /) -> None: ...

    @property
    def angle(self) -> float:
        """The largest, of limbs that are turned, rad."""

    @angle.setter
    def angle(self, value: float, /) -> None: ...

    @property
    def stage(self) -> str:
        """Where the distance was largest."""

    @stage.setter
    def stage(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ConflictReport:
    """
    Constraints of one kind that were relaxed in elastic ticks: the torques of all joints, and so on.
    """

    def __init__(self, name: str = ..., unit: str = ..., amount: float = ..., first: float = ..., last: float = ..., ticks: int = ..., names: Sequence[str] = ...) -> None: ...

    @property
    def name(self) -> str:
        """Of the constraint that was relaxed most."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def unit(self) -> str:
        """Of amount."""

    @unit.setter
    def unit(self, value: str, /) -> None: ...

    @property
    def amount(self) -> float:
        """The largest; negative: below a lower limit."""

    @amount.setter
    def amount(self, value: float, /) -> None: ...

    @property
    def first(self) -> float:
        """When one of them was first relaxed, s."""

    @first.setter
    def first(self, value: float, /) -> None: ...

    @property
    def last(self) -> float:
        """When one of them was last relaxed, s."""

    @last.setter
    def last(self, value: float, /) -> None: ...

    @property
    def ticks(self) -> int:
        """In how many ticks."""

    @ticks.setter
    def ticks(self, value: int, /) -> None: ...

    @property
    def names(self) -> list[str]:
        """Of all of them, in the order in which they appeared."""

    @names.setter
    def names(self, value: Sequence[str], /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class MotionReport:
    """How a run went."""

    def __init__(self, succeeded: bool = ..., stopped: bool = ..., failure: str = ..., seconds: float = ..., ticks: int = ..., elastic_ticks: int = ..., failed_ticks: int = ..., tick_median: float = ..., tick_p99: float = ..., tick_max: float = ..., max_com_error: float = ..., hold_com_error: float = ..., hold_posture_error: float = ..., hold_posture_joint: str = ..., max_hold_com_error: float = ..., max_hold_posture_error: float = ..., max_tracking_error: float = ..., tracking_joint: str = ..., tracking_unit: str = ..., first_elastic: float = ..., elastic_median: float = ..., elastic_max: float = ..., misses: Sequence[str] = ..., limbs: Sequence[LimbReport] = ..., conflicts: Sequence[ConflictReport] = ..., contacts: Sequence[ContactReport] = ..., motors: Sequence[MotorReport] = ..., clearances: Sequence[ClearanceReport] = ..., watched_pairs: int = ..., transitions: Sequence[Transition] = ..., energy_before: float = ..., energy_after: float = ..., min_energy: float = ..., max_energy: float = ..., work: Work = ..., unexplained_energy: float = ..., appeared_energy: float = ..., appeared_from: float = ..., appeared_until: float = ..., energy_from_nowhere: bool = ..., warnings: Sequence[str] = ...) -> None: ...

    @property
    def succeeded(self) -> bool:
        """It ended as the motion wants it."""

    @succeeded.setter
    def succeeded(self, value: bool, /) -> None: ...

    @property
    def stopped(self) -> bool:
        """stop() ended the run."""

    @stopped.setter
    def stopped(self, value: bool, /) -> None: ...

    @property
    def failure(self) -> str:
        """Why it failed; empty if it succeeded."""

    @failure.setter
    def failure(self, value: str, /) -> None: ...

    @property
    def seconds(self) -> float:
        """Simulated time, s."""

    @seconds.setter
    def seconds(self, value: float, /) -> None: ...

    @property
    def ticks(self) -> int:
        """Of the controller."""

    @ticks.setter
    def ticks(self, value: int, /) -> None: ...

    @property
    def elastic_ticks(self) -> int:
        """In which constraints were relaxed."""

    @elastic_ticks.setter
    def elastic_ticks(self, value: int, /) -> None: ...

    @property
    def failed_ticks(self) -> int:
        """Without a solution."""

    @failed_ticks.setter
    def failed_ticks(self, value: int, /) -> None: ...

    @property
    def tick_median(self) -> float:
        """µs, dynamics included."""

    @tick_median.setter
    def tick_median(self, value: float, /) -> None: ...

    @property
    def tick_p99(self) -> float:
        """µs"""

    @tick_p99.setter
    def tick_p99(self, value: float, /) -> None: ...

    @property
    def tick_max(self) -> float:
        """µs"""

    @tick_max.setter
    def tick_max(self, value: float, /) -> None: ...

    @property
    def max_com_error(self) -> float:
        """Distance of the center of mass from its target, m."""

    @max_com_error.setter
    def max_com_error(self, value: float, /) -> None: ...

    @property
    def hold_com_error(self) -> float:
        """The same at the ends of holds, m."""

    @hold_com_error.setter
    def hold_com_error(self, value: float, /) -> None: ...

    @property
    def hold_posture_error(self) -> float:
        """Of a joint, at the ends of holds, rad, m."""

    @hold_posture_error.setter
    def hold_posture_error(self, value: float, /) -> None: ...

    @property
    def hold_posture_joint(self) -> str:
        """The joint with that error."""

    @hold_posture_joint.setter
    def hold_posture_joint(self, value: str, /) -> None: ...

    @property
    def max_hold_com_error(self) -> float:
        """
        The same all the time of holds, but for pushes and the second after them, m.
        """

    @max_hold_com_error.setter
    def max_hold_com_error(self, value: float, /) -> None: ...

    @property
    def max_hold_posture_error(self) -> float:
        """Of a joint, in the same time, rad, m."""

    @max_hold_posture_error.setter
    def max_hold_posture_error(self, value: float, /) -> None: ...

    @property
    def max_tracking_error(self) -> float:
        """
        With servos: how far a joint was from the position of its reference at most; from its velocity, where servos follow velocities alone.
        """

    @max_tracking_error.setter
    def max_tracking_error(self, value: float, /) -> None: ...

    @property
    def tracking_joint(self) -> str:
        """The joint with that error."""

    @tracking_joint.setter
    def tracking_joint(self, value: str, /) -> None: ...

    @property
    def tracking_unit(self) -> str:
        """Of that error."""

    @tracking_unit.setter
    def tracking_unit(self, value: str, /) -> None: ...

    @property
    def first_elastic(self) -> float:
        """When a tick was first elastic, s; negative: never."""

    @first_elastic.setter
    def first_elastic(self, value: float, /) -> None: ...

    @property
    def elastic_median(self) -> float:
        """Of elastic ticks, µs."""

    @elastic_median.setter
    def elastic_median(self, value: float, /) -> None: ...

    @property
    def elastic_max(self) -> float:
        """Of elastic ticks, µs."""

    @elastic_max.setter
    def elastic_max(self, value: float, /) -> None: ...

    @property
    def misses(self) -> list[str]:
        """What was not as the motion wants it, in words."""

    @misses.setter
    def misses(self, value: Sequence[str], /) -> None: ...

    @property
    def limbs(self) -> list[LimbReport]:
        """At the ends of holds."""

    @limbs.setter
    def limbs(self, value: Sequence[LimbReport], /) -> None: ...

    @property
    def conflicts(self) -> list[ConflictReport]:
        """One for each cause, in the order in which they appeared."""

    @conflicts.setter
    def conflicts(self, value: Sequence[ConflictReport], /) -> None: ...

    @property
    def contacts(self) -> list[ContactReport]:
        """A list of ContactReport."""

    @contacts.setter
    def contacts(self, value: Sequence[ContactReport], /) -> None: ...

    @property
    def motors(self) -> list[MotorReport]:
        """A list of MotorReport."""

    @motors.setter
    def motors(self, value: Sequence[MotorReport], /) -> None: ...

    @property
    def clearances(self) -> list[ClearanceReport]:
        """Those of the plan, and of other pairs of links those that came near."""

    @clearances.setter
    def clearances(self, value: Sequence[ClearanceReport], /) -> None: ...

    @property
    def watched_pairs(self) -> int:
        """Pairs of links that can meet, besides those of the plan."""

    @watched_pairs.setter
    def watched_pairs(self, value: int, /) -> None: ...

    @property
    def transitions(self) -> list[Transition]:
        """When each phase of each stage began."""

    @transitions.setter
    def transitions(self, value: Sequence[Transition], /) -> None: ...

    @property
    def energy_before(self) -> float:
        """Kinetic and potential, J."""

    @energy_before.setter
    def energy_before(self, value: float, /) -> None: ...

    @property
    def energy_after(self) -> float:
        """J"""

    @energy_after.setter
    def energy_after(self, value: float, /) -> None: ...

    @property
    def min_energy(self) -> float:
        """J"""

    @min_energy.setter
    def min_energy(self, value: float, /) -> None: ...

    @property
    def max_energy(self) -> float:
        """J"""

    @max_energy.setter
    def max_energy(self, value: float, /) -> None: ...

    @property
    def work(self) -> lissom._core.Work:
        """Of everything that acts, J."""

    @work.setter
    def work(self, value: Work, /) -> None: ...

    @property
    def unexplained_energy(self) -> float:
        """
        energy_after - energy_before - work.sum(): the error of the integrator, J.
        """

    @unexplained_energy.setter
    def unexplained_energy(self, value: float, /) -> None: ...

    @property
    def appeared_energy(self) -> float:
        """
        The largest rise, between two readings, of the unexplained energy, of the work of closed loops and of what can only take energy but gave some, J: energy from nowhere.
        """

    @appeared_energy.setter
    def appeared_energy(self, value: float, /) -> None: ...

    @property
    def appeared_from(self) -> float:
        """The time of the first of these readings, s."""

    @appeared_from.setter
    def appeared_from(self, value: float, /) -> None: ...

    @property
    def appeared_until(self) -> float:
        """The time of the second one, s."""

    @appeared_until.setter
    def appeared_until(self, value: float, /) -> None: ...

    @property
    def energy_from_nowhere(self) -> bool:
        """
        Whether more appeared than the method may leave: one of the warnings says so, and the motion is not to be trusted.
        """

    @energy_from_nowhere.setter
    def energy_from_nowhere(self, value: bool, /) -> None: ...

    @property
    def warnings(self) -> list[str]:
        """What casts doubt on the run."""

    @warnings.setter
    def warnings(self, value: Sequence[str], /) -> None: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

    @property
    def max_friction_use(self) -> float:
        """Largest |tangent| / (friction · normal) of all contacts."""

    @property
    def max_slip(self) -> float:
        """m"""

    @property
    def max_loaded_slip(self) -> float:
        """Under more than 5 % of the weight, m."""

    @property
    def max_torque_use(self) -> float:
        """|torque| / limit."""

    def __repr__(self) -> str: ...

class MotionRunner:
    """
    Executes a motion plan, tick by tick: a finite-state machine that moves the targets of a whole-body controller from one static posture to the next.
    """

    def __init__(self, robot: lissom._core.Model, plan: Any, options: WholeBodyOptions | None = None, **fields: Any) -> None: ...

    def advance(self, q: ArrayLike, v: ArrayLike) -> Tick:
        """
        Solves one tick for the sensed state. After the last stage the targets stay constant.
        """

    @property
    def phase(self) -> str: ...

    @property
    def done(self) -> bool: ...

    @property
    def failed(self) -> bool: ...

    @property
    def failure(self) -> str:
        """Stage, phase, time and reason; empty unless failed."""

    @property
    def time(self) -> float:
        """s"""

    @property
    def transitions(self) -> list[Transition]:
        """A list of Transition."""

    @property
    def controller(self) -> WholeBody:
        """The WholeBody that it drives, to which more tasks may be added."""

    @property
    def plan(self) -> MotionPlan:
        """A copy."""

    @property
    def desired_com(self) -> numpy.typing.NDArray[numpy.float64]:
        """Target of the center of mass at this tick, (3,), m."""

    @property
    def desired_q(self) -> NDArray[np.float64]:
        """Target of the posture task at this tick, (nq,)."""

    @property
    def desired_v(self) -> NDArray[np.float64]:
        """Its velocity, (nv,)."""

    @property
    def stage_index(self) -> int:
        """
        Index of the stage in the plan; the number of stages when the plan is done.
        """

    @property
    def start(self) -> NDArray[np.float64]:
        """q of the posture in which the plan begins."""

    def __repr__(self) -> str: ...

class MotionReading:
    """
    What the observer of run() is given after each tick, for the time of its call. All arrays are copies.
    """

    @property
    def time(self) -> float:
        """Of the simulated robot, s."""

    @property
    def q(self) -> NDArray[np.float64]:
        """True configuration, (nq,)."""

    @property
    def v(self) -> NDArray[np.float64]:
        """True velocity, (nv,)."""

    @property
    def tick(self) -> Tick:
        """A copy."""

    @property
    def tick_us(self) -> float:
        """Computation time of the controller for this tick, µs."""

    @property
    def stage_index(self) -> int: ...

    @property
    def phase(self) -> str: ...

    @property
    def desired_com(self) -> numpy.typing.NDArray[numpy.float64]:
        """Target of the center of mass, (3,), m."""

    @property
    def desired_q(self) -> NDArray[np.float64]:
        """(nq,)"""

    @property
    def desired_v(self) -> NDArray[np.float64]:
        """(nv,)"""

    @property
    def forces(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Of the contacts, on the simulated robot, along the world's axes, (contacts, 3), N.
        """

    @property
    def normals(self) -> NDArray[np.float64]:
        """Normal force of each contact, N."""

    @property
    def friction_use(self) -> NDArray[np.float64]:
        """Of each contact; with more than 1 it slips."""

    @property
    def slip(self) -> NDArray[np.float64]:
        """Of each contact, m."""

class Tolerances:
    """
    How far the simulated robot may be from what a motion wants, at the end of each hold and in all. Lengths are for a robot whose center of mass is 0.75 m high, and are scaled for others.
    """

    def __init__(self, limb: float = ..., limb_angle: float = ..., com: float = ..., posture: float = ..., joint_limit: float = ..., velocity: float = ...) -> None: ...

    @property
    def limb(self) -> float:
        """Of contacts and moved limbs, from their targets, m."""

    @limb.setter
    def limb(self, value: float, /) -> None: ...

    @property
    def limb_angle(self) -> float:
        """rad"""

    @limb_angle.setter
    def limb_angle(self, value: float, /) -> None: ...

    @property
    def com(self) -> float:
        """Of the center of mass, m."""

    @com.setter
    def com(self, value: float, /) -> None: ...

    @property
    def posture(self) -> float:
        """Of every joint, in stages that hold a posture, rad or m."""

    @posture.setter
    def posture(self, value: float, /) -> None: ...

    @property
    def joint_limit(self) -> float:
        """Beyond a position limit, rad or m."""

    @joint_limit.setter
    def joint_limit(self, value: float, /) -> None: ...

    @property
    def velocity(self) -> float:
        """Fraction of a velocity limit."""

    @velocity.setter
    def velocity(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def run(robot: lissom._core.Model, plan: Any, *, sensing: Literal['full', 'encoders'] = 'full', mode: Literal['torque', 'position', 'velocity'] = 'torque', tolerances: Tolerances = ..., max_duration: float = 300.0, observer: Callable[[MotionReading], Any] | None = None, simulator: Literal['contact', 'prescribed_acceleration'] = 'contact', controller: WholeBodyOptions | None = None, step: float | None = None, substeps: int = 1, scene: Any = None, pushes: Iterable[Any] = (), mass_error: float = 0.0, mass_scale: float = 1.0, ground_friction: float | None = None, delay: int = 0, position_noise: float = 0.0, velocity_noise: float = 0.0, seed: int = 0, stop: Callable[[], bool] | None = None, progress: Callable[[float, str], Any] | None = None, record: Any = None, record_frames: Sequence[str] | None = None, ros: Any = 'all') -> MotionReport:
    """
    Executes a motion on a simulated robot, from its start posture, at rest, and reports whether it succeeded and with which margins.

    plan: a MotionPlan, or the path of a motion file. sensing: what the controller knows: 'full', the whole state; 'encoders', the joints alone and a gyroscope and an accelerometer in the base, from which it estimates the rest. mode: what the joints take: torques, or positions or velocities that their servos follow (simulator 'contact'). tolerances: for success. max_duration: of simulated time, s.

    simulator: 'contact' applies the torques to a robot in a world of rigid bodies with Coulomb friction, 'prescribed_acceleration' integrates the controller's accelerations. step: length of a tick, s; None: that of the controller's options. substeps: steps of the simulator per tick. scene: a scene file whose fixed shapes stand around the robot; contacts have no more than its friction, unless ground_friction is given. pushes: (frame, force, from, until): a force, (3,), N, on the origin of the frame, along the world's axes, in that time, s.

    What the controller does not know: mass_error: masses and inertias of links are wrong by up to this fraction; mass_scale: and by this factor, all of them; ground_friction: coefficient of the ground, None: that of the contacts; delay: of torques, in ticks; position_noise, velocity_noise: standard deviations of the sensed state, rad and m, rad/s and m/s; seed: of all random numbers.

    observer(reading) is called after each tick; stop() is asked after each tick and ends the run if it returns True; progress(fraction, text) is called every 100 ms. record: a file (.mcap, .npz, .csv) for a recording of the run, with the signals of `lissom control --record`; record_frames: names of frames whose paths are recorded, too; ros: as for recording.Recorder.
    """

def predicted_failure(robot: lissom._core.Model, plan: Any) -> str:
    """
    Why the motion fails on the simulator 'prescribed_acceleration', undisturbed; empty: it succeeds. What fails there asks too much of the motors or of balance. plan: a MotionPlan, or the path of a motion file.
    """

def generated_motions() -> dict[str, str]:
    """The motions that generate_motion() makes: {name: what it does}."""

def generate_motion(robot: lissom._core.Model, feet: lissom._core.RobotContacts | Sequence[lissom._core.Contact | str], q: ArrayLike, name: str, progress: Callable[[int], Any] | None = None) -> MotionPlan:
    """
    Generates a motion for a robot that stands with all feet on the ground z = 0 in the configuration q, (nq,): 'stand', 'squat', 'sway', 'lift' (each foot in turn), 'steps'. Times follow from its size.

    feet: the RobotContacts of the robot, whose feet are taken, or a list of Contacts or of names of frames.

        robot, contacts, stance = lissom.load_standing_robot('robot.urdf')
        plan = control.generate_motion(robot, contacts, stance.q, 'lift')
        report = control.run(robot, plan)

    progress(steps) is called several times a second, with the steps of the searches for postures so far.

    Raises ImpossibleMotion, an Error, if there are no static postures for it.
    """

class MotionFinding:
    """Something about a motion that cannot work, or hardly."""

    def __init__(self, stage: str = ..., what: str = ..., wrong: bool = ..., serious: bool = ...) -> None: ...

    @property
    def stage(self) -> str: ...

    @stage.setter
    def stage(self, value: str, /) -> None: ...

    @property
    def what(self) -> str:
        """With the number that would do, where there is one."""

    @what.setter
    def what(self, value: str, /) -> None: ...

    @property
    def wrong(self) -> bool:
        """
        The plan contradicts itself: it moves a contact on which the robot stands.
        """

    @wrong.setter
    def wrong(self, value: bool, /) -> None: ...

    @property
    def serious(self) -> bool:
        """
        It cannot work; otherwise it leaves less than the margins of the plan's gains.
        """

    @serious.setter
    def serious(self, value: bool, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def check_motion(robot: lissom._core.Model, plan: Any, postures: bool = True) -> list[MotionFinding]:
    """
    What can be known about a motion before it runs: whether its contacts can carry the center of mass along its path, whether there is a static posture at the end of each stage, and whether limbs reach their targets.

    plan: a MotionPlan, or the path of a motion file. postures: whether static postures and reach are searched for, which takes some milliseconds a stage. Returns all findings, in the order of the stages; an empty list is good news. `lissom control` runs a motion if no finding is serious.
    """
