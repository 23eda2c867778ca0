"""Whole-body control: tasks and contacts on any link of a robot become torques, by one quadratic program per tick.

    controller = lissom.control.WholeBody(robot)
    com = controller.add(lissom.control.CenterOfMassTask(target=[0, 0, 0.6], weight=10))
    foot = controller.add(lissom.Contact("left_sole", friction=0.7))
    tick = controller.solve(q, v)
    if tick.status == "optimal":
        send(tick.torques)
    controller[com].target[2] -= 0.03

Any object with `size` and `evaluate(snapshot, J, Jdot_v, desired)` is a task; `CustomTask` makes one of a function.
`run` executes a motion plan on a simulated robot, a `MotionRunner` does so tick by tick.
"""
from __future__ import annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ._core.control import *  # noqa: F401,F403

if _TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from ._core import RobotSnapshot

    Rows = NDArray[np.float64]


class CustomTask:
    """A task of your own. `evaluate(snapshot, J, Jdot_v, desired)` fills in its rows at every tick: J, (size, nv), J̇ v,
    (size,), and the desired acceleration, (size,); they are zero before. The RobotSnapshot is valid during the call."""

    def __init__(self, size: int, evaluate: Callable[[RobotSnapshot, Rows, Rows, Rows], Any], weight: float = 1.0, priority: int = 0,
                 name: str = "") -> None:
        self.size, self.evaluate, self.weight, self.priority, self.name = size, evaluate, weight, priority, name

    def __repr__(self) -> str:
        return f"CustomTask(size={self.size}, weight={self.weight}, priority={self.priority}, name={self.name!r})"
