"""The narrow phase of one pair of parts, by kinds (kinds.py): place both shapes and call their code.

Each kernel collects contacts with the origin at body a and returns whether the manifold's first part is part b.
(x, q) is the configuration, (x_from, q_from) the one that we come from.
"""

from __future__ import annotations

from engine.collide.axes import FIRST, SECOND
from engine.collide.cores import place_core
from engine.collide.cylinder_flat import cylinder_on_face
from engine.collide.cylinders import core_on_cylinder, cylinder_pair
from engine.collide.first_touch import met_contacts, touching_cores
from engine.collide.kinds import CYLINDER_ON_PLANE, ON_PLANE, ON_TRIANGLE, ONE_CYLINDER, ROUNDED, SOLIDS, TWO_CYLINDERS
from engine.collide.manifold import NO_CORNERS, keep_touching
from engine.collide.placing import placed_cylinder, placed_plane
from engine.collide.planes import core_on_plane
from engine.collide.rounded import rounded_contacts
from engine.collide.solids import best_axis, solid_contacts
from engine.collide.triangles import rounded_on_triangle, solid_on_triangle
from engine.jit import kernel
from engine.model.arrays import CYLINDER, POLYTOPE, TRIANGLE
from engine.vec import quat_row, row


@kernel
def core_and_plane(narrow, part_a, plane, x, q, x_from, q_from, slop):
    geometry, a = narrow.geometry, narrow.geometry.part_body[part_a]
    n, base = placed_plane(geometry, part_a, plane, x, q)
    first = place_core(narrow.cores, part_a, row(x, a), quat_row(q, a), row(x, a), narrow.place.first)
    core_on_plane(narrow.found, first.verts, geometry.part_radius[part_a], base, n, slop)
    return False


@kernel
def cylinder_and_plane(narrow, part_a, plane, x, q, x_from, q_from, slop):
    """The cylinder is the second part there."""
    cores, xa = narrow.cores, row(x, narrow.geometry.part_body[part_a])
    n, base = placed_plane(narrow.geometry, part_a, plane, x, q)
    turn = quat_row(q, narrow.geometry.part_body[part_a])
    cylinder = placed_cylinder(narrow.geometry, part_a, xa, turn, xa)
    cylinder_on_face(narrow.found, cores.verts, cores.loop, NO_CORNERS, NO_CORNERS, NO_CORNERS, n, base, cylinder)
    return True


@kernel
def two_cylinders(narrow, part_a, part_b, x, q, x_from, q_from, slop):
    geometry = narrow.geometry
    a, b = geometry.part_body[part_a], geometry.part_body[part_b]
    now, past = row(x, a), row(x_from, a)
    cylinder_pair(
        narrow.found,
        placed_cylinder(geometry, part_a, now, quat_row(q, a), now),
        placed_cylinder(geometry, part_b, row(x, b), quat_row(q, b), now),
        placed_cylinder(geometry, part_a, past, quat_row(q_from, a), past),
        placed_cylinder(geometry, part_b, row(x_from, b), quat_row(q_from, b), past),
        slop,
    )
    return False


@kernel
def one_cylinder(narrow, part_a, part_b, x, q, x_from, q_from, slop):
    """A core (the first part, whichever it is) and a cylinder."""
    geometry, cores, place = narrow.geometry, narrow.cores, narrow.place
    a = geometry.part_body[part_a]
    part_core, can = (part_b, part_a) if geometry.part_kind[part_a] == CYLINDER else (part_a, part_b)
    c, d = geometry.part_body[part_core], geometry.part_body[can]
    now, past, turn = row(x, a), row(x_from, a), quat_row(q, c)
    e0, e1 = cores.edge_start[part_core], cores.edge_start[part_core + 1]
    core_on_cylinder(
        narrow.found,
        place_core(cores, part_core, row(x, c), turn, now, place.first),
        placed_cylinder(geometry, can, row(x, d), quat_row(q, d), now),
        place_core(cores, part_core, row(x_from, c), quat_row(q_from, c), past, place.past_first),
        placed_cylinder(geometry, can, row(x_from, d), quat_row(q_from, d), past),
        geometry.part_radius[part_core],
        geometry.part_kind[part_core] == TRIANGLE,
        cores.edge_bend[e0:e1],
        cores.edge_beyond[e0:e1],
        turn,
        slop,
    )
    return can == part_a


