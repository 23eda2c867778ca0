"""The classical formulations against the fast algorithms, against each other, and against laws."""
import pathlib
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import lissom
from lissom import formulations as forms

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"


@pytest.fixture(scope="module")
def robot():
    return lissom.load(MODELS / "humanoid.urdf", base="free")


@pytest.fixture(scope="module")
def arm():
    return lissom.load(MODELS / "arm7.urdf")


@pytest.fixture(scope="module")
def state(robot):
    dice = np.random.default_rng(3)
    return robot.random_configuration(3), dice.normal(size=robot.nv), dice.normal(size=robot.nv), dice.normal(size=robot.nv)


def close(a, b, tolerance=1e-9):
    scale = max(1.0, float(np.max(np.abs(b), initial=0)))
    np.testing.assert_allclose(a, b, atol=tolerance * scale, rtol=0)


# ── verify

def test_verify_reports_agreement(robot):
    report = lissom.verify(robot, states=3, chart="exponential")
    assert report.states == 3 and report.compared == 3 and 0 < report.max_disagreement < 1e-9
    quantities = [c.quantity for c in report.comparisons]
    assert quantities == ["mass matrix", "joint forces", "accelerations"]
    worst = report.comparisons[2]
    assert worst.disagreement.shape == (len(worst.formulations),) * 2
    assert worst.disagreement.max() == worst.max_disagreement and {"aba", "maximal", "lagrange"} <= set(worst.formulations)
    assert worst.first in worst.formulations and worst.second in worst.formulations
    assert "accelerations: " in repr(report) and "3 of 3 states compared" in repr(report) and worst.second in repr(worst)
    again = lissom.verify(robot, states=1, seed=worst.seed, chart="exponential")
    assert again.comparisons[2].max_disagreement == worst.max_disagreement


def test_verify_stops_when_asked_and_passes_exceptions(arm):
    asked = []
    report = lissom.verify(arm, states=50, stop=lambda done: asked.append(done) or done >= 3)
    assert report.states == 3 and asked == sorted(asked) and set(asked) == {0, 1, 2, 3}  # it is asked within a state, too
    told = []
    assert lissom.verify(arm, states=2, progress=told.append).states == 2 and told == [0, 1]
    error = RuntimeError("mine")

    def fail(done):
        raise error
    with pytest.raises(RuntimeError) as caught:
        lissom.verify(arm, stop=fail)
    assert caught.value is error
    with pytest.raises(lissom.Error):
        lissom.verify(arm, chart="quaternions")
    with pytest.raises(lissom.Error, match="nobody"):
        lissom.verify(arm, charts={"nobody": "quaternion"})
    with pytest.raises(TypeError, match="charts"):
        lissom.verify(arm, charts=["quaternion"])
    with pytest.raises(TypeError):
        lissom.verify("arm7.urdf")


def test_verify_ends_on_ctrl_c():
    script = f"""
import lissom, os, signal, threading
robot = lissom.load({str(MODELS / 'humanoid.urdf')!r}, base="free")
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    lissom.verify(robot, states=1000000)
except KeyboardInterrupt:
    print("interrupted")
"""
    begin = time.time()
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert ran.stdout.strip() == "interrupted", ran.stderr
    assert time.time() - begin < 30


# ── Mechanism, recursions, maximal coordinates

def test_mechanism(robot, arm):
    mechanism = forms.Mechanism(robot)
    assert (mechanism.nq, mechanism.nv) == (robot.nq, robot.nv) and len(mechanism.links) == len(robot.links)
    assert all(link.parent < i for i, link in enumerate(mechanism.links))
    assert sum(link.mass for link in mechanism.links) == pytest.approx(robot.mass)
    name = mechanism.links[4].name
    assert mechanism.link(name) == 4 and mechanism.links[4].inertia.shape == (3, 3) and mechanism.links[4].origin.shape == (4, 4)
    assert name in repr(mechanism.links[4]) and "links" in repr(mechanism)
    with pytest.raises(lissom.Error):
        mechanism.link("nobody")
    close(forms.cross_matrix([1, 2, 3]) @ [4, 5, 6], np.cross([1, 2, 3], [4, 5, 6]))
    with pytest.raises(lissom.Error, match="u has 2 elements"):
        forms.check_vector([1, 2], 3, "u")
    with pytest.raises(lissom.Error):
        forms.check_configuration(robot, np.zeros(robot.nq))
    with pytest.raises(TypeError, match="Mechanism or a Model"):
        forms.com_frames("robot", [0], [0])


