"""Batches for graphics cards; here they are computed on the processor."""
import os
import subprocess
import sys

import numpy as np
import pytest

import lissom


@pytest.fixture(scope="module")
def robot():
    return lissom.load(lissom.models / "humanoid.urdf", base="free")


def states(robot, count):
    random = np.random.default_rng(1)
    q = np.array([robot.random_configuration(seed=i) for i in range(count)])
    return q, random.standard_normal((count, robot.nv)), random.standard_normal((count, robot.nv))


@pytest.mark.parametrize("dtype, tolerance", [("float64", 1e-10), ("float32", 1e-3)])
def test_forward_dynamics(robot, dtype, tolerance):
    q, v, tau = states(robot, 21)
    batch = lissom.gpu.Batch(robot, ["aba", "rnea"], 32, dtype=dtype, place="cpu")
    assert batch.where == "cpu" and batch.description.startswith("CPU, ")
    assert batch.kernels == [] and batch.capacity == 32
    assert batch.arrays == {"q": robot.nq, "v": robot.nv, "tau": robot.nv, "a": robot.nv}
    for name, rows in {"q": q, "v": v, "tau": tau}.items():
        batch.upload(name, rows)
    batch.run("aba", 21)
    a = batch.download("a", 21)
    assert a.dtype == dtype
    expected = robot.forward_dynamics(q, v, tau)
    assert np.abs(a - expected).max() <= tolerance * np.abs(expected).max()


def test_arrays_of_the_caller(robot):
    q, v, tau = states(robot, 8)
    batch = lissom.gpu.Batch(robot, ["aba"], 8, dtype="float64", place="cpu")
    given = {name: np.ascontiguousarray(rows.T) for name, rows in {"q": q, "v": v, "tau": tau}.items()}
    a = np.full((robot.nv, 8), np.nan)
    batch.run("aba", a=a, **given)
    expected = robot.forward_dynamics(q, v, tau)
    assert np.abs(a.T - expected).max() <= 1e-10 * np.abs(expected).max()
    own = np.from_dlpack(batch.array("a"))
    assert own.shape == (robot.nv, 8)


def test_steps(robot):
    q, v, tau = states(robot, 4)
    batch = lissom.gpu.Batch(robot, ["step"], 4, dtype="float64", place="cpu")
    for name, rows in {"q": q, "v": v, "tau": tau}.items():
        batch.upload(name, rows)
    batch.run("step", dt=1e-3)
    batch.swap("q", "q1")
    v1 = v + 1e-3 * robot.forward_dynamics(q, v, tau)
    assert np.abs(batch.download("v1") - v1).max() < 1e-9
    assert np.abs(batch.download("q") - robot.integrate(q, v1, 1e-3)).max() < 1e-9


def test_errors(robot):
    batch = lissom.gpu.Batch(robot, ["aba"], 4, place="cpu")
    with pytest.raises(lissom.Error, match="no algorithm 'abba'; did you mean 'aba'"):
        lissom.gpu.Batch(robot, ["abba"], 4, place="cpu")
    with pytest.raises(lissom.Error, match="dtype is 'int32'"):
        lissom.gpu.Batch(robot, ["aba"], 4, dtype="int32", place="cpu")
    with pytest.raises(lissom.Error, match="no array 'x'"):
        batch.download("x")
    with pytest.raises(lissom.Error, match="a is no array of two axes of float32"):
        batch.run("aba", a=np.zeros((robot.nv, 4)))
    with pytest.raises(lissom.Error, match="a has 3 rows, expected 36"):
        batch.run("aba", a=np.zeros((3, 4), dtype=np.float32))
    assert "aba_vjp" in lissom.gpu.algorithms()


def test_without_a_driver():
    """In a process of its own: the driver is looked for once."""
    program = """
import lissom
robot = lissom.load(lissom.models / "arm7.urdf")
assert lissom.gpu.devices() == [] and "no CUDA driver" in lissom.gpu.why_no_device()
batch = lissom.gpu.Batch(robot, ["aba"], 4)
assert batch.where == "cpu" and "no CUDA driver" in batch.description
try:
    lissom.gpu.Batch(robot, ["aba"], 4, place="device")
except lissom.Error as error:
    assert "no CUDA driver was found" in str(error)
    print("refused")
"""
    environment = os.environ | {"LISSOM_CUDA_DRIVER": "/nonexistent/libcuda.so"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.stdout == "refused\n", done.stderr
