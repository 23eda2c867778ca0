#!/usr/bin/env python3
"""The planar two-link arm of the textbooks: closed forms beside lissom's, and a swing that keeps its energy.

usage: two_link_arm.py [--plot FILE.png]
"""

import argparse

import numpy as np

import lissom

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--plot", metavar="FILE")
arguments = parser.parse_args()

# Both links: length 1 m, mass 1 kg, center of mass in the middle, moment of inertia 1 kg m² about it.
robot = lissom.load(lissom.models / "planar2.urdf")
g = 9.81

# A thousand states at once, (1000, 2).
rng = np.random.default_rng(1)
q, v, a = rng.uniform(-3, 3, (3, 1000, 2))
(q1, q2), (v1, v2) = q.T, v.T


def column(*rows):
    return np.stack(np.broadcast_arrays(*rows), axis=-1)


M = column(column(3.5 + np.cos(q2), 1.25 + 0.5 * np.cos(q2)), column(1.25 + 0.5 * np.cos(q2), 1.25))
c = column(-v1 * v2 * np.sin(q2) - 0.5 * v2**2 * np.sin(q2), 0.5 * v1**2 * np.sin(q2))
G = column(0.5 * g * np.cos(q1 + q2) + 1.5 * g * np.cos(q1), 0.5 * g * np.cos(q1 + q2))
tau = np.einsum("bij,bj->bi", M, a) + c + G
tip = column(np.cos(q1) + np.cos(q1 + q2), np.zeros_like(q1), np.sin(q1) + np.sin(q1 + q2))

errors = {
    "mass matrix": robot.mass_matrix(q) - M,
    "bias forces": robot.bias_forces(q, v) - (c + G),
    "gravity forces": robot.gravity_forces(q) - G,
    "inverse dynamics": robot.inverse_dynamics(q, v, a) - tau,
    "forward dynamics": robot.forward_dynamics(q, v, tau) - a,
    "position of the tip": robot.placement(q, "tip")[..., :3, 3] - tip,
}
for what, error in errors.items():
    print(f"{what:20} largest difference from the closed form: {np.abs(error).max():.1e}")

# It is let go and swings for ten seconds, with an integrator that keeps energy and momentum for all times.
run = lissom.simulate(robot, q=[1.5, 0.5], seconds=10, integrator="variational")
energy = robot.kinetic_energy(run["q"], run["v"]) + robot.potential_energy(run["q"])
print(f"swing: {len(run)} frames, energy between {energy.min():.6f} and {energy.max():.6f} J")

if arguments.plot:
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    left.plot(run.times, run["q"], label=run.columns("q"))
    left.set(xlabel="time (s)", ylabel="joint angle (rad)")
    left.legend()
    path = robot.placement(run["q"], "tip")[:, :3, 3]
    right.plot(path[:, 0], path[:, 2], linewidth=0.7)
    right.set(xlabel="x (m)", ylabel="z (m)", title="path of the tip", aspect="equal")
    figure.savefig(arguments.plot)

worst = max(np.abs(error).max() for error in errors.values())
raise SystemExit(0 if worst < 1e-8 and np.ptp(energy) < 0.01 else 1)
