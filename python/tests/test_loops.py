"""Closed loops: the equations of motion with their forces, assembly, projection; the bridge to other engines."""
import pathlib

import numpy as np
import pytest

import lissom
from lissom import bridge

MODELS = pathlib.Path(__file__).parents[2] / "models"


@pytest.fixture(scope="module")
def delta():
    return lissom.load(str(MODELS / "mechanisms" / "delta.urdf"), loops_file=str(MODELS / "mechanisms" / "delta.json"))


def closed(delta, seed=0):
    loops = lissom.ClosedLoops(delta)
    q = loops.assemble(delta.neutral())
    return loops, *loops.project(q, 0.3 * np.random.default_rng(seed).normal(size=delta.nv))


def test_lists_of_the_model(delta):
    assert len(delta.loops) == 6 and delta.loops[0].kind == "distance" and delta.loops[0].length == pytest.approx(0.6) and delta.couplings == [] and delta.springs == []
    squeezer = lissom.load(str(MODELS / "iftomm" / "a03_squeezer.urdf"), loops_file=str(MODELS / "iftomm" / "a03_squeezer.json"))
    assert len(squeezer.springs) == 1 and squeezer.springs[0].stiffness > 0
    assert lissom.load(str(MODELS / "arm7.urdf")).loops == []


def test_equation_of_motion(delta):
    loops, q, v = closed(delta)
    tau = np.linspace(-1, 1, delta.nv)
    a = loops.forward_dynamics(q, v, tau)
    J = loops.jacobian(q)
    np.testing.assert_allclose(delta.mass_matrix(q) @ a + delta.bias_forces(q, v), tau + J.T @ loops.multipliers, atol=1e-9)
    # J a + J̇ v = 0, J̇ v by differences
    h = 1e-6
    rate = (loops.jacobian(delta.integrate(q, v, h)) - loops.jacobian(delta.integrate(q, v, -h))) @ v / (2 * h)
    np.testing.assert_allclose(J @ a + rate, 0, atol=1e-6)
    assert loops.rank == 6 and loops.rows[0] == ("rod_a_left, length", "m")
    torques = loops.inverse_dynamics(q, v, a, actuated=[j.name for j in delta.joints if j.name.startswith("shoulder")] or [delta.joints[k].name for k in range(3)])
    np.testing.assert_allclose(loops.forward_dynamics(q, v, torques.tau), a, atol=1e-8)


def test_residual_and_jacobian_belong_together(delta):
    loops, q, v = closed(delta)
    h = 1e-6
    rate = (loops.residual(delta.integrate(q, v, h)) - loops.residual(delta.integrate(q, v, -h))) / (2 * h)
    np.testing.assert_allclose(rate, loops.jacobian(q) @ v, atol=1e-8)


def test_many_states(delta):
    loops, q, v = closed(delta)
    many_v = np.random.default_rng(2).normal(size=(4, delta.nv))
    Q, V = loops.project(delta.integrate(q, 1e-3 * many_v), many_v)
    assert Q.shape == (4, delta.nq) and (loops.gap(Q) < 1e-14).all() and loops.gap(Q).shape == (4,) and isinstance(loops.gap(q), float)
    A = loops.forward_dynamics(Q, V, np.zeros(delta.nv))
    for k in range(4):
        np.testing.assert_array_equal(A[k], loops.forward_dynamics(Q[k], V[k], np.zeros(delta.nv)))
        np.testing.assert_allclose(loops.jacobian(Q[k]) @ V[k], 0, atol=1e-13)
    np.testing.assert_allclose(loops.project_velocity(Q, V), V, atol=1e-12)


def test_assembly_from_afar_and_errors(delta):
    loops = lissom.ClosedLoops(delta)
    q, tries = loops.assemble(delta.integrate(delta.neutral(), np.full(delta.nv, 0.3)), tries=True)
    assert loops.gap(q) < 1e-10 and tries >= 0 and loops.rigid_because(q) == ""
    for wrong in (lambda: loops.project(delta.neutral() + 1, np.zeros(delta.nv)), lambda: loops.gap(np.zeros(3)), lambda: loops.assemble(np.full(delta.nq, np.nan)),
                  lambda: loops.inverse_dynamics(q, np.zeros(delta.nv), np.zeros(delta.nv), ["nothing"]), lambda: loops.inverse_dynamics(q, np.zeros(delta.nv), np.zeros(delta.nv), [True])):
        with pytest.raises(lissom.Error):
            wrong()


