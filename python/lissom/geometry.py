"""Collision shapes: distances, and the points at which two of them touch (docs/geometry.md).

    a, b = lissom.geometry.Collider.box([0.1, 0.1, 0.1]), lissom.Shape("sphere", radius=0.05)
    lissom.geometry.distance(a, None, b, (np.eye(3), [0, 0, 0.2])).distance
"""
from ._core.geometry import *  # noqa: F401,F403
