#!/usr/bin/env python3
"""A pole balanced on a cart by LQR: the model is linearized at the upright state, SciPy solves the Riccati equation.

usage: cart_pole.py [--plot FILE.png]      needs SciPy
"""

import argparse

import numpy as np
import scipy.linalg

import lissom

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--plot", metavar="FILE")
arguments = parser.parse_args()

# A cart of 1 kg on a rail along x; on it a pole of 0.2 kg, 1 m long, that stands up at an angle of 0.
description = lissom.Description(name="cart_pole")
description.links.append(lissom.LinkDescription(name="rail"))
description.links.append(lissom.LinkDescription(name="cart", mass=1, inertia=0.01 * np.eye(3)))
description.links.append(lissom.LinkDescription(name="pole", mass=0.2, com=[0, 0, 0.5], inertia=np.diag([1, 1, 0.01]) * 0.2 / 12))
description.joints.append(lissom.JointDescription(name="slide", type="prismatic", parent="rail", child="cart", axis=[1, 0, 0], lower=[-5], upper=[5]))
description.joints.append(lissom.JointDescription(name="pivot", type="continuous", parent="cart", child="pole", axis=[0, 1, 0]))
robot = lissom.build(description)

# d/dt (q, v) = A (q, v) + B tau about the upright state.
n = robot.nv
A, B = robot.linearize(np.zeros(n), np.zeros(n), np.zeros(n))
B = B[:, :1]  # a force on the cart only

Q, R = np.diag([1.0, 10.0, 1.0, 1.0]), np.array([[0.1]])
P = scipy.linalg.solve_continuous_are(A, B, Q, R)
K = np.linalg.solve(R, B.T @ P)
print("eigenvalues of the pole alone: ", np.round(np.linalg.eigvals(A), 3))
print("eigenvalues under control:     ", np.round(np.linalg.eigvals(A - B @ K), 3))


def balance(t, q, v):
    return [-(K @ np.concatenate([q, v]))[0], 0]


run = lissom.simulate(robot, controller=balance, q=[0, 0.6], seconds=8)
end = np.abs(np.concatenate([run["q"][-1], run["v"][-1]])).max()
print(f"from 0.6 rad: the pole is upright within 0.01 rad after {run.times[np.flatnonzero(np.abs(run['q'][:, 1]) > 0.01).max()]:.2f} s, the cart moved {np.ptp(run['q'][:, 0]):.2f} m")

if arguments.plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(run.times, run["q"][:, 0], label="cart (m)")
    axes.plot(run.times, run["q"][:, 1], label="pole (rad)")
    axes.set_xlabel("time (s)")
    axes.legend()
    figure.savefig(arguments.plot)
raise SystemExit(0 if end < 1e-2 and np.linalg.eigvals(A - B @ K).real.max() < 0 else 1)
