"""Loading robots from files, and from the package robot_descriptions."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Literal

__all__ = ["load"]

_PREFIX = "robot_descriptions:"


def load(path: str | os.PathLike[str], base: Literal["file", "fixed", "free", "planar"] = "file", mimic: bool = True,
         axis_tolerance: float = _core.BuildOptions().axis_tolerance, package_paths: Iterable[str | os.PathLike[str]] = (),
         find_meshes: bool = False, loops_file: str | os.PathLike[str] = "", xacro: Mapping[str, object] | None = None) -> _core.Model:
    """Loads a robot from a file: a text, a pathlib.Path, or 'robot_descriptions:NAME'.

    path: a URDF, MJCF or SDF file, also one with xacro's macros. 'robot_descriptions:panda' takes the robot of that name from the package
        robot_descriptions (`pip install robot_descriptions`), which fetches it from the network the first time: panda_description, or
        panda_mj_description where there is no other; full names choose.
    base: how roots are attached to the world: 'file' (as the file says, else fixed), 'fixed', 'free' or 'planar'.
    mimic: False: joints that mimic another one get coordinates of their own.
    axis_tolerance: a joint axis within this angle (rad) of a coordinate axis is replaced by it.
    package_paths: directories in which package://NAME/… is searched, in addition to $LISSOM_PACKAGE_PATH and $ROS_PACKAGE_PATH.
    find_meshes: whether to search for mesh files on the disk. Dynamics does not need them.
    loops_file: a JSON file with loops, couplings and springs of the robot (docs/simulation.md).
    xacro: arguments of a xacro file (docs/xacro.md), what $(arg NAME) stands for: texts; of other values, str(value) is taken, of True and
        False 'true' and 'false'. They are added to those of a description of robot_descriptions, or replace them.

    Raises an Error with all findings, each with file and line, if the file cannot be used; Model.diagnostics has notes and warnings.
    """
    if base not in ("file", "fixed", "free", "planar"):
        raise _core.Error(f"base is {base!r}, expected one of 'file', 'fixed', 'free', 'planar'")
    paths = paths_of(package_paths)
    path = os.fspath(path)
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    arguments = dict(xacro or {})
    if path.startswith(_PREFIX):
        path, found, given = _described(path[len(_PREFIX):])
        paths = found + paths
        arguments = {**given, **arguments}
    return _core._load(path, base=base, mimic=mimic, axis_tolerance=axis_tolerance, package_paths=paths, find_meshes=find_meshes,
                      loops_file=os.fspath(loops_file), xacro=_arguments(arguments))


def paths_of(folders: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Texts of a list of paths, or of a single one."""
    return [os.fspath(folder) for folder in ([folders] if isinstance(folders, (str, os.PathLike)) else folders)]


def _arguments(values):
    """Arguments of xacro as texts."""
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in values.items()}


def _described(name):
    """The file of a description, the directories of its packages, and its arguments of xacro."""
    import importlib
    if not name.isidentifier():
        raise _core.Error(f"path is '{_PREFIX}{name}', expected the name of a robot or of a description, such as '{_PREFIX}panda'")
    try:
        importlib.import_module("robot_descriptions")
    except ModuleNotFoundError as error:
        if error.name != "robot_descriptions":
            raise
        raise _core.Error(f"path is '{_PREFIX}{name}', but the package robot_descriptions is not installed: "
                          "pip install robot_descriptions") from None
    module = _description_module(name)
    folders = [module.REPOSITORY_PATH] if hasattr(module, "REPOSITORY_PATH") else []
    if hasattr(module, "PACKAGE_PATH"):
        folders += [module.PACKAGE_PATH, os.path.dirname(os.fspath(module.PACKAGE_PATH))]
    # What its xacro file finds by $(find NAME), also in other repositories. Their folders are called as the packages.
    folders += (getattr(module, "XACRO_PACKAGE_PATHS", None) or {}).values()
    folders = [os.fspath(folder) for folder in folders]
    for kind in ("URDF", "XACRO", "MJCF", "SDF"):
        file = getattr(module, kind + "_PATH", None)
        if file is not None:
            return os.fspath(file), folders, dict(getattr(module, "XACRO_ARGS", None) or {}) if kind == "XACRO" else {}
    raise _core.Error(f"{module.__name__} names no file of a robot (URDF_PATH, XACRO_PATH, MJCF_PATH or SDF_PATH); choose another description")


def _description_module(name):
    """The module of a description, by its name, or by that of its robot."""
    import importlib
    for candidate in (name, name + "_description", name + "_mj_description"):
        module = "robot_descriptions." + candidate
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
        else:
            # (A robot may be called as a module of the package that is no description: "loaders".)
            if candidate != name or name.endswith("_description") or any(hasattr(found, kind + "_PATH") for kind in ("URDF", "XACRO", "MJCF", "SDF")):
                return found
    tried = f"'{name}'" if name.endswith("_description") else f"'{name}', '{name}_description' or '{name}_mj_description'"
    raise _core.Error(f"robot_descriptions has no {tried}; its list is at github.com/robot-descriptions/robot_descriptions.py, "
                      "and `pip install --upgrade robot_descriptions` gets new ones")
