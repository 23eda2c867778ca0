"""Robots in other formats: writing them as URDF, MJCF and SDF, and comparing them."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    from typing import Literal

    Base = Literal["file", "fixed", "free", "planar"]
    Robot = _core.Description | _core.Model | str | os.PathLike[str]

__all__ = ["Comparison", "Difference", "convert", "same", "write"]


@dataclass(frozen=True)
class Difference:
    """Something that two robots do not have in common."""

    subject: str  #: "link 'foot'"
    property: str  #: "mass"
    first: str
    second: str
    difference: float  #: relative; infinite if it is not a matter of size


@dataclass(frozen=True)
class Comparison:
    """Whether two descriptions are of the same robot, and where they differ: the largest difference first."""

    same: bool
    sentence: str
    differences: list[Difference]
    notes: list[str]
    names: int
    states: int
    placement_difference: float
    mass_matrix_difference: float
    bias_difference: float

    def __bool__(self) -> bool:
        return self.same

    def __str__(self) -> str:
        return self.sentence


def _read(robot: Robot, check_meshes: bool = False) -> tuple[_core.Description, list[_core.Diagnostic]]:
    """The description of a robot, and what its reader has found."""
    if isinstance(robot, _core.Description):
        return robot, []
    if isinstance(robot, _core.Model):
        return robot.description, robot.diagnostics
    description, found = _core.read(os.fspath(robot), check_meshes=check_meshes)
    errors = [str(finding) for finding in found if finding.severity == "error"]
    if errors:
        raise _core.Error("\n".join(errors))
    return description, found


def write(robot: Robot, path: str | os.PathLike[str], base: Base = "file", meshes: Literal["keep", "copy", "hulls"] = "keep",
          extensions: bool = True, strict: bool = False) -> list[_core.Diagnostic]:
    """Writes a robot as URDF, MJCF or SDF, by the ending of the path: .urdf; .xml or .mjcf; .sdf.

    robot: a Description, a Model, or the path of a file in any format that lissom reads.
    base: how roots are attached to the world, if not as the description says.
    meshes: 'keep' refers to the files where they are, 'copy' writes them beside the robot, 'hulls' the same with convex hulls
        for collisions.
    extensions: False: nothing is written that only lissom reads.
    strict: raises an Error, and writes nothing, if something would be lost.

    Returns what the format cannot say, and what the reader of a file or of a Model has left out (it is not known of a
    Description): a warning is a loss, a note is something that is said in another way, or to lissom only.
    """
    description, found = _read(robot, check_meshes=True)
    return _core._write(description, os.fspath(path), base=base, meshes=meshes, extensions=extensions, findings=found, strict=strict)


def convert(source: str | os.PathLike[str], path: str | os.PathLike[str], base: Base = "file",
            meshes: Literal["keep", "copy", "hulls"] = "keep", extensions: bool = True,
            strict: bool = False) -> list[_core.Diagnostic]:
    """Writes the robot of one file to another file, as `write` does; it never replaces the file that it reads."""
    if os.path.exists(path) and os.path.samefile(source, path):
        raise _core.Error(f"'{os.fspath(path)}' is the robot that is read; choose another name")
    return write(source, path, base=base, meshes=meshes, extensions=extensions, strict=strict)


def same(a: Robot, b: Robot, tolerance: float = 1e-10, states: int = 20, seed: int = 1, base: Base = "file") -> Comparison:
    """Whether two robots are the same: name by name, and by placements, M and h in random states.

    a, b: Descriptions, Models, or paths of files in any format that lissom reads.
    tolerance: of differences relative to the larger value, or to the size of the robot.
    """
    (is_same, sentence, differences, *rest) = _core._compare(_read(a)[0], _read(b)[0], tolerance=tolerance, states=states,
                                                             seed=seed, base=base)
    return Comparison(is_same, sentence, [Difference(*one) for one in differences], *rest)
