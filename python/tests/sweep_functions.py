"""Functions that the tests of sweeps run in workers. Each execution leaves a line in a log, so that it can be counted."""
import os
import pathlib
import signal
import time


def log_line(log, text):
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(descriptor, f"{text}\n".encode())  # one write: lines of several processes do not mix
    os.close(descriptor)


def log_lines(log):
    return pathlib.Path(log).read_text().split() if os.path.exists(log) else []


def add(a, b):
    return {"sum": a + b, "point": [a, b], "name": f"{a} and {b}", "equal": a == b}


def square(seed):
    return seed ** 2


def logged(seed, log, seconds=0.0):
    log_line(log, f"{seed}:{os.getpid()}")
    time.sleep(seconds)
    return {"square": seed ** 2, "pid": os.getpid()}


def fails_for_three(seed):
    if seed == 3:
        raise ValueError("three is no good")
    return {"half": seed / 2, "word": str(seed), "even": seed % 2 == 0, "row": [seed, 1.5], "count": seed}


def fails_at_first(seed, log):
    log_line(log, seed)
    if log_lines(log).count(str(seed)) < 3:
        raise OSError("not yet")
    return seed


def kills_its_worker(seed, log, victim, times):
    """Case `victim` kills its worker the first `times` times."""
    log_line(log, seed)
    if seed == victim and log_lines(log).count(str(seed)) <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"square": seed ** 2}


def ends(seed, how):
    if seed == 1 and how == "exit":
        os._exit(3)
    if seed == 1 and how == "system_exit":
        raise SystemExit(3)
    if seed == 1 and how == "memory":
        raise MemoryError
    if seed == 1 and how == "hang":
        time.sleep(600)
    return seed
