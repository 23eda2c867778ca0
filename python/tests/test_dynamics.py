"""Kinematics and dynamics: against each other, closed forms, laws and differences."""

import numpy as np
import pytest

import lissom


def test_equation_of_motion(humanoid, states):
    q, v, a = states
    M, h = humanoid.mass_matrix(q), humanoid.bias_forces(q, v)
    tau = humanoid.inverse_dynamics(q, v, a)
    assert np.allclose(np.einsum("bij,bj->bi", M, a) + h, tau, atol=1e-9)
    assert np.allclose(humanoid.forward_dynamics(q, v, tau), a, atol=1e-8)
    assert np.allclose(M @ humanoid.inverse_mass_matrix(q), np.eye(humanoid.nv), atol=1e-8)
    C, g = humanoid.coriolis_matrix(q, v), humanoid.gravity_forces(q)
    assert np.allclose(np.einsum("bij,bj->bi", C, v) + g, h, atol=1e-9)
    assert np.allclose(M, np.swapaxes(M, 1, 2))
    energy = 0.5 * np.einsum("bi,bij,bj->b", v, M, v)
    assert np.allclose(humanoid.kinetic_energy(q, v), energy)
    Y = humanoid.regressor(q, v, a)
    assert np.allclose(Y @ humanoid.inertial_parameters(), tau, atol=1e-8)


def test_coriolis_matrix_is_half_the_rate_of_m(humanoid, states):
    q, v, _ = states
    h = 1e-6
    rate = (humanoid.mass_matrix(humanoid.integrate(q, v, h)) - humanoid.mass_matrix(humanoid.integrate(q, v, -h))) / (2 * h)
    C = humanoid.coriolis_matrix(q, v)
    assert np.allclose(rate, C + np.swapaxes(C, 1, 2), atol=1e-5)


def test_external_forces(humanoid, states, rng):
    q, v, a = states
    wrench = rng.standard_normal((40, 6))
    J = humanoid.jacobian(q, "left_palm")
    pushed = humanoid.inverse_dynamics(q, v, a, external={"left_palm": wrench})
    assert np.allclose(pushed, humanoid.inverse_dynamics(q, v, a) - np.einsum("bij,bi->bj", J, wrench), atol=1e-9)
    assert np.allclose(pushed[3], humanoid.inverse_dynamics(q[3], v[3], a[3], external={"left_palm": wrench[3]}), atol=1e-9)
    assert np.allclose(humanoid.forward_dynamics(q, v, pushed, external={"left_palm": wrench}), a, atol=1e-8)
    generalized = humanoid.generalized_forces(q, {"left_palm": wrench})
    assert np.allclose(generalized, np.einsum("bij,bi->bj", J, wrench), atol=1e-9)
    assert np.allclose(humanoid.equilibrium_torques(q, {"left_palm": wrench}), humanoid.gravity_forces(q) - generalized, atol=1e-9)
    with pytest.raises(lissom.Error, match="left_palm"):
        humanoid.inverse_dynamics(q, v, a, external={"left_plam": wrench})
    with pytest.raises(lissom.Error, match="external has 5 elements, expected 6"):
        humanoid.inverse_dynamics(q[0], v[0], a[0], external={"left_palm": np.zeros(5)})
    with pytest.raises(TypeError, match="external"):
        humanoid.inverse_dynamics(q, v, a, external=[wrench])


def test_momentum(humanoid, states):
    q, v, a = states
    momentum = humanoid.centroidal_momentum(q, v)
    assert np.allclose(np.einsum("bij,bj->bi", humanoid.centroidal_map(q), v), momentum, atol=1e-9)
    com_velocity = np.einsum("bij,bj->bi", humanoid.center_of_mass_jacobian(q), v)
    assert np.allclose(momentum[:, :3], humanoid.mass * com_velocity, atol=1e-9)
    # In free fall only gravity changes it.
    fall = humanoid.forward_dynamics(q, v, np.zeros(humanoid.nv))
    rate = humanoid.centroidal_momentum_rate(q, v, fall)
    assert np.allclose(rate, humanoid.mass * np.array([0, 0, -9.81, 0, 0, 0]), atol=1e-7)


def test_velocities_are_derivatives_of_placements(humanoid, states):
    q, v, a = states
    h = 1e-6
    ahead, behind = humanoid.integrate(q, v, h), humanoid.integrate(q, v, -h)
    rate = (humanoid.placement(ahead, "left_palm") - humanoid.placement(behind, "left_palm")) / (2 * h)
    velocity = humanoid.velocity(q, v, "left_palm")
    assert np.allclose(rate[:, :3, 3], velocity[:, :3], atol=1e-6)
    J = humanoid.jacobian(q, "left_palm")
    assert np.allclose(np.einsum("bij,bj->bi", J, v), velocity, atol=1e-10)
    J_rate = humanoid.jacobian_rate(q, v, "left_palm")
    expected = np.einsum("bij,bj->bi", J, a) + np.einsum("bij,bj->bi", J_rate, v)
    assert np.allclose(humanoid.acceleration(q, v, a, "left_palm"), expected, atol=1e-8)
    # At a point of another frame, along the axes of a third.
    at = ("right_palm", [0.1, 0, 0.2])
    other = humanoid.velocity(q, v, "left_palm", at=at, in_="chest")
    J = humanoid.jacobian(q, "left_palm", at=at, in_="chest")
    assert np.allclose(np.einsum("bij,bj->bi", J, v), other, atol=1e-10)
    R = humanoid.placement(q, "chest")[:, :3, :3]
    assert np.allclose(np.einsum("bji,bj->bi", R, velocity[:, 3:]), other[:, 3:], atol=1e-10)


