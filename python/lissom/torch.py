"""Dynamics as functions of PyTorch: reverse-mode gradients by vector-Jacobian products in O(n) (docs/derivatives.md).

    import lissom, lissom.torch
    a = lissom.torch.forward_dynamics(robot, q, v, tau)      # tensors of the CPU, (…, nq), (…, nv), (…, nv)
    a.square().sum().backward()

The gradient with respect to q is in the elements of q: for a quaternion it is orthogonal to it, as if it were normalized
first. `lissom.gradients.to_tangent` converts it to the tangent space of q; or let q be `integrate(robot, q0, dq)` and ask
for the gradient of dq at 0. There are no second derivatives: asking for them is an error.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

try:
    import torch
    from torch.autograd.function import once_differentiable
except ImportError as _error:
    raise ImportError("lissom.torch needs PyTorch, which is not installed: pip install torch") from _error

from . import gradients as _gradients

if TYPE_CHECKING:
    from ._core import Model

__all__ = ["inverse_dynamics", "forward_dynamics", "integrate", "step"]


def inverse_dynamics(robot: Model, q: torch.Tensor, v: torch.Tensor, a: torch.Tensor) -> torch.Tensor:
    """The generalized forces tau, (…, nv), for the acceleration a; N m, N.

    q: (…, nq); rad, m, unit quaternions (w, x, y, z). v, a: (…, nv). Leading shapes are broadcast. float32 or float64.
    """
    result: torch.Tensor = _InverseDynamics.apply(robot, *_prepared(robot, q=q, v=v, a=a))
    return result


def forward_dynamics(robot: Model, q: torch.Tensor, v: torch.Tensor, tau: torch.Tensor) -> torch.Tensor:
    """The acceleration a, (…, nv), for the generalized forces tau; rad/s², m/s². The arguments are as in inverse_dynamics."""
    result: torch.Tensor = _ForwardDynamics.apply(robot, *_prepared(robot, q=q, v=v, tau=tau))
    return result


def integrate(robot: Model, q: torch.Tensor, v: torch.Tensor, dt: float = 1.0) -> torch.Tensor:
    """The configuration, (…, nq), that constant v reaches from q in the time dt (s); dt has no gradient."""
    result: torch.Tensor = _Integrate.apply(robot, float(dt), *_prepared(robot, q=q, v=v))
    return result


def step(robot: Model, q: torch.Tensor, v: torch.Tensor, tau: torch.Tensor, dt: float) -> tuple[torch.Tensor, torch.Tensor]:
    """q and v after a step of the semi-implicit Euler method: v + dt · forward_dynamics, then integrate(q, v, dt)."""
    v = v + dt * forward_dynamics(robot, q, v, tau)
    return integrate(robot, q, v, dt), v


def _prepared(robot: Model, **arguments: torch.Tensor) -> list[torch.Tensor]:
    """Tensors of the same leading shape and type; shape and place are checked. PyTorch differentiates what this does."""
    for name, x in arguments.items():
        size = robot.nq if name == "q" else robot.nv
        if not isinstance(x, torch.Tensor):
            raise TypeError(f"{name} is of type {type(x).__name__}, expected a tensor")
        if x.device.type != "cpu":
            raise ValueError(f"{name} is on the device {x.device}, expected the CPU; copy it there with {name}.cpu()")
        if x.dtype not in (torch.float32, torch.float64):
            raise TypeError(f"{name} has elements of type {x.dtype}, expected torch.float32 or torch.float64")
        if x.dim() == 0 or x.shape[-1] != size:
            raise ValueError(f"{name} has shape {tuple(x.shape)}, expected (…, {size})")
    kind = torch.float32 if all(x.dtype == torch.float32 for x in arguments.values()) else torch.float64
    leading: Any = torch.broadcast_shapes(*(x.shape[:-1] for x in arguments.values()))  # type: ignore[no-untyped-call]
    return [x.to(kind).expand(*leading, x.shape[-1]) for x in arguments.values()]


def _array(x: torch.Tensor) -> Any:
    return x.detach().numpy()  # a view of the same memory


def _gradients_of(ctx: Any, product: Any, weights: torch.Tensor) -> tuple[Any, ...]:
    q, v, last = (_array(x) for x in ctx.saved_tensors)
    q_gradient, v_gradient, last_gradient = product(q, v, last, _array(weights))
    elements = _gradients.to_elements(ctx.robot, q, q_gradient) if ctx.needs_input_grad[1] else None
    return (None, *(None if x is None else torch.from_numpy(x) for x in (elements, v_gradient, last_gradient)))


class _InverseDynamics(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, robot: Model, q: torch.Tensor, v: torch.Tensor, a: torch.Tensor) -> torch.Tensor:
        ctx.robot = robot
        ctx.save_for_backward(q, v, a)
        return torch.from_numpy(robot.inverse_dynamics(_array(q), _array(v), _array(a)))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, weights: torch.Tensor) -> tuple[Any, ...]:
        return _gradients_of(ctx, ctx.robot.inverse_dynamics_vjp, weights)


class _ForwardDynamics(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, robot: Model, q: torch.Tensor, v: torch.Tensor, tau: torch.Tensor) -> torch.Tensor:
        ctx.robot = robot
        ctx.save_for_backward(q, v, tau)
        return torch.from_numpy(robot.forward_dynamics(_array(q), _array(v), _array(tau)))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, weights: torch.Tensor) -> tuple[Any, ...]:
        return _gradients_of(ctx, ctx.robot.forward_dynamics_vjp, weights)


class _Integrate(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, robot: Model, dt: float, q: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        ctx.robot, ctx.dt = robot, dt
        result = torch.from_numpy(robot.integrate(_array(q), _array(v), dt))
        ctx.save_for_backward(q, v, result)
        return result

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, weights: torch.Tensor) -> tuple[Any, ...]:
        q, v, result = (_array(x) for x in ctx.saved_tensors)
        q_gradient, v_gradient = _gradients.through_integrate(ctx.robot, q, v, ctx.dt, result, _array(weights))
        return None, None, torch.from_numpy(q_gradient), torch.from_numpy(v_gradient)
