"""Pairs of kinds of shape that are treated alike, and the tables of the code that treats them.

Tables are filled for the kinds of shape that a scene has: a wall of bricks never compiles how cylinders touch.
"""

from __future__ import annotations

import numpy as np

from engine.collide.cores import Cores, Places
from engine.collide.manifold import Manifold
from engine.jit import BOOL, NUMBER_AND_VECTOR, calls, kernel
from engine.model.arrays import CYLINDER, PLANE, POLYTOPE, TRIANGLE, Geometry
from engine.record import Record

SOLIDS, ROUNDED, ON_TRIANGLE, ON_PLANE, CYLINDER_ON_PLANE, ONE_CYLINDER, TWO_CYLINDERS, TWO_PLANES = range(8)
"""Two polytopes; two cores of which one is rounded; a core on a triangle; a core on a plane, and a cylinder; a core and
a cylinder; two of those; two planes."""


class Narrow(Record):
    """What two parts need besides their poses."""

    geometry: Geometry
    cores: Cores  # constant
    place: Places  # work
    found: Manifold
    phases: np.ndarray  # (8,) int64  addresses of what finds contacts, 0 where the scene has no such pair
    gauges: np.ndarray  # (8,) int64  and of what measures distances


@kernel
def pair_kind(kind_a, kind_b):
    """SOLIDS ... of two parts; of a plane and something else the plane is the second."""
    if kind_b == PLANE:
        if kind_a == PLANE:
            return TWO_PLANES
        return CYLINDER_ON_PLANE if kind_a == CYLINDER else ON_PLANE
    if kind_a == CYLINDER or kind_b == CYLINDER:
        return TWO_CYLINDERS if kind_a == kind_b else ONE_CYLINDER
    if kind_b == TRIANGLE:
        return ON_TRIANGLE
    return SOLIDS if kind_a == POLYTOPE and kind_b == POLYTOPE else ROUNDED


def pairs_of(geometry: Geometry) -> set[int]:
    """Those that two parts of a geometry can form."""
    kinds, counts = np.unique(geometry.part_kind, return_counts=True)
    pairs = [(int(a), int(b)) for a in kinds for b in kinds if a != b or counts[kinds == a][0] > 1]
    return {pair_kind.function(a, b) for a, b in pairs if a != PLANE or b == PLANE}  # type: ignore[attr-defined]


call_phase = calls(BOOL)
call_gauge = calls(NUMBER_AND_VECTOR)
