"""Study files: a sweep as JSON, for `lissom sweep`. docs/sweep.md has the schema.

Every error names the file and where in it: "study.json: grid.mass: expected a list of values".
"""
import dataclasses
import functools
import importlib
import inspect
import json
import math
import os
import pathlib
import re
import sys

from .cases import check_distribution, combine, grid, seeds
from .command import Command, placeholders
from .errors import SweepError, did_you_mean

KEYS = ("description", "function", "command", "columns", "exit_codes", "timeout", "fixed", "cases", "grid", "seeds", "random")
COMMAND_ONLY = ("columns", "exit_codes")
NAME = r"[A-Za-z_]\w*"


@dataclasses.dataclass(frozen=True)
class FileFunction:
    """A function of a Python file. It carries the source, so that workers on other machines need no file."""
    path: str
    name: str
    source: str

    @property
    def identity(self):
        return f"{os.path.basename(self.path)}:{self.name}", self.source

    @property
    def __signature__(self):
        return inspect.signature(loaded(self.path, self.source)[self.name])

    def __call__(self, **case):
        return loaded(self.path, self.source)[self.name](**case)


@functools.lru_cache(4)
def loaded(path, source):
    """The names that the file defines. What stands beside it can be imported, where it exists."""
    folder = os.path.dirname(path)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    names = {"__name__": pathlib.Path(path).stem, "__file__": path}
    exec(compile(source, path, "exec"), names)
    return names


@dataclasses.dataclass
class Study:
    path: pathlib.Path
    function: object
    cases: list
    timeout: float = None  # of a function; a command has its own


