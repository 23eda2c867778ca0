"""lissom.jax: gradients against differences, jit, vmap, errors."""

import numpy as np
import pytest

import lissom

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install jax")
from test_derivatives import joints_of_all_kinds  # noqa: E402

import lissom.jax  # noqa: E402

jnp = jax.numpy


@pytest.fixture(scope="module")
def kinds():
    return joints_of_all_kinds()


@pytest.fixture(autouse=True)
def in_double():
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", False)


def states(robot, *leading, seed=2):
    dice = np.random.default_rng(seed)
    count = int(np.prod(leading, dtype=int))
    q = robot.integrate(robot.random_configuration(5, count), 0.2 * dice.standard_normal((count, robot.nv))).reshape(*leading, robot.nq)
    return (q, *dice.standard_normal((2, *leading, robot.nv)))


def close(found, expected, tolerance):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=tolerance * max(1, np.abs(expected).max()), rtol=0)


def slopes(f, robot, q, v, last, h=1e-6):
    """The gradient of f(q, v, last) along the tangent space of q, and with respect to v and last."""
    by_q = [(f(robot.integrate(q, e, h), v, last) - f(robot.integrate(q, e, -h), v, last)) / (2 * h) for e in np.eye(robot.nv)]
    by_v = [(f(q, v + h * e, last) - f(q, v - h * e, last)) / (2 * h) for e in np.eye(robot.nv)]
    by_last = [(f(q, v, last + h * e) - f(q, v, last - h * e)) / (2 * h) for e in np.eye(robot.nv)]
    return np.array(by_q), np.array(by_v), np.array(by_last)


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics"])
def test_gradients(kinds, name):
    q, v, last = states(kinds)
    function = getattr(lissom.jax, name)

    def cost(*x):
        return (jnp.sin(function(kinds, *x)) * jnp.arange(kinds.nv)).sum()

    found = jax.jit(jax.grad(cost, (0, 1, 2)))(q, v, last)
    expected = slopes(lambda *x: float(cost(*x)), kinds, q, v, last)
    close(lissom.gradients.to_tangent(kinds, q, found[0]), expected[0], 1e-5)
    close(found[1], expected[1], 1e-5)
    close(found[2], expected[2], 1e-5)


def test_integrate_and_step(kinds):
    q, v, tau = states(kinds)

    def cost(*x):
        q1, v1 = lissom.jax.step(kinds, *lissom.jax.step(kinds, *x, 0.05), x[2], 0.05)
        return jnp.cos(q1 * jnp.arange(kinds.nq)).sum() + (v1**2).sum()

    found = jax.grad(cost, (0, 1, 2))(q, v, tau)
    expected = slopes(lambda *x: float(cost(*x)), kinds, q, v, tau)
    close(lissom.gradients.to_tangent(kinds, q, found[0]), expected[0], 1e-5)
    close(found[1], expected[1], 1e-5)
    close(found[2], expected[2], 1e-5)


def test_vmap_is_a_batch(kinds):
    q, v, a = states(kinds, 6)
    close(jax.vmap(lambda *x: lissom.jax.inverse_dynamics(kinds, *x))(q, v, a), kinds.inverse_dynamics(q, v, a), 1e-12)
    # One argument for all, and gradients inside.
    gradient = jax.jit(jax.vmap(jax.grad(lambda x, y: lissom.jax.forward_dynamics(kinds, x, y, a[0]).sum(), 1)))(q, v)
    close(gradient, kinds.forward_dynamics_vjp(q, v, a[0], np.ones(kinds.nv)).v, 1e-12)
    # Broadcast arguments get gradients of their own shape.
    by_one = jax.grad(lambda x: lissom.jax.inverse_dynamics(kinds, q, v, x).sum())(a[0])
    close(by_one, kinds.mass_matrix(q).sum((0, 1)), 1e-12)


def test_single_precision(kinds):
    q, v, a = states(kinds, 3)
    jax.config.update("jax_enable_x64", False)
    tau = lissom.jax.inverse_dynamics(kinds, kinds.normalize(q.astype("f4")), v, a)
    assert tau.dtype == jnp.float32
    close(tau, kinds.inverse_dynamics(q, v, a), 1e-4)


def test_errors(kinds):
    q, v, a = states(kinds)
    with pytest.raises(NotImplementedError, match="second derivatives"):
        jax.grad(lambda x: jax.grad(lambda y: (lissom.jax.forward_dynamics(kinds, q, y, a) ** 2).sum())(x).sum())(v)
    with pytest.raises(TypeError, match="forward-mode"):
        jax.jvp(lambda x: lissom.jax.forward_dynamics(kinds, q, x, a), (v,), (v,))
    with pytest.raises(ValueError, match=r"v has shape \(3,\), expected"):
        lissom.jax.inverse_dynamics(kinds, q, v[:3], a)
    with pytest.raises(TypeError, match="complex"):
        lissom.jax.inverse_dynamics(kinds, q, v * 1j, a)
