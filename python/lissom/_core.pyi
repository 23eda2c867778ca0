"""The compiled part of lissom. Use `import lissom`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray


__version__: str

class Error(ValueError):
    diagnostics: list[Diagnostic]

def set_threads(threads: int) -> None:
    """
    How many threads calls on many states use; 0: as many as the machine has.
    """

def threads() -> int:
    """The number that set_threads() was given."""

class GeometryList:
    @overload
    def __init__(self) -> None:
        """Default constructor"""

    @overload
    def __init__(self, arg: GeometryList, /) -> None:
        """Copy constructor"""

    @overload
    def __init__(self, arg: Iterable[Geometry], /) -> None:
        """Construct from an iterable object"""

    def __len__(self) -> int: ...

    def __bool__(self) -> bool:
        """Check whether the vector is nonempty"""

    def __repr__(self) -> str: ...

    def __iter__(self) -> Iterator[Geometry]: ...

    @overload
    def __getitem__(self, arg: int, /) -> Geometry: ...

    @overload
    def __getitem__(self, arg: slice, /) -> GeometryList: ...

    def clear(self) -> None:
        """Remove all items from list."""

    def append(self, arg: Geometry, /) -> None:
        """Append ``arg`` to the end of the list."""

    def insert(self, arg0: int, arg1: Geometry, /) -> None:
        """Insert object ``arg1`` before index ``arg0``."""

    def pop(self, index: int = -1) -> Geometry:
        """Remove and return item at ``index`` (default last)."""

    def extend(self, arg: GeometryList, /) -> None:
        """Extend ``self`` by appending elements from ``arg``."""

    @overload
    def __setitem__(self, arg0: int, arg1: Geometry, /) -> None: ...

    @overload
    def __setitem__(self, arg0: slice, arg1: GeometryList, /) -> None: ...

    @overload
    def __delitem__(self, arg: int, /) -> None: ...

    @overload
    def __delitem__(self, arg: slice, /) -> None: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class LinkDescriptionList:
    @overload
    def __init__(self) -> None:
        """Default constructor"""

    @overload
    def __init__(self, arg: LinkDescriptionList, /) -> None:
        """Copy constructor"""

    @overload
    def __init__(self, arg: Iterable[LinkDescription], /) -> None:
        """Construct from an iterable object"""

    def __len__(self) -> int: ...

    def __bool__(self) -> bool:
        """Check whether the vector is nonempty"""

    def __repr__(self) -> str: ...

    def __iter__(self) -> Iterator[LinkDescription]: ...

    @overload
    def __getitem__(self, arg: int, /) -> LinkDescription: ...

    @overload
    def __getitem__(self, arg: slice, /) -> LinkDescriptionList: ...

    def clear(self) -> None:
        """Remove all items from list."""

    def append(self, arg: LinkDescription, /) -> None:
        """Append ``arg`` to the end of the list."""

    def insert(self, arg0: int, arg1: LinkDescription, /) -> None:
        """Insert object ``arg1`` before index ``arg0``."""

    def pop(self, index: int = -1) -> LinkDescription:
        """Remove and return item at ``index`` (default last)."""

    def extend(self, arg: LinkDescriptionList, /) -> None:
        """Extend ``self`` by appending elements from ``arg``."""

    @overload
    def __setitem__(self, arg0: int, arg1: LinkDescription, /) -> None: ...

    @overload
    def __setitem__(self, arg0: slice, arg1: LinkDescriptionList, /) -> None: ...

    @overload
    def __delitem__(self, arg: int, /) -> None: ...

    @overload
    def __delitem__(self, arg: slice, /) -> None: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class JointDescriptionList:
    @overload
    def __init__(self) -> None:
        """Default constructor"""

    @overload
    def __init__(self, arg: JointDescriptionList, /) -> None:
        """Copy constructor"""

    @overload
    def __init__(self, arg: Iterable[JointDescription], /) -> None:
        """Construct from an iterable object"""

    def __len__(self) -> int: ...

    def __bool__(self) -> bool:
        """Check whether the vector is nonempty"""

    def __repr__(self) -> str: ...

    def __iter__(self) -> Iterator[JointDescription]: ...

    @overload
    def __getitem__(self, arg: int, /) -> JointDescription: ...

    @overload
    def __getitem__(self, arg: slice, /) -> JointDescriptionList: ...

    def clear(self) -> None:
        """Remove all items from list."""

    def append(self, arg: JointDescription, /) -> None:
        """Append ``arg`` to the end of the list."""

    def insert(self, arg0: int, arg1: JointDescription, /) -> None:
        """Insert object ``arg1`` before index ``arg0``."""

    def pop(self, index: int = -1) -> JointDescription:
        """Remove and return item at ``index`` (default last)."""

    def extend(self, arg: JointDescriptionList, /) -> None:
        """Extend ``self`` by appending elements from ``arg``."""

    @overload
    def __setitem__(self, arg0: int, arg1: JointDescription, /) -> None: ...

    @overload
    def __setitem__(self, arg0: slice, arg1: JointDescriptionList, /) -> None: ...

    @overload
    def __delitem__(self, arg: int, /) -> None: ...

    @overload
    def __delitem__(self, arg: slice, /) -> None: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class FrameDescriptionList:
    @overload
    def __init__(self) -> None:
        """Default constructor"""

    @overload
    def __init__(self, arg: FrameDescriptionList, /) -> None:
        """Copy constructor"""

    @overload
    def __init__(self, arg: Iterable[FrameDescription], /) -> None:
        """Construct from an iterable object"""

    def __len__(self) -> int: ...

    def __bool__(self) -> bool:
        """Check whether the vector is nonempty"""

    def __repr__(self) -> str: ...

    def __iter__(self) -> Iterator[FrameDescription]: ...

    @overload
    def __getitem__(self, arg: int, /) -> FrameDescription: ...

    @overload
    def __getitem__(self, arg: slice, /) -> FrameDescriptionList: ...

    def clear(self) -> None:
        """Remove all items from list."""

    def append(self, arg: FrameDescription, /) -> None:
        """Append ``arg`` to the end of the list."""

    def insert(self, arg0: int, arg1: FrameDescription, /) -> None:
        """Insert object ``arg1`` before index ``arg0``."""

    def pop(self, index: int = -1) -> FrameDescription:
        """Remove and return item at ``index`` (default last)."""

    def extend(self, arg: FrameDescriptionList, /) -> None:
        """Extend ``self`` by appending elements from ``arg``."""

    @overload
    def __setitem__(self, arg0: int, arg1: FrameDescription, /) -> None: ...

    @overload
    def __setitem__(self, arg0: slice, arg1: FrameDescriptionList, /) -> None: ...

    @overload
    def __delitem__(self, arg: int, /) -> None: ...

    @overload
    def __delitem__(self, arg: slice, /) -> None: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class LoopDescriptionList:
    @overload
    def __init__(self) -> None:
        """Default constructor"""

    @overload
    def __init__(self, arg: LoopDescriptionList, /) -> None:
        """Copy constructor"""

    @overload
    def __init__(self, arg: Iterable[LoopDescription], /) -> None:
        """Construct from an iterable object"""

    def __len__(self) -> int: ...

    def __bool__(self) -> bool:
        """Check whether the vector is nonempty"""

    def __repr__(self) -> str: ...

    def __iter__(self) -> Iterator[LoopDescription]: ...

    @overload
    def __getitem__(self, arg: int, /) -> LoopDescription: ...

    @overload
    def __getitem__(self, arg: slice, /) -> LoopDescriptionList: ...

    def clear(self) -> None:
        """Remove all items from list."""

    def append(self, arg: LoopDescription, /) -> None:
        """Append ``arg`` to the end of the list."""

    def insert(self, arg0: int, arg1: LoopDescription, /) -> None:
        """Insert object ``arg1`` before index ``arg0``."""

    def pop(self, index: int = -1) -> LoopDescription:
        """Remove and return item at ``index`` (default last)."""

    def extend(self, arg: LoopDescriptionList, /) -> None:
        """Extend ``self`` by appending elements from ``arg``."""

    @overload
    def __setitem__(self, arg0: int, arg1: LoopDescription, /) -> None: ...

    @overload
    def __setitem__(self, arg0: slice, arg1: LoopDescriptionList, /) -> None: ...

    @overload
    def __delitem__(self, arg: int, /) -> None: ...

    @overload
    def __delitem__(self, arg: slice, /) -> None: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class JointCouplingList:
    @overload
    def __init__(self) -> None:
        """Default constructor"""

    @overload
    def __init__(self, arg: JointCouplingList, /) -> None:
        """Copy constructor"""

    @overload
    def __init__(self, arg: Iterable[JointCoupling], /) -> None:
        """Construct from an iterable object"""

    def __len__(self) -> int: ...

    def __bool__(self) -> bool:
        """Check whether the vector is nonempty"""

    def __repr__(self) -> str: ...

    def __iter__(self) -> Iterator[JointCoupling]: ...

    @overload
    def __getitem__(self, arg: int, /) -> JointCoupling: ...

    @overload
    def __getitem__(self, arg: slice, /) -> JointCouplingList: ...

    def clear(self) -> None:
        """Remove all items from list."""

    def append(self, arg: JointCoupling, /) -> None:
        """Append ``arg`` to the end of the list."""

    def insert(self, arg0: int, arg1: JointCoupling, /) -> None:
        """Insert object ``arg1`` before index ``arg0``."""

    def pop(self, index: int = -1) -> JointCoupling:
        """Remove and return item at ``index`` (default last)."""

    def extend(self, arg: JointCouplingList, /) -> None:
        """Extend ``self`` by appending elements from ``arg``."""

    @overload
    def __setitem__(self, arg0: int, arg1: JointCoupling, /) -> None: ...

    @overload
    def __setitem__(self, arg0: slice, arg1: JointCouplingList, /) -> None: ...

    @overload
    def __delitem__(self, arg: int, /) -> None: ...

    @overload
    def __delitem__(self, arg: slice, /) -> None: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class SpringDescriptionList:
    @overload
    def __init__(self) -> None:
        """Default constructor"""

    @overload
    def __init__(self, arg: SpringDescriptionList, /) -> None:
        """Copy constructor"""

    @overload
    def __init__(self, arg: Iterable[SpringDescription], /) -> None:
        """Construct from an iterable object"""

    def __len__(self) -> int: ...

    def __bool__(self) -> bool:
        """Check whether the vector is nonempty"""

    def __repr__(self) -> str: ...

    def __iter__(self) -> Iterator[SpringDescription]: ...

    @overload
    def __getitem__(self, arg: int, /) -> SpringDescription: ...

    @overload
    def __getitem__(self, arg: slice, /) -> SpringDescriptionList: ...

    def clear(self) -> None:
        """Remove all items from list."""

    def append(self, arg: SpringDescription, /) -> None:
        """Append ``arg`` to the end of the list."""

    def insert(self, arg0: int, arg1: SpringDescription, /) -> None:
        """Insert object ``arg1`` before index ``arg0``."""

    def pop(self, index: int = -1) -> SpringDescription:
        """Remove and return item at ``index`` (default last)."""

    def extend(self, arg: SpringDescriptionList, /) -> None:
        """Extend ``self`` by appending elements from ``arg``."""

    @overload
    def __setitem__(self, arg0: int, arg1: SpringDescription, /) -> None: ...

    @overload
    def __setitem__(self, arg0: slice, arg1: SpringDescriptionList, /) -> None: ...

    @overload
    def __delitem__(self, arg: int, /) -> None: ...

    @overload
    def __delitem__(self, arg: slice, /) -> None: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ActuatorDescriptionList:
    @overload
    def __init__(self) -> None:
        """Default constructor"""

    @overload
    def __init__(self, arg: ActuatorDescriptionList, /) -> None:
        """Copy constructor"""

    @overload
    def __init__(self, arg: Iterable[ActuatorDescription], /) -> None:
        """Construct from an iterable object"""

    def __len__(self) -> int: ...

    def __bool__(self) -> bool:
        """Check whether the vector is nonempty"""

    def __repr__(self) -> str: ...

    def __iter__(self) -> Iterator[ActuatorDescription]: ...

    @overload
    def __getitem__(self, arg: int, /) -> ActuatorDescription: ...

    @overload
    def __getitem__(self, arg: slice, /) -> ActuatorDescriptionList: ...

    def clear(self) -> None:
        """Remove all items from list."""

    def append(self, arg: ActuatorDescription, /) -> None:
        """Append ``arg`` to the end of the list."""

    def insert(self, arg0: int, arg1: ActuatorDescription, /) -> None:
        """Insert object ``arg1`` before index ``arg0``."""

    def pop(self, index: int = -1) -> ActuatorDescription:
        """Remove and return item at ``index`` (default last)."""

    def extend(self, arg: ActuatorDescriptionList, /) -> None:
        """Extend ``self`` by appending elements from ``arg``."""

    @overload
    def __setitem__(self, arg0: int, arg1: ActuatorDescription, /) -> None: ...

    @overload
    def __setitem__(self, arg0: slice, arg1: ActuatorDescriptionList, /) -> None: ...

    @overload
    def __delitem__(self, arg: int, /) -> None: ...

    @overload
    def __delitem__(self, arg: slice, /) -> None: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ContactMaterialList:
    @overload
    def __init__(self) -> None:
        """Default constructor"""

    @overload
    def __init__(self, arg: ContactMaterialList, /) -> None:
        """Copy constructor"""

    @overload
    def __init__(self, arg: Iterable[ContactMaterial], /) -> None:
        """Construct from an iterable object"""

    def __len__(self) -> int: ...

    def __bool__(self) -> bool:
        """Check whether the vector is nonempty"""

    def __repr__(self) -> str: ...

    def __iter__(self) -> Iterator[ContactMaterial]: ...

    @overload
    def __getitem__(self, arg: int, /) -> ContactMaterial: ...

    @overload
    def __getitem__(self, arg: slice, /) -> ContactMaterialList: ...

    def clear(self) -> None:
        """Remove all items from list."""

    def append(self, arg: ContactMaterial, /) -> None:
        """Append ``arg`` to the end of the list."""

    def insert(self, arg0: int, arg1: ContactMaterial, /) -> None:
        """Insert object ``arg1`` before index ``arg0``."""

    def pop(self, index: int = -1) -> ContactMaterial:
        """Remove and return item at ``index`` (default last)."""

    def extend(self, arg: ContactMaterialList, /) -> None:
        """Extend ``self`` by appending elements from ``arg``."""

    @overload
    def __setitem__(self, arg0: int, arg1: ContactMaterial, /) -> None: ...

    @overload
    def __setitem__(self, arg0: slice, arg1: ContactMaterialList, /) -> None: ...

    @overload
    def __delitem__(self, arg: int, /) -> None: ...

    @overload
    def __delitem__(self, arg: slice, /) -> None: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Color:
    """Red, green, blue and alpha, 0 to 1."""

    def __init__(self, r: float = ..., g: float = ..., b: float = ..., a: float = ...) -> None: ...

    @property
    def r(self) -> float: ...

    @r.setter
    def r(self, value: float, /) -> None: ...

    @property
    def g(self) -> float: ...

    @g.setter
    def g(self, value: float, /) -> None: ...

    @property
    def b(self) -> float: ...

    @b.setter
    def b(self, value: float, /) -> None: ...

    @property
    def a(self) -> float: ...

    @a.setter
    def a(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Material:
    """How a visual looks."""

    def __init__(self, name: str = ..., color: Color = ..., texture: str = ...) -> None: ...

    @property
    def name(self) -> str: ...

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def color(self) -> Color: ...

    @color.setter
    def color(self, value: Color, /) -> None: ...

    @property
    def texture(self) -> str:
        """File, as written."""

    @texture.setter
    def texture(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Shape:
    """
    The shape of a visual or a collision; all but meshes are centered at the origin of its frame.
    """

    def __init__(self, kind: Literal['box', 'sphere', 'cylinder', 'capsule', 'mesh'] = ..., size: ArrayLike = ..., radius: float = ..., length: float = ..., file: str = ..., path: str = ..., scale: ArrayLike = ...) -> None: ...

    @property
    def kind(self) -> str: ...

    @kind.setter
    def kind(self, value: Literal['box', 'sphere', 'cylinder', 'capsule', 'mesh'], /) -> None: ...

    @property
    def size(self) -> numpy.typing.NDArray[numpy.float64]:
        """Box: full edge lengths, m."""

    @size.setter
    def size(self, value: ArrayLike, /) -> None: ...

    @property
    def radius(self) -> float:
        """Sphere, cylinder, capsule, m."""

    @radius.setter
    def radius(self, value: float, /) -> None: ...

    @property
    def length(self) -> float:
        """Cylinder, and capsule without its caps, m; along z."""

    @length.setter
    def length(self, value: float, /) -> None: ...

    @property
    def file(self) -> str:
        """Mesh: as written."""

    @file.setter
    def file(self, value: str, /) -> None: ...

    @property
    def path(self) -> str:
        """Mesh: path of the file; empty if it was not found."""

    @path.setter
    def path(self, value: str, /) -> None: ...

    @property
    def scale(self) -> numpy.typing.NDArray[numpy.float64]:
        """Mesh."""

    @scale.setter
    def scale(self, value: ArrayLike, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Geometry:
    """A shape fixed to a link: a visual or a collision."""

    def __init__(self, name: str = ..., origin: ArrayLike = ..., shape: Shape = ..., material: Material | None = ..., contact_material: str = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str: ...

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def origin(self) -> numpy.typing.NDArray[numpy.float64]:
        """Pose of the shape in the link's frame, 4 × 4."""

    @origin.setter
    def origin(self, value: ArrayLike, /) -> None: ...

    @property
    def shape(self) -> Shape: ...

    @shape.setter
    def shape(self, value: Shape, /) -> None: ...

    @property
    def material(self) -> Material | None: ...

    @material.setter
    def material(self, value: Material | None, /) -> None: ...

    @property
    def contact_material(self) -> str:
        """Name in Description.contact_materials."""

    @contact_material.setter
    def contact_material(self, value: str, /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class LinkDescription:
    """A rigid link."""

    def __init__(self, name: str = ..., mass: float = ..., com: ArrayLike = ..., inertia: ArrayLike = ..., visuals: Sequence[Geometry] = ..., collisions: Sequence[Geometry] = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str: ...

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def mass(self) -> float:
        """kg"""

    @mass.setter
    def mass(self, value: float, /) -> None: ...

    @property
    def com(self) -> numpy.typing.NDArray[numpy.float64]:
        """Center of mass in the link's frame, m."""

    @com.setter
    def com(self, value: ArrayLike, /) -> None: ...

    @property
    def inertia(self) -> numpy.typing.NDArray[numpy.float64]:
        """About the center of mass, along the link's axes, 3 × 3, kg m²."""

    @inertia.setter
    def inertia(self, value: ArrayLike, /) -> None: ...

    @property
    def visuals(self) -> GeometryList: ...

    @visuals.setter
    def visuals(self, value: Sequence[Geometry], /) -> None: ...

    @property
    def collisions(self) -> GeometryList: ...

    @collisions.setter
    def collisions(self, value: Sequence[Geometry], /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Mimic:
    """Makes a joint follow another one: q = ratio · q[joint] + offset."""

    def __init__(self, joint: str = ..., ratio: float = ..., offset: float = ...) -> None: ...

    @property
    def joint(self) -> str:
        """The leader."""

    @joint.setter
    def joint(self, value: str, /) -> None: ...

    @property
    def ratio(self) -> float: ...

    @ratio.setter
    def ratio(self, value: float, /) -> None: ...

    @property
    def offset(self) -> float: ...

    @offset.setter
    def offset(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class JointDescription:
    """A joint between two links."""

    def __init__(self, name: str = ..., type: Literal['fixed', 'revolute', 'continuous', 'prismatic', 'helical', 'cylindrical', 'universal', 'planar', 'spherical', 'free'] = ..., parent: str = ..., child: str = ..., origin: ArrayLike = ..., axis: ArrayLike = ..., axis2: ArrayLike = ..., pitch: float = ..., lower: Sequence[float] = ..., upper: Sequence[float] = ..., velocity_limit: float | ArrayLike = ..., effort_limit: float | ArrayLike = ..., damping: float | ArrayLike = ..., dry_friction: float | ArrayLike = ..., spring_stiffness: float | ArrayLike = ..., spring_rest: float | ArrayLike = ..., armature: float = ..., mimic: Mimic | None = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str: ...

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def type(self) -> str: ...

    @type.setter
    def type(self, value: Literal['fixed', 'revolute', 'continuous', 'prismatic', 'helical', 'cylindrical', 'universal', 'planar', 'spherical', 'free'], /) -> None: ...

    @property
    def parent(self) -> str:
        """A link."""

    @parent.setter
    def parent(self, value: str, /) -> None: ...

    @property
    def child(self) -> str:
        """A link."""

    @child.setter
    def child(self, value: str, /) -> None: ...

    @property
    def origin(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Pose of the joint's frame, which is the child's at q = 0, in the parent link's frame, 4 × 4.
        """

    @origin.setter
    def origin(self, value: ArrayLike, /) -> None: ...

    @property
    def axis(self) -> numpy.typing.NDArray[numpy.float64]:
        """In the joint's frame."""

    @axis.setter
    def axis(self, value: ArrayLike, /) -> None: ...

    @property
    def axis2(self) -> numpy.typing.NDArray[numpy.float64]:
        """Of a universal joint."""

    @axis2.setter
    def axis2(self, value: ArrayLike, /) -> None: ...

    @property
    def pitch(self) -> float:
        """Helical: m/rad."""

    @pitch.setter
    def pitch(self, value: float, /) -> None: ...

    @property
    def lower(self) -> list[float]:
        """Position limits for each element of q; empty: none."""

    @lower.setter
    def lower(self, value: Sequence[float], /) -> None: ...

    @property
    def upper(self) -> list[float]:
        """Position limits for each element of q; empty: none."""

    @upper.setter
    def upper(self, value: Sequence[float], /) -> None: ...

    @property
    def velocity_limit(self) -> float | numpy.typing.NDArray[numpy.float64]:
        """rad/s, m/s; one for all degrees of freedom, or one for each."""

    @velocity_limit.setter
    def velocity_limit(self, value: float | ArrayLike, /) -> None: ...

    @property
    def effort_limit(self) -> float | numpy.typing.NDArray[numpy.float64]:
        """N m, N"""

    @effort_limit.setter
    def effort_limit(self, value: float | ArrayLike, /) -> None: ...

    @property
    def damping(self) -> float | numpy.typing.NDArray[numpy.float64]:
        """N m s/rad, N s/m"""

    @damping.setter
    def damping(self, value: float | ArrayLike, /) -> None: ...

    @property
    def dry_friction(self) -> float | numpy.typing.NDArray[numpy.float64]:
        """N m, N"""

    @dry_friction.setter
    def dry_friction(self, value: float | ArrayLike, /) -> None: ...

    @property
    def spring_stiffness(self) -> float | numpy.typing.NDArray[numpy.float64]:
        """N m/rad, N/m"""

    @spring_stiffness.setter
    def spring_stiffness(self, value: float | ArrayLike, /) -> None: ...

    @property
    def spring_rest(self) -> float | numpy.typing.NDArray[numpy.float64]:
        """rad, m"""

    @spring_rest.setter
    def spring_rest(self, value: float | ArrayLike, /) -> None: ...

    @property
    def armature(self) -> float:
        """Inertia of the rotor, kg m², kg."""

    @armature.setter
    def armature(self, value: float, /) -> None: ...

    @property
    def mimic(self) -> Mimic | None: ...

    @mimic.setter
    def mimic(self, value: Mimic | None, /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class FrameDescription:
    """A named frame fixed to a link: a sole, a camera, a tool."""

    def __init__(self, name: str = ..., link: str = ..., origin: ArrayLike = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str: ...

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def link(self) -> str: ...

    @link.setter
    def link(self, value: str, /) -> None: ...

    @property
    def origin(self) -> numpy.typing.NDArray[numpy.float64]:
        """Pose in the link's frame, 4 × 4."""

    @origin.setter
    def origin(self, value: ArrayLike, /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class AttachmentDescription:
    """
    A pose relative to a frame that is given by name: a link, a named frame, or 'world'.
    """

    def __init__(self, frame: str = ..., placement: ArrayLike = ...) -> None: ...

    @property
    def frame(self) -> str: ...

    @frame.setter
    def frame(self, value: str, /) -> None: ...

    @property
    def placement(self) -> numpy.typing.NDArray[numpy.float64]:
        """In that frame, 4 × 4."""

    @placement.setter
    def placement(self, value: ArrayLike, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class LoopAxes:
    """
    The constrained motions of end b relative to end a, along and about the axes of a.
    """

    def __init__(self, along: Sequence[bool] = ..., about: Sequence[bool] = ...) -> None: ...

    @property
    def along(self) -> list[bool]:
        """x, y, z: this coordinate of b's origin in a stays 0."""

    @along.setter
    def along(self, value: Sequence[bool], /) -> None: ...

    @property
    def about(self) -> list[bool]:
        """x, y, z: no rotation about this axis."""

    @about.setter
    def about(self, value: Sequence[bool], /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def loop_axes(text: str) -> LoopAxes:
    """
    From text: 'xyz' is a ball joint, 'xyz rx ry rz' a weld, 'xyz rx ry' a hinge about z, 'xy rx ry rz' a prismatic joint along z.
    """

class LoopDescription:
    """A constraint between two attachments, which closes a kinematic loop."""

    def __init__(self, name: str = ..., a: AttachmentDescription = ..., b: AttachmentDescription = ..., axes: LoopAxes = ..., kind: Literal['axes', 'distance'] = ..., length: float | None = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str: ...

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def a(self) -> AttachmentDescription: ...

    @a.setter
    def a(self, value: AttachmentDescription, /) -> None: ...

    @property
    def b(self) -> AttachmentDescription: ...

    @b.setter
    def b(self, value: AttachmentDescription, /) -> None: ...

    @property
    def axes(self) -> LoopAxes: ...

    @axes.setter
    def axes(self, value: LoopAxes, /) -> None: ...

    @property
    def kind(self) -> str: ...

    @kind.setter
    def kind(self, value: Literal['axes', 'distance'], /) -> None: ...

    @property
    def length(self) -> float | None:
        """kind 'distance', m; None: the distance of the origins at q = 0."""

    @length.setter
    def length(self, value: float | None, /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class JointCoupling:
    """
    Two joints that move together: q[joint] = c0 + c1 q[of] + c2 q[of]² + …; q[joint] = c0 if `of` is empty.
    """

    def __init__(self, name: str = ..., joint: str = ..., of: str = ..., coefficients: Sequence[float] = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str: ...

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def joint(self) -> str: ...

    @joint.setter
    def joint(self, value: str, /) -> None: ...

    @property
    def of(self) -> str: ...

    @of.setter
    def of(self, value: str, /) -> None: ...

    @property
    def coefficients(self) -> list[float]: ...

    @coefficients.setter
    def coefficients(self, value: Sequence[float], /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class SpringDescription:
    """
    A spring and damper between two points; it pulls with stiffness · (length - rest) + damping · d(length)/dt.
    """

    def __init__(self, name: str = ..., a: AttachmentDescription = ..., b: AttachmentDescription = ..., stiffness: float = ..., damping: float = ..., rest: float = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str: ...

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def a(self) -> AttachmentDescription: ...

    @a.setter
    def a(self, value: AttachmentDescription, /) -> None: ...

    @property
    def b(self) -> AttachmentDescription: ...

    @b.setter
    def b(self, value: AttachmentDescription, /) -> None: ...

    @property
    def stiffness(self) -> float:
        """N/m"""

    @stiffness.setter
    def stiffness(self, value: float, /) -> None: ...

    @property
    def damping(self) -> float:
        """N s/m"""

    @damping.setter
    def damping(self, value: float, /) -> None: ...

    @property
    def rest(self) -> float:
        """m"""

    @rest.setter
    def rest(self, value: float, /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ActuatorDescription:
    """A motor on one degree of freedom: tau = gear · command."""

    def __init__(self, name: str = ..., joint: str = ..., component: int = ..., gear: float = ..., min_command: float = ..., max_command: float = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str: ...

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def joint(self) -> str: ...

    @joint.setter
    def joint(self, value: str, /) -> None: ...

    @property
    def component(self) -> int:
        """Which of the joint's degrees of freedom, from 0."""

    @component.setter
    def component(self, value: int, /) -> None: ...

    @property
    def gear(self) -> float: ...

    @gear.setter
    def gear(self, value: float, /) -> None: ...

    @property
    def min_command(self) -> float: ...

    @min_command.setter
    def min_command(self, value: float, /) -> None: ...

    @property
    def max_command(self) -> float: ...

    @max_command.setter
    def max_command(self, value: float, /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ContactMaterial:
    """The contact properties of the surface of a collision geometry."""

    def __init__(self, name: str = ..., friction: float = ..., restitution: float = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str: ...

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def friction(self) -> float:
        """Coulomb's coefficient."""

    @friction.setter
    def friction(self, value: float, /) -> None: ...

    @property
    def restitution(self) -> float:
        """0: plastic, 1: elastic impact."""

    @restitution.setter
    def restitution(self, value: float, /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Description:
    """
    A robot as a file or a program describes it: links, joints and frames, each with its name and in its own frame.
    """

    def __init__(self, name: str = ..., file: str = ..., links: Sequence[LinkDescription] = ..., joints: Sequence[JointDescription] = ..., frames: Sequence[FrameDescription] = ..., loops: Sequence[LoopDescription] = ..., couplings: Sequence[JointCoupling] = ..., springs: Sequence[SpringDescription] = ..., actuators: Sequence[ActuatorDescription] = ..., contact_materials: Sequence[ContactMaterial] = ..., gravity: ArrayLike = ...) -> None: ...

    @property
    def name(self) -> str: ...

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def file(self) -> str:
        """Where it was read from; empty if a program made it."""

    @file.setter
    def file(self, value: str, /) -> None: ...

    @property
    def links(self) -> LinkDescriptionList: ...

    @links.setter
    def links(self, value: Sequence[LinkDescription], /) -> None: ...

    @property
    def joints(self) -> JointDescriptionList: ...

    @joints.setter
    def joints(self, value: Sequence[JointDescription], /) -> None: ...

    @property
    def frames(self) -> FrameDescriptionList: ...

    @frames.setter
    def frames(self, value: Sequence[FrameDescription], /) -> None: ...

    @property
    def loops(self) -> LoopDescriptionList: ...

    @loops.setter
    def loops(self, value: Sequence[LoopDescription], /) -> None: ...

    @property
    def couplings(self) -> JointCouplingList: ...

    @couplings.setter
    def couplings(self, value: Sequence[JointCoupling], /) -> None: ...

    @property
    def springs(self) -> SpringDescriptionList: ...

    @springs.setter
    def springs(self, value: Sequence[SpringDescription], /) -> None: ...

    @property
    def actuators(self) -> ActuatorDescriptionList: ...

    @actuators.setter
    def actuators(self, value: Sequence[ActuatorDescription], /) -> None: ...

    @property
    def contact_materials(self) -> ContactMaterialList: ...

    @contact_materials.setter
    def contact_materials(self, value: Sequence[ContactMaterial], /) -> None: ...

    @property
    def gravity(self) -> numpy.typing.NDArray[numpy.float64]:
        """m/s²"""

    @gravity.setter
    def gravity(self, value: ArrayLike, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Diagnostic:
    """One finding about a model."""

    def __init__(self, severity: Literal['note', 'warning', 'error'] = ..., code: str = ..., file: str = ..., line: int = ..., subject: str = ..., message: str = ..., remedy: str = ...) -> None: ...

    @property
    def severity(self) -> str: ...

    @severity.setter
    def severity(self, value: Literal['note', 'warning', 'error'], /) -> None: ...

    @property
    def code(self) -> str:
        """Stable, kebab-case, for programs."""

    @code.setter
    def code(self, value: str, /) -> None: ...

    @property
    def file(self) -> str: ...

    @file.setter
    def file(self, value: str, /) -> None: ...

    @property
    def line(self) -> int:
        """0: unknown."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    @property
    def subject(self) -> str: ...

    @subject.setter
    def subject(self, value: str, /) -> None: ...

    @property
    def message(self) -> str:
        """What was found, and what was expected."""

    @message.setter
    def message(self, value: str, /) -> None: ...

    @property
    def remedy(self) -> str:
        """What to do about it."""

    @remedy.setter
    def remedy(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

    def __str__(self) -> str: ...

class BuildOptions:
    """How to build a model from a description."""

    def __init__(self, base: Literal['file', 'fixed', 'free', 'planar'] = ..., mimic: bool = ..., axis_tolerance: float = ...) -> None: ...

    @property
    def base(self) -> str:
        """How roots are attached to the world."""

    @base.setter
    def base(self, value: Literal['file', 'fixed', 'free', 'planar'], /) -> None: ...

    @property
    def mimic(self) -> bool:
        """False: joints that mimic another one get coordinates of their own."""

    @mimic.setter
    def mimic(self, value: bool, /) -> None: ...

    @property
    def axis_tolerance(self) -> float:
        """
        A joint axis within this angle of a coordinate axis is replaced by it, rad.
        """

    @axis_tolerance.setter
    def axis_tolerance(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def validate(description: Description, base: str = 'file', mimic: bool = True) -> list[Diagnostic]:
    """
    Everything that is wrong with a description, in the order of its lines.
    """

def read(path: str, base: str = 'file', package_paths: Sequence[str] = [], check_meshes: bool = True) -> tuple[Description, list[Diagnostic]]:
    """
    The description in a robot file, and what is wrong with it. It never raises because of the content of the file.
    """

class Joint:
    """A joint of a model."""

    @property
    def name(self) -> str: ...

    @property
    def type(self) -> str: ...

    @property
    def parent(self) -> str:
        """A link."""

    @property
    def child(self) -> str:
        """A link."""

    @property
    def body(self) -> int:
        """The body it moves."""

    @property
    def q_index(self) -> int:
        """Its first element of q."""

    @property
    def nq(self) -> int: ...

    @property
    def v_index(self) -> int:
        """Its first element of v, tau, and column of Jacobians."""

    @property
    def nv(self) -> int: ...

    @property
    def lower(self) -> NDArray[np.float64]:
        """Position limits; empty: none. rad, m."""

    @property
    def upper(self) -> NDArray[np.float64]:
        """Position limits; empty: none. rad, m."""

    @property
    def velocity_limit(self) -> float | numpy.typing.NDArray[numpy.float64]:
        """rad/s, m/s"""

    @property
    def effort_limit(self) -> float | numpy.typing.NDArray[numpy.float64]:
        """N m, N"""

    @property
    def damping(self) -> float | numpy.typing.NDArray[numpy.float64]: ...

    @property
    def dry_friction(self) -> float | numpy.typing.NDArray[numpy.float64]: ...

    @property
    def spring_stiffness(self) -> float | numpy.typing.NDArray[numpy.float64]: ...

    @property
    def spring_rest(self) -> float | numpy.typing.NDArray[numpy.float64]: ...

    @property
    def armature(self) -> float: ...

    @property
    def follows(self) -> list[float] | None:
        """Of a mimic joint: (index of the leader, ratio, offset)."""

    def q(self, q: ArrayLike) -> Any:
        """
        Its elements of q, (…, nq of the joint), or (…,) if it has one: a view, which can be assigned to.
        """

    def v(self, v: ArrayLike) -> Any:
        """Its elements of v, a or tau, as q() gives those of q."""

    def __repr__(self) -> str: ...

class Link:
    """A link of a model."""

    @property
    def name(self) -> str: ...

    @property
    def body(self) -> int:
        """The body it is part of; 0 is the world."""

    @property
    def placement(self) -> numpy.typing.NDArray[numpy.float64]:
        """Of its frame in the body's frame, 4 × 4."""

    @property
    def joint(self) -> int:
        """Index of the joint that moves it, -1 for a root fixed to the world."""

    @property
    def mass(self) -> float:
        """kg"""

    def __repr__(self) -> str: ...

class Frame:
    """
    A named frame on a body: that of every link, and the named frames of the description.
    """

    @property
    def name(self) -> str: ...

    @property
    def index(self) -> int: ...

    @property
    def body(self) -> int: ...

    @property
    def placement(self) -> numpy.typing.NDArray[numpy.float64]:
        """In the body's frame, 4 × 4."""

    def __index__(self) -> int: ...

    def __repr__(self) -> str: ...

class Actuator:
    """A motor on one degree of freedom: tau[v_index] = gear · command."""

    @property
    def name(self) -> str: ...

    @property
    def joint(self) -> int: ...

    @property
    def v_index(self) -> int: ...

    @property
    def gear(self) -> float: ...

    @property
    def min_command(self) -> float: ...

    @property
    def max_command(self) -> float: ...

    def __repr__(self) -> str: ...

class MassMatrixFactor:
    """The sparse factorization M(q) = Lᵀ D L, for solving and inverting."""

    def solve(self, b: ArrayLike) -> NDArray[np.float64]:
        """M⁻¹ b."""

    @property
    def L(self) -> NDArray[np.float64]:
        """The unit lower triangular matrix L."""

    @property
    def D(self) -> NDArray[np.float64]:
        """The diagonal of D."""

class Model:
    """
    A robot model: immutable, shared by any number of threads. Joints, links and frames are addressed by name.
    """

    @property
    def name(self) -> str: ...

    @property
    def nq(self) -> int:
        """Elements of a configuration q."""

    @property
    def nv(self) -> int:
        """Degrees of freedom: elements of v, a, tau."""

    @property
    def body_count(self) -> int:
        """Number of moving bodies."""

    @property
    def mass(self) -> float:
        """Of all links, kg."""

    @property
    def gravity(self) -> numpy.typing.NDArray[numpy.float64]:
        """m/s², in the world frame."""

    @property
    def joints(self) -> list[Joint]:
        """In the order of q."""

    @property
    def links(self) -> list[Link]:
        """In the order of the description."""

    @property
    def frames(self) -> list[Frame]:
        """The world, then links, then named frames."""

    @property
    def actuators(self) -> list[Actuator]:
        """Motors of the description."""

    def joint(self, name: str) -> Joint:
        """
        A joint by name; an unknown name raises an Error with the nearest ones.
        """

    def link(self, name: str) -> Link:
        """A link by name."""

    def frame(self, name: str) -> Frame:
        """A frame by name: a link, or a named frame."""

    def has_joint(self, name: str) -> bool: ...

    def has_link(self, name: str) -> bool: ...

    def has_frame(self, name: str) -> bool: ...

    @property
    def description(self) -> Description:
        """
        A copy of the description it was built from; change it and build() another model.
        """

    @property
    def options(self) -> BuildOptions:
        """The options it was built with."""

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What load() found: notes and warnings."""

    def with_gravity(self, gravity: numpy.typing.NDArray[numpy.float64]) -> Model:
        """The same robot with another gravity, m/s²."""

    @property
    def lower(self) -> NDArray[np.float64]:
        """Position limits, (nq,); -inf: none. Read-only."""

    @property
    def upper(self) -> NDArray[np.float64]:
        """Position limits, (nq,); inf: none. Read-only."""

    @property
    def velocity_limit(self) -> NDArray[np.float64]:
        """(nv,); rad/s, m/s. Read-only."""

    @property
    def effort_limit(self) -> NDArray[np.float64]:
        """(nv,); N m, N. Read-only."""

    @property
    def quaternions(self) -> list[int]:
        """
        The indices in q at which the quaternions of spherical and free joints begin.
        """

    def placement(self, q: ArrayLike, frame: str | int | Frame, out: Any = None) -> NDArray[Any]:
        """
        The pose of a frame in the world, (…, 4, 4): homogeneous matrices.

        q: configurations, (…, nq).
        """

    def placements(self, q: ArrayLike, frames: Iterable[str | int | Frame] | None = None, out: Any = None) -> NDArray[Any]:
        """
        The poses of several frames, (…, frames, 4, 4); of all of them, in the order of `frames`, if None.

        q: configurations, (…, nq).
        """

    def velocity(self, q: ArrayLike, v: ArrayLike, of: str | int | Frame, at: Any = None, in_: str | int | Frame | None = None, out: Any = None) -> NDArray[Any]:
        """
        The velocity of a frame, (…, 6): linear (m/s) above angular (rad/s).

        q: configurations, (…, nq). v: velocities, (…, nv).
        of: a frame. at: None (its origin), a frame (that one's origin) or (frame, position in it): the material point of `of` that is there. in_: the frame along whose axes the result is; None: the world.
        """

    def acceleration(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, of: str | int | Frame, at: Any = None, in_: str | int | Frame | None = None, out: Any = None) -> NDArray[Any]:
        """
        The acceleration of a frame, (…, 6), without gravity: linear (m/s²) above angular (rad/s²).

        q: configurations, (…, nq). v, a: (…, nv).
        of: a frame. at: None (its origin), a frame (that one's origin) or (frame, position in it): the material point of `of` that is there. in_: the frame along whose axes the result is; None: the world.
        """

    def jacobian(self, q: ArrayLike, of: str | int | Frame, at: Any = None, in_: str | int | Frame | None = None, out: Any = None) -> NDArray[Any]:
        """
        The Jacobian J of a frame, (…, 6, nv), linear above angular: velocity(q, v, of, at, in_) = J v.

        q: configurations, (…, nq). of: a frame. at: None (its origin), a frame (that one's origin) or (frame, position in it): the material point of `of` that is there. in_: the frame along whose axes the result is; None: the world.
        """

    def jacobian_rate(self, q: ArrayLike, v: ArrayLike, of: str | int | Frame, at: Any = None, in_: str | int | Frame | None = None, out: Any = None) -> NDArray[Any]:
        """
        The time derivative of the Jacobian, (…, 6, nv).

        q: configurations, (…, nq). v: velocities, (…, nv).
        of: a frame. at: None (its origin), a frame (that one's origin) or (frame, position in it): the material point of `of` that is there. in_: the frame along whose axes the result is; None: the world.
        """

    def joint_jacobians(self, q: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The motion vectors of all degrees of freedom, (…, 6, nv), at the world's origin and along its axes.

        q: configurations, (…, nq).
        """

    def center_of_mass(self, q: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The center of mass of all links in the world, (…, 3); m.

        q: configurations, (…, nq).
        """

    def center_of_mass_jacobian(self, q: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The Jacobian of the center of mass, (…, 3, nv).

        q: configurations, (…, nq).
        """

    def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> NDArray[Any]:
        """
        The generalized forces tau, (…, nv), for the acceleration a, by the recursive Newton–Euler algorithm; N m, N.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        a: accelerations, (…, nv); rad/s², m/s².
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes.
        out: an array for the result, of its shape and type.
        """

    def forward_dynamics(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> NDArray[Any]:
        """
        The acceleration a, (…, nv), for the generalized forces tau, by the articulated-body algorithm; rad/s², m/s².

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        tau: generalized forces, (…, nv); N m, N.
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes.
        out: an array for the result, of its shape and type.
        """

    def bias_forces(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The bias forces h(q, v), (…, nv): Coriolis, centrifugal and gravity forces; N m, N.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        out: an array for the result, of its shape and type.
        """

    def gravity_forces(self, q: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The gravity forces g(q) = h(q, 0), (…, nv); N m, N.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        out: an array for the result, of its shape and type.
        """

    def generalized_forces(self, q: ArrayLike, forces: Mapping[str, ArrayLike], out: Any = None) -> NDArray[Any]:
        """
        The generalized forces Σ Jᵀ f, (…, nv), of forces on frames.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        forces: {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes.
        out: an array for the result, of its shape and type.
        """

    def equilibrium_torques(self, q: ArrayLike, forces: Mapping[str, ArrayLike] | None = None, out: Any = None) -> NDArray[Any]:
        """
        The generalized forces g(q) - Σ Jᵀ f, (…, nv), with which the robot stays at rest.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        forces: as those of generalized_forces.
        out: an array for the result, of its shape and type.
        """

    def mass_matrix(self, q: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The mass matrix M, (…, nv, nv), both triangles, by the composite-rigid-body algorithm.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        out: an array for the result, of its shape and type.
        """

    def inverse_mass_matrix(self, q: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The inverse of the mass matrix, (…, nv, nv), both triangles.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        out: an array for the result, of its shape and type.
        """

    def coriolis_matrix(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The Coriolis matrix C(q, v), (…, nv, nv), for which h = C v + g and Ṁ - 2 C is skew-symmetric.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        out: an array for the result, of its shape and type.
        """

    def centroidal_map(self, q: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The centroidal momentum matrix A, (…, 6, nv): the momentum about the center of mass, linear above angular, is A v.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        out: an array for the result, of its shape and type.
        """

    def regressor(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The regressor Y, (…, nv, 10 body_count): inverse_dynamics = Y @ inertial_parameters(), without armature.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        a: accelerations, (…, nv); rad/s², m/s².
        out: an array for the result, of its shape and type.
        """

    def inertial_parameters(self) -> NDArray[np.float64]:
        """
        Ten numbers for each body: m, m c (3), I_xx I_xy I_xz I_yy I_yz I_zz about the body's origin, along its axes.
        """

    def kinetic_energy(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> Any:
        """
        The kinetic energy in J: a float, or an array of the leading shape.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        out: an array for the result, of its shape and type.
        """

    def potential_energy(self, q: ArrayLike, out: Any = None) -> Any:
        """
        The potential energy of gravity in J: a float, or an array of the leading shape.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        out: an array for the result, of its shape and type.
        """

    def centroidal_momentum(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The momentum about the center of mass, (…, 6), linear above angular, along the world's axes.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        out: an array for the result, of its shape and type.
        """

    def centroidal_momentum_rate(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The time derivative of the centroidal momentum, (…, 6).

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        a: accelerations, (…, nv); rad/s², m/s².
        out: an array for the result, of its shape and type.
        """

    def evaluate(self, quantities: Sequence[str], q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None, tau: ArrayLike | None = None, external: Mapping[str, ArrayLike] | None = None, frame: str | int | Frame | None = None) -> dict[str, NDArray[Any]]:
        """
        Several quantities in one pass over the states: {quantity: array}. The quantities are named like the methods.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        a: accelerations, (…, nv); rad/s², m/s².
        tau: generalized forces, (…, nv).
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes.
        frame: for 'placement' and 'jacobian'.
        """

    rnea = inverse_dynamics

    aba = forward_dynamics

    crba = mass_matrix

    def neutral(self) -> NDArray[np.float64]:
        """
        The configuration with all elements zero and quaternions (1, 0, 0, 0); an element whose limits exclude zero is at the nearer limit.
        """

    def random_configuration(self, seed: int = 0, count: int | None = None) -> NDArray[np.float64]:
        """
        A random configuration within the limits, (nq,); with count, that many, (count, nq), of the seeds seed, seed + 1, …
        """

    def integrate(self, q: ArrayLike, v: ArrayLike, dt: float = 1.0, out: Any = None) -> NDArray[Any]:
        """
        The configuration, (…, nq), that constant v reaches from q in the time dt (s).
        """

    def difference(self, q0: ArrayLike, q1: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The v, (…, nv), that takes q0 to q1 in unit time: integrate(q0, difference(q0, q1)) = q1.
        """

    def interpolate(self, q0: ArrayLike, q1: ArrayLike, t: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The configuration between q0 (t = 0) and q1 (t = 1), with constant velocity. t is a number, or an array of leading shape.
        """

    def normalize(self, q: ArrayLike, out: Any = None) -> NDArray[Any]:
        """q with its quaternions scaled to norm 1."""

    def step(self, q: NDArray[Any], v: NDArray[Any], tau: ArrayLike, dt: float, external: Mapping[str, ArrayLike] | None = None) -> list[tuple[int, str]]:
        """
        A step of the semi-implicit Euler method for many robots, in place: v += dt · forward_dynamics, then q = integrate(q, v, dt).

        q, v: (robots, nq) and (robots, nv), changed. Returns the robots that could not be moved, as (row, why); their rows stay as they were.
        """

    def read_posture(self, file_and_name: str) -> NDArray[np.float64]:
        """
        One posture of a JSON file: 'humanoid.json#handstand', or the file alone if it has only one.
        """

    def read_postures(self, path: str) -> dict[str, NDArray[np.float64]]:
        """All postures of a JSON file, by name."""

    def factorize_mass_matrix(self, q: ArrayLike) -> MassMatrixFactor:
        """A factor of M(q), q of shape (nq,), for solving with M."""

    def __repr__(self) -> str: ...

    def __copy__(self) -> Model: ...

    def __deepcopy__(self, memo: object) -> Model: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def load(path: str, base: str = 'file', mimic: bool = True, axis_tolerance: float = 1e-11, package_paths: Sequence[str] = [], find_meshes: bool = False, loops_file: str = '') -> Model: ...

def load_text(text: str, file_name: str = 'text', base: str = 'file', mimic: bool = True, axis_tolerance: float = 1e-11, package_paths: Sequence[str] = []) -> Model:
    """
    Loads a robot from the text of a robot file; file_name appears in findings and errors.
    """

def build(description: Description, base: str = 'file', mimic: bool = True, axis_tolerance: float = 1e-11) -> Model:
    """
    Checks a description and builds a model of it. Raises an Error with all findings if there is an error among them.
    """
