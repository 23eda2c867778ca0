"""States and forces in the conventions of other programs that read the same robot (docs/formulations.md).

Two things differ between programs: the order of the joints, and the elements of some of them (quaternions w first or last,
continuous joints as (cos, sin), velocities of a free base along the world's or the base's axes). Joints are matched by name.

    q_pin = lissom.interchange.to_pinocchio(robot, pin_model, q)
    q, v = lissom.interchange.from_mujoco(robot, mj_model, data.qpos, data.qvel)

The functions read the other program's model object, and do not import it. `to_convention` and `from_convention` need no such
object, only the name of the convention: 'pinocchio', 'mujoco', 'ros', or 'world'.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._core import Error
from ._core import formulations as _formulations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from ._core import Model

__all__ = ["conversion", "pinocchio_conversion", "mujoco_conversion", "to_convention", "from_convention",
           "to_pinocchio", "from_pinocchio", "to_mujoco", "from_mujoco"]


def conversion(robot: Model, convention: str, joint_order: Sequence[str] | None = None) -> _formulations.Conversion:
    """The Conversion between a model and another program's model of the same robot.

    joint_order: that program's joints with coordinates, in the order of its q and v; None: those that it finds in the same file.
    """
    return _formulations.Conversion(robot, convention, joint_order)


def to_convention(robot: Model, convention: str, q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None,
                  tau: ArrayLike | None = None, joint_order: Sequence[str] | None = None) -> Any:
    """The model's q, and v, a and tau where given, as another program writes them.

    robot: a Model. convention: 'pinocchio', 'mujoco', 'ros', 'world' or 'lissom'.
    q: (…, nq); v, a, tau: (…, nv). a needs v.
    joint_order: that program's joints with coordinates, in its order; None: those that it finds in the same file.
    Returns q alone if nothing else was given, else a tuple of what was, in the order q, v, a, tau.
    """
    return _to(conversion(robot, convention, joint_order), q, v, a, tau)


def from_convention(robot: Model, convention: str, q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None,
                    tau: ArrayLike | None = None, joint_order: Sequence[str] | None = None) -> Any:
    """The model's q, and v, a and tau where given, of what another program writes: the reverse of to_convention()."""
    return _from(conversion(robot, convention, joint_order), q, v, a, tau)


def to_pinocchio(robot: Model, pin_model: Any, q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None,
                 tau: ArrayLike | None = None) -> Any:
    """What a pinocchio.Model of the same robot calls q, v, a and tau; the arguments are those of `robot`, (…, nq) and (…, nv).

    Returns q alone if nothing else was given, else a tuple of what was, in the order q, v, a, tau.
    """
    return _to(pinocchio_conversion(robot, pin_model), q, v, a, tau)


def from_pinocchio(robot: Model, pin_model: Any, q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None,
                   tau: ArrayLike | None = None) -> Any:
    """The reverse of to_pinocchio(): arguments of Pinocchio's model, (…, model.nq) and (…, model.nv), to those of `robot`."""
    return _from(pinocchio_conversion(robot, pin_model), q, v, a, tau)


def to_mujoco(robot: Model, mj_model: Any, q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None,
              tau: ArrayLike | None = None) -> Any:
    """What a mujoco.MjModel of the same robot calls qpos, qvel, qacc and qfrc; the arguments are those of `robot`.

    Returns qpos alone if nothing else was given, else a tuple of what was, in the order qpos, qvel, qacc, qfrc.
    """
    return _to(mujoco_conversion(robot, mj_model), q, v, a, tau)


def from_mujoco(robot: Model, mj_model: Any, q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None,
                tau: ArrayLike | None = None) -> Any:
    """The reverse of to_mujoco(): qpos, (…, mj_model.nq), and qvel, qacc, qfrc, (…, mj_model.nv), to q, v, a and tau of `robot`."""
    return _from(mujoco_conversion(robot, mj_model), q, v, a, tau)


