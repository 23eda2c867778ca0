"""Articulated bodies: kinematics, dynamics, simulation and control of robots, from one model.

    import lissom, numpy as np
    robot = lissom.load(lissom.models / "humanoid.urdf", base="free")
    tau = robot.inverse_dynamics(q, v, a)      # one state: (nq,), (nv,), (nv,)
    tau = robot.inverse_dynamics(Q, V, A)      # or a thousand: (…, nq), (…, nv), (…, nv)
"""

import pathlib as _pathlib
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ._core import *  # noqa: F403
from ._core import __version__ as __version__
from . import bridge as bridge
from . import charts as charts
from . import control as control
from . import formulations as formulations
from . import geometry as geometry
from . import gpu as gpu
from . import gradients as gradients
from . import ik as ik
from . import interchange as interchange
from . import mesh as mesh
from . import plan as plan
from . import qp as qp
from . import recording as recording
from . import sim as sim
from . import walking as walking
from .converting import convert as convert
from .converting import same as same
from .converting import write as write
from .formulations import verify as verify
from .generating import generate as generate
from .interchange import from_convention as from_convention
from .interchange import to_convention as to_convention
from .loading import load as load
from .progress import progress as progress
from .recording import Recording as Recording
from .recording import read_recording as read_recording
from .sim import simulate as simulate
from .viewing import View as View
from .viewing import view as view

#: The folder of the robots that come with lissom.
models = _pathlib.Path(__file__).parent / "models"
if not models.exists():  # in a checkout
    models = _pathlib.Path(__file__).parents[2] / "models"

if _TYPE_CHECKING:
    from . import sweep as sweep


def __getattr__(name: str) -> _Any:
    # Sweeps import half of the standard library, torch and jax more than that: a script without them need not wait.
    if name in ("sweep", "torch", "jax"):
        import importlib

        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'lissom' has no attribute '{name}'")
