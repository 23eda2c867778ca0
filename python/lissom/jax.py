"""Dynamics as functions of JAX: reverse-mode gradients by vector-Jacobian products in O(n) (docs/derivatives.md).

    import jax, lissom, lissom.jax
    def cost(tau): return (lissom.jax.forward_dynamics(robot, q, v, tau) ** 2).sum()
    jax.jit(jax.grad(cost))(tau)

They run on the CPU through callbacks, which jit and vmap keep: vmap becomes one batch. The gradient with respect to q is
in the elements of q: for a quaternion it is orthogonal to it, as if it were normalized first. `lissom.gradients.to_tangent`
converts it to the tangent space of q; or let q be `integrate(robot, q0, dq)` and ask for the gradient of dq at 0. There are
no second derivatives and no forward-mode ones: asking for them is an error. JAX computes in float32 unless
jax_enable_x64 is set; so do these functions.
"""
from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

try:
    import jax
    import jax.numpy as jnp
except ImportError as _error:
    raise ImportError("lissom.jax needs JAX, which is not installed: pip install jax") from _error

from . import gradients as _gradients

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._core import Model

__all__ = ["inverse_dynamics", "forward_dynamics", "integrate", "step"]


def inverse_dynamics(robot: Model, q: Any, v: Any, a: Any) -> jax.Array:
    """The generalized forces tau, (…, nv), for the acceleration a; N m, N.

    q: (…, nq); rad, m, unit quaternions (w, x, y, z). v, a: (…, nv). Leading shapes are broadcast.
    """
    result: jax.Array = _inverse_dynamics(robot, *_prepared(robot, q=q, v=v, a=a))
    return result


def forward_dynamics(robot: Model, q: Any, v: Any, tau: Any) -> jax.Array:
    """The acceleration a, (…, nv), for the generalized forces tau; rad/s², m/s². The arguments are as in inverse_dynamics."""
    result: jax.Array = _forward_dynamics(robot, *_prepared(robot, q=q, v=v, tau=tau))
    return result


def integrate(robot: Model, q: Any, v: Any, dt: float = 1.0) -> jax.Array:
    """The configuration, (…, nq), that constant v reaches from q in the time dt (s); dt is a plain number."""
    result: jax.Array = _integrate(robot, float(dt), *_prepared(robot, q=q, v=v))
    return result


def step(robot: Model, q: Any, v: Any, tau: Any, dt: float) -> tuple[jax.Array, jax.Array]:
    """q and v after a step of the semi-implicit Euler method: v + dt · forward_dynamics, then integrate(q, v, dt)."""
    v = v + dt * forward_dynamics(robot, q, v, tau)
    return integrate(robot, q, v, dt), v


def _prepared(robot: Model, **arguments: Any) -> list[jax.Array]:
    """Arrays of the same leading shape and type; shapes are checked. JAX differentiates what this does."""
    arrays = {name: jnp.asarray(x) for name, x in arguments.items()}
    for name, x in arrays.items():
        size = robot.nq if name == "q" else robot.nv
        if x.ndim == 0 or x.shape[-1] != size:
            raise ValueError(f"{name} has shape {x.shape}, expected (…, {size})")
    kind = jnp.result_type(jnp.float32, *arrays.values())
    if kind not in (jnp.float32, jnp.float64):
        raise TypeError(f"the arguments have elements of type {kind}, expected float32 or float64")
    leading = jnp.broadcast_shapes(*(x.shape[:-1] for x in arrays.values()))
    return [jnp.broadcast_to(x.astype(kind), (*leading, x.shape[-1])) for x in arrays.values()]


def _on_the_host(function: Callable[..., Any], sizes: tuple[int, ...], *arguments: jax.Array) -> Any:
    """Calls a function of NumPy arrays whose results have these last axes; vmap adds leading axes to all arguments."""
    leading, kind = arguments[0].shape[:-1], arguments[0].dtype
    shapes = tuple(jax.ShapeDtypeStruct((*leading, size), kind) for size in sizes)  # type: ignore[no-untyped-call]

    def call(*x: Any) -> tuple[Any, ...]:
        return tuple(np.asarray(y, kind) for y in function(*(np.asarray(y) for y in x)))

    return jax.pure_callback(call, shapes, *arguments, vmap_method="broadcast_all")


# ── The functions and their products. A product is a function of its own, so that its derivatives can be refused in words.

def _no_second_derivatives(product: Callable[..., Any]) -> Callable[..., Any]:
    wrapped: Any = jax.custom_jvp(product, nondiff_argnums=(0,))

    @wrapped.defjvp  # type: ignore[untyped-decorator]
    def refuse(*_: Any) -> Any:
        raise NotImplementedError("lissom.jax has no second derivatives; robot.inverse_dynamics_second_order and "
                                  "robot.forward_dynamics_second_order compute them outside of JAX")

    return functools.wraps(product)(wrapped)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _inverse_dynamics(robot: Model, q: Any, v: Any, a: Any) -> Any:
    return _on_the_host(lambda *x: (robot.inverse_dynamics(*x),), (robot.nv,), q, v, a)[0]


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _forward_dynamics(robot: Model, q: Any, v: Any, tau: Any) -> Any:
    return _on_the_host(lambda *x: (robot.forward_dynamics(*x),), (robot.nv,), q, v, tau)[0]


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _integrate(robot: Model, dt: float, q: Any, v: Any) -> Any:
    return _on_the_host(lambda x, y: (robot.integrate(x, y, dt),), (robot.nq,), q, v)[0]


def _elements(robot: Model, q: Any, gradient: Any) -> tuple[Any, Any, Any]:
    return _gradients.to_elements(robot, q, gradient[0]), gradient[1], gradient[2]


@_no_second_derivatives
def _inverse_product(robot: Model, q: Any, v: Any, a: Any, weights: Any) -> Any:
    sizes = (robot.nq, robot.nv, robot.nv)
    return _on_the_host(lambda *x: _elements(robot, x[0], robot.inverse_dynamics_vjp(*x)), sizes, q, v, a, weights)


@_no_second_derivatives
def _forward_product(robot: Model, q: Any, v: Any, tau: Any, weights: Any) -> Any:
    sizes = (robot.nq, robot.nv, robot.nv)
    return _on_the_host(lambda *x: _elements(robot, x[0], robot.forward_dynamics_vjp(*x)), sizes, q, v, tau, weights)


@_no_second_derivatives
def _integrate_product(robot_and_dt: tuple[Model, float], q: Any, v: Any, result: Any, weights: Any) -> Any:
    robot, dt = robot_and_dt
    return _on_the_host(lambda *x: _gradients.through_integrate(robot, x[0], x[1], dt, x[2], x[3]), (robot.nq, robot.nv),
                        q, v, result, weights)


_inverse_dynamics.defvjp(lambda robot, *x: (_inverse_dynamics(robot, *x), x),
                         lambda robot, x, weights: _inverse_product(robot, *x, weights))
_forward_dynamics.defvjp(lambda robot, *x: (_forward_dynamics(robot, *x), x),
                         lambda robot, x, weights: _forward_product(robot, *x, weights))


def _integrate_forward(robot: Model, dt: float, q: Any, v: Any) -> Any:
    result = _integrate(robot, dt, q, v)
    return result, (q, v, result)


_integrate.defvjp(_integrate_forward, lambda robot, dt, x, weights: _integrate_product((robot, dt), *x, weights))
