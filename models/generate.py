#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes our robot models: every .urdf in this folder and in mechanisms/, the pictures, and the tables of README.md.

    python3 generate.py            write the files
    python3 generate.py --check    write nothing; fail if a file on disk differs from what would be written

Each link is a handful of solid boxes, cylinders and spheres; its mass is shared among them by volume (times a relative density), and
its centre of mass and inertia follow. The same shapes are drawn. SI units; z up, x forward, y left. Angles are given here in degrees.
"""
import json
import math
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent

COLORS = {
    "white": (0.92, 0.93, 0.94),
    "graphite": (0.22, 0.24, 0.27),
    "steel": (0.58, 0.61, 0.65),
    "blue": (0.16, 0.38, 0.67),
    "orange": (0.91, 0.49, 0.13),
    "rubber": (0.10, 0.10, 0.11),
    "glass": (0.10, 0.55, 0.60),
}

# ---------------------------------------------------------------------------------------------------------------- small algebra


def num(x, digits=9):
    """Shortest text of x with so many significant digits; never '-0'."""
    return "0" if abs(x) < 1e-12 else f"{x:.{digits}g}"


def nums(v, digits=9):
    return " ".join(num(x, digits) for x in v)


def matmul(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def apply(a, v):
    return [sum(a[i][k] * v[k] for k in range(3)) for i in range(3)]


def add(u, v):
    return [a + b for a, b in zip(u, v)]


def transpose(a):
    return [list(column) for column in zip(*a)]


def about(axis, angle):
    """Rotation by an angle about a unit axis."""
    x, y, z = axis
    c, s = math.cos(angle), math.sin(angle)
    k = 1 - c
    return [[c + k * x * x, k * x * y - s * z, k * x * z + s * y],
            [k * x * y + s * z, c + k * y * y, k * y * z - s * x],
            [k * x * z - s * y, k * y * z + s * x, c + k * z * z]]


def from_rpy(rpy):
    r, p, y = (math.radians(a) for a in rpy)
    return matmul(about((0, 0, 1), y), matmul(about((0, 1, 0), p), about((1, 0, 0), r)))


def from_quaternion(w, x, y, z):
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


IDENTITY = from_rpy((0, 0, 0))
ALONG_X, ALONG_Y, ALONG_Z = (0, 90, 0), (90, 0, 0), (0, 0, 0)  # directions of a cylinder, as rpy

# ---------------------------------------------------------------------------------------------------------------- what a model is


@dataclass
class Shape:
    kind: str                # box, cylinder, sphere
    size: tuple              # box: edges; cylinder: radius, length; sphere: radius
    at: tuple = (0, 0, 0)    # centre
    rpy: tuple = (0, 0, 0)   # degrees
    color: str = "white"
    density: float = 1       # relative to the other shapes of the link; 0: looks only
    collides: bool = False

    def volume(self):
        s = self.size
        if self.kind == "box":
            return s[0] * s[1] * s[2]
        if self.kind == "cylinder":
            return math.pi * s[0] ** 2 * s[1]
        return 4 / 3 * math.pi * s[0] ** 3

    def unit_inertia(self):
        """Inertia about the centre for mass 1, along the link's axes."""
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
    # Given rather than computed: centre of mass, its axes (rpy, degrees), principal moments.
    com: tuple = None
    com_rpy: tuple = (0, 0, 0)
    moments: tuple = None

    def inertial(self):
        """Centre of mass; inertia about it."""
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
    pitch: float = None      # helical, metres per radian
    range: tuple = None      # degrees where the joint turns, metres where it slides
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


# ---------------------------------------------------------------------------------------------------------------- writing URDF


def origin(at, rpy, indent):
    if not any(at) and not any(rpy):
        return ""
    turn = f' rpy="{nums(math.radians(a) for a in rpy)}"' if any(rpy) else ""
    return f'{indent}<origin xyz="{nums(at)}"{turn}/>\n'


def shape_xml(shape, tag):
    s = shape.size
    if shape.kind == "box":
        body = f'<box size="{nums(s)}"/>'
    elif shape.kind == "cylinder":
        body = f'<cylinder radius="{num(s[0])}" length="{num(s[1])}"/>'
    else:
        body = f'<sphere radius="{num(s[0])}"/>'
    out = f"    <{tag}>\n" + origin(shape.at, shape.rpy, "      ") + f"      <geometry>{body}</geometry>\n"
    if tag == "visual":
        out += f'      <material name="{shape.color}"/>\n'
    return out + f"    </{tag}>\n"