def test_placements(humanoid, states):
    q, v, _ = states
    all_of_them = humanoid.placements(q)
    assert all_of_them.shape == (40, len(humanoid.frames), 4, 4)
    index = humanoid.frame("left_palm").index
    assert np.allclose(all_of_them[:, index], humanoid.placement(q, "left_palm"), atol=1e-12)
    assert np.allclose(humanoid.placement(q[2], humanoid.frames[index]), all_of_them[2, index], atol=1e-12)
    assert np.array_equal(humanoid.placements(q, ["left_palm", "world"])[:, 1], np.tile(np.eye(4), (40, 1, 1)))
    weights = [humanoid.description.links[i].mass for i in range(len(humanoid.links))]
    centers = []
    for link in humanoid.description.links:
        X = humanoid.placement(q, link.name)
        centers.append(X[:, :3, :3] @ link.com + X[:, :3, 3])
    com = np.einsum("l,lbi->bi", weights, centers) / sum(weights)
    assert np.allclose(humanoid.center_of_mass(q), com, atol=1e-10)
    with pytest.raises(TypeError, match="frame"):
        humanoid.placement(q, 3.5)
    with pytest.raises(lissom.Error, match="frame"):
        humanoid.placement(q, 10_000)


def test_several_quantities_at_once(humanoid, states):
    q, v, a = states
    got = humanoid.evaluate(["mass_matrix", "bias_forces", "placement", "kinetic_energy", "inverse_dynamics"], q, v, a, frame="left_palm")
    assert np.array_equal(got["mass_matrix"], humanoid.mass_matrix(q))
    assert np.array_equal(got["bias_forces"], humanoid.bias_forces(q, v))
    assert np.array_equal(got["placement"], humanoid.placement(q, "left_palm"))
    assert np.array_equal(got["kinetic_energy"], humanoid.kinetic_energy(q, v))
    one = humanoid.evaluate(["mass_matrix", "placement"], q[0], frame="left_palm")
    assert np.array_equal(one["mass_matrix"], humanoid.mass_matrix(q[0])) and one["placement"].shape == (4, 4)
    with pytest.raises(lissom.Error, match="quantities is 'mass', expected one of 'inverse_dynamics'"):
        humanoid.evaluate(["mass"], q)
    with pytest.raises(lissom.Error, match="v is missing"):
        humanoid.evaluate(["bias_forces"], q)
    with pytest.raises(lissom.Error, match="placement needs a frame"):
        humanoid.evaluate(["placement"], q)


def test_configurations(humanoid, rng):
    q0, q1 = humanoid.random_configuration(1, 30), humanoid.random_configuration(100, 30)
    assert np.array_equal(q0[2], humanoid.random_configuration(3))
    assert np.allclose(humanoid.normalize(humanoid.integrate(q0, humanoid.difference(q0, q1)))[:, 7:], q1[:, 7:], atol=1e-9)
    between = humanoid.interpolate(q0, q1, np.linspace(0, 1, 30))
    assert np.allclose(between[0], q0[0]) and np.allclose(between[-1][7:], q1[-1][7:])
    assert (humanoid.random_configuration(0, 1000)[:, 7:] <= humanoid.upper[7:]).all()
    with pytest.raises(lissom.Error, match="count is -1"):
        humanoid.random_configuration(0, -1)


def test_steps_of_many_robots(humanoid, states):
    q, v, _ = (x.copy() for x in states)
    v[5, 3] = np.nan
    tau = np.zeros(humanoid.nv)
    good = np.delete(np.arange(40), 5)
    a = humanoid.forward_dynamics(q[good], v[good], tau)
    expected_v = v[good] + 1e-3 * a
    expected_q = humanoid.integrate(q[good], expected_v, 1e-3)
    failed = humanoid.step(q, v, tau, 1e-3)
    assert len(failed) == 1 and failed[0][0] == 5 and "NaN" in failed[0][1]
    assert np.allclose(v[good], expected_v, atol=1e-10) and np.allclose(q[good], expected_q, atol=1e-10)
    with pytest.raises(lissom.Error, match="q is changed in place"):
        humanoid.step(q.tolist(), v, tau, 1e-3)
    with pytest.raises(lissom.Error, match="dt"):
        humanoid.step(q, v, tau, np.nan)


def test_factor(humanoid, states):
    q, v, _ = states
    factor = humanoid.factorize_mass_matrix(q[0])
    assert np.allclose(humanoid.mass_matrix(q[0]) @ factor.solve(v[0]), v[0], atol=1e-9)
    assert np.allclose(factor.L.T @ np.diag(factor.D) @ factor.L, humanoid.mass_matrix(q[0]), atol=1e-9)


def test_postures(humanoid):
    file = lissom.models / "postures" / "humanoid.json"
    postures = humanoid.read_postures(str(file))
    assert "handstand" in postures
    assert np.array_equal(humanoid.read_posture(f"{file}#handstand"), postures["handstand"])


def test_robot_without_joints():
    d = lissom.Description(name="stone")
    d.links.append(lissom.LinkDescription(name="stone", mass=2, inertia=np.eye(3)))
    robot = lissom.build(d)
    assert robot.mass_matrix(np.zeros(0)).shape == (0, 0)
    assert robot.inverse_dynamics(np.zeros((4, 0)), np.zeros((4, 0)), np.zeros((4, 0))).shape == (4, 0)
    assert robot.center_of_mass(np.zeros((4, 0))).shape == (4, 3)
    thrown = lissom.build(d, base="free")
    q = thrown.neutral()
    assert np.allclose(thrown.forward_dynamics(q, np.zeros(6), np.zeros(6)), [0, 0, -9.81, 0, 0, 0])
