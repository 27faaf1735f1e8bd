"""The narrow phase of one pair of parts: place both shapes and call the code of their kinds."""

from __future__ import annotations

from engine.collide.cores import place_core
from engine.collide.planes import core_on_plane
from engine.collide.rounded import rounded_contacts
from engine.collide.solids import solid_contacts
from engine.collide.triangles import rounded_on_triangle, solid_on_triangle
from engine.jit import kernel
from engine.model.arrays import CYLINDER, PLANE, POLYTOPE, TRIANGLE
from engine.vec import add, quat_row, rotate, row, sub


@kernel
def pair_contacts(geometry, cores, place, found, part_a, part_b, x, q, x_from, q_from, slop):
    """Collect the contacts of two parts in `found`, origin at body a; True when its first part is part b."""
    kind_a, kind_b = geometry.part_kind[part_a], geometry.part_kind[part_b]
    a, b = geometry.part_body[part_a], geometry.part_body[part_b]
    xa, xb, qa, qb = row(x, a), row(x, b), quat_row(q, a), quat_row(q, b)
    radius_a, radius_b = geometry.part_radius[part_a], geometry.part_radius[part_b]
    if kind_b == PLANE:
        n = rotate(qb, row(geometry.part_axis, part_b))
        base = add(sub(xb, xa), rotate(qb, row(geometry.part_center, part_b)))
        first = place_core(cores, part_a, xa, qa, xa, place[0])
        core_on_plane(found, first.verts, radius_a, base, n, slop)
        return False
    if kind_a == CYLINDER or kind_b == CYLINDER:
        return False
    first = place_core(cores, part_a, xa, qa, xa, place[0])
    second = place_core(cores, part_b, xb, qb, xa, place[1])
    past = row(x_from, a)
    past_first = place_core(cores, part_a, past, quat_row(q_from, a), past, place[2])
    past_second = place_core(cores, part_b, row(x_from, b), quat_row(q_from, b), past, place[3])
    if kind_b == TRIANGLE:
        e0, e1 = cores.edge_start[part_b], cores.edge_start[part_b + 1]
        bend, beyond = cores.edge_bend[e0:e1], cores.edge_beyond[e0:e1]
        if kind_a == POLYTOPE:
            solid_on_triangle(found, first, second, past_first, past_second, bend, beyond, qb, slop)
        else:
            rounded_on_triangle(found, first, second, past_first, past_second, radius_a, bend, beyond, qb, slop)
    elif kind_a == POLYTOPE and kind_b == POLYTOPE:
        size = min(geometry.part_bound[part_a], geometry.part_bound[part_b])
        solid_contacts(found, first, second, past_first, past_second, part_b < part_a, size, slop)
    else:
        rounded_contacts(found, first, second, past_first, past_second, radius_a, radius_b, slop)
    return False
