# SPDX-License-Identifier: Apache-2.0
"""Formatting of numbers, rotation matrices and directions."""
import math


def num(x, digits=9):
    """Shortest text of x with at most this many significant digits; never '-0'."""
    return "0" if abs(x) < 1e-12 else f"{x:.{digits}g}"


def nums(v, digits=9):
    return " ".join(num(x, digits) for x in v)


def matmul(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def apply(a, v):
    return [sum(a[i][k] * v[k] for k in range(3)) for i in range(3)]


def add(u, v):
    return [a + b for a, b in zip(u, v)]


def transpose(a):
    return [list(column) for column in zip(*a)]


def about(axis, angle):
    """Rotation by an angle about a unit axis."""
    x, y, z = axis
    c, s = math.cos(angle), math.sin(angle)
    k = 1 - c
    return [[c + k * x * x, k * x * y - s * z, k * x * z + s * y],
            [k * x * y + s * z, c + k * y * y, k * y * z - s * x],
            [k * x * z - s * y, k * y * z + s * x, c + k * z * z]]


def from_rpy(rpy):
    r, p, y = (math.radians(a) for a in rpy)
    return matmul(about((0, 0, 1), y), matmul(about((0, 1, 0), p), about((1, 0, 0), r)))


def from_quaternion(w, x, y, z):
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


IDENTITY = from_rpy((0, 0, 0))
ALONG_X, ALONG_Y, ALONG_Z = (0, 90, 0), (90, 0, 0), (0, 0, 0)  # orientations of a cylinder along the axes, as rpy in degrees
X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
