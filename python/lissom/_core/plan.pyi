"""
Plans of contacts: which limb touches where and when, with static postures.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray


import lissom._core
from lissom._core import (
    StanceObstacle as StanceObstacle,
    StancePolygon as StancePolygon
)

class Surface:
    """A flat face on which limbs may be placed."""

    def __init__(self, name: str = ..., polygon: StancePolygon = ..., obstacle: int = ..., friction: float = ...) -> None: ...

    @property
    def name(self) -> str:
        """'step1/top'"""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def polygon(self) -> lissom._core.StancePolygon: ...

    @polygon.setter
    def polygon(self, value: StancePolygon, /) -> None: ...

    @property
    def obstacle(self) -> int:
        """Index of the solid that it is a face of; -1: none."""

    @obstacle.setter
    def obstacle(self, value: int, /) -> None: ...

    @property
    def friction(self) -> float: ...

    @friction.setter
    def friction(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Environment:
    """
    The surroundings of a robot: faces to touch, and solids to keep away from.
    """

    def __init__(self, surfaces: Sequence[Surface] = ..., obstacles: Sequence[StanceObstacle] = ...) -> None: ...

    @property
    def surfaces(self) -> object: ...

    @surfaces.setter
    def surfaces(self, value: Sequence[Surface], /) -> None: ...

    @property
    def obstacles(self) -> object: ...

    @obstacles.setter
    def obstacles(self, value: Sequence[StanceObstacle], /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def environment_of(scene: Any) -> Environment:
    """
    The faces of the fixed boxes of a scene file, of its planes and of the ground; all fixed shapes are obstacles. Faces that look downward are left out.
    """

class Limb:
    """A part of the robot that may touch."""

    def __init__(self, frame: str = ..., foot: bool = ..., kind: Literal['point', 'surface', 'fixed', 'sliding'] = ..., points: ArrayLike = ..., friction: float = ..., radius: float = ...) -> None: ...

    @property
    def frame(self) -> str: ...

    @frame.setter
    def frame(self, value: str, /) -> None: ...

    @property
    def foot(self) -> bool:
        """
        It stands on level faces only, and is moved along with the robot; False: a hand.
        """

    @foot.setter
    def foot(self, value: bool, /) -> None: ...

    @property
    def kind(self) -> str: ...

    @kind.setter
    def kind(self, value: Literal['point', 'surface', 'fixed', 'sliding'], /) -> None: ...

    @property
    def points(self) -> object:
        """As in Contact, (n, 3), m; empty: those of the collision boxes."""

    @points.setter
    def points(self, value: ArrayLike, /) -> None: ...

    @property
    def friction(self) -> float: ...

    @friction.setter
    def friction(self, value: float, /) -> None: ...

    @property
    def radius(self) -> float:
        """The frame is the center of a ball of this radius, which touches, m."""

    @radius.setter
    def radius(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Goal:
    """
    Where the robot shall be. At least one of base, contacts and posture is given.
    """

    def __init__(self, base: ArrayLike | None = ..., heading: float | None = ..., tolerance: float = ..., contacts: Sequence[str] = ..., places: Mapping[str, ArrayLike] = ..., posture: ArrayLike | None = ...) -> None: ...

    @property
    def base(self) -> object:
        """
        Horizontal place, (3,), m; the feet then stand there as they did at first.
        """

    @base.setter
    def base(self, value: ArrayLike | None, /) -> None: ...

    @property
    def heading(self) -> object:
        """rad; None: any."""

    @heading.setter
    def heading(self, value: float | None, /) -> None: ...

    @property
    def tolerance(self) -> float:
        """Of each foot's place, m."""

    @tolerance.setter
    def tolerance(self, value: float, /) -> None: ...

    @property
    def contacts(self) -> object:
        """
        The limbs that touch in the end, and no others; empty: with a posture alone, those that lie on faces in it; otherwise the feet.
        """

    @contacts.setter
    def contacts(self, value: Sequence[str], /) -> None: ...

    @property
    def places(self) -> dict[str, numpy.typing.NDArray[numpy.float64]]:
        """
        Where they touch, {limb: pose}, 4 × 4; those without an entry may touch anywhere.
        """

    @places.setter
    def places(self, value: Mapping[str, ArrayLike], /) -> None: ...

    @property
    def posture(self) -> object:
        """In the end, as nearly as it is in balance, (nq,)."""

    @posture.setter
    def posture(self, value: ArrayLike | None, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class PlanProblem:
    """What is to be planned."""

    def __init__(self, limbs: Sequence[Limb] = ..., environment: Environment = ..., start: ArrayLike = ..., standing: Sequence[str] = ..., goal: Goal = ..., seconds: float = ..., threads: int = ..., seed: int = ..., max_stances: int = ..., torque_fraction: float = ..., friction_fraction: float = ..., support_fraction: float = ..., joint_margin: float = ..., com_margin: float = ..., clearance: float = ..., body_clearance: float = ..., support: int = ..., edge_margin: float = ..., lift: float = ...) -> None: ...

    @property
    def limbs(self) -> object:
        """That may touch."""

    @limbs.setter
    def limbs(self, value: Sequence[Limb], /) -> None: ...

    @property
    def environment(self) -> Environment: ...

    @environment.setter
    def environment(self, value: Environment, /) -> None: ...

    @property
    def start(self) -> object:
        """The first posture, on the surfaces, (nq,)."""

    @start.setter
    def start(self, value: ArrayLike, /) -> None: ...

    @property
    def standing(self) -> object:
        """Limbs that touch in it."""

    @standing.setter
    def standing(self, value: Sequence[str], /) -> None: ...

    @property
    def goal(self) -> Goal: ...

    @goal.setter
    def goal(self, value: Goal, /) -> None: ...

    @property
    def seconds(self) -> float:
        """For the search, at most."""

    @seconds.setter
    def seconds(self, value: float, /) -> None: ...

    @property
    def threads(self) -> int:
        """0: as many as the machine has; the plan is the same for any number."""

    @threads.setter
    def threads(self, value: int, /) -> None: ...

    @property
    def seed(self) -> int:
        """Other seeds scatter the places that are tried."""

    @seed.setter
    def seed(self, value: int, /) -> None: ...

    @property
    def max_stances(self) -> int:
        """At most so many postures are tried."""

    @max_stances.setter
    def max_stances(self, value: int, /) -> None: ...

    @property
    def torque_fraction(self) -> float:
        """Of the effort limits that postures may use."""

    @torque_fraction.setter
    def torque_fraction(self, value: float, /) -> None: ...

    @property
    def friction_fraction(self) -> float:
        """Of the friction that postures may use."""

    @friction_fraction.setter
    def friction_fraction(self, value: float, /) -> None: ...

    @property
    def support_fraction(self) -> float:
        """Of the faces that postures may use."""

    @support_fraction.setter
    def support_fraction(self, value: float, /) -> None: ...

    @property
    def joint_margin(self) -> float:
        """From the limits of joints, rad or m."""

    @joint_margin.setter
    def joint_margin(self, value: float, /) -> None: ...

    @property
    def com_margin(self) -> float:
        """m"""

    @com_margin.setter
    def com_margin(self, value: float, /) -> None: ...

    @property
    def clearance(self) -> float:
        """m"""

    @clearance.setter
    def clearance(self, value: float, /) -> None: ...

    @property
    def body_clearance(self) -> float:
        """From obstacles, of all links but hands and feet, m."""

    @body_clearance.setter
    def body_clearance(self, value: float, /) -> None: ...

    @property
    def support(self) -> int:
        """
        At least so many limbs touch while a foot is in the air: with 2 or 3 the hands help.
        """

    @support.setter
    def support(self, value: int, /) -> None: ...

    @property
    def edge_margin(self) -> float:
        """Of faces on their surfaces, m."""

    @edge_margin.setter
    def edge_margin(self, value: float, /) -> None: ...

    @property
    def lift(self) -> float:
        """Height to which limbs are raised before and after they move, m."""

    @lift.setter
    def lift(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Placement:
    """A limb on a surface."""

    @property
    def limb(self) -> int:
        """Index in PlanProblem.limbs."""

    @property
    def surface(self) -> int:
        """Index in Environment.surfaces."""

    @property
    def pose(self) -> NDArray[np.float64]:
        """Of the limb's frame, in the world, 4 × 4."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class PlanStep:
    """One posture of a plan, and how it is reached."""

    @property
    def change(self) -> Literal['start', 'shift', 'release', 'raise', 'reach', 'touch', 'settle']:
        """
        'start'; 'shift': all contacts stay, at the end the limb carries nothing; 'release': the limb leaves its place, and is raised above it; 'raise': it goes straight up, or to the side; 'reach': it comes to stand above its new place; 'touch': it comes down and touches, without force; 'settle': the last one.
        """

    @property
    def limb(self) -> int:
        """That changes; -1: none."""

    @property
    def at(self) -> ArrayLike | None:
        """Where that limb's frame is, 4 × 4, or None."""

    @property
    def contacts(self) -> list[Placement]:
        """That touch in it, the changed limb among them if it does."""

    @property
    def q(self) -> NDArray[np.float64]:
        """(nq,)"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Plan:
    """The result of find_plan(). It is true if the goal was reached."""

    @property
    def reached(self) -> bool: ...

    @property
    def what(self) -> str:
        """
        Why the goal was not reached; steps then lead as near to it as was found.
        """

    @property
    def steps(self) -> list[PlanStep]:
        """The start first."""

    @property
    def distance(self) -> float:
        """Mean distance of the feet from the goal at the end, m."""

    @property
    def nodes(self) -> int:
        """Stances that were reached."""

    @property
    def stances(self) -> int:
        """Postures that were sought."""

    @property
    def found(self) -> int: ...

    @property
    def filtered(self) -> int:
        """Refused without a search."""

    @property
    def seconds(self) -> float:
        """That the search took."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

    def __bool__(self) -> bool: ...

def limbs_of(contacts: lissom._core.RobotContacts) -> list[Limb]:
    """
    The limbs of a robot whose contacts are known: its feet, and its hands.
    """

def read_goal(robot: lissom._core.Model, limbs: Sequence[Limb], path: Any) -> Goal:
    """
    Reads a goal from a JSON file (docs/plan.md); paths of postures in it are relative to the file.
    """

def find_plan(robot: lissom._core.Model, problem: PlanProblem, progress: Callable[[float, int, float], bool | None] | None = None) -> Plan:
    """
    Plans how a robot gets from one stance to another by making and releasing contacts, one at a time.

    progress(part, nodes, distance) is called several times a second: the part of the time that was used, the number of stances, the least distance from the goal, m; the search ends if it returns False. Ctrl-C ends it, too. The same problem and seed give the same plan on any number of threads, unless the time is up before.
    """

def write_motion(robot: lissom._core.Model, problem: PlanProblem, plan: Plan, path: Any) -> None:
    """
    Writes the plan as a motion file for control.run() and `lissom control`, and its postures to a file beside it (NAME.postures.json).
    """
