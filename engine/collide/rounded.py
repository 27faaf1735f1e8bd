"""Contacts of pairs with a ball or a capsule: the nearest features of the cores decide."""

from __future__ import annotations

from engine.collide.axes import EDGE_PAIR, NO_AXIS
from engine.collide.flat import face_manifold
from engine.collide.manifold import CORNERS, EDGE_ENDS, EDGES, ZERO, emit, number, settle
from engine.collide.nearest import CORNER, EDGE, FACET, nearest_features
from engine.collide.solids import FACE_FIRST, axis_contacts, best_axis, edge_line
from engine.jit import kernel
from engine.model.arrays import LINE, POINT
from engine.vec import cross, dot, norm, row, sub, unit

TOUCHING = 1e-9  # m: cores nearer than this have no direction between them
ALONGSIDE = 1e-5  # sine of the angle below which a capsule lies along an edge


@kernel
def rounded_contacts(found, first, second, past_first, past_second, ra, rb, slop):
    """Contacts of two cores rounded by ra and rb, at least one of them a point or a segment."""
    s, kind, i, j, n, face, _ = best_axis(first, second, False, 0.0)
    reach = ra + rb + slop
    if s > reach:
        return
    if kind == NO_AXIS or s > TOUCHING:
        nearest_contacts(found, first, second, ra, rb, n, face, slop)
        return
    past = best_axis(past_first, past_second, False, 0.0)
    if past[0] > 0.0:
        axis_contacts(found, first, second, ra, rb, past[1], past[2], past[3], past[4])
    if settle(found, slop) == 0:
        axis_contacts(found, first, second, ra, rb, kind, i, j, n)
    if settle(found, slop) == 0 and kind == EDGE_PAIR:
        axis_contacts(found, first, second, ra, rb, face[1], face[2], face[2], n)


@kernel
def nearest_contacts(found, first, second, ra, rb, n, face, slop):
    """Contacts of two separated cores. face: best face axis (separation, kind, number)."""
    distance, kind_a, i, kind_b, j, pa, pb = nearest_features(first, second, n)
    if distance > ra + rb + slop:
        return
    if face[1] != NO_AXIS and face[0] > distance - FACE_FIRST:
        axis_contacts(found, first, second, ra, rb, face[1], face[2], face[2], n)
        if settle(found, slop) > 0:
            return
    n = unit(sub(pa, pb))
    a_edge = i if kind_a == EDGE else 0 if first.edges.shape[0] == 1 else -1
    b_edge = j if kind_b == EDGE else 0 if second.edges.shape[0] == 1 else -1
    if a_edge >= 0 and b_edge >= 0:
        edges_alongside(found, first, second, ra, rb, a_edge, b_edge, n)
        if settle(found, slop) > 0:
            return
    if kind_a == FACET:
        face_manifold(found, True, first, i, second, rb)
    elif kind_b == FACET:
        face_manifold(found, False, second, j, first, ra)
    else:
        corner_or_edge(found, first, second, ra, rb, kind_a, i, kind_b, j, n)


@kernel
def corner_or_edge(found, first, second, ra, rb, kind_a, i, kind_b, j, n):
    """The contact of a corner or an edge of each core."""
    pa, da, pb, db = ZERO, ZERO, ZERO, ZERO
    if kind_a == CORNER:
        pa = row(first.verts, i)
    else:
        pa, da, _ = edge_line(first, i)
    if kind_b == CORNER:
        pb = row(second.verts, j)
    else:
        pb, db, _ = edge_line(second, j)
    name = number(EDGES if kind_a == EDGE and kind_b == EDGE else CORNERS, i, j, 2 * kind_a + kind_b)
    emit(found, name, LINE if kind_a == EDGE else POINT, pa, da, ra, LINE if kind_b == EDGE else POINT, pb, db, rb, n)


@kernel
def edges_alongside(found, first, second, ra, rb, i, j, n):
    """Two parallel edges: a contact at each end of their overlap, the ending edge's corner on the other's line."""
    pa, da, la = edge_line(first, i)
    pb, db, lb = edge_line(second, j)
    if norm(cross(da, db)) > ALONGSIDE:
        return
    for end in range(2):
        v = row(first.verts, first.edges[i, end])
        t = dot(db, sub(v, pb))
        if t >= 0.0 and t <= lb:
            emit(found, number(EDGE_ENDS, i, j, end), POINT, v, ZERO, ra, LINE, pb, db, rb, n)
    for end in range(2):
        v = row(second.verts, second.edges[j, end])
        t = dot(da, sub(v, pa))
        if t >= 0.0 and t <= la:
            emit(found, number(EDGE_ENDS, i, j, 2 + end), LINE, pa, da, ra, POINT, v, ZERO, rb, n)
