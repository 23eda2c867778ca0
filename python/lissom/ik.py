"""Inverse kinematics: configurations and velocities that bring frames of a robot where they shall be.

    result = lissom.ik.solve(robot, lissom.ik.position("tool", [0.4, 0.1, 0.6]), q0)
    if result.status == "solved":
        use(result.q)

Targets are made by `position`, `orientation`, `pose`, `point`, `look_at` and `center_of_mass`. A `Solver` keeps its
memory from one search to the next; a `Batch` solves for thousands of poses of one target; a `VelocitySolver` finds
velocities; a `Pull` moves a robot as if one pulled at it.
"""
from ._core.ik import *  # noqa: F401,F403