def test_forward_dynamics_agree(robot, state):
    q, v, _, tau = state
    expected = robot.forward_dynamics(q, v, tau)
    close(forms.forward_dynamics_mirtich(robot, q, v, tau), expected)
    solution = forms.maximal_dynamics(forms.Mechanism(robot), q, v, tau)
    close(solution.a, expected)
    assert solution.accelerations.shape == solution.joint_wrenches.shape == (len(robot.links), 6)
    pushed = np.zeros((len(robot.links), 6))
    index = len(robot.links) - 1
    pushed[index, :3] = [30, -20, 10]
    link = forms.Mechanism(robot).links[index]
    offset = robot.placement(q, link.name)[:3, :3] @ link.com  # the wrench at the center of mass, moved to the link's origin
    moved = np.concatenate([pushed[index, :3], np.cross(offset, pushed[index, :3])])
    close(forms.maximal_dynamics(robot, q, v, tau, pushed).a, robot.forward_dynamics(q, v, tau, external={link.name: moved}))
    with pytest.raises(lissom.Error, match="external"):
        forms.maximal_dynamics(robot, q, v, tau, np.zeros((2, 6)))
    with pytest.raises(ValueError, match="tau"):
        forms.maximal_dynamics(robot, q, v, tau[:-1])


def test_inverse_dynamics_in_link_frames(robot, state):
    q, v, a, _ = state
    close(forms.inverse_dynamics_in_link_frames(robot, q, v, a), robot.inverse_dynamics(q, v, a))
    link = robot.links[-1].name
    R = robot.placement(q, link)[:3, :3]
    force, torque = np.array([1.0, 2, 3]), np.array([-1.0, 0.5, 2])
    pushed, wrenches = forms.inverse_dynamics_in_link_frames(robot, q, v, a, [(link, force, torque)], joint_wrenches=True)
    close(pushed, robot.inverse_dynamics(q, v, a, external={link: np.concatenate([R @ force, R @ torque])}))
    assert wrenches.shape == (len(robot.links), 6)
    with pytest.raises(TypeError, match="external"):
        forms.inverse_dynamics_in_link_frames(robot, q, v, a, [link])
    with pytest.raises(lissom.Error):
        forms.inverse_dynamics_in_link_frames(robot, q, v, a, [("nobody", force, torque)])


def test_com_frames_have_the_velocities_of_the_centers_of_mass(robot, state):
    q, v, _, _ = state
    for frame, link in zip(forms.com_frames(robot, q, v), forms.Mechanism(robot).links):
        velocity = robot.velocity(q, v, link.name, at=(link.name, link.com))
        close(frame.R_W @ frame.v, velocity[:3])
        close(frame.R_W @ frame.omega, velocity[3:])


# ── Charted coordinates, Lagrange, Gauss

@pytest.mark.parametrize("chart", ["quaternion", "exponential", "matrix", "roll-pitch-yaw"])
def test_lagrange_and_gauss_agree_with_aba(robot, state, chart):
    q, v, a, tau = state
    c = forms.Charted(robot, {"base": chart})
    x = c.from_model(q)
    assert x.shape == (c.size,) and c.size == robot.nv - 3 + lissom.chart(chart).size
    np.testing.assert_allclose(robot.difference(q, c.to_model(x)), 0, atol=1e-12)
    rates = c.rates_map(x) @ v
    close(c.velocity_map(x) @ rates, v)
    bias_of = {}
    by_jacobians, gauss = forms.lagrange(c, x, rates), forms.gauss(c, x, rates)
    bias_of["lagrange"] = by_jacobians.C - by_jacobians.gravity
    bias_of["gauss"] = gauss.N @ rates - gauss.gravity
    if chart == "quaternion":
        by_energy = forms.lagrange_by_energy(c, x, rates)
        bias_of["energy"] = by_energy.C - by_energy.gravity
        close(by_energy.M, by_jacobians.M)
    close(gauss.M, by_jacobians.M)
    Q = c.velocity_map(x).T @ tau
    for bias in bias_of.values():
        solved = forms.solve_with_multipliers(c, x, rates, gauss.M, bias, Q)
        assert solved.multipliers.shape == (c.constraints,)
        second = forms.solve_projected(c, x, rates, gauss.M, bias, Q)
        for q2 in (solved.acceleration, second):
            close(c.velocity_map(x) @ q2 + c.velocity_map_rate(x, rates) @ rates, robot.forward_dynamics(q, v, tau), 1e-8)
            close(c.constraint_jacobian(x) @ q2 + c.constraint_bias(x, rates), np.zeros(c.constraints), 1e-7)
    projected, condition = forms.solve_projected(c, x, rates, gauss.M, bias, Q, condition=True)
    close(projected, second)
    assert condition > 1
    if c.constraints:
        P = forms.projector(c, x)
        close(P @ P, P)
        close(c.constraint_jacobian(x) @ P, np.zeros((c.constraints, c.size)))
    assert c.worst_chart(x).joint == "base" and c.slots[0].chart.name in (chart, "fixed-xyz", "roll-pitch-yaw")


