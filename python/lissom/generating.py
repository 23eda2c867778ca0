"""Source code for one robot that depends on nothing."""
from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING

from . import _core
from .writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Literal

__all__ = ["generate"]


def generate(robot: _core.Model, algorithms: Iterable[str] = ("rnea", "crba", "aba"), lang: Literal["c++", "c", "cuda"] = "c++", *,
             out: str | os.PathLike[str], frames: Iterable[str] = (), external_forces: bool = False,
             scalar: Literal["double", "float"] = "double", name: str = "", progress: Callable[[int, int], Any] | None = None) -> list[pathlib.Path]:
    """Writes a robot's dynamics as C++, C or CUDA that depends on nothing, with a test, and returns the files; the header comes first.

    algorithms: names as `lissom generate --algorithms` takes them: 'rnea', 'crba', 'aba', 'fk', 'd_rnea', …
    out: the folder to write to; it is made if it does not exist. Files of the same name are replaced.
    frames: of placements, velocities and the Jacobian; by default the links that joints move.
    external_forces: rnea, aba and step take a force on each moving link.
    scalar: of C; C++ and CUDA are templates over it.
    name: of the namespace, or before names in C, and of the files; by default the robot's.
    progress: a function of (done, total), told how many of the algorithms are done.
    """
    if scalar not in ("double", "float"):
        raise _core.Error(f"scalar is {scalar!r}, expected 'double' or 'float'")
    if scalar == "float" and lang != "c":
        raise _core.Error(f"scalar is 'float', but functions in {lang} are templates over the scalar; leave it out")
    words = [algorithms] if isinstance(algorithms, str) else list(algorithms)
    files = _core._generated_files(robot, words, lang, list(frames), external_forces, scalar == "float", name, progress)
    folder = pathlib.Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for file, text in files:
        paths.append(folder / file)
        write_whole(paths[-1], text)
    return paths
