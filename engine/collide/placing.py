"""Cylinders where they are, as the tuple that the kernels of cylinders share."""

from __future__ import annotations

from engine.jit import kernel
from engine.vec import add, any_perpendicular, rotate, row, sub


@kernel
def placed_cylinder(geometry, part, x, q, origin):
    """(centre, unit axis, radius, half height, unit vector across the axis fixed in the body), world axes."""
    axis = row(geometry.part_axis, part)
    centre = add(sub(x, origin), rotate(q, row(geometry.part_center, part)))
    across = rotate(q, any_perpendicular(axis))
    return centre, rotate(q, axis), geometry.part_radius[part], geometry.part_half[part], across
