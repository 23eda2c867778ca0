"""Articulated bodies: kinematics, dynamics, simulation and control of robots, from one model.

    import lissom, numpy as np
    robot = lissom.load(lissom.models / "humanoid.urdf", base="free")
    tau = robot.inverse_dynamics(q, v, a)      # one state: (nq,), (nv,), (nv,)
    tau = robot.inverse_dynamics(Q, V, A)      # or a thousand: (…, nq), (…, nv), (…, nv)
"""

import importlib
import pathlib

from ._core import *  # noqa: F401,F403
from ._core import __version__  # noqa: F401

#: The folder of the robots that come with lissom.
models = pathlib.Path(__file__).parent / "models"
if not models.exists():  # in a checkout
    models = pathlib.Path(__file__).parents[2] / "models"

# (`from . import ik` would find the name that _core has brought along, not the file.)
for _name in ("control", "ik", "qp"):
    importlib.import_module("." + _name, __name__)
from ._core import __version__
from . import charts, formulations, interchange  # noqa: F401
from .interchange import from_convention, to_convention  # noqa: F401
from .loading import load  # noqa: F401
