"""Simulation: systems, controllers, integrators; robots in contact.

    run = lissom.simulate(robot, controller="pd", posture=q1, seconds=2)     # as `lissom sim`

    system = sim.System(robot, controller=lambda t, q, v: -10 * v)           # or step by step
    state = sim.State(robot.neutral(), np.zeros(robot.nv))
    rk4 = sim.integrator("rk4")
    rk4.step(system, state, 1e-3)
"""
from __future__ import annotations

import warnings as _warnings
from typing import TYPE_CHECKING as _TYPE_CHECKING

import numpy as _np

from ._core import ClosedLoops as _ClosedLoops
from ._core import Error as _Error
from ._core.sim import *  # noqa: F401,F403
from ._core.sim import Controller as Controller, Push as Push, Run as Run, State as State, System as System
from ._core.sim import computed_torque as computed_torque, fitting_integrator as fitting_integrator, gravity_compensation as gravity_compensation
from ._core.sim import integrator as integrator, pd as pd, push_at as push_at, reach as reach, run as run

if _TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Literal, Protocol, Union

    from numpy.typing import ArrayLike, NDArray

    from ._core import Model, SpringDescription

    Vector = NDArray[_np.float64]

    class GivesTorques(Protocol):
        """An object whose method is called with the time and the state, and returns tau."""

        def torques(self, t: float, q: Vector, v: Vector, /) -> ArrayLike: ...

    AnyController = Union[Controller, GivesTorques, Callable[[float, Vector, Vector], ArrayLike]]
    AnyPush = Union[Push, tuple[str, ArrayLike], tuple[str, ArrayLike, float, float]]
    AnyForce = Union[SpringDescription, Callable[[float, Vector, Vector], Mapping[str, ArrayLike]]]

_NAMES = "none, pd, computed_torque or gravity"


def _start(robot: Model, q: ArrayLike | None, v: ArrayLike | None, random: int | None, state: State | None) -> State:
    """The initial state; by default neutral, at rest. Loops are closed."""
    if state is not None:
        if q is not None or v is not None or random is not None:
            raise _Error("state is given, and q, v or random as well; expected either")
        return State(state.q, state.v, state.t, state.next_step)
    if q is not None and random is not None:
        raise _Error("q and random are given, expected either")
    if random is not None:
        q = robot.random_configuration(random)
    start = robot.neutral() if q is None else robot.normalize(q)
    speed = _np.zeros(robot.nv) if v is None else v
    if robot.loops or robot.couplings:
        loops = _ClosedLoops(robot)
        try:
            start, tries = loops.assemble(start, tries=True)
        except _Error as error:
            raise _Error(f"{error}; another q or random starts elsewhere") from None
        if tries:
            _warnings.warn("the loops cannot be closed from the initial q itself (a linkage that is drawn straight has no direction in which to bend); "
                           "they were closed from a random configuration nearby. Give another q to choose the branch", RuntimeWarning, stacklevel=3)
        speed = loops.project_velocity(start, speed)
    return State(start, speed)


def _controller(robot: Model, controller: AnyController | str | None, state: State, posture: ArrayLike | None, move_seconds: float,
                stiffness: float, damping: float) -> tuple[Any, dict[str, Any] | None]:
    """The controller, and the motion that it follows as settings have it."""
    if controller in ("pd", "computed_torque"):
        goal = state.q.copy() if posture is None else robot.normalize(posture)
        motion = {"from": state.q.tolist(), "to": goal.tolist(), "start": state.t, "seconds": float(move_seconds)}
        path = reach(robot, state.q, goal, move_seconds, state.t)
        if controller == "pd":
            return pd(robot, path, stiffness, damping, gravity_compensation=True), motion
        return computed_torque(robot, path, stiffness, damping), motion
    if posture is not None:
        raise _Error("posture is given, but the controller does not follow one; expected the controller 'pd' or 'computed_torque'")
    if controller is None or controller == "none":
        return None, None
    if controller == "gravity":
        return gravity_compensation(robot), None
    if isinstance(controller, str):
        raise _Error(f"controller is '{controller}', expected {_NAMES}, a Controller, or a function of (t, q, v)")
    return controller, None


def _name(controller: AnyController | str | None) -> str:
    if controller is None or isinstance(controller, str):
        return controller or "none"
    return controller.name if isinstance(controller, Controller) else getattr(controller, "__name__", type(controller).__name__)


def _push_text(push: AnyPush) -> str | None:
    """A push as the option --push of the command writes it; None where it cannot: a torque, a point off the frame's origin, axes of another frame."""
    if isinstance(push, tuple):
        push = push_at(*push)
    if _np.any(push.torque) or _np.any(push.at) or push.in_:
        return None
    # The command knows finite numbers only; nobody simulates a billion seconds.
    begin, end = max(push.from_, -1e9), min(push.until, 1e9)
    return ",".join(repr(float(x)) for x in push.force) + f"@{push.on}@{begin!r}:{end!r}"


