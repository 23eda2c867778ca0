"""lissom.torch: gradients against differences (torch.autograd.gradcheck), shapes, types, errors."""

import numpy as np
import pytest

import lissom

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")
from test_derivatives import joints_of_all_kinds  # noqa: E402

import lissom.torch  # noqa: E402


@pytest.fixture(scope="module")
def kinds():
    return joints_of_all_kinds()


def states(robot, *leading, seed=2, kind=None):
    dice = np.random.default_rng(seed)
    count = int(np.prod(leading, dtype=int))
    q = robot.integrate(robot.random_configuration(5, count), 0.2 * dice.standard_normal((count, robot.nv))).reshape(*leading, robot.nq)
    all_of_them = (q, *dice.standard_normal((2, *leading, robot.nv)))
    return tuple(torch.tensor(x, dtype=kind or torch.float64, requires_grad=True) for x in all_of_them)


def normalized(robot, q):
    """q with its quaternions normalized, so that its elements may be changed one by one."""
    parts, at = [], 0
    for joint in robot.joints:
        if joint.type in ("free", "spherical"):
            first = joint.q_index + joint.nq - 4
            parts += [q[..., at:first], torch.nn.functional.normalize(q[..., first:first + 4], dim=-1)]
            at = first + 4
    return torch.cat([*parts, q[..., at:]], -1)


@pytest.mark.parametrize("function", [lissom.torch.inverse_dynamics, lissom.torch.forward_dynamics])
def test_gradcheck(kinds, function):
    x = states(kinds, 2)
    assert torch.autograd.gradcheck(lambda q, v, last: function(kinds, normalized(kinds, q), v, last), x, atol=1e-5, rtol=1e-4)
    assert torch.autograd.gradcheck(lambda q, v, last: function(kinds, normalized(kinds, q), v, last), states(kinds), atol=1e-5, rtol=1e-4)


def test_gradcheck_of_integrate_and_step(kinds):
    q, v, tau = states(kinds, 2)
    assert torch.autograd.gradcheck(lambda q, v: lissom.torch.integrate(kinds, normalized(kinds, q), v, 0.3), (q, v), atol=1e-6)

    def two_steps(q, v, tau):
        q, v = lissom.torch.step(kinds, normalized(kinds, q), v, tau, 0.05)
        return torch.cat(lissom.torch.step(kinds, q, v, tau, 0.05), -1)

    assert torch.autograd.gradcheck(two_steps, (q, v, tau), atol=1e-5, rtol=1e-4)
    arm = lissom.load(lissom.models / "arm7.urdf")
    assert torch.autograd.gradcheck(lambda q, v: lissom.torch.integrate(arm, q, v, 0.3), states(arm, 2)[:2])


def test_the_gradient_along_the_tangent_space(kinds):
    q, v, tau = (x.detach() for x in states(kinds, 3))
    dq = torch.zeros(3, kinds.nv, dtype=torch.float64, requires_grad=True)
    weights = torch.tensor(np.random.default_rng(1).standard_normal((3, kinds.nv)))
    (weights * lissom.torch.forward_dynamics(kinds, lissom.torch.integrate(kinds, q, dq), v, tau)).sum().backward()
    expected = kinds.forward_dynamics_vjp(q.numpy(), v.numpy(), tau.numpy(), weights.numpy()).q
    np.testing.assert_allclose(dq.grad.numpy(), expected, atol=1e-9 * np.abs(expected).max())


def test_values_shapes_and_types(kinds):
    q, v, a = states(kinds, 4, 3)
    tau = lissom.torch.inverse_dynamics(kinds, q, v, a)
    expected = kinds.inverse_dynamics(q.detach().numpy(), v.detach().numpy(), a.detach().numpy())
    assert tau.shape == (4, 3, kinds.nv) and np.array_equal(tau.detach().numpy(), expected)
    # Broadcast arguments get gradients of their own shape.
    one = a[0, 0].detach().requires_grad_()
    lissom.torch.inverse_dynamics(kinds, q, v, one).sum().backward()
    assert one.grad.shape == (kinds.nv,) and q.grad.shape == q.shape
    np.testing.assert_allclose(one.grad.numpy(), kinds.mass_matrix(q.detach().numpy()).sum((0, 1, 2)), atol=1e-9)
    single = states(kinds, 4, kind=torch.float32)
    single = (torch.tensor(kinds.normalize(single[0].detach().numpy()), requires_grad=True), *single[1:])
    tau = lissom.torch.inverse_dynamics(kinds, *single)
    assert tau.dtype == torch.float32
    tau.sum().backward()
    assert all(x.grad.dtype == torch.float32 and torch.isfinite(x.grad).all() for x in single)
    assert lissom.torch.inverse_dynamics(kinds, *single[:2], single[2].double()).dtype == torch.float64


def test_errors(kinds):
    q, v, a = states(kinds, 2)
    gradient, = torch.autograd.grad(lissom.torch.forward_dynamics(kinds, q, v, a).square().sum(), v, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        gradient.sum().backward()
    with pytest.raises(ValueError, match=r"v has shape \(2, 3\), expected"):
        lissom.torch.inverse_dynamics(kinds, q, v[:, :3], a)
    with pytest.raises(TypeError, match="a has elements of type torch.int64"):
        lissom.torch.inverse_dynamics(kinds, q, v, torch.zeros(2, kinds.nv, dtype=torch.int64))
    with pytest.raises(TypeError, match="q is of type ndarray"):
        lissom.torch.inverse_dynamics(kinds, q.detach().numpy(), v, a)
    with pytest.raises(ValueError, match="v is on the device meta"):
        lissom.torch.inverse_dynamics(kinds, q, torch.zeros(kinds.nv, device="meta"), a)
    with pytest.raises(lissom.Error, match="norm"):
        lissom.torch.inverse_dynamics(kinds, 2 * q, v, a)
