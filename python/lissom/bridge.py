"""A controller in generalized coordinates drives an engine in maximal coordinates (ODE, Bullet)."""
from ._core.bridge import *  # noqa: F401,F403
