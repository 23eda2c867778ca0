# SPDX-License-Identifier: Apache-2.0
"""The humanoid, the quadruped, and arms."""
from dataclasses import replace

from .algebra import ALONG_X, ALONG_Y, X, Y, Z
from .model import Robot, box, cylinder, sphere


def humanoid():
    """30 joints, 58 kg, 1.54 m. At q = 0 it stands straight, arms hanging, palms facing back, all link frames parallel.

    Every axis is +x, +y or +z on both sides: pitch joints have one sign for both sides, roll and yaw joints have opposite signs.
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
    """The range of a joint on the side s, from that of the left side."""
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
    # The palm faces back (-x) at q = 0. When the hand is on the ground, the z axis of its frame points up, from the ground into the hand
    # (here +x), and the x axis along the fingers (here -z).
    r.frame_link(f"{side}_palm", f"{side}_hand", (-0.035, 0, -0.065), (0, 90, 0))


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


def arm7():
    r = Robot("arm7", "A seven-joint arm of 18 kg with a spherical shoulder and wrist.")
    r.link("base", 3.0, [
        cylinder(0.10, 0.05, (0, 0, 0.025), color="graphite", collides=True),
        cylinder(0.08, 0.10, (0, 0, 0.10), color="white", collides=True)])
    # height above the previous joint, axis, range (± degrees), effort, velocity, mass, shapes
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


def add_gripper(r, parent, at):
    """Two pads that move along ±y and are driven by one motor: `finger` is half of the opening."""
    r.link("palm", 0.5, [box((0.05, 0.12, 0.03), (0, 0, 0.015), color="graphite", collides=True)])
    r.joint("palm_mount", "fixed", parent, "palm", at)
    for side, sign in (("left", 1), ("right", -1)):
        r.link(f"{side}_pad", 0.1, [box((0.03, 0.01, 0.06), (0, sign * 0.005, 0.03), color="rubber", collides=True)])
        r.joint("finger" if sign == 1 else "right_finger", "prismatic", "palm", f"{side}_pad", (0, 0, 0.03), axis=(0, sign, 0),
                range=(0.001, 0.04), effort=200, velocity=0.5, mimic=None if sign == 1 else ("finger", 1, 0))
    r.frame_link("grasp", "palm", (0, 0, 0.07))


def gripper():
    r = Robot("gripper", "A parallel gripper with two pads, driven by one motor.")
    r.link("mount", 0.2, [cylinder(0.03, 0.02, (0, 0, -0.01), color="steel", collides=True)])
    add_gripper(r, "mount", (0, 0, 0))
    return r


def arm7_gripper():
    r = arm7()
    r.name, r.about = "arm7_gripper", "The seven-joint arm with a parallel gripper."
    add_gripper(r, "tool", (0, 0, 0))
    return r


def planar_arm(r, links):
    """Links of length, mass and moments of inertia 1, centers of mass in the middle, in the vertical x-z plane."""
    r.link("base", 5.0, [box((0.2, 0.2, 0.2), (0, 0.16, 0), color="graphite")])
    parent, at = "base", (0, 0, 0)
    for i, color in enumerate(("blue", "orange", "white")[:links], 1):
        r.link(f"link{i}", 1, [
            box((1, 0.04, 0.08), (0.5, 0, 0), color=color),
            cylinder(0.06, 0.08, (0, 0, 0), ALONG_Y, color="graphite")], com=(0.5, 0, 0), moments=(1, 1, 1))
        r.joint(f"joint{i}", "continuous", parent, f"link{i}", at, axis=(0, -1, 0), effort=100, velocity=20)
        parent, at = f"link{i}", (1, 0, 0)
    r.frame_link("tip", f"link{links}", (1, 0, 0))
    return r


def planar2():
    """The textbooks' planar arm: lengths, masses and moments of inertia are 1, centers of mass are in the middle."""
    return planar_arm(Robot("planar2", "The planar two-link arm of the textbooks, in the vertical x-z plane; angles from the x axis upward."), 2)


def planar3():
    return planar_arm(Robot("planar3", "A planar three-link arm, in the vertical x-z plane; angles from the x axis upward."), 3)