def test_a_python_chart_in_the_equations(robot, state):
    def rho(s):
        S = np.array([[0, -s[2], s[1]], [s[2], 0, -s[0]], [-s[1], s[0], 0]])
        return np.eye(3) + (4 * (1 - s @ s) * S + 8 * S @ S) / (1 + s @ s)**2
    q, v, _, _ = state
    c = forms.Charted(robot, otherwise=lissom.custom_chart("mrp", 3, rho))
    x = c.from_model(q)
    rates = c.rates_map(x) @ v
    equations = forms.lagrange(c, x, rates)
    inverse = np.linalg.inv(c.velocity_map(x))
    close(inverse.T @ equations.M @ inverse, robot.mass_matrix(q))
    bias = inverse.T @ (equations.C - equations.gravity - equations.M @ inverse @ c.velocity_map_rate(x, rates) @ rates)
    close(bias, robot.bias_forces(q, v))
    # Two threads may use it at once.
    results = [None, None]

    def work(k):
        results[k] = forms.gauss(c, x, rates).M
    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    [t.start() for t in threads], [t.join() for t in threads]
    assert np.array_equal(results[0], results[1])
    close(results[0], equations.M)


def arrays_of(result):
    """The arrays of a result, or of a tuple of results."""
    if isinstance(result, tuple):
        return [array for part in result for array in arrays_of(part)]
    names = [name for name in dir(result) if not name.startswith("_")]
    return [np.asarray(result)] if isinstance(result, (np.ndarray, float)) else [getattr(result, name) for name in names]


def test_many_states_at_once(robot):
    """Rows, along any leading axes, are what each state gives alone; what has fewer axes is the same for all."""
    dice = np.random.default_rng(5)
    q = robot.random_configuration(3, 6).reshape(2, 3, -1)
    v, a, tau = dice.standard_normal((3, 2, 3, robot.nv))
    c = forms.Charted(robot, {"base": "quaternion"})
    x = c.from_model(q)
    rates = np.einsum("...ij,...j->...i", c.rates_map(x), v)
    gauss = forms.gauss(c, x, rates)
    bias = np.einsum("...ij,...j->...i", gauss.N, rates) - gauss.gravity
    Q = np.einsum("...ji,...j->...i", c.velocity_map(x), tau)
    link = robot.links[-1].name
    for function, arguments in [
            (c.from_model, [q]), (c.to_model, [x]), (c.velocity_map, [x]), (c.velocity_map_rate, [x, rates]), (c.rates_map, [x]), (c.constraint, [x]),
            (c.constraint_jacobian, [x]), (c.constraint_bias, [x, rates]), (lambda *s: forms.lagrange(c, *s), [x, rates]),
            (lambda *s: forms.lagrange_by_energy(c, *s), [x, rates]), (lambda *s: forms.gauss(c, *s), [x, rates]), (lambda s: forms.projector(c, s), [x]),
            (lambda *s: forms.solve_with_multipliers(c, *s), [x, rates, gauss.M, bias, Q]), (lambda *s: forms.solve_projected(c, *s), [x, rates, gauss.M, bias, Q]),
            (lambda *s: forms.solve_projected(c, *s, condition=True), [x, rates, gauss.M, bias, Q]),
            (lambda *s: forms.maximal_dynamics(robot, *s), [q, v, tau]), (lambda *s: forms.forward_dynamics_mirtich(robot, *s), [q, v, tau]),
            (lambda *s: forms.inverse_dynamics_in_link_frames(robot, *s, [(link, [1, 2, 3], [0, 0, 1])], joint_wrenches=True), [q, v, a])]:
        many = arrays_of(function(*arguments))
        for i, k in np.ndindex(2, 3):
            one = arrays_of(function(*(array[i, k] for array in arguments)))
            assert len(one) == len(many)
            for part, alone in zip(many, one):
                np.testing.assert_allclose(part[i, k], alone, rtol=1e-9, atol=1e-9 * max(1, np.abs(alone).max(initial=0)))
    close(forms.gauss(c, x, rates[0, 0]).M[1, 2], forms.gauss(c, x[1, 2], rates[0, 0]).M)
    assert forms.gauss(c, x[:0], rates[0, 0]).N.shape == (0, 3, c.size, c.size)
    wrong = x.copy()
    wrong[1, 0] *= 2
    with pytest.raises(lissom.Error, match="row 3: "):
        c.to_model(wrong)
    with pytest.raises(lissom.Error, match=r"M has shape \(3,\), expected"):
        forms.solve_projected(c, x, rates, np.zeros(3), bias, Q)


