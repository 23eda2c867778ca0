"""Cases of a sweep: lists of dicts, made by hand or by `grid`, `seeds` and `combine`; and a key for each of them.

A case is a dict of parameters with JSON values. Its key is a hash of its canonical JSON, so that it is the same in every
process, on every machine, and in whatever order the parameters were written.
"""
from __future__ import annotations

import hashlib
import itertools
import json
import math
import zlib
from typing import TYPE_CHECKING

import numpy as np

from .errors import SweepError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    Case = dict[str, Any]

# Name of a distribution: how many values it takes (None: any number), and a drawing from it.
DISTRIBUTIONS = {
    "uniform": (2, lambda rng, a, b: rng.uniform(a, b)),
    "log_uniform": (2, lambda rng, a, b: math.exp(rng.uniform(math.log(a), math.log(b)))),
    "normal": (2, lambda rng, mean, deviation: rng.normal(mean, deviation)),
    "integers": (2, lambda rng, first, last: int(rng.integers(first, last, endpoint=True))),
    "choice": (None, lambda rng, *values: values[int(rng.integers(len(values)))]),
}


def grid(**parameters: Iterable[Any]) -> list[Case]:
    """All combinations of the values: grid(mass=[1, 2], gain=[10, 20, 30]) has six cases, the last parameter varies fastest."""
    for name, values in parameters.items():
        if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
            raise SweepError(f"grid: {name} is {values!r}, expected a list of values")
    names, lists = list(parameters), [list(values) for values in parameters.values()]
    return [dict(zip(names, values)) for values in itertools.product(*lists)]


def seeds(count: int | Iterable[int], /, **random: Mapping[str, Sequence[Any]]) -> list[Case]:
    """Cases with `seed` 0 … count − 1 (or the seeds of a list), and with parameters that are drawn from distributions.

    seeds(1000, size={"uniform": [0, 100]}, link={"choice": ["chest", "pelvis"]}). A drawn value depends on the seed and
    on the parameter's name alone: more seeds or more parameters do not change it.
    """
    wanted = range(count) if isinstance(count, (int, np.integer)) and not isinstance(count, bool) else list(count)
    if isinstance(wanted, range) and count < 0:
        raise SweepError(f"seeds: count is {count}, expected 0 or more")
    for name, distribution in random.items():
        check_distribution(name, distribution)
    return [{"seed": int(seed), **{name: drawn(int(seed), name, how) for name, how in random.items()}} for seed in wanted]


def combine(*lists: Iterable[Case]) -> list[Case]:
    """Every case of the first list with every one of the second, and so on: combine(grid(robot=[…]), seeds(100))."""
    combined = []
    for parts in itertools.product(*map(list, lists)):
        case: Case = {}
        for part in parts:
            for name in part:
                if name in case:
                    raise SweepError(f"combine: the parameter '{name}' is in two of the lists")
            case.update(part)
        combined.append(case)
    return combined


def check_distribution(name, distribution):
    if not isinstance(distribution, dict) or len(distribution) != 1:
        raise SweepError(f'{name} is {distribution!r}, expected a distribution such as {{"uniform": [0, 1]}}')
    (kind, values), = distribution.items()
    if kind not in DISTRIBUTIONS:
        raise SweepError(f"{name}: no distribution '{kind}'{did_you_mean(kind, DISTRIBUTIONS)}")
    count = DISTRIBUTIONS[kind][0]
    if not isinstance(values, (list, tuple)) or (count and len(values) != count) or not values:
        raise SweepError(f"{name}: {kind} is {values!r}, expected a list of {count or 'one or more'} values")
    if count is None:
        return
    if not all(isinstance(v, (int, float)) and not isinstance(v, bool) and math.isfinite(v) for v in values):
        raise SweepError(f"{name}: {kind} is {values!r}, expected two finite numbers")
    if kind == "normal" and values[1] < 0:
        raise SweepError(f"{name}: the deviation of normal is {values[1]}, expected 0 or more")
    if kind != "normal" and values[0] > values[1]:
        raise SweepError(f"{name}: {kind} begins at {values[0]} and ends at {values[1]}; swap them")
    if kind == "log_uniform" and values[0] <= 0:
        raise SweepError(f"{name}: log_uniform begins at {values[0]}, expected a positive number")
    if kind == "integers" and any(v != int(v) for v in values):
        raise SweepError(f"{name}: integers is {values!r}, expected whole numbers")


def drawn(seed, name, distribution):
    (kind, values), = distribution.items()
    rng = np.random.default_rng([abs(seed), int(seed < 0), zlib.crc32(name.encode())])
    return DISTRIBUTIONS[kind][1](rng, *values)


def plain(value):
    """The value as JSON has it: numbers and arrays of numpy become plain ones. TypeError if JSON has none like it."""
    if isinstance(value, (np.generic, np.ndarray)) and value.dtype.kind in "biufU":  # first, because numpy.float64 is a float, too
        return value.tolist()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        return {name: plain(v) for name, v in value.items()}
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def key_of(case):
    """32 hexadecimal digits that belong to these parameters."""
    text = json.dumps(case, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def listed(cases):
    """The cases as a list of plain dicts, and their keys; a case that is there twice gets the keys K and K#2."""
    plain_cases, keys, seen = [], [], {}
    for index, case in enumerate(cases):
        if not isinstance(case, dict):
            raise SweepError(f"cases[{index}] is {case!r}, expected a dict of parameters")
        checked = {}
        for name, value in case.items():
            if not isinstance(name, str):
                raise SweepError(f"cases[{index}] has the parameter {name!r}, expected a name")
            try:
                checked[name] = plain(value)
            except TypeError as error:
                raise SweepError(f"cases[{index}]['{name}']: {error}; parameters are numbers, strings, bools, None, lists and dicts") from None
        key = key_of(checked)
        seen[key] = seen.get(key, 0) + 1
        plain_cases.append(checked)
        keys.append(key if seen[key] == 1 else f"{key}#{seen[key]}")
    return plain_cases, keys
