#!/usr/bin/env python3
"""Masses of an arm from a noisy log: torques are linear in the inertial parameters, tau = Y(q, v, a) π.

The log is a random motion of the arm with measured torques. The parameters that the motion cannot tell apart (the base
parameters are fewer than ten per link) stay at their nominal values: what counts is that the identified arm predicts
torques of motions that it has not seen.

usage: identification.py [--plot FILE.png]
"""

import argparse

import numpy as np

import lissom

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--plot", metavar="FILE")
arguments = parser.parse_args()

nominal = lissom.load(lissom.models / "arm7.urdf")

# The true arm: every link is up to 30 % heavier or lighter than the file says, with its center of mass elsewhere.
rng = np.random.default_rng(5)
description = nominal.description
for link in description.links:
    factor = rng.uniform(0.7, 1.3)
    link.mass *= factor
    link.inertia = link.inertia * factor
    link.com = link.com + rng.uniform(-0.02, 0.02, 3)
true = lissom.build(description)


def motion(seed, count=2000, seconds=20):
    """Sums of sines in every joint: q, v, a at `count` times."""
    random = np.random.default_rng(seed)
    t = np.linspace(0, seconds, count)[:, None, None]
    w = 2 * np.pi * random.uniform(0.1, 0.8, (1, 5, nominal.nv))
    phase, size = random.uniform(0, 2 * np.pi, w.shape), random.uniform(0.1, 0.35, w.shape)
    return [(size * w**n * np.sin(w * t + phase + n * np.pi / 2)).sum(axis=1) for n in range(3)]


q, v, a = motion(1)
noise = 0.3  # N m
measured = true.inverse_dynamics(q, v, a) + noise * rng.standard_normal(v.shape)

# min ‖Y π - tau‖² + small · ‖π - π nominal‖²
Y = nominal.regressor(q, v, a).reshape(-1, 10 * nominal.body_count)
prior = nominal.inertial_parameters()
rank = np.linalg.matrix_rank(Y, tol=1e-8 * np.linalg.norm(Y, 2))
ridge = 1e-2 * np.eye(len(prior))
correction = np.linalg.solve(Y.T @ Y + ridge, Y.T @ (measured.ravel() - Y @ prior))
identified = prior + correction

# Motions that were not in the log.
q, v, a = motion(2)
truth = true.inverse_dynamics(q, v, a)
Y = nominal.regressor(q, v, a)


def rms(x):
    return np.sqrt(np.mean(x**2))


before, after = rms(Y @ prior - truth), rms(Y @ identified - truth)
print(f"{len(prior)} parameters, of which the motion tells {rank} combinations apart; noise {noise} N m")
print(f"torques of another motion: RMS {rms(truth):.2f} N m")
print(f"  predicted by the file:            RMS error {before:.3f} N m")
print(f"  predicted by the identified arm:  RMS error {after:.3f} N m")

if arguments.plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    part = slice(0, 400)
    axes.plot(truth[part, 1], label="true")
    axes.plot((Y @ prior)[part, 1], "--", label="by the file")
    axes.plot((Y @ identified)[part, 1], ":", label="identified")
    axes.set(xlabel="sample", ylabel=f"torque of {nominal.joints[1].name} (N m)")
    axes.legend()
    figure.savefig(arguments.plot)
raise SystemExit(0 if after < 0.1 * before and after < noise / 4 else 1)
