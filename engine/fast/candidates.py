"""Contact points of one pair of parts while they are collected, and the choice of the four that matter.

Kernels that run per pair take plain arrays, few of them: a tuple of arrays costs more to hand over than the work done.
"""

from __future__ import annotations

import numpy as np

from engine.jit import kernel
from engine.record import Record
from engine.vec import cross, dot, sub

MOST = 64  # candidates of one pair; further ones are left out

# Columns of Candidates.found, in world axes relative to the centre of body a: the point midway between the surfaces,
# the gap, the normal from b to a.
POINT, GAP, NORMAL = 0, 3, 4


class Candidates(Record):
    found: np.ndarray  # (MOST, 7)
    chosen: np.ndarray  # (4,) int64     which to keep
    before: np.ndarray  # (4, 13)        the manifold that is being replaced
    polygon: np.ndarray  # (2, 16, 3) m  room for clipping


def make_candidates() -> Candidates:
    return Candidates(np.zeros((MOST, 7)), np.zeros(4, np.int64), np.zeros((4, 13)), np.zeros((2, 16, 3)))


@kernel
def keep(found, i, point, gap, n):
    """Candidate i: where, how far apart, which way."""
    found[i, 0] = point[0]
    found[i, 1] = point[1]
    found[i, 2] = point[2]
    found[i, 3] = gap
    found[i, 4] = n[0]
    found[i, 5] = n[1]
    found[i, 6] = n[2]


@kernel
def candidate(found, i, column):
    return found[i, column], found[i, column + 1], found[i, column + 2]


@kernel
def choose_four(found, count, chosen):
    """Indices of at most four candidates into `chosen`: the deepest and those that span the largest area."""
    if count <= 4:
        for i in range(count):
            chosen[i] = i
        return count
    first = 0
    for i in range(1, count):
        if found[i, GAP] < found[first, GAP]:
            first = i
    p = candidate(found, first, POINT)
    second, farthest = -1, 0.0
    for i in range(count):
        d = sub(candidate(found, i, POINT), p)
        if dot(d, d) > farthest:
            second, farthest = i, dot(d, d)
    chosen[0] = first
    if second < 0:
        return 1
    chosen[1] = second
    side = cross(candidate(found, first, NORMAL), sub(candidate(found, second, POINT), p))
    left, right, most, least = -1, -1, 0.0, 0.0
    for i in range(count):
        s = dot(side, sub(candidate(found, i, POINT), p))
        if s > most:
            left, most = i, s
        if s < least:
            right, least = i, s
    kept = 2
    if left >= 0:
        chosen[kept] = left
        kept += 1
    if right >= 0:
        chosen[kept] = right
        kept += 1
    return kept
