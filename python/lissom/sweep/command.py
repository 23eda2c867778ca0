"""A program as the function of a sweep: it gets the parameters as arguments, and prints its results as JSON."""
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from .errors import did_you_mean

PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")
LAST_LINES = 5  # of its messages, in the error of a case


def placeholders(words):
    """Names in braces, such as {mass}, in the order in which they appear."""
    return list(dict.fromkeys(name for word in words for name in PLACEHOLDER.findall(word)))


def as_argument(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(map(as_argument, value))
    return value if isinstance(value, str) else json.dumps(value)


def program(name):
    """The program; for lissom the one that runs this sweep, or that stands beside this Python, before those of PATH."""
    if name != "lissom":
        return name
    beside = pathlib.Path(sys.executable).with_name("lissom")
    for path in (os.environ.get("LISSOM_COMMAND"), str(beside), shutil.which("lissom")):
        if path and os.access(path, os.X_OK):
            return path
    raise FileNotFoundError("the program 'lissom' was not found on PATH; pip install . or set LISSOM_COMMAND to it")


@dataclasses.dataclass(frozen=True)
class Command:
    """Runs a program without a shell, in the study's folder. `columns` maps names to keys of its JSON, with dots: 'contacts.0.slip'."""
    words: tuple
    columns: dict
    exit_codes: tuple = (0,)
    timeout: float = None
    folder: str = None

    @property
    def identity(self):
        return " ".join(self.words), json.dumps([self.words, self.columns, self.exit_codes])

    def __call__(self, **case):
        words = [PLACEHOLDER.sub(lambda found: as_argument(case[found[1]]), word) for word in self.words]
        folder = self.folder if self.folder and os.path.isdir(self.folder) else None
        try:
            ran = subprocess.run([program(words[0]), *words[1:]], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                 errors="replace", timeout=self.timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{words[0]} took longer than {self.timeout:g} s") from None
        if ran.returncode not in self.exit_codes:
            ended = f"exited with {ran.returncode}" if ran.returncode >= 0 else f"was ended by signal {-ran.returncode}"
            raise RuntimeError("\n".join([f"{words[0]} {ended}:", *ran.stderr.strip().splitlines()[-LAST_LINES:]]))
        try:
            printed = json.loads(ran.stdout)
        except ValueError:
            raise ValueError(f"{words[0]} printed no JSON, but {ran.stdout[:60]!r}; does it need --json?") from None
        return {name: value_at(printed, key) for name, key in self.columns.items()}


def value_at(printed, key):
    """The value at a key with dots: 'tick_us.median', 'contacts.0.slip'."""
    value = printed
    for part in key.split("."):
        if isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            raise KeyError(f"no '{part}' for the column '{key}'{did_you_mean(part, value if isinstance(value, dict) else ())}")
    return value
