"""How far a sweep is, on standard error."""
import sys
import time


def duration(seconds):
    """'42 s', '3 min 20 s', '5 h 10 min'"""
    seconds = int(round(seconds))
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60} min"


class Line:
    """One line that is written over on a terminal, and a line every ten seconds elsewhere."""

    def __init__(self, total, already, stream=None):
        self.total, self.already = total, already
        self.stream = stream or sys.stderr
        self.terminal = self.stream.isatty()
        self.begin = self.shown_at = time.monotonic()
        self.width = 0

    def show(self, done, failed):
        now = time.monotonic()
        if now - self.shown_at >= (0.2 if self.terminal else 10):
            self.shown_at = now
            self._write(self.text(done, failed, now - self.begin), "\r" if self.terminal else "\n")

    def text(self, done, failed, seconds):
        share = done / self.total if self.total else 1
        bar = "#" * int(20 * share)
        rate = (done - self.already) / seconds if seconds > 0 else 0
        left = f"{duration((self.total - done) / rate)} left" if rate > 0 else "unknown time left"
        failures = f", {failed} failed" if failed else ""
        return f"[{bar:.<20}] {100 * share:3.0f} %  {done} of {self.total} cases, {rate:.3g} per s, {left}{failures}"

    def close(self):
        if self.terminal and self.width:
            self._write("", "\r")

    def _write(self, text, end):
        self.stream.write(("\r" if self.terminal else "") + text + " " * max(0, self.width - len(text)) * self.terminal + end)
        self.stream.flush()
        self.width = len(text)


class Silence:
    def show(self, done, failed):
        pass

    def close(self):
        pass


class Callback(Silence):
    def __init__(self, function, total):
        self.function, self.total, self.last = function, total, None

    def show(self, done, failed):
        if done != self.last:
            self.last = done
            self.function(done, self.total)


def reporter(progress, total, already):
    """`progress` is True, False, a function (done, total), or None: on a terminal only."""
    if callable(progress):
        return Callback(progress, total)
    if progress is None:
        progress = sys.stderr is not None and sys.stderr.isatty()
    return Line(total, already) if progress else Silence()
