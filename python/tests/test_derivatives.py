"""Derivatives of dynamics: against differences, each other, and (where it is installed) Pinocchio."""

import copy
import pickle
import threading

import numpy as np
import pytest
import test_interchange as robots  # the robots, and how Pinocchio reads them

import lissom
from lissom import gradients, interchange


def slopes(f, robot, q, dimension, h=1e-6):
    """The derivative of f along the tangent space of q, by central differences: (…, dimension, nv)."""
    columns = []
    for e in np.eye(robot.nv):
        columns.append((f(robot.integrate(q, e, h)) - f(robot.integrate(q, e, -h))) / (2 * h))
    result = np.stack(columns, -1)
    assert result.shape == q.shape[:-1] + (dimension, robot.nv)
    return result


def slopes_of_vector(f, x, h=1e-6):
    return np.stack([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(x.shape[-1])], -1)


def close(found, expected, tolerance=1e-6):
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=tolerance * max(1, np.abs(expected).max()), rtol=0)


def joints_of_all_kinds():
    """A chain of a planar, a spherical and a revolute joint on a free base."""
    d = lissom.Description(name="kinds")
    d.links.append(lissom.LinkDescription(name="l0", mass=1.5, com=[0.1, 0, 0.2], inertia=np.diag([0.2, 0.3, 0.25])))
    for i, kind in enumerate(("planar", "spherical", "revolute"), 1):
        d.links.append(lissom.LinkDescription(name=f"l{i}", mass=1.0 + i, com=[0.2, -0.1 * i, 0.1], inertia=np.diag([0.1, 0.2, 0.15])))
        d.joints.append(lissom.JointDescription(name=f"j{i}", type=kind, parent=f"l{i - 1}", child=f"l{i}", axis=[0, 0.6, 0.8], armature=0.05 if kind == "revolute" else 0,
                                                lower=[-2] if kind == "revolute" else [], upper=[2] if kind == "revolute" else []))
    return lissom.build(d, base="free")


@pytest.fixture(scope="module", params=["humanoid", "kinds"])
def case(request):
    """A robot and three of its states."""
    robot = joints_of_all_kinds() if request.param == "kinds" else lissom.load(lissom.models / "humanoid.urdf", base="free")
    dice = np.random.default_rng(3)
    q = robot.integrate(robot.random_configuration(5, 3), 0.2 * dice.standard_normal((3, robot.nv)))
    return (robot, q, *dice.standard_normal((3, 3, robot.nv)))


def test_inverse_dynamics(case):
    robot, q, v, a, _ = case
    d = robot.inverse_dynamics_derivatives(q, v, a)
    close(d.dtau_dq, slopes(lambda x: robot.inverse_dynamics(x, v, a), robot, q, robot.nv))
    close(d.dtau_dv, slopes_of_vector(lambda x: robot.inverse_dynamics(q, x, a), v))
    close(d.M, robot.mass_matrix(q), 1e-12)
    for i in range(3):
        one = robot.inverse_dynamics_derivatives(q[i], v[i], a[i])
        for x, y in zip(one, d):
            close(x, y[i], 1e-12)


def test_forward_dynamics(case):
    robot, q, v, _, tau = case
    d = robot.forward_dynamics_derivatives(q, v, tau)
    close(d.a, robot.forward_dynamics(q, v, tau), 1e-10)
    close(d.da_dq, slopes(lambda x: robot.forward_dynamics(x, v, tau), robot, q, robot.nv), 1e-5)
    close(d.da_dv, slopes_of_vector(lambda x: robot.forward_dynamics(q, x, tau), v), 1e-5)
    close(d.M_inverse, robot.inverse_mass_matrix(q), 1e-10)
    for i in range(3):
        for x, y in zip(robot.forward_dynamics_derivatives(q[i], v[i], tau[i]), d):
            close(x, y[i], 1e-10)


