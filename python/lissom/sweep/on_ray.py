"""The engine "ray": tasks on a Ray cluster, which may have one machine or thousands.

Ray sends the function once to each worker process, and a task carries a batch of cases. The number of tasks in flight is
bounded, whatever the number of cases. A task is not repeated by Ray: this side does so, because it knows which of the
cases are still open.
"""
import os
import signal
import sys
import sysconfig
import threading
import time

from .driver import Report
from .errors import needed

LOOK_SECONDS = 5  # how often the size of the cluster is asked for
MIN_BATCH_SECONDS = 0.5
TASK_SECONDS = 0.002  # that this side needs for a task, generously; see docs/sweep.md


def travels_by_value(function):
    """The module of the function, if it is no installed one, so that other machines may not have it; otherwise None."""
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    path = getattr(module, "__file__", None)
    if module is None or path is None or module.__name__ == "__main__" or module.__name__.split(".")[0] == "lissom":
        return None
    installed = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    path = os.path.realpath(path)
    return None if any(path.startswith(os.path.realpath(folder) + os.sep) for folder in installed) else module


def task_of(ray, function, timeout, options):
    def run_sweep_batch(batch):
        from lissom.sweep.worker import run_batch
        return run_batch(function, batch, timeout)

    return ray.remote(**{"max_retries": 0, "num_cpus": 1, **options})(run_sweep_batch)


def connect(ray, address, workers):
    """Connects to the cluster at the address, or starts one on this machine. Ray takes SIGTERM, and the program gets it back."""
    handler = signal.getsignal(signal.SIGTERM)
    quiet = {"log_to_driver": False, "logging_level": "error"}
    if address:
        ray.init(address=address, **quiet)
    else:
        ray.init(address="local", num_cpus=workers, include_dashboard=False, **quiet)
    if callable(handler) and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, handler)


class OnRay:
    def __init__(self, function, workers, timeout, address=None, options=None):
        self.ray = ray = needed("ray", "engine 'ray'")
        self.workers, self.ours = workers, not ray.is_initialized()
        if self.ours:
            connect(ray, address or os.environ.get("RAY_ADDRESS"), workers)
            if not (address or os.environ.get("RAY_ADDRESS")):
                self.workers = None  # the cluster has as many CPUs
        self.options = options or {}
        self.module = travels_by_value(function)
        if self.module is not None:
            ray.cloudpickle.register_pickle_by_value(self.module)
        self.task = task_of(ray, function, timeout, self.options)
        self.running, self.looked_at, self.slots = {}, None, 1
        self.free()

    @property
    def batch_seconds(self):
        """How long a task should take: longer on large clusters, so that this side can serve all of their workers."""
        return max(MIN_BATCH_SECONDS, TASK_SECONDS * self.slots)

    def free(self):
        """Whether another task may be sent: two for each CPU, so that none waits for this side; or one for each of `workers`."""
        now = time.monotonic()
        if self.looked_at is None or now - self.looked_at > LOOK_SECONDS:
            self.looked_at = now
            cpus = self.ray.cluster_resources().get("CPU", 1) / (self.options.get("num_cpus") or 1)
            self.slots = self.workers or max(2, int(2 * cpus))
        return len(self.running) < self.slots

    def submit(self, batch):
        self.running[self.task.remote(batch)] = batch

    def wait(self, seconds):
        tasks = list(self.running)
        done, _ = self.ray.wait(tasks, num_returns=1, timeout=seconds, fetch_local=True)
        if done:  # and whatever else has ended by now
            done, _ = self.ray.wait(tasks, num_returns=len(tasks), timeout=0, fetch_local=True)
        return [self._report(task, self.running.pop(task)) for task in done]

    def _report(self, task, batch):
        errors = self.ray.exceptions
        try:
            return Report(batch, self.ray.get(task))
        except (errors.NodeDiedError, errors.ObjectLostError) as error:
            return Report(batch, crash=first_line(error), blameless=True)
        except errors.RayError as error:
            return Report(batch, crash=first_line(error))

    def close(self, kill=False):
        if self.module is not None:
            self.ray.cloudpickle.unregister_pickle_by_value(self.module)
        for task in self.running:
            self.ray.cancel(task, force=True)
        self.running = {}
        if self.ours:
            self.ray.shutdown()


def first_line(error):
    lines = [line for line in str(error).splitlines() if line.strip()] or [""]
    return f"{type(error).__name__}: {lines[-1] if 'Error' in lines[-1] else lines[0]}"
