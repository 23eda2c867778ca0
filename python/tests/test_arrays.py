"""Arrays as arguments and results: shapes, types, memory, and everything that is no array."""

import gc
import sys
import threading
import time

import numpy as np
import pytest

import lissom


def test_batches_have_any_leading_shape(humanoid, states):
    q, v, a = states
    one = np.array([humanoid.inverse_dynamics(*x) for x in zip(q, v, a)])
    assert np.allclose(humanoid.inverse_dynamics(q, v, a), one, rtol=1e-11, atol=1e-11)
    shaped = humanoid.inverse_dynamics(q.reshape(2, 4, 5, -1), v.reshape(2, 4, 5, -1), a.reshape(2, 4, 5, -1))
    assert shaped.shape == (2, 4, 5, humanoid.nv)
    assert np.array_equal(shaped.reshape(40, -1), humanoid.inverse_dynamics(q, v, a))
    assert humanoid.mass_matrix(q.reshape(8, 5, -1)).shape == (8, 5, humanoid.nv, humanoid.nv)
    assert humanoid.kinetic_energy(q.reshape(8, 5, -1), v.reshape(8, 5, -1)).shape == (8, 5)
    assert isinstance(humanoid.kinetic_energy(q[0], v[0]), float)


def test_leading_axes_are_broadcast(humanoid, states):
    q, v, a = states
    expected = humanoid.inverse_dynamics(np.repeat(q[:1], 40, 0), v, a)
    assert np.array_equal(humanoid.inverse_dynamics(q[0], v, a), expected)
    assert np.array_equal(humanoid.inverse_dynamics(q[:1], v, a), expected)
    grid = humanoid.inverse_dynamics(q[:3, None], v[None, :5], a[0])
    assert grid.shape == (3, 5, humanoid.nv)
    assert np.allclose(grid[2, 4], humanoid.inverse_dynamics(q[2], v[4], a[0]), rtol=1e-11, atol=1e-11)
    with pytest.raises(lissom.Error, match=r"v has leading shape \(7,\), which cannot be broadcast with \(40,\)"):
        humanoid.inverse_dynamics(q, v[:7], a)


@pytest.mark.parametrize(
    "change",
    [
        lambda x: np.asfortranarray(x),
        lambda x: np.repeat(x, 2, axis=1)[:, ::2],
        lambda x: np.repeat(x, 3, axis=0)[::3],
        lambda x: x[::-1][::-1],
        lambda x: np.ascontiguousarray(x[::-1])[::-1],
        lambda x: np.ascontiguousarray(np.flip(x, -1))[:, ::-1],
        lambda x: x.astype(x.dtype.newbyteorder(">")),
        lambda x: x.astype(np.longdouble),
        lambda x: x.tolist(),
        lambda x: np.ma.masked_array(x),
        lambda x: memoryview(x),
    ],
)
def test_layouts_of_memory(humanoid, states, change):
    q, v, a = states
    expected = humanoid.inverse_dynamics(q, v, a)
    assert np.array_equal(humanoid.inverse_dynamics(change(q), change(v), change(a)), expected)


def test_unaligned_memory(humanoid, states):
    q, v, a = states
    buffer = np.zeros(q.nbytes + 1, np.uint8)
    unaligned = buffer[1:].view(np.float64).reshape(q.shape)
    unaligned[:] = q
    assert not unaligned.flags.aligned
    assert np.array_equal(humanoid.inverse_dynamics(unaligned, v, a), humanoid.inverse_dynamics(q, v, a))


def test_single_precision(humanoid, states):
    q, v, a = (x.astype(np.float32) for x in states)
    tau = humanoid.inverse_dynamics(q, v, a)
    assert tau.dtype == np.float32
    exact = humanoid.inverse_dynamics(*(x.astype(float) for x in humanoid_rounded(humanoid, q, v, a)))
    assert np.abs(tau - exact).max() < 2e-4 * np.abs(exact).max()
    assert np.array_equal(humanoid.inverse_dynamics(q[3], v[3], a[3]), tau[3])
    assert humanoid.centroidal_momentum(q, v).dtype == np.float32
    # One argument in double precision makes it a calculation in double precision.
    assert humanoid.bias_forces(humanoid.normalize(q.astype(float)), v).dtype == np.float64


