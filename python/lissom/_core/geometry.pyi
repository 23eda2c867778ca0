"""Collision shapes: where two of them touch, and how far apart they are."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray


import lissom._core

class Collider:
    """
    A shape prepared for collision detection. shape: of a description, without meshes and height fields; rounding: radius of the edges of boxes, cylinders and hulls, m. Lengths are in m.

        ball = geometry.Collider.sphere(0.1)
        part = geometry.Collider.convex_hull(mesh.load_mesh('part.stl').mesh)
    """

    def __init__(self, shape: lissom._core.Shape, rounding: float = 0.0) -> None: ...

    @staticmethod
    def sphere(radius: float) -> Collider: ...

    @staticmethod
    def capsule(radius: float, length: float) -> Collider:
        """Along z; length without the caps."""

    @staticmethod
    def box(size: ArrayLike, rounding: float = 0.0) -> Collider:
        """size: edge lengths, (3,)."""

    @staticmethod
    def cylinder(radius: float, length: float, rounding: float = 0.0) -> Collider:
        """Along z."""

    @staticmethod
    def ellipsoid(radii: ArrayLike) -> Collider:
        """radii: (3,)."""

    @staticmethod
    def plane() -> Collider:
        """The half space z ≤ 0, without end."""

    @staticmethod
    def convex_hull(points: Any, rounding: float = 0.0) -> Collider:
        """
        The convex hull of points, (n, 3), or of a mesh.TriangleMesh; larger by `rounding`.
        """

    @property
    def kind(self) -> str:
        """
        'sphere', 'capsule', 'box', 'cylinder', 'ellipsoid', 'hull' or 'plane'.
        """

    @property
    def is_convex(self) -> bool: ...

    @property
    def bounding_radius(self) -> float:
        """
        Of a sphere about the origin that holds the shape, m; infinite for a plane.
        """

    def __repr__(self) -> str: ...

class ContactPoint:
    """
    A point at which two shapes a and b touch, or are nearer than the margin.
    """

    @property
    def point(self) -> NDArray[np.float64]:
        """In the world, (3,), m."""

    @property
    def normal(self) -> NDArray[np.float64]:
        """Unit vector from b to a."""

    @property
    def gap(self) -> float:
        """Distance along the normal, m; negative where the shapes overlap."""

    @property
    def feature(self) -> Any:
        """Tells the points of a pair apart, from call to call."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Distance:
    """The distance of two shapes a and b."""

    @property
    def distance(self) -> float:
        """
        m; if they overlap, minus the smallest translation that separates them.
        """

    @property
    def point_a(self) -> NDArray[np.float64]:
        """On the surface of a, in the world, (3,), m."""

    @property
    def point_b(self) -> NDArray[np.float64]:
        """On that of b; point_a - point_b = distance · normal."""

    @property
    def normal(self) -> NDArray[np.float64]:
        """Unit vector from b to a."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def distance(a: Collider | lissom._core.Shape, X_a: ArrayLike | None, b: Collider | lissom._core.Shape, X_b: ArrayLike | None) -> Distance:
    """
    How far apart two shapes are, at poses X_a and X_b in the world, 4 × 4; None: at the origin. Raises an Error if neither of them is convex.
    """

def collide(a: Collider | lissom._core.Shape, X_a: ArrayLike | None, b: Collider | lissom._core.Shape, X_b: ArrayLike | None, margin: float = 0.0) -> list[ContactPoint]:
    """
    The points at which two shapes are nearer than `margin`, m, at most 8; poses as for distance().
    """

def contact_polygon(robot: lissom._core.Model, frame: Any) -> NDArray[np.float64]:
    """
    Corners of the face with which a frame's body touches the plane z = 0 of the frame, in its coordinates, (n, 3), m. Raises an Error if its collision shapes have no such face.
    """