@pytest.mark.parametrize("which", ["inverse", "forward"])
def test_products_are_those_of_the_matrices(case, which):
    robot, q, v, a, w = case
    dice = np.random.default_rng(4)
    dq, dv, dx = dice.standard_normal((3, 3, robot.nv))
    if which == "inverse":
        by_q, by_v, by_x = robot.inverse_dynamics_derivatives(q, v, a)
        jvp, vjp = robot.inverse_dynamics_jvp, robot.inverse_dynamics_vjp
    else:
        _, by_q, by_v, by_x = robot.forward_dynamics_derivatives(q, v, a)
        jvp, vjp = robot.forward_dynamics_jvp, robot.forward_dynamics_vjp
    along = sum(np.einsum("bij,bj->bi", m, x) for m, x in ((by_q, dq), (by_v, dv), (by_x, dx)))
    close(jvp(q, v, a, dq, dv, dx), along, 1e-10)
    close(jvp(q[1], v[1], a[1], dq[1], dv[1], dx[1]), along[1], 1e-10)
    gradient = vjp(q, v, a, w)
    for x, m in zip(gradient, (by_q, by_v, by_x)):
        close(x, np.einsum("bij,bi->bj", m, w), 1e-10)
    for x, y in zip(vjp(q[2], v[2], a[2], w[2]), gradient):
        close(x, y[2], 1e-10)
    assert gradient.q is not None and (gradient.a if which == "inverse" else gradient.tau).shape == (3, robot.nv)


def test_forces_move_with_their_bodies(humanoid, states, rng):
    q, v, a = (x[:4] for x in states)
    wrench = rng.standard_normal((4, 6))
    d = humanoid.inverse_dynamics_derivatives(q, v, a, external={"left_palm": wrench})
    R0 = humanoid.placement(q, "left_palm")[:, :3, :3]

    def moved(x):
        turn = humanoid.placement(x, "left_palm")[:, :3, :3] @ np.swapaxes(R0, 1, 2)
        there = np.concatenate([np.einsum("bij,bj->bi", turn, part) for part in (wrench[:, :3], wrench[:, 3:])], -1)
        return humanoid.inverse_dynamics(x, v, a, external={"left_palm": there})

    close(d.dtau_dq, slopes(moved, humanoid, q, humanoid.nv))
    assert np.abs(d.dtau_dq - humanoid.inverse_dynamics_derivatives(q, v, a).dtau_dq).max() > 0.1
    # The same force in a batch, for one state, and in the products.
    close(humanoid.inverse_dynamics_derivatives(q[0], v[0], a[0], external={"left_palm": wrench[0]}).dtau_dq, d.dtau_dq[0], 1e-12)
    w = rng.standard_normal((4, humanoid.nv))
    close(humanoid.inverse_dynamics_vjp(q, v, a, w, external={"left_palm": wrench}).q, np.einsum("bij,bi->bj", d.dtau_dq, w), 1e-10)


def test_integrate(case):
    robot, q, v, _, _ = case
    dt = 0.3
    d = robot.integrate_derivatives(q, v, dt)
    there = robot.integrate(q, v, dt)
    close(d.dq, slopes(lambda x: robot.difference(there, robot.integrate(x, v, dt)), robot, q, robot.nv))
    close(d.dv, slopes_of_vector(lambda x: robot.difference(there, robot.integrate(q, x, dt)), v))
    assert np.array_equal(robot.integrate_derivatives(q[0], v[0], dt).dv, d.dv[0])


def test_linearize(case):
    robot, q, v, _, tau = case
    n = robot.nv

    def step(x0, v0, tau0, dt):
        v1 = v0 + dt * robot.forward_dynamics(x0, v0, tau0)
        return robot.integrate(x0, v1, dt), v1

    dt = 0.01
    q1, v1 = step(q, v, tau, dt)

    def error(state):
        return np.concatenate([robot.difference(q1, state[0]), state[1] - v1], -1)

    A, B = robot.linearize(q, v, tau, dt)
    assert A.shape == (3, 2 * n, 2 * n) and B.shape == (3, 2 * n, n)
    close(A[:, :, :n], slopes(lambda x: error(step(x, v, tau, dt)), robot, q, 2 * n), 1e-5)
    close(A[:, :, n:], slopes_of_vector(lambda x: error(step(q, x, tau, dt)), v), 1e-5)
    close(B, slopes_of_vector(lambda x: error(step(q, v, x, dt)), tau), 1e-5)
    # Continuous time is the limit of short steps.
    continuous = robot.linearize(q, v, tau)
    h = 1e-7
    short = robot.linearize(q, v, tau, dt=h)
    close((short.A - np.eye(2 * n)) / h, continuous.A, 1e-4)
    close(short.B / h, continuous.B, 1e-4)
    with pytest.raises(lissom.Error, match="dt is -0"):
        robot.linearize(q, v, tau, -0.1)


