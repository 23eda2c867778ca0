"""What runs in a worker: the cases of a batch, one after the other. It is the same for all engines."""
import faulthandler
import os
import time
import traceback

import numpy as np

# The outcome of a case is a tuple: index, outputs (None if it failed), text of the error (None if it did not), seconds.


def outputs_of(returned, case):
    """The outputs that a function returned, as a dict of bool, int, float, str, None and arrays. TypeError if they are others."""
    outputs = returned if isinstance(returned, dict) else {"result": returned}
    checked = {}
    for name, value in outputs.items():
        if not isinstance(name, str):
            raise TypeError(f"the output {name!r} has no name, expected a str")
        if name in case:
            raise TypeError(f"the output '{name}' has the name of a parameter; give it another")
        checked[name] = plain_output(name, value)
    return checked


def plain_output(name, value):
    if isinstance(value, np.generic) and value.dtype.kind in "biufU":  # first, because numpy.float64 is a float, too
        return value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        array = np.asarray(None)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"the output '{name}' is of type {type(value).__name__}, expected a number, str, bool, None, or an array of numbers")
    return array.item() if array.ndim == 0 else np.ascontiguousarray(array)


def run_case(function, case):
    """Outputs, text of the error, seconds."""
    begin = time.perf_counter()
    try:
        return outputs_of(function(**case), case), None, time.perf_counter() - begin
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also MemoryError and SystemExit: they belong to the case
        frames = error.__traceback__.tb_next if error.__traceback__.tb_next else error.__traceback__
        return None, "".join(traceback.format_exception(type(error), error, frames)), time.perf_counter() - begin


def run_batch(function, batch, timeout=None):
    """Runs the (index, case) pairs, and returns their outcomes. A case that takes longer than `timeout` seconds ends the process."""
    outcomes = []
    for index, case in batch:
        if timeout:  # a thread of C, which ends the process even if the case never gives up the interpreter's lock
            faulthandler.dump_traceback_later(timeout, exit=True, file=_nowhere())
        try:
            outcomes.append((index, *run_case(function, case)))
        finally:
            if timeout:
                faulthandler.cancel_dump_traceback_later()
    return outcomes


_devnull = None


def _nowhere():
    global _devnull
    if _devnull is None:
        _devnull = open(os.devnull, "w")
    return _devnull
