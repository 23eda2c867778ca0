"""
A controller in generalized coordinates drives an engine in maximal coordinates (ODE, Bullet).
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray


import lissom
from lissom._core import Work as Work
import lissom.sim

def engines() -> list[str]:
    """The engines that lissom was built with."""

class Bridge:
    """
    A robot in another engine. Its poses and velocities are converted to q and v, and tau to forces on bodies. It belongs to one caller at a time.
    """

    def __init__(self, model: lissom.Model, engine: str, q: ArrayLike, v: ArrayLike | None = None) -> None:
        """
        Creates the mechanism in the engine ('ode', 'bullet'), in the state (q, v); v None: at rest.
        """

    def step(self, tau: ArrayLike, seconds: float) -> None:
        """Applies tau, (nv,), and takes one step of the engine."""

    @property
    def q(self) -> NDArray[np.float64]:
        """(nq,), a copy."""

    @property
    def v(self) -> NDArray[np.float64]:
        """(nv,), a copy."""

    @property
    def drift(self) -> list[tuple[str, float, float]]:
        """How far the engine violates each joint: (joint, m, rad)."""

    def __repr__(self) -> str: ...

class BridgeRun:
    """
    An engine's motion, compared with lissom's own simulation, and the energy in the engine. One of the warnings says so where energy appeared from nowhere in lissom's own simulation.
    """

    @property
    def engine(self) -> str: ...

    @property
    def step(self) -> float:
        """s"""

    @property
    def seconds(self) -> float: ...

    @property
    def max_error(self) -> float:
        """Of joints, rad or m."""

    @property
    def rms_error(self) -> float: ...

    @property
    def worst_joint(self) -> str: ...

    @property
    def drift(self) -> float:
        """Largest constraint violation of the engine's joints, m or rad."""

    @property
    def wall_time(self) -> float:
        """Of the engine's run, s."""

    @property
    def stopped(self) -> bool:
        """Before its time: `seconds` is what was simulated."""

    @property
    def energy_before(self) -> float:
        """Kinetic and potential, J."""

    @property
    def energy_after(self) -> float:
        """J"""

    @property
    def min_energy(self) -> float:
        """J"""

    @property
    def max_energy(self) -> float:
        """J"""

    @property
    def work(self) -> Work:
        """Of everything that acts, J."""

    @property
    def unexplained_energy(self) -> float:
        """
        energy_after - energy_before - work.sum(): the error of the integrator, J.
        """

    @property
    def appeared_energy(self) -> float:
        """
        The largest rise, between two readings, of the unexplained energy, of the work of closed loops and of what can only take energy but gave some, J: energy from nowhere.
        """

    @property
    def appeared_from(self) -> float:
        """The time of the first of these readings, s."""

    @property
    def appeared_until(self) -> float:
        """The time of the second one, s."""

    @property
    def energy_from_nowhere(self) -> bool:
        """
        Whether more appeared than the method may leave: one of the warnings says so, and the motion is not to be trusted.
        """

    @property
    def warnings(self) -> list[str]:
        """What casts doubt on the run."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def tracking_controller(model: lissom.Model, posture: ArrayLike, amplitude: float = 0.0, sine_frequency: float = 0.5, frequency: float = 2.0) -> lissom.sim.Controller:
    """
    Gravity compensation and PD tracking of a posture, with a sine added to every joint: amplitude in rad or m, sine_frequency in Hz. frequency: natural frequency of each joint alone, Hz.
    """

def run(model: lissom.Model, engine: str, controller: Any, q: ArrayLike, v: ArrayLike | None = None, seconds: float = 5.0, step: float = 0.001, progress: Callable[[float], Any] | None = None) -> BridgeRun:
    """
    Runs the same controller from the same state in the engine and in lissom (RK4 with a quarter of the step), and compares them after every step. progress(done) is called now and then, done is 0 … 1; False ends the run.
    """
