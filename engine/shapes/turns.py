"""Turns outside compiled code: unit quaternions (w, x, y, z), matrices, and the angles an artist types."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.algebra import times
from engine.functions import arc_sine, arc_tangent, sine_cosine
from engine.scene.spec import Quaternion, Vector

IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)


def rotation_matrix(q: Sequence[float] | np.ndarray) -> np.ndarray:
    """3x3 matrix of a unit quaternion."""
    w, x, y, z = (float(c) for c in q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def rotation_matrices(q: np.ndarray) -> np.ndarray:
    """Matrices (..., 3, 3) of unit quaternions (..., 4)."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    m = np.empty((*q.shape[:-1], 3, 3))
    m[..., 0, 0], m[..., 0, 1], m[..., 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    m[..., 1, 0], m[..., 1, 1], m[..., 1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    m[..., 2, 0], m[..., 2, 1], m[..., 2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
    return m


def turning(axis: np.ndarray, angle: float) -> np.ndarray:
    """Matrix of a turn by `angle` (rad) about a unit axis (Rodrigues)."""
    x, y, z = axis
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    s, c = sine_cosine(angle)
    return np.eye(3) + s * k + (1.0 - c) * times(k, k)


def product(p: Sequence[float], q: Sequence[float]) -> Quaternion:
    """The turn q followed by p, of unit length to the last bit that division gives."""
    a, b, c, d = p
    w, x, y, z = q
    r = (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )
    length = math.hypot(*r)
    return (r[0] / length, r[1] / length, r[2] / length, r[3] / length)


def inverse(q: Sequence[float]) -> Quaternion:
    return (float(q[0]), -float(q[1]), -float(q[2]), -float(q[3]))


def rotate(q: Sequence[float], v: Sequence[float]) -> Vector:
    x, y, z = times(rotation_matrix(q), np.asarray(v, float))
    return (float(x), float(y), float(z))


def about(axis: Sequence[float] | np.ndarray, angle: float) -> Quaternion:
    """A turn by `angle` (rad) about an axis of any length but zero."""
    length = math.hypot(*axis)
    s, c = sine_cosine(0.5 * angle)
    s /= length
    return (c, s * float(axis[0]), s * float(axis[1]), s * float(axis[2]))


def between(a: Sequence[float], b: Sequence[float]) -> Quaternion:
    """The shortest turn that takes direction a to direction b."""
    u, v = (np.asarray(d, float) / math.hypot(*d) for d in (a, b))
    w = 1.0 + float(times(u, v))
    if w < 1e-12:  # opposite: any axis across u
        across = np.cross(u, np.eye(3)[int(np.argmin(np.abs(u)))])
        return about(across, math.pi)
    x, y, z = np.cross(u, v)
    length = math.hypot(w, x, y, z)
    return (w / length, float(x) / length, float(y) / length, float(z) / length)


def from_angles(degrees: Sequence[float]) -> Quaternion:
    """Turns about the fixed axes x, then y, then z (as in Blender's XYZ order)."""
    turned = IDENTITY
    for axis, angle in zip(np.eye(3), degrees, strict=True):
        if angle:
            turned = product(about(axis, math.radians(angle)), turned)
    return turned


def to_angles(q: Sequence[float]) -> Vector:
    """Degrees about x, y, z of `from_angles`; at y = +-90 degrees x takes all of the turn."""
    m = rotation_matrix(q)
    y = arc_sine(max(-1.0, min(1.0, -m[2, 0])))
    if abs(m[2, 0]) < 1.0 - 1e-12:
        x, z = arc_tangent(m[2, 1], m[2, 2]), arc_tangent(m[1, 0], m[0, 0])
    else:
        x, z = arc_tangent(-m[1, 2], m[1, 1]), 0.0
    return (math.degrees(x), math.degrees(y), math.degrees(z))


def matrix_turn(m: np.ndarray) -> Quaternion:
    """The quaternion (w >= 0) of a rotation matrix."""
    trace = float(np.trace(m))
    if trace > 0.0:
        w = 0.5 * math.sqrt(1.0 + trace)
        q = [w, (m[2, 1] - m[1, 2]) / (4 * w), (m[0, 2] - m[2, 0]) / (4 * w), (m[1, 0] - m[0, 1]) / (4 * w)]
    else:
        i = int(np.argmax(np.diag(m)))
        j, k = (i + 1) % 3, (i + 2) % 3
        large = 0.5 * math.sqrt(max(0.0, 1.0 + m[i, i] - m[j, j] - m[k, k]))
        q = [(m[k, j] - m[j, k]) / (4 * large), 0.0, 0.0, 0.0]
        q[1 + i], q[1 + j], q[1 + k] = large, (m[j, i] + m[i, j]) / (4 * large), (m[k, i] + m[i, k]) / (4 * large)
    sign = -1.0 if q[0] < 0.0 else 1.0
    length = sign * math.hypot(*q)
    return (float(q[0]) / length, float(q[1]) / length, float(q[2]) / length, float(q[3]) / length)
