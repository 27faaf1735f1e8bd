"""Contact points of one pair of parts while they are collected, and the choice of the four that matter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.jit import kernel
from engine.vec import cross, dot, row, sub

MOST = 64  # candidates of one pair; further ones are left out


class Candidates(NamedTuple):
    """World axes, relative to the centre of body a."""

    point: np.ndarray  # (MOST, 3) m   midway between the two surfaces
    gap: np.ndarray  # (MOST,) m
    normal: np.ndarray  # (MOST, 3)    unit, from b to a
    chosen: np.ndarray  # (4,) int64
    before: np.ndarray  # (4, 13)      the manifold that is being replaced
    polygon: np.ndarray  # (2, 16, 3) m   room for clipping


def make_candidates() -> Candidates:
    return Candidates(np.zeros((MOST, 3)), np.zeros(MOST), np.zeros((MOST, 3)), np.zeros(4, np.int64), np.zeros((4, 13)), np.zeros((2, 16, 3)))


@kernel
def keep(found, i, point, gap, n):
    """Candidate i: where, how far apart, which way."""
    for k in range(3):
        found.point[i, k] = point[k]
        found.normal[i, k] = n[k]
    found.gap[i] = gap


@kernel
def choose_four(found, count):
    """Indices of at most four points into found.chosen: the deepest and those that span the largest area."""
    if count <= 4:
        for i in range(count):
            found.chosen[i] = i
        return count
    first = 0
    for i in range(1, count):
        if found.gap[i] < found.gap[first]:
            first = i
    p = row(found.point, first)
    second, farthest = -1, 0.0
    for i in range(count):
        d = sub(row(found.point, i), p)
        if dot(d, d) > farthest:
            second, farthest = i, dot(d, d)
    found.chosen[0] = first
    if second < 0:
        return 1
    found.chosen[1] = second
    side = cross(row(found.normal, first), sub(row(found.point, second), p))
    left, right, most, least = -1, -1, 0.0, 0.0
    for i in range(count):
        s = dot(side, sub(row(found.point, i), p))
        if s > most:
            left, most = i, s
        if s < least:
            right, least = i, s
    kept = 2
    if left >= 0:
        found.chosen[kept] = left
        kept += 1
    if right >= 0:
        found.chosen[kept] = right
        kept += 1
    return kept