def test_simulation_keeps_loops_closed(delta):
    run = lissom.simulate(delta, 0.3, v=np.ones(delta.nv))
    loops = lissom.ClosedLoops(delta)
    np.testing.assert_allclose(loops.jacobian(run["q"][0]) @ run["v"][0], 0, atol=1e-12)
    assert loops.gap(run["q"]).max() < 1e-12 and run.report.max_gap < 1e-12
    assert run.columns("loops")[0] == "rod_a_left.length" and run.units("loops")[0] == "N"
    assert run.report.loop_forces[0].max == np.abs(run["loops"][:, 0]).max() > 0
    loops.forward_dynamics(run["q"][-1], run["v"][-1], np.zeros(delta.nv))
    np.testing.assert_allclose(loops.multipliers, run["loops"][-1], atol=1e-8)


@pytest.mark.skipif(not bridge.engines(), reason="lissom was built without other engines")
def test_bridge():
    arm = lissom.load(str(MODELS / "arm7.urdf"))
    engine = bridge.engines()[0]
    q = arm.neutral() + 0.1
    other = bridge.Bridge(arm, engine, q)
    np.testing.assert_allclose(other.q, q, atol=1e-12)
    a = arm.forward_dynamics(q, np.zeros(7), np.zeros(7))
    other.step(np.zeros(7), 1e-4)
    np.testing.assert_allclose(other.v / 1e-4, a, rtol=0.02, atol=0.05)
    hold = bridge.tracking_controller(arm, arm.neutral())
    coarse, fine = (bridge.run(arm, engine, hold, q, seconds=0.2, step=step) for step in (1e-3, 5e-4))
    assert not coarse.stopped and coarse.seconds == pytest.approx(0.2)
    ended = bridge.run(arm, engine, hold, q, seconds=100, progress=lambda done: False)
    assert ended.stopped and ended.seconds < 50
    assert fine.max_error < 0.7 * coarse.max_error < 0.02 and fine.engine == engine
    assert abs(fine.energy_after - fine.energy_before - fine.work.motors) < 1e-2 < abs(fine.work.motors) and not fine.energy_from_nowhere
    wild = bridge.run(arm, engine, hold, q, seconds=2, step=0.01)
    assert wild.energy_from_nowhere and any("energy appears from nowhere" in warning for warning in wild.warnings)

    def fails(t, q, v):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        bridge.run(arm, engine, fails, q, seconds=0.1)
    with pytest.raises(lissom.Error, match="nothing"):
        bridge.Bridge(arm, "nothing", q)
    with pytest.raises(lissom.Error, match="tau"):
        other.step(np.zeros(3), 1e-3)


def test_derivatives(delta):
    loops, q, v = closed(delta)
    n, tau, h = delta.nv, np.linspace(-1, 1, delta.nv), 1e-6
    d = loops.forward_dynamics_derivatives(q, v, tau)
    rows = len(loops.rows)
    assert d.a.shape == (n,) and d.da_dq.shape == (n, n) and d.multipliers.shape == (rows,) and d.dlambda_dq.shape == (rows, n)

    def forward(q, v, tau):
        a = loops.forward_dynamics(q, v, tau)
        return np.concatenate([a, loops.multipliers])

    e = np.random.default_rng(2).normal(size=n)
    moved = {"q": [forward(delta.integrate(q, e, s), v, tau) for s in (h, -h)],
             "v": [forward(q, v + s * e, tau) for s in (h, -h)],
             "tau": [forward(q, v, tau + s * e) for s in (h, -h)]}
    for name, (above, below) in moved.items():
        slope = np.concatenate([getattr(d, f"da_d{name}") @ e, getattr(d, f"dlambda_d{name}") @ e])
        measured = (above - below) / (2 * h)
        np.testing.assert_allclose(slope, measured, atol=1e-6 * max(1, np.abs(measured).max()))
    many = loops.forward_dynamics_derivatives(np.stack([q, q]), np.stack([v, 0 * v]), tau)
    assert many.da_dv.shape == (2, n, n) and np.array_equal(many.da_dq[0], d.da_dq)

    torques = loops.inverse_dynamics_derivatives(q, v, d.a)
    assert torques.dtau_da.shape == (n, n)
    x = loops.linearize(q, v, tau)
    assert x.directions.shape == (2 * n, 2 * (n - loops.rank))
    hold = loops.inverse_dynamics(q, 0 * v, 0 * v).tau
    A, B, directions = loops.linearize(q, 0 * v, hold)  # an equilibrium
    np.testing.assert_allclose(directions @ (directions.T @ A @ directions), A @ directions, atol=1e-8 * np.abs(A).max())
    with pytest.raises(lissom.Error, match="actuate more joints"):
        loops.inverse_dynamics_derivatives(q, v, d.a, actuated=[False] * n)
