"""The engine "local": worker processes of this machine.

Each worker is a process pool of its own with one process, so that a worker that dies (a crash, a signal, no memory)
takes only its own batch with it, and it is known which one that was.
"""
import concurrent.futures as futures
import functools
import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import sys
import threading
import time
from concurrent.futures.process import BrokenProcessPool

from .driver import Report
from .errors import SweepError
from .worker import run_batch


def pickled(function):
    """The function as bytes: by name if another process can import it, otherwise by value, which takes cloudpickle."""
    module = sys.modules.get(getattr(function, "__module__", None))
    at_a_prompt = getattr(module, "__name__", "") == "__main__" and not hasattr(module, "__file__")
    if not at_a_prompt:
        try:
            return pickle.dumps(function)
        except (pickle.PicklingError, AttributeError, TypeError):
            pass
    for package in ("cloudpickle", "ray.cloudpickle"):
        try:
            return __import__(package, fromlist=["dumps"]).dumps(function)
        except ImportError:
            continue
    raise SweepError(f"function {getattr(function, '__qualname__', function)!r} cannot be sent to another process: define it at the top of a module,"
                     " pip install cloudpickle, or take workers=0")


@functools.lru_cache(1)
def unpickled(text):
    return pickle.loads(text)


_function = None  # of this worker, as bytes


def _begin(function):
    """In a new worker. It has a process group of its own, so that programs it starts can be ended together with it."""
    global _function
    _function = function
    if hasattr(os, "setpgrp"):
        os.setpgrp()
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent():
    multiprocessing.connection.wait([multiprocessing.parent_process().sentinel])
    _end(0)


def _end(group_or_process):
    if hasattr(os, "killpg"):
        os.killpg(group_or_process, signal.SIGKILL)
    else:
        os._exit(1) if group_or_process == 0 else os.kill(group_or_process, signal.SIGTERM)


def _run(batch, timeout):
    return run_batch(unpickled(_function), batch, timeout)


class Worker:
    def __init__(self, context, function):
        self.pool = futures.ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=(function,))
        self.greeting = self.pool.submit(os.getpid)  # starts the process
        self.batch, self.begin, self.process = None, None, None

    def ready(self):
        """Waits for the process; False if it ended instead."""
        try:
            self.process = self.process or self.greeting.result()
        except BrokenProcessPool:
            return False
        return True

    def kill(self):
        if self.ready():
            try:
                _end(self.process)
            except (ProcessLookupError, PermissionError):
                pass  # it has ended already
        self.pool.shutdown(wait=True, cancel_futures=True)


class Local:
    batch_seconds = 0.2

    def __init__(self, function, workers, timeout):
        self.function, self.timeout, self.slots = pickled(function), timeout, workers
        self.context = multiprocessing.get_context("forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn")
        self.running = {}
        self.idle = [Worker(self.context, self.function) for _ in range(workers)]
        if not all([worker.ready() for worker in self.idle]):
            self.close()
            raise SweepError("a worker process ended when it was started; is sweep() called under `if __name__ == \"__main__\":`? "
                             "workers=0 runs the cases in this process")

    def free(self):
        return bool(self.idle)

    def submit(self, batch):
        for _ in range(4):
            worker = self.idle.pop()
            try:
                if worker.ready():
                    future = worker.pool.submit(_run, batch, self.timeout)
                    worker.batch, worker.begin = batch, time.monotonic()
                    self.running[future] = worker
                    return
            except BrokenProcessPool:  # it died while it had nothing to do
                pass
            self._replace(worker)
        raise SweepError("worker processes end as soon as they are started; is there memory left?")

    def wait(self, seconds):
        done, _ = futures.wait(self.running, timeout=seconds, return_when=futures.FIRST_COMPLETED)
        return [self._report(future, self.running.pop(future)) for future in done]

    def _report(self, future, worker):
        error = future.exception()
        if error is None:
            self.idle.append(worker)
            return Report(worker.batch, future.result())
        if isinstance(error, BrokenProcessPool):
            self._replace(worker)
            spent = time.monotonic() - worker.begin
            late = self.timeout and spent >= self.timeout
            return Report(worker.batch, crash=f"the case took longer than {self.timeout:g} s" if late else
                          f"the worker process died after {spent:.3g} s (a crash, a signal, or no memory)")
        self.idle.append(worker)  # the function or its result could not be sent
        text = f"{type(error).__name__}: {error}"
        return Report(worker.batch, crash=text)

    def _replace(self, worker):
        worker.pool.shutdown(wait=False)
        self.idle.append(Worker(self.context, self.function))

    def close(self, kill=False):
        for worker in self.idle:
            worker.kill() if kill else worker.pool.shutdown(wait=True)
        for worker in self.running.values():
            worker.kill()
        self.idle, self.running = [], {}
