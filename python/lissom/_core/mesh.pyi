"""Triangle meshes: files, mass properties, convex hulls, decomposition."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray


import lissom._core

class TriangleMesh:
    """
    A surface of triangles.

        surface = mesh.TriangleMesh(vertices, triangles)     # (n, 3) m, (m, 3) indices
    """

    def __init__(self, vertices: ArrayLike, triangles: ArrayLike) -> None:
        """
        vertices: (n, 3), m; triangles: (m, 3), indices of three vertices, counterclockwise as seen from outside.
        """

    @property
    def vertices(self) -> NDArray[np.float64]:
        """(n, 3), m; a copy."""

    @property
    def triangles(self) -> NDArray[np.uint32]:
        """
        (m, 3), indices of three vertices, counterclockwise as seen from outside; a copy.
        """

    @property
    def bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Corners of the smallest box along the axes that holds all vertices, m."""

    def transformed(self, X: ArrayLike) -> TriangleMesh:
        """The mesh moved by a pose, 4 × 4."""

    def scaled(self, factors: ArrayLike) -> TriangleMesh:
        """The mesh scaled along each axis, (3,); negative factors mirror it."""

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

    def __repr__(self) -> str: ...

class LoadedMesh:
    """What load_mesh() found."""

    @property
    def mesh(self) -> TriangleMesh:
        """Empty if the file cannot be used."""

    @property
    def format(self) -> str:
        """'stl', 'obj', 'ply', 'dae', 'gltf', 'msh' or 'unknown'."""

    @property
    def from_cache(self) -> bool: ...

    @property
    def findings(self) -> list[lissom._core.Diagnostic]:
        """Diagnostics; if one of them is an error, the mesh is empty."""

    @property
    def ok(self) -> bool:
        """Whether there is a mesh."""

    def __repr__(self) -> str: ...

def load_mesh(path: str | os.PathLike[str], scale: ArrayLike = (1.0, 1.0, 1.0), up_axis: Literal['as_robots_do', 'apply', 'ignore'] = 'as_robots_do', accept_points: bool = False, use_cache: bool = True) -> LoadedMesh:
    """
    The mesh in a file: STL, OBJ, PLY, COLLADA (.dae), glTF or MuJoCo's .msh (docs/meshes.md). It never raises because of the content of the file: `findings` says what is wrong.

    scale: along x, y and z, after units and axes. up_axis: 'as_robots_do': that of COLLADA is ignored, glTF is rotated such that z is up; 'apply': what is up in the file becomes z; 'ignore'. accept_points: also files with vertices and no triangles. use_cache: keep large meshes in the user's cache.
    """

def write_mesh(path: str | os.PathLike[str], mesh: TriangleMesh) -> None:
    """
    Writes .stl or .obj, as the ending of the path says. The file is complete or not there.
    """

class MassProperties:
    """For a density of 1: per volume, and per area for a shell."""

    @property
    def mass(self) -> float:
        """The volume, m³, or of a shell the area, m²."""

    @property
    def center(self) -> NDArray[np.float64]:
        """Center of mass, (3,), m."""

    @property
    def inertia(self) -> NDArray[np.float64]:
        """
        About the center of mass, along the axes of the mesh, 3 × 3, m⁵; of a shell m⁴.
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def mass_properties(mesh: TriangleMesh, kind: Literal['exact', 'convex', 'legacy', 'shell'] = 'exact') -> MassProperties:
    """
    Mass, center of mass and inertia for a density of 1. kind: 'exact': what the surface encloses; 'convex': the convex hull; 'legacy': as MuJoCo's default; 'shell': the surface as a thin sheet.
    """

def check_surface(mesh: TriangleMesh) -> list[lissom._core.Diagnostic]:
    """
    What is wrong with a surface as the boundary of a body: open edges, edges with more than two triangles, neighbors that disagree about the outside, no volume. A surface without findings encloses a body.
    """

def surface_area(mesh: TriangleMesh) -> float:
    """Sum of the areas of the triangles, m²."""

class ConvexHull:
    """The convex hull of points."""

    @property
    def kind(self) -> str:
        """'solid', 'flat', 'line', 'point', or 'none' if a point is not finite."""

    @property
    def mesh(self) -> TriangleMesh:
        """Its vertices, and its faces as triangles, oriented outward."""

    @property
    def points(self) -> NDArray[np.int64]:
        """Each vertex's index in the points."""

    @property
    def max_error(self) -> float:
        """
        The farthest that a point lies outside of the hull, m; not zero only with max_vertices.
        """

    def __repr__(self) -> str: ...

def convex_hull(points: ArrayLike | TriangleMesh, max_vertices: int = 0, tolerance: float = 1e-12) -> ConvexHull:
    """
    The convex hull of points, (n, 3), m, or of a mesh. max_vertices: take at most as many, the farthest first; 0: all that are needed. tolerance: points not farther outside are left out, relative to their extent.
    """

class ConvexDecomposition:
    """A mesh as few convex bodies."""

    @property
    def hulls(self) -> list[TriangleMesh]:
        """Solid hulls, which hold every triangle of the mesh."""

    @property
    def concavity(self) -> float:
        """
        The empty space in all of them, relative to the volume of the hull of the mesh.
        """

    @property
    def from_cache(self) -> bool: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def decompose(mesh: TriangleMesh, max_hulls: int = 16, max_concavity: float = 0.02, resolution: int = 64, max_vertices: int = 64, use_cache: bool = True) -> ConvexDecomposition:
    """
    A mesh as few convex bodies: approximate convex decomposition. max_hulls: of them at most. max_concavity: parts are not cut further where their hull has less empty space than this, relative to the hull of the whole mesh. resolution: cells along the longest extent, 8 to 256. max_vertices: of each hull; 0: as many as it needs. use_cache: keep the result in the user's cache.
    """
