"""Contacts of pairs with a ball or a capsule: the nearest features of the cores decide."""

from __future__ import annotations

from engine.collide.axes import EDGE_PAIR, FIRST, NO_AXIS, SECOND
from engine.collide.flat import face_manifold
from engine.collide.manifold import CORNERS, EDGE_ENDS, EDGES, LINE_POINT, POINT_LINE, ZERO, emit, keep_touching
from engine.collide.nearest import CORNER, EDGE, FACET, direction_between, nearest_features
from engine.collide.solids import FACE_FIRST, axis_contacts, best_axis, edge_line
from engine.jit import inline, kernel, standalone
from engine.model.arrays import LINE, POINT
from engine.vec import cross, dot, norm, row, sub

NO_DIRECTION = 1e-9  # m: cores nearer than this have no direction between them
ALONGSIDE = 1e-5  # sine of the angle below which a capsule lies along an edge


@standalone
def rounded_contacts(found, first, second, past_first, past_second, ra, rb, slop):
    """Contacts of two cores rounded by ra and rb, at least one of them a point or a segment."""
    axis, other, apart = best_axis(first, second, FIRST, 0.0)
    if apart > ra + rb + slop:
        return
    flat = first.normals.shape[0] + second.normals.shape[0] > 0
    if not flat or apart > NO_DIRECTION:
        nearest_contacts(found, first, second, ra, rb, axis[4], other if axis[1] == EDGE_PAIR else axis, slop)
        return
    past, _, _ = best_axis(past_first, past_second, FIRST, 0.0)
    if past[0] > 0.0:
        axis_contacts(found, first, second, ra, rb, past)
    if keep_touching(found, slop) == 0:
        axis_contacts(found, first, second, ra, rb, axis)
    if keep_touching(found, slop) == 0:
        axis_contacts(found, first, second, ra, rb, other)


@inline
def nearest_contacts(found, first, second, ra, rb, n, face, slop):
    """Contacts of two separated cores. n: a direction that separates them; face: their best face axis."""
    distance, kind_a, i, kind_b, j, pa, pb = nearest_features(first, second, n)
    if distance > ra + rb + slop:
        return
    if face[1] != NO_AXIS and face[0] > distance - FACE_FIRST:
        axis_contacts(found, first, second, ra, rb, face)
        if keep_touching(found, slop) > 0:
            return
    n = direction_between(first, second, pa, pb, n)
    a_edge = i if kind_a == EDGE else first.edges.shape[0] - 1 if first.edges.shape[0] == 1 else -1
    b_edge = j if kind_b == EDGE else second.edges.shape[0] - 1 if second.edges.shape[0] == 1 else -1
    if a_edge >= 0 and b_edge >= 0:
        edges_alongside(found, first, second, ra, rb, a_edge, b_edge, n)
        if keep_touching(found, slop) > 0:
            return
    if kind_a == FACET:
        face_manifold(found, FIRST, first, i, second, rb)
    elif kind_b == FACET:
        face_manifold(found, SECOND, second, j, first, ra)
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
    name = (EDGES if kind_a == EDGE and kind_b == EDGE else CORNERS) | i << 32 | j << 16 | (2 * kind_a + kind_b)
    kinds = 4 * (LINE if kind_a == EDGE else POINT) + (LINE if kind_b == EDGE else POINT)
    emit(found, name, kinds, pa, da, ra, pb, db, rb, n)


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
            emit(found, EDGE_ENDS | i << 32 | j << 16 | end, POINT_LINE, v, ZERO, ra, pb, db, rb, n)
    for end in range(2):
        v = row(second.verts, second.edges[j, end])
        t = dot(da, sub(v, pa))
        if t >= 0.0 and t <= la:
            emit(found, EDGE_ENDS | i << 32 | j << 16 | (2 + end), LINE_POINT, pa, da, ra, v, ZERO, rb, n)