def test_wrong_charts(robot, arm):
    with pytest.raises(lissom.Error, match="joint1"):
        forms.Charted(arm, {"joint1": "quaternion"})
    with pytest.raises(TypeError, match="charts"):
        forms.Charted(robot, {"base": 3})
    with pytest.raises(TypeError, match="charts"):
        forms.Charted(robot, "quaternion")
    c = forms.Charted(robot)
    with pytest.raises(ValueError, match="charted"):
        c.to_model(np.zeros(3))
    with pytest.raises(lissom.Error):
        c.to_model(np.zeros(c.size))


# ── Conversions

def test_maximal_coordinates_and_back(robot, state):
    q, v, _, tau = state
    links = forms.to_maximal(robot, q, v)
    mechanism = forms.Mechanism(robot)
    close(links.X, np.array([robot.placement(q, link.name) for link in mechanism.links]))
    close(links.V, np.array([robot.velocity(q, v, link.name) for link in mechanism.links]))
    close(forms.stacked_jacobian(robot, q) @ v, links.V.ravel())
    back = forms.to_generalized(robot, links)
    close(back.q, q)
    close(back.v, v)
    assert back.position_total < 1e-12 and back.worst(1e-9) == "" and len(back.position) == len(back.velocity)
    # q itself may be anywhere; `near` chooses among the angles.
    turned = q.copy()
    turned[-1] += 2 * np.pi
    close(forms.to_generalized(robot, links, near=turned).q[-1], turned[-1])
    # A link that is moved off its joint is reported.
    X = links.X.copy()
    X[-1, 0, 3] += 0.01
    moved = forms.to_generalized(robot, forms.MaximalState(X, links.V))
    assert moved.position_total == pytest.approx(0.01, rel=1e-6) and mechanism.links[-1].joint in moved.worst(1e-3)
    solved = forms.velocities_by_least_squares(robot, q, links.V)
    close(solved.v, v)
    assert solved.residual < 1e-9
    again = pickle.loads(pickle.dumps(links))
    assert np.array_equal(again.X, links.X) and np.array_equal(again.V, links.V)
    with pytest.raises(lissom.Error, match="V has 1 rows"):
        forms.MaximalState(links.X, np.zeros((1, 6)))
    with pytest.raises(ValueError, match="X"):
        forms.MaximalState(np.zeros((2, 3)))


