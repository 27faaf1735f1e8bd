"""Boxes around parts where they are.

Kernels that run for every part are handed the few arrays they read: a whole Geometry, passed by value at every call,
costs more than the work."""

from __future__ import annotations

import math

from engine.jit import inline, kernel
from engine.model.arrays import CYLINDER, SPHERE
from engine.vec import add, quat_row, rotate, row


@inline
def fit_ball(p, place, turn, centre, radius, slop, boxes):
    """fit_box of a ball."""
    c = add(place, rotate(turn, row(centre, p)))
    for i in range(3):
        boxes[p, i] = c[i] - radius[p] - slop
        boxes[p, i + 3] = c[i] + radius[p] + slop


@inline
def fit_cylinder(p, place, turn, centre, axis, radius, half, slop, boxes):
    """fit_box of a cylinder."""
    c = add(place, rotate(turn, row(centre, p)))
    k = rotate(turn, row(axis, p))
    for i in range(3):
        wide = radius[p] * math.sqrt(max(0.0, 1.0 - k[i] * k[i])) + half[p] * abs(k[i])
        boxes[p, i] = c[i] - wide - slop
        boxes[p, i + 3] = c[i] + wide + slop


@inline
def fit_core(p, place, turn, vert_start, verts, radius, slop, boxes):
    """fit_box of a part with corners, rounded by its radius."""
    margin = slop + radius[p]
    for i in range(3):
        boxes[p, i] = math.inf
        boxes[p, i + 3] = -math.inf
    for v in range(vert_start[p], vert_start[p + 1]):
        w = add(place, rotate(turn, row(verts, v)))
        for i in range(3):
            boxes[p, i] = min(boxes[p, i], w[i] - margin)
            boxes[p, i + 3] = max(boxes[p, i + 3], w[i] + margin)


@kernel
def fit_box(geometry, cores, p, x, q, slop, boxes):
    """boxes[p]: low and high corner of part p (not a plane), widened by slop."""
    body = geometry.part_body[p]
    turn, place = quat_row(q, body), row(x, body)
    kind = geometry.part_kind[p]
    if kind == SPHERE:
        fit_ball(p, place, turn, geometry.part_center, geometry.part_radius, slop, boxes)
    elif kind == CYLINDER:
        fit_cylinder(p, place, turn, geometry.part_center, geometry.part_axis, geometry.part_radius,
                     geometry.part_half, slop, boxes)  # fmt: skip
    else:
        fit_core(p, place, turn, cores.vert_start, cores.verts, geometry.part_radius, slop, boxes)
