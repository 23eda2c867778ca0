"""Sweeps: a function for many cases (robots, seeds, parameters), on the processors of this machine or on a Ray cluster.

    from lissom.sweep import combine, grid, seeds, sweep

    result = sweep(fall, combine(grid(robot=["a.urdf", "b.urdf"]), seeds(1000)), engine="ray", checkpoint="fall")
    result.table["height"], result.failed
    result.save("fall.parquet")

`lissom.sweep` is this module, and it can be called: `lissom.sweep(fall, cases)` is `lissom.sweep.sweep(fall, cases)`.
docs/sweep.md has the whole story; `python -m lissom.sweep --help` is the command.
"""
from __future__ import annotations

import inspect
import os
import sys
import types
from typing import TYPE_CHECKING

from . import progress as _progress
from .cases import combine, grid, listed, seeds
from .checkpoint import Checkpoint
from .driver import Driver, FailedCase, InProcess, drive
from .errors import SweepError, did_you_mean
from .table import SweepResult, columns, load_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Literal

__all__ = ["FailedCase", "SweepError", "SweepResult", "combine", "grid", "load_table", "seeds", "sweep"]

ENGINES = ("local", "ray")


def sweep(function: Callable[..., Any], cases: Iterable[dict[str, Any]], *, engine: Literal["local", "ray"] = "local", workers: int | None = None,
          checkpoint: str | os.PathLike[str] | None = None, retries: int = 2, batch_size: int | None = None,
          progress: bool | Callable[[int, int], Any] | None = None, timeout: float | None = None, name: str | None = None,
          address: str | None = None, ray_options: Mapping[str, Any] | None = None) -> SweepResult:
    """Calls function(**case) for every case, and returns a SweepResult: a table with one row for each case, in their order.

    function     returns a dict of numbers, strings, bools and small arrays; or one of them, which becomes the column `result`
    cases        dicts of parameters; see grid, seeds and combine
    engine       "local": processes of this machine; "ray": tasks on a Ray cluster (address, or RAY_ADDRESS, or one that is
                 started on this machine)
    workers      how many cases run at once (default: all processors); 0: in this process, one after the other
    checkpoint   folder that keeps results while they come; the same call continues after whatever ended the first one
    retries      how often a case that fails is tried again; what fails still is in SweepResult.failed, not an exception
    batch_size   cases per task (default: as many as take a fifth to half a second)
    progress     True, False, a function (done, total), or None: a line on standard error if that is a terminal
    timeout      seconds after which a case is given up, and its worker ended
    name         name of the study, by which a checkpoint recognizes it instead of by the function's name and source
    ray_options  options of Ray for each task, such as {"num_gpus": 1}

    Every case runs at least once, and is in the table exactly once. SweepError: an argument is wrong, or the checkpoint
    belongs to another study. KeyboardInterrupt (Ctrl-C) says how many cases are safe.
    """
    cases, keys = listed(cases)
    _check(function, cases, engine, workers, retries, batch_size, timeout)
    kept = Checkpoint(checkpoint, function, keys, name) if checkpoint is not None else None
    try:
        missing = len(keys) if kept is None else sum(key not in kept.safe for key in keys)
        runner = _engine(engine, function, workers, timeout, address, ray_options, missing)
    except BaseException:
        if kept is not None:
            kept.close()
        raise
    already = len(keys) - missing
    driver = Driver(runner, cases, keys, checkpoint=kept, retries=retries, batch_size=batch_size,
                    reporter=_progress.reporter(progress, len(cases), already))
    seconds = drive(driver, kept)
    failed = [driver.failed[index] for index in sorted(driver.failed)]
    return SweepResult(columns(cases, driver.outputs), failed, len(cases), driver.resumed, seconds, driver.seconds)


def _engine(engine, function, workers, timeout, address, ray_options, missing):
    if workers == 0 or missing == 0:  # where all is in the checkpoint, nothing is started
        return InProcess(function)
    if engine == "ray":
        from .on_ray import OnRay
        return OnRay(function, workers, timeout, address, ray_options)
    from .local import Local
    return Local(function, min(workers or _processors(), missing), timeout)


def _processors():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check(function, cases, engine, workers, retries, batch_size, timeout):
    if not callable(function):
        raise SweepError(f"function is {function!r}, expected something that can be called")
    if engine not in ENGINES:
        raise SweepError(f"engine is {engine!r}{did_you_mean(engine, ENGINES)}")
    for what, value, least in (("workers", workers, 0), ("retries", retries, 0), ("batch_size", batch_size, 1)):
        if not (value is None and what != "retries") and (not isinstance(value, int) or isinstance(value, bool) or value < least):
            raise SweepError(f"{what} is {value!r}, expected a whole number, {least} or more")
    if timeout is not None and not timeout > 0:
        raise SweepError(f"timeout is {timeout} s, expected a positive number")
    if timeout is not None and workers == 0:
        raise SweepError("timeout ends the worker process of a case, and with workers=0 there is none; take workers=1")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # compiled functions may have none
        return
    seen = set()
    for index, case in enumerate(cases):
        if frozenset(case) not in seen:
            seen.add(frozenset(case))
            try:
                signature.bind(**case)
            except TypeError as error:
                raise SweepError(f"function does not take the parameters of cases[{index}] ({', '.join(case) or 'none'}): {error}") from None


class _CallableModule(types.ModuleType):
    """The import system sets lissom.sweep to this module, whatever stood there before; so the module itself can be called."""

    def __call__(self, function: Callable[..., Any], cases: Iterable[dict[str, Any]], **options: Any) -> SweepResult:
        return sweep(function, cases, **options)


sys.modules[__name__].__class__ = _CallableModule
