"""Seen: the poses of a drop, flown once, and through any image of it.

Good to rounding, and no more: whoever takes an image flies its motion, for the bits of a take."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.algebra import determinant
from engine.arrivals.dropped.retarget import Image
from engine.jit import kernel
from engine.shapes.turns import inverse, product


@dataclass(frozen=True)
class Seen:
    """In the frame of the drop, the last ones at rest."""

    x: np.ndarray  # (k, 3) m
    q: np.ndarray  # (k, 4)

    def through(self, image: Image, first: int, x: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(k, 3) places and (k, 4) orientations from pose `first` on, of the image that rests at (x, q).

        Orientations go R -> W R S^T. W and S are both turns or both mirrors, and a mirror is a turn with its sign
        changed; what S is follows from the rest."""
        turn = _turn_of(image.world)
        symmetry = product(inverse(product(turn, tuple(self.q[-1].tolist()))), tuple(q.tolist()))
        count = len(self.x) - first
        places, turns = np.empty((count, 3)), np.empty((count, 4))
        _move(self.x, self.q, first, image.world, turn, symmetry, x, places, turns)
        return places, turns


def _turn_of(world: np.ndarray) -> tuple[float, float, float, float]:
    """Quaternion of a turn about the vertical, or of a mirror through it with its sign changed: half a turn about the
    level axis across it."""
    c, s = float(world[0, 0]), float(world[1, 0])
    half = 0.5 * math.hypot(1.0 + c, s), 0.5 * math.copysign(math.hypot(1.0 - c, s), s)  # cosine, sine of half of it
    return (half[0], 0.0, 0.0, half[1]) if determinant(world) > 0.0 else (0.0, half[1], -half[0], 0.0)


@kernel
def _move(x, q, first, world, turn, symmetry, rest, places, turns):
    last = x.shape[0] - 1
    a, b, c, d = turn
    e, f, g, h = symmetry
    for k in range(places.shape[0]):
        for i in range(3):
            places[k, i] = rest[i]
            for j in range(3):
                places[k, i] += world[i, j] * (x[first + k, j] - x[last, j])
        w, l, m, n = q[first + k, 0], q[first + k, 1], q[first + k, 2], q[first + k, 3]
        w, l, m, n = (
            a * w - b * l - c * m - d * n,
            a * l + b * w + c * n - d * m,
            a * m - b * n + c * w + d * l,
            a * n + b * m - c * l + d * w,
        )
        turns[k, 0] = w * e - l * f - m * g - n * h
        turns[k, 1] = w * f + l * e + m * h - n * g
        turns[k, 2] = w * g - l * h + m * e + n * f
        turns[k, 3] = w * h + l * g - m * f + n * e
