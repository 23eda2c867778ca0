"""Articulated bodies: kinematics, dynamics, simulation and control of robots, from one model.

    import lissom, numpy as np
    robot = lissom.load(lissom.models / "humanoid.urdf", base="free")
    tau = robot.inverse_dynamics(q, v, a)      # one state, (nq,), (nv,), (nv,)
    tau = robot.inverse_dynamics(Q, V, A)      # or a thousand: (…, nq), …
"""
from ._core import *  # noqa: F401,F403
from ._core import __version__
from . import bridge, recording, sim
from .recording import Recording, read_recording
from .sim import simulate