def link_xml(link):
    if not link.mass and not link.shapes:
        return f'  <link name="{link.name}"/>\n'
    out = f'  <link name="{link.name}">\n'
    if link.mass:
        com, i = link.inertial()
        out += "    <inertial>\n" + origin(com, link.com_rpy, "      ")
        out += f'      <mass value="{num(link.mass)}"/>\n'
        entries = (("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2))
        out += "      <inertia " + " ".join(f'{n}="{num(i[a][b])}"' for n, a, b in entries) + "/>\n    </inertial>\n"
    out += "".join(shape_xml(s, "visual") for s in link.shapes)
    out += "".join(shape_xml(s, "collision") for s in link.shapes if s.collides)
    return out + "  </link>\n"


def joint_xml(j):
    out = f'  <joint name="{j.name}" type="{j.type}">\n' + origin(j.at, j.rpy, "    ")
    out += f'    <parent link="{j.parent}"/>\n    <child link="{j.child}"/>\n'
    if j.axis:
        pitch = f' pitch="{num(j.pitch)}"' if j.pitch is not None else ""
        out += f'    <axis xyz="{nums(j.axis)}"{pitch}/>\n'
    if j.axis2:
        out += f'    <axis2 xyz="{nums(j.axis2)}"/>\n'
    if j.effort:
        between = ""
        if j.range:
            lower, upper = j.limits()
            between = f'lower="{num(lower)}" upper="{num(upper)}" '
        out += f'    <limit {between}effort="{num(j.effort)}" velocity="{num(j.velocity)}"/>\n'
    if j.dynamics:
        out += "    <dynamics " + " ".join(f'{k}="{num(v)}"' for k, v in j.dynamics.items()) + "/>\n"
    if j.mimic:
        out += f'    <mimic joint="{j.mimic[0]}" multiplier="{num(j.mimic[1])}" offset="{num(j.mimic[2])}"/>\n'
    return out + "  </joint>\n"


def urdf(robot):
    used = {s.color for link in robot.links for s in link.shapes}
    out = '<?xml version="1.0"?>\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n'
    out += f'<!-- {robot.about} Written by generate.py. -->\n<robot name="{robot.name}">\n'
    for name, rgb in COLORS.items():
        if name in used:
            out += f'  <material name="{name}"><color rgba="{nums(rgb)} 1"/></material>\n'
    into = {j.child: j for j in robot.joints}
    for link in robot.links:
        out += "\n" + link_xml(link)
        if link.name in into:
            out += joint_xml(into[link.name])
    if robot.frames:
        out += "\n"
    for f in robot.frames:
        turn = f' rpy="{nums(math.radians(a) for a in f.rpy)}"' if any(f.rpy) else ""
        out += f'  <frame name="{f.name}" link="{f.link}" xyz="{nums(f.at)}"{turn}/>\n'
    return out + "</robot>\n"


# ---------------------------------------------------------------------------------------------------------------- humanoid

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def humanoid():
    """30 joints, 58 kg, 1.54 m. At q = 0 it stands straight, arms hanging, palms facing back, all link frames parallel.

    Every axis is +x, +y or +z on both sides: pitch joints have one sign for both sides, roll and yaw joints change sign in the mirror.
    """
    r = Robot("humanoid", "A humanoid of HRP-2's size: 30 joints, 58 kg, 1.54 m.")
    r.link("pelvis", 7.5, [
        box((0.12, 0.22, 0.10), (-0.04, 0, 0.04), color="white", collides=True),
        box((0.06, 0.10, 0.07), (-0.01, 0, -0.045), color="graphite", collides=True),
        cylinder(0.065, 0.03, (-0.01, 0, 0.105), color="graphite")])

    r.link("waist", 1.0, [cylinder(0.05, 0.09, (0, 0, 0.03), ALONG_Y, color="graphite")])
    r.joint("chest_yaw", "revolute", "pelvis", "waist", (0, 0, 0.12), axis=Z, range=(-60, 60), effort=150, velocity=4)
    r.link("chest", 14.0, [
        box((0.19, 0.27, 0.25), (0, 0, 0.205), color="white", collides=True),
        box((0.13, 0.18, 0.07), (0, 0, 0.055), color="graphite", collides=True),
        box((0.09, 0.24, 0.24), (-0.135, 0, 0.20), color="blue", collides=True, density=0.5),
        box((0.012, 0.20, 0.09), (0.10, 0, 0.24), color="blue", density=0),
        cylinder(0.045, 0.06, (0, 0, 0.36), color="graphite", density=0.5)])
    r.joint("chest_pitch", "revolute", "waist", "chest", (0, 0, 0.03), axis=Y, range=(-20, 70), effort=250, velocity=4)

    r.link("neck", 0.5, [cylinder(0.035, 0.05, (0, 0, 0.02), color="steel"), cylinder(0.03, 0.07, (0, 0, 0.04), ALONG_Y, color="graphite")])
    r.joint("head_yaw", "revolute", "chest", "neck", (0, 0, 0.39), axis=Z, range=(-90, 90), effort=15, velocity=5)
    r.link("head", 3.0, [
        sphere(0.09, (0, 0, 0.105), color="white", collides=True),
        box((0.03, 0.13, 0.05), (0.075, 0, 0.11), color="glass", density=0.3),
        cylinder(0.035, 0.19, (0, 0, 0.105), ALONG_Y, color="blue")])
    r.joint("head_pitch", "revolute", "neck", "head", (0, 0, 0.04), axis=Y, range=(-45, 50), effort=20, velocity=5)
    r.frame_link("head_camera", "head", (0.09, 0, 0.11))

    for side, s in (("left", 1), ("right", -1)):
        humanoid_leg(r, side, s)
    for side, s in (("left", 1), ("right", -1)):
        humanoid_arm(r, side, s)
    return r


def mirrored(s, low, high):
    """A range given for the left side."""
    return (low, high) if s > 0 else (-high, -low)


def humanoid_leg(r, side, s):
    def joint(name, parent, child, at, axis, span, effort, velocity):
        r.joint(f"{side}_{name}", "revolute", parent, f"{side}_{child}", at, axis=axis, range=span, effort=effort, velocity=velocity)

    def link(name, mass, shapes):
        r.link(f"{side}_{name}", mass, shapes)

    link("hip_yoke", 0.8, [cylinder(0.042, 0.06, (0, 0, 0.05), color="graphite")])
    joint("hip_yaw", "pelvis", "hip_yoke", (0, 0.095 * s, -0.06), Z, mirrored(s, -35, 60), 100, 5)
    link("hip_block", 1.2, [cylinder(0.042, 0.12, (-0.01, 0, 0), ALONG_X, color="steel")])
    joint("hip_roll", f"{side}_hip_yoke", "hip_block", (0, 0, 0), X, mirrored(s, -30, 55), 160, 5)
    link("thigh", 4.2, [
        cylinder(0.05, 0.10, (0, 0, 0), ALONG_Y, color="graphite"),
        cylinder(0.045, 0.04, (0, 0, -0.055), color="graphite"),
        cylinder(0.056, 0.19, (0, 0, -0.165), color="white", collides=True),
        box((0.03, 0.05, 0.13), (0.045, 0, -0.165), color="blue", density=0.5)])
    joint("hip_pitch", f"{side}_hip_block", "thigh", (0, 0, 0), Y, (-135, 45), 220, 6)
    link("shin", 2.6, [
        cylinder(0.048, 0.10, (0, 0, 0), ALONG_Y, color="graphite", collides=True),
        cylinder(0.044, 0.19, (0, 0, -0.145), color="white", collides=True),
        cylinder(0.03, 0.05, (0, 0, -0.265), color="graphite"),
        box((0.025, 0.05, 0.13), (0.035, 0, -0.14), color="blue", density=0.5)])
    joint("knee", f"{side}_thigh", "shin", (0, 0, -0.30), Y, (-2, 155), 260, 7)
    link("ankle", 0.4, [cylinder(0.034, 0.08, (0, 0, 0), ALONG_Y, color="steel")])
    joint("ankle_pitch", f"{side}_shin", "ankle", (0, 0, -0.30), Y, (-75, 45), 160, 6)
    link("foot", 1.4, [
        box((0.24, 0.13, 0.02), (0.02, 0, -0.095), color="rubber", collides=True),
        box((0.22, 0.11, 0.025), (0.02, 0, -0.0725), color="white"),
        box((0.09, 0.07, 0.06), (0, 0, -0.03), color="graphite")])
    joint("ankle_roll", f"{side}_ankle", "foot", (0, 0, 0), X, mirrored(s, -40, 40), 100, 5)
    r.frame_link(f"{side}_sole", f"{side}_foot", (0.02, 0, -0.105))


def humanoid_arm(r, side, s):
    def joint(name, parent, child, at, axis, span, effort, velocity):
        r.joint(f"{side}_{name}", "revolute", parent, f"{side}_{child}", at, axis=axis, range=span, effort=effort, velocity=velocity)

    def link(name, mass, shapes):
        r.link(f"{side}_{name}", mass, shapes)

    link("shoulder", 1.0, [cylinder(0.048, 0.07, (0, -0.035 * s, 0), ALONG_Y, color="graphite")])
    joint("shoulder_pitch", "chest", "shoulder", (0, 0.22 * s, 0.30), Y, (-200, 60), 160, 6)
    link("shoulder_block", 0.8, [sphere(0.052, color="blue", collides=True)])
    joint("shoulder_roll", f"{side}_shoulder", "shoulder_block", (0, 0, 0), X, mirrored(s, -30, 160), 140, 6)
    link("upper_arm", 1.2, [cylinder(0.042, 0.19, (0, 0, -0.135), color="white", collides=True)])
    joint("shoulder_yaw", f"{side}_shoulder_block", "upper_arm", (0, 0, 0), Z, mirrored(s, -110, 110), 110, 6)
    link("forearm", 1.1, [
        cylinder(0.042, 0.08, (0, 0, 0), ALONG_Y, color="graphite", collides=True),
        cylinder(0.037, 0.12, (0, 0, -0.09), color="white", collides=True)])
    joint("elbow", f"{side}_upper_arm", "forearm", (0, 0, -0.27), Y, (-145, 2), 160, 7)
    link("wrist", 0.6, [
        cylinder(0.031, 0.07, (0, 0, -0.035), color="blue"),
        cylinder(0.026, 0.06, (0, 0, -0.10), ALONG_Y, color="graphite")])
    joint("wrist_yaw", f"{side}_forearm", "wrist", (0, 0, -0.15), Z, mirrored(s, -120, 120), 50, 7)
    link("hand", 0.5, [
        box((0.03, 0.10, 0.12), (-0.02, 0, -0.065), color="orange", collides=True),
        box((0.03, 0.06, 0.05), (0.005, 0, -0.035), color="graphite")])
    joint("wrist_pitch", f"{side}_wrist", "hand", (0, 0, -0.10), Y, (-100, 85), 60, 7)
    link("fingers", 0.2, [
        cylinder(0.01, 0.09, (0, 0, 0), ALONG_Y, color="graphite"),
        box((0.018, 0.09, 0.07), (0, 0, -0.04), color="orange", collides=True)])
    joint("grip", f"{side}_hand", "fingers", (-0.012, 0, -0.135), Y, (-10, 95), 15, 5)
    # The palm faces back (-x) at q = 0. Its frame has z out of the ground into the hand (here +x) and x along the fingers (here -z).
    r.frame_link(f"{side}_palm", f"{side}_hand", (-0.035, 0, -0.065), (0, 90, 0))


# ---------------------------------------------------------------------------------------------------------------- quadruped


def quadruped():
    """12 joints, 30 kg. At q = 0 the legs hang straight; it stands at hip 0, thigh q, knee -2 q."""
    r = Robot("quadruped", "A four-legged robot: 12 joints, 30 kg.")
    r.link("trunk", 14.0, [
        box((0.58, 0.24, 0.15), color="white", collides=True),
        box((0.36, 0.16, 0.05), (0, 0, 0.10), color="blue", collides=True),
        box((0.02, 0.10, 0.06), (0.295, 0, 0.02), color="glass", density=0)])
    for fore, f in (("front", 1), ("rear", -1)):
        for side, s in (("left", 1), ("right", -1)):
            leg = f"{fore}_{side}"
            r.link(f"{leg}_hip", 1.5, [cylinder(0.05, 0.10, (0, 0, 0), ALONG_X, color="graphite", collides=True)])
            r.joint(f"{leg}_abduction", "revolute", "trunk", f"{leg}_hip", (0.35 * f, 0.09 * s, 0), axis=X,
                    range=mirrored(s, -40, 50), effort=80, velocity=12)
            r.link(f"{leg}_thigh", 1.8, [
                cylinder(0.05, 0.06, (0, 0, 0), ALONG_Y, color="graphite"),
                box((0.06, 0.035, 0.23), (0, 0, -0.135), color="white", collides=True)])
            r.joint(f"{leg}_flexion", "revolute", f"{leg}_hip", f"{leg}_thigh", (0, 0.09 * s, 0), axis=Y,
                    range=(-110, 110), effort=80, velocity=12)
            r.link(f"{leg}_shank", 0.6, [
                cylinder(0.03, 0.05, (0, 0, 0), ALONG_Y, color="graphite"),
                cylinder(0.016, 0.26, (0, 0, -0.14), color="steel", collides=True)])
            r.joint(f"{leg}_knee", "revolute", f"{leg}_thigh", f"{leg}_shank", (0, 0, -0.28), axis=Y,
                    range=(-155, 5), effort=100, velocity=14)
            r.link(f"{leg}_foot", 0.1, [sphere(0.025, color="rubber", collides=True)])
            r.joint(f"{leg}_foot_mount", "fixed", f"{leg}_shank", f"{leg}_foot", (0, 0, -0.28))
    return r


# ---------------------------------------------------------------------------------------------------------------- arms


def arm7():
    r = Robot("arm7", "A seven-joint arm of 18 kg with a spherical shoulder and wrist.")
    r.link("base", 3.0, [
        cylinder(0.10, 0.05, (0, 0, 0.025), color="graphite", collides=True),
        cylinder(0.08, 0.10, (0, 0, 0.10), color="white", collides=True)])
    # height above the joint before, axis, range (degrees, either way), effort, velocity, mass, shapes
    sections = [
        (0.15, Z, 170, 260, 1.7, 3.4, [cylinder(0.075, 0.11, (0, 0, 0.06)), cylinder(0.068, 0.16, (0, 0, 0.17), ALONG_Y, color="blue")]),
        (0.17, Y, 120, 260, 1.7, 3.2, [cylinder(0.062, 0.19, (0, 0, 0.14), collides=True)]),
        (0.24, Z, 170, 160, 1.9, 2.6, [cylinder(0.062, 0.10, (0, 0, 0.05)), cylinder(0.058, 0.14, (0, 0, 0.16), ALONG_Y, color="blue")]),
        (0.16, Y, 125, 160, 2.2, 2.4, [cylinder(0.055, 0.17, (0, 0, 0.125), collides=True)]),
        (0.22, Z, 170, 100, 2.4, 1.6, [cylinder(0.05, 0.1, (0, 0, 0.05)), cylinder(0.045, 0.12, (0, 0.015, 0.16), ALONG_Y, color="blue")]),
        (0.16, Y, 125, 50, 3.1, 1.4, [cylinder(0.045, 0.08, (0, 0, 0.025), collides=True)]),
        (0.07, Z, 175, 50, 3.1, 0.4, [cylinder(0.04, 0.04, (0, 0, 0.02), color="steel", collides=True)]),
    ]
    parent = "base"
    for i, (height, axis, span, effort, velocity, mass, shapes) in enumerate(sections, 1):
        shapes = [replace(s, collides=True) for s in shapes]
        r.link(f"link{i}", mass, shapes)
        r.joint(f"joint{i}", "revolute", parent, f"link{i}", (0, 0, height), axis=axis, range=(-span, span), effort=effort,
                velocity=velocity)
        parent = f"link{i}"
    r.frame_link("tool", "link7", (0, 0, 0.04))
    return r


def planar2():
    """The textbook's planar arm: lengths, masses and moments of inertia all 1, centres of mass in the middle."""
    r = Robot("planar2", "The planar two-link arm of the textbooks, in the vertical x-z plane; angles from the x axis upward.")
    r.link("base", 5.0, [box((0.2, 0.2, 0.2), (0, 0.16, 0), color="graphite")])
    parent, at = "base", (0, 0, 0)
    for i, color in ((1, "blue"), (2, "orange")):
        r.link(f"link{i}", 1, [
            box((1, 0.04, 0.08), (0.5, 0, 0), color=color),
            cylinder(0.06, 0.08, (0, 0, 0), ALONG_Y, color="graphite")], com=(0.5, 0, 0), moments=(1, 1, 1))
        r.joint(f"joint{i}", "continuous", parent, f"link{i}", at, axis=(0, -1, 0), effort=100, velocity=20)
        parent, at = f"link{i}", (1, 0, 0)
    r.frame_link("tip", "link2", (1, 0, 0))
    return r


# ---------------------------------------------------------------------------------------------------------------- mechanisms


def ball_pendulum():
    r = Robot("ball_pendulum", "A bob on a rod that hangs from a ball joint.")
    r.link("ceiling", 2.0, [box((0.3, 0.3, 0.04), (0, 0, 0.05), color="graphite"), sphere(0.03, color="steel")])
    r.link("pendulum", 1.5, [cylinder(0.01, 0.5, (0, 0, -0.25), color="steel"), sphere(0.07, (0, 0, -0.55), color="orange", collides=True)])
    r.joint("ball", "spherical", "ceiling", "pendulum", effort=20, velocity=30, dynamics={"damping": 0.01})
    r.frame("bob", "pendulum", (0, 0, -0.55))
    return r


def universal_shaft():
    r = Robot("universal_shaft", "A shaft on a universal joint: about x, then about the y that x has moved.")
    r.link("stand", 3.0, [box((0.2, 0.2, 0.04), (0, 0, -0.28), color="graphite"), cylinder(0.02, 0.24, (0, 0, -0.14), color="steel")])
    r.link("shaft", 1.2, [
        cylinder(0.018, 0.4, (0, 0, 0.22), color="white", collides=True),
        box((0.10, 0.04, 0.04), (0.05, 0, 0.42), color="orange", collides=True),
        cylinder(0.025, 0.06, (0, 0, 0), ALONG_Y, color="blue")])
    r.joint("cardan", "universal", "stand", "shaft", axis=X, axis2=Y, effort=30, velocity=20, dynamics={"damping": 0.02})
    r.frame("shaft_tip", "shaft", (0, 0, 0.42))
    return r


def screw_jack():
    r = Robot("screw_jack", "A screw that climbs 4 mm a turn, with a handle off its axis.")
    r.link("nut", 4.0, [box((0.16, 0.16, 0.08), color="graphite", collides=True)])
    r.link("screw", 2.0, [
        cylinder(0.02, 0.40, (0, 0, 0.06), color="steel"),
        cylinder(0.05, 0.02, (0, 0, 0.27), color="orange", collides=True),
        cylinder(0.008, 0.20, (0.10, 0, 0.20), ALONG_X, color="blue")])
    r.joint("thread", "helical", "nut", "screw", axis=Z, pitch=0.004 / (2 * math.pi), range=(-3600, 3600), effort=50, velocity=60,
            dynamics={"damping": 0.05, "friction": 0.1, "armature": 0.002})
    r.frame("jack_head", "screw", (0, 0, 0.28))
    return r


def cylindrical_piston():
    r = Robot("cylindrical_piston", "A rod that slides and turns in its barrel; q = displacement, angle.")
    r.link("barrel", 3.0, [cylinder(0.05, 0.3, (0, 0, 0), ALONG_X, color="graphite")])
    r.link("rod", 0.9, [
        cylinder(0.045, 0.03, (0, 0, 0), ALONG_X, color="steel"),
        cylinder(0.015, 0.35, (0.19, 0, 0), ALONG_X, color="white"),
        box((0.03, 0.03, 0.12), (0.37, 0, 0.03), color="orange", collides=True)])
    r.joint("slide_and_turn", "cylindrical", "barrel", "rod", axis=X, effort=200, velocity=10, dynamics={"damping": 0.1})
    r.frame("rod_eye", "rod", (0.37, 0, 0.08))
    return r


def planar_puck():
    r = Robot("planar_puck", "A puck that glides on a tilted table; q = x, y along the table, angle.")
    tilt = (0, 10, 0)
    normal = apply(from_rpy(tilt), Z)
    r.link("table", 8.0, [box((1.2, 0.8, 0.04), tuple(-0.02 * n for n in normal), rpy=tilt, color="white")])
    r.link("puck", 0.4, [
        cylinder(0.06, 0.03, color="rubber", collides=True), box((0.05, 0.02, 0.02), (0.03, 0.01, 0.025), color="orange")])
    r.joint("glide", "planar", "table", "puck", tuple(0.015 * n for n in normal), tilt, axis=Z, effort=20, velocity=10)
    return r


def floating_box():
    r = Robot("floating_box", "A box that flies freely above the ground.")
    r.link("ground", 0, [box((2, 2, 0.02), (0, 0, -0.01), color="graphite", collides=True)])
    r.link("box", 2.0, [
        box((0.3, 0.2, 0.1), color="blue", collides=True), box((0.06, 0.06, 0.06), (0.12, 0.07, 0.08), color="orange", collides=True)])
    r.joint("flight", "floating", "ground", "box", (0, 0, 0.5))
    r.frame("corner", "box", (0.15, 0.10, -0.05))
    return r


def gripper_mimic():
    r = Robot("gripper_mimic", "A gripper of one motor: right = -left, and right_tip = right / 2 + 0.2.")
    r.link("palm", 0.8, [box((0.06, 0.14, 0.05), color="graphite", collides=True)])

    def finger(name, y, color, length=0.09):
        r.link(name, 0.15, [
            box((length, 0.018, 0.03), (length / 2, 0, 0), color=color, collides=True),
            cylinder(0.012, 0.034, color="steel")])
        return (0.03, y, 0)

    at = finger("left_finger", 0.05, "orange")
    r.joint("left", "revolute", "palm", "left_finger", at, axis=Z, range=(-45, 45), effort=10, velocity=5,
            dynamics={"damping": 0.02, "armature": 0.0004})
    at = finger("right_finger", -0.05, "orange")
    r.joint("right", "revolute", "palm", "right_finger", at, axis=Z, range=(-45, 45), effort=10, velocity=5, mimic=("left", -1, 0))
    finger("right_fingertip", 0, "rubber", 0.04)
    r.joint("right_tip", "revolute", "right_finger", "right_fingertip", (0.09, 0, 0), axis=Z, range=(-30, 40), effort=5, velocity=5,
            mimic=("right", 0.5, 0.2))
    r.frame("left_touch", "left_finger", (0.09, -0.009, 0))
    r.frame("right_touch", "right_fingertip", (0.04, 0.009, 0))
    return r


def tilted_axes():
    """Nothing is aligned: unit axes with exact decimals, turned joint frames, turned principal axes of inertia."""
    r = Robot("tilted_axes", "A chain in which no axis is aligned with anything.")
    r.link("root", 2.0, [box((0.2, 0.2, 0.1), color="graphite", collides=True)])
    rows = [
        ("a", "revolute", (0.48, 0.6, 0.64), (0.05, -0.02, 0.06), (20, -35, 50), (0.04, 0.01, 0.12), (15, 25, -40)),
        ("b", "prismatic", (0.36, -0.48, 0.8), (0.07, 0.03, 0.20), (-50, 15, 5), (-0.02, 0.03, 0.10), (-30, 10, 70)),
        ("c", "continuous", (-0.28, 0.576, 0.768), (0.02, 0.06, 0.18), (75, 40, -20), (0.03, -0.02, 0.09), (45, -45, 20)),
        ("d", "revolute", (-0.6, 0.8, 0), (-0.04, 0.01, 0.17), (10, -80, 130), (0.01, 0.02, 0.08), (5, 60, -15)),
        ("e", "revolute", (0.64, -0.48, -0.6), (0.03, -0.05, 0.16), (-120, 30, 60), (0.02, -0.01, 0.07), (-70, 20, 35)),
    ]
    parent = "root"
    for i, (name, kind, axis, at, rpy, com, com_rpy) in enumerate(rows):
        mass = 1.6 - 0.25 * i
        size = (0.06, 0.09, 0.18)
        moments = tuple(mass * box(size).unit_inertia()[k][k] for k in range(3))
        r.link(name, mass, [box(size, com, rpy=com_rpy, color=("blue", "white", "orange", "white", "blue")[i], collides=True)],
               com=com, com_rpy=com_rpy, moments=moments)
        span = {"revolute": (-150, 120), "prismatic": (-0.1, 0.25), "continuous": None}[kind]
        r.joint(f"joint_{name}", kind, parent, name, at, rpy, axis=axis, range=span, effort=60, velocity=8,
                dynamics={"damping": 0.1, "friction": 0.02, "armature": 0.01, "spring_stiffness": 2, "spring_reference": 0.1})
        parent = name
    r.frame("end", "e", (0.02, -0.01, 0.16), (33, -12, 71))
    return r


def parallel_roots():
    r = Robot("parallel_roots", "Two roots in one file: a pendulum and a cart, neither hanging from the other.")
    r.link("pendulum_stand", 3.0, [box((0.1, 0.1, 0.6), (0, 0.08, -0.3), color="graphite")])
    r.link("pendulum", 1.0, [
        cylinder(0.012, 0.4, (0, 0, -0.2), color="steel"), sphere(0.05, (0, 0, -0.42), color="orange", collides=True)])
    r.joint("swing", "continuous", "pendulum_stand", "pendulum", axis=Y, effort=10, velocity=30)
    r.link("rail", 4.0, [box((1.2, 0.05, 0.05), (0, -0.5, -0.6), color="graphite")])
    r.link("cart", 1.5, [box((0.2, 0.12, 0.10), color="blue", collides=True)])
    r.joint("roll", "prismatic", "rail", "cart", (0, -0.5, -0.525), axis=X, range=(-0.5, 0.5), effort=50, velocity=5)
    return r


def slider_pendulum():
    r = Robot("slider_pendulum", "A pendulum on a cart, the cart on a rail with a soft spring.")
    r.link("rail", 4.0, [box((2.2, 0.05, 0.03), (0, 0, -0.065), color="graphite")])
    r.link("cart", 2.0, [box((0.24, 0.14, 0.10), color="blue", collides=True)])
    r.joint("slide", "prismatic", "rail", "cart", axis=X, range=(-1, 1), effort=100, velocity=8,
            dynamics={"damping": 0.2, "spring_stiffness": 5, "spring_reference": 0})
    r.link("pole", 0.6, [
        cylinder(0.01, 0.6, (0, 0, -0.3), color="steel"), sphere(0.045, (0, 0, -0.62), color="orange", collides=True)])
    r.joint("swing", "continuous", "cart", "pole", (0, -0.09, 0), axis=Y, effort=20, velocity=30, dynamics={"damping": 0.002})
    r.frame("pole_tip", "pole", (0, 0, -0.62))
    return r


def branching_hub():
    """Eight limbs on a hub, each limb ending in two claws: 8 (2 + 2) = 32 joints."""
    r = Robot("branching_hub", "A hub with eight limbs, each of which ends in two claws: 32 joints.")
    r.link("hub", 6.0, [cylinder(0.16, 0.08, color="graphite", collides=True), cylinder(0.10, 0.03, (0, 0, 0.055), color="blue")])
    for i in range(8):
        limb = f"limb{i}"
        turn = 45 * i
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        r.link(f"{limb}_upper", 0.7, [box((0.22, 0.035, 0.045), (0.12, 0, 0), color="white", collides=True)])
        r.joint(f"{limb}_swing", "revolute", "hub", f"{limb}_upper", (0.17 * c, 0.17 * s, 0), (0, 0, turn), axis=Y,
                range=(-80, 80), effort=30, velocity=8, dynamics={"damping": 0.05})
        r.link(f"{limb}_lower", 0.4, [cylinder(0.014, 0.20, (0.10, 0, 0), ALONG_X, color="steel", collides=True)])
        r.joint(f"{limb}_bend", "revolute", f"{limb}_upper", f"{limb}_lower", (0.24, 0, 0), axis=Y, range=(-10, 140), effort=20,
                velocity=8, dynamics={"damping": 0.05})
        for name, y in (("a", 1), ("b", -1)):
            r.link(f"{limb}_claw_{name}", 0.06, [box((0.06, 0.012, 0.02), (0.03, 0, 0), color="orange", collides=True)])
            r.joint(f"{limb}_grip_{name}", "revolute", f"{limb}_lower", f"{limb}_claw_{name}", (0.205, 0.012 * y, 0), axis=Z,
                    range=(-20, 60) if y > 0 else (-60, 20), effort=4, velocity=8)
    return r


MECHANISMS = [ball_pendulum, universal_shaft, screw_jack, cylindrical_piston, planar_puck, floating_box, gripper_mimic, tilted_axes,
              parallel_roots, slider_pendulum, branching_hub]

# ---------------------------------------------------------------------------------------------------------------- pictures


def placements(robot, joints=None, base=((0, 0, 0), IDENTITY)):
    """Position and rotation of every link, for revolute joints at the given angles (radians; 0 where absent)."""
    joints = joints or {}
    children = {j.child for j in robot.joints}
    place = {link.name: base for link in robot.links if link.name not in children}
    for j in robot.joints:  # parents are listed before their children
        p, r = place[j.parent]
        turned = matmul(r, from_rpy(j.rpy))
        if j.axis:
            turned = matmul(turned, about(j.axis, joints.get(j.name, 0)))
        place[j.child] = (add(p, apply(r, j.at)), turned)
    return place


def hull(points):
    """Convex hull in the plane, counter-clockwise."""
    points = sorted(set(points))

    def half(sequence):
        out = []
        for q in sequence:
            while len(out) > 1 and ((out[-1][0] - out[-2][0]) * (q[1] - out[-2][1]) <= (out[-1][1] - out[-2][1]) * (q[0] - out[-2][0])):
                out.pop()
            out.append(q)
        return out[:-1]

    return half(points) + half(points[::-1])


def outline(shape):
    """Points whose hull is the shape, about its own centre; a sphere gives none."""
    s = shape.size
    if shape.kind == "box":
        return [(s[0] / 2 * i, s[1] / 2 * j, s[2] / 2 * k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    if shape.kind == "cylinder":
        circle = [(s[0] * math.cos(math.pi * k / 12), s[0] * math.sin(math.pi * k / 12)) for k in range(24)]
        return [(x, y, s[1] / 2 * k) for x, y in circle for k in (-1, 1)]
    return []


def view(robot, place, across, toward, at, scale):
    """SVG of the robot seen with the world's direction `across` to the right, z up, and `toward` pointing at the eye."""
    drawn = []
    for link in robot.links:
        p, r = place[link.name]
        for shape in link.shapes:
            centre = add(p, apply(r, shape.at))
            turned = matmul(r, from_rpy(shape.rpy))
            points = [add(centre, apply(turned, v)) for v in outline(shape)]

            def flat(q):
                return (round(at[0] + scale * sum(a * b for a, b in zip(across, q)), 1), round(at[1] - scale * q[2], 1))

            def depth(q):
                return sum(a * b for a, b in zip(toward, q))

            near = max(map(depth, points)) if points else depth(centre) + shape.size[0]
            rgb = "#" + "".join(f"{round(255 * c):02x}" for c in COLORS[shape.color])
            if points:
                body = '<polygon points="' + " ".join(f"{x:g},{y:g}" for x, y in hull([flat(q) for q in points])) + '"'
            else:
                x, y = flat(centre)
                body = f'<circle cx="{x:g}" cy="{y:g}" r="{scale * shape.size[0]:g}"'
            drawn.append((round(near, 6), len(drawn), f'{body} fill="{rgb}"/>'))
    return "\n".join(item for _, _, item in sorted(drawn))


def svg(width, height, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="sans-serif" font-size="13" fill="#444">\n'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n')


def ground(x0, x1, y):
    return f'<line x1="{x0}" y1="{y}" x2="{x1}" y2="{y}" stroke="#999" stroke-width="1.5"/>'


def label(x, y, text):
    return f'<text x="{x}" y="{y}" text-anchor="middle">{text}</text>'


def stroked(body):
    return f'<g stroke="#333" stroke-width="0.8" stroke-linejoin="round">\n{body}\n</g>'


STANDING = 0.765  # height of the pelvis over the soles with straight legs


def humanoid_picture(robot):
    scale, floor = 340, 560
    place = placements(robot, base=((0, 0, STANDING), IDENTITY))
    parts = [ground(30, 670, floor)]
    parts.append(stroked(view(robot, place, (0, 1, 0), (1, 0, 0), (190, floor), scale)))
    parts.append(stroked(view(robot, place, (1, 0, 0), (0, -1, 0), (500, floor), scale)))
    top = floor - 1.54 * scale
    parts.append(f'<path d="M345 {floor}V{top:g}M338 {floor}h14M338 {top:g}h14" stroke="#888" fill="none"/>')
    parts += [label(345, 30, "1.54 m"), label(190, 590, "front"), label(500, 590, "side")]
    return svg(700, 610, "\n".join(parts))


def postures_picture(robot, postures):
    scale, floor, step = 150, 300, 190
    parts = [ground(10, step * len(postures) + 10, floor)]
    for k, (name, posture) in enumerate(postures.items()):
        base = (posture["base_position"], from_quaternion(*posture["base_quaternion"]))
        place = placements(robot, posture["joints"], base)
        middle = place["pelvis"][0][0] / 2
        parts.append(stroked(view(robot, place, (1, 0, 0), (0, -1, 0), (round(step * (k + 0.5) + 10 - scale * middle, 1), floor), scale)))
        parts.append(label(step * (k + 0.5) + 10, floor + 24, name))
    return svg(step * len(postures) + 20, floor + 40, "\n".join(parts))


# ---------------------------------------------------------------------------------------------------------------- tables


def joint_table(robot):
    names = {X: "x (roll)", Y: "y (pitch)", Z: "z (yaw)"}
    rows = ["| joint | axis | range, left (°) | range, right (°) | effort (N m) | velocity (rad/s) |", "|---|---|---|---|---|---|"]
    by_name = {j.name: j for j in robot.joints}
    for j in robot.joints:
        if j.type == "fixed" or j.name.startswith("right_"):
            continue
        here = f"{j.range[0]} … {j.range[1]}"
        other = by_name.get(j.name.replace("left_", "right_"))
        both = other is not j
        there = f"{other.range[0]} … {other.range[1]}" if both else "–"
        rows.append(f"| `{j.name.replace('left_', '*_')}` | {names[j.axis]} | {here} | {there} | {num(j.effort)} | {num(j.velocity)} |")
    return "\n".join(rows)


def mass_table(robot):
    segments = {
        "pelvis and waist": ["pelvis", "waist"], "chest": ["chest"], "neck and head": ["neck", "head"],
        "each hip": ["left_hip_yoke", "left_hip_block"], "each thigh": ["left_thigh"], "each shin": ["left_shin"],
        "each ankle and foot": ["left_ankle", "left_foot"], "each shoulder": ["left_shoulder", "left_shoulder_block"],
        "each upper arm": ["left_upper_arm"], "each forearm and wrist": ["left_forearm", "left_wrist"],
        "each hand": ["left_hand", "left_fingers"]}
    mass = {link.name: link.mass for link in robot.links}
    rows = ["| segment | links | mass (kg) |", "|---|---|---|"]
    for name, links in segments.items():
        rows.append(f"| {name} | {', '.join('`' + n.replace('left_', '*_') + '`' for n in links)} | {num(sum(mass[n] for n in links))} |")
    rows.append(f"| all | | {num(robot.mass())} |")
    return "\n".join(rows)


def fill(text, mark, body):
    """Replaces what stands between the two comments of that mark."""
    begin, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    head, rest = text.split(begin)
    return head + begin + "\n" + body + "\n" + end + rest.split(end)[1]


# ---------------------------------------------------------------------------------------------------------------- all files


def files():
    body = humanoid()
    postures = json.loads((HERE / "postures/humanoid.json").read_text(encoding="utf-8"))
    out = {f"{make.__name__}.urdf": urdf(make()) for make in (humanoid, quadruped, arm7, planar2)}
    out |= {f"mechanisms/{make.__name__}.urdf": urdf(make()) for make in MECHANISMS}
    out["humanoid.svg"] = humanoid_picture(body)
    out["postures/humanoid.svg"] = postures_picture(body, postures)
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    readme = fill(readme, "joints of the humanoid", joint_table(body))
    out["README.md"] = fill(readme, "masses of the humanoid", mass_table(body))
    return out


def main():
    checking = "--check" in sys.argv[1:]
    stale = 0
    for name, text in files().items():
        path = HERE / name
        data = text.encode("utf-8")
        if checking:
            if not path.exists() or path.read_bytes() != data:
                print(f"{name} differs from what generate.py writes")
                stale += 1
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
