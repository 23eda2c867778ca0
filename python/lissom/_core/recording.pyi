"""Recordings of motions: writing, reading, comparing."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray


import lissom
import lissom._core
import lissom.sim

class Column:
    """
    Name and unit of one element of a signal; the unit of a dimensionless one is '1'.
    """

    def __init__(self, name: str = ..., unit: str = ...) -> None: ...

    @property
    def name(self) -> str:
        """Of the element."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def unit(self) -> str:
        """'rad', 'N·m', '1'."""

    @unit.setter
    def unit(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

class Signal:
    """Values that are recorded together."""

    def __init__(self, name: str, columns: Mapping[str, str] | Sequence[Any]) -> None:
        """columns: {column: unit}, or names, whose units are then '1'."""

    @property
    def name(self) -> str:
        """Of the signal."""

    @property
    def columns(self) -> list[Column]:
        """One for each element."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

class Header:
    """
    Everything that is needed to build the same model again and to interpret the values. describe() makes it.
    """

    @property
    def model(self) -> str:
        """Its name."""

    @property
    def robot_file(self) -> str:
        """Path of the robot file."""

    @property
    def robot_text(self) -> str:
        """Its text; empty if it would give another robot than was recorded."""

    @property
    def robot_description(self) -> str:
        """The robot as JSON, if the text alone does not give it."""

    @property
    def base(self) -> Literal['file', 'fixed', 'free', 'planar']:
        """As for load()."""

    @property
    def mimic(self) -> bool:
        """Whether joints that mimic others follow them."""

    @property
    def axis_tolerance(self) -> float:
        """rad"""

    @property
    def gravity(self) -> list[float]:
        """m/s²"""

    @property
    def q(self) -> list[Column]:
        """Names and units of the elements of q."""

    @property
    def v(self) -> list[Column]:
        """Names and units of the elements of v."""

    @property
    def settings(self) -> str:
        """A JSON object, as text."""

    @property
    def lissom_version(self) -> str:
        """Of the lissom that recorded it."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

    def __eq__(self, arg: object, /) -> bool: ...

def describe(robot: lissom.Model, settings: Mapping[str, Any] | str | None = None) -> Header:
    """
    The header for a robot; it contains the robot, so that a recording is self-contained: the text of its file, or its whole description.
    """

def rebuild(header: Header) -> lissom._core.Model:
    """The robot that was recorded."""

def configuration_columns(robot: lissom._core.Model) -> list[Column]:
    """Names and units of the elements of q: 'left_knee', 'base.x', …"""

def velocity_columns(robot: lissom._core.Model) -> list[Column]:
    """Names and units of the elements of v."""

class Recording:
    """
    All frames of a motion: its robot, its settings, and signals such as q and v.

        run['q']                # (frames, nq)
        run['q', 'left_knee']   # (frames,)
        run.times, run.signals, run.units('q')
    """

    def __init__(self, robot: Any, times: ArrayLike, values: Mapping[str, ArrayLike], columns: Mapping[str, Any] | None = None, settings: Mapping[str, Any] | str | None = None) -> None:
        """
        A recording of arrays. values: {signal: (frames, columns)}; columns: {signal: {column: unit}}, not needed for q, v, a and tau.
        """

    @property
    def times(self) -> NDArray[np.float64]:
        """
        Of the frames, (frames,), s; never decreasing. Read-only, without a copy.
        """

    def __getitem__(self, key: str | tuple[str, str]) -> NDArray[np.float64]:
        """
        run['q']: a signal, (frames, columns); run['q', 'left_knee'] or run['q.left_knee']: one column, (frames,); run['time']. Read-only, without a copy.
        """

    def __len__(self) -> int:
        """Number of frames."""

    def __contains__(self, signal: str) -> bool: ...

    __iter__: None = None

    @property
    def signals(self) -> list[str]:
        """Names of the signals, in their order."""

    def columns(self, signal: str) -> list[str]:
        """Names of the columns of a signal."""

    def units(self, signal: str) -> list[str]:
        """Units of the columns of a signal."""

    def to_dict(self) -> dict[str, NDArray[np.float64]]:
        """
        All signals by name, and 'time', without a copy: numpy.savez(path, **run.to_dict()).
        """

    def to_pandas(self, signals: Sequence[str] | None = None) -> Any:
        """
        A DataFrame with the columns 'q.left_knee', …, and the times as its index; of some signals, or of all. Needs pandas.
        """

    @property
    def header(self) -> Header:
        """The robot, names and units of q and v, settings."""

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the run, a copy."""

    @property
    def warnings(self) -> list[str]:
        """Of the reader: where a file is truncated."""

    def save(self, path: Any) -> None:
        """Writes it to a file: .mcap, .npz or .csv. Replaces an existing one."""

    def rebuild(self) -> lissom._core.Model:
        """The robot that was recorded, from the text of its file."""

    def state(self, frame: int = -1) -> lissom.sim.State:
        """
        The state in a frame, to go on from: lissom.simulate(robot, state=run.state()).
        """

    def view(self, *, rate: float = 120, bind: str = '127.0.0.1', port: int = 8420, browser: bool | None = None, package_paths: Any = ()) -> lissom.View:
        """
        Shows it on a page in the browser, or in a cell of a notebook: lissom.view(run, …).
        """

    def __repr__(self) -> str: ...

    def __copy__(self) -> object: ...

    def __deepcopy__(self, memo: object) -> object:
        """Recordings do not change: their copies are themselves."""

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Recorder:
    """
    Writes a recording frame by frame; the extension of the path chooses the format (.mcap, .npz, .csv).

        with recording.Recorder('run.mcap', robot, {'q': None, 'v': None, 'energy': {'total': 'J'}}) as r:
            r.write(t, {'q': q, 'v': v, 'energy': e})
    """

    def __init__(self, path: Any, robot: Any, signals: Mapping[str, Any] | Sequence[Any], settings: Mapping[str, Any] | str | None = None, chunk_bytes: int = 1048576, flush_seconds: float = 1.0, sync: bool = False, ros: Literal['all', 'none'] | Sequence[Literal['description', 'joint_states', 'tf', 'meshes']] | None = None, packages: Sequence[str] = ()) -> None:
        """
        robot: a Model or a Header. signals: {name: columns}, where columns is {column: unit}, a list of names, a unit (of a single column), or None for q, v, a, tau, desired_q and desired_v, whose columns are the robot's; or a list of such names. ros: what an .mcap file has for Foxglove, Rerun and ROS besides: 'all', or some of 'description' (/robot_description), 'joint_states' (/joint_states), 'tf' (/tf), 'meshes' (attachments); a signal q must be recorded. packages: folders in which meshes are searched. What is missing is told by a RuntimeWarning.
        """

    def write(self, time: float, values: Mapping[str, ArrayLike] | Sequence[ArrayLike]) -> None:
        """
        Records one frame: {signal: values}, or the rows in the order of the signals. The time, in s, must not decrease.
        """

    def flush(self) -> None:
        """
        Writes all frames so far to the file: they survive the end of this process, whatever ends it.
        """

    def close(self) -> None:
        """
        Writes the remaining frames and the index, and waits until the file is on the disk.
        """

    @property
    def frames(self) -> int:
        """Number of frames so far."""

    @property
    def safe_frames(self) -> int:
        """Number of frames that have been flushed."""

    @property
    def signals(self) -> list[str]:
        """Names of the signals."""

    def __enter__(self) -> Recorder: ...

    def __exit__(self, type: Any = None, value: Any = None, traceback: Any = None) -> None: ...

def estimated_bytes(path: Any, signals: Mapping[str, Any] | Sequence[Signal], frames: float) -> float:
    """
    The space on the disk that a Recorder needs for this many frames, in bytes.
    """

class Deviation:
    """A difference between two recordings, and where it was found."""

    @property
    def time(self) -> float:
        """s"""

    @property
    def column(self) -> str:
        """Its name."""

    @property
    def unit(self) -> str:
        """Of the difference."""

    @property
    def difference(self) -> float:
        """Infinite if one value is finite and the other is not."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class SignalComparison:
    """By how much a signal differs."""

    @property
    def signal(self) -> str:
        """Its name."""

    @property
    def columns(self) -> int:
        """Number of columns that both have."""

    @property
    def complaints(self) -> list[str]:
        """Columns that only one has, and units that differ."""

    @property
    def max_deviation(self) -> Deviation:
        """The largest difference."""

    @property
    def rms(self) -> float:
        """Root mean square over all values that both have."""

    @property
    def first_deviation(self) -> Deviation | None:
        """The first difference above the tolerance; None if there is none."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Comparison:
    """
    By how much two recordings differ, at which time, in which column. True if they are alike.
    """

    @property
    def frames(self) -> int:
        """Number of frames whose times both have."""

    @property
    def only_first(self) -> int:
        """Number of frames whose times only the first one has."""

    @property
    def only_second(self) -> int:
        """Number of frames whose times only the second one has."""

    @property
    def signals(self) -> list[SignalComparison]:
        """A list of SignalComparison."""

    @property
    def complaints(self) -> list[str]:
        """Signals and times that only one has."""

    @property
    def settings(self) -> list[str]:
        """Differences of the headers; they do not affect `alike`."""

    @property
    def alike(self) -> bool:
        """
        Same signals, columns and times, and no difference above the tolerance.
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

    def __bool__(self) -> bool: ...

def compare(first: Any, second: Any, tolerance: float = 1e-09, time_tolerance: float = 1e-09, signals: Sequence[str] = ()) -> Comparison:
    """
    Compares two recordings, or files with recordings, at the times that both have. tolerance: the largest difference of values that count as equal, in their units; time_tolerance: frames whose times differ by no more are compared, s; signals: those to compare, all if empty. A quaternion equals its negative, and NaN equals NaN.
    """

def read_recording(path: Any) -> Recording:
    """
    The recording in a file (.mcap, .npz, .csv), bit for bit. A truncated file is read as far as it is complete; warnings says how far that is.
    """