@kernel
def _place_cores(narrow, part_a, part_b, x, q, x_from, q_from):
    """Both cores now, and in the past, from where body a was then."""
    cores, place, part_body = narrow.cores, narrow.place, narrow.geometry.part_body
    a, b = part_body[part_a], part_body[part_b]
    now, past = row(x, a), row(x_from, a)
    return (
        place_core(cores, part_a, now, quat_row(q, a), now, place.first),
        place_core(cores, part_b, row(x, b), quat_row(q, b), now, place.second),
        place_core(cores, part_a, past, quat_row(q_from, a), past, place.past_first),
        place_core(cores, part_b, row(x_from, b), quat_row(q_from, b), past, place.past_second),
    )


@kernel
def rounded_cores(narrow, part_a, part_b, x, q, x_from, q_from, slop):
    first, second, past_first, past_second = _place_cores(narrow, part_a, part_b, x, q, x_from, q_from)
    radius = narrow.geometry.part_radius
    rounded_contacts(narrow.found, first, second, past_first, past_second, radius[part_a], radius[part_b], slop)
    return False


@kernel
def core_and_triangle(narrow, part_a, part_b, x, q, x_from, q_from, slop):
    geometry, cores, found = narrow.geometry, narrow.cores, narrow.found
    first, second, past_first, past_second = _place_cores(narrow, part_a, part_b, x, q, x_from, q_from)
    e0, e1 = cores.edge_start[part_b], cores.edge_start[part_b + 1]
    bend, beyond = cores.edge_bend[e0:e1], cores.edge_beyond[e0:e1]
    turn, radius = quat_row(q, geometry.part_body[part_b]), geometry.part_radius[part_a]
    if geometry.part_kind[part_a] == POLYTOPE:
        solid_on_triangle(found, first, second, past_first, past_second, bend, beyond, turn, slop)
    else:
        rounded_on_triangle(found, first, second, past_first, past_second, radius, bend, beyond, turn, slop)
    return False


@kernel
def two_solids(narrow, part_a, part_b, x, q, x_from, q_from, slop):
    """Two polytopes: by the features they met with if they overlap now and came from apart, else by least overlap."""
    geometry, cores, place, found = narrow.geometry, narrow.cores, narrow.place, narrow.found
    a, b = geometry.part_body[part_a], geometry.part_body[part_b]
    now_a, now_b = (row(x, a), quat_row(q, a)), (row(x, b), quat_row(q, b))
    past_a, past_b = (row(x_from, a), quat_row(q_from, a)), (row(x_from, b), quat_row(q_from, b))
    first = place_core(cores, part_a, now_a[0], now_a[1], now_a[0], place.first)
    second = place_core(cores, part_b, now_b[0], now_b[1], now_a[0], place.second)
    size = min(geometry.part_bound[part_a], geometry.part_bound[part_b])
    leader = SECOND if part_b < part_a else FIRST
    axis, other, apart = best_axis(first, second, leader, size)
    if apart > slop:
        return False
    if apart < -slop:
        past_first = place_core(cores, part_a, past_a[0], past_a[1], past_a[0], place.past_first)
        past_second = place_core(cores, part_b, past_b[0], past_b[1], past_a[0], place.past_second)
        _, _, before = best_axis(past_first, past_second, leader, size)
        if before > 0.0:
            met_first, met_second = touching_cores(
                cores, place, part_a, part_b, past_a, past_b, now_a, now_b, leader, size
            )
            met_contacts(found, first, second, met_first, met_second, leader, size)
    if keep_touching(found, slop) == 0:
        solid_contacts(found, first, second, axis, other, slop)
    return False


PHASES = {
    SOLIDS: two_solids,
    ROUNDED: rounded_cores,
    ON_TRIANGLE: core_and_triangle,
    ON_PLANE: core_and_plane,
    CYLINDER_ON_PLANE: cylinder_and_plane,
    ONE_CYLINDER: one_cylinder,
    TWO_CYLINDERS: two_cylinders,
}
