"""Many robots on a graphics card."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray


import lissom._core

class Batch:
    """
    Many robots of one model, on a graphics card or, without one, on the processor.
    """

    def __init__(self, model: lissom._core.Model, algorithms: Sequence[str], capacity: int, *, dtype: str = 'float32', place: str = 'any', device: int = 0, threads: int = 0, frames: Sequence[str] = [], cache: str = '') -> None: ...

    @property
    def where(self) -> str:
        """'device' or 'cpu'."""

    @property
    def description(self) -> str:
        """The device and its compiler, or why the processor computes."""

    @property
    def capacity(self) -> int: ...

    @property
    def arrays(self) -> dict[Any, Any]:
        """The number of elements per robot, by the name of the array."""

    @property
    def kernels(self) -> list[Any]:
        """What the compiler made of each kernel; empty on the processor."""

    def upload(self, name: str, rows: object, *, stream: int = 0) -> None:
        """Copies rows of robots, (B, elements), into an array."""

    def download(self, name: str, robots: int | None = None, *, stream: int = 0) -> object:
        """The rows of robots of an array, (B, elements), as a NumPy array."""

    def array(self, name: str) -> object:
        """
        The array where it lies, (elements, capacity), for torch.from_dlpack or cupy.from_dlpack; a NumPy array on the processor.
        """

    def swap(self, one: str, other: str) -> None:
        """Exchanges two arrays, such as q and q1 after a step."""

    def run(self, algorithm: str, robots: int | None = None, *, dt: float = 0.0, stream: int = 0, **arrays: Any) -> None:
        """
        Computes an algorithm. Keyword arguments are arrays, (elements, B), to be used in place of the batch's own of these names. On a device it returns at once.
        """

    def wait(self, stream: int = 0) -> None:
        """Waits until everything in the stream is done."""

def devices() -> list[Any]:
    """The devices of this machine."""

def why_no_device() -> str:
    """
    Why there is no device, and what to do about it; empty if there is one.
    """

def algorithms() -> dict[Any, Any]:
    """The algorithms of a Batch, and what they compute."""
