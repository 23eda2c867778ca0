"""The compiled part of lissom. Use `import lissom`."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray


__version__: str

class Error(ValueError):
    diagnostics: list[Diagnostic]

from lissom._core import (
    bridge as bridge,
    control as control,
    formulations as formulations,
    geometry as geometry,
    gpu as gpu,
    ik as ik,
    mesh as mesh,
    plan as plan,
    qp as qp,
    recording as recording,
    sim as sim,
    walking as walking
)
from lissom._core.formulations import verify as verify

def set_threads(threads: int) -> None:
    """
    How many threads calls on many states use; 0: as many as the machine has.
    """

def threads() -> int:
    """The number that set_threads() was given."""

class Work:
    """
    Work in J, or power in W, of everything that changes the energy of a system besides gravity and springs.
    """

    @property
    def motors(self) -> float:
        """Of motors: tau and servos."""

    @property
    def damping(self) -> float:
        """Of dampers and dry friction."""

    @property
    def pushes(self) -> float:
        """Of pushes, and other forces from outside."""

    @property
    def forces(self) -> float:
        """Of force laws."""

    @property
    def loops(self) -> float:
        """
        Of closed loops: constraint forces, and the projection onto closed states; ideally 0.
        """

    @property
    def limits(self) -> float:
        """Of joint limits, which only take energy."""

    @property
    def friction(self) -> float:
        """
        Of contacts along their tangents, and of torsional and rolling friction: only takes energy.
        """

    @property
    def impacts(self) -> float:
        """
        Of contacts along their normals, and of what strikes: only take energy.
        """

    @property
    def overlaps(self) -> float:
        """Of displacements that remove deep overlaps."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

    def sum(self) -> float: ...

