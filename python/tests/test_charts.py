"""Charts: the built-in ones, Python functions as charts, and the dual numbers that these compute with."""
import gc
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest

import lissom
from lissom import Dual, Dual2

RNG = np.random.default_rng(1)


def mrp_rotation(s):
    S = np.array([[0, -s[2], s[1]], [s[2], 0, -s[0]], [-s[1], s[0], 0]])
    return np.eye(3) + (4 * (1 - s @ s) * S + 8 * S @ S) / (1 + s @ s)**2


def quaternion_rotation(q):
    w, x, y, z = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


@pytest.fixture(scope="module")
def mrp():
    return lissom.custom_chart("mrp", 3, mrp_rotation)


# ── Built-in charts

@pytest.mark.parametrize("name", lissom.charts.names())
def test_every_chart_gives_back_its_rotation_and_rates(name):
    chart = lissom.chart(name)
    R = lissom.chart("exponential").rotation([0.4, -0.7, 0.9])
    theta = chart.coordinates(R)
    assert theta.shape == (chart.size,) and chart.name == name
    np.testing.assert_allclose(chart.rotation(theta), R, atol=1e-14)
    chart.check(theta)
    for frame in ("world_axes", "body_axes"):
        omega = np.array([0.3, -1.1, 0.7])
        rates = chart.rates(theta, omega, frame)
        np.testing.assert_allclose(chart.angular_velocity(theta, rates, frame), omega, atol=1e-12)
        np.testing.assert_allclose(chart.constraint_jacobian(theta) @ rates, np.zeros(chart.constraints), atol=1e-12)
    assert 0 < chart.inverse_condition(theta) <= 1


def test_rate_map_is_the_derivative_of_the_rotation():
    chart = lissom.chart("roll-pitch-yaw")
    theta, rate, h = np.array([0.3, 0.5, -0.8]), np.array([1.0, -0.4, 0.6]), 1e-6
    change = (chart.rotation(theta + h * rate) - chart.rotation(theta - h * rate)) / (2 * h) @ chart.rotation(theta).T
    omega = [change[2, 1], change[0, 2], change[1, 0]]
    np.testing.assert_allclose(chart.angular_velocity(theta, rate), omega, atol=1e-9)
    np.testing.assert_allclose(chart.angular_velocity(theta, rate, "body_axes"), chart.rotation(theta).T @ omega, atol=1e-9)
    slope = (chart.rate_map(theta + h * rate) - chart.rate_map(theta - h * rate)) / (2 * h)
    np.testing.assert_allclose(chart.rate_map_rate(theta, rate), slope, atol=1e-8)


def test_long_rotation_vectors_are_shortened_and_charts_pickle():
    chart = lissom.chart("exponential")
    long_ = np.array([0.0, 0.0, 1.5 * np.pi])
    np.testing.assert_allclose(chart.away_from_singularity(long_), [0, 0, -0.5 * np.pi])
    again = pickle.loads(pickle.dumps(chart))
    assert again.name == "exponential" and "exponential" in repr(again)


def test_wrong_arguments():
    chart = lissom.chart("quaternion")
    with pytest.raises(lissom.Error, match="euler-xyz"):
        lissom.chart("quaternions")
    with pytest.raises(lissom.Error, match="3 elements, expected 4"):
        chart.rotation([1, 0, 0])
    with pytest.raises(lissom.Error):
        chart.check([1, 1, 0, 0])
    with pytest.raises(lissom.Error, match="NaN"):
        chart.rate_map([1, 0, 0, math.nan])
    with pytest.raises(lissom.Error, match="rotation"):
        chart.coordinates(2 * np.eye(3))
    with pytest.raises(TypeError):
        chart.rate_map([1, 0, 0, 0], "sideways")
    with pytest.raises((TypeError, ValueError), match="theta"):
        chart.rotation(None)


# ── Dual numbers

FUNCTIONS = [(np.sin, 0.3), (np.cos, 0.3), (np.tan, 0.3), (np.sqrt, 0.7), (np.exp, 0.3), (np.log, 0.7), (np.arcsin, 0.3), (np.arccos, 0.3),
             (np.arctan, 0.3), (np.sinh, 0.3), (np.cosh, 0.3), (np.tanh, 0.3), (np.abs, -0.3), (np.square, 0.7), (np.negative, 0.2),
             (lambda x: x**3, -0.4), (lambda x: x**-2, -0.4), (lambda x: x**0.5, 0.4), (lambda x: 2**x, 0.4), (lambda x: x**x, 0.4),
             (lambda x: x**0, 0.4), (lambda x: 1 / x, 0.4), (lambda x: x / 3 - 2 * x + 1 - (4 - x), 0.4), (lambda x: np.float64(2) * x, 0.4),
             (lambda x: np.arctan2(x, 0.5), 0.4), (lambda x: np.arctan2(x, x * x), -0.4), (lambda x: np.hypot(x, 2.0), 0.4)]


