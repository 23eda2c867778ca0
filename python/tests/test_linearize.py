"""A and B of the steps of all integrators, against differences of the steps themselves."""
import numpy as np
import pytest

import lissom
from lissom import sim


@pytest.mark.parametrize("name", [info.name for info in sim.integrators()])
def test_steps(name):
    quadruped = lissom.load(lissom.models / "quadruped.urdf", base="free")
    system = sim.System(quadruped)
    dice = np.random.default_rng(4)
    n, h = quadruped.nv, 2e-3
    x = sim.State(q=quadruped.random_configuration(3), v=0.3 * dice.normal(size=n))
    tau = 0.1 * dice.normal(size=n)
    integrator = sim.integrator(name, relative_tolerance=1e6, absolute_tolerance=1e6)
    d = integrator.linearize(system, x, tau, h)
    assert d.A.shape == (2 * n, 2 * n) and d.B.shape == (2 * n, n)

    system.control(lambda t, q, v: tau)
    along = dice.normal(size=3 * n)

    def stepped(s):
        nonlocal tau
        kept, tau = tau, tau + s * along[2 * n:]
        y = sim.State(q=quadruped.integrate(x.q, along[:n], s), v=x.v + s * along[n:2 * n], next_step=h)
        integrator.step(system, y, h)
        tau = kept
        return np.concatenate([quadruped.difference(d.end.q, y.q), y.v - d.end.v])

    np.testing.assert_allclose(stepped(0), 0, atol=1e-9)
    e = 1e-5
    measured = (stepped(e) - stepped(-e)) / (2 * e)
    np.testing.assert_allclose(d.A @ along[:2 * n] + d.B @ along[2 * n:], measured, atol=1e-6 * np.abs(measured).max())
    with pytest.raises(lissom.Error, match="step is -1 s"):
        integrator.linearize(system, x, tau, -1)
