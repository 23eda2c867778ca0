#!/usr/bin/env python3
"""Inverse kinematics of an arm: one pose, all postures that reach it, and 2,000 poses at once.

usage: arm_ik.py [--plot FILE.png]
"""

import argparse
import time

import numpy as np

import lissom

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--plot", metavar="FILE")
arguments = parser.parse_args()

robot = lissom.load(lissom.models / "arm7.urdf")

# A pose that some posture has.
wanted = robot.placement(robot.random_configuration(4), "tool")
result = lissom.ik.solve(robot, [lissom.ik.pose("tool", wanted)])
reached = robot.placement(result.q, "tool")
print(f"one pose: {result.status} after {result.starts} start(s), off by {np.abs(reached - wanted).max():.1e}")

# Seven joints for six numbers: other starts give other postures.
postures = [lissom.ik.solve(robot, [lissom.ik.pose("tool", wanted)], q0=robot.random_configuration(seed)).q for seed in range(5)]
print(f"five starts: postures that differ by up to {np.ptp(postures, axis=0).max():.2f} rad, all of them there")

# Many poses at once, in SIMD lanes and on threads.
truth = robot.random_configuration(0, 2000)
poses = robot.placement(truth, "tool")
solver = lissom.ik.BatchSolver(robot, "tool")
start = time.perf_counter()
found = solver.solve(poses)
elapsed = time.perf_counter() - start
error = np.abs(robot.placement(found.q, "tool") - poses).max(axis=(1, 2))
solved = np.array([status == "solved" for status in found.status])
print(f"2,000 poses: {solved.sum()} solved in {1e3 * elapsed:.1f} ms, {1e6 * elapsed / 2000:.0f} µs each; largest error {error[solved].max():.1e}")

if arguments.plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    axes.hist(np.log10(error + 1e-18), bins=40)
    axes.set(xlabel="log10 of the largest error of a pose", ylabel="poses")
    figure.savefig(arguments.plot)
raise SystemExit(0 if result.status == "solved" and solved.mean() > 0.99 else 1)
