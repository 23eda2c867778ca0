"""Gradients with respect to q in two conventions: along the tangent space, and in the elements of q (docs/derivatives.md).

Where q̇ = E(q) v with E other than the identity (quaternions, bases that move in a plane or freely), a function of the
configuration has two gradients:

    tangent   nv elements: what happens if q moves by integrate(q, e_j, ε). lissom's own products return it.
    elements  nq elements: E(q)⁺ᵀ times the former. It is what PyTorch and JAX hand on, and the gradient of the function
              of any quaternion that normalizes it first: orthogonal to the quaternion.

For all other joints they are the same.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._core import Joint, Model

__all__ = ["to_elements", "to_tangent"]


def to_elements(robot: Model, q: ArrayLike, gradient: ArrayLike) -> NDArray[Any]:
    """The gradient in the elements of q, (…, nq), of one along its tangent space, (…, nv): E(q)⁺ᵀ gradient."""
    q, gradient = _arrays(robot, q, gradient, robot.nv)
    if is_flat(robot):
        return gradient
    result = np.empty(gradient.shape[:-1] + (robot.nq,), gradient.dtype)
    for joint in robot.joints:
        own, there = gradient[..., _v(joint)], result[..., _q(joint)]
        if joint.type == "planar":
            there[..., :2], there[..., 2] = _turned(q[..., joint.q_index + 2], own[..., :2]), own[..., 2]
        elif joint.type in ("free", "spherical"):
            quaternion = q[..., joint.q_index + joint.nq - 4:joint.q_index + joint.nq]
            if joint.type == "free":
                there[..., :3] = _rotated(quaternion, own[..., :3])
            # E v = ½ quaternion ⊗ (0, v), Eᵀ E = ¼, so that E⁺ᵀ = 4 E.
            there[..., -4:] = 2 * _product(quaternion, own[..., -3:])
        elif joint.nv:
            there[...] = own
    return result


def to_tangent(robot: Model, q: ArrayLike, gradient: ArrayLike) -> NDArray[Any]:
    """The gradient along the tangent space of q, (…, nv), of one in its elements, (…, nq): E(q)ᵀ gradient."""
    q, gradient = _arrays(robot, q, gradient, robot.nq)
    if is_flat(robot):
        return gradient
    result = np.empty(gradient.shape[:-1] + (robot.nv,), gradient.dtype)
    for joint in robot.joints:
        own, there = gradient[..., _q(joint)], result[..., _v(joint)]
        if joint.type == "planar":
            there[..., :2], there[..., 2] = _turned(-q[..., joint.q_index + 2], own[..., :2]), own[..., 2]
        elif joint.type in ("free", "spherical"):
            quaternion = q[..., joint.q_index + joint.nq - 4:joint.q_index + joint.nq]
            conjugate = quaternion * np.array([1, -1, -1, -1], quaternion.dtype)
            if joint.type == "free":
                there[..., :3] = _rotated(conjugate, own[..., :3])
            there[..., -3:] = 0.5 * _vector_of_product(conjugate, own[..., -4:])
        elif joint.nv:
            there[...] = own
    return result


def through_integrate(robot: Model, q: ArrayLike, v: ArrayLike, dt: float, result: ArrayLike,
                      gradient: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    """The gradients in the elements of q and v, of one in the elements of `result`, which is integrate(q, v, dt)."""
    if is_flat(robot):
        gradient = np.asarray(gradient)
        return gradient, np.asarray(dt * gradient, gradient.dtype)
    tangent = to_tangent(robot, result, gradient)
    dq, dv = robot.integrate_derivatives(q, v, dt)
    by_q, by_v = np.einsum("...ij,...i->...j", dq, tangent), np.einsum("...ij,...i->...j", dv, tangent)
    return to_elements(robot, q, by_q), by_v


def is_flat(robot: Model) -> bool:
    """Whether q̇ = v, so that the two conventions are the same."""
    return all(joint.type not in ("planar", "free", "spherical") for joint in robot.joints)


def _arrays(robot: Model, q: ArrayLike, gradient: ArrayLike, size: int) -> tuple[NDArray[Any], NDArray[Any]]:
    q, gradient = np.asarray(q), np.asarray(gradient)
    for name, x, n in (("q", q, robot.nq), ("gradient", gradient, size)):
        if x.ndim == 0 or x.shape[-1] != n:
            raise ValueError(f"{name} has shape {x.shape}, expected (…, {n})")
    return np.broadcast_to(q, gradient.shape[:-1] + (robot.nq,)), gradient


def _q(joint: Joint) -> slice:
    return slice(joint.q_index, joint.q_index + joint.nq)


def _v(joint: Joint) -> slice:
    return slice(joint.v_index, joint.v_index + joint.nv)


def _turned(angle: NDArray[Any], x: NDArray[Any]) -> NDArray[Any]:
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * x[..., 0] - s * x[..., 1], s * x[..., 0] + c * x[..., 1]], -1)


def _rotated(quaternion: NDArray[Any], x: NDArray[Any]) -> NDArray[Any]:
    w, u = quaternion[..., :1], quaternion[..., 1:]
    t = 2 * np.cross(u, x)
    rotated: NDArray[Any] = x + w * t + np.cross(u, t)
    return rotated


def _product(quaternion: NDArray[Any], x: NDArray[Any]) -> NDArray[Any]:
    """quaternion ⊗ (0, x)"""
    w, u = quaternion[..., :1], quaternion[..., 1:]
    return np.concatenate([-np.sum(u * x, -1, keepdims=True), w * x + np.cross(u, x)], -1)


def _vector_of_product(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """The vector part of a ⊗ b."""
    vector: NDArray[Any] = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
    return vector
