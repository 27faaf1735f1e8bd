"""Signed distance of any two parts: the largest separation over all axes, negative when they overlap."""

from __future__ import annotations

import math

from engine.collide.axes import FIRST, lowest
from engine.collide.cores import place_core
from engine.collide.cylinder_axes import cap_axis, curved_axis, cylinder_top, flat_axis, rim_axis, side_axis
from engine.collide.kinds import (
    CYLINDER_ON_PLANE,
    ON_PLANE,
    ON_TRIANGLE,
    ONE_CYLINDER,
    ROUNDED,
    SOLIDS,
    TWO_CYLINDERS,
    TWO_PLANES,
    call_gauge,
    pair_kind,
)
from engine.collide.nearest import direction_between, nearest_features
from engine.collide.placing import placed_cylinder, placed_plane
from engine.collide.solids import best_axis
from engine.jit import inline, kernel
from engine.model.arrays import CYLINDER, PLANE
from engine.vec import dot, quat_row, row, scale


@inline
def core_distance(first, second):
    """Signed distance and normal (second to first) of two cores without their rounding."""
    axis, other, s = best_axis(first, second, FIRST, 0.0)
    n = other[4] if other[0] > axis[0] else axis[4]
    if first.normals.shape[0] + second.normals.shape[0] == 0 or s > 0.0:
        distance, _, _, _, _, pa, pb = nearest_features(first, second, n)
        return distance, direction_between(first, second, pa, pb, n)
    return s, n


@kernel
def core_cylinder_distance(core, cylinder, cores):
    """Signed distance and normal (cylinder to core) without the core's rounding."""
    flat = flat_axis(core, cylinder)
    turn = (1.0, 0.0, 0.0, 0.0)
    curved, _ = curved_axis(core, cylinder, flat[0], True, False, cores.edge_bend[:0], cores.edge_beyond[:0], turn)
    best = curved if curved[0] > flat[0] else flat
    return best[0], best[4]


@inline
def cylinders_distance(first, second):
    """Signed distance and normal (second to first) of two cylinders."""
    best = cap_axis(first, second)
    side = side_axis(first, second)
    if side[0] > best[0]:
        best = side
    rim = rim_axis(first, second, best[4])
    if rim[0] > best[0]:
        best = rim
    return best[0], best[4]


@kernel
def _ordered(narrow, part_a, part_b, x, q):
    """(first and second core, first and second part as cylinders), seen from body a."""
    geometry, cores, place = narrow.geometry, narrow.cores, narrow.place
    a, b = geometry.part_body[part_a], geometry.part_body[part_b]
    xa, xb, qa, qb = row(x, a), row(x, b), quat_row(q, a), quat_row(q, b)
    return (
        place_core(cores, part_a, xa, qa, xa, place.first),
        place_core(cores, part_b, xb, qb, xa, place.second),
        placed_cylinder(geometry, part_a, xa, qa, xa),
        placed_cylinder(geometry, part_b, xb, qb, xa),
    )


@kernel
def gauge_cores(narrow, part_a, part_b, x, q):
    first, second, _, _ = _ordered(narrow, part_a, part_b, x, q)
    s, n = core_distance(first, second)
    return s - narrow.geometry.part_radius[part_a] - narrow.geometry.part_radius[part_b], n


@kernel
def gauge_plane(narrow, part_a, plane, x, q):
    geometry, a = narrow.geometry, narrow.geometry.part_body[part_a]
    n, base = placed_plane(geometry, part_a, plane, x, q)
    if geometry.part_kind[part_a] == PLANE:
        return -math.inf, n
    first = place_core(narrow.cores, part_a, row(x, a), quat_row(q, a), row(x, a), narrow.place.first)
    return lowest(first.verts, n) - dot(n, base) - geometry.part_radius[part_a], n


@kernel
def gauge_cylinder_plane(narrow, part_a, plane, x, q):
    a = narrow.geometry.part_body[part_a]
    n, base = placed_plane(narrow.geometry, part_a, plane, x, q)
    can = placed_cylinder(narrow.geometry, part_a, row(x, a), quat_row(q, a), row(x, a))
    return -cylinder_top(can, scale(-1.0, n)) - dot(n, base), n


@kernel
def gauge_cylinder(narrow, part_a, part_b, x, q):
    """Of a core and a cylinder, in any order."""
    first, second, can_a, can_b = _ordered(narrow, part_a, part_b, x, q)
    radius = narrow.geometry.part_radius
    if narrow.geometry.part_kind[part_b] == CYLINDER:
        s, n = core_cylinder_distance(first, can_b, narrow.cores)
        return s - radius[part_a], n
    s, n = core_cylinder_distance(second, can_a, narrow.cores)
    return s - radius[part_b], scale(-1.0, n)


@kernel
def gauge_cylinders(narrow, part_a, part_b, x, q):
    _, _, can_a, can_b = _ordered(narrow, part_a, part_b, x, q)
    return cylinders_distance(can_a, can_b)


GAUGES = {
    SOLIDS: gauge_cores,
    ROUNDED: gauge_cores,
    ON_TRIANGLE: gauge_cores,
    ON_PLANE: gauge_plane,
    TWO_PLANES: gauge_plane,
    CYLINDER_ON_PLANE: gauge_cylinder_plane,
    ONE_CYLINDER: gauge_cylinder,
    TWO_CYLINDERS: gauge_cylinders,
}


@kernel
def part_distance(narrow, part_a, part_b, x, q):
    """Signed distance of two parts and the unit normal from b to a. Planes are half spaces, triangles thin sheets."""
    kinds = narrow.geometry.part_kind
    turned = kinds[part_a] == PLANE and kinds[part_b] != PLANE
    first, second = (part_b, part_a) if turned else (part_a, part_b)
    gauge = narrow.gauges[pair_kind(kinds[first], kinds[second])]
    s, n = call_gauge(gauge, (narrow, first, second, x, q))
    return s, scale(-1.0 if turned else 1.0, n)