@pytest.mark.parametrize("which", ["inverse", "forward"])
def test_second_order(case, which):
    robot, q, v, x, w = case
    if which == "inverse":
        vjp, second = robot.inverse_dynamics_vjp, robot.inverse_dynamics_second_order
    else:
        vjp, second = robot.forward_dynamics_vjp, robot.forward_dynamics_second_order

    def gradient(*at):
        return np.concatenate(list(vjp(*at, w)), -1)

    n, found = robot.nv, second(q, v, x, w)
    assert found.shape == (3, 3 * n, 3 * n)
    close(found[..., :n], slopes(lambda y: gradient(y, v, x), robot, q, 3 * n), 1e-5)
    close(found[..., n:2 * n], slopes_of_vector(lambda y: gradient(q, y, x), v), 1e-5)
    close(found[..., 2 * n:], slopes_of_vector(lambda y: gradient(q, v, y), x), 1e-5)
    close(second(q[1], v[1], x[1], w[1]), found[1], 1e-10)
    single = second(*(y.astype("f4") for y in (q, v, x, w)))  # on lanes of float
    assert single.dtype == np.float32
    close(single, found.astype("f4"), 1e-2)


def test_jacobians_and_momentum(case):
    robot, q, v, _, _ = case
    frame, n = robot.links[-1].name, robot.nv
    H = robot.jacobian_derivatives(q, frame)
    expected = slopes(lambda y: robot.jacobian(y, frame).reshape(3, -1), robot, q, 6 * n)
    close(H.reshape(3, 6 * n, n), expected)
    assert H.shape == (3, 6, n, n)
    close(robot.jacobian_derivatives(q[2], frame), H[2], 1e-12)
    close(robot.centroidal_momentum_derivatives(q, v), slopes(lambda y: robot.centroidal_momentum(y, v), robot, q, 6))
    with pytest.raises(lissom.Error, match="nowhere"):
        robot.jacobian_derivatives(q, "nowhere")


def test_inertial_parameters(case):
    robot, q, v, _, tau = case
    da = robot.forward_dynamics_parameter_derivatives(q, v, tau)
    a = robot.forward_dynamics(q, v, tau)
    assert da.shape == (3, robot.nv, 10 * robot.body_count)
    close(da, -np.linalg.solve(robot.mass_matrix(q), robot.regressor(q, v, a)), 1e-9)
    close(robot.forward_dynamics_parameter_derivatives(q[1], v[1], tau[1]), da[1], 1e-9)
    close(robot.regressor(q[0], v[0], a[0]), robot.regressor(q, v, a)[0], 1e-12)
    force = {robot.links[-1].name: [1.0, 2, 3, 0.1, 0.2, 0.3]}
    pushed = robot.forward_dynamics(q, v, tau, external=force)
    close(robot.forward_dynamics_parameter_derivatives(q, v, tau, external=force), -np.linalg.solve(robot.mass_matrix(q), robot.regressor(q, v, pushed)), 1e-9)


def test_shapes_types_and_memory(humanoid, states):
    q, v, a = states
    n = humanoid.nv
    d = humanoid.inverse_dynamics_derivatives(q.reshape(8, 5, -1), v.reshape(8, 5, -1), a[0])
    assert d.M.shape == (8, 5, n, n)
    single = humanoid.inverse_dynamics_derivatives(*(x.astype(np.float32) for x in states))
    assert single.dtau_dq.dtype == np.float32
    exact = humanoid.inverse_dynamics_derivatives(q, v, a)
    close(single.dtau_dq.astype(float), exact.dtau_dq, 1e-4)
    assert humanoid.linearize(q[0].astype("f4"), v[0].astype("f4"), a[0].astype("f4")).A.dtype == np.float32
    # Into given arrays, which may be what an earlier call returned.
    out = tuple(np.full((40, n, n), np.nan) for _ in range(3))
    again = humanoid.inverse_dynamics_derivatives(q, v, a, out=out)
    assert again.dtau_dv is out[1] and np.array_equal(out[1], exact.dtau_dv)
    third = humanoid.inverse_dynamics_derivatives(q, v, a, out=again)
    assert third[2] is out[2] and third[-1] is out[2] and len(third) == 3
    with pytest.raises(IndexError):
        third[3]
    gradient = np.zeros((40, 3, n))
    found = humanoid.forward_dynamics_vjp(q, v, a, v, out=gradient)
    assert np.shares_memory(found.tau, gradient) and np.array_equal(gradient, np.stack(list(humanoid.forward_dynamics_vjp(q, v, a, v)), 1))
    by_name = humanoid.evaluate(["forward_dynamics_vjp", "inverse_dynamics_dq", "mass_matrix", "inverse_dynamics_da", "forward_dynamics_dtau"], q, v, a, a, weights=v)
    assert np.array_equal(by_name["forward_dynamics_vjp"], gradient)
    assert np.array_equal(by_name["inverse_dynamics_dq"], exact.dtau_dq) and np.array_equal(by_name["inverse_dynamics_da"], exact.M)
    close(by_name["mass_matrix"], exact.M, 1e-12)
    assert np.array_equal(by_name["forward_dynamics_dtau"], humanoid.forward_dynamics_derivatives(q, v, a).M_inverse)
    one = humanoid.evaluate(["inverse_dynamics_dq", "mass_matrix", "forward_dynamics_jvp"], q[0], v[0], a[0], a[0], dq=v[0], dv=v[0], dtau=v[0])
    close(one["inverse_dynamics_dq"], exact.dtau_dq[0], 1e-12)
    close(one["forward_dynamics_jvp"], humanoid.forward_dynamics_jvp(q[0], v[0], a[0], v[0], v[0], v[0]), 1e-12)


