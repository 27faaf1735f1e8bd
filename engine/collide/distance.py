"""Signed distance of any two parts: the largest separation over all axes, negative when they overlap."""

from __future__ import annotations

import math

import numpy as np

from engine.collide.axes import FIRST, lowest
from engine.collide.cores import Cores, Place, build_cores, make_place, place_core
from engine.collide.cylinder_axes import cap_axis, curved_axis, cylinder_top, flat_axis, rim_axis, side_axis
from engine.collide.nearest import direction_between, nearest_features
from engine.collide.placing import placed_cylinder
from engine.collide.solids import best_axis
from engine.jit import kernel
from engine.model.arrays import CYLINDER, PLANE, Geometry
from engine.vec import add, dot, quat_row, rotate, row, scale, sub


@kernel
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


@kernel
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
def part_distance(geometry, cores, place, part_a, part_b, x, q):
    """Signed distance of two parts and the unit normal from b to a. Planes are half spaces, triangles thin sheets."""
    if geometry.part_kind[part_a] == PLANE and geometry.part_kind[part_b] != PLANE:
        s, n = _distance_to(geometry, cores, place, part_b, part_a, x, q)
        return s, scale(-1.0, n)
    return _distance_to(geometry, cores, place, part_a, part_b, x, q)


@kernel
def _distance_to(geometry, cores, place, part_a, part_b, x, q):
    """part_distance, where a is no plane unless both are."""
    a, b = geometry.part_body[part_a], geometry.part_body[part_b]
    kind_a, kind_b = geometry.part_kind[part_a], geometry.part_kind[part_b]
    xa, xb, qa, qb = row(x, a), row(x, b), quat_row(q, a), quat_row(q, b)
    first = place_core(cores, part_a, xa, qa, xa, place[0])
    second = place_core(cores, part_b, xb, qb, xa, place[1])
    ra, rb = geometry.part_radius[part_a], geometry.part_radius[part_b]
    can_a = placed_cylinder(geometry, part_a, xa, qa, xa)
    can_b = placed_cylinder(geometry, part_b, xb, qb, xa)
    if kind_b == PLANE:
        n = rotate(qb, row(geometry.part_axis, part_b))
        base = dot(n, add(sub(xb, xa), rotate(qb, row(geometry.part_center, part_b))))
        if kind_a == PLANE:
            return -math.inf, n
        if kind_a == CYLINDER:
            return -cylinder_top(can_a, scale(-1.0, n)) - base, n
        return lowest(first.verts, n) - base - ra, n
    if kind_a == CYLINDER and kind_b == CYLINDER:
        return cylinders_distance(can_a, can_b)
    if kind_b == CYLINDER:
        s, n = core_cylinder_distance(first, can_b, cores)
        return s - ra, n
    if kind_a == CYLINDER:
        s, n = core_cylinder_distance(second, can_a, cores)
        return s - rb, scale(-1.0, n)
    s, n = core_distance(first, second)
    return s - ra - rb, n


class Gauge:
    """part_distance with its buffers, for many pairs of one geometry."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.cores: Cores = build_cores(geometry)
        self.place: tuple[Place, Place] = (make_place(self.cores), make_place(self.cores))

    def measure(self, part_a: int, part_b: int, x: np.ndarray, q: np.ndarray) -> tuple[float, np.ndarray]:
        """Signed distance (m) of two parts and the unit normal from b to a."""
        s, n = part_distance(self.geometry, self.cores, self.place, part_a, part_b, x, q)
        return float(s), np.array(n)


def signed_distance(
    geometry: Geometry, part_a: int, part_b: int, x: np.ndarray, q: np.ndarray
) -> tuple[float, np.ndarray]:
    """Signed distance (m) of two parts and the unit normal from b to a; for many calls keep a Gauge."""
    return Gauge(geometry).measure(part_a, part_b, x, q)
