#!/usr/bin/env python3
"""A humanoid in the air: its center of mass flies a parabola, its angular momentum stays, whatever its joints do.

usage: momentum.py [--plot FILE.png]
"""

import argparse

import numpy as np

import lissom

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--plot", metavar="FILE")
arguments = parser.parse_args()

robot = lissom.load(lissom.models / "humanoid.urdf", base="free")
print(robot)

# It jumps off with 3 m/s upward and turns about its left-right axis.
q, v = robot.neutral(), np.zeros(robot.nv)
base = robot.joint("base")
base.v(v)[:] = [0.5, 0, 3, 0, 2, 0]

# It pulls its knees and elbows in.
target = robot.neutral()
for side in ("left", "right"):
    robot.joint(f"{side}_knee").q(target)[...] = 1.2
    robot.joint(f"{side}_elbow").q(target)[...] = -1.2

step, frames = 1e-3, []
for i in range(601):
    frames.append((q, v))
    # PD control of the joints, with gains in proportion to the inertia that each of them moves; nothing drives the base.
    inertia = np.diagonal(robot.mass_matrix(q))
    tau = inertia * (12**2 * robot.difference(q, target) - 2 * 12 * v)
    base.v(tau)[:] = 0
    # The midpoint rule.
    k1 = robot.forward_dynamics(q, v, tau)
    k2 = robot.forward_dynamics(robot.integrate(q, v, step / 2), v + step / 2 * k1, tau)
    q, v = robot.integrate(q, v + step / 2 * k1, step), v + step * k2
    q = robot.normalize(q)

# All frames at once.
Q, V = (np.array(x) for x in zip(*frames))
times = step * np.arange(len(Q))
com, momentum = robot.center_of_mass(Q), robot.centroidal_momentum(Q, V)
start = momentum[0, :3] / robot.mass
parabola = com[0] + times[:, None] * start + 0.5 * times[:, None] ** 2 * robot.gravity
drift = np.abs(momentum[:, 3:] - momentum[0, 3:]).max()
print(f"highest point of the center of mass: {com[:, 2].max() - com[0, 2]:.4f} m above the start, by the parabola {start[2] ** 2 / 2 / 9.81:.4f} m")
print(f"largest distance from the parabola:  {1e6 * np.abs(com - parabola).max():.3f} µm")
print(f"largest change of angular momentum:  {drift:.2e} N m s, of {np.linalg.norm(momentum[0, 3:]):.2f}")

if arguments.plot:
    import matplotlib.pyplot as plt

    figure, (above, below) = plt.subplots(2, sharex=True, figsize=(7, 5), layout="constrained")
    above.plot(times, com[:, 2], label="center of mass")
    above.plot(times, robot.placement(Q, "pelvis")[:, 2, 3], label="pelvis")
    above.set_ylabel("height (m)")
    above.legend()
    below.plot(times, momentum[:, 3:], label=["x", "y", "z"])
    below.set_ylabel("angular momentum (N m s)")
    below.set_xlabel("time (s)")
    below.legend()
    figure.savefig(arguments.plot)

raise SystemExit(0 if drift < 1e-4 and np.abs(com - parabola).max() < 1e-4 else 1)