@pytest.mark.parametrize("f, at", FUNCTIONS, ids=range(len(FUNCTIONS)))
def test_derivatives_of_first_and_second_order(f, at):
    h = 1e-5
    first = (f(at + h) - f(at - h)) / (2 * h)
    second = (f(at + h) - 2 * f(at) + f(at - h)) / h**2
    x = f(Dual(at, 1.0))
    x2 = f(Dual2(Dual(at, 1.0), Dual(1.0, 0.0)))
    value, slope = (x.value, x.slope) if isinstance(x, Dual) else (x, 0)
    assert value == pytest.approx(f(at), rel=1e-15) and slope == pytest.approx(first, abs=1e-7)
    if isinstance(x2, Dual2):
        assert x2.value.value == pytest.approx(f(at), rel=1e-15)
        assert x2.value.slope == pytest.approx(first, abs=1e-7) and x2.slope.value == pytest.approx(first, abs=1e-7)
        assert x2.slope.slope == pytest.approx(second, abs=1e-3)


def test_dual_numbers_in_arrays_and_comparisons():
    x = np.array([Dual(0.1, 1.0), Dual(0.2, 0.0)])
    y = np.sin(x) @ np.array([2, 3])
    assert y.value == pytest.approx(2 * math.sin(0.1) + 3 * math.sin(0.2)) and y.slope == pytest.approx(2 * math.cos(0.1))
    assert np.linalg.norm(x).slope == pytest.approx(0.1 / math.hypot(0.1, 0.2))
    assert Dual(1, 5) < 2 and Dual(1, 5) <= 1 and 0.5 < Dual(1, 5) and Dual(1, 5) == 1 and Dual(1, 5) != 2 and Dual(1, 0) > Dual(0.5, 9)
    greater = max(Dual(1, 0), Dual(2, 0))
    assert greater.value == 2 and not Dual(0, 1)
    assert pickle.loads(pickle.dumps(Dual(1, 2))).slope == 2 and repr(Dual(1, 2)) == "Dual(1.0, 2.0)"
    with pytest.raises(TypeError, match="np.sin"):
        math.sin(Dual(1, 2))
    with pytest.raises(TypeError):
        Dual(1, 2) + "1"
    with pytest.raises(TypeError):
        Dual(1, 2) * Dual2(Dual(1, 0), Dual(0, 0))


# ── Python functions as charts

def test_a_python_function_is_a_chart(mrp):
    theta, rate, h = np.array([0.1, 0.2, -0.3]), np.array([0.4, -0.5, 0.6]), 1e-6
    # ω = 4 ((1 - σ²) 1 + 2 σσᵀ + 2 [σ]) σ̇ / (1 + σ²)², along the world's axes
    s2, S = theta @ theta, np.cross(np.eye(3), theta).T
    S = np.array([[0, -theta[2], theta[1]], [theta[2], 0, -theta[0]], [-theta[1], theta[0], 0]])
    J = 4 * ((1 - s2) * np.eye(3) + 2 * np.outer(theta, theta) + 2 * S) / (1 + s2)**2
    np.testing.assert_allclose(mrp.rate_map(theta), J, atol=1e-13)
    slope = (mrp.rate_map(theta + h * rate) - mrp.rate_map(theta - h * rate)) / (2 * h)
    np.testing.assert_allclose(mrp.rate_map_rate(theta, rate), slope, atol=1e-8)
    np.testing.assert_allclose(mrp.coordinates(mrp.rotation(theta)), theta, atol=1e-12)
    assert mrp.size == 3 and mrp.constraints == 0 and repr(mrp) == "Chart('mrp', size=3, constraints=0)"


