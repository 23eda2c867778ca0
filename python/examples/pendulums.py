#!/usr/bin/env python3
"""10,000 double pendulums, released from almost the same place: after ten seconds they are everywhere.

usage: pendulums.py [--count 10000] [--seconds 10] [--plot FILE.png]
"""

import argparse
import time

import numpy as np

import lissom

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--count", type=int, default=10_000)
parser.add_argument("--seconds", type=float, default=10)
parser.add_argument("--plot", metavar="FILE")
arguments = parser.parse_args()

robot = lissom.load(lissom.models / "planar2.urdf")
count, step = arguments.count, 1e-3
q = np.tile([2.5, 0.5], (count, 1))
q[:, 0] += np.linspace(0, 1e-3, count)  # a thousandth of a radian from the first to the last
v = np.zeros((count, robot.nv))
before = robot.kinetic_energy(q, v) + robot.potential_energy(q)

start, spread = time.perf_counter(), []
steps = round(arguments.seconds / step)
for i in range(steps):
    failed = robot.step(q, v, np.zeros(robot.nv), step)  # all of them, in place
    assert not failed, failed[0]
    if i % 20 == 0:
        spread.append(np.ptp(q[:, 0]))
elapsed = time.perf_counter() - start

after = robot.kinetic_energy(q, v) + robot.potential_energy(q)
print(f"{count} pendulums, {steps} steps: {elapsed:.2f} s, {1e9 * elapsed / steps / count:.0f} ns per step and pendulum")
print(f"spread of the first angle: {spread[0]:.4f} rad at the start, {spread[-1]:.1f} rad at the end")
print(f"largest change of energy: {np.abs(after - before).max():.3f} J of {np.ptp([before.min(), 0.0]):.1f} J (semi-implicit Euler, {step} s)")

if arguments.plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    axes.semilogy(np.arange(len(spread)) * 20 * step, spread)
    axes.set(xlabel="time (s)", ylabel="spread of the first angle (rad)", title=f"{count} double pendulums")
    figure.savefig(arguments.plot)
raise SystemExit(0 if arguments.seconds < 5 or spread[-1] > 1 else 1)
