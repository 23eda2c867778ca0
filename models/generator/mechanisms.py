# SPDX-License-Identifier: Apache-2.0
"""Small mechanisms for the less common joint types."""
import math

from .algebra import ALONG_X, ALONG_Y, X, Y, Z, apply, from_rpy
from .model import Robot, box, cylinder, sphere


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
    """Nothing is aligned: unit axes with exact decimals, rotated joint frames, rotated principal axes of inertia."""
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


def hanging_rod(r, name, color):
    """Length, mass and moments of inertia 1, center of mass in the middle; hangs along -z."""
    r.link(name, 1, [box((0.05, 0.04, 1), (0, 0, -0.5), color=color, collides=True), cylinder(0.04, 0.08, (0, 0, 0), ALONG_Y, color="steel")],
           com=(0, 0, -0.5), moments=(1, 1, 1))


def pendulum():
    r = Robot("pendulum", "A rigid pendulum; q = 0 hangs, positive angles lift it toward +x.")
    r.link("ceiling", 2.0, [box((0.3, 0.3, 0.04), (0, 0, 0.06), color="graphite")])
    hanging_rod(r, "rod", "orange")
    r.joint("swing", "continuous", "ceiling", "rod", axis=(0, -1, 0), effort=20, velocity=30)
    r.frame("tip", "rod", (0, 0, -1))
    return r


def cart_pole():
    r = Robot("cart_pole", "A cart on a rail, and a pole that hangs from it at q = 0; positive angles lift it toward +x.")
    r.link("rail", 4.0, [box((4, 0.05, 0.03), (0, 0, -0.1), color="graphite")])
    r.link("cart", 2.0, [box((0.3, 0.2, 0.12), color="blue", collides=True)])
    r.joint("slide", "prismatic", "rail", "cart", axis=X, range=(-1.8, 1.8), effort=100, velocity=10)
    hanging_rod(r, "pole", "orange")
    r.joint("swing", "continuous", "cart", "pole", axis=(0, -1, 0), effort=20, velocity=30)
    r.frame("tip", "pole", (0, 0, -1))
    return r


def acrobot():
    r = Robot("acrobot", "Two links that hang at q = 0; only the elbow has a motor.")
    r.link("bar", 4.0, [cylinder(0.03, 0.6, (0, 0, 0), ALONG_Y, color="graphite")])
    hanging_rod(r, "upper", "blue")
    r.joint("shoulder", "continuous", "bar", "upper", axis=(0, -1, 0), effort=0, velocity=30)
    hanging_rod(r, "lower", "orange")
    r.joint("elbow", "continuous", "upper", "lower", (0, 0, -1), axis=(0, -1, 0), effort=30, velocity=30)
    r.frame("tip", "lower", (0, 0, -1))
    return r


# The delta robot: radii of the base and of the platform, lengths of an upper arm and of a rod, half the distance of the two rods of
# an arm. At q = 0 the upper arms are level, and the rods span 0.36 m outward and 0.48 m down.
BASE, PLATFORM, UPPER, ROD, HALF_WIDTH = 0.20, 0.06, 0.22, 0.60, 0.04
DELTA_ARMS = [("a", 0), ("b", 120), ("c", 240)]


def around(radius, y, turn):
    """The point (radius, y) of the arm's frame, which is turned about z."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return (round(radius * c - y * s, 12), round(radius * s + y * c, 12), 0)


def delta():
    r = Robot("delta", "A delta robot: three arms carry a platform by six rods, which are in delta.json; the platform stays level.")
    r.link("base", 5.0, [cylinder(0.24, 0.03, (0, 0, 0.02), color="graphite")])
    for name, turn in DELTA_ARMS:
        r.link(f"arm_{name}", 0.3, [box((UPPER, 0.03, 0.02), (UPPER / 2, 0, 0), color="orange", collides=True),
                                    cylinder(0.012, 2 * HALF_WIDTH, (UPPER, 0, 0), ALONG_Y, color="steel")])
        r.joint(f"shoulder_{name}", "revolute", "base", f"arm_{name}", around(BASE, 0, turn), (0, 0, turn), axis=Y, range=(-60, 80),
                effort=20, velocity=20)
    r.link("platform", 0.4, [cylinder(PLATFORM, 0.02, color="blue", collides=True)])
    r.joint("flight", "floating", "base", "platform", (0, 0, -0.48))
    r.frame("tool", "platform", (0, 0, -0.03))
    return r


def delta_rods():
    """The loops file of the delta robot."""
    rods = []
    for name, turn in DELTA_ARMS:
        for side, y in (("left", HALF_WIDTH), ("right", -HALF_WIDTH)):
            rods.append({"name": f"rod_{name}_{side}", "kind": "distance",
                         "a": {"frame": f"arm_{name}", "position": [UPPER, y, 0]},
                         "b": {"frame": "platform", "position": list(around(PLATFORM, y, turn))}, "length": ROD})
    return {"loops": rods}


MECHANISMS = [ball_pendulum, universal_shaft, screw_jack, cylindrical_piston, planar_puck, floating_box, gripper_mimic, tilted_axes,
              parallel_roots, slider_pendulum, branching_hub, delta, pendulum, cart_pole, acrobot]