def test_a_python_chart_with_a_constraint_equals_the_built_in_one():
    mine = lissom.custom_chart("my quaternion", 4, quaternion_rotation, constraints=1, constraint=lambda q: [q @ q - 1])
    scalar = lissom.custom_chart("scalar", 4, quaternion_rotation, 1, lambda q: q @ q - 1)
    built_in = lissom.chart("quaternion")
    q, rate = np.array([0.5, -0.5, 0.5, 0.5]), RNG.normal(size=4)
    for chart in (mine, scalar):
        np.testing.assert_allclose(chart.rate_map(q), built_in.rate_map(q), atol=1e-14)
        np.testing.assert_allclose(chart.rate_map_rate(q, rate), built_in.rate_map_rate(q, rate), atol=1e-14)
        np.testing.assert_allclose(chart.constraint(q), [0], atol=1e-15)
        np.testing.assert_allclose(chart.constraint_jacobian(q), [2 * q], atol=1e-15)
        np.testing.assert_allclose(chart.constraint_bias(q, rate), [2 * rate @ rate], atol=1e-14)
        found = chart.coordinates(built_in.rotation(q))
        np.testing.assert_allclose(found * np.sign(found[0]), q * np.sign(q[0]), atol=1e-10)


class Marked(Exception):
    pass


def test_exceptions_of_the_function_come_out_unchanged():
    fail = []

    def rho(theta):
        if fail:
            raise fail[0]
        return mrp_rotation(theta)

    chart = lissom.custom_chart("failing", 3, rho)
    robot = lissom.load_text('<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>', base="free")
    coordinates = lissom.formulations.Charted(robot, otherwise=chart)
    x = coordinates.from_model(robot.neutral())
    fail.append(Marked("here"))
    for call in (lambda: chart.rotation([0.1, 0, 0]), lambda: chart.rate_map([0.1, 0, 0]), lambda: chart.coordinates(np.eye(3)),
                 lambda: lissom.formulations.lagrange(coordinates, x, x)):
        with pytest.raises(Marked) as caught:
            call()
        assert caught.value is fail[0]


@pytest.mark.parametrize("rho, error, text", [
    (lambda t: 2 * np.eye(3), lissom.Error, "no rotation matrix"),
    (lambda t: np.diag([1.0, 1, -1]), lissom.Error, "no rotation matrix"),
    (lambda t: np.eye(4), lissom.Error, "3 × 3"),
    (lambda t: None, TypeError, "3 × 3"),
    (lambda t: "abc", TypeError, "3 × 3"),
    (lambda t: [["a", 0, 0], [0, 1, 0], [0, 0, 1]], TypeError, r"element \(0, 0\)"),
    (lambda t: [[math.cos(t[0]), -math.sin(t[0]), 0], [math.sin(t[0]), math.cos(t[0]), 0], [0, 0, 1]], TypeError, "np.sin"),
    (lambda t: t[7], IndexError, "out of bounds"),
    (17, TypeError, "function"),
])
def test_functions_that_are_no_charts_are_reported(rho, error, text):
    with pytest.raises(error, match=text):
        lissom.custom_chart("bad", 3, rho)


def test_wrong_definitions():
    with pytest.raises(lissom.Error, match="three degrees of freedom"):
        lissom.custom_chart("few", 2, mrp_rotation)
    with pytest.raises(lissom.Error, match="expected at least"):
        lissom.custom_chart("loose", 4, quaternion_rotation)
    with pytest.raises(TypeError, match="constraint"):
        lissom.custom_chart("no constraint", 4, quaternion_rotation, 1)
    with pytest.raises(lissom.Error, match="constraint"):
        lissom.custom_chart("two", 4, quaternion_rotation, 1, lambda q: [q @ q - 1, 0])
    with pytest.raises(lissom.Error, match="built-in"):
        lissom.custom_chart("quaternion", 4, quaternion_rotation, 1, lambda q: [q @ q - 1])
    with pytest.raises(lissom.Error, match="not pickled"):
        pickle.dumps(lissom.custom_chart("mine", 3, mrp_rotation))


def test_functions_are_released_with_their_chart():
    class Watched:
        def __call__(self, theta):
            return mrp_rotation(theta)

    import weakref
    rho = Watched()
    seen = weakref.ref(rho)
    chart = lissom.custom_chart("watched", 3, rho)
    del rho
    assert seen() is not None
    del chart
    gc.collect()
    assert seen() is None


def test_a_chart_in_the_globals_of_a_script_is_no_leak_at_its_end():
    script = """
import numpy as np, lissom
def rho(s):
    S = np.array([[0, -s[2], s[1]], [s[2], 0, -s[0]], [-s[1], s[0], 0]])
    return np.eye(3) + (4 * (1 - s @ s) * S + 8 * S @ S) / (1 + s @ s)**2
chart = lissom.custom_chart("mrp", 3, rho)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ran.returncode == 0 and "leaked" not in ran.stderr, ran.stderr
