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

    path: a URDF file, also with xacro's macros. 'robot_descriptions:panda_description' takes the file of that name from the package
        robot_descriptions (`pip install robot_descriptions`), which fetches it from the network the first time.
    base: how roots are attached to the world: 'file' (as the file says, else fixed), 'fixed', 'free' or 'planar'.
    mimic: False: joints that mimic another one get coordinates of their own.
    axis_tolerance: a joint axis within this angle (rad) of a coordinate axis is replaced by it.
    package_paths: directories in which package://NAME/… is searched, in addition to $LISSOM_PACKAGE_PATH and $ROS_PACKAGE_PATH.
    find_meshes: whether to search for mesh files on the disk. Dynamics does not need them.
    loops_file: a JSON file with loops, couplings and springs of the robot (docs/simulation.md).
    xacro: arguments of a xacro file (docs/xacro.md), what $(arg NAME) stands for: texts; of other values, str(value) is taken, of True and
        False 'true' and 'false'.

    Raises an Error with all findings, each with file and line, if the file cannot be used; Model.diagnostics has notes and warnings.
    """
    paths = [os.fspath(folder) for folder in ([package_paths] if isinstance(package_paths, (str, os.PathLike)) else package_paths)]
    path = os.fspath(path)
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    if path.startswith(_PREFIX):
        path, found = _described(path[len(_PREFIX):])
        paths = found + paths
    return _core._load(path, base=base, mimic=mimic, axis_tolerance=axis_tolerance, package_paths=paths, find_meshes=find_meshes,
                      loops_file=os.fspath(loops_file), xacro=_arguments(xacro or {}))


def _arguments(values):
    """Arguments of xacro as texts."""
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in values.items()}


def _described(name):
    """The URDF file of a description, and the directories of its packages."""
    import importlib
    if not name.isidentifier():
        raise _core.Error(f"path is '{_PREFIX}{name}', expected the name of a description, such as '{_PREFIX}panda_description'")
    try:
        importlib.import_module("robot_descriptions")
    except ModuleNotFoundError as error:
        if error.name != "robot_descriptions":
            raise
        raise _core.Error(f"path is '{_PREFIX}{name}', but the package robot_descriptions is not installed: "
                          "pip install robot_descriptions") from None
    try:
        module = importlib.import_module("robot_descriptions." + name)
    except ModuleNotFoundError as error:
        if error.name != "robot_descriptions." + name:
            raise
        raise _core.Error(f"robot_descriptions has no '{name}'; its list is at github.com/robot-descriptions/robot_descriptions.py, "
                          "and `pip install --upgrade robot_descriptions` gets new ones") from None
    file = getattr(module, "URDF_PATH", None)
    if file is None and hasattr(module, "XACRO_PATH"):
        file = importlib.import_module("robot_descriptions._xacro").get_urdf_path(module)
    if file is None:
        file = getattr(module, "MJCF_PATH", None)
    if file is None:
        kinds = [kind for kind in ("SDF",) if hasattr(module, kind + "_PATH")]
        raise _core.Error(f"robot_descriptions.{name} has no URDF or MJCF file{', only ' + kinds[0] if kinds else ''}; "
                          "choose a description with one")
    folders = [module.REPOSITORY_PATH] if hasattr(module, "REPOSITORY_PATH") else []
    if hasattr(module, "PACKAGE_PATH"):
        folders += [module.PACKAGE_PATH, os.path.dirname(os.fspath(module.PACKAGE_PATH))]
    return os.fspath(file), [os.fspath(folder) for folder in folders]