def simulate(robot: Model, seconds: float = 1.0, *, q: ArrayLike | None = None, v: ArrayLike | None = None, random: int | None = None,
             state: State | None = None, controller: AnyController | Literal["none", "pd", "computed_torque", "gravity"] | None = None,
             posture: ArrayLike | None = None, move_seconds: float = 0.0, stiffness: float = 100.0, damping: float = 10.0,
             pushes: Iterable[AnyPush] = (), forces: Iterable[AnyForce] = (), gravity: ArrayLike | None = None, passive_forces: bool = True,
             effort_limits: bool = True, friction_speed: float = 1e-3, step: float = 1e-3, integrator: str | None = None, attitude: str = "exponential",
             tolerance: float = 1e-6, min_step: float = 0.0, zero_order_hold: bool = False, every: int = 1, record: str | os.PathLike[str] | None = None,
             record_frames: Sequence[str] | None = None, max_size: float = 4.0, progress: Callable[[float, State], Any] | None = None,
             stop: Callable[[], bool] | None = None, ros: Any = "all") -> Run:
    """Simulates a robot without contacts, as the command `lissom sim` does; returns a Run: a recording with a report.

    The run is computed without the GIL (a controller of Python takes it for its calls), so that several runs, each with its
    own call, can go on in threads. Ctrl-C ends it.

    q, v: the initial configuration (nq,) and velocity (nv,); by default neutral (or random, with this seed), at rest. Closed
        loops are closed first. state: a State to go on from instead, such as run.state().
    controller: None; "pd" (with gravity compensation), "computed_torque", "gravity"; a Controller of lissom.sim; a function
        of (t, q, v) that returns tau (nv,), or an object with such a method torques.
    posture: where pd and computed_torque move to, within move_seconds, and stay; by default the initial configuration.
    stiffness, damping: of pd in N m/rad and N m s/rad (N/m, N s/m), of computed_torque in 1/s² and 1/s.
    pushes: Pushes, or (frame, force) or (frame, force, from, until); N, s, along the world's axes.
    forces: springs (SpringDescription), and functions of (t, q, v) that return {frame: wrench (6,)}.
    gravity: another one than the robot's, m/s².
    passive_forces, effort_limits, friction_speed: as for System.
    step: s. integrator: a name of integrators(); by default the one that fits: rk4, or implicit_joints for stiff gains and
        dampers, or dopri5 for stiff springs between points.
    attitude, min_step, zero_order_hold: as for integrator(); tolerance: relative tolerance of dopri5, the absolute one is 1e-3 of it.
    every: steps per frame. record: a file that frames are also written to, while the run goes on. record_frames: names of
        frames whose positions are recorded. ros: what an .mcap file has for Foxglove, Rerun and ROS besides, as for Recorder. max_size: GB of memory that the frames may take.
    progress: a function of (done, state), called now and then. stop: a function that is asked after each step whether to end.

    Warnings of the run (a step that is too long for the gains, energy from nowhere) are issued as RuntimeWarning, and are in
    run.report.warnings. Where the motion cannot be computed to its end, an Error is raised, which has the frames up to there
    as its attribute `run`.
    """
    if gravity is not None:
        robot = robot.with_gravity(gravity)
    x = _start(robot, q, v, random, state)
    drive, motion = _controller(robot, controller, x, posture, move_seconds, stiffness, damping)
    system = System(robot, passive_forces, effort_limits, friction_speed, drive)
    pushes, forces = tuple(pushes), tuple(forces)
    for force in (*pushes, *forces):
        system.add(force)
    options = dict(attitude=attitude, zero_order_hold=zero_order_hold, relative_tolerance=tolerance, absolute_tolerance=1e-3 * tolerance, min_step=min_step)
    method = fitting_integrator(system, x, step, **options) if integrator is None else _integrator(integrator, **options)
    settings = {"integrator": method.name, "integrator_chosen": integrator is None, "step": step, "seconds": seconds, "attitude": attitude,
                "zero_order_hold": zero_order_hold, "tolerance": tolerance, "min_step": min_step, "controller": _name(controller), "stiffness": stiffness,
                "damping": damping, "move_seconds": move_seconds, "passive_forces": passive_forces, "effort_limits": effort_limits,
                "friction_speed": friction_speed, "every": every}
    if motion is not None:
        settings["motion"] = motion
    texts = [_push_text(push) for push in pushes]
    settings["pushes"] = [text for text in texts if text is not None]
    # What `lissom sim --restart` cannot repeat.
    settings["other_forces"] = texts.count(None) + len(forces)
    result = run(system, x, method, seconds, step, every, progress, stop, record, record_frames, settings, max_size, ros)
    for text in result.report.warnings:
        _warnings.warn(text, RuntimeWarning, stacklevel=2)
    return result


_integrator = integrator
