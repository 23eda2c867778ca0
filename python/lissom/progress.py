"""Who is told how much of a long call is done."""
from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

__all__ = ["progress"]


@contextlib.contextmanager
def progress(function: Callable[[int, int], Any] | None) -> Iterator[None]:
    """Calls function(done, total) several times a second in calls on many rows that take longer than a fraction of a second.

        with tqdm.tqdm() as bar, lissom.progress(lambda done, total: bar.reset(total) or bar.update(done)):
            tau = robot.inverse_dynamics(Q, V, A)

    It holds for calls of this thread inside the block: methods of Model, Variants and ClosedLoops with arrays, evaluate, step, and all that take
    `progress` and get none. done: rows, or steps, that are done. Of Model.equations, find_stance, contacts,
    load_standing_robot, control.check_motion, control.generate_motion and mesh.decompose nobody knows how long they take: they tell total = 0
    and how many steps they have made. An exception of the function ends the call. None: nobody is told.
    """
    before = _core._set_progress(function)
    try:
        yield
    finally:
        _core._set_progress(before)