class Reader:
    """Reads one file; `wrong` raises an error about a place in it."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.folder = self.path.resolve().parent
        try:
            self.json = json.loads(self.path.read_text(encoding="utf-8"), object_pairs_hook=self._no_key_twice)
        except OSError as error:
            raise SweepError(f"{path}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise SweepError(f"{path}: is not UTF-8") from None
        except json.JSONDecodeError as error:
            raise SweepError(f"{path}:{error.lineno}:{error.colno}: {error.msg}; expected JSON") from None
        except RecursionError:
            raise SweepError(f"{path}: is nested too deeply") from None

    def _no_key_twice(self, pairs):
        result = {}
        for name, value in pairs:
            if name in result:
                raise SweepError(f"{self.path}: the key '{name}' is there twice in one object")
            result[name] = value
        return result

    def wrong(self, where, what):
        raise SweepError(f"{self.path}: {where}: {what}" if where else f"{self.path}: {what}")

    def value(self, key, types, what, default=None):
        found = self.json.get(key, default)
        if key in self.json and (not isinstance(found, types) or isinstance(found, bool)):
            self.wrong(key, f"is {shown(found)}, expected {what}")
        return found

    def study(self):
        if not isinstance(self.json, dict):
            self.wrong("", f"is {shown(self.json)}, expected an object")
        for key in self.json:
            if key not in KEYS:
                self.wrong("", f"unknown key '{key}'{did_you_mean(key, KEYS)}")
        if ("function" in self.json) == ("command" in self.json):
            self.wrong("", "expected either 'function' or 'command'")
        self.value("description", str, "a text")
        cases = self.cases()
        timeout = self.value("timeout", (int, float), "a positive number of seconds")
        if timeout is not None and not (timeout > 0 and math.isfinite(timeout)):
            self.wrong("timeout", f"is {timeout} s, expected a positive number")
        if "command" in self.json:
            return Study(self.path, self.command(cases, timeout), cases)
        for key in COMMAND_ONLY:
            if key in self.json:
                self.wrong(key, "belongs to 'command', and this study has a 'function'")
        return Study(self.path, self.function(), cases, timeout)

    def cases(self):
        lists = [self.value("cases", list, "a list of objects", [{}])]
        for index, case in enumerate(lists[0]):
            self.names(f"cases[{index}]", case)
        for key in ("fixed", "grid", "random"):
            self.names(key, self.value(key, dict, "an object", {}))
        for name, values in self.json.get("grid", {}).items():
            if not isinstance(values, list) or not values:
                self.wrong(f"grid.{name}", f"is {shown(values)}, expected a list of values")
        lists += [[self.json.get("fixed", {})], grid(**self.json.get("grid", {})), self.seeds()]
        try:
            cases = combine(*lists)
        except SweepError as error:
            self.wrong("", str(error).replace("combine: ", "").replace("of the lists", "of cases, fixed, grid, seeds and random"))
        if not cases:
            self.wrong("", "has no cases")
        return cases

    def names(self, where, found):
        if not isinstance(found, dict):
            self.wrong(where, f"is {shown(found)}, expected an object of parameters")
        for name in found:
            if not re.fullmatch(NAME, name):
                self.wrong(where, f"the parameter '{name}' is no name; expected letters, digits and _")

    def seeds(self):
        random = self.json.get("random", {})
        if "seeds" not in self.json:
            if random:
                self.wrong("random", "needs 'seeds': each seed is one drawing; add \"seeds\": 100")
            return [{}]
        count = self.value("seeds", (int, list), "how many, or a list of seeds")
        whole = all(isinstance(s, int) and not isinstance(s, bool) for s in (count if isinstance(count, list) else [count]))
        if not whole or count == [] or (isinstance(count, int) and count < 1):
            self.wrong("seeds", f"is {shown(count)}, expected a whole number, 1 or more, or a list of whole numbers")
        if "seed" in random:
            self.wrong("random.seed", "is given by 'seeds'; choose another name")
        for name, distribution in random.items():
            try:
                check_distribution(name, distribution)
            except SweepError as error:
                self.wrong(f"random.{name}", str(error).removeprefix(name).lstrip(": ").removeprefix(name + " "))
        return seeds(count, **random)

    def function(self):
        text = self.value("function", str, "'module:function' or 'file.py:function'")
        where, _, name = text.rpartition(":")
        if not where or not re.fullmatch(NAME, name):
            self.wrong("function", f"is '{text}', expected 'module:function' or 'file.py:function'")
        if where.endswith(".py"):
            return self.file_function(where, name)
        sys.path.insert(0, str(self.folder))
        try:
            found = getattr(importlib.import_module(where), name, None)
        except ImportError as error:
            self.wrong("function", f"cannot import '{where}': {error}")
        if not callable(found):
            self.wrong("function", f"no function '{name}' in the module '{where}'{did_you_mean(name, functions(vars(sys.modules[where])))}")
        return found

    def file_function(self, where, name):
        path = self.folder / where
        try:
            found = FileFunction(str(path), name, path.read_text(encoding="utf-8"))
        except OSError as error:
            self.wrong("function", f"'{path}': {error.strerror}")
        try:
            names = loaded(found.path, found.source)
        except Exception as error:
            self.wrong("function", f"'{path}' cannot be loaded: {type(error).__name__}: {error}")
        if not callable(names.get(name)):
            self.wrong("function", f"no function '{name}' in '{where}'{did_you_mean(name, functions(names))}")
        return found

    def command(self, cases, timeout):
        words = self.value("command", list, "a list of words")
        if not words or not all(isinstance(word, str) for word in words):
            self.wrong("command", f"is {shown(words)}, expected a list of words, the program first")
        columns = self.value("columns", (list, dict), "a list of keys, or an object of names and keys")
        columns = {key: key for key in columns} if isinstance(columns, list) and all(isinstance(k, str) for k in columns) else columns
        if not columns or not isinstance(columns, dict) or not all(isinstance(key, str) and key for key in columns.values()):
            self.wrong("columns", "expected which keys of the program's JSON become columns, such as [\"seconds\"] or {\"time\": \"seconds\"}")
        codes = self.value("exit_codes", list, "a list of whole numbers", [0])
        if not all(isinstance(code, int) and not isinstance(code, bool) for code in codes):
            self.wrong("exit_codes", f"is {shown(codes)}, expected a list of whole numbers")
        self.placeholders(words, cases, columns)
        return Command(tuple(words), columns, tuple(codes), timeout, str(self.folder))

    def placeholders(self, words, cases, columns):
        used, everywhere = placeholders(words), set.intersection(*(set(case) for case in cases))
        for name in used:
            if name not in everywhere:
                self.wrong("command", f"no parameter '{name}' for {{{name}}} in every case{did_you_mean(name, sorted(everywhere))}")
        for name in dict.fromkeys(name for case in cases for name in case):
            if name not in used and name != "seed":
                self.wrong("command", f"the parameter '{name}' is not used; write {{{name}}} where it belongs")
            if name in columns:
                self.wrong("columns", f"'{name}' is the name of a parameter; give the column another")


def functions(names):
    return [name for name, value in names.items() if callable(value) and not name.startswith("_")]


def shown(value):
    text = json.dumps(value)
    return text if len(text) < 60 else text[:57] + "…"


def read_study(path):
    """Reads a study file. SweepError if something in it is wrong."""
    return Reader(path).study()
