"""Plane regions with holes, made from closed outlines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

COLLINEAR = 1e-9  # corners that stand off the line of their neighbours by less than this fraction of the size go


class Region(NamedTuple):
    outer: np.ndarray  # (n, 2) m, counter-clockwise
    holes: tuple[np.ndarray, ...]  # each (n, 2) m, clockwise

    @property
    def loops(self) -> tuple[np.ndarray, ...]:
        return (self.outer, *self.holes)


def signed_area(loop: np.ndarray) -> float:
    """Positive for counter-clockwise loops."""
    x, y = (loop - loop[0]).T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def regions_of(loops: Sequence[np.ndarray]) -> list[Region]:
    """Solid regions of outlines that do not cross each other, under the non-zero winding rule that fonts use.

    A loop bounds a region where the winding number goes from zero to another value; where it goes back to zero it is
    the edge of a hole; between two values other than zero it is a seam inside and goes.
    """
    clean = [loop for loop in (without_collinear(loop) for loop in loops) if len(loop) >= 3]
    signs = [1 if signed_area(loop) > 0.0 else -1 for loop in clean]
    around = [[k for k, other in enumerate(clean) if k != i and _inside(loop, other)] for i, loop in enumerate(clean)]
    outers, holes = [], []
    for i in range(len(clean)):
        outside = sum(signs[k] for k in around[i])
        if outside == 0:
            outers.append(i)
        elif outside + signs[i] == 0:
            holes.append(i)
    owned: dict[int, list[np.ndarray]] = {i: [] for i in outers}
    for i in holes:
        owner = max((k for k in around[i] if k in owned), key=lambda k: len(around[k]), default=None)
        if owner is not None:
            owned[owner].append(_turned(clean[i], -1))
    return [Region(_turned(clean[i], 1), tuple(owned[i])) for i in outers]


def without_collinear(loop: np.ndarray) -> np.ndarray:
    """Doubled corners and corners on a straight line removed."""
    points = np.asarray(loop, float)
    if len(points) < 3:
        return points[:0]
    size = float(np.ptp(points, axis=0).max())
    while len(points) >= 3 and size > 0.0:
        before, after = np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)
        span = after - before
        stand_off = np.abs(_cross(points - before, span)) / np.maximum(np.hypot(*span.T), COLLINEAR * size)
        doubled = np.hypot(*(points - before).T) <= COLLINEAR * size
        gone = doubled | (stand_off <= COLLINEAR * size)
        if not gone.any():
            return points
        gone &= ~np.roll(gone, 1)  # never two neighbours at once: their own neighbours would change
        if not gone.any():
            gone[0] = True
        points = points[~gone]
    return points[:0]


def alternating(loops: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Loops of the even-odd rule, turned so that the winding rule sees the same: outer ones counter-clockwise, those
    inside an odd number of others clockwise."""
    depth = [sum(_inside(loop, other) for other in loops if other is not loop) for loop in loops]
    return [_turned(loop, -1 if level % 2 else 1) for loop, level in zip(loops, depth, strict=True)]


def _turned(loop: np.ndarray, sign: int) -> np.ndarray:
    return loop if signed_area(loop) * sign > 0.0 else loop[::-1].copy()


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def _inside(loop: np.ndarray, other: np.ndarray) -> bool:
    """Does a loop lie inside another that it does not cross? Corners may touch, so the majority decides."""
    return bool(np.mean(contains(other, loop)) > 0.5)


def contains(loop: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(n,) bool: which points lie inside a loop, by counting the edges to the right."""
    ax, ay = loop.T
    bx, by = np.roll(loop, -1, axis=0).T
    x, y = points[:, :1], points[:, 1:]
    spans = (ay <= y) != (by <= y)
    rise = np.where(by == ay, 1.0, by - ay)
    return (np.count_nonzero(spans & (ax + (y - ay) * (bx - ax) / rise > x), axis=1) % 2).astype(bool)


def crossing(loops: Sequence[np.ndarray]) -> bool:
    """Does any edge properly cross another?"""
    a = np.concatenate([np.asarray(loop, float) for loop in loops])
    b = np.concatenate([np.roll(loop, -1, axis=0) for loop in loops])
    direction = b - a

    def side(points: np.ndarray) -> np.ndarray:  # [edge, point]
        offset = points[None] - a[:, None]
        return np.sign(direction[:, None, 0] * offset[..., 1] - direction[:, None, 1] * offset[..., 0])

    apart = side(a) * side(b) < 0.0
    return bool((apart & apart.T).any())