def humanoid_rounded(humanoid, q, v, a):
    return humanoid.normalize(q.astype(float)), v, a


def test_whole_numbers_and_lists(arm):
    assert np.array_equal(arm.gravity_forces([0] * arm.nq), arm.gravity_forces(np.zeros(arm.nq)))
    assert np.array_equal(arm.gravity_forces(np.zeros(arm.nq, np.int8)), arm.gravity_forces(np.zeros(arm.nq)))
    assert np.array_equal(arm.gravity_forces(np.zeros(arm.nq, bool)), arm.gravity_forces(np.zeros(arm.nq)))
    assert arm.gravity_forces(np.zeros(arm.nq, np.float16)).dtype == np.float64


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("a string", TypeError),
        (["0"] * 7, TypeError),
        (None, TypeError),
        (object(), TypeError),
        ({"q": 1}, TypeError),
        (np.array([object()] * 7), TypeError),
        (np.zeros(7, complex), TypeError),
        (np.zeros(7, "datetime64[s]"), TypeError),
        (np.zeros(7, [("a", float)]), TypeError),
        ([[1, 2], [3]], ValueError),
        (3.0, ValueError),
        (np.zeros(()), ValueError),
        (np.zeros(6), ValueError),
        (np.zeros((7, 1)), ValueError),
        (np.zeros((3, 8)), ValueError),
        (np.zeros(0), ValueError),
        (np.zeros((1,) * 12 + (7,)), ValueError),
        (np.full(7, np.nan), ValueError),
        (np.full((3, 7), np.inf), ValueError),
    ],
)
def test_what_is_no_configuration(arm, value, error):
    for function in (arm.gravity_forces, arm.mass_matrix, arm.center_of_mass, arm.placements, arm.normalize):
        with pytest.raises(error, match="q"):
            function(value)


def test_errors_name_the_argument(humanoid, states):
    q, v, a = states
    with pytest.raises(lissom.Error, match=r"^q has 36 elements, expected 37$"):
        humanoid.inverse_dynamics(q[0, 1:], v, a)
    with pytest.raises(lissom.Error, match=r"^v has shape \(40, 35\), expected \(…, 36\)$"):
        humanoid.inverse_dynamics(q, v[:, 1:], a)
    bad = v.copy()
    bad[7, 2] = np.nan
    with pytest.raises(lissom.Error, match=r"v\(7, 2\) is NaN"):
        humanoid.inverse_dynamics(q, bad, a)
    with pytest.raises(lissom.Error, match="quaternion"):
        humanoid.mass_matrix(2 * q)
    with pytest.raises(TypeError):
        humanoid.inverse_dynamics(q, v)


def test_no_rows(humanoid):
    q = np.zeros((0, humanoid.nq))
    assert humanoid.mass_matrix(q).shape == (0, humanoid.nv, humanoid.nv)
    assert humanoid.inverse_dynamics(np.zeros((3, 0, humanoid.nq)), np.zeros(humanoid.nv), np.zeros(humanoid.nv)).shape == (3, 0, humanoid.nv)
    assert humanoid.regressor(q, np.zeros((0, humanoid.nv)), np.zeros(humanoid.nv)).shape == (0, humanoid.nv, 10 * humanoid.body_count)


