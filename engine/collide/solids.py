"""Contacts of two polytopes: a face manifold or a pair of crossing edges, along the axis by which they met."""

from __future__ import annotations

from engine.collide.axes import EDGE_PAIR, FIRST_FACE, NEAR_TIE, NO_AXIS, SECOND_FACE, edge_axis, face_axis
from engine.collide.features import line_feet
from engine.collide.flat import face_manifold
from engine.collide.manifold import EDGES, MERGE, emit, number, settle
from engine.jit import kernel
from engine.model.arrays import LINE
from engine.vec import dot, norm, row, scale, sub

FACE_FIRST = 1e-6  # m: an edge axis must separate by this much more than the best face to be taken


@kernel
def best_axis(first, second, second_leads, size):
    """Axis of largest separation: (separation, kind, i, j, normal), faces preferred; and the best face alone."""
    tie = NEAR_TIE * size
    s, kind, f = face_axis(first, second, second_leads, tie)
    i, j, n = f, f, (0.0, 0.0, 0.0)
    face = (s, kind, f)
    se, ei, ej, en = edge_axis(first, second, tie)
    if ei >= 0 and se > s + FACE_FIRST:
        s, kind, i, j, n = se, EDGE_PAIR, ei, ej, en
    return s, kind, i, j, n, face, max(se, face[0])


@kernel
def axis_contacts(found, first, second, ra, rb, kind, i, j, n):
    """Contacts along a chosen axis; may find none when the features do not meet. ra, rb: rounding radii."""
    if kind == FIRST_FACE:
        face_manifold(found, True, first, i, second, rb)
    elif kind == SECOND_FACE:
        face_manifold(found, False, second, j, first, ra)
    elif kind == EDGE_PAIR:
        crossing_edges(found, first, second, ra, rb, i, j, n)


@kernel
def edge_line(core, e):
    """Start, unit direction and length of an edge."""
    p = row(core.verts, core.edges[e, 0])
    d = sub(row(core.verts, core.edges[e, 1]), p)
    length = norm(d)
    return p, scale(1.0 / length, d), length


@kernel
def crossing_edges(found, first, second, ra, rb, i, j, n):
    """LINE-LINE contact of two edges if their nearest points lie on both."""
    pa, da, la = edge_line(first, i)
    pb, db, lb = edge_line(second, j)
    wa, wb = line_feet(pa, da, pb, db)
    ta, tb = dot(da, sub(wa, pa)), dot(db, sub(wb, pb))
    if ta > -MERGE and ta < la + MERGE and tb > -MERGE and tb < lb + MERGE:
        emit(found, number(EDGES, i, j, 0), LINE, pa, da, ra, LINE, pb, db, rb, n)


@kernel
def solid_contacts(found, first, second, past_first, past_second, second_leads, size, slop):
    """Contacts of two polytopes now; past_*: the same two one step away, on the side they come from."""
    s, kind, i, j, n, face, apart = best_axis(first, second, second_leads, size)
    if apart > slop:
        return
    if s < -slop:
        past = best_axis(past_first, past_second, second_leads, size)
        if past[0] > -slop:
            axis_contacts(found, first, second, 0.0, 0.0, past[1], past[2], past[3], past[4])
    if settle(found, slop) == 0:
        axis_contacts(found, first, second, 0.0, 0.0, kind, i, j, n)
    if settle(found, slop) == 0 and kind == EDGE_PAIR and face[1] != NO_AXIS:
        axis_contacts(found, first, second, 0.0, 0.0, face[1], face[2], face[2], n)
