"""Contacts of two polytopes: a face manifold or a pair of crossing edges, along the axis by which they met."""

from __future__ import annotations

from engine.collide.axes import (
    EDGE_PAIR,
    FIRST,
    FIRST_FACE,
    NEAR_TIE,
    NO_AXIS,
    SECOND,
    SECOND_FACE,
    edge_axis,
    face_axis,
)
from engine.collide.features import line_feet
from engine.collide.flat import face_manifold
from engine.collide.manifold import EDGES, LINE_LINE, MERGE, emit, keep_touching
from engine.jit import inline, kernel, standalone
from engine.vec import dot, norm, row, scale, sub

FACE_FIRST = 1e-6  # m: an edge axis must separate by this much more than the best face to be taken


@standalone
def best_axis(first, second, leader, size):
    """Axes of largest separation: (separation, kind, i, j, normal) of the one to take and of the other kind.

    A face goes first unless an edge pair separates by FACE_FIRST more; third, the largest separation of all.
    """
    tie = NEAR_TIE * size
    s, kind, f = face_axis(first, second, leader, tie)
    n = (0.0, 0.0, 0.0)
    if kind == FIRST_FACE:
        n = scale(-1.0, row(first.normals, f))
    elif kind == SECOND_FACE:
        n = row(second.normals, f)
    face = (s, kind, f, f, n)
    se, i, j, n = edge_axis(first, second, tie)
    edges = (se, EDGE_PAIR if i >= 0 else NO_AXIS, i, j, n)
    if se > s + FACE_FIRST:
        return edges, face, max(s, se)
    return face, edges, max(s, se)


@kernel
def axis_contacts(found, first, second, ra, rb, axis):
    """Contacts along a chosen axis; may find none when the features do not meet. ra, rb: rounding radii."""
    _, kind, i, j, n = axis
    if kind == FIRST_FACE:
        face_manifold(found, FIRST, first, i, second, rb)
    elif kind == SECOND_FACE:
        face_manifold(found, SECOND, second, j, first, ra)
    elif kind == EDGE_PAIR:
        crossing_edges(found, first, second, ra, rb, i, j, n)


@kernel
def edge_line(core, e):
    """Start, unit direction and length of an edge."""
    p = row(core.verts, core.edges[e, 0])
    d = sub(row(core.verts, core.edges[e, 1]), p)
    length = norm(d)
    return p, scale(1.0 / length, d), length


@inline
def crossing_edges(found, first, second, ra, rb, i, j, n):
    """LINE-LINE contact of two edges if their nearest points lie on both."""
    pa, da, la = edge_line(first, i)
    pb, db, lb = edge_line(second, j)
    wa, wb = line_feet(pa, da, pb, db)
    ta, tb = dot(da, sub(wa, pa)), dot(db, sub(wb, pb))
    if ta > -MERGE and ta < la + MERGE and tb > -MERGE and tb < lb + MERGE:
        emit(found, EDGES | i << 32 | j << 16, LINE_LINE, pa, da, ra, pb, db, rb, n)


@standalone
def solid_contacts(found, first, second, axis, other, slop):
    """Contacts of two polytopes along the axis of largest separation; along the other kind's if that one finds none."""
    axis_contacts(found, first, second, 0.0, 0.0, axis)
    if keep_touching(found, slop) == 0:
        axis_contacts(found, first, second, 0.0, 0.0, other)
