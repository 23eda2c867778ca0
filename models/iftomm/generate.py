#!/usr/bin/env python3
"""Writes the mechanisms of the IFToMM multibody benchmark (A01 … A05) as URDF files with a sidecar of loops and springs.

usage: generate.py        writes beside itself; A02 for 2 and for 40 four-bars

Coordinates are those of the benchmark: plane mechanisms in x and y, gravity along -y (the sidecar says so), all joints
about z. Every joint is named after its angle or its body; at q = 0 a rod lies along +x of its parent.
"""
import json
import math
import pathlib

HERE = pathlib.Path(__file__).parent
PLANE = "xy"  # a hinge about z in the plane: along z nothing can open


def numbers(values):
    return " ".join(repr(float(v)) for v in values)


def inertial(mass, com, moments):
    xx, yy, zz = moments
    return (f'<inertial><origin xyz="{numbers(com)}"/><mass value="{mass!r}"/>'
            f'<inertia ixx="{xx!r}" iyy="{yy!r}" izz="{zz!r}" ixy="0" ixz="0" iyz="0"/></inertial>')


def box(size, com, mass):
    x, y, z = size
    return (f'<visual><origin xyz="{numbers(com)}"/><geometry><box size="{numbers(size)}"/></geometry></visual>'
            + inertial(mass, com, (mass * (y * y + z * z) / 12, mass * (x * x + z * z) / 12, mass * (x * x + y * y) / 12)))


class Robot:
    def __init__(self, name, what):
        self.name, self.what = name, what
        self.parts = ['  <link name="ground"/>']
        self.sidecar = {}

    def link(self, name, body, parent, at=(0, 0, 0), axis=(0, 0, 1), joint=None, kind="continuous", extra=""):
        self.parts.append(f'  <link name="{name}">{body}</link>')
        limit = '<limit lower="-10" upper="10" effort="1e9" velocity="1e9"/>' if kind == "prismatic" else ""
        self.parts.append(f'  <joint name="{joint or name}" type="{kind}"><origin xyz="{numbers(at)}"/>'
                          f'<parent link="{parent}"/><child link="{name}"/><axis xyz="{numbers(axis)}"/>{limit}{extra}</joint>')

    def loop(self, name, a, at_a, b, at_b, axes=PLANE, rpy=None):
        end_a = {"frame": a, "position": list(map(float, at_a))}
        self.sidecar.setdefault("loops", []).append(
            {"name": name, "a": end_a, "b": {"frame": b, "position": list(map(float, at_b))}, "axes": axes})

    def spring(self, name, a, at_a, b, at_b, stiffness, damping, rest):
        self.sidecar.setdefault("springs", []).append(
            {"name": name, "a": {"frame": a, "position": list(map(float, at_a))},
             "b": {"frame": b, "position": list(map(float, at_b))}, "stiffness": stiffness, "damping": damping, "rest": rest})

    def write(self, gravity):
        self.sidecar["gravity"] = gravity
        text = "\n".join(self.parts)
        (HERE / f"{self.name}.urdf").write_text(
            f'<?xml version="1.0"?>\n<!-- {self.what}. Written by generate.py. -->\n<robot name="{self.name}">\n{text}\n</robot>\n')
        (HERE / f"{self.name}.json").write_text(json.dumps(self.sidecar, indent=1) + "\n")


DOWN_Y, DOWN_Z, NONE = [0, -9.81, 0], [0, 0, -9.81], [0, 0, 0]


def a01():
    robot = Robot("a01_pendulum", "IFToMM A01: a point mass of 1 kg on a rod of 1 m")
    robot.link("mass", inertial(1.0, (1, 0, 0), (0.0, 0.0, 0.0)), "ground", joint="angle")
    robot.write(DOWN_Y)


def a02(n):
    robot = Robot(f"a02_four_bars_{n}", f"IFToMM A02: {n} four-bars of {2 * n + 1} rods, 1 m and 1 kg each")
    rod = box((1, 0.02, 0.02), (0.5, 0, 0), 1.0)
    rod = rod[:rod.index("<inertial>")] + inertial(1.0, (0.5, 0, 0), (0.0, 1 / 12, 1 / 12))
    # As it is built: every crank on a foot of its own, couplers from top to top.
    robot.link("crank_0", rod, "ground")
    for k in range(1, n + 1):
        robot.link(f"coupler_{k}", rod, f"crank_{k - 1}", (1, 0, 0))
        robot.link(f"crank_{k}", rod, "ground", (k, 0, 0))
        robot.loop(f"pivot_{k}", f"coupler_{k}", (1, 0, 0), f"crank_{k}", (1, 0, 0))
    robot.write(DOWN_Y)


