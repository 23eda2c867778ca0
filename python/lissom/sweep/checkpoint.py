"""A folder that keeps the results of a sweep while it runs, so that it can be continued after whatever ended it.

    study.json     what the results belong to: name and fingerprint of the function
    results.jsonl  one line for each case that was finished or has failed; it only ever grows

A line that was not written to its end is cut off when the folder is opened again, and its case runs again. If a case is
there twice, the first line counts. Lines are given to the operating system as they come, and are on the disk half a
second later: what a power failure takes away runs again, too.
"""
import base64
import functools
import hashlib
import inspect
import json
import os
import pathlib
import time

import numpy as np

from ..writing import sync, write_whole
from .cases import plain
from .errors import SweepError

try:
    import fcntl
except ImportError:  # Windows; two sweeps in one folder are not noticed there
    fcntl = None

FORMAT = 1
SYNC_SECONDS = 0.5


def identity(function):
    """Name and source of a function, by which a checkpoint recognizes it. Callable objects may have an attribute `identity`."""
    if hasattr(function, "identity"):
        return function.identity
    if isinstance(function, functools.partial):
        name, source = identity(function.func)
        try:
            return name, source + json.dumps([plain(function.args), plain(function.keywords)], sort_keys=True)
        except TypeError:
            return name, source + repr((function.args, function.keywords))
    named = function if hasattr(function, "__qualname__") else type(function)
    try:
        source = inspect.getsource(named)
    except (OSError, TypeError):  # typed at a prompt, or compiled
        source = getattr(getattr(named, "__code__", None), "co_code", b"").hex()
    return named.__qualname__, source


def encoded(value):
    if isinstance(value, np.ndarray):
        return {"array": value.dtype.str, "shape": value.shape, "data": base64.b64encode(value.tobytes()).decode()}
    return value


def decoded(value):
    if isinstance(value, dict):
        return np.frombuffer(base64.b64decode(value["data"]), value["array"]).reshape(value["shape"]).copy()
    return value


class Checkpoint:
    """Results of a sweep in a folder. `safe` has the outputs, seconds and attempts of finished cases, by key."""

    def __init__(self, folder, function, keys, name=None):
        self.folder = pathlib.Path(folder)
        what, source = (name, "") if name is not None else identity(function)
        self.study = {"format": FORMAT, "function": what, "fingerprint": hashlib.sha256(f"{what}\n{source}".encode()).hexdigest()[:32]}
        self.safe, self.damaged = {}, 0
        self._file, self._unsynced_since = None, None
        self._open_study()
        try:
            self._open_results(set(keys))
        except BaseException:
            self.close()
            raise

    def append(self, records):
        """Writes records, dicts with `key` and either `outputs` or `error`."""
        text = ""
        for record in records:
            if record.get("outputs") is not None:
                record = {**record, "outputs": {name: encoded(value) for name, value in record["outputs"].items()}}
            text += json.dumps(record, separators=(",", ":")) + "\n"
        if not text:
            return
        try:
            self._file.write(text.encode())
        except OSError as error:
            raise SweepError(f"checkpoint '{self.folder}': {error.strerror}; what is there is kept: make room, and run the sweep again") from error
        now = time.monotonic()
        self._unsynced_since = self._unsynced_since or now
        if now - self._unsynced_since > SYNC_SECONDS:
            self.sync()

    def count(self):
        """How many results the file has. It is read again, because an interrupt may come between a line and its counting."""
        with open(self.folder / "results.jsonl", "rb") as lines:
            for line in lines:
                self._read(line, ())
        return len(self.safe)

    def sync(self):
        if self._file is not None and self._unsynced_since is not None:
            os.fsync(self._file.fileno())
            self._unsynced_since = None

    def close(self):
        if self._file is not None:
            try:
                self.sync()
            finally:
                self._file.close()
                self._file = None

    def _open_study(self):
        path = self.folder / "study.json"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SweepError(f"checkpoint '{self.folder}': {error.strerror}; give a folder") from error
        if not path.exists():
            if any(self.folder.iterdir()):
                raise SweepError(f"checkpoint '{self.folder}' has files, but no study.json: it is no checkpoint; give an empty or a new folder")
            write_whole(path, json.dumps(self.study, indent=2) + "\n")
            return
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            if found["format"] != FORMAT:
                raise SweepError(f"checkpoint '{self.folder}' has format {found['format']}, expected {FORMAT}")
        except (ValueError, KeyError, TypeError) as error:
            raise SweepError(f"checkpoint '{path}' cannot be read ({error}); remove the folder, or give another") from error
        if found.get("fingerprint") == self.study["fingerprint"]:
            return
        same = found.get("function") == self.study["function"]
        raise SweepError(f"checkpoint '{self.folder}' belongs to the function '{found.get('function')}'"
                         f"{' as it was before its source changed' if same else ''}, not to '{self.study['function']}'; give another folder,"
                         " remove this one, or name the study (name=…) if the results are to be taken as the same")

    def _open_results(self, keys):
        path = self.folder / "results.jsonl"
        self._file = open(path, "ab", buffering=0)  # unbuffered: what is written survives the end of this process
        if fcntl:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise SweepError(f"checkpoint '{self.folder}' is in use by another sweep; wait for its end, or give another folder") from None
        sync(self.folder)
        whole, strange = 0, None
        with open(path, "rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                whole += len(line)
                strange = self._read(line, keys) or strange
        if strange is not None:
            raise SweepError(f"checkpoint '{self.folder}' has the case {json.dumps(strange)}, which this study has not; a study may grow, but keeps"
                             " its cases: give another folder")
        self._file.truncate(whole)

    def _read(self, line, keys):
        """Takes one line. Returns its case if the study has none like it."""
        try:
            record = json.loads(line)
            key, case = record["key"], record["case"]
            if record.get("outputs") is None:
                return None if key in keys else case
            outputs = {name: decoded(value) for name, value in record["outputs"].items()}
            self.safe.setdefault(key, (outputs, record["seconds"], record["attempts"]))
        except (ValueError, KeyError, TypeError, AttributeError):  # a damaged line; its case runs again
            self.damaged += 1
            return None
        return None if key in keys else case
