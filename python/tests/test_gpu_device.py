"""Batches on a real graphics card, with tensors of other libraries; left out where there is none."""
import numpy as np
import pytest

import lissom

robot = lissom.load(lissom.models / "humanoid.urdf", base="free")
count = 300


def batch_on_device(algorithms, dtype, capacity=count):
    batch = lissom.gpu.Batch(robot, algorithms, capacity, dtype=dtype)
    if batch.where != "device":
        pytest.skip(f"no graphics card: {batch.description}")
    return batch


def states():
    random = np.random.default_rng(1)
    q = np.array([robot.random_configuration(seed=i) for i in range(count)])
    return q, random.standard_normal((count, robot.nv)), random.standard_normal((count, robot.nv))


def difference(found, expected):
    assert found.shape == expected.shape
    return np.abs(found - expected).max() / np.abs(expected).max()


def test_uploads_and_downloads():
    for dtype, tolerance in (("float64", 1e-12), ("float32", 1e-4)):
        batch = batch_on_device(["aba", "rnea", "d_aba"], dtype)
        q, v, tau = states()
        for name, rows in {"q": q, "v": v, "tau": tau}.items():
            batch.upload(name, rows)
        batch.run("aba", count)
        expected = robot.forward_dynamics(q, v, tau)
        assert difference(batch.download("a", count), expected) < tolerance
        batch.run("rnea", count)  # from a back to tau
        assert difference(batch.download("tau", count), tau) < 1e3 * tolerance
        batch.upload("tau", tau)
        batch.run("d_aba", count)
        derivatives = robot.forward_dynamics_derivatives(q, v, tau)
        for name, matrix in {"da_dq": derivatives.da_dq, "da_dv": derivatives.da_dv, "da_dtau": derivatives.M_inverse}.items():
            assert difference(batch.download(name, count).reshape(matrix.shape), matrix) < 100 * tolerance, name


def test_tensors_of_torch():
    torch = pytest.importorskip("torch")
    batch = batch_on_device(["aba"], "float32")
    q, v, tau = states()
    tensors = {n: torch.tensor(x.T.copy(), dtype=torch.float32, device="cuda") for n, x in {"q": q, "v": v, "tau": tau}.items()}
    a = torch.full((robot.nv, count), float("nan"), dtype=torch.float32, device="cuda")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    batch.run("aba", a=a, stream=stream.cuda_stream, **tensors)
    stream.synchronize()
    expected = robot.forward_dynamics(q, v, tau)
    assert difference(a.cpu().numpy().T.astype(float), expected) < 1e-4
    # The batch's own arrays, without a copy.
    batch.run("aba", **tensors)
    own = torch.from_dlpack(batch.array("a"))
    torch.cuda.synchronize()
    assert own.device.type == "cuda"
    assert difference(own[:, :count].cpu().numpy().T.astype(float), expected) < 1e-4


def test_arrays_of_jax():
    jax = pytest.importorskip("jax")
    batch = batch_on_device(["rnea"], "float32", capacity=384)  # (JAX takes no arrays with gaps between rows)
    q, v, a = states()
    arrays = {n: jax.device_put(np.ascontiguousarray(x.T, dtype=np.float32)) for n, x in {"q": q, "v": v, "a": a}.items()}
    if all(d.platform == "cpu" for d in jax.devices()):
        pytest.skip("jax has no graphics card")
    for x in arrays.values():
        x.block_until_ready()
    batch.run("rnea", count, **arrays)
    tau = jax.dlpack.from_dlpack(batch.array("tau"))
    assert difference(np.asarray(tau)[:, :count].T.astype(float), robot.inverse_dynamics(q, v, a)) < 1e-4


def test_a_tensor_on_the_wrong_side():
    batch = batch_on_device(["aba"], "float32")
    q, v, tau = states()
    with pytest.raises(Exception, match="device|cuda|CPU|memory"):
        batch.run("aba", q=np.ascontiguousarray(q.T, dtype=np.float32))
