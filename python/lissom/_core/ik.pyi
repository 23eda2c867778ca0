"""Inverse kinematics."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray


import lissom._core

class Tolerance:
    """How closely a target has to be met."""

    def __init__(self, position: float = ..., angle: float = ...) -> None: ...

    @property
    def position(self) -> float:
        """m"""

    @position.setter
    def position(self, value: float, /) -> None: ...

    @property
    def angle(self) -> float:
        """rad"""

    @angle.setter
    def angle(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Residual:
    """
    The remaining error of a target, unweighted, over the axes that are not left free.
    """

    def __init__(self, distance: float = ..., angle: float = ...) -> None: ...

    @property
    def distance(self) -> float:
        """m"""

    @distance.setter
    def distance(self, value: float, /) -> None: ...

    @property
    def angle(self) -> float:
        """rad"""

    @angle.setter
    def angle(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Options:
    """Options of a search. Functions also take them as keyword arguments."""

    def __init__(self, tolerance: Tolerance | float = ..., starts: int = ..., iterations: int = ..., seed: int = ..., prefer: Literal['first', 'nearest', 'central'] = ..., posture: ArrayLike = ..., stop: Callable[[int], bool] | None = ...) -> None: ...

    @property
    def tolerance(self) -> Tolerance:
        """
        How closely a target has to be met: a Tolerance, or one number for meters and radians.
        """

    @tolerance.setter
    def tolerance(self, value: Tolerance | float, /) -> None: ...

    @property
    def starts(self) -> int:
        """At most; the first is the given configuration, the others are random."""

    @starts.setter
    def starts(self, value: int, /) -> None: ...

    @property
    def iterations(self) -> int:
        """Of each start, at most."""

    @iterations.setter
    def iterations(self, value: int, /) -> None: ...

    @property
    def seed(self) -> int:
        """The same seed gives the same result."""

    @seed.setter
    def seed(self, value: int, /) -> None: ...

    @property
    def prefer(self) -> str:
        """
        'first': the first solution found; 'nearest' (to posture) and 'central' (farthest from limits) try all starts.
        """

    @prefer.setter
    def prefer(self, value: Literal['first', 'nearest', 'central'], /) -> None: ...

    @property
    def posture(self) -> numpy.typing.NDArray[numpy.float64]:
        """For prefer='nearest', (nq,); empty: the given configuration."""

    @posture.setter
    def posture(self, value: ArrayLike, /) -> None: ...

    @property
    def stop(self) -> Callable[[int], bool]:
        """
        stop(starts) is asked before each further start; if it returns True, the search ends with what it has found.
        """

    @stop.setter
    def stop(self, value: Callable[[int], bool] | None, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Result:
    """The result of a search."""

    def __init__(self, status: Literal['solved', 'closest', 'stopped'] = ..., q: ArrayLike = ..., residuals: Sequence[Residual] = ..., extra_residual: float = ..., error: float = ..., iterations: int = ..., starts: int = ...) -> None: ...

    @property
    def status(self) -> str:
        """
        'solved': every target is met within its tolerance; 'closest': no start met them, q is the best minimum that was found; 'stopped': the same, before a minimum was reached.
        """

    @status.setter
    def status(self, value: Literal['solved', 'closest', 'stopped'], /) -> None: ...

    @property
    def q(self) -> numpy.typing.NDArray[numpy.float64]:
        """The configuration, (nq,), always within the joint limits."""

    @q.setter
    def q(self, value: ArrayLike, /) -> None: ...

    @property
    def residuals(self) -> list[Residual]:
        """Of each target."""

    @residuals.setter
    def residuals(self, value: Sequence[Residual], /) -> None: ...

    @property
    def extra_residual(self) -> float:
        """Norm of the residuals of the extra rows."""

    @extra_residual.setter
    def extra_residual(self, value: float, /) -> None: ...

    @property
    def error(self) -> float:
        """The minimized cost: the root of the weighted sum of squares."""

    @error.setter
    def error(self, value: float, /) -> None: ...

    @property
    def iterations(self) -> int:
        """Of all starts together."""

    @iterations.setter
    def iterations(self, value: int, /) -> None: ...

    @property
    def starts(self) -> int:
        """That were tried."""

    @starts.setter
    def starts(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Target:
    """
    One target: a frame `of`, or the center of mass, has a pose in coordinates of the frame in_. The functions of this module make the usual ones.
    """

    def __init__(self, kind: Literal['position', 'orientation', 'pose', 'look_at', 'center_of_mass'] = ..., of: str = ..., pose: ArrayLike = ..., in_: str = ..., point: ArrayLike = ..., axis: ArrayLike = ..., linear_weight: ArrayLike = ..., angular_weight: ArrayLike = ...) -> None: ...

    @property
    def kind(self) -> str: ...

    @kind.setter
    def kind(self, value: Literal['position', 'orientation', 'pose', 'look_at', 'center_of_mass'], /) -> None: ...

    @property
    def of(self) -> str:
        """Name of a frame."""

    @of.setter
    def of(self, value: str, /) -> None: ...

    @property
    def pose(self) -> object:
        """Desired, 4 × 4; its position for all kinds but 'orientation'."""

    @pose.setter
    def pose(self, value: ArrayLike, /) -> None: ...

    @property
    def point(self) -> object:
        """
        Of the frame, in its coordinates, m: is brought to the position, or looks at it.
        """

    @point.setter
    def point(self, value: ArrayLike, /) -> None: ...

    @property
    def axis(self) -> object:
        """For 'look_at': an axis of the frame that points at the position."""

    @axis.setter
    def axis(self, value: ArrayLike, /) -> None: ...

    @property
    def linear_weight(self) -> object:
        """Weights of the axes of in_; 0 leaves an axis free."""

    @linear_weight.setter
    def linear_weight(self, value: ArrayLike, /) -> None: ...

    @property
    def angular_weight(self) -> object:
        """Weights of the axes of the target pose; 0 leaves an axis free."""

    @angular_weight.setter
    def angular_weight(self, value: ArrayLike, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def position(of: str, p: ArrayLike, in_: str = '', linear_weight: float | ArrayLike = 1.0) -> Target:
    """
    The origin of the frame `of` is at p, (3,), m, in coordinates of in_ (default: the world).
    """

def orientation(of: str, R: ArrayLike, in_: str = '', angular_weight: float | ArrayLike = 1.0) -> Target:
    """The frame `of` has the orientation R, a rotation matrix, 3 × 3."""

def pose(of: str, X: ArrayLike, in_: str = '', linear_weight: float | ArrayLike = 1.0, angular_weight: float | ArrayLike = 1.0) -> Target:
    """The frame `of` has the pose X, 4 × 4."""

def point(of: str, point: ArrayLike, p: ArrayLike, in_: str = '', linear_weight: float | ArrayLike = 1.0) -> Target:
    """A point of the frame `of`, in its coordinates, is at p; both (3,), m."""

def look_at(of: str, axis: ArrayLike, p: ArrayLike, in_: str = '', angular_weight: float | ArrayLike = 1.0) -> Target:
    """An axis of the frame `of`, through its origin, points at p; both (3,)."""

def center_of_mass(p: ArrayLike, in_: str = '', linear_weight: float | ArrayLike = 1.0) -> Target:
    """
    The center of mass of the robot is at p, (3,), m; linear_weight=(1, 1, 0) leaves its height free.
    """

class ExtraRows:
    """
    Other equations that have to hold: evaluate(q) returns (residual, jacobian) of shapes (count,) and (count, nv); the residual shall be 0, its norm at most `tolerance`.
    """

    def __init__(self, count: int, evaluate: Callable[[NDArray[np.float64]], tuple[ArrayLike, ArrayLike]], tolerance: float = 1e-6) -> None: ...

    @property
    def count(self) -> int: ...

    @property
    def tolerance(self) -> float: ...

    @property
    def evaluate(self) -> object: ...

    def __repr__(self) -> str: ...

def closed_loops(robot: lissom._core.Model, tolerance: float = 1e-08) -> ExtraRows:
    """
    The closed loops of the robot as extra rows of a Solver: they stay closed in its solutions.
    """

class Solver:
    """
    Inverse kinematics of positions for one robot: finds a configuration within the joint limits that meets all targets, or the one with the smallest error. The same seed gives the same result.
    """

    def __init__(self, robot: lissom._core.Model, targets: Target | Iterable[Target], extra: ExtraRows | None = None, locked: Sequence[str] = ()) -> None:
        """The joints in `locked`, by name, keep their positions."""

    def solve(self, q0: ArrayLike | None = None, options: Options | None = None, **fields: Any) -> Result:
        """
        Searches from the configuration q0, (nq,); None: the neutral one. Joints that move no target keep their positions. Options (starts, seed, tolerance, prefer, posture, iterations, stop) are keyword arguments, or an Options.
        """

    def solve_all(self, q0: ArrayLike | None = None, options: Options | None = None, **fields: Any) -> list[Result]:
        """
        All distinct solutions that the starts find, the preferred one first; if none is found, only the closest configuration. Arguments as of solve().
        """

    def set_target_pose(self, target: int, pose: ArrayLike) -> None:
        """Changes the pose, 4 × 4, of the target with this index."""

    def set_weights(self, target: int, linear: float | ArrayLike, angular: float | ArrayLike) -> None:
        """Changes the weights of the target with this index."""

def solve(robot: lissom._core.Model, targets: Target | Iterable[Target], q0: ArrayLike | None = None, extra: ExtraRows | None = None, options: Options | None = None, **fields: Any) -> Result:
    """
    A configuration that meets all targets, by a Solver made for this call.
    """

class Pull:
    """
    Pulls a point of a robot to a place, as one would with a finger: the joints nearest to the point give way first, and those farther away only as far as these do not reach; the base moves last. Pinned frames stay where they are in the configuration that solve() is given, and in calls that go on from its result; closed loops stay closed.
    """

    def __init__(self, robot: lissom._core.Model, of: str, point: ArrayLike, pinned: Sequence[str] = ()) -> None:
        """The point, (3,) in m, in the frame `of`; pinned: names of frames."""

    def solve(self, q: ArrayLike, to: ArrayLike) -> tuple[NDArray[np.float64], float]:
        """
        The configuration near q, (nq,), within the joint limits, in which the point is at `to`, (3,) in m in the world, or as near as it can get; and the distance that is left, m.
        """

class BatchResult:
    """
    The results for many poses; their leading axes are those of the poses and of q0.
    """

    def __init__(self, q: Any = ..., status: Any = ..., solved: Any = ..., distance: Any = ..., angle: Any = ..., iterations: Any = ..., starts: Any = ...) -> None: ...

    @property
    def q(self) -> object:
        """(…, nq), within the joint limits."""

    @q.setter
    def q(self, value: Any, /) -> None: ...

    @property
    def status(self) -> object:
        """(…,), 'solved', 'closest' or 'stopped'."""

    @status.setter
    def status(self, value: Any, /) -> None: ...

    @property
    def solved(self) -> object:
        """(…,), bool."""

    @solved.setter
    def solved(self, value: Any, /) -> None: ...

    @property
    def distance(self) -> object:
        """(…,), remaining error, m."""

    @distance.setter
    def distance(self, value: Any, /) -> None: ...

    @property
    def angle(self) -> object:
        """(…,), remaining error, rad."""

    @angle.setter
    def angle(self, value: Any, /) -> None: ...

    @property
    def iterations(self) -> object:
        """(…,)"""

    @iterations.setter
    def iterations(self, value: Any, /) -> None: ...

    @property
    def starts(self) -> object:
        """(…,)"""

    @starts.setter
    def starts(self, value: Any, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

    @property
    def failures(self) -> list[tuple[int, str]]:
        """(row, why) of every pose that was not met."""

class Batch:
    """
    Inverse kinematics for many poses of one target, on several threads. The result for a pose depends on that pose alone. target: a Target, or the name of a frame, whose whole pose is then meant. threads: 0: as many as the machine has.
    """

    def __init__(self, robot: lissom._core.Model, target: Target | str, threads: int = 0) -> None: ...

    @property
    def threads(self) -> int: ...

    @property
    def lanes(self) -> int:
        """Searches that a thread runs side by side."""

    def solve(self, poses: ArrayLike, q0: ArrayLike | None = None, options: Options | None = None, progress: Callable[[int, int], Any] | None = None, **fields: Any) -> BatchResult:
        """
        Solves for each of the poses, (…, 4, 4), which replace the target's own; (…, 3) positions for targets of kind 'position', 'look_at' and 'center_of_mass', (…, 3, 3) for 'orientation'. q0: (nq,), or one for each pose, (…, nq); None: the neutral configuration. progress(done, total) is called several times a second. Options as of Solver.solve().
        """

BatchSolver: TypeAlias = Batch

class VelocityTask:
    """The desired velocity of a frame, or of the center of mass."""

    def __init__(self, of: str = ..., velocity: ArrayLike = ..., at: Any = ..., in_: str = ..., linear_weight: ArrayLike = ..., angular_weight: ArrayLike = ..., priority: int = ..., center_of_mass: bool = ...) -> None: ...

    @property
    def of(self) -> str:
        """Name of a frame."""

    @of.setter
    def of(self, value: str, /) -> None: ...

    @property
    def velocity(self) -> object:
        """
        Desired, linear and angular, (6,), m/s and rad/s, of the frame's particle that is at `at`.
        """

    @velocity.setter
    def velocity(self, value: ArrayLike, /) -> None: ...

    @property
    def at(self) -> object:
        """
        None: the frame's own origin; a frame, whose origin is meant; or (frame, position).
        """

    @at.setter
    def at(self, value: Any, /) -> None: ...

    @property
    def linear_weight(self) -> object:
        """0 leaves an axis free."""

    @linear_weight.setter
    def linear_weight(self, value: ArrayLike, /) -> None: ...

    @property
    def angular_weight(self) -> object:
        """0 leaves an axis free."""

    @angular_weight.setter
    def angular_weight(self, value: ArrayLike, /) -> None: ...

    @property
    def priority(self) -> int:
        """0 is met first, strictly."""

    @priority.setter
    def priority(self, value: int, /) -> None: ...

    @property
    def center_of_mass(self) -> bool:
        """
        The linear velocity is that of the center of mass; the angular one is ignored.
        """

    @center_of_mass.setter
    def center_of_mass(self, value: bool, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def at_origin(of: str, velocity: ArrayLike, priority: int = 0) -> VelocityTask:
    """
    The velocity, (6,), of a frame at its own origin, along the world's axes.
    """

class VelocityOptions:
    """
    Options of VelocitySolver.solve(), which also takes them as keyword arguments.
    """

    def __init__(self, damping: float = ..., joint_weights: ArrayLike = ..., desired: ArrayLike = ..., velocity_limits: bool = ..., hold: float = ...) -> None: ...

    @property
    def damping(self) -> float:
        """λ ≥ 0, against large velocities near singularities."""

    @damping.setter
    def damping(self, value: float, /) -> None: ...

    @property
    def joint_weights(self) -> numpy.typing.NDArray[numpy.float64]:
        """The cost of moving each joint, (nv,), positive; empty: all 1."""

    @joint_weights.setter
    def joint_weights(self, value: ArrayLike, /) -> None: ...

    @property
    def desired(self) -> numpy.typing.NDArray[numpy.float64]:
        """v, (nv,), followed in the null space of the tasks; empty: 0."""

    @desired.setter
    def desired(self, value: ArrayLike, /) -> None: ...

    @property
    def velocity_limits(self) -> bool:
        """Keep |v| within the model's limits."""

    @velocity_limits.setter
    def velocity_limits(self, value: bool, /) -> None: ...

    @property
    def hold(self) -> float:
        """
        Time for which v will be applied, s: no joint then passes a position limit. 0: position limits are ignored.
        """

    @hold.setter
    def hold(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class VelocityResult:
    """The result of VelocitySolver.solve()."""

    def __init__(self, v: ArrayLike = ..., residuals: Sequence[float] = ..., limited: int = ...) -> None: ...

    @property
    def v(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,)"""

    @v.setter
    def v(self, value: ArrayLike, /) -> None: ...

    @property
    def residuals(self) -> list[float]:
        """|W (J v - ẋ)| of each task."""

    @residuals.setter
    def residuals(self, value: Sequence[float], /) -> None: ...

    @property
    def limited(self) -> int:
        """Number of elements of v that were fixed at a bound."""

    @limited.setter
    def limited(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class VelocitySolver:
    """
    Inverse kinematics of velocities: v = argmin Σ |W (J v - ẋ)|² + λ² |w v|², within the limits, with strict priorities.
    """

    def __init__(self, robot: lissom._core.Model) -> None: ...

    def solve(self, q: ArrayLike, tasks: VelocityTask | Iterable[VelocityTask], options: VelocityOptions | None = None, **fields: Any) -> VelocityResult:
        """
        The v, (nv,), that comes nearest to what the tasks ask for at q, (nq,). Options (damping, joint_weights, desired, velocity_limits, hold) are keyword arguments, or a VelocityOptions.
        """
