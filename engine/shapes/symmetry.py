"""Turns and mirrors that leave a body as it was and bring direction a of it to direction b."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np

from engine.algebra import norm, times
from engine.functions import arc_tangent
from engine.shapes.turns import turning

SAME = 1e-11  # directions closer than this (chord) are one

_AXIAL = [np.diag(d) for d in ((1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, 1.0), (-1.0, -1.0, -1.0))]
"""Of a shape with axis z, one each of: as it is, upside down, mirrored, both."""


def only_itself(a: np.ndarray, b: np.ndarray) -> list[np.ndarray]:
    return [np.eye(3)] if norm(a - b) < SAME else []


def of_ball(a: np.ndarray, b: np.ndarray, angle: float) -> list[np.ndarray]:
    onto = times(turning(b, angle), _shortest(a, b))
    side = _perpendicular(b)
    return [onto, times(np.eye(3) - 2.0 * np.outer(side, side), onto)]


@functools.lru_cache(maxsize=256)
def of_box(half: tuple[float, float, float]) -> tuple[np.ndarray, ...]:
    """Signed permutations of the axes that keep the three half lengths."""
    found = []
    for order in itertools.permutations(range(3)):
        if tuple(half[i] for i in order) == half:
            for signs in itertools.product((1.0, -1.0), repeat=3):
                found.append(times(np.diag(signs), np.eye(3)[list(order)]))
                found[-1].flags.writeable = False
    return tuple(found)


def of_axial(a: np.ndarray, b: np.ndarray, angle: float) -> list[np.ndarray]:
    """Of shapes that are round about z, and as wide above as below."""
    found = []
    for flip in _AXIAL:
        c = times(flip, a)
        if abs(c[2] - b[2]) > SAME:
            continue
        upright = math.hypot(c[0], c[1]) < SAME
        turn = angle if upright else arc_tangent(b[1], b[0]) - arc_tangent(c[1], c[0])
        found.append(times(turning(np.array([0.0, 0.0, 1.0]), turn), flip))
    return found


def _perpendicular(a: np.ndarray) -> np.ndarray:
    p = np.cross(a, [1.0, 0.0, 0.0] if abs(a[0]) < 0.9 else [0.0, 1.0, 0.0])
    return p / norm(p)


def _shortest(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The shortest turn that brings unit a to unit b."""
    axis = np.cross(a, b)
    length = norm(axis)
    if length < SAME:
        return np.eye(3) if float(times(a, b)) > 0.0 else turning(_perpendicular(a), math.pi)
    return turning(axis / length, arc_tangent(length, float(times(a, b))))
