#!/usr/bin/env python3
"""1,000 worlds with other masses, friction and speeds: a ball strikes a tall box, which stands, slides or topples.

usage: randomized_worlds.py [--count 1000] [--seconds 2] [--seed 0] [--plot FILE.png]
"""

import argparse
import sys
import time

import numpy as np

import lissom

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--count", type=int, default=1000)
parser.add_argument("--seconds", type=float, default=2)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--plot", metavar="FILE")
arguments = parser.parse_args()

world = lissom.World()
world.add_ground()
world.add_body(lissom.RigidBody.homogeneous("box", lissom.Shape("box", size=[0.1, 0.1, 0.3]), 2.0, pose=(np.eye(3), [0, 0, 0.15])))
world.add_body(lissom.RigidBody.homogeneous("ball", lissom.Shape("sphere", radius=0.05), 0.5, pose=(np.eye(3), [-0.2, 0.01, 0.18])))
world.set_properties("ball", "box", friction=0.3, restitution=0.5)

# What differs from world to world.
random, count, step = np.random.default_rng(arguments.seed), arguments.count, 1e-3
mass, friction, speed = random.uniform(0.3, 3, count), random.uniform(0.05, 0.8, count), random.uniform(0.3, 2.5, count)
batch = lissom.WorldBatch(world, count)
batch.scale_masses({"ball": mass})
batch.set_friction("box", "ground", friction)
v = batch.v("ball")
v[:, 0] = speed
batch.set_v("ball", v)
first = batch[0].clone()

start = time.perf_counter()
steps = round(arguments.seconds / step)
failed = batch.step(step, steps)
elapsed = time.perf_counter() - start

q = batch.q("box")
upright = 1 - 2 * (q[:, 4] ** 2 + q[:, 5] ** 2)  # cosine of the tilt, from the quaternion
outcome = np.where(upright < 0.7, "toppled", np.where(np.hypot(q[:, 0], q[:, 1]) > 0.01, "slid", "stood"))
print(f"{count} worlds, {steps} steps each: {elapsed:.2f} s on {batch.threads} threads, {count * steps / elapsed:,.0f} world-steps per second")
for name in ("stood", "slid", "toppled"):
    these = outcome == name
    if these.any():
        print(f"  {name:8} {these.sum():5}: friction {friction[these].mean():.2f}, momentum of the ball {0.5 * (mass * speed)[these].mean():.2f} kg m/s on average")
reports = batch.reports
print(f"failed: {len(failed)}; largest residual {reports['residual'].max():.1e} m/s; {(~reports['converged']).sum()} worlds with a step that did not converge")
for row, why in failed[:3]:
    print(f"  world {row}: {why}")

# The first of them alone moves with the same bits.
first.step(step, steps)
same = (first.q("box") == q[0]).all()
print(f"world 0 alone has the same bits: {same}")

if arguments.plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    for name, color in (("stood", "tab:green"), ("slid", "tab:blue"), ("toppled", "tab:red")):
        these = outcome == name
        axes.scatter(friction[these], 0.5 * (mass * speed)[these], s=6, color=color, label=name)
    axes.set(xlabel="friction of the ground", ylabel="momentum of the ball (kg m/s)", title=f"{count} worlds: a box is struck")
    axes.legend()
    figure.savefig(arguments.plot)
sys.exit(0 if same and not failed else "worlds failed, or are not those that they are alone")