def test_results_are_plain_objects(humanoid, states):
    q, v, a = (x[0] for x in states)
    d = humanoid.forward_dynamics_derivatives(q, v, a)
    assert repr(d) == "ForwardDynamicsDerivatives(a: (36,), da_dq: (36, 36), da_dv: (36, 36), M_inverse: (36, 36))"
    for twin in (copy.deepcopy(d), pickle.loads(pickle.dumps(d))):
        assert type(twin) is type(d) and np.array_equal(twin.da_dv, d.da_dv)
    with pytest.raises(AttributeError):
        d.a = 3


def test_wrong_arguments(humanoid, states):
    q, v, a = states
    n = humanoid.nv
    with pytest.raises(lissom.Error, match="weights has shape"):
        humanoid.inverse_dynamics_vjp(q, v, a, q)
    with pytest.raises(lissom.Error, match=r"v\(?\[?.*NaN"):
        humanoid.inverse_dynamics_derivatives(q, v * np.nan, a)
    with pytest.raises(lissom.Error, match=r"dq\[3\] is NaN"):
        humanoid.forward_dynamics_jvp(q[0], v[0], a[0], np.where(np.arange(n) == 3, np.nan, 0), v[0], v[0])
    with pytest.raises(lissom.Error, match="out has 2 elements, expected 3 arrays: dtau_dq, dtau_dv, M"):
        humanoid.inverse_dynamics_derivatives(q, v, a, out=(np.zeros((40, n, n)),) * 2)
    with pytest.raises(lissom.Error, match=r"out\[1\] \(dtau_dv\) overlaps"):
        humanoid.inverse_dynamics_derivatives(q, v, a, out=(np.zeros((40, n, n)),) * 3)
    with pytest.raises(lissom.Error, match=r"out\[0\] \(dtau_dq\) has shape"):
        humanoid.inverse_dynamics_derivatives(q, v, a, out=(np.zeros((3, n, n)),) * 3)
    with pytest.raises(TypeError, match="out is of type int"):
        humanoid.inverse_dynamics_derivatives(q, v, a, out=3)
    with pytest.raises(lissom.Error, match="weights is missing"):
        humanoid.evaluate(["inverse_dynamics_vjp"], q, v, a)


def test_threads_may_call_at_once(humanoid, states):
    expected = humanoid.forward_dynamics_derivatives(*states).da_dq
    found = [None] * 4

    def work(i):
        for _ in range(5):
            found[i] = humanoid.forward_dynamics_derivatives(*states).da_dq

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(x, expected) for x in found)


def test_mimic_joints():
    robot = lissom.load(lissom.models / "mechanisms/gripper_mimic.urdf")
    q, v, a = robot.random_configuration(1), np.array([0.7] * robot.nv), np.array([-0.4] * robot.nv)
    d = robot.inverse_dynamics_derivatives(q, v, a)
    close(d.dtau_dq, slopes(lambda x: robot.inverse_dynamics(x, v, a), robot, q, robot.nv))
    close(d.dtau_dv, slopes_of_vector(lambda x: robot.inverse_dynamics(q, x, a), v))