def pinocchio_conversion(robot: Model, pin_model: Any) -> _formulations.Conversion:
    """The Conversion between a Model and a pinocchio.Model of the same robot; joints are matched by their names."""
    names, sizes = list(pin_model.names), list(pin_model.nqs)
    moving = [name for name, nq in zip(names, sizes) if nq > 0]
    result = conversion(robot, "pinocchio", moving)
    at = {name: i for i, name in enumerate(names)}
    for entry, name in zip(result.entries, moving):
        found = (int(pin_model.idx_qs[at[name]]), int(sizes[at[name]]), int(pin_model.idx_vs[at[name]]))
        _expect_same(entry, name, found, "Pinocchio")
    return result


def mujoco_conversion(robot: Model, mj_model: Any) -> _formulations.Conversion:
    """The Conversion between a Model and a mujoco.MjModel of the same robot; joints are matched by their names."""
    names, places = _mujoco_joints(robot, mj_model)
    result = conversion(robot, "mujoco", names)
    for entry, name, found in zip(result.entries, names, places):
        _expect_same(entry, name, found, "MuJoCo")
    if (result.nq, result.nv) != (mj_model.nq, mj_model.nv):
        raise Error(f"MuJoCo's model has nq = {mj_model.nq} and nv = {mj_model.nv}, expected {result.nq} and {result.nv}: "
                    "are they the same robot?")
    return result


def _mujoco_joints(robot, mj_model):
    """Names of MuJoCo's joints, and (index in qpos, elements, index in qvel); the three joints of a planar one count as one."""
    elements = {0: 7, 1: 4, 2: 1, 3: 1}  # mjJNT_FREE, _BALL, _SLIDE, _HINGE
    found = [mj_model.joint(i).name or _name_of_nameless(robot, mj_model, i) for i in range(mj_model.njnt)]
    names, places, i = [], [], 0
    while i < len(found):
        name, nq, count = found[i], elements[int(mj_model.jnt_type[i])], 1
        if found[i:i + 3] == [name[:-3] + end for end in ("_TX", "_TY", "_RZ")] and not robot.has_joint(name):
            name, nq, count = name[:-3], 3, 3  # as MuJoCo reads a planar joint from a URDF file
        elif nq == 7 and not robot.has_joint(name):
            name = next(iter(_formulations.base_joints(robot)), name)  # a free joint without a name, or with its own
        names.append(name)
        places.append((int(mj_model.jnt_qposadr[i]), nq, int(mj_model.jnt_dofadr[i])))
        i += count
    return names, places


def _name_of_nameless(robot, mj_model, i):
    """As lissom calls a joint that has no name in its MJCF file (docs/mjcf.md)."""
    body = int(mj_model.jnt_bodyid[i])
    start = mj_model.body(body).name or f"body{body}"
    number = str(i - int(mj_model.body_jntadr[body]) + 1) if mj_model.body_jntnum[body] > 1 else ""
    return start + "/free" if robot.has_joint(start + "/free") else f"{start}/joint{number}"


def _expect_same(entry, name, found, program):
    expected = (entry.q_index, entry.nq, entry.v_index)
    if tuple(found) != expected:
        raise Error(f"joint '{name}' has q[{found[0]}:{found[0] + found[1]}], v[{found[2]}] in {program}'s model, expected "
                    f"q[{expected[0]}:{expected[0] + expected[1]}], v[{expected[2]}]: are they the same robot?")


def _results(values):
    given = [x for x in values if x is not None]
    return given[0] if len(given) == 1 else tuple(given)


def _expect_velocity(a, v):
    if a is not None and v is None:
        raise Error("a was given without v, which its conversion needs")


def _to(c, q, v, a, tau):
    _expect_velocity(a, v)
    state = c.to_state(q, v)
    there = (state, None) if v is None else state
    return _results((*there, None if a is None else c.to_acceleration(q, v, a), None if tau is None else c.to_forces(q, tau)))


def _from(c, q, v, a, tau):
    _expect_velocity(a, v)
    state = c.from_state(q, v)
    here = (state, None) if v is None else state
    return _results((*here, None if a is None else c.from_acceleration(*here, a), None if tau is None else c.from_forces(here[0], tau)))