def a03():
    """Andrews' squeezer; names and numbers of the IVP test set (Mazzia, Magherini, II-13)."""
    d, da, e, ea, rr, ra = 28e-3, 115e-4, 2e-2, 1421e-5, 7e-3, 92e-5
    ss, sa, sb, sc, sd = 35e-3, 1874e-5, 1043e-5, 18e-3, 2e-2
    zt, ta, tb, u, ua, ub, zf, fa = 4e-2, 2308e-5, 916e-5, 4e-2, 1228e-5, 449e-5, 2e-2, 1421e-5
    xa, ya, xb, yb, xc, yc = -6934e-5, -227e-5, -3635e-5, 3273e-5, 14e-3, 72e-3
    m = [0, .04325, .00365, .02373, .00706, .07050, .00706, .05498]
    i = [0, 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]
    robot = Robot("a03_squeezer", "IFToMM A03: Andrews' squeezing mechanism, driven by .033 N m on beta")

    def flat(k, com):
        return inertial(m[k], com, (i[k], i[k], i[k]))

    robot.link("K1", flat(1, (ra, 0, 0)), "ground", joint="beta")
    robot.link("K2", flat(2, (-da, 0, 0)), "K1", (rr, 0, 0), joint="Theta")
    robot.link("K3", flat(3, (sa, -sb, 0)), "ground", (xb, yb, 0), joint="gamma")
    robot.link("K5", flat(5, (ta, -tb, 0)), "ground", (xa, ya, 0), joint="delta")
    robot.link("K4", flat(4, (0, -(e - ea), 0)), "K5", (zt, 0, 0), joint="Phi")
    robot.link("K7", flat(7, (ua, -ub, 0)), "ground", (xa, ya, 0), joint="epsilon")
    robot.link("K6", flat(6, (zf - fa, 0, 0)), "K7", (0, -u, 0), joint="Omega")
    robot.loop("P with K3", "K2", (-d, 0, 0), "K3", (0, -ss, 0))
    robot.loop("P with K4", "K2", (-d, 0, 0), "K4", (0, -e, 0))
    robot.loop("P with K6", "K2", (-d, 0, 0), "K6", (zf, 0, 0))
    robot.spring("spring", "ground", (xc, yc, 0), "K3", (sd, -sc, 0), 4530.0, 0.0, 0.07785)
    robot.write(NONE)


def a04():
    robot = Robot("a04_bricard", "IFToMM A04: Bricard's mechanism of five rods, 1 m and 1 kg, and the ground; redundant")
    joints = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]
    axes = [(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)]
    parent = "ground"
    for k in range(5):
        here, there = joints[k], joints[k + 1]
        along = [t - h for h, t in zip(here, there)]
        size = [1.0 if a else 0.1 for a in along]
        before = joints[k - 1] if k else (0, 0, 0)
        at = here if k == 0 else [h - b for b, h in zip(before, here)]
        robot.link(f"rod_{k + 1}", box(size, [a / 2 for a in along], 1.0), parent, at, axes[k], joint=f"joint_{k + 1}")
        parent = f"rod_{k + 1}"
    # The sixth joint turns about x: everything else is held.
    robot.loop("joint_6", "ground", joints[5], "rod_5", [t - h for h, t in zip(joints[4], joints[5])], "xyz ry rz")
    robot.write(DOWN_Y)


def a05():
    robot = Robot("a05_governor", "IFToMM A05: a flyball governor, held together by stiff springs")
    density = 3000.0
    rod_mass = density * 1 * .01 * .01
    slider_mass = density * .1 ** 3
    robot.link("shaft", box((.01, .01, 1), (0, 0, .5), rod_mass), "ground", (0, 0, 0), (0, 0, 1))
    robot.link("slider", box((.1, .1, .1), (0, 0, 0), slider_mass), "shaft", (0, 0, 0), (0, 0, 1), kind="prismatic")
    for name, side in (("right", 1), ("left", -1)):
        # The rod hangs down at q = 0 and rises outward.
        body = box((.01, .01, 1), (0, 0, -.5), rod_mass)
        robot.link(f"{name}_rod", body, "shaft", (side * .05, 0, 1), (0, -side, 0))
        robot.parts.append(f'  <link name="{name}_ball">{inertial(5.0, (0, 0, 0), (0.0, 0.0, 0.0))}</link>')
        robot.parts.append(f'  <joint name="{name}_ball" type="fixed"><origin xyz="0 0 -1"/><parent link="{name}_rod"/>'
                           f'<child link="{name}_ball"/></joint>')
        robot.spring(f"{name} coupler", "slider", (side * .05, 0, 0), f"{name}_rod", (0, 0, -.5), 8e5, 4e4, .5)
    robot.write(DOWN_Z)


if __name__ == "__main__":
    a01(), a02(2), a02(40), a03(), a04(), a05()