def test_forces_of_links_and_joints(arm):
    q = arm.random_configuration(2)
    dice = np.random.default_rng(4)
    mechanism, Q = forms.Mechanism(arm), dice.normal(size=arm.nv)
    n = len(mechanism.links)
    link = mechanism.links[-1].name
    point, force = robot_point(arm, q, link), np.array([1.0, -2, 3])
    J = arm.jacobian(q, link)[:3]
    close(forms.generalized_forces(arm, q, [(link, point, force)]), J.T @ force)
    joint = forms.joint_torques(arm, q, Q)
    assert joint.torques.shape == (n, 3)
    close(joint.unmet, np.zeros(arm.nv))
    close(forms.generalized_forces(arm, q, joint_torques=joint.torques), Q)
    body = forms.body_torques(arm, q, joint.torques)
    stacked = forms.stacked_jacobian(arm, q).reshape(n, 6, arm.nv)
    close(sum(stacked[k, 3:].T @ body[k] for k in range(n)), Q)
    forces = forms.body_forces(arm, q, Q)
    close(forms.stacked_jacobian(arm, q).T @ forces.ravel(), Q)
    v = dice.normal(size=arm.nv)
    omega = forms.to_maximal(arm, q, v).V[:, 3:].ravel()
    relative = (forms.parent_rotations(arm, q).T @ forms.difference_matrix(arm) @ omega).reshape(n, 3)
    assert all(np.linalg.norm(relative[k]) == pytest.approx(abs(v[link.v_index]) if link.nv else 0, abs=1e-12) for k, link in enumerate(mechanism.links))
    with pytest.raises(TypeError, match="forces"):
        forms.generalized_forces(arm, q, [force])


def robot_point(model, q, link):
    return model.placement(q, link)[:3, 3]


def test_another_base_keeps_energies_and_forces(robot, state):
    q, v, _, _ = state
    link = robot.links[-1].name
    other = forms.Rerooted(robot, link)
    q2, v2 = other.convert(q, v)
    close(other.model.kinetic_energy(q2, v2), robot.kinetic_energy(q, v))
    close(other.model.potential_energy(q2), robot.potential_energy(q))
    A = other.velocity_map(q)
    close(A @ v, v2)
    close(A.T @ other.model.mass_matrix(q2) @ A, robot.mass_matrix(q))
    for frame in ("head_camera", link):
        close(other.model.placement(q2, frame), robot.placement(q, frame))
    assert forms.rerooted(robot.description, link).joints and "Rerooted" in repr(other)
    with pytest.raises(lissom.Error):
        forms.Rerooted(robot, "nobody")


# ── The base

def test_floating_base_blocks(robot, state):
    q, v, a, tau = state
    blocks = forms.floating_base_blocks(robot, q, v)
    base = forms.to_floating_base(robot, q, v)
    H = np.block([[blocks.H1, blocks.Hc], [blocks.Hc.T, blocks.H]])
    rate = np.concatenate([base.v1, base.omega1, base.q_rate])
    close(0.5 * rate @ H @ rate, robot.kinetic_energy(q, v))
    forces = forms.FloatingBaseForces(np.arange(6.0), tau[6:])
    accelerations = forms.forward_dynamics(blocks, forces)
    back = forms.inverse_dynamics(blocks, accelerations)
    close(back.W1, forces.W1, 1e-8)
    close(back.tau, forces.tau, 1e-8)
    for attitude in ("rotation", "quaternion"):
        q2, v2 = forms.from_floating_base(robot, base, attitude)
        close(robot.difference(q, q2), np.zeros(robot.nv))
        close(v2, v)
    made = forms.FloatingBaseState(base.p1, base.v1, base.omega1, base.q, base.q_rate, R1=base.R1)
    close(np.abs(made.Q1 @ base.Q1), 1.0)
    link = robot.links[-1].name
    wrench = np.array([1.0, 2, 3, 4, 5, 6])
    pushed = forms.equivalent_forces(robot, q, {link: wrench})
    close(pushed.tau, robot.generalized_forces(q, {link: wrench})[6:])
    close(pushed.W1[:3], wrench[:3])
    close(forms.coriolis_forces(robot, q, v) + robot.gravity_forces(q), robot.bias_forces(q, v))
    close(forms.coriolis_and_gravity_forces(robot, q, v), robot.bias_forces(q, v))
    with pytest.raises(lissom.Error, match="one of R1 and Q1"):
        forms.FloatingBaseState(base.p1, base.v1, base.omega1, base.q, base.q_rate)


def test_blocks_need_a_free_base(arm):
    with pytest.raises(lissom.Error, match="free"):
        forms.floating_base_blocks(arm, arm.neutral(), np.zeros(arm.nv))
