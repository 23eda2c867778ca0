"""The classical formulations of the equations of motion, which verify each other and the fast algorithms (docs/formulations.md).

Functions of a robot take a Model, or its Mechanism, and one state or any number of them: q of shape (…, nq), v, a and tau of shape (…, nv).

    report = lissom.verify(robot)                                   # all of them, at random states
    coordinates = lissom.formulations.Charted(robot, otherwise="exponential")
    x = coordinates.from_model(q)
    equations = lissom.formulations.lagrange(coordinates, x, coordinates.rates_map(x) @ v)
"""
from ._core.formulations import *  # noqa: F401,F403
