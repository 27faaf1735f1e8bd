"""The narrow phase of one pair of parts: place both shapes and call the code of their kinds."""

from __future__ import annotations

from engine.collide.cores import place_core
from engine.collide.cylinder_flat import cylinder_on_face
from engine.collide.cylinders import core_on_cylinder, cylinder_pair
from engine.collide.placing import placed_cylinder
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
    can_a, can_b = geometry.part_kind[part_a] == CYLINDER, geometry.part_kind[part_b] == CYLINDER
    if geometry.part_kind[part_b] == PLANE:
        return plane_pair(geometry, cores, place, found, part_a, part_b, x, q, slop)
    if can_a and can_b:
        two_cylinders(geometry, found, part_a, part_b, x, q, x_from, q_from, slop)
        return False
    if can_a or can_b:
        one_cylinder(geometry, cores, place, found, part_a, part_b, x, q, x_from, q_from, slop)
        return can_a
    two_cores(geometry, cores, place, found, part_a, part_b, x, q, x_from, q_from, slop)
    return False


@kernel
def plane_pair(geometry, cores, place, found, part_a, plane, x, q, slop):
    """Anything on a plane; a cylinder is the second part there, so the answer is True."""
    a, b = geometry.part_body[part_a], geometry.part_body[plane]
    xa, qa, qb = row(x, a), quat_row(q, a), quat_row(q, b)
    n = rotate(qb, row(geometry.part_axis, plane))
    base = add(sub(row(x, b), xa), rotate(qb, row(geometry.part_center, plane)))
    if geometry.part_kind[part_a] == CYLINDER:
        cylinder = placed_cylinder(geometry, part_a, xa, qa, xa)
        cylinder_on_face(found, cores.verts, cores.loop, 0, 0, 0, n, base, cylinder)
        return True
    first = place_core(cores, part_a, xa, qa, xa, place[0])
    core_on_plane(found, first.verts, geometry.part_radius[part_a], base, n, slop)
    return False


@kernel
def two_cylinders(geometry, found, part_a, part_b, x, q, x_from, q_from, slop):
    a, b = geometry.part_body[part_a], geometry.part_body[part_b]
    now, past = row(x, a), row(x_from, a)
    cylinder_pair(
        found,
        placed_cylinder(geometry, part_a, now, quat_row(q, a), now),
        placed_cylinder(geometry, part_b, row(x, b), quat_row(q, b), now),
        placed_cylinder(geometry, part_a, past, quat_row(q_from, a), past),
        placed_cylinder(geometry, part_b, row(x_from, b), quat_row(q_from, b), past),
        slop,
    )


@kernel
def one_cylinder(geometry, cores, place, found, part_a, part_b, x, q, x_from, q_from, slop):
    """A core (the first part, whichever it is) and a cylinder."""
    a = geometry.part_body[part_a]
    part_core, can = (part_b, part_a) if geometry.part_kind[part_a] == CYLINDER else (part_a, part_b)
    c, d = geometry.part_body[part_core], geometry.part_body[can]
    now, past, turn = row(x, a), row(x_from, a), quat_row(q, c)
    e0, e1 = cores.edge_start[part_core], cores.edge_start[part_core + 1]
    core_on_cylinder(
        found,
        place_core(cores, part_core, row(x, c), turn, now, place[0]),
        placed_cylinder(geometry, can, row(x, d), quat_row(q, d), now),
        place_core(cores, part_core, row(x_from, c), quat_row(q_from, c), past, place[2]),
        placed_cylinder(geometry, can, row(x_from, d), quat_row(q_from, d), past),
        geometry.part_radius[part_core],
        geometry.part_kind[part_core] == TRIANGLE,
        cores.edge_bend[e0:e1],
        cores.edge_beyond[e0:e1],
        turn,
        slop,
    )


@kernel
def two_cores(geometry, cores, place, found, part_a, part_b, x, q, x_from, q_from, slop):
    a, b = geometry.part_body[part_a], geometry.part_body[part_b]
    kind_a, kind_b = geometry.part_kind[part_a], geometry.part_kind[part_b]
    now, past, qb = row(x, a), row(x_from, a), quat_row(q, b)
    first = place_core(cores, part_a, now, quat_row(q, a), now, place[0])
    second = place_core(cores, part_b, row(x, b), qb, now, place[1])
    past_first = place_core(cores, part_a, past, quat_row(q_from, a), past, place[2])
    past_second = place_core(cores, part_b, row(x_from, b), quat_row(q_from, b), past, place[3])
    radius_a, radius_b = geometry.part_radius[part_a], geometry.part_radius[part_b]
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
