"""How far a part reaches along a direction."""

from __future__ import annotations

import math

from engine.jit import inline
from engine.model.arrays import CYLINDER
from engine.vec import dot, quat_row, rotate_back, row


@inline
def lowest_point(geometry, cores, p, body, x, q, n):
    """Least n . y (m) over the points y of a part."""
    inner, radius = rotate_back(quat_row(q, body), n), geometry.part_radius[p]
    if geometry.part_kind[p] == CYLINDER:
        along = dot(inner, row(geometry.part_axis, p))
        reach = geometry.part_half[p] * abs(along) + radius * math.sqrt(max(0.0, 1.0 - along * along))
        return dot(n, row(x, body)) + dot(inner, row(geometry.part_center, p)) - reach
    low = math.inf
    for v in range(cores.vert_start[p], cores.vert_start[p + 1]):
        low = min(low, dot(inner, row(cores.verts, v)))
    return dot(n, row(x, body)) + low - radius
