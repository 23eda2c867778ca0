#!/usr/bin/env python3
"""Ten cubes on each other, 1 g and 1000 kg in turn: heavy ones on light ones stand, and each contact carries what is above it.

usage: stack.py [--seconds 5] [--plot FILE.png]
"""

import argparse
import sys

import numpy as np

import lissom

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--seconds", type=float, default=5)
parser.add_argument("--plot", metavar="FILE")
arguments = parser.parse_args()

count, edge, step = 10, 0.1, 1e-3
masses = [0.001 if i % 2 == 0 else 1000.0 for i in range(count)]
cube = lissom.Shape("box", size=[edge, edge, edge])

world = lissom.World()
world.add_ground()
for i, mass in enumerate(masses):
    world.add_body(lissom.RigidBody.homogeneous(f"cube{i}", cube, mass, pose=(np.eye(3), [0, 0, edge * (i + 0.5)])))
world.set_properties("", "", friction=0.9)

times, moved, worst = [], [], 0.0
start = np.array([world.pose(f"cube{i}")[:3, 3] for i in range(count)])
for _ in range(round(arguments.seconds / step / 10)):
    report = world.step(step, 10)
    worst = max(worst, report.residual)
    now = np.array([world.pose(f"cube{i}")[:3, 3] for i in range(count)])
    times.append(world.time)
    moved.append(np.linalg.norm(now - start, axis=1))

contacts = world.contact_array()
print(f"{count} cubes, {sum(masses):.0f} kg, {world.time:g} s in steps of {step:g} s: {len(contacts)} contact points")
good = True
for i in range(count):
    below = contacts[(contacts["a"] == f"cube{i}") & np.isin(contacts["b"], [f"cube{i - 1}", "ground"])]
    below = np.concatenate([below["force"], -contacts[(contacts["b"] == f"cube{i}") & (contacts["a"] == f"cube{i - 1}")]["force"]])
    carried, expected = below[:, 2].sum(), 9.81 * sum(masses[i:])
    good &= abs(carried / expected - 1) < 1e-6
    print(f"  cube{i}, {masses[i]:8g} kg: stands on {carried:12.4f} N ({expected:12.4f} N are above), moved {1e6 * moved[-1][i]:.3f} µm")
print(f"largest residual of a step: {worst:.1e} m/s")

if arguments.plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    axes.plot(times, 1e6 * np.array(moved))
    axes.set(xlabel="time (s)", ylabel="displacement of each cube (µm)", title="Ten cubes of 1 g and 1000 kg")
    figure.savefig(arguments.plot)
sys.exit(0 if good and moved[-1].max() < 1e-4 else "the stack does not stand")
