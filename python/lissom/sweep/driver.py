"""Gives the cases of a sweep to an engine in batches, and takes their outcomes; every case is taken once.

A batch whose worker died says nothing about its cases, so they run again one by one; only a case that was alone is
blamed. Short cases share a batch that takes as long as the engine wants a batch to take.
"""
import collections
import contextlib
import dataclasses
import math
import signal
import threading
import time

MAX_BATCH = 10_000
MAX_LOSSES = 20  # how often a case may be lost together with its machine


@dataclasses.dataclass
class Report:
    """What became of a batch: its outcomes (see worker.py), or why there are none."""
    batch: list
    outcomes: list = None
    crash: str = None
    blameless: bool = False  # the machine was lost, not only the worker


@dataclasses.dataclass
class FailedCase:
    """A case without a result: its index and parameters, the text of its last error, and how often it was tried."""
    index: int
    case: dict
    error: str
    attempts: int

    @property
    def summary(self) -> str:
        """The last line of the error."""
        return self.error.strip().splitlines()[-1] if self.error.strip() else ""


class InProcess:
    """Runs batches in this process when they are waited for."""
    slots, batch_seconds = 1, 0.2

    def __init__(self, function):
        self.function, self.batch = function, None

    def free(self):
        return self.batch is None

    def submit(self, batch):
        self.batch = batch

    def wait(self, seconds):
        from .worker import run_batch
        batch, self.batch = self.batch, None
        return [Report(batch, run_batch(self.function, batch))]

    def close(self, kill=False):
        pass


class Driver:
    def __init__(self, engine, cases, keys, *, checkpoint, retries, batch_size, reporter):
        self.engine, self.cases, self.keys, self.checkpoint = engine, cases, keys, checkpoint
        self.retries, self.batch_size, self.reporter = retries, batch_size, reporter
        self.outputs = [None] * len(cases)
        self.seconds = [math.nan] * len(cases)
        self.failed = {}
        self.attempts, self.losses = collections.Counter(), collections.Counter()
        self.done, self.stop = 0, False
        self.case_seconds, self.max_batch_so_far = None, 1
        for index, key in enumerate(keys):
            if checkpoint is not None and key in checkpoint.safe:
                self.outputs[index], self.seconds[index], self.attempts[index] = checkpoint.safe[key]
                self.done += 1
        self.resumed = self.done
        self.queue = collections.deque(i for i in range(len(cases)) if self.outputs[i] is None)
        self.alone = collections.deque()  # of batches whose worker died

    def run(self):
        while self.done + len(self.failed) < len(self.cases):
            while (self.queue or self.alone) and self.engine.free():
                self.engine.submit([(i, self.cases[i]) for i in self._next_batch()])
            for report in self.engine.wait(0.5):
                self._take(report)
            if self.stop:
                raise KeyboardInterrupt
            self.reporter.show(self.done + len(self.failed), len(self.failed))

    def _next_batch(self):
        if self.alone:
            return [self.alone.popleft()]
        return [self.queue.popleft() for _ in range(min(self._size(), len(self.queue)))]

    def _size(self):
        if self.batch_size:
            return self.batch_size
        if self.case_seconds is None:
            return 1
        fitting = self.engine.batch_seconds / max(self.case_seconds, 1e-7)
        fair = math.ceil(len(self.queue) / (2 * self.engine.slots))  # towards the end, so that all workers end together
        return max(1, int(min(fitting, fair, 4 * self.max_batch_so_far, MAX_BATCH)))

    def _take(self, report):
        if report.outcomes is None:
            self._take_crash(report)
            return
        spent = sum(outcome[3] for outcome in report.outcomes) / len(report.outcomes)
        self.case_seconds = spent if self.case_seconds is None else 0.5 * (self.case_seconds + spent)
        self.max_batch_so_far = max(self.max_batch_so_far, len(report.batch))
        records = [self._outcome(*outcome) for outcome in report.outcomes]
        self._write(record for record in records if record is not None)

    def _take_crash(self, report):
        indices = [index for index, _ in report.batch if self._open(index)]
        if len(report.batch) > 1:
            self.alone.extend(indices)
            return
        for index in indices:
            self.losses[index] += 1
            if report.blameless and self.losses[index] <= MAX_LOSSES:
                self.alone.append(index)
                continue
            record = self._outcome(index, None, report.crash, math.nan)
            self._write([record] if record else [])

    def _open(self, index):
        return self.outputs[index] is None and index not in self.failed

    def _outcome(self, index, outputs, error, seconds):
        """Takes the outcome of a case. Returns the record for the checkpoint; None if the case goes on, or had one already."""
        if not self._open(index):
            return None
        self.attempts[index] += 1
        attempts = self.attempts[index]
        if outputs is None and attempts <= self.retries:
            (self.queue if seconds == seconds else self.alone).append(index)  # what killed its worker stays alone
            return None
        record = {"key": self.keys[index], "case": self.cases[index], "seconds": seconds, "attempts": attempts}
        if outputs is None:
            self.failed[index] = FailedCase(index, self.cases[index], error, attempts)
            return {**record, "seconds": None if seconds != seconds else seconds, "error": error}
        self.outputs[index], self.seconds[index] = outputs, seconds
        self.done += 1
        return {**record, "outputs": outputs}

    def _write(self, records):
        if self.checkpoint is not None:
            self.checkpoint.append(records)


@contextlib.contextmanager
def signals_between_batches(driver):
    """Ctrl-C waits until outcomes have been taken, because an exception within Ray's code may become another. The second does not wait."""
    if isinstance(driver.engine, InProcess) or threading.current_thread() is not threading.main_thread():
        yield
        return
    taken = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is signal.default_int_handler]

    def give_back():
        for number in taken:
            signal.signal(number, signal.default_int_handler)

    def stop(*_):
        driver.stop = True
        give_back()
    for number in taken:
        signal.signal(number, stop)
    try:
        yield
    finally:
        give_back()


def drive(driver, checkpoint):
    """Runs a sweep to its end, and closes what it used. Ctrl-C ends it, with a message that says what is safe."""
    begin = time.monotonic()
    finished = False
    try:
        with signals_between_batches(driver):
            driver.run()
        finished = True
    except KeyboardInterrupt:
        if checkpoint is None:
            safe, where = driver.done, " were finished and are lost; a checkpoint would have kept them"
        else:
            safe, where = checkpoint.count(), f" are safe in '{checkpoint.folder}'; run the same sweep again to continue"
        raise KeyboardInterrupt(f"interrupted: {safe} of {len(driver.cases)} cases{where}") from None
    finally:
        driver.reporter.close()
        driver.engine.close(kill=not finished)
        if checkpoint is not None:
            checkpoint.close()
    return time.monotonic() - begin