class Color:
    """Red, green, blue and alpha, 0 to 1."""

    def __init__(self, r: float = ..., g: float = ..., b: float = ..., a: float = ...) -> None: ...

    @property
    def r(self) -> float:
        """Red, 0 to 1."""

    @r.setter
    def r(self, value: float, /) -> None: ...

    @property
    def g(self) -> float:
        """Green, 0 to 1."""

    @g.setter
    def g(self, value: float, /) -> None: ...

    @property
    def b(self) -> float:
        """Blue, 0 to 1."""

    @b.setter
    def b(self, value: float, /) -> None: ...

    @property
    def a(self) -> float:
        """Opacity, 0 to 1."""

    @a.setter
    def a(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Material:
    """How a visual looks."""

    def __init__(self, name: str = ..., color: Color = ..., texture: str = ...) -> None: ...

    @property
    def name(self) -> str:
        """Of the material; may be empty."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def color(self) -> Color:
        """Of the whole surface."""

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

    def __init__(self, kind: Literal['box', 'sphere', 'cylinder', 'capsule', 'ellipsoid', 'plane', 'mesh', 'height_field'] = ..., size: ArrayLike = ..., radius: float = ..., length: float = ..., file: str = ..., path: str = ..., scale: ArrayLike = ...) -> None: ...

    @property
    def kind(self) -> str:
        """
        'box', 'sphere', 'cylinder', 'capsule', 'ellipsoid', 'plane', 'mesh' or 'height_field'.
        """

    @kind.setter
    def kind(self, value: Literal['box', 'sphere', 'cylinder', 'capsule', 'ellipsoid', 'plane', 'mesh', 'height_field'], /) -> None: ...

    @property
    def size(self) -> object:
        """
        Box: full edge lengths; ellipsoid: radii; plane: lengths along x and y that are shown, 0: infinite; m.
        """

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
        """
        Mesh: as written; a data URI if it has no file. Height field: the data URI of its heights.
        """

    @file.setter
    def file(self, value: str, /) -> None: ...

    @property
    def path(self) -> str:
        """Path of the file, or the data URI; empty if it was not found."""

    @path.setter
    def path(self, value: str, /) -> None: ...

    @property
    def scale(self) -> object:
        """Mesh."""

    @scale.setter
    def scale(self, value: ArrayLike, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Geometry:
    """A shape fixed to a link: a visual or a collision."""

    def __init__(self, name: str = ..., origin: ArrayLike = ..., shape: Shape = ..., material: Material | None = ..., contact_material: str = ..., line: int = ..., contact_group: int = ..., contact_mask: int = ...) -> None: ...

    @property
    def name(self) -> str:
        """May be empty."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def origin(self) -> object:
        """Pose of the shape in the link's frame, 4 × 4."""

    @origin.setter
    def origin(self, value: ArrayLike, /) -> None: ...

    @property
    def shape(self) -> Shape:
        """Centered at `origin`, except for meshes."""

    @shape.setter
    def shape(self, value: Shape, /) -> None: ...

    @property
    def material(self) -> object:
        """None: the viewer chooses."""

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

    @property
    def contact_group(self) -> int:
        """
        Bits, MuJoCo's contype: two collisions of a file touch if one is in a group of the other's mask, or if they are a ContactPair.
        """

    @contact_group.setter
    def contact_group(self, value: int, /) -> None: ...

    @property
    def contact_mask(self) -> int:
        """Bits, MuJoCo's conaffinity; see contact_group."""

    @contact_mask.setter
    def contact_mask(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class LinkDescription:
    """A rigid link."""

    def __init__(self, name: str = ..., mass: float = ..., com: ArrayLike = ..., inertia: ArrayLike = ..., visuals: list[Any] = ..., collisions: list[Any] = ..., line: int = ..., connects_joints: bool = ...) -> None: ...

    @property
    def name(self) -> str:
        """Of the link, unique among links."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def mass(self) -> float:
        """kg"""

    @mass.setter
    def mass(self, value: float, /) -> None: ...

    @property
    def com(self) -> object:
        """Center of mass in the link's frame, m."""

    @com.setter
    def com(self, value: ArrayLike, /) -> None: ...

    @property
    def inertia(self) -> object:
        """About the center of mass, along the link's axes, 3 × 3, kg m²."""

    @inertia.setter
    def inertia(self, value: ArrayLike, /) -> None: ...

    @property
    def visuals(self) -> list[Any]:
        """What is shown."""

    @visuals.setter
    def visuals(self, value: list[Any], /) -> None: ...

    @property
    def collisions(self) -> list[Any]:
        """What touches, and gives contacts."""

    @collisions.setter
    def collisions(self, value: list[Any], /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    @property
    def connects_joints(self) -> bool:
        """
        A link without mass between two joints of one body, or between a joint and its child.
        """

    @connects_joints.setter
    def connects_joints(self, value: bool, /) -> None: ...

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
    def ratio(self) -> float:
        """q = ratio · q of the leader + offset."""

    @ratio.setter
    def ratio(self, value: float, /) -> None: ...

    @property
    def offset(self) -> float:
        """rad, m"""

    @offset.setter
    def offset(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class JointDescription:
    """A joint between two links."""

    def __init__(self, name: str = ..., type: Literal['fixed', 'revolute', 'continuous', 'prismatic', 'helical', 'cylindrical', 'universal', 'planar', 'spherical', 'free'] = ..., parent: str = ..., child: str = ..., origin: ArrayLike = ..., axis: ArrayLike = ..., axis2: ArrayLike = ..., pitch: float = ..., lower: Sequence[float] = ..., upper: Sequence[float] = ..., velocity_limit: float | ArrayLike = ..., effort_limit: float | ArrayLike = ..., damping: float | ArrayLike = ..., dry_friction: float | ArrayLike = ..., spring_stiffness: float | ArrayLike = ..., spring_rest: float | ArrayLike = ..., armature: float = ..., mimic: Mimic | None = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str:
        """Of the joint, unique among joints."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def type(self) -> str:
        """
        'fixed', 'revolute', 'continuous', 'prismatic', 'helical', 'cylindrical', 'universal', 'planar', 'spherical' or 'free'.
        """

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
    def origin(self) -> object:
        """
        Pose of the joint's frame, which is the child's at q = 0, in the parent link's frame, 4 × 4.
        """

    @origin.setter
    def origin(self, value: ArrayLike, /) -> None: ...

    @property
    def axis(self) -> object:
        """In the joint's frame."""

    @axis.setter
    def axis(self, value: ArrayLike, /) -> None: ...

    @property
    def axis2(self) -> object:
        """Of a universal joint."""

    @axis2.setter
    def axis2(self, value: ArrayLike, /) -> None: ...

    @property
    def pitch(self) -> float:
        """Helical: m/rad."""

    @pitch.setter
    def pitch(self, value: float, /) -> None: ...

    @property
    def lower(self) -> object:
        """Position limits for each element of q; empty: none."""

    @lower.setter
    def lower(self, value: Sequence[float], /) -> None: ...

    @property
    def upper(self) -> object:
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
    def mimic(self) -> object:
        """None: it has coordinates of its own."""

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
    def name(self) -> str:
        """Of the frame, unique among links and frames."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def link(self) -> str:
        """To which it is fixed."""

    @link.setter
    def link(self, value: str, /) -> None: ...

    @property
    def origin(self) -> object:
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
    def frame(self) -> str:
        """A link or frame, or the world's name."""

    @frame.setter
    def frame(self, value: str, /) -> None: ...

    @property
    def placement(self) -> object:
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
    def along(self) -> object:
        """x, y, z: this coordinate of b's origin in a stays 0."""

    @along.setter
    def along(self, value: Sequence[bool], /) -> None: ...

    @property
    def about(self) -> object:
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
    def name(self) -> str:
        """Of the loop."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def a(self) -> AttachmentDescription:
        """One end."""

    @a.setter
    def a(self, value: AttachmentDescription, /) -> None: ...

    @property
    def b(self) -> AttachmentDescription:
        """The other end."""

    @b.setter
    def b(self, value: AttachmentDescription, /) -> None: ...

    @property
    def axes(self) -> LoopAxes:
        """Of kind 'axes': which relative motions it holds."""

    @axes.setter
    def axes(self, value: LoopAxes, /) -> None: ...

    @property
    def kind(self) -> str:
        """'axes' or 'distance'."""

    @kind.setter
    def kind(self, value: Literal['axes', 'distance'], /) -> None: ...

    @property
    def length(self) -> object:
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
    def name(self) -> str:
        """Of the coupling."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def joint(self) -> str:
        """Which follows: q[joint] = c0 + c1 q[of] + c2 q[of]² + …"""

    @joint.setter
    def joint(self, value: str, /) -> None: ...

    @property
    def of(self) -> str:
        """The joint that it follows; empty: none."""

    @of.setter
    def of(self, value: str, /) -> None: ...

    @property
    def coefficients(self) -> object:
        """c0, c1, …"""

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
    def name(self) -> str:
        """Of the spring."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def a(self) -> AttachmentDescription:
        """One end."""

    @a.setter
    def a(self, value: AttachmentDescription, /) -> None: ...

    @property
    def b(self) -> AttachmentDescription:
        """The other end."""

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
    """
    A motor on one degree of freedom or on a tendon. With x = gear · q and the force f = gain · command + bias[0] + bias[1] x + bias[2] dx/dt, limited to its range: tau = gear · f.
    """

    def __init__(self, name: str = ..., joint: str = ..., component: int = ..., gear: float = ..., min_command: float = ..., max_command: float = ..., line: int = ..., kind: Literal['motor', 'position', 'velocity', 'general'] = ..., gain: float = ..., bias: Sequence[float] = ..., min_force: float = ..., max_force: float = ..., tendon: str = ...) -> None: ...

    @property
    def name(self) -> str:
        """Of the motor."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def joint(self) -> str:
        """That it drives; empty with a tendon."""

    @joint.setter
    def joint(self, value: str, /) -> None: ...

    @property
    def component(self) -> int:
        """Which of the joint's degrees of freedom, from 0."""

    @component.setter
    def component(self, value: int, /) -> None: ...

    @property
    def gear(self) -> float:
        """tau = gear · force."""

    @gear.setter
    def gear(self, value: float, /) -> None: ...

    @property
    def min_command(self) -> float:
        """Commands below are clamped."""

    @min_command.setter
    def min_command(self, value: float, /) -> None: ...

    @property
    def max_command(self) -> float:
        """Commands above are clamped."""

    @max_command.setter
    def max_command(self, value: float, /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    @property
    def kind(self) -> str:
        """How the file calls it; gain and bias say what it does."""

    @kind.setter
    def kind(self, value: Literal['motor', 'position', 'velocity', 'general'], /) -> None: ...

    @property
    def gain(self) -> float:
        """
        force = gain · command + bias[0] + bias[1] x + bias[2] dx/dt, with x = gear · q.
        """

    @gain.setter
    def gain(self, value: float, /) -> None: ...

    @property
    def bias(self) -> list[float]:
        """(3,), see gain."""

    @bias.setter
    def bias(self, value: Sequence[float], /) -> None: ...

    @property
    def min_force(self) -> float:
        """N m, N"""

    @min_force.setter
    def min_force(self, value: float, /) -> None: ...

    @property
    def max_force(self) -> float:
        """N m, N"""

    @max_force.setter
    def max_force(self, value: float, /) -> None: ...

    @property
    def tendon(self) -> str:
        """Instead of the joint."""

    @tendon.setter
    def tendon(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ContactMaterial:
    """The contact properties of the surface of a collision geometry."""

    def __init__(self, name: str = ..., friction: float = ..., restitution: float = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str:
        """By which geometries name it."""

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

class RootDescription:
    """
    How a root link is attached to the world if nobody asks for another base.
    """

    def __init__(self, link: str = ..., base: Literal['file', 'fixed', 'free', 'planar'] = ..., placement: ArrayLike = ..., line: int = ..., is_ground: bool = ...) -> None: ...

    @property
    def link(self) -> str:
        """A root."""

    @link.setter
    def link(self, value: str, /) -> None: ...

    @property
    def base(self) -> str:
        """'fixed' or 'free'."""

    @base.setter
    def base(self, value: Literal['file', 'fixed', 'free', 'planar'], /) -> None: ...

    @property
    def placement(self) -> object:
        """In the world, 4 × 4; of a free base: where it starts."""

    @placement.setter
    def placement(self, value: ArrayLike, /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    @property
    def is_ground(self) -> bool:
        """It stays fixed whatever base is asked for."""

    @is_ground.setter
    def is_ground(self, value: bool, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class TendonTerm:
    """One joint of a tendon."""

    def __init__(self, joint: str = ..., coefficient: float = ...) -> None: ...

    @property
    def joint(self) -> str:
        """Its name."""

    @joint.setter
    def joint(self, value: str, /) -> None: ...

    @property
    def coefficient(self) -> float:
        """Of its position in the sum."""

    @coefficient.setter
    def coefficient(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class TendonDescription:
    """
    A weighted sum of joint positions, which acts as one coordinate: a fixed tendon of MuJoCo.
    """

    def __init__(self, name: str = ..., terms: Sequence[TendonTerm] = ..., lower: float = ..., upper: float = ..., stiffness: float = ..., rest: float = ..., damping: float = ..., dry_friction: float = ..., armature: float = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str:
        """Of the tendon."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def terms(self) -> object:
        """A list of TendonTerm: Σ coefficient · q[joint]."""

    @terms.setter
    def terms(self, value: Sequence[TendonTerm], /) -> None: ...

    @property
    def lower(self) -> float:
        """Of the sum."""

    @lower.setter
    def lower(self, value: float, /) -> None: ...

    @property
    def upper(self) -> float:
        """Of the sum."""

    @upper.setter
    def upper(self, value: float, /) -> None: ...

    @property
    def stiffness(self) -> float:
        """
        Of a spring along the sum, N/m where that is a length, N m/rad where it is an angle.
        """

    @stiffness.setter
    def stiffness(self, value: float, /) -> None: ...

    @property
    def rest(self) -> float:
        """Of the sum, where the spring has no force."""

    @rest.setter
    def rest(self, value: float, /) -> None: ...

    @property
    def damping(self) -> float:
        """Force over the rate of the sum."""

    @damping.setter
    def damping(self, value: float, /) -> None: ...

    @property
    def dry_friction(self) -> float:
        """N, N m"""

    @dry_friction.setter
    def dry_friction(self, value: float, /) -> None: ...

    @property
    def armature(self) -> float:
        """Inertia of the rotor, kg, kg m²."""

    @armature.setter
    def armature(self, value: float, /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class JointPosition:
    """The position of one joint in a posture."""

    def __init__(self, joint: str = ..., q: Sequence[float] = ...) -> None: ...

    @property
    def joint(self) -> str:
        """Its name."""

    @joint.setter
    def joint(self, value: str, /) -> None: ...

    @property
    def q(self) -> object:
        """Its elements of q."""

    @q.setter
    def q(self, value: Sequence[float], /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class PostureDescription:
    """A configuration with a name, such as a keyframe of MuJoCo."""

    def __init__(self, name: str = ..., positions: Sequence[JointPosition] = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str:
        """Of the posture."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def positions(self) -> object:
        """Joints that are not listed have their neutral position."""

    @positions.setter
    def positions(self, value: Sequence[JointPosition], /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ContactExclusion:
    """Two links whose collisions do not touch each other."""

    def __init__(self, name: str = ..., a: str = ..., b: str = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str:
        """May be empty."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def a(self) -> str:
        """One link."""

    @a.setter
    def a(self, value: str, /) -> None: ...

    @property
    def b(self) -> str:
        """The other."""

    @b.setter
    def b(self, value: str, /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ContactPair:
    """
    Two collision geometries, by name, that touch each other whatever else is said.
    """

    def __init__(self, name: str = ..., a: str = ..., b: str = ..., friction: float | None = ..., line: int = ...) -> None: ...

    @property
    def name(self) -> str:
        """May be empty."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def a(self) -> str:
        """One geometry, by name."""

    @a.setter
    def a(self, value: str, /) -> None: ...

    @property
    def b(self) -> str:
        """The other."""

    @b.setter
    def b(self, value: str, /) -> None: ...

    @property
    def friction(self) -> float | None:
        """Coefficient; None: that of the geometries' materials."""

    @friction.setter
    def friction(self, value: float | None, /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class KeptAttribute:
    """Something a file says that lissom does not use but keeps."""

    def __init__(self, subject: str = ..., name: str = ..., value: str = ..., line: int = ...) -> None: ...

    @property
    def subject(self) -> str:
        """'joint 'knee'', 'option'."""

    @subject.setter
    def subject(self, value: str, /) -> None: ...

    @property
    def name(self) -> str:
        """As written."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def value(self) -> str:
        """As written."""

    @value.setter
    def value(self, value: str, /) -> None: ...

    @property
    def line(self) -> int:
        """Of the file; 0: none."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class SourceFile:
    """
    One of the files that a description was read from; lines are numbered on from file to file.
    """

    def __init__(self, file: str = ..., first_line: int = ...) -> None: ...

    @property
    def file(self) -> str:
        """Its path."""

    @file.setter
    def file(self, value: str, /) -> None: ...

    @property
    def first_line(self) -> int:
        """Number of its first line in `line` of findings."""

    @first_line.setter
    def first_line(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Description:
    """
    A robot as a file or a program describes it: links, joints and frames, each with its name and in its own frame.
    """

    def __init__(self, name: str = ..., file: str = ..., links: list[Any] = ..., joints: list[Any] = ..., frames: list[Any] = ..., loops: list[Any] = ..., couplings: list[Any] = ..., springs: list[Any] = ..., actuators: list[Any] = ..., contact_materials: list[Any] = ..., gravity: ArrayLike = ..., roots: list[Any] = ..., tendons: list[Any] = ..., postures: list[Any] = ..., contact_exclusions: list[Any] = ..., contact_pairs: list[Any] = ..., kept: list[Any] = ..., time_step: float | None = ..., sources: list[Any] = ...) -> None: ...

    @property
    def name(self) -> str:
        """Of the robot."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def file(self) -> str:
        """Where it was read from; empty if a program made it."""

    @file.setter
    def file(self, value: str, /) -> None: ...

    @property
    def links(self) -> list[Any]:
        """A list of LinkDescription."""

    @links.setter
    def links(self, value: list[Any], /) -> None: ...

    @property
    def joints(self) -> list[Any]:
        """A list of JointDescription."""

    @joints.setter
    def joints(self, value: list[Any], /) -> None: ...

    @property
    def frames(self) -> list[Any]:
        """A list of FrameDescription: named places on links."""

    @frames.setter
    def frames(self, value: list[Any], /) -> None: ...

    @property
    def loops(self) -> list[Any]:
        """A list of LoopDescription: constraints that close loops."""

    @loops.setter
    def loops(self, value: list[Any], /) -> None: ...

    @property
    def couplings(self) -> list[Any]:
        """A list of JointCoupling."""

    @couplings.setter
    def couplings(self, value: list[Any], /) -> None: ...

    @property
    def springs(self) -> list[Any]:
        """A list of SpringDescription, between points."""

    @springs.setter
    def springs(self, value: list[Any], /) -> None: ...

    @property
    def actuators(self) -> list[Any]:
        """A list of ActuatorDescription."""

    @actuators.setter
    def actuators(self, value: list[Any], /) -> None: ...

    @property
    def contact_materials(self) -> list[Any]:
        """A list of ContactMaterial."""

    @contact_materials.setter
    def contact_materials(self, value: list[Any], /) -> None: ...

    @property
    def gravity(self) -> object:
        """m/s²"""

    @gravity.setter
    def gravity(self, value: ArrayLike, /) -> None: ...

    @property
    def roots(self) -> list[Any]:
        """
        How root links are attached to the world if nobody asks for another base.
        """

    @roots.setter
    def roots(self, value: list[Any], /) -> None: ...

    @property
    def tendons(self) -> list[Any]:
        """A list of TendonDescription: sums of joint positions."""

    @tendons.setter
    def tendons(self, value: list[Any], /) -> None: ...

    @property
    def postures(self) -> list[Any]:
        """A list of PostureDescription: configurations with names."""

    @postures.setter
    def postures(self, value: list[Any], /) -> None: ...

    @property
    def contact_exclusions(self) -> list[Any]:
        """A list of ContactExclusion: links that do not touch each other."""

    @contact_exclusions.setter
    def contact_exclusions(self, value: list[Any], /) -> None: ...

    @property
    def contact_pairs(self) -> list[Any]:
        """A list of ContactPair: geometries that do."""

    @contact_pairs.setter
    def contact_pairs(self, value: list[Any], /) -> None: ...

    @property
    def kept(self) -> list[Any]:
        """What the file says and lissom does not use."""

    @kept.setter
    def kept(self, value: list[Any], /) -> None: ...

    @property
    def time_step(self) -> object:
        """s, with which the file wants to be simulated."""

    @time_step.setter
    def time_step(self, value: float | None, /) -> None: ...

    @property
    def sources(self) -> list[Any]:
        """Files in the order of their lines; empty: `file` alone."""

    @sources.setter
    def sources(self, value: list[Any], /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Diagnostic:
    """One finding about a model."""

    def __init__(self, severity: Literal['note', 'warning', 'error'] = ..., code: str = ..., file: str = ..., line: int = ..., subject: str = ..., message: str = ..., remedy: str = ...) -> None: ...

    @property
    def severity(self) -> str:
        """'note', 'warning' or 'error'."""

    @severity.setter
    def severity(self, value: Literal['note', 'warning', 'error'], /) -> None: ...

    @property
    def code(self) -> str:
        """Stable, kebab-case, for programs."""

    @code.setter
    def code(self, value: str, /) -> None: ...

    @property
    def file(self) -> str:
        """In which it was found; empty: none."""

    @file.setter
    def file(self, value: str, /) -> None: ...

    @property
    def line(self) -> int:
        """0: unknown."""

    @line.setter
    def line(self, value: int, /) -> None: ...

    @property
    def subject(self) -> str:
        """The link, joint or element that it is about."""

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

def read(path: str | os.PathLike[str], base: Literal['file', 'fixed', 'free', 'planar'] = 'file', package_paths: Iterable[str | os.PathLike[str]] = (), check_meshes: bool = True, xacro: Mapping[str, str] = {}) -> tuple[Description, list[Diagnostic]]:
    """
    The description in a robot file (URDF, xacro, MJCF or SDF), and what is wrong with it. It never raises because of the content of the file.
    """

class Joint:
    """A joint of a model."""

    @property
    def name(self) -> str:
        """Unique among joints."""

    @property
    def type(self) -> str:
        """'revolute', 'prismatic', 'free', …, as in JointDescription."""

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
    def nq(self) -> int:
        """Its number of elements of q."""

    @property
    def v_index(self) -> int:
        """Its first element of v, tau, and column of Jacobians."""

    @property
    def nv(self) -> int:
        """Its degrees of freedom: elements of v, a and tau."""

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
    def damping(self) -> float | numpy.typing.NDArray[numpy.float64]:
        """One for each degree of freedom, N m s/rad, N s/m."""

    @property
    def dry_friction(self) -> float | numpy.typing.NDArray[numpy.float64]:
        """N m, N"""

    @property
    def spring_stiffness(self) -> float | numpy.typing.NDArray[numpy.float64]:
        """N m/rad, N/m"""

    @property
    def spring_rest(self) -> float | numpy.typing.NDArray[numpy.float64]:
        """Where the spring has no force, rad, m."""

    @property
    def armature(self) -> float:
        """Inertia of the rotor, as the joint sees it, kg m², kg."""

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
    def name(self) -> str:
        """Unique among links."""

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
    def name(self) -> str:
        """Of a link, or of a frame fixed to one."""

    @property
    def index(self) -> int:
        """In Model.frames."""

    @property
    def body(self) -> int:
        """The body it is fixed to; 0 is the world."""

    @property
    def placement(self) -> numpy.typing.NDArray[numpy.float64]:
        """In the body's frame, 4 × 4."""

    def __index__(self) -> int: ...

    def __repr__(self) -> str: ...

class Actuator:
    """A motor on one degree of freedom: tau[v_index] = gear · command."""

    @property
    def name(self) -> str:
        """Of the motor."""

    @property
    def joint(self) -> int:
        """That it drives."""

    @property
    def v_index(self) -> int:
        """Its element of tau."""

    @property
    def gear(self) -> float:
        """tau = gear · force."""

    @property
    def min_command(self) -> float:
        """Commands below are clamped."""

    @property
    def max_command(self) -> float:
        """Commands above are clamped."""

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
    def name(self) -> str:
        """Of the robot."""

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
    def moving_mass(self) -> float:
        """Of the links that move, kg: without those that are fixed to the world."""

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

    def evaluate(self, quantities: Sequence[str], q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None, tau: ArrayLike | None = None, external: Mapping[str, ArrayLike] | None = None, frame: str | int | Frame | None = None, dq: ArrayLike | None = None, dv: ArrayLike | None = None, da: ArrayLike | None = None, dtau: ArrayLike | None = None, weights: ArrayLike | None = None) -> dict[str, NDArray[Any]]:
        """
        Several quantities in one pass over the states: {quantity: array}. The quantities are named like the methods; those of derivatives are 'inverse_dynamics_dq', '…_dv', '…_da', 'forward_dynamics_dq', '…_dv', '…_dtau', (…, nv, nv); a product 'inverse_dynamics_vjp' or 'forward_dynamics_vjp' is (…, 3, nv). Those with respect to inertial parameters are 'inverse_dynamics_dparameters' and 'forward_dynamics_dparameters', (…, nv, 10 body_count).

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        a: accelerations, (…, nv); rad/s², m/s².
        tau: generalized forces, (…, nv).
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes.
        frame: for 'placement' and 'jacobian'.
        dq, dv, da, dtau, weights: directions and weights of products, (…, nv).
        """

    rnea = inverse_dynamics

    aba = forward_dynamics

    crba = mass_matrix

    def inverse_dynamics_derivatives(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Iterable[Any] | None = None) -> InverseDynamicsDerivatives:
        """
        The derivatives dtau_dq, dtau_dv, M of tau = inverse_dynamics(q, v, a), each (…, nv, nv), by the recursion of Singh, Russell and Wensing (2022).

        Derivatives with respect to q are along its tangent space: column j tells what happens if q moves by integrate(q, e_j, ε).

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        a: accelerations, (…, nv); rad/s², m/s².
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes. They move with their bodies: they keep their components in the body's frame.
        out: three arrays for the results, of their shapes and type; or what an earlier call returned.
        """

    def forward_dynamics_derivatives(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Iterable[Any] | None = None) -> ForwardDynamicsDerivatives:
        """
        a = forward_dynamics(q, v, tau), (…, nv), and its derivatives da_dq, da_dv, M_inverse, each (…, nv, nv).

        Derivatives with respect to q are along its tangent space: column j tells what happens if q moves by integrate(q, e_j, ε).

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        tau: generalized forces, (…, nv); N m, N.
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes. They move with their bodies: they keep their components in the body's frame.
        out: four arrays for the results, of their shapes and type; or what an earlier call returned.
        """

    def inverse_dynamics_jvp(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> NDArray[Any]:
        """
        The change of tau = inverse_dynamics(q, v, a) along (dq, dv, da), (…, nv). It takes two to three times as long as the function itself, and needs no matrices.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        a: accelerations, (…, nv); rad/s², m/s².
        dq, dv, da: the direction, each (…, nv), dq in the tangent space of q.
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes. They move with their bodies: they keep their components in the body's frame.
        out: an array for the result, of its shape and type.
        """

    def forward_dynamics_jvp(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> NDArray[Any]:
        """
        The change of a = forward_dynamics(q, v, tau) along (dq, dv, dtau), (…, nv). It takes two to three times as long as the function itself, and needs no matrices.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        tau: generalized forces, (…, nv); N m, N.
        dq, dv, dtau: the direction, each (…, nv), dq in the tangent space of q.
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes. They move with their bodies: they keep their components in the body's frame.
        out: an array for the result, of its shape and type.
        """

    def inverse_dynamics_vjp(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, weights: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> InverseDynamicsGradient:
        """
        The gradient of weightsᵀ inverse_dynamics(q, v, a) with respect to q, v and a, each (…, nv). It takes two to three times as long as the function itself, and needs no matrices.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        a: accelerations, (…, nv); rad/s², m/s².
        weights: (…, nv).
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes. They move with their bodies: they keep their components in the body's frame.
        out: an array of shape (…, 3, nv), of which the results are views.
        """

    def forward_dynamics_vjp(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, weights: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> ForwardDynamicsGradient:
        """
        The gradient of weightsᵀ forward_dynamics(q, v, tau) with respect to q, v and tau, each (…, nv). It takes two to three times as long as the function itself, and needs no matrices.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        tau: generalized forces, (…, nv); N m, N.
        weights: (…, nv).
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes. They move with their bodies: they keep their components in the body's frame.
        out: an array of shape (…, 3, nv), of which the results are views.
        """

    def integrate_derivatives(self, q: ArrayLike, v: ArrayLike, dt: float = 1.0, out: Iterable[Any] | None = None) -> IntegrateDerivatives:
        """
        The derivatives dq, dv of q1 = integrate(q, v, dt), in the tangent spaces of q and q1, each (…, nv, nv): with blocks of one joint each on the diagonal; the identity and dt where q̇ = v.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        dt: s.
        out: two arrays for the results; or what an earlier call returned.
        """

    def linearize(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dt: float | None = None, out: Iterable[Any] | None = None) -> Linearization:
        """
        The equation of motion about a state, for the error x = (δq, δv), δq in the tangent space of q, and the input δtau: A, (…, 2 nv, 2 nv), and B, (…, 2 nv, nv).

        Without dt in continuous time: ẋ = A x + B δtau. With dt, for one step of the semi-implicit Euler method, as Model.step takes it: x(t + dt) = A x(t) + B δtau.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        tau: generalized forces, (…, nv); N m, N.
        dt: s.
        out: two arrays for the results; or what an earlier call returned.
        """

    def jacobian_derivatives(self, q: ArrayLike, of: str | int | Frame, out: Any = None) -> NDArray[Any]:
        """
        The derivatives of jacobian(q, of) (the kinematic Hessian), (…, 6, nv, nv): element (r, k, j) is the change of J[r, k] if q moves by integrate(q, e_j, ε).

        q: configurations, (…, nq). of: a frame.
        """

    def centroidal_momentum_derivatives(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        ∂h/∂q of h = centroidal_momentum(q, v), (…, 6, nv), along the tangent space of q; ∂h/∂v is centroidal_map(q).

        q: configurations, (…, nq). v: velocities, (…, nv).
        """

    def inverse_dynamics_second_order(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, weights: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The derivative of the gradient inverse_dynamics_vjp(q, v, a, weights), (…, 3 nv, 3 nv): rows are the gradients, columns the directions, each with respect to q, v, a. The part of q is the second derivative along two motions one after the other, the column's first; where q̇ = v it is the symmetric matrix of second derivatives.

        q: configurations, (…, nq). v, a, weights: (…, nv).
        """

    def forward_dynamics_second_order(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, weights: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The derivative of the gradient forward_dynamics_vjp(q, v, tau, weights), (…, 3 nv, 3 nv), as inverse_dynamics_second_order, with respect to q, v, tau.

        q: configurations, (…, nq). v, tau, weights: (…, nv).
        """

    def forward_dynamics_parameter_derivatives(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> NDArray[Any]:
        """
        ∂a/∂π = -M⁻¹ Y of a = forward_dynamics(q, v, tau) with respect to inertial_parameters(), (…, nv, 10 body_count), for constant tau and external forces; that of inverse_dynamics is regressor().

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        tau: generalized forces, (…, nv); N m, N.
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes.
        out: an array for the result, of its shape and type.
        """

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

    def variants(self, parameters: Mapping[str, ArrayLike], count: int | None = None) -> Variants:
        """
        One model per row, each with its own parameters: what randomized dynamics and identification need.

        parameters: values of links and joints by name, each with one value per row, or one for all:
          LINK.mass     (B,) kg; the link's inertia is scaled with it unless it is given, too
          LINK.com      (B, 3) m, in the link's frame
          LINK.inertia  (B, 3, 3) kg m², about the center of mass, along the link's axes
          JOINT.origin  (B, 3) m, position in the parent link's frame, or (B, 4, 4), its pose
          JOINT.length  (B,) m; moves the joint's origin to this distance from the parent's, in its direction
          JOINT.armature, damping, dry_friction, spring_stiffness, spring_rest, velocity_limit, effort_limit  (B,), or (B, nv of the joint)
        count: the number of rows, where no parameter tells it.

        Rows whose description is not valid (a negative mass, an inertia that no body has) are listed in Variants.failed; their results are NaN.
        What a row costs, on two threads of a busy server: an arm with 7 joints 0.06 ms and 60 kB to build, 0.5 to 1 µs for inverse or forward dynamics; a humanoid with 36 degrees of freedom 0.3 to 0.8 ms and 0.3 MB, 2 to 4 µs. (Rows of one model, in Model.inverse_dynamics, are three to four times as fast.) Ctrl-C stops the building.
        """

    @property
    def loops(self) -> list[LoopDescription]:
        """The closed loops, with the lengths of all rods; copies."""

    @property
    def couplings(self) -> list[JointCoupling]:
        """Joints that move together; copies."""

    @property
    def springs(self) -> list[SpringDescription]:
        """Springs between points; copies."""

    def equations(self, only: str | Sequence[str] | None = None, frame: str | int | Frame | None = None, symbols: str | Sequence[str] | None = None, max_terms: int = 1000, digits: int = 6) -> Equations:
        """
        The equations of a small mechanism in closed form.

        only: 'H' (or 'M') mass matrix, 'C' Coriolis and centrifugal forces, 'G' gravity forces, 'T' and 'U' energies, 'p', 'R' and 'J' position, orientation and Jacobian of `frame`; None: H, C and G, or with a frame p and J. symbols: what is printed as symbols: 'masses', 'lengths', 'inertias', 'all' or 'none'; gravity is one unless it is 'none'. max_terms: longer equations are refused, with an estimate. digits: of decimals.
        """

    def factorize_mass_matrix(self, q: ArrayLike) -> MassMatrixFactor:
        """A factor of M(q), q of shape (nq,), for solving with M."""

    def __repr__(self) -> str: ...

    def __copy__(self) -> Model: ...

    def __deepcopy__(self, memo: object) -> Model: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class InverseDynamicsDerivatives:
    """
    Derivatives of tau = inverse_dynamics(q, v, a), each (…, nv, nv). They can be unpacked in this order.
    """

    @property
    def dtau_dq(self) -> NDArray[Any]:
        """∂tau/∂q along the tangent space of q; N m/rad, N/m."""

    @property
    def dtau_dv(self) -> NDArray[Any]:
        """∂tau/∂v; N m s/rad, N s/m."""

    @property
    def M(self) -> NDArray[Any]:
        """∂tau/∂a, the mass matrix, both triangles; kg m², kg."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[NDArray[Any]]: ...

    def __getitem__(self, index: int, /) -> NDArray[Any]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ForwardDynamicsDerivatives:
    """
    a = forward_dynamics(q, v, tau), (…, nv), and its derivatives, each (…, nv, nv). They can be unpacked in this order.
    """

    @property
    def a(self) -> NDArray[Any]:
        """forward_dynamics(q, v, tau); rad/s², m/s²."""

    @property
    def da_dq(self) -> NDArray[Any]:
        """∂a/∂q along the tangent space of q; 1/s²."""

    @property
    def da_dv(self) -> NDArray[Any]:
        """∂a/∂v; 1/s."""

    @property
    def M_inverse(self) -> NDArray[Any]:
        """
        ∂a/∂tau, the inverse of the mass matrix, both triangles; 1/(kg m²), 1/kg.
        """

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[NDArray[Any]]: ...

    def __getitem__(self, index: int, /) -> NDArray[Any]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class InverseDynamicsGradient:
    """
    The gradient of weightsᵀ inverse_dynamics(q, v, a), each (…, nv). They can be unpacked in this order.
    """

    @property
    def q(self) -> NDArray[Any]:
        """With respect to q, along its tangent space."""

    @property
    def v(self) -> NDArray[Any]:
        """With respect to v."""

    @property
    def a(self) -> NDArray[Any]:
        """With respect to a: M weights."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[NDArray[Any]]: ...

    def __getitem__(self, index: int, /) -> NDArray[Any]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ForwardDynamicsGradient:
    """
    The gradient of weightsᵀ forward_dynamics(q, v, tau), each (…, nv). They can be unpacked in this order.
    """

    @property
    def q(self) -> NDArray[Any]:
        """With respect to q, along its tangent space."""

    @property
    def v(self) -> NDArray[Any]:
        """With respect to v."""

    @property
    def tau(self) -> NDArray[Any]:
        """With respect to tau: M⁻¹ weights."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[NDArray[Any]]: ...

    def __getitem__(self, index: int, /) -> NDArray[Any]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class IntegrateDerivatives:
    """
    Derivatives of q1 = integrate(q, v, dt), in the tangent spaces of q and q1, each (…, nv, nv). They can be unpacked in this order.
    """

    @property
    def dq(self) -> NDArray[Any]:
        """∂q1/∂q: the identity where q̇ = v."""

    @property
    def dv(self) -> NDArray[Any]:
        """∂q1/∂v: dt on the diagonal where q̇ = v; s."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[NDArray[Any]]: ...

    def __getitem__(self, index: int, /) -> NDArray[Any]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Linearization:
    """
    The equation of motion about a state, for the error x = (δq, δv) and the input δtau. They can be unpacked in this order.
    """

    @property
    def A(self) -> NDArray[Any]:
        """(…, 2 nv, 2 nv)."""

    @property
    def B(self) -> NDArray[Any]:
        """(…, 2 nv, nv)."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[NDArray[Any]]: ...

    def __getitem__(self, index: int, /) -> NDArray[Any]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Variants:
    """
    The same robot with other parameters in each row: Model.variants() makes them. Rows are evaluated on threads; the result of a row does not depend on their number.
    """

    @property
    def model(self) -> Model:
        """The robot whose variants these are."""

    @property
    def parameters(self) -> dict[str, NDArray[Any]]:
        """Copies of the values that were given."""

    @property
    def failed(self) -> list[tuple[int, str]]:
        """The rows whose description is not valid, as (row, why)."""

    def __len__(self) -> int: ...

    def __getitem__(self, row: int, /) -> Model:
        """The model of a row; an Error if its description is not valid."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

    def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> NDArray[Any]:
        """
        Generalized forces, (variants, …, nv). Arguments have the shape (variants, …, n), or (n,) for the same in all of them. Rows without a model are NaN.
        """

    def forward_dynamics(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> NDArray[Any]:
        """
        Accelerations, (variants, …, nv). Arguments have the shape (variants, …, n), or (n,) for the same in all of them. Rows without a model are NaN.
        """

    def bias_forces(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        h(q, v), (variants, …, nv). Arguments have the shape (variants, …, n), or (n,) for the same in all of them. Rows without a model are NaN.
        """

    def gravity_forces(self, q: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        g(q), (variants, …, nv). Arguments have the shape (variants, …, n), or (n,) for the same in all of them. Rows without a model are NaN.
        """

    def mass_matrix(self, q: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        M, (variants, …, nv, nv). Arguments have the shape (variants, …, n), or (n,) for the same in all of them. Rows without a model are NaN.
        """

    def inverse_mass_matrix(self, q: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The inverse of M, (variants, …, nv, nv). Arguments have the shape (variants, …, n), or (n,) for the same in all of them. Rows without a model are NaN.
        """

    def coriolis_matrix(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        C, (variants, …, nv, nv). Arguments have the shape (variants, …, n), or (n,) for the same in all of them. Rows without a model are NaN.
        """

    def centroidal_map(self, q: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The centroidal momentum matrix, (variants, …, 6, nv). Arguments have the shape (variants, …, n), or (n,) for the same in all of them. Rows without a model are NaN.
        """

    def center_of_mass(self, q: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        (variants, …, 3), m. Arguments have the shape (variants, …, n), or (n,) for the same in all of them. Rows without a model are NaN.
        """

    def kinetic_energy(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        (variants, …), J. Arguments have the shape (variants, …, n), or (n,) for the same in all of them. Rows without a model are NaN.
        """

    def potential_energy(self, q: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        (variants, …), J. Arguments have the shape (variants, …, n), or (n,) for the same in all of them. Rows without a model are NaN.
        """

    def placement(self, q: ArrayLike, frame: str | int | Frame, out: Any = None) -> NDArray[Any]:
        """
        The pose of a frame in the world, (variants, …, 4, 4). Arguments have the shape (variants, …, n), or (n,) for the same in all of them. Rows without a model are NaN.
        """

    def jacobian(self, q: ArrayLike, of: str | int | Frame, out: Any = None) -> NDArray[Any]:
        """
        The Jacobian of a frame at its origin, along the world's axes, (variants, …, 6, nv), linear above angular. Arguments have the shape (variants, …, n), or (n,) for the same in all of them. Rows without a model are NaN.
        """

    def inverse_dynamics_derivatives(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Iterable[Any] | None = None) -> InverseDynamicsDerivatives:
        """
        The derivatives dtau_dq, dtau_dv, M of tau = inverse_dynamics(q, v, a), each (…, nv, nv), by the recursion of Singh, Russell and Wensing (2022).

        Derivatives with respect to q are along its tangent space: column j tells what happens if q moves by integrate(q, e_j, ε).

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        a: accelerations, (…, nv); rad/s², m/s².
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes. They move with their bodies: they keep their components in the body's frame.
        out: three arrays for the results, of their shapes and type; or what an earlier call returned.
        """

    def forward_dynamics_derivatives(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Iterable[Any] | None = None) -> ForwardDynamicsDerivatives:
        """
        a = forward_dynamics(q, v, tau), (…, nv), and its derivatives da_dq, da_dv, M_inverse, each (…, nv, nv).

        Derivatives with respect to q are along its tangent space: column j tells what happens if q moves by integrate(q, e_j, ε).

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        tau: generalized forces, (…, nv); N m, N.
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes. They move with their bodies: they keep their components in the body's frame.
        out: four arrays for the results, of their shapes and type; or what an earlier call returned.
        """

    def inverse_dynamics_jvp(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> NDArray[Any]:
        """
        The change of tau = inverse_dynamics(q, v, a) along (dq, dv, da), (…, nv). It takes two to three times as long as the function itself, and needs no matrices.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        a: accelerations, (…, nv); rad/s², m/s².
        dq, dv, da: the direction, each (…, nv), dq in the tangent space of q.
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes. They move with their bodies: they keep their components in the body's frame.
        out: an array for the result, of its shape and type.
        """

    def forward_dynamics_jvp(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> NDArray[Any]:
        """
        The change of a = forward_dynamics(q, v, tau) along (dq, dv, dtau), (…, nv). It takes two to three times as long as the function itself, and needs no matrices.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        tau: generalized forces, (…, nv); N m, N.
        dq, dv, dtau: the direction, each (…, nv), dq in the tangent space of q.
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes. They move with their bodies: they keep their components in the body's frame.
        out: an array for the result, of its shape and type.
        """

    def inverse_dynamics_vjp(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, weights: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> InverseDynamicsGradient:
        """
        The gradient of weightsᵀ inverse_dynamics(q, v, a) with respect to q, v and a, each (…, nv). It takes two to three times as long as the function itself, and needs no matrices.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        a: accelerations, (…, nv); rad/s², m/s².
        weights: (…, nv).
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes. They move with their bodies: they keep their components in the body's frame.
        out: an array of shape (…, 3, nv), of which the results are views.
        """

    def forward_dynamics_vjp(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, weights: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> ForwardDynamicsGradient:
        """
        The gradient of weightsᵀ forward_dynamics(q, v, tau) with respect to q, v and tau, each (…, nv). It takes two to three times as long as the function itself, and needs no matrices.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        tau: generalized forces, (…, nv); N m, N.
        weights: (…, nv).
        external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes. They move with their bodies: they keep their components in the body's frame.
        out: an array of shape (…, 3, nv), of which the results are views.
        """

    def step(self, q: NDArray[Any], v: NDArray[Any], tau: ArrayLike, dt: float) -> list[tuple[int, str]]:
        """
        A step of the semi-implicit Euler method for each variant, in place: v += dt · forward_dynamics, then q = integrate(q, v, dt).

        q, v: (variants, nq) and (variants, nv), changed; tau: (variants, nv) or (nv,). Returns the rows that could not be moved, as (row, why), those without a model among them; they stay as they were. As in Model.step, damping and friction of joints are no part of it: add them to tau.
        """

class Symbol:
    """A symbol of equations in closed form."""

    @property
    def name(self) -> str:
        """'m1', 'q2'"""

    @property
    def latex(self) -> str:
        """As LaTeX writes it."""

    @property
    def kind(self) -> str:
        """'mass', 'inertia', 'length', 'gravity', 'coordinate' or 'velocity'."""

    @property
    def meaning(self) -> str:
        """In words."""

    @property
    def unit(self) -> str:
        """SI."""

    @property
    def index(self) -> int | None:
        """Of a coordinate in q, of a velocity in v; None for a parameter."""

    @property
    def value(self) -> float | None:
        """
        Of a parameter of this robot, in SI units; None for a coordinate or velocity.
        """

    def __repr__(self) -> str: ...

class ClosedForm:
    """
    A matrix whose entries are closed forms. form[i, j] is the text of one.
    """

    @property
    def name(self) -> str:
        """'H', 'C', …"""

    @property
    def meaning(self) -> str:
        """In words."""

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)"""

    @property
    def term_count(self) -> int:
        """Of all entries; those of a symmetric matrix count once."""

    def text(self, width: int = 100) -> str:
        """
        As a matrix, or entry by entry where lines would be longer than `width`.
        """

    def latex(self) -> str:
        """A line of an align environment."""

    def __getitem__(self, arg: tuple[int, int], /) -> str: ...

    def __call__(self, q: ArrayLike, v: ArrayLike | None = None, **parameters: float) -> NDArray[np.float64]:
        """
        Its value at a state, (rows, columns), with the parameters of the robot; keywords replace some of them.
        """

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

class Equations:
    """
    The equations of a robot in closed form. print() shows them, notebooks typeset them.
    """

    @property
    def forms(self) -> list[ClosedForm]:
        """All of them, in order."""

    @property
    def symbols(self) -> list[Symbol]:
        """Coordinates, velocities, and the parameters that appear."""

    def __getitem__(self, arg: str, /) -> ClosedForm: ...

    def text(self, width: int = 100) -> str: ...

    def latex(self) -> str:
        """An align* environment; needs the package amsmath."""

    def __str__(self) -> str: ...

def load_text(text: str, file_name: str = 'text', base: str = 'file', mimic: bool = True, axis_tolerance: float = 1e-11, package_paths: Sequence[str] = [], xacro: Mapping[str, str] = {}) -> Model:
    """
    Loads a robot from the text of a robot file; file_name appears in findings and errors, and a xacro file includes others relative to it.
    """

def build(description: Description, base: str = 'file', mimic: bool = True, axis_tolerance: float = 1e-11) -> Model:
    """
    Checks a description and builds a model of it. Raises an Error with all findings if there is an error among them.
    """

def write_text(description: Description, format: Literal['urdf', 'mjcf', 'sdf'], base: Literal['file', 'fixed', 'free', 'planar'] = 'file', extensions: bool = True, findings: Sequence[Diagnostic] = []) -> tuple[str, list[Diagnostic]]:
    """
    A description as the text of a URDF, MJCF or SDF file, and what the format cannot say: a warning is a loss, a note is something that is said in another way, or to lissom only. With the findings that read() has returned, what it has left out is listed, too.
    """

class Contact:
    """
    A contact of a robot with its surroundings. Its face lies in the frame's plane z = 0, and the frame's z axis points into the robot: the ground pushes along +z.
    """

    def __init__(self, frame: str = ..., against: str = ..., kind: Literal['point', 'surface', 'fixed', 'sliding'] = ..., points: ArrayLike = ..., placement: ArrayLike | None = ..., friction: float = ..., radius: float = ..., min_normal_force: float = ..., max_normal_force: float = ..., ramp: float = ..., stiffness: float = ..., damping: float = ..., name: str = ...) -> None: ...

    @property
    def frame(self) -> str:
        """Of the robot."""

    @frame.setter
    def frame(self, value: str, /) -> None: ...

    @property
    def against(self) -> str:
        """
        What it touches: the world (empty), or a frame of another body of the model, on which the reaction acts.
        """

    @against.setter
    def against(self, value: str, /) -> None: ...

    @property
    def kind(self) -> str:
        """
        'surface': a face is fixed, with forces at its corners; 'point': one point is fixed; 'fixed': a firm grip; 'sliding': a face may slide in its plane.
        """

    @kind.setter
    def kind(self, value: Literal['point', 'surface', 'fixed', 'sliding'], /) -> None: ...

    @property
    def points(self) -> object:
        """
        Corners of the face in the frame's coordinates, (n, 3), m; empty: those of the collision boxes that end in the frame's plane.
        """

    @points.setter
    def points(self, value: ArrayLike, /) -> None: ...

    @property
    def placement(self) -> object:
        """
        Pose at which the frame is constrained, in coordinates of `against`, 4 × 4; None: where it is when the contact is first active.
        """

    @placement.setter
    def placement(self, value: ArrayLike | None, /) -> None: ...

    @property
    def friction(self) -> float:
        """Coefficient."""

    @friction.setter
    def friction(self, value: float, /) -> None: ...

    @property
    def radius(self) -> float:
        """Of a ball around the origin of a point contact, m."""

    @radius.setter
    def radius(self, value: float, /) -> None: ...

    @property
    def min_normal_force(self) -> float:
        """Of all points together, N."""

    @min_normal_force.setter
    def min_normal_force(self, value: float, /) -> None: ...

    @property
    def max_normal_force(self) -> float:
        """Of all points together, N."""

    @max_normal_force.setter
    def max_normal_force(self, value: float, /) -> None: ...

    @property
    def ramp(self) -> float:
        """
        Time in which the limit on the normal force grows when the contact is activated, and falls when it is released, s.
        """

    @ramp.setter
    def ramp(self, value: float, /) -> None: ...

    @property
    def stiffness(self) -> float:
        """Of the stabilization of drift, 1/s²."""

    @stiffness.setter
    def stiffness(self, value: float, /) -> None: ...

    @property
    def damping(self) -> float:
        """Of the stabilization of drift, 1/s."""

    @damping.setter
    def damping(self, value: float, /) -> None: ...

    @property
    def name(self) -> str:
        """Empty: that of the frame."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def weight(robot: Model) -> float:
    """The weight of the robot: its mass times |gravity|, N."""

class RobotSnapshot:
    """
    The robot at one instant: what tasks read, computed once. A task gets one for the time of its evaluate(). All arrays are copies.
    """

    def __init__(self, robot: Model, q: ArrayLike, v: ArrayLike | None = None) -> None: ...

    @property
    def q(self) -> NDArray[np.float64]:
        """(nq,)"""

    @property
    def v(self) -> NDArray[np.float64]:
        """(nv,)"""

    @property
    def M(self) -> NDArray[np.float64]:
        """Mass matrix, (nv, nv)."""

    @property
    def h(self) -> NDArray[np.float64]:
        """Bias forces, with gravity, (nv,)."""

    @property
    def A(self) -> NDArray[np.float64]:
        """Centroidal momentum matrix, (6, nv)."""

    @property
    def momentum(self) -> NDArray[np.float64]:
        """A v, linear and angular about the center of mass, (6,)."""

    @property
    def momentum_rate(self) -> NDArray[np.float64]:
        """Ȧ v, (6,)."""

    @property
    def com(self) -> NDArray[np.float64]:
        """Center of mass, (3,), m."""

    @property
    def mass(self) -> float:
        """kg"""

    def placement(self, frame: str) -> NDArray[np.float64]:
        """Pose of the frame in the world, 4 × 4."""

    def velocity(self, frame: str, at: ArrayLike | None = None) -> NDArray[np.float64]:
        """
        Velocity, (6,), of the frame's particle at a point in the world (None: its origin), along the world's axes.
        """

    def acceleration(self, frame: str, at: ArrayLike | None = None) -> NDArray[np.float64]:
        """J̇ v, (6,): acceleration of the same particle at a = 0."""

    def jacobian(self, frame: str, at: ArrayLike | None = None, R: ArrayLike | None = None) -> NDArray[np.float64]:
        """
        Jacobian of the same particle, (6, nv), linear rows first, along the columns of R (None: the world's axes).
        """

    def relative(self, frame: str, from_: str, at: ArrayLike | None = None, R: ArrayLike | None = None) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """
        Motion of `frame` relative to `from_`, at a point in the world, along the axes of `from_` rotated by R: (X, velocity, Jdot_v, J).
        """

class StancePolygon:
    """
    A convex polygon of the surroundings on which a contact may lie anywhere.
    """

    def __init__(self, pose: ArrayLike = ..., corners: ArrayLike = ..., margin: float = ...) -> None: ...

    @property
    def pose(self) -> object:
        """4 × 4; z is the normal, out of the solid."""

    @pose.setter
    def pose(self, value: ArrayLike, /) -> None: ...

    @property
    def corners(self) -> object:
        """In its plane z = 0, counter-clockwise about +z, (n, 3), m."""

    @corners.setter
    def corners(self, value: ArrayLike, /) -> None: ...

    @property
    def margin(self) -> float:
        """Distance of the contact's corners from the edges, m."""

    @margin.setter
    def margin(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class StanceObstacle:
    """A solid that the robot keeps away from."""

    def __init__(self, name: str = ..., shape: Shape = ..., pose: ArrayLike = ...) -> None: ...

    @property
    def name(self) -> str:
        """Of the obstacle."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def shape(self) -> Shape:
        """A Shape, no mesh."""

    @shape.setter
    def shape(self, value: Shape, /) -> None: ...

    @property
    def pose(self) -> object:
        """In the world, 4 × 4."""

    @pose.setter
    def pose(self, value: ArrayLike, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class StanceContact:
    """A contact that the robot shall stand on."""

    def __init__(self, frame: str = ..., placement: ArrayLike | None = ..., kind: Literal['point', 'surface', 'fixed', 'sliding'] | None = ..., friction: float = ..., points: ArrayLike = ..., radius: float | None = ..., polygon: StancePolygon | None = ..., carries: bool = ..., min_normal_force: float = ..., max_normal_force: float = ..., on: int = ...) -> None: ...

    @property
    def frame(self) -> str:
        """Of the robot."""

    @frame.setter
    def frame(self, value: str, /) -> None: ...

    @property
    def placement(self) -> object:
        """
        Pose of its frame in the world, 4 × 4; None: anywhere on the ground, level, near to where it is at the start.
        """

    @placement.setter
    def placement(self, value: ArrayLike | None, /) -> None: ...

    @property
    def kind(self) -> object:
        """
        None: a surface if `points` or the collision boxes of the frame's body give one, otherwise a point.
        """

    @kind.setter
    def kind(self, value: Literal['point', 'surface', 'fixed', 'sliding'] | None, /) -> None: ...

    @property
    def friction(self) -> float:
        """Coefficient."""

    @friction.setter
    def friction(self, value: float, /) -> None: ...

    @property
    def points(self) -> object:
        """Corners of its face in the frame's coordinates, (n, 3), m."""

    @points.setter
    def points(self, value: ArrayLike, /) -> None: ...

    @property
    def radius(self) -> object:
        """
        Of a point contact that is a ball about its point, m; None: that of the collision sphere there.
        """

    @radius.setter
    def radius(self, value: float | None, /) -> None: ...

    @property
    def polygon(self) -> object:
        """
        Where it may lie if it has no placement: anywhere on this polygon, flat on it and turned in any way about its normal; None: on the ground.
        """

    @polygon.setter
    def polygon(self, value: StancePolygon | None, /) -> None: ...

    @property
    def carries(self) -> bool:
        """False: it touches without force."""

    @carries.setter
    def carries(self, value: bool, /) -> None: ...

    @property
    def min_normal_force(self) -> float:
        """Of all its points together, N."""

    @min_normal_force.setter
    def min_normal_force(self, value: float, /) -> None: ...

    @property
    def max_normal_force(self) -> float:
        """Of all its points together, N."""

    @max_normal_force.setter
    def max_normal_force(self, value: float, /) -> None: ...

    @property
    def on(self) -> int:
        """
        The obstacle that it touches, as an index, from which its link then need not keep away; -1: none.
        """

    @on.setter
    def on(self, value: int, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class StanceForces:
    """
    A contact of a stance with its forces. Vectors are along the world's axes.
    """

    def __init__(self, frame: str = ..., kind: Literal['point', 'surface', 'fixed', 'sliding'] = ..., placement: ArrayLike = ..., points: ArrayLike = ..., point_forces: ArrayLike = ..., force: ArrayLike = ..., torque: ArrayLike = ..., normal: float = ..., friction_use: float = ...) -> None: ...

    @property
    def frame(self) -> str:
        """Of the contact."""

    @frame.setter
    def frame(self, value: str, /) -> None: ...

    @property
    def kind(self) -> str:
        """'surface', 'point' or 'fixed'."""

    @kind.setter
    def kind(self, value: Literal['point', 'surface', 'fixed', 'sliding'], /) -> None: ...

    @property
    def placement(self) -> numpy.typing.NDArray[numpy.float64]:
        """Of the frame, as found, 4 × 4."""

    @placement.setter
    def placement(self, value: ArrayLike, /) -> None: ...

    @property
    def points(self) -> numpy.typing.NDArray[numpy.float64]:
        """In the world, (n, 3), m; a grip has none."""

    @points.setter
    def points(self, value: ArrayLike, /) -> None: ...

    @property
    def point_forces(self) -> numpy.typing.NDArray[numpy.float64]:
        """(n, 3), N"""

    @point_forces.setter
    def point_forces(self, value: ArrayLike, /) -> None: ...

    @property
    def force(self) -> numpy.typing.NDArray[numpy.float64]:
        """Of all points on the frame, N."""

    @force.setter
    def force(self, value: ArrayLike, /) -> None: ...

    @property
    def torque(self) -> numpy.typing.NDArray[numpy.float64]:
        """About the frame's origin, N m."""

    @torque.setter
    def torque(self, value: ArrayLike, /) -> None: ...

    @property
    def normal(self) -> float:
        """N"""

    @normal.setter
    def normal(self, value: float, /) -> None: ...

    @property
    def friction_use(self) -> float:
        """
        Largest |tangent| / (friction · normal) of the points with a normal force.
        """

    @friction_use.setter
    def friction_use(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Stance:
    """The result of find_stance()."""

    def __init__(self, status: Literal['found', 'no_posture', 'not_balanced', 'torque_limits'] = ..., what: str = ..., q: ArrayLike = ..., torques: ArrayLike = ..., contacts: Sequence[StanceForces] = ..., com: ArrayLike = ..., balance_margin: float = ..., support: ArrayLike = ..., max_torque_use: float = ..., max_torque_joint: str = ..., max_friction_use: float = ..., posture_distance: float = ..., starts: int = ..., iterations: int = ..., remarks: Sequence[str] = ...) -> None: ...

    @property
    def status(self) -> str:
        """
        'found'; 'no_posture': contacts or the center of mass do not reach their targets; 'not_balanced': no forces within the cones balance the robot; 'torque_limits': only with torques beyond the limits.
        """

    @status.setter
    def status(self, value: Literal['found', 'no_posture', 'not_balanced', 'torque_limits'], /) -> None: ...

    @property
    def what(self) -> str:
        """
        If none was found, why. All other fields then describe the best posture that was found.
        """

    @what.setter
    def what(self, value: str, /) -> None: ...

    @property
    def q(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nq,)"""

    @q.setter
    def q(self, value: ArrayLike, /) -> None: ...

    @property
    def torques(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,), zero without a motor."""

    @torques.setter
    def torques(self, value: ArrayLike, /) -> None: ...

    @property
    def contacts(self) -> list[StanceForces]:
        """Forces and corners of each, a list of StanceForces."""

    @contacts.setter
    def contacts(self, value: Sequence[StanceForces], /) -> None: ...

    @property
    def com(self) -> numpy.typing.NDArray[numpy.float64]:
        """Center of mass, m."""

    @com.setter
    def com(self, value: ArrayLike, /) -> None: ...

    @property
    def balance_margin(self) -> float:
        """
        How far the center of mass may move in every horizontal direction within the support region, m; negative: how far it is outside.
        """

    @balance_margin.setter
    def balance_margin(self, value: float, /) -> None: ...

    @property
    def support(self) -> numpy.typing.NDArray[numpy.float64]:
        """Corners of the support region, counter-clockwise, at z = 0, (n, 3), m."""

    @support.setter
    def support(self, value: ArrayLike, /) -> None: ...

    @property
    def max_torque_use(self) -> float:
        """|torque| / effort limit."""

    @max_torque_use.setter
    def max_torque_use(self, value: float, /) -> None: ...

    @property
    def max_torque_joint(self) -> str:
        """The joint with that torque."""

    @max_torque_joint.setter
    def max_torque_joint(self, value: str, /) -> None: ...

    @property
    def max_friction_use(self) -> float:
        """Largest |tangent| / (friction · normal) of all contacts."""

    @max_friction_use.setter
    def max_friction_use(self, value: float, /) -> None: ...

    @property
    def posture_distance(self) -> float:
        """Root of the sum of squares of joint displacements from from_."""

    @posture_distance.setter
    def posture_distance(self, value: float, /) -> None: ...

    @property
    def starts(self) -> int:
        """Postures from which it was searched."""

    @starts.setter
    def starts(self, value: int, /) -> None: ...

    @property
    def iterations(self) -> int:
        """Of all starts together."""

    @iterations.setter
    def iterations(self, value: int, /) -> None: ...

    @property
    def remarks(self) -> list[str]:
        """What was assumed about the problem."""

    @remarks.setter
    def remarks(self, value: Sequence[str], /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def find_stance(robot: Model, contacts: Sequence[str | StanceContact], *, from_: ArrayLike | None = None, start: ArrayLike | None = None, com: ArrayLike | None = None, com_height: bool = True, com_margin: float = 0.02, torque_fraction: float = 0.9, ground: float | None = 0.0, obstacles: Sequence[StanceObstacle] = (), self_collision: bool = False, clearance: float = 0.01, clearances: Mapping[str, float] = {}, starts: int = 3, seed: int = 0) -> Stance:
    """
    Finds a posture in which the robot is at rest on the contacts, near from_, (nq,).

    contacts: names of frames, or StanceContact. from_: None: the neutral posture, at a height that brings the contacts to the ground. start: where the search begins; None: at from_. com: target of the center of mass, (3,), or (2,) for any height, m; None: chosen so that the robot is balanced. com_margin: distance from the edge of the support region, if possible, m. torque_fraction: of the effort limits that may be used. ground: height below which no collision shape may be, m; None: no such limit. obstacles: solids from which it keeps the distance clearance, m; with self_collision, links keep it from each other, too. clearances: larger distances of the bodies of some frames from obstacles, m. The same arguments give the same result.
    """

class LimbContact:
    """
    A place with which a robot can touch: the sole of a foot, a palm, the ball at the end of a leg.
    """

    def __init__(self, name: str = ..., link: str = ..., role: Literal['foot', 'hand', 'pad'] = ..., kind: Literal['point', 'surface', 'fixed', 'sliding'] = ..., pose: ArrayLike = ..., points: ArrayLike = ..., radius: float = ..., friction: float = ..., joints: Sequence[str] = ..., why: str = ...) -> None: ...

    @property
    def name(self) -> str:
        """A frame of this name is in the model."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def link(self) -> str:
        """That carries it."""

    @link.setter
    def link(self, value: str, /) -> None: ...

    @property
    def role(self) -> str:
        """'foot', 'hand' or 'pad'."""

    @role.setter
    def role(self, value: Literal['foot', 'hand', 'pad'], /) -> None: ...

    @property
    def kind(self) -> str:
        """'surface': a polygon; 'point': a ball (radius > 0) or a bare point."""

    @kind.setter
    def kind(self, value: Literal['point', 'surface', 'fixed', 'sliding'], /) -> None: ...

    @property
    def pose(self) -> object:
        """
        Of the contact's frame in the link, 4 × 4: the origin is the middle of the face or the center of the ball, z points into the robot, x forward.
        """

    @pose.setter
    def pose(self, value: ArrayLike, /) -> None: ...

    @property
    def points(self) -> object:
        """Corners of the face in the contact's frame, (n, 3), m."""

    @points.setter
    def points(self, value: ArrayLike, /) -> None: ...

    @property
    def radius(self) -> float:
        """Of the ball, m."""

    @radius.setter
    def radius(self, value: float, /) -> None: ...

    @property
    def friction(self) -> float:
        """Coefficient."""

    @friction.setter
    def friction(self, value: float, /) -> None: ...

    @property
    def joints(self) -> object:
        """Of the limb, from the trunk to the link."""

    @joints.setter
    def joints(self, value: Sequence[str], /) -> None: ...

    @property
    def why(self) -> str:
        """How it was found."""

    @why.setter
    def why(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class RobotContacts:
    """The contacts of a robot, and a posture in which it can stand."""

    def __init__(self, limbs: Sequence[LimbContact] = ..., posture: Any = ..., base: ArrayLike = ..., source: str = ..., remarks: Sequence[str] = ...) -> None: ...

    @property
    def limbs(self) -> list[LimbContact]:
        """Feet first, front before rear, left before right."""

    @limbs.setter
    def limbs(self, value: Sequence[LimbContact], /) -> None: ...

    @property
    def posture(self) -> dict[str, list[float]]:
        """Nominal joint positions; joints that are not listed are neutral."""

    @posture.setter
    def posture(self, value: Any, /) -> None: ...

    @property
    def base(self) -> numpy.typing.NDArray[numpy.float64]:
        """Orientation of the base in which it stands, 3 × 3."""

    @base.setter
    def base(self, value: ArrayLike, /) -> None: ...

    @property
    def source(self) -> str:
        """The file that they were read from; empty: proposed."""

    @source.setter
    def source(self, value: str, /) -> None: ...

    @property
    def remarks(self) -> list[str]:
        """What was assumed, and what looks wrong."""

    @remarks.setter
    def remarks(self, value: Sequence[str], /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def propose_contacts(robot: Description | Model) -> RobotContacts:
    """
    The feet and hands of a robot that has no file, found from its description alone.
    """

def read_contacts(robot: Description | Model, path: str | os.PathLike[str]) -> RobotContacts:
    """Reads a contacts file (docs/contacts-file.md) of this robot."""

def write_contacts(robot: Description | Model, contacts: RobotContacts, path: str | os.PathLike[str]) -> None:
    """
    Writes a contacts file; ROBOT.contacts.json beside the robot's file is found by contacts().
    """

def nominal_configuration(robot: Model, contacts: RobotContacts) -> NDArray[np.float64]:
    """
    The posture of its contacts, (nq,), with the base such that the lowest foot touches z = 0.
    """

def contacts(file: str | os.PathLike[str], *, contacts_file: str | os.PathLike[str] = '', packages: Iterable[str | os.PathLike[str]] = (), propose: bool = False) -> RobotContacts:
    """
    The feet and hands of a robot (URDF, xacro, MJCF or SDF): of contacts_file, or of ROBOT.contacts.json beside it, or found from its file alone (always, with propose). packages: directories in which package://NAME/… is searched.

    Raises Error with the reason if it has no feet.
    """

def control_contacts(contacts: RobotContacts, role: Literal['foot', 'hand', 'pad'] = 'foot') -> list[Contact]:
    """The feet, or other limbs, as contacts of a controller."""

def stance_contacts(contacts: RobotContacts, role: Literal['foot', 'hand', 'pad'] = 'foot') -> list[StanceContact]:
    """
    The feet, or other limbs, as contacts of find_stance(), anywhere on the ground.
    """

def load_standing_robot(file: str | os.PathLike[str], *, contacts_file: str | os.PathLike[str] = '', packages: Iterable[str | os.PathLike[str]] = (), propose: bool = False) -> tuple[Model, RobotContacts, Stance]:
    """
    Loads a robot with a free base and a frame for each contact, and finds how it stands on its feet on the ground z = 0: the model, its contacts, and the stance, whose q it is.

    Raises Error if it does not.
    """

class Dual:
    """
    A dual number value + slope · ε, ε² = 0: a function of it gives its value and, exactly, its derivative in one direction. It mixes with floats; NumPy's sin, cos, tan, sqrt, exp, log, arcsin, arccos, arctan, arctan2, hypot, sinh, cosh and tanh take it, alone or in object arrays.
    """

    def __init__(self, value: float, slope: float = 0.0) -> None: ...

    @property
    def value(self) -> float:
        """The value."""

    @property
    def slope(self) -> float:
        """The derivative in one direction."""

    @overload
    def __add__(self, arg: Dual, /) -> Dual: ...

    @overload
    def __add__(self, arg: float, /) -> Dual: ...

    def __radd__(self, arg: float, /) -> Dual: ...

    @overload
    def __sub__(self, arg: Dual, /) -> Dual: ...

    @overload
    def __sub__(self, arg: float, /) -> Dual: ...

    def __rsub__(self, arg: float, /) -> Dual: ...

    @overload
    def __mul__(self, arg: Dual, /) -> Dual: ...

    @overload
    def __mul__(self, arg: float, /) -> Dual: ...

    def __rmul__(self, arg: float, /) -> Dual: ...

    @overload
    def __truediv__(self, arg: Dual, /) -> Dual: ...

    @overload
    def __truediv__(self, arg: float, /) -> Dual: ...

    def __rtruediv__(self, arg: float, /) -> Dual: ...

    @overload
    def __pow__(self, arg: Dual, /) -> Dual: ...

    @overload
    def __pow__(self, arg: float, /) -> Dual: ...

    def __rpow__(self, arg: float, /) -> Dual: ...

    def __neg__(self) -> Dual: ...

    def __pos__(self) -> Dual: ...

    def __abs__(self) -> Dual: ...

    @overload
    def __lt__(self, arg: Dual, /) -> bool: ...

    @overload
    def __lt__(self, arg: float, /) -> bool: ...

    @overload
    def __le__(self, arg: Dual, /) -> bool: ...

    @overload
    def __le__(self, arg: float, /) -> bool: ...

    @overload
    def __gt__(self, arg: Dual, /) -> bool: ...

    @overload
    def __gt__(self, arg: float, /) -> bool: ...

    @overload
    def __ge__(self, arg: Dual, /) -> bool: ...

    @overload
    def __ge__(self, arg: float, /) -> bool: ...

    @overload  # type: ignore[override]
    def __eq__(self, arg: Dual, /) -> bool: ...

    @overload
    def __eq__(self, arg: float, /) -> bool: ...

    @overload  # type: ignore[override]
    def __ne__(self, arg: Dual, /) -> bool: ...

    @overload
    def __ne__(self, arg: float, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __bool__(self) -> bool: ...

    def sin(self) -> Dual: ...

    def cos(self) -> Dual: ...

    def tan(self) -> Dual: ...

    def sqrt(self) -> Dual: ...

    def exp(self) -> Dual: ...

    def log(self) -> Dual: ...

    def arcsin(self) -> Dual: ...

    def arccos(self) -> Dual: ...

    def arctan(self) -> Dual: ...

    @overload
    def arctan2(self, x: Dual) -> Dual: ...

    @overload
    def arctan2(self, x: float) -> Dual: ...

    @overload
    def hypot(self, y: Dual) -> Dual: ...

    @overload
    def hypot(self, y: float) -> Dual: ...

    def sinh(self) -> Dual: ...

    def cosh(self) -> Dual: ...

    def tanh(self) -> Dual: ...

    def conjugate(self) -> Dual: ...

    def __float__(self) -> float: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[float, float]: ...

    def __setstate__(self, arg: tuple[float, float], /) -> None: ...

class Dual2:
    """
    A dual number whose value and slope are dual numbers (Dual), for second derivatives.
    """

    def __init__(self, value: Dual, slope: Dual = ...) -> None: ...

    @property
    def value(self) -> Dual:
        """The value."""

    @property
    def slope(self) -> Dual:
        """The derivative in one direction."""

    @overload
    def __add__(self, arg: Dual2, /) -> Dual2: ...

    @overload
    def __add__(self, arg: float, /) -> Dual2: ...

    def __radd__(self, arg: float, /) -> Dual2: ...

    @overload
    def __sub__(self, arg: Dual2, /) -> Dual2: ...

    @overload
    def __sub__(self, arg: float, /) -> Dual2: ...

    def __rsub__(self, arg: float, /) -> Dual2: ...

    @overload
    def __mul__(self, arg: Dual2, /) -> Dual2: ...

    @overload
    def __mul__(self, arg: float, /) -> Dual2: ...

    def __rmul__(self, arg: float, /) -> Dual2: ...

    @overload
    def __truediv__(self, arg: Dual2, /) -> Dual2: ...

    @overload
    def __truediv__(self, arg: float, /) -> Dual2: ...

    def __rtruediv__(self, arg: float, /) -> Dual2: ...

    @overload
    def __pow__(self, arg: Dual2, /) -> Dual2: ...

    @overload
    def __pow__(self, arg: float, /) -> Dual2: ...

    def __rpow__(self, arg: float, /) -> Dual2: ...

    def __neg__(self) -> Dual2: ...

    def __pos__(self) -> Dual2: ...

    def __abs__(self) -> Dual2: ...

    @overload
    def __lt__(self, arg: Dual2, /) -> bool: ...

    @overload
    def __lt__(self, arg: float, /) -> bool: ...

    @overload
    def __le__(self, arg: Dual2, /) -> bool: ...

    @overload
    def __le__(self, arg: float, /) -> bool: ...

    @overload
    def __gt__(self, arg: Dual2, /) -> bool: ...

    @overload
    def __gt__(self, arg: float, /) -> bool: ...

    @overload
    def __ge__(self, arg: Dual2, /) -> bool: ...

    @overload
    def __ge__(self, arg: float, /) -> bool: ...

    @overload  # type: ignore[override]
    def __eq__(self, arg: Dual2, /) -> bool: ...

    @overload
    def __eq__(self, arg: float, /) -> bool: ...

    @overload  # type: ignore[override]
    def __ne__(self, arg: Dual2, /) -> bool: ...

    @overload
    def __ne__(self, arg: float, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __bool__(self) -> bool: ...

    def sin(self) -> Dual2: ...

    def cos(self) -> Dual2: ...

    def tan(self) -> Dual2: ...

    def sqrt(self) -> Dual2: ...

    def exp(self) -> Dual2: ...

    def log(self) -> Dual2: ...

    def arcsin(self) -> Dual2: ...

    def arccos(self) -> Dual2: ...

    def arctan(self) -> Dual2: ...

    @overload
    def arctan2(self, x: Dual2) -> Dual2: ...

    @overload
    def arctan2(self, x: float) -> Dual2: ...

    @overload
    def hypot(self, y: Dual2) -> Dual2: ...

    @overload
    def hypot(self, y: float) -> Dual2: ...

    def sinh(self) -> Dual2: ...

    def cosh(self) -> Dual2: ...

    def tanh(self) -> Dual2: ...

    def conjugate(self) -> Dual2: ...

    def __float__(self) -> float: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Dual, Dual]: ...

    def __setstate__(self, arg: tuple[Dual, Dual], /) -> None: ...

class Chart:
    """
    Coordinates θ of a rotation R = ρ(θ) with, if there are more than three, constraints C(θ) = 0 between them. chart() gives the built-in ones, custom_chart() makes one from your own functions.
    """

    @property
    def name(self) -> str: ...

    @property
    def size(self) -> int:
        """Number of coordinates θ."""

    @property
    def constraints(self) -> int:
        """Number of constraints between them."""

    def check(self, theta: ArrayLike, tolerance: float = 1e-06) -> None:
        """
        Raises an Error if theta has the wrong size, is not finite, or violates the constraints by more than `tolerance`.
        """

    def rotation(self, theta: ArrayLike) -> NDArray[np.float64]:
        """
        The rotation matrix ρ(θ), 3 × 3. The constraints are not checked here: see check(). theta: coordinates, (size,).
        """

    def coordinates(self, R: ArrayLike) -> NDArray[np.float64]:
        """
        Coordinates of a rotation matrix, (size,). If several give the same R, built-in charts return the smallest rotation angle, or Euler angles within ±π.
        """

    def away_from_singularity(self, theta: ArrayLike) -> NDArray[np.float64]:
        """
        Coordinates of the same rotation, farther from the chart's singularity: a rotation vector longer than π is replaced by the equivalent shorter one.
        """

    def constraint(self, theta: ArrayLike) -> NDArray[np.float64]:
        """C(θ), (constraints,). theta: coordinates, (size,)."""

    def constraint_jacobian(self, theta: ArrayLike) -> NDArray[np.float64]:
        """∂C/∂θ, (constraints, size). theta: coordinates, (size,)."""

    def constraint_bias(self, theta: ArrayLike, theta_rate: ArrayLike) -> NDArray[np.float64]:
        """
        The bias in C̈ = ∂C/∂θ θ̈ + bias, (constraints,). theta: coordinates, (size,).
        """

    def inverse_condition(self, theta: ArrayLike) -> float:
        """
        Smallest over largest singular value of (J; ∂C/∂θ): 1 is well conditioned; 0 is singular, and then no θ̇ gives some angular velocities. theta: coordinates, (size,).
        """

    def rate_map(self, theta: ArrayLike, frame: Literal['world_axes', 'body_axes'] = 'world_axes') -> NDArray[np.float64]:
        """
        J with ω = J θ̇, (3, size). theta: coordinates, (size,). frame: the axes of the angular velocity, 'world_axes' or 'body_axes'.
        """

    def rate_map_rate(self, theta: ArrayLike, theta_rate: ArrayLike, frame: Literal['world_axes', 'body_axes'] = 'world_axes') -> NDArray[np.float64]:
        """
        The time derivative of J, (3, size). theta: coordinates, (size,). frame: the axes of the angular velocity, 'world_axes' or 'body_axes'.
        """

    def rates(self, theta: ArrayLike, omega: ArrayLike, frame: Literal['world_axes', 'body_axes'] = 'world_axes') -> NDArray[np.float64]:
        """
        The θ̇, (size,), with J θ̇ = ω that satisfies the constraints. Inaccurate if inverse_condition() is near 0. theta: coordinates, (size,). omega: rad/s, (3,). frame: the axes of the angular velocity, 'world_axes' or 'body_axes'.
        """

    def angular_velocity(self, theta: ArrayLike, theta_rate: ArrayLike, frame: Literal['world_axes', 'body_axes'] = 'world_axes') -> NDArray[np.float64]:
        """
        ω = J θ̇, rad/s, (3,). theta: coordinates, (size,). frame: the axes of the angular velocity, 'world_axes' or 'body_axes'.
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

def chart(name: str) -> Chart:
    """
    The built-in chart of this name: 'quaternion', 'exponential', 'roll-pitch-yaw', 'euler-zyx', …; see chart_names().
    """

def chart_names() -> list[str]:
    """The names of all built-in charts."""

def custom_chart(name: str, size: int, rho: Callable[[NDArray[Any]], Any], constraints: int = 0, constraint: Callable[[NDArray[Any]], Any] | None = None) -> Chart:
    """
    A chart of your own, from ρ and its constraint alone; derivatives are computed by dual numbers.

    name: for messages. size: number of coordinates.
    rho: takes theta, an array of `size` numbers (floats, or dual numbers as objects), and returns the rotation matrix: 3 × 3 nested lists or an array. It uses + - * / ** and NumPy's functions (np.sin, not math.sin), and no float(…).
    constraints, constraint: their number, and a function of theta that returns them; a chart of n coordinates has n - 3 or more.
    """

class ClosedLoopTorques:
    """Torques of a robot with closed loops."""

    @property
    def tau(self) -> NDArray[np.float64]:
        """(nv,), N m or N; zero where not actuated."""

    @property
    def multipliers(self) -> NDArray[np.float64]:
        """Constraint forces of the closures, one for each row."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ClosedLoops:
    """
    A robot with closed loops: dynamics, and states in which the loops are closed. It belongs to one caller at a time.

        robot = lissom.load('delta.urdf', loops_file='delta.json')
        loops = lissom.ClosedLoops(robot)
        q = loops.assemble(robot.neutral())
    """

    def __init__(self, robot: Model) -> None:
        """With the loops and couplings of the robot's description."""

    def gap(self, q: ArrayLike) -> Any:
        """
        How far the loops are open at q, (…, nq): the largest residual, m or rad; 0 if all are closed. A number, or (…,).
        """

    def project(self, q: ArrayLike, v: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """
        The nearest (q, v), in the metric of M, with which the loops are closed and stay closed; (…, nq) and (…, nv). Raises an Error where they stay open.
        """

    def project_velocity(self, q: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """
        The nearest v, (…, nv), with which the loops stay closed at a closed q.
        """

    def assemble(self, q: ArrayLike, tolerance: float = 1e-10, tries: bool = False) -> Any:
        """
        Closes the loops from any q, (nq,), also a distant one; joint limits are ignored. With tries, it returns (q, the number of random configurations that it started from; 0: q itself sufficed). Raises an Error if the loops cannot be closed from here.
        """

    def forward_dynamics(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, out: Any = None) -> NDArray[Any]:
        """
        The acceleration, (…, nv), with which the loops stay closed; then multipliers has the forces in them.
        """

    def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, actuated: Sequence[str] | ArrayLike | None = None) -> ClosedLoopTorques:
        """
        Torques of the actuated joints (names, or a truth value for each degree of freedom; None: all) for an acceleration that keeps the loops closed; those of least norm if there are more than needed.
        """

    @property
    def multipliers(self) -> NDArray[np.float64]:
        """
        Constraint forces after forward_dynamics, one for each row, N or N m: on frame b, with the reaction on a; zero for redundant rows.
        """

    @property
    def rank(self) -> int:
        """Number of independent rows, after project() or forward_dynamics()."""

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Name and unit of each row: ('rod, along x', 'm')."""

    def residual(self, q: ArrayLike) -> NDArray[np.float64]:
        """c(q), one for each row; q of shape (nq,)."""

    def jacobian(self, q: ArrayLike) -> NDArray[np.float64]:
        """J, (rows, nv), with ċ = J v."""

    def rigid_because(self, q: ArrayLike) -> str:
        """
        Why the loops admit no motion at a closed q where their linearization does; empty if there is no such reason.
        """

    def __repr__(self) -> str: ...

    def forward_dynamics_derivatives(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> ClosedLoopDerivatives:
        """
        The derivatives of forward_dynamics(q, v, tau) and of its multipliers with respect to q, v and tau.

        Derivatives with respect to q are along the tangent space of the tree. They exist in every direction, also in those that open the loops; where rows are redundant, they hold along directions that keep the loops closed.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        tau: generalized forces, (…, nv); N m, N.
        """

    def inverse_dynamics_derivatives(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, actuated: Sequence[str] | ArrayLike | None = None) -> ClosedLoopTorqueDerivatives:
        """
        The derivatives of inverse_dynamics(q, v, a, actuated) with respect to q, v and a. Raises an Error if the actuated joints cannot produce every acceleration that keeps the loops closed.

        Derivatives with respect to q are along the tangent space of the tree. They exist in every direction, also in those that open the loops; where rows are redundant, they hold along directions that keep the loops closed.

        q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).
        v: velocities, (…, nv); rad/s, m/s.
        a: accelerations, (…, nv); rad/s², m/s².
        actuated: names of joints, or a truth value for each degree of freedom; None: all.
        """

    def linearize(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> ClosedLoopLinearization:
        """
        ẋ = A x + B δtau about a closed state, for the error x = (δq, δv): A, (2 nv, 2 nv), B, (2 nv, nv), and the directions, (2 nv, 2 (nv - rank)), that keep the loops closed. lissom.sim.Integrator.linearize has discrete steps.

        q: (nq,); rad, m, unit quaternions (w, x, y, z). v: (nv,); rad/s, m/s. tau: (nv,); N m, N.
        """

class ClosedLoopDerivatives:
    """
    The acceleration a and the constraint forces λ of a robot with closed loops, and their derivatives, for `rows` loop rows. They can be unpacked in this order.
    """

    @property
    def a(self) -> NDArray[Any]:
        """(…, nv); rad/s², m/s²."""

    @property
    def multipliers(self) -> NDArray[Any]:
        """λ, (…, rows); N, N m. Zero for redundant rows."""

    @property
    def da_dq(self) -> NDArray[Any]:
        """∂a/∂q along the tangent space of q, (…, nv, nv); 1/s²."""

    @property
    def da_dv(self) -> NDArray[Any]:
        """∂a/∂v, (…, nv, nv); 1/s."""

    @property
    def da_dtau(self) -> NDArray[Any]:
        """∂a/∂tau, (…, nv, nv); 1/(kg m²), 1/kg."""

    @property
    def dlambda_dq(self) -> NDArray[Any]:
        """∂λ/∂q, (…, rows, nv)."""

    @property
    def dlambda_dv(self) -> NDArray[Any]:
        """∂λ/∂v, (…, rows, nv)."""

    @property
    def dlambda_dtau(self) -> NDArray[Any]:
        """∂λ/∂tau, (…, rows, nv)."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[NDArray[Any]]: ...

    def __getitem__(self, index: int, /) -> NDArray[Any]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ClosedLoopTorqueDerivatives:
    """
    The torques and constraint forces λ of ClosedLoops.inverse_dynamics, and their derivatives, for `rows` loop rows. They can be unpacked in this order.
    """

    @property
    def tau(self) -> NDArray[Any]:
        """(…, nv); N m, N. Zero where not actuated."""

    @property
    def multipliers(self) -> NDArray[Any]:
        """λ, (…, rows), those of least norm; N, N m."""

    @property
    def dtau_dq(self) -> NDArray[Any]:
        """∂tau/∂q along the tangent space of q, (…, nv, nv); N m/rad, N/m."""

    @property
    def dtau_dv(self) -> NDArray[Any]:
        """∂tau/∂v, (…, nv, nv); N m s/rad, N s/m."""

    @property
    def dtau_da(self) -> NDArray[Any]:
        """∂tau/∂a, (…, nv, nv); kg m², kg."""

    @property
    def dlambda_dq(self) -> NDArray[Any]:
        """∂λ/∂q, (…, rows, nv)."""

    @property
    def dlambda_dv(self) -> NDArray[Any]:
        """∂λ/∂v, (…, rows, nv)."""

    @property
    def dlambda_da(self) -> NDArray[Any]:
        """∂λ/∂a, (…, rows, nv)."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[NDArray[Any]]: ...

    def __getitem__(self, index: int, /) -> NDArray[Any]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ClosedLoopLinearization:
    """
    The equation of motion of a robot with closed loops about a state, for the error x = (δq, δv) and the input δtau. They can be unpacked in this order.
    """

    @property
    def A(self) -> NDArray[Any]:
        """(2 nv, 2 nv)."""

    @property
    def B(self) -> NDArray[Any]:
        """(2 nv, nv)."""

    @property
    def directions(self) -> NDArray[Any]:
        """
        (2 nv, 2 (nv - rank)): an orthonormal basis of the errors that keep the loops closed. At an equilibrium A takes them to themselves: the motion has the eigenvalues of directions.T @ A @ directions.
        """

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[NDArray[Any]]: ...

    def __getitem__(self, index: int, /) -> NDArray[Any]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class RigidBody:
    """A rigid body that moves freely."""

    def __init__(self, name: str = ..., mass: float = ..., inertia: ArrayLike = ..., com: ArrayLike = ..., shapes: list[Any] = ..., pose: ArrayLike = ..., velocity: ArrayLike = ..., angular_velocity: ArrayLike = ..., rounding: float = ...) -> None: ...

    @property
    def name(self) -> str:
        """Unique in its world."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def mass(self) -> float:
        """kg"""

    @mass.setter
    def mass(self, value: float, /) -> None: ...

    @property
    def inertia(self) -> object:
        """About the center of mass, along the body's axes, 3 × 3, kg m²."""

    @inertia.setter
    def inertia(self, value: ArrayLike, /) -> None: ...

    @property
    def com(self) -> object:
        """Center of mass in the body's frame, m."""

    @com.setter
    def com(self, value: ArrayLike, /) -> None: ...

    @property
    def shapes(self) -> list[Any]:
        """In the body's frame; a list of Geometry."""

    @shapes.setter
    def shapes(self, value: list[Any], /) -> None: ...

    @property
    def pose(self) -> object:
        """Where its frame starts, 4 × 4, or a pair (rotation matrix, position)."""

    @pose.setter
    def pose(self, value: ArrayLike, /) -> None: ...

    @property
    def velocity(self) -> object:
        """Of its center of mass, m/s."""

    @velocity.setter
    def velocity(self, value: ArrayLike, /) -> None: ...

    @property
    def angular_velocity(self) -> object:
        """Along the world's axes, rad/s."""

    @angular_velocity.setter
    def angular_velocity(self, value: ArrayLike, /) -> None: ...

    @property
    def rounding(self) -> float:
        """Radius of the edges of boxes and hulls, m."""

    @rounding.setter
    def rounding(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

    @staticmethod
    def homogeneous(name: str, shape: Shape, mass: float, **fields: Any) -> RigidBody:
        """
        A homogeneous body of one box, sphere, cylinder, capsule or ellipsoid. fields: pose, velocity and so on.
        """

class ContactProperties:
    """How two surfaces touch."""

    def __init__(self, friction: float = ..., impact_friction: float | None = ..., restitution: float = ..., torsional_friction: float = ..., rolling_friction: float = ..., law: Literal['newton', 'impulse'] = ...) -> None: ...

    @property
    def friction(self) -> float:
        """Coulomb's coefficient, while they touch."""

    @friction.setter
    def friction(self, value: float, /) -> None: ...

    @property
    def impact_friction(self) -> float | None:
        """In impacts; None: the same."""

    @impact_friction.setter
    def impact_friction(self, value: float | None, /) -> None: ...

    @property
    def restitution(self) -> float:
        """0: plastic, 1: elastic."""

    @restitution.setter
    def restitution(self, value: float, /) -> None: ...

    @property
    def torsional_friction(self) -> float:
        """The largest torque about the normal over the normal force, m."""

    @torsional_friction.setter
    def torsional_friction(self, value: float, /) -> None: ...

    @property
    def rolling_friction(self) -> float:
        """The largest torque about the tangents over the normal force, m."""

    @rolling_friction.setter
    def rolling_friction(self, value: float, /) -> None: ...

    @property
    def law(self) -> str:
        """
        How a restitution e > 0 acts. newton: the normal velocity after an impact is -e times that before it. impulse: the impulse is 1 + e times that of the plastic impact, so it stays in the friction cone.
        """

    @law.setter
    def law(self, value: Literal['newton', 'impulse'], /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class RobotSettings:
    """What of a robot's description acts in a world."""

    def __init__(self, joint_limits: bool = ..., dry_friction: bool = ..., damping: bool = ..., springs: bool = ..., effort_limits: bool = ..., loops: bool = ..., self_collision: bool = ...) -> None: ...

    @property
    def joint_limits(self) -> bool:
        """Position limits."""

    @joint_limits.setter
    def joint_limits(self, value: bool, /) -> None: ...

    @property
    def dry_friction(self) -> bool:
        """Of joints: exact, with stiction."""

    @dry_friction.setter
    def dry_friction(self, value: bool, /) -> None: ...

    @property
    def damping(self) -> bool:
        """Of joints, implicitly."""

    @damping.setter
    def damping(self, value: bool, /) -> None: ...

    @property
    def springs(self) -> bool:
        """Of joints."""

    @springs.setter
    def springs(self, value: bool, /) -> None: ...

    @property
    def effort_limits(self) -> bool:
        """
        Motor torques (tau and servos) stay within the effort limits of the joints.
        """

    @effort_limits.setter
    def effort_limits(self, value: bool, /) -> None: ...

    @property
    def loops(self) -> bool:
        """The robot's closed loops hold."""

    @loops.setter
    def loops(self, value: bool, /) -> None: ...

    @property
    def self_collision(self) -> bool:
        """Of links that are not neighbors in the tree."""

    @self_collision.setter
    def self_collision(self, value: bool, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Servos:
    """
    A position and velocity servo on each degree of freedom, which acts implicitly, so that stiff gains are stable: torque = stiffness (q_target - q) + damping (v_target - v) at the end of the step, within the effort limits, besides tau.
    """

    def __init__(self, stiffness: ArrayLike = ..., damping: ArrayLike = ..., q_target: ArrayLike = ..., v_target: ArrayLike = ...) -> None: ...

    @property
    def stiffness(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,), N m/rad; 0 where there is none."""

    @stiffness.setter
    def stiffness(self, value: ArrayLike, /) -> None: ...

    @property
    def damping(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,), N m s/rad"""

    @damping.setter
    def damping(self, value: ArrayLike, /) -> None: ...

    @property
    def q_target(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nq,)"""

    @q_target.setter
    def q_target(self, value: ArrayLike, /) -> None: ...

    @property
    def v_target(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,); empty: 0."""

    @v_target.setter
    def v_target(self, value: ArrayLike, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class WorldOptions:
    """How a world is simulated."""

    def __init__(self, gravity: ArrayLike = ..., tolerance: float = ..., acceptable: float = ..., max_sweeps: int = ..., max_factorizations: int = ..., max_dense_rows: int = ..., max_sweeps_of_large_islands: int = ..., margin: float = ..., allowed_overlap: float = ..., conserve: bool = ..., stepping: Literal['trapezoid', 'semi_implicit_euler'] = ..., default_properties: ContactProperties = ..., audit: bool = ...) -> None: ...

    @property
    def gravity(self) -> object:
        """m/s²"""

    @gravity.setter
    def gravity(self, value: ArrayLike, /) -> None: ...

    @property
    def tolerance(self) -> float:
        """On the residual of the contact laws, m/s."""

    @tolerance.setter
    def tolerance(self, value: float, /) -> None: ...

    @property
    def acceptable(self) -> float:
        """A step with a larger residual has not converged, m/s."""

    @acceptable.setter
    def acceptable(self, value: float, /) -> None: ...

    @property
    def max_sweeps(self) -> int:
        """Of the solver, before it takes Newton steps."""

    @max_sweeps.setter
    def max_sweeps(self, value: int, /) -> None: ...

    @property
    def max_factorizations(self) -> int:
        """Newton steps at most."""

    @max_factorizations.setter
    def max_factorizations(self, value: int, /) -> None: ...

    @property
    def max_dense_rows(self) -> int:
        """
        Islands with at most this many rows are solved with Newton steps, larger ones by sweeps, which Newton steps follow up to 600 rows. 0: sweeps alone.
        """

    @max_dense_rows.setter
    def max_dense_rows(self, value: int, /) -> None: ...

    @property
    def max_sweeps_of_large_islands(self) -> int:
        """
        Of islands with more than max_dense_rows rows, which are solved by sweeps alone.
        """

    @max_sweeps_of_large_islands.setter
    def max_sweeps_of_large_islands(self, value: int, /) -> None: ...

    @property
    def margin(self) -> float:
        """Least distance at which pairs are looked at, m."""

    @margin.setter
    def margin(self, value: float, /) -> None: ...

    @property
    def allowed_overlap(self) -> float:
        """
        Deeper overlaps, and joints farther beyond their limits, are removed by displacements, m or rad.
        """

    @allowed_overlap.setter
    def allowed_overlap(self, value: float, /) -> None: ...

    @property
    def conserve(self) -> bool:
        """
        Momentum of floating robots and energy of all robots follow from what acts on them, to rounding.
        """

    @conserve.setter
    def conserve(self, value: bool, /) -> None: ...

    @property
    def stepping(self) -> str:
        """
        trapezoid: forces at mid-step, positions move with the mean velocity. semi_implicit_euler: forces at the beginning, positions move with the velocity after the step.
        """

    @stepping.setter
    def stepping(self, value: Literal['trapezoid', 'semi_implicit_euler'], /) -> None: ...

    @property
    def default_properties(self) -> ContactProperties:
        """Of pairs for which nothing else was set."""

    @default_properties.setter
    def default_properties(self, value: ContactProperties, /) -> None: ...

    @property
    def audit(self) -> bool:
        """Whether StepReport.work says what a step did to the energy."""

    @audit.setter
    def audit(self, value: bool, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ContactReading:
    """A contact at the end of a step."""

    @property
    def a(self) -> str:
        """'robot/link', 'body', 'ground'"""

    @property
    def b(self) -> str:
        """The other one."""

    @property
    def point(self) -> NDArray[np.float64]:
        """In the world, m."""

    @property
    def normal(self) -> NDArray[np.float64]:
        """In the world; it points from b to a."""

    @property
    def gap(self) -> float:
        """m; negative: overlap."""

    @property
    def force(self) -> NDArray[np.float64]:
        """On a, mean over the step, N."""

    @property
    def slip(self) -> float:
        """Tangential speed, m/s."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class RowReading:
    """
    A row of a step: a contact, or what a robot's joints and loops have by themselves.
    """

    @property
    def name(self) -> str:
        """'contact of box and ground', 'upper limit of knee of dog'."""

    @property
    def residual(self) -> float:
        """How far it is from its law."""

    @property
    def unit(self) -> str:
        """Of that: m/s or rad/s."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class StepReport:
    """What happened in a step, or in several of them."""

    @property
    def contacts(self) -> int:
        """Points that touch or nearly do, in the last step."""

    @property
    def sweeps(self) -> int:
        """Of the solver, over all islands."""

    @property
    def factorizations(self) -> int:
        """Newton steps, over all islands."""

    @property
    def residual(self) -> float:
        """Largest violation of the contact laws, m/s."""

    @property
    def impact(self) -> bool:
        """Somebody struck."""

    @property
    def moved_apart(self) -> bool:
        """A deep overlap was removed, without effect on velocities."""

    @property
    def converged(self) -> bool:
        """All residuals were acceptable."""

    @property
    def work(self) -> Work:
        """What it did to the energy, where WorldOptions.audit asks for it, J."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ImuReading:
    """What an inertial measurement unit shows, along its axes."""

    @property
    def angular_velocity(self) -> NDArray[np.float64]:
        """rad/s"""

    @property
    def specific_force(self) -> NDArray[np.float64]:
        """Acceleration minus gravity, m/s²."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class WorldDrift:
    """
    How far one of two bodies has moved along the other although they stick.
    """

    @property
    def bodies(self) -> int:
        """Which two."""

    @property
    def center(self) -> NDArray[np.float64]:
        """m"""

    @property
    def displacement(self) -> NDArray[np.float64]:
        """Of the center, m."""

    @property
    def rotation(self) -> NDArray[np.float64]:
        """About the center, rad."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class WorldState:
    """
    Everything that the next steps of a world depend on. It can be pickled.
    """

    @property
    def time(self) -> float:
        """s"""

    @property
    def q(self) -> list[NDArray[np.float64]]:
        """Of bodies and robots, in the order in which they were added."""

    @property
    def v(self) -> list[NDArray[np.float64]]:
        """The same."""

    @property
    def tau(self) -> list[NDArray[np.float64]]:
        """The same."""

    @property
    def a(self) -> list[NDArray[np.float64]]:
        """Accelerations, from which a step predicts."""

    @property
    def impulses(self) -> list[Any]:
        """Of the last step, by contact."""

    @property
    def drifts(self) -> list[WorldDrift]:
        """Of bodies that stick."""

    @property
    def momentum(self) -> list[NDArray[np.float64]]:
        """That robots carry while they fly; empty for others."""

    @property
    def external(self) -> list[NDArray[np.float64]]:
        """Forces on robots from outside; empty for bodies."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class StepParameter:
    """A number that a step of a world depends on, besides state and forces."""

    def __init__(self, kind: Literal['friction', 'mass'] = ..., a: str = ..., b: str = ...) -> None: ...

    @property
    def kind(self) -> str:
        """
        friction: Coulomb's coefficient of the contacts between a and b. mass: the factor of scale_masses on a, at 1.
        """

    @kind.setter
    def kind(self, value: Literal['friction', 'mass'], /) -> None: ...

    @property
    def a(self) -> str:
        """
        A body, robot or fixed shape, '' for any; of a mass also a link ('robot/link').
        """

    @a.setter
    def a(self, value: str, /) -> None: ...

    @property
    def b(self) -> str:
        """The other one of a friction; '' for any."""

    @b.setter
    def b(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class StepDerivatives:
    """
    Derivatives of a step of a world in the tangent space, x = (δq, δv) of all bodies and robots in the order in which they were added: x⁺ = A x + B δtau + P δparameters, inside the modes of the contacts.
    """

    @property
    def parameters(self) -> list[StepParameter]:
        """Which ones P is for."""

    @property
    def A(self) -> NDArray[np.float64]:
        """(2N, 2N)"""

    @property
    def B(self) -> NDArray[np.float64]:
        """(2N, N)"""

    @property
    def P(self) -> NDArray[np.float64]:
        """(2N, parameters)"""

    @property
    def modes(self) -> list[Literal['separated', 'sticks', 'slides']]:
        """Of the contacts that acted: 'sticks' or 'slides'."""

    @property
    def border(self) -> float:
        """How far impulses and velocities are from another mode, m/s."""

    @property
    def gap_border(self) -> float:
        """The least |gap| of what touches, m or rad."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class World:
    """
    A world of robots, rigid bodies and fixed shapes that touch each other. It belongs to one caller at a time. options, or its fields as keyword arguments: WorldOptions.

        world = lissom.World()
        world.add_ground()
        world.add_body(lissom.RigidBody.homogeneous('box', lissom.Shape('box', size=[.1, .1, .1]), 1.0))
        report = world.step(1e-3)
    """

    def __init__(self, options: WorldOptions | None = None, **fields: Any) -> None: ...

    def add_body(self, body: RigidBody) -> None:
        """Adds a rigid body."""

    def add_robot(self, name: str, model: Model, q: ArrayLike | None = None, v: ArrayLike | None = None, settings: RobotSettings | None = None) -> None:
        """
        Adds a robot with its collision shapes. q: None is the neutral configuration; v: None is at rest.
        """

    def add_fixed(self, name: str, shape: Shape, pose: ArrayLike | None = None, rounding: float = 0.0) -> None:
        """
        Adds a shape that does not move. rounding: radius of the edges of boxes and cylinders, m.
        """

    def attach(self, name: str, robot: str, frame: Any, shapes: Iterable[Geometry]) -> None:
        """
        Adds collision shapes to a robot, in coordinates of a frame, besides those of its description: a tool, a load. They have a name of their own, for properties, exclusions and readings; they are not shown, and have no mass.
        """

    def add_ground(self, name: str = 'ground') -> None:
        """Adds the half space below z = 0."""

    def set_properties(self, a: str, b: str, properties: ContactProperties | None = None, **fields: Any) -> None:
        """
        How two things touch, by the names of bodies, robots and fixed shapes; '' stands for everything else. properties, or its fields as keyword arguments.
        """

    def properties(self, a: str, b: str) -> ContactProperties:
        """How two things touch now."""

    def exclude(self, a: str, b: str) -> None:
        """
        Lets two things pass through each other: bodies, robots, fixed shapes, or links as 'robot/link'.
        """

    def set_servos(self, robot: str, servos: Servos | None = None, **fields: Any) -> None:
        """
        Servos of a robot, or their fields as keyword arguments; without any, they are taken away.
        """

    def servos(self, robot: str) -> Servos:
        """The servos of a robot; their arrays are empty if there are none."""

    def scale_masses(self, mass: Mapping[str, float], inertia: Mapping[str, float] | None = None) -> None:
        """
        Multiplies masses and moments of inertia of bodies, robots and links ('robot/link'), by name. Moments of inertia are multiplied as the masses are, unless `inertia` says otherwise.
        """

    def q(self, name: str) -> NDArray[np.float64]:
        """
        The configuration of a robot; of a body the position of its center of mass and its quaternion (w, x, y, z). A view: writing to it changes the world.
        """

    def set_q(self, name: str, q: ArrayLike) -> None:
        """
        The configuration of a robot; of a body the position of its center of mass and its quaternion (w, x, y, z).
        """

    def v(self, name: str) -> NDArray[np.float64]:
        """
        The velocity of a robot; of a body that of its center of mass along the world's axes, and its angular velocity along its own. A view: writing to it changes the world.
        """

    def set_v(self, name: str, v: ArrayLike) -> None:
        """
        The velocity of a robot; of a body that of its center of mass along the world's axes, and its angular velocity along its own.
        """

    def tau(self, name: str) -> NDArray[np.float64]:
        """
        Generalized forces of a robot's motors, within its effort limits; of a body all that acts on it. They stay until they are set again. A view: writing to it changes the world.
        """

    def set_tau(self, name: str, tau: ArrayLike) -> None:
        """
        Generalized forces of a robot's motors, within its effort limits; of a body all that acts on it. They stay until they are set again.
        """

    def external(self, name: str) -> NDArray[np.float64]:
        """
        Generalized forces on a robot from outside, such as pushes: they act besides tau, and no limit cuts them. They stay until they are set again. A view: writing to it changes the world.
        """

    def set_external(self, name: str, external: ArrayLike) -> None:
        """
        Generalized forces on a robot from outside, such as pushes: they act besides tau, and no limit cuts them. They stay until they are set again.
        """

    def state(self) -> WorldState:
        """Everything that the next steps depend on."""

    def restore(self, state: WorldState) -> None:
        """Goes on from a state of this world, or of one made like it."""

    def clone(self) -> World:
        """Another world in the same state, which moves with the same bits."""

    def __copy__(self) -> World: ...

    def __deepcopy__(self, memo: object) -> World: ...

    def step(self, h: float, count: int = 1, progress: Callable[[int, int], Any] | None = None) -> StepReport:
        """
        Advances by count steps of h seconds each. progress(done, count) is called several times a second. Raises an Error, and changes nothing in that step, if the state or a force is not finite.
        """

    def step_with_derivatives(self, h: float, parameters: Sequence[StepParameter] = []) -> tuple[StepReport, StepDerivatives]:
        """
        Advances by one step, and gives its derivatives with respect to state, forces and parameters. Raises an Error where the step has none: an impact stage acted, or a robot has closed loops.
        """

    def add_imu(self, name: str, on: str, pose: ArrayLike | None = None) -> None:
        """
        Adds an inertial measurement unit on a rigid body, or on a link or frame of a robot ('robot/link'), at a pose in its frame.
        """

    def imu(self, name: str) -> ImuReading:
        """
        What an IMU showed in the last step: angular velocity at its end, specific force as its mean.
        """

    @property
    def imus(self) -> list[str]:
        """Names of the IMUs."""

    @property
    def time(self) -> float:
        """s"""

    @property
    def names(self) -> list[str]:
        """
        Of bodies, robots and fixed shapes, in the order in which they were added.
        """

    @property
    def moving(self) -> list[str]:
        """Of bodies and robots alone, those that have a state."""

    @property
    def notes(self) -> list[str]:
        """
        What differs from what one might expect: links that overlap at the start and do not touch each other, meshes that could not be read.
        """

    def robot(self, name: str) -> Model | None:
        """
        The robot of this name; None where a rigid body or a fixed shape has it.
        """

    def mass(self, name: str) -> float:
        """Of a rigid body, a robot or a link ('robot/link'), kg."""

    def pose(self, body: str) -> numpy.typing.NDArray[numpy.float64]:
        """The pose of a rigid body's frame, 4 × 4."""

    def contacts(self) -> list[ContactReading]:
        """The contacts with a force at the end of the last step."""

    def contact_array(self) -> NDArray[Any]:
        """The same as a structured array: a, b, point, normal, force, gap, slip."""

    def contact_force(self, name: str) -> numpy.typing.NDArray[numpy.float64]:
        """
        The sum of the contact forces on a body, a fixed shape or a link ('robot/link'), mean over the last step, N.
        """

    def worst_row(self) -> RowReading:
        """The row of the last step that is farthest from its law."""

    def loop_forces(self, robot: str) -> numpy.typing.NDArray[numpy.float64]:
        """
        Forces and torques of a robot's loops in the last step, one for each of their rows.
        """

    def motor_torques(self, robot: str) -> numpy.typing.NDArray[numpy.float64]:
        """
        Torques of a robot's motors in the last step: tau and servos, after the effort limits. Empty before a step.
        """

    def kinetic_energy(self) -> float:
        """J"""

    def potential_energy(self) -> float:
        """Of gravity and of joint springs, J."""

    def momentum(self) -> NDArray[np.float64]:
        """Linear momentum, and angular momentum about the world's origin, (6,)."""

    def __repr__(self) -> str: ...

    @property
    def name(self) -> str:
        """Of its scene; 'world' for one made in Python."""

    @property
    def description(self) -> str:
        """Of a scene file, one line."""

    def run(self, seconds: float | None = None, step: float | None = None, every: int = 1, controller: Callable[[World], Any] | None = None, progress: Callable[[float, float], Any] | None = None, stop: Callable[[], bool] | None = None, record: str | os.PathLike[str] | None = None, record_frames: Sequence[str] | None = None, settings: Mapping[str, Any] | str | None = None, max_size: float = 4.0, ros: Any = 'all') -> WorldRun:
        """
        Advances by some seconds, and returns a recording of all frames, with a report; view() shows it.

        seconds, step: None takes those of the scene file (1 and 0.001 s for a world made in Python). every: steps per frame. controller(world) is called before each step and may set tau, external and servos of the world. Servos of a scene file follow its keyframes before that; what a program has set otherwise stays. progress(done, time) is called several times a second, done is 0 … 1. stop() is asked after each step. record: a file (.mcap, .npz, .csv) that frames are also written to while the run goes on; record_frames: names of frames of WorldModel(world).model whose paths are recorded, too; settings: for its header; ros: as for recording.Recorder. max_size: GB of memory that the frames may take.

        Signals are those of `lissom sim --record` (docs/recordings.md): q, v and tau of the world as one model, energy, work, momentum, step, forces, contacts. Work is known where WorldOptions(audit=True) asks for it, as in worlds of scene files. An Error has the frames up to it as its attribute `run`.
        """

class Slip:
    """
    How two parts of a world have slid on each other, where there is friction between them.
    """

    @property
    def a(self) -> str:
        """Name of a part, or of a link ('robot/link')."""

    @property
    def b(self) -> str:
        """The other."""

    @property
    def distance(self) -> float:
        """m"""

    @property
    def max_speed(self) -> float:
        """m/s"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class WorldReport:
    """
    What happened in a run of a world: energy, momentum, contacts, warnings.
    """

    @property
    def seconds(self) -> float:
        """Simulated time, s."""

    @property
    def wall_seconds(self) -> float:
        """Time of the computation, s."""

    @property
    def steps(self) -> int:
        """Of the world."""

    @property
    def momentum_before(self) -> NDArray[np.float64]:
        """
        Linear, then angular about the world's origin, (6,), kg m/s and kg m²/s.
        """

    @property
    def momentum_after(self) -> NDArray[np.float64]:
        """The same at the end."""

    @property
    def contacts(self) -> int:
        """At the end."""

    @property
    def max_contacts(self) -> int:
        """In any step."""

    @property
    def impacts(self) -> int:
        """Steps with an impact."""

    @property
    def max_residual(self) -> float:
        """Largest violation of the contact laws, m/s."""

    @property
    def max_residual_time(self) -> float:
        """s"""

    @property
    def not_converged(self) -> int:
        """Steps."""

    @property
    def worst_row(self) -> Any:
        """Of the one of these steps with the largest residual."""

    @property
    def worst_row_time(self) -> float:
        """When that was, s."""

    @property
    def max_overlap(self) -> float:
        """Of parts that press on each other, m."""

    @property
    def overlap_a(self) -> str:
        """One of these parts."""

    @property
    def overlap_b(self) -> str:
        """The other."""

    @property
    def slips(self) -> list[Slip]:
        """The longest first."""

    @property
    def stopped(self) -> bool:
        """Whether `stop` ended the run before its time."""

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

class WorldRun(recording.Recording):
    """A recording of a run of a world, with a report."""

    @property
    def report(self) -> WorldReport:
        """Energy, momentum, contacts, warnings."""

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class WorldModel:
    """
    A world as one model, so that recordings, plots and the viewer, which know robots, show worlds as well: every robot and every rigid body hangs on the world by a joint of its own. Links and joints of a robot are called 'robot/link' and 'robot/joint'; a rigid body is a link of its name, moved by a free joint of its name; fixed shapes are links, too. A robot that is alone with the ground is its own model.

        combined = lissom.WorldModel(world)
        page = lissom.view(combined.model, live=True)
        while True:
            world.step(1e-3, 16)
            page.show(combined.read(world)[0], world.time)
    """

    def __init__(self, world: World) -> None: ...

    @property
    def model(self) -> Model:
        """The model of all parts."""

    def read(self, world: World) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """
        q, (nq,), and v, (nv,), of the model for the state of the world, or of one made like it, and the torques of motors in the last step, (nv,); zero where there are none.
        """

    def link(self, contact_name: str) -> str:
        """
        The link of the model that a contact names, such as 'robot/link' or 'body'; '' for the ground.
        """

    def __repr__(self) -> str: ...

def load_scene(path: str | os.PathLike[str]) -> World:
    """
    The world of a scene file (docs/scenes.md), with servos and forces as at its beginning. World.run() follows the file's keyframes, as `lissom sim` does.

        world = lissom.load_scene(lissom.models / 'scenes/stack.json')
        run = world.run()

    Raises an Error with the file and the path in it, what was found and what was expected.
    """

class WorldBatch:
    """
    Many worlds at once, on threads. Each moves with the same bits as it would alone. world: a World, of which copies are made, or a function of the row that returns one. threads: None takes what set_threads() says. It belongs to one caller at a time.

        batch = lissom.WorldBatch(world, 1000)
        batch.scale_masses({'box': rng.uniform(.8, 1.2, 1000)})
        failed = batch.step(1e-3, 500)
    """

    def __init__(self, world: World | Callable[[int], World], count: int, threads: int | None = None) -> None: ...

    def scale_masses(self, mass: Mapping[str, ArrayLike], inertia: Mapping[str, ArrayLike] | None = None) -> None:
        """
        Multiplies masses and moments of inertia of bodies, robots and links ('robot/link'), by name, with one factor for each world.
        """

    def set_friction(self, a: str, b: str, friction: ArrayLike) -> None:
        """
        Coulomb's coefficient of a pair of names, one for each world; what else is known of the pair stays.
        """

    def set_servos(self, robot: str, stiffness: ArrayLike, damping: ArrayLike, q_target: ArrayLike, v_target: ArrayLike | None = None) -> None:
        """
        Servos as those of a World, with one row for each world, or one vector for all of them.
        """

    def q(self, name: str) -> NDArray[np.float64]:
        """A copy, one row for each world, (worlds, nq)."""

    def set_q(self, name: str, q: ArrayLike) -> None:
        """From one row for each world, or one vector for all of them."""

    def v(self, name: str) -> NDArray[np.float64]:
        """A copy, one row for each world, (worlds, nv)."""

    def set_v(self, name: str, v: ArrayLike) -> None:
        """From one row for each world, or one vector for all of them."""

    def tau(self, name: str) -> NDArray[np.float64]:
        """A copy, one row for each world, (worlds, nv)."""

    def set_tau(self, name: str, tau: ArrayLike) -> None:
        """From one row for each world, or one vector for all of them."""

    def contact_force(self, name: str) -> NDArray[np.float64]:
        """
        The sum of the contact forces on a body, a fixed shape or a link ('robot/link'), (worlds, 3), N.
        """

    def motor_torques(self, robot: str) -> NDArray[np.float64]:
        """Torques of a robot's motors in the last step, (worlds, nv)."""

    def step(self, h: float, count: int = 1, progress: Callable[[int, int], Any] | None = None) -> list[tuple[int, str]]:
        """
        Advances every world by count steps of h seconds. A world whose step fails stops before that step, keeps the state in which that step found it, and is left out from then on. Returns (row, why) of those that stopped in this call. progress(done, count) is called several times a second.
        """

    @property
    def failures(self) -> list[tuple[int, str]]:
        """(row, why) of all worlds that have stopped."""

    def resume(self, row: int) -> None:
        """
        Lets a world that has stopped take part again; its state should have been set to a good one before.
        """

    @property
    def reports(self) -> NDArray[Any]:
        """
        StepReports of the last call as a structured array, one element for each world.
        """

    @property
    def threads(self) -> int:
        """That step() uses."""

    def __len__(self) -> int: ...

    def __getitem__(self, row: int, /) -> World:
        """The world of a row itself, not a copy."""

    def __repr__(self) -> str: ...

def operation_counts(robot: Model, algorithms: Sequence[str] = ['rnea', 'crba', 'aba']) -> dict[Any, Any]:
    """
    How many operations of each kind algorithms need for this robot, as generated code computes them:
    {algorithm: {'multiplications': …, 'additions': …, 'sincos': …}}. Names as `lissom generate --algorithms`.
    """

__all__: list[Any] = ['Error', 'set_threads', 'threads', 'Work', 'Color', 'Material', 'Shape', 'Geometry', 'LinkDescription', 'Mimic', 'JointDescription', 'FrameDescription', 'AttachmentDescription', 'LoopAxes', 'loop_axes', 'LoopDescription', 'JointCoupling', 'SpringDescription', 'ActuatorDescription', 'ContactMaterial', 'RootDescription', 'TendonTerm', 'TendonDescription', 'JointPosition', 'PostureDescription', 'ContactExclusion', 'ContactPair', 'KeptAttribute', 'SourceFile', 'Description', 'Diagnostic', 'BuildOptions', 'validate', 'read', 'Joint', 'Link', 'Frame', 'Actuator', 'MassMatrixFactor', 'Model', 'InverseDynamicsDerivatives', 'ForwardDynamicsDerivatives', 'InverseDynamicsGradient', 'ForwardDynamicsGradient', 'IntegrateDerivatives', 'Linearization', 'Variants', 'Symbol', 'ClosedForm', 'Equations', 'load_text', 'build', 'write_text', 'Contact', 'weight', 'RobotSnapshot', 'StancePolygon', 'StanceObstacle', 'StanceContact', 'StanceForces', 'Stance', 'find_stance', 'LimbContact', 'RobotContacts', 'propose_contacts', 'read_contacts', 'write_contacts', 'nominal_configuration', 'contacts', 'control_contacts', 'stance_contacts', 'load_standing_robot', 'Dual', 'Dual2', 'Chart', 'chart', 'chart_names', 'custom_chart', 'verify', 'ClosedLoopTorques', 'ClosedLoops', 'ClosedLoopDerivatives', 'ClosedLoopTorqueDerivatives', 'ClosedLoopLinearization', 'RigidBody', 'ContactProperties', 'RobotSettings', 'Servos', 'WorldOptions', 'ContactReading', 'RowReading', 'StepReport', 'ImuReading', 'WorldDrift', 'WorldState', 'StepParameter', 'StepDerivatives', 'World', 'Slip', 'WorldReport', 'WorldRun', 'WorldModel', 'load_scene', 'WorldBatch', 'operation_counts']
