"""Symmetry of shapes: which turns and mirrors of a body about its centre leave it as it was.

`alike(shape, a, b, angle)` gives all of them that bring direction a of the body to direction b. Round shapes have
infinitely many; of those `angle` picks where the directions leave it open.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from engine.scene.spec import Box, Capsule, Cylinder, Shape, Sphere

SAME = 1e-11  # directions closer than this (chord) are one

_AXIAL = [np.diag(d) for d in ((1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, 1.0), (-1.0, -1.0, -1.0))]
"""Of a shape with axis z, one each of: as it is, upside down, mirrored, both."""


def alike(shape: Shape, a: np.ndarray, b: np.ndarray, angle: float = 0.0) -> list[np.ndarray]:
    """Orthogonal matrices S (3, 3), mirrors included, that keep the shape (about its centre) and S a = b, for unit a, b
    in the body's frame. `angle` (rad) is the turn about b where it is free."""
    if isinstance(shape, Box):
        return [s for s in _of_box(np.array(shape.half)) if np.linalg.norm(s @ a - b) < SAME]
    if isinstance(shape, Capsule | Cylinder):
        return _of_axial(a, b, angle)
    if isinstance(shape, Sphere):
        onto = _about(b, angle) @ _shortest(a, b)
        side = _perpendicular(b)
        return [onto, (np.eye(3) - 2.0 * np.outer(side, side)) @ onto]
    return [np.eye(3)] if np.linalg.norm(a - b) < SAME else []


def _of_box(half: np.ndarray) -> list[np.ndarray]:
    """Signed permutations of the axes that keep the three half lengths."""
    found = []
    for order in itertools.permutations(range(3)):
        if np.array_equal(half[list(order)], half):
            for signs in itertools.product((1.0, -1.0), repeat=3):
                found.append(np.diag(signs) @ np.eye(3)[list(order)])
    return found


def _of_axial(a: np.ndarray, b: np.ndarray, angle: float) -> list[np.ndarray]:
    found = []
    for flip in _AXIAL:
        c = flip @ a
        if abs(c[2] - b[2]) > SAME:
            continue
        upright = math.hypot(c[0], c[1]) < SAME
        turn = angle if upright else math.atan2(b[1], b[0]) - math.atan2(c[1], c[0])
        found.append(_about(np.array([0.0, 0.0, 1.0]), turn) @ flip)
    return found


def _about(axis: np.ndarray, angle: float) -> np.ndarray:
    """Turn by `angle` about a unit axis."""
    x, y, z = axis
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * (k @ k)


def _perpendicular(a: np.ndarray) -> np.ndarray:
    p = np.cross(a, [1.0, 0.0, 0.0] if abs(a[0]) < 0.9 else [0.0, 1.0, 0.0])
    return p / np.linalg.norm(p)


def _shortest(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The shortest turn that brings unit a to unit b."""
    axis = np.cross(a, b)
    length = float(np.linalg.norm(axis))
    if length < SAME:
        return np.eye(3) if float(a @ b) > 0.0 else _about(_perpendicular(a), math.pi)
    return _about(axis / length, math.atan2(length, float(a @ b)))


def canonical_side(shape: Shape, side: np.ndarray) -> np.ndarray:
    """One and the same direction for all that symmetries of the shape bring to each other."""
    if isinstance(shape, Sphere):
        return np.array([0.0, 0.0, 1.0])
    if isinstance(shape, Capsule | Cylinder):
        return np.array([math.hypot(side[0], side[1]), 0.0, abs(side[2])])
    if isinstance(shape, Box):
        return max((s @ side for s in _of_box(np.array(shape.half))), key=lambda d: np.round(d, 9).tolist())
    return side