def test_a_billion_rows_do_not_fit(humanoid):
    q = np.broadcast_to(humanoid.neutral(), (10**9, humanoid.nq))
    with pytest.raises(MemoryError):
        humanoid.mass_matrix(q)
    with pytest.raises((MemoryError, ValueError)):
        humanoid.mass_matrix(np.broadcast_to(humanoid.neutral(), (2**40, 2**30 // humanoid.nq, humanoid.nq)))


# Functions of many rows, by the state that they read.
OF_ROWS = {
    "q": ["mass_matrix", "inverse_mass_matrix", "gravity_forces", "center_of_mass", "center_of_mass_jacobian", "potential_energy", "placements",
          "joint_jacobians", "centroidal_map", "normalize"],
    "qv": ["bias_forces", "kinetic_energy", "centroidal_momentum", "coriolis_matrix", "centroidal_momentum_derivatives", "integrate",
           "integrate_derivatives"],
    "qva": ["inverse_dynamics", "forward_dynamics", "centroidal_momentum_rate", "regressor", "inverse_dynamics_derivatives",
            "forward_dynamics_derivatives", "forward_dynamics_parameter_derivatives", "linearize"],
}


@pytest.mark.parametrize(("inputs", "name"), [(inputs, name) for inputs, names in OF_ROWS.items() for name in names])
@pytest.mark.parametrize("types", ["f8", "f4", "f4 with f8"])
def test_more_rows_than_there_is_memory_for(humanoid, inputs, name, types):
    """Copies and results that do not fit are refused; rows that are broadcast take no memory, so there can be any number of them."""
    first, others = types.split(" with ") * 2 if " with " not in types else types.split(" with ")
    q = np.broadcast_to(humanoid.neutral().astype(first), (10**12, humanoid.nq))
    rest = [np.zeros(humanoid.nv, others) for _ in inputs[1:]]
    with pytest.raises((MemoryError, ValueError)):
        getattr(humanoid, name)(q, *rest)


@pytest.mark.parametrize("which", ["q", "v", "out"])
def test_arrays_do_not_change_size_during_a_call(humanoid, which):
    """The progress of a call may be told to a function that wants to resize the very arrays that the call reads and writes."""
    expected = humanoid.bias_forces(humanoid.neutral(), np.zeros(humanoid.nv))
    refused = []

    def resize(done, total):
        try:
            arrays[which].resize((1, arrays[which].shape[1]), refcheck=False)
        except ValueError as error:
            refused.append(str(error))

    n, end, before = 1 << 17, time.monotonic() + 60, lissom.threads()
    lissom.set_threads(1)
    try:
        with lissom.progress(resize):
            while not refused and time.monotonic() < end:  # until it takes long enough to be told
                arrays = {"q": np.tile(humanoid.neutral(), (n, 1)).copy(), "v": np.zeros((n, humanoid.nv)), "out": np.zeros((n, humanoid.nv))}
                humanoid.bias_forces(arrays["q"], arrays["v"], out=arrays["out"])
                n = min(2 * n, 1 << 21)
    finally:
        lissom.set_threads(before)
    assert refused and "referenc" in refused[0] and np.allclose(arrays["out"], expected, atol=1e-9)
    arrays[which].resize((1, arrays[which].shape[1]), refcheck=False)  # afterwards everybody may


def test_out(humanoid, states):
    q, v, a = states
    expected = humanoid.inverse_dynamics(q, v, a)
    out = np.full_like(expected, np.nan)
    assert humanoid.inverse_dynamics(q, v, a, out=out) is out
    assert np.array_equal(out, expected)
    # The result may be written over an argument.
    over = a.copy()
    assert np.array_equal(humanoid.inverse_dynamics(q, v, over, out=over), expected)
    shifted = np.empty((41, humanoid.nv))
    shifted[:40] = a
    assert np.array_equal(humanoid.inverse_dynamics(q, v, shifted[:40], out=shifted[1:]), expected)
    energy = np.empty(())
    humanoid.kinetic_energy(q[0], v[0], out=energy)
    assert energy == humanoid.kinetic_energy(q[0], v[0])
    single = np.empty((40, 6), np.float32)
    assert humanoid.centroidal_momentum(q.astype("f4"), v.astype("f4"), out=single) is single
    assert np.allclose(single, humanoid.centroidal_momentum(q, v), atol=1e-3)


@pytest.mark.parametrize(
    ("out", "error", "text"),
    [
        (np.zeros((39, 36)), ValueError, r"out has shape \(39, 36\), expected \(40, 36\)"),
        (np.zeros((40, 36), "f4"), TypeError, "out has elements of type float32, expected float64"),
        (np.zeros((40, 72))[:, ::2], ValueError, "not contiguous"),
        (np.broadcast_to(0.0, (40, 36)), ValueError, "read-only"),
        (np.zeros((40, 36), object), TypeError, "object"),
        ("a string", (TypeError, ValueError), "out"),
        ([[0.0] * 36] * 40, TypeError, "out is of type list, expected an array to write to"),
        (memoryview(np.zeros((40, 36))), TypeError, "out is of type memoryview"),
    ],
)
def test_what_is_no_out(humanoid, states, out, error, text):
    with pytest.raises(error, match=text):
        humanoid.inverse_dynamics(*states, out=out)


def test_other_libraries_by_dlpack(humanoid, states):
    class Other:  # as PyTorch's and JAX's arrays look from here
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **arguments):
            return self.array.__dlpack__(**arguments)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    q, v, a = states
    assert np.array_equal(humanoid.inverse_dynamics(Other(q), Other(v), Other(a)), humanoid.inverse_dynamics(q, v, a))

    out = np.empty_like(a)
    wrapped = Other(out)
    assert humanoid.inverse_dynamics(q, v, a, out=wrapped) is wrapped and np.array_equal(out, humanoid.inverse_dynamics(q, v, a))

    class OnGpu(Other):
        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(TypeError, match="q is not in the memory of the CPU"):
        humanoid.mass_matrix(OnGpu(q))


def test_torch(humanoid, states):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    q, v, a = (torch.from_numpy(x) for x in states)
    tau = humanoid.inverse_dynamics(q, v, a)
    assert np.array_equal(tau, humanoid.inverse_dynamics(*states))
    assert torch.from_dlpack(tau).shape == tau.shape


def test_jax(humanoid, states):
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    q, v, a = (jax.numpy.asarray(x, dtype="float32") for x in states)
    assert humanoid.inverse_dynamics(q, v, a).dtype == np.float32
    with pytest.raises(lissom.Error, match="out is read-only"):  # as all arrays of JAX are
        humanoid.inverse_dynamics(q, v, a, out=jax.numpy.zeros((40, humanoid.nv), "float32"))
    assert jax.dlpack.from_dlpack(humanoid.inverse_dynamics(q, v, a)).shape == v.shape


def test_nothing_is_copied_or_kept(humanoid, states):
    q, v, a = states
    counts = [sys.getrefcount(x) for x in (q, v, a)]
    for _ in range(100):
        humanoid.inverse_dynamics(q, v, a)
        with pytest.raises(lissom.Error):
            humanoid.inverse_dynamics(q, v[:, 1:], a)
    gc.collect()
    assert [sys.getrefcount(x) for x in (q, v, a)] == counts


def test_threads_share_a_model(humanoid, states):
    q, v, a = states
    expected = [humanoid.inverse_dynamics(q, v, a), humanoid.mass_matrix(q), humanoid.regressor(q, v, a)]
    wrong = []

    def work():
        for _ in range(20):
            got = [humanoid.inverse_dynamics(q, v, a), humanoid.mass_matrix(q), humanoid.regressor(q, v, a)]
            if not all(np.array_equal(x, y) for x, y in zip(got, expected)):
                wrong.append(got)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_number_of_threads(humanoid, states):
    q, v, a = (np.tile(x, (20, 1)) for x in states)
    expected = humanoid.inverse_dynamics(q, v, a)
    try:
        for threads in (1, 2, 3):
            lissom.set_threads(threads)
            assert lissom.threads() == threads
            assert np.array_equal(humanoid.inverse_dynamics(q, v, a), expected)
    finally:
        lissom.set_threads(0)
    with pytest.raises(lissom.Error, match="threads is -1"):
        lissom.set_threads(-1)
