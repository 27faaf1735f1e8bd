"""Cylinders and planes where they are, as the tuples that their kernels share."""

from __future__ import annotations

from engine.jit import kernel
from engine.vec import add, any_perpendicular, quat_row, rotate, row, sub


@kernel
def placed_cylinder(geometry, part, x, q, origin):
    """(centre, unit axis, radius, half height, unit vector across the axis fixed in the body), world axes."""
    axis = row(geometry.part_axis, part)
    centre = add(sub(x, origin), rotate(q, row(geometry.part_center, part)))
    across = rotate(q, any_perpendicular(axis))
    return centre, rotate(q, axis), geometry.part_radius[part], geometry.part_half[part], across


@kernel
def placed_plane(geometry, part_a, plane, x, q):
    """(normal, a point of it) of a plane, seen from the body of part a."""
    a, b = geometry.part_body[part_a], geometry.part_body[plane]
    qb = quat_row(q, b)
    base = add(sub(row(x, b), row(x, a)), rotate(qb, row(geometry.part_center, plane)))
    return rotate(qb, row(geometry.part_axis, plane)), base
