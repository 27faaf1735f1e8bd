"""Vectors as tuples of three floats, quaternions as (w, x, y, z): the small algebra of every kernel.

Tuples live in registers; tiny arrays would be allocated on the heap, ten times slower.
"""

from __future__ import annotations

import math

import numpy as np

import engine.functions
from engine.jit import kernel

sine_cosine = kernel(engine.functions.sine_cosine)
arc_tangent = kernel(engine.functions.arc_tangent)


@kernel
def row(array, i):
    """Row i of an (n, 3) array as a vector."""
    return array[i, 0], array[i, 1], array[i, 2]


@kernel
def put(array, i, a):
    """array[i] = a."""
    array[i, 0] = a[0]
    array[i, 1] = a[1]
    array[i, 2] = a[2]


@kernel
def add(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def sub(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def scale(s, a):
    return s * a[0], s * a[1], s * a[2]


@kernel
def axpy(s, a, b):
    """s a + b."""
    return s * a[0] + b[0], s * a[1] + b[1], s * a[2] + b[2]


@kernel
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@kernel
def norm(a):
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel
def unit(a):
    """a / |a|; the zero vector stays zero."""
    length = math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
    if length == 0.0:
        return a
    return a[0] / length, a[1] / length, a[2] / length


@kernel
def any_perpendicular(n):
    """A unit vector perpendicular to the unit vector n, a smooth function of n away from n = +-x."""
    if abs(n[0]) > 0.7:
        s = 1.0 / math.sqrt(n[0] * n[0] + n[1] * n[1])
        return -n[1] * s, n[0] * s, 0.0
    s = 1.0 / math.sqrt(n[1] * n[1] + n[2] * n[2])
    return 0.0, -n[2] * s, n[1] * s


@kernel
def quat_row(array, i):
    """Row i of an (n, 4) array as a quaternion."""
    return array[i, 0], array[i, 1], array[i, 2], array[i, 3]


@kernel
def quat_put(array, i, q):
    array[i, 0] = q[0]
    array[i, 1] = q[1]
    array[i, 2] = q[2]
    array[i, 3] = q[3]


@kernel
def quat_mul(a, b):
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@kernel
def quat_unit(q):
    s = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return q[0] * s, q[1] * s, q[2] * s, q[3] * s


@kernel
def quat_exp(r):
    """Unit quaternion of the rotation vector r (radians)."""
    square = 0.25 * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2])  # of half the angle
    if square < 0.01:  # most turns of one step; the first term left out is below 3e-17
        c = 1.0 - square * (1.0 / 56.0) * (1.0 - square * (1.0 / 90.0))
        c = 1.0 - square * (1.0 / 2.0) * (1.0 - square * (1.0 / 12.0) * (1.0 - square * (1.0 / 30.0) * c))
        s = 1.0 - square * (1.0 / 42.0) * (1.0 - square * (1.0 / 72.0))
        s = 0.5 - square * (1.0 / 12.0) * (1.0 - square * (1.0 / 20.0) * s)
    else:
        half = math.sqrt(square)
        s, c = sine_cosine(half)
        s = 0.5 * s / half
    return c, s * r[0], s * r[1], s * r[2]


@kernel
def rotate(q, a):
    """The vector a turned by the unit quaternion q: a + 2 w (u x a) + 2 u x (u x a)."""
    u = (q[1], q[2], q[3])
    t = (
        2.0 * (u[1] * a[2] - u[2] * a[1]),
        2.0 * (u[2] * a[0] - u[0] * a[2]),
        2.0 * (u[0] * a[1] - u[1] * a[0]),
    )
    return (
        a[0] + q[0] * t[0] + u[1] * t[2] - u[2] * t[1],
        a[1] + q[0] * t[1] + u[2] * t[0] - u[0] * t[2],
        a[2] + q[0] * t[2] + u[0] * t[1] - u[1] * t[0],
    )


@kernel
def rotate_back(q, a):
    """The vector a turned by the inverse of the unit quaternion q."""
    return rotate((q[0], -q[1], -q[2], -q[3]), a)


def turned_back(q: np.ndarray, a: np.ndarray) -> np.ndarray:
    """The vector a as frames with orientations q (n, 4) see it: (n, 3)."""
    w, u = q[:, :1], -q[:, 1:]
    t = 2.0 * np.cross(u, a)
    return a + w * t + np.cross(u, t)
