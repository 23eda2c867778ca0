#!/usr/bin/env python3
"""A cart that swings its pole up: one force for each step, optimized by gradients through the simulation.

The gradient of the cost with respect to all forces takes one pass backward over the steps, with a vector-Jacobian product of
forward dynamics in each: about as much as two more simulations, for any number of forces.

usage: swing_up.py [--plot FILE.png]      needs SciPy
"""

import argparse

import numpy as np
import scipy.optimize

import lissom

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--plot", metavar="FILE")
arguments = parser.parse_args()

# A cart of 1 kg on a rail along x; from it hangs a pole of 0.2 kg, 1 m long, which stands up at an angle of π.
description = lissom.Description(name="cart_pole")
description.links.append(lissom.LinkDescription(name="rail"))
description.links.append(lissom.LinkDescription(name="cart", mass=1, inertia=0.01 * np.eye(3)))
description.links.append(lissom.LinkDescription(name="pole", mass=0.2, com=[0, 0, -0.5], inertia=np.diag([1, 1, 0.01]) * 0.2 / 12))
description.joints.append(lissom.JointDescription(name="slide", type="prismatic", parent="rail", child="cart", axis=[1, 0, 0], lower=[-5], upper=[5]))
description.joints.append(lissom.JointDescription(name="pivot", type="continuous", parent="cart", child="pole", axis=[0, 1, 0]))
robot = lissom.build(description)

steps, dt, max_force = 100, 0.02, 20.0
goal = np.array([0, np.pi])
weight_q, weight_v, weight_force = np.array([20.0, 50.0]), 5.0, 1e-3


def forward(forces):
    """The states of all steps of the semi-implicit Euler method, from rest with the pole hanging."""
    q, v = np.zeros((2, steps + 1, 2))
    for k, force in enumerate(forces):
        v[k + 1] = v[k] + dt * robot.forward_dynamics(q[k], v[k], [force, 0])
        q[k + 1] = q[k] + dt * v[k + 1]
    return q, v


def cost_and_gradient(forces):
    q, v = forward(forces)
    error = q[-1] - goal
    cost = weight_q @ error**2 + weight_v * v[-1] @ v[-1] + weight_force * dt * forces @ forces
    # Backward: how the cost changes with q and v of each step.
    by_q, by_v, gradient = 2 * weight_q * error, 2 * weight_v * v[-1], 2 * weight_force * dt * forces
    for k in reversed(range(steps)):
        by_v = by_v + dt * by_q  # q[k + 1] = q[k] + dt v[k + 1]
        through = robot.forward_dynamics_vjp(q[k], v[k], [forces[k], 0], weights=dt * by_v)
        by_q, by_v, gradient[k] = by_q + through.q, by_v + through.v, gradient[k] + through.tau[0]
    return cost, gradient


# The gradient is that of differences.
guess = 2 * np.sin(np.linspace(0, 4 * np.pi, steps))
_, gradient = cost_and_gradient(guess)
probe = np.random.default_rng(1).standard_normal(steps)
slope = (cost_and_gradient(guess + 1e-6 * probe)[0] - cost_and_gradient(guess - 1e-6 * probe)[0]) / 2e-6
print(f"slope along a random change of all forces: {gradient @ probe:.6f} by the gradient, {slope:.6f} by differences")
assert abs(gradient @ probe - slope) < 1e-5 * abs(slope)

found = scipy.optimize.minimize(cost_and_gradient, guess, jac=True, method="L-BFGS-B", bounds=[(-max_force, max_force)] * steps, options={"maxiter": 600})
q, v = forward(found.x)
print(f"after {found.nit} iterations: the pole is {abs(q[-1, 1] - np.pi):.4f} rad from upright, the cart {abs(q[-1, 0]):.4f} m from its start, "
      f"with at most {np.abs(found.x).max():.1f} N")

if arguments.plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, figsize=(7, 5), layout="constrained", sharex=True)
    times = dt * np.arange(steps + 1)
    axes[0].plot(times, q[:, 0], label="cart (m)")
    axes[0].plot(times, q[:, 1], label="pole (rad)")
    axes[0].legend()
    axes[1].step(times[:-1], found.x, where="post")
    axes[1].set_ylabel("force (N)")
    axes[1].set_xlabel("time (s)")
    figure.savefig(arguments.plot)
upright = abs(q[-1, 1] - np.pi) < 0.05 and np.abs(v[-1]).max() < 0.1
raise SystemExit(0 if upright else 1)