def test_variants(arm, rng):
    """Each row with its own robot; one of them is impossible."""
    masses = np.array([1.0, 2.0, -1.0, 3.0])
    link = arm.links[-2].name if arm.description.links[-1].mass == 0 else arm.links[-1].name
    variants = arm.variants({f"{link}.mass": masses})
    q, (v, a, w) = arm.random_configuration(2, 4), rng.standard_normal((3, 4, arm.nv))
    found, gradient = variants.inverse_dynamics_derivatives(q, v, a), variants.forward_dynamics_vjp(q, v, a, w)
    change = variants.inverse_dynamics_jvp(q, v, a, w, w, w)
    assert [row for row, _ in variants.failed] == [2] and np.isnan(found.dtau_dq[2]).all() and np.isnan(gradient.tau[2]).all()
    for i in (0, 1, 3):
        for x, y in zip(found, variants[i].inverse_dynamics_derivatives(q[i], v[i], a[i])):
            close(x[i], y, 1e-12)
        for x, y in zip(gradient, variants[i].forward_dynamics_vjp(q[i], v[i], a[i], w[i])):
            close(x[i], y, 1e-12)
        close(change[i], variants[i].inverse_dynamics_jvp(q[i], v[i], a[i], w[i], w[i], w[i]), 1e-12)
    assert np.abs(found.M[0] - found.M[1]).max() > 1e-4
    out = tuple(np.zeros((4, arm.nv, arm.nv)) for _ in range(3))
    assert variants.inverse_dynamics_derivatives(q[0], v[0], a[0], out=out).M is out[2]


# ── The two conventions of gradients

def test_gradients_in_elements_and_tangent(case):
    robot, q, _, _, g = case
    elements = gradients.to_elements(robot, q, g)
    assert elements.shape == q.shape
    close(gradients.to_tangent(robot, q, elements), g, 1e-12)  # Eᵀ E⁺ᵀ = 1
    # A function of the elements: along integrate(q, e, h) its slope is the tangent gradient.
    c = np.random.default_rng(8).standard_normal(robot.nq)
    along = slopes(lambda x: (np.sin(x) @ c)[..., None], robot, q, 1)[..., 0, :]
    close(gradients.to_tangent(robot, q, np.cos(q) * c), along)
    # In elements it is orthogonal to the quaternion, and the same along every motion on the manifold.
    d = robot.integrate(q, g, 1e-6) - robot.integrate(q, g, -1e-6)
    close(np.sum(elements * d / 2e-6, -1), np.sum(g * g, -1))
    close(np.sum(elements[:, 3:7] * q[:, 3:7], -1), np.zeros(3), 1e-12)
    with pytest.raises(ValueError, match="gradient has shape"):
        gradients.to_elements(robot, q, q)


# ── Pinocchio

@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("file", robots.FILES, ids=lambda file: file.stem)
def test_pinocchio_finds_the_same(file, base):
    pin = pytest.importorskip("pinocchio", reason="pinocchio is not installed: pip install pin")
    text = robots.bare(file)
    if base == "free" and robots.floating(text) is None:
        pytest.skip("its base is not to be freed")
    robot = robots.ours(text, base)
    try:
        model = robots.pinocchio_model(text, base)
    except (ValueError, RuntimeError) as error:
        assert file.stem not in robots.MUST
        pytest.skip(f"Pinocchio does not read it: {error}")
    conversion = interchange.pinocchio_conversion(robot, model)
    robots.set_armature(robot, conversion, model.armature)
    data = model.createData()
    q, v, a, tau = robots.random_states(robot)
    there = interchange.to_pinocchio(robot, model, q, v, a, tau)
    inverse = robot.inverse_dynamics_derivatives(q, v, a)
    forward = robot.forward_dynamics_derivatives(q, v, tau)
    for i in range(len(q)):
        T = conversion.velocity_map(q[i])  # v there = T v; both are along the axes of the body, so T only orders
        assert np.array_equal(T, conversion.velocity_map(robot.neutral()))
        q_i, v_i, a_i, tau_i = (x[i] for x in there)
        pin.computeRNEADerivatives(model, data, q_i, v_i, a_i)
        robots.close(inverse.dtau_dq[i], T.T @ data.dtau_dq @ T)
        robots.close(inverse.dtau_dv[i], T.T @ data.dtau_dv @ T)
        condition = np.linalg.cond(inverse.M[i])
        if condition > 1e12:
            continue
        pin.computeABADerivatives(model, data, q_i, v_i, tau_i)
        allowed = max(robots.TOLERANCE, 1e-13 * condition)
        robots.close(forward.da_dq[i], T.T @ data.ddq_dq @ T, allowed)
        robots.close(forward.da_dv[i], T.T @ data.ddq_dv @ T, allowed)
        M_inverse = np.triu(data.Minv)
        robots.close(forward.M_inverse[i], T.T @ (M_inverse + np.triu(M_inverse, 1).T) @ T, allowed)
