"""Boxes around parts where they are, and which parts can reach a plane."""

from __future__ import annotations

import math

from engine.jit import kernel
from engine.model.arrays import CYLINDER, SPHERE
from engine.vec import add, dot, quat_row, rotate, row, sub


@kernel
def fit_box(geometry, cores, p, x, q, slop, boxes):
    """boxes[p]: low and high corner of part p (not a plane), widened by slop."""
    body = geometry.part_body[p]
    turn, place = quat_row(q, body), row(x, body)
    kind = geometry.part_kind[p]
    if kind == SPHERE or kind == CYLINDER:
        c = add(place, rotate(turn, row(geometry.part_center, p)))
        k = rotate(turn, row(geometry.part_axis, p))
        for i in range(3):
            wide = geometry.part_radius[p]
            if kind == CYLINDER:
                wide = wide * math.sqrt(max(0.0, 1.0 - k[i] * k[i])) + geometry.part_half[p] * abs(k[i])
            boxes[p, i] = c[i] - wide - slop
            boxes[p, i + 3] = c[i] + wide + slop
        return
    margin = slop + geometry.part_radius[p]
    for i in range(3):
        boxes[p, i] = math.inf
        boxes[p, i + 3] = -math.inf
    for v in range(cores.vert_start[p], cores.vert_start[p + 1]):
        w = add(place, rotate(turn, row(cores.verts, v)))
        for i in range(3):
            boxes[p, i] = min(boxes[p, i], w[i] - margin)
            boxes[p, i + 3] = max(boxes[p, i + 3], w[i] + margin)


@kernel
def near_plane(geometry, p, plane, x, q, slop):
    """Can part p reach a plane, going by the ball around it?"""
    body, ground = geometry.part_body[p], geometry.part_body[plane]
    qg = quat_row(q, ground)
    n = rotate(qg, row(geometry.part_axis, plane))
    base = add(row(x, ground), rotate(qg, row(geometry.part_center, plane)))
    centre = add(row(x, body), rotate(quat_row(q, body), row(geometry.part_center, p)))
    return dot(n, sub(centre, base)) <= geometry.part_bound[p] + 2.0 * slop
