"""The narrow phase of one pair of parts: place both shapes and call the code of their kinds.

Each kernel collects contacts with the origin at body a and returns whether the manifold's first part is part b.
"""

from __future__ import annotations

from engine.collide.axes import FIRST, SECOND
from engine.collide.cores import place_core
from engine.collide.cylinder_flat import cylinder_on_face
from engine.collide.cylinders import core_on_cylinder, cylinder_pair
from engine.collide.first_touch import met_contacts, touching_cores
from engine.collide.manifold import NO_CORNERS, settle
from engine.collide.placing import placed_cylinder
from engine.collide.planes import core_on_plane
from engine.collide.rounded import rounded_contacts
from engine.collide.solids import best_axis, solid_contacts
from engine.collide.triangles import rounded_on_triangle, solid_on_triangle
from engine.jit import standalone
from engine.model.arrays import CYLINDER, POLYTOPE, TRIANGLE
from engine.vec import add, quat_row, rotate, row, sub


@standalone
def plane_pair(geometry, cores, place, found, part_a, plane, x, q, slop):
    """Anything on a plane; a cylinder is the second part there."""
    a, b = geometry.part_body[part_a], geometry.part_body[plane]
    xa, qa, qb = row(x, a), quat_row(q, a), quat_row(q, b)
    n = rotate(qb, row(geometry.part_axis, plane))
    base = add(sub(row(x, b), xa), rotate(qb, row(geometry.part_center, plane)))
    if geometry.part_kind[part_a] == CYLINDER:
        cylinder = placed_cylinder(geometry, part_a, xa, qa, xa)
        cylinder_on_face(found, cores.verts, cores.loop, NO_CORNERS, NO_CORNERS, NO_CORNERS, n, base, cylinder)
        return True
    first = place_core(cores, part_a, xa, qa, xa, place[0])
    core_on_plane(found, first.verts, geometry.part_radius[part_a], base, n, slop)
    return False


@standalone
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
    return False


@standalone
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
    return can == part_a


@standalone
def two_cores(geometry, cores, place, found, part_a, part_b, x, q, x_from, q_from, slop):
    a, b = geometry.part_body[part_a], geometry.part_body[part_b]
    kind_a, kind_b = geometry.part_kind[part_a], geometry.part_kind[part_b]
    if kind_a == POLYTOPE and kind_b == POLYTOPE:
        two_solids(geometry, cores, place, found, part_a, part_b, x, q, x_from, q_from, slop)
        return False
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
    else:
        rounded_contacts(found, first, second, past_first, past_second, radius_a, radius_b, slop)
    return False


@standalone
def two_solids(geometry, cores, place, found, part_a, part_b, x, q, x_from, q_from, slop):
    """Two polytopes: by the features they met with if they overlap now and came from apart, else by least overlap."""
    a, b = geometry.part_body[part_a], geometry.part_body[part_b]
    now_a, now_b = (row(x, a), quat_row(q, a)), (row(x, b), quat_row(q, b))
    past_a, past_b = (row(x_from, a), quat_row(q_from, a)), (row(x_from, b), quat_row(q_from, b))
    first = place_core(cores, part_a, now_a[0], now_a[1], now_a[0], place[0])
    second = place_core(cores, part_b, now_b[0], now_b[1], now_a[0], place[1])
    size = min(geometry.part_bound[part_a], geometry.part_bound[part_b])
    leader = SECOND if part_b < part_a else FIRST
    axis, other, apart = best_axis(first, second, leader, size)
    if apart > slop:
        return
    if apart < -slop:
        past_first = place_core(cores, part_a, past_a[0], past_a[1], past_a[0], place[2])
        past_second = place_core(cores, part_b, past_b[0], past_b[1], past_a[0], place[3])
        _, _, before = best_axis(past_first, past_second, leader, size)
        if before > 0.0:
            met_first, met_second = touching_cores(
                cores, place, part_a, part_b, past_a, past_b, now_a, now_b, leader, size
            )
            met_contacts(found, first, second, met_first, met_second, leader, size)
    if settle(found, slop) == 0:
        solid_contacts(found, first, second, axis, other, slop)
