# SPDX-License-Identifier: Apache-2.0
"""The data structures of a model: links of solid shapes, joints, frames.

Each link consists of a few solid boxes, cylinders and spheres. Its mass is distributed among them by volume (times a relative density),
which gives its center of mass and inertia. Units are SI, but angles are in degrees.
"""
import math
from dataclasses import dataclass, field

from .algebra import ALONG_Z, about, from_rpy, matmul, transpose

COLORS = {
    "white": (0.92, 0.93, 0.94),
    "graphite": (0.22, 0.24, 0.27),
    "steel": (0.58, 0.61, 0.65),
    "blue": (0.16, 0.38, 0.67),
    "orange": (0.91, 0.49, 0.13),
    "rubber": (0.10, 0.10, 0.11),
    "glass": (0.10, 0.55, 0.60),
}


@dataclass
class Shape:
    kind: str                # box, cylinder, sphere
    size: tuple              # box: edges; cylinder: radius, length; sphere: radius
    at: tuple = (0, 0, 0)    # center
    rpy: tuple = (0, 0, 0)   # degrees
    color: str = "white"
    density: float = 1       # relative to the other shapes of the link; 0: visual only
    collides: bool = False

    def volume(self):
        s = self.size
        if self.kind == "box":
            return s[0] * s[1] * s[2]
        if self.kind == "cylinder":
            return math.pi * s[0] ** 2 * s[1]
        return 4 / 3 * math.pi * s[0] ** 3

    def unit_inertia(self):
        """Inertia about the shape's center for mass 1, along the link's axes."""
        s = self.size
        if self.kind == "box":
            d = [(s[1] ** 2 + s[2] ** 2) / 12, (s[0] ** 2 + s[2] ** 2) / 12, (s[0] ** 2 + s[1] ** 2) / 12]
        elif self.kind == "cylinder":
            side = (3 * s[0] ** 2 + s[1] ** 2) / 12
            d = [side, side, s[0] ** 2 / 2]
        else:
            d = [0.4 * s[0] ** 2] * 3
        r = from_rpy(self.rpy)
        return matmul(matmul(r, [[d[0], 0, 0], [0, d[1], 0], [0, 0, d[2]]]), transpose(r))


def box(size, at=(0, 0, 0), **kw):
    return Shape("box", size, at, **kw)


def cylinder(radius, length, at=(0, 0, 0), rpy=ALONG_Z, **kw):
    return Shape("cylinder", (radius, length), at, rpy, **kw)


def sphere(radius, at=(0, 0, 0), **kw):
    return Shape("sphere", (radius,), at, **kw)


@dataclass
class Link:
    name: str
    mass: float = 0
    shapes: list = field(default_factory=list)
    # If given, these are not computed: center of mass, principal axes (rpy, degrees), principal moments of inertia.
    com: tuple = None
    com_rpy: tuple = (0, 0, 0)
    moments: tuple = None

    def inertial(self):
        """Center of mass, and inertia about it."""
        if self.moments:
            return self.com, [[self.moments[i] if i == j else 0 for j in range(3)] for i in range(3)]
        total = sum(s.density * s.volume() for s in self.shapes)
        parts = [(self.mass * s.density * s.volume() / total, s) for s in self.shapes if s.density > 0]
        com = [sum(m * s.at[i] for m, s in parts) / self.mass for i in range(3)]
        inertia = [[0.0] * 3 for _ in range(3)]
        for m, s in parts:
            own = s.unit_inertia()
            d = [s.at[i] - com[i] for i in range(3)]
            for i in range(3):
                for j in range(3):
                    inertia[i][j] += m * (own[i][j] + (sum(c * c for c in d) if i == j else 0) - d[i] * d[j])
        return com, inertia


@dataclass
class Joint:
    name: str
    type: str
    parent: str
    child: str
    at: tuple = (0, 0, 0)
    rpy: tuple = (0, 0, 0)   # degrees
    axis: tuple = None
    axis2: tuple = None      # universal
    pitch: float = None      # helical, meters per radian
    range: tuple = None      # limits: degrees, or meters for a prismatic joint
    effort: float = None
    velocity: float = None
    dynamics: dict = None
    mimic: tuple = None      # leader, multiplier, offset

    def limits(self):
        if self.range is None:
            return None
        return self.range if self.type == "prismatic" else tuple(math.radians(a) for a in self.range)


@dataclass
class Frame:
    name: str
    link: str
    at: tuple = (0, 0, 0)
    rpy: tuple = (0, 0, 0)


@dataclass
class Robot:
    name: str
    about: str
    links: list = field(default_factory=list)
    joints: list = field(default_factory=list)
    frames: list = field(default_factory=list)

    def link(self, *args, **kw):
        self.links.append(Link(*args, **kw))

    def joint(self, *args, **kw):
        self.joints.append(Joint(*args, **kw))

    def frame(self, *args, **kw):
        self.frames.append(Frame(*args, **kw))

    def frame_link(self, name, parent, at, rpy=(0, 0, 0)):
        """A named frame in plain URDF: a massless link on a fixed joint."""
        self.link(name)
        self.joint(name + "_mount", "fixed", parent, name, at, rpy)

    def mass(self):
        return sum(link.mass for link in self.links)
