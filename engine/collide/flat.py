"""Manifolds on a flat face: the other core's lowest face (or segment, or point) clipped to the face's outline."""

from __future__ import annotations

import math

from engine.collide.axes import EXTREME, lowest
from engine.collide.clip import INSIDE, clip_to_polygon, outside_polygon
from engine.collide.manifold import CORNER_ON_FACE, EDGE_OVER_SIDE, FACE_OVER_CORNER, MERGE, emit_point_face
from engine.jit import inline, kernel, standalone
from engine.vec import axpy, dot, norm, row, sub

STEEP = 1e-3  # cosine below which an incident face counts as upright: nothing is projected onto it


@kernel
def facing_face(core, n):
    """Of the faces at the core's lowest corner along n, the one most opposed to n (-1 without faces)."""
    low = lowest(core.verts, n) + EXTREME
    best, face = math.inf, -1
    for f in range(core.normals.shape[0]):
        c = dot(row(core.normals, f), n)
        if c >= best - 1e-12:
            continue
        for k in range(core.loop_start[f], core.loop_start[f + 1]):
            if dot(n, row(core.verts, core.loop[k])) <= low:
                best, face = c, f
                break
    return face


@standalone
def face_manifold(found, owner, reference, f, incident, radius):
    """Contacts of a core, rounded by `radius`, on face f of the reference core.

    Corners of the clipped incident polygon are POINTs of the incident body over the FACE: its own corners inside
    the outline, points under the outline's corners, and crossings of its edges with the outline.
    """
    n = row(reference.normals, f)
    first, last = reference.loop_start[f], reference.loop_start[f + 1]
    base = row(reference.verts, reference.loop[first])
    g = facing_face(incident, n)
    if g < 0:
        free_corners(found, owner, reference, f, n, base, incident, radius)
        return
    start, end = incident.loop_start[g], incident.loop_start[g + 1]
    for k in range(start, end):
        v = incident.loop[k]
        p = row(incident.verts, v)
        if outside_polygon(reference.verts, reference.loop, first, last, n, p) <= INSIDE:
            emit_point_face(found, CORNER_ON_FACE | f << 32 | v << 16, owner, p, radius, base, n)
    under_corners(found, owner, reference, f, n, base, incident, g, radius)
    for k in range(start, end):
        following = incident.loop[k + 1] if k + 1 < end else incident.loop[start]
        edge_crossings(found, owner, reference, f, n, base, incident.verts, incident.loop[k], following, radius)


@inline
def free_corners(found, owner, reference, f, n, base, incident, radius):
    """face_manifold for a core without faces, a point or a segment."""
    first, last = reference.loop_start[f], reference.loop_start[f + 1]
    for v in range(incident.verts.shape[0]):
        p = row(incident.verts, v)
        if outside_polygon(reference.verts, reference.loop, first, last, n, p) <= INSIDE:
            emit_point_face(found, CORNER_ON_FACE | f << 32 | v << 16, owner, p, radius, base, n)
    for e in range(incident.edges.shape[0]):
        v, w = incident.edges[e, 0], incident.edges[e, 1]
        edge_crossings(found, owner, reference, f, n, base, incident.verts, v, w, radius)


@inline
def under_corners(found, owner, reference, f, n, base, incident, g, radius):
    """Points of the incident face g straight under (along n) corners of the reference face f."""
    m = row(incident.normals, g)
    lean = dot(m, n)
    if lean > -STEEP:
        return
    start, end = incident.loop_start[g], incident.loop_start[g + 1]
    for k in range(reference.loop_start[f], reference.loop_start[f + 1]):
        v = reference.loop[k]
        corner = row(reference.verts, v)
        p = corner_on(corner, n, m, lean, incident.offsets[g])
        if outside_polygon(incident.verts, incident.loop, start, end, m, p) < -INSIDE:
            emit_point_face(found, FACE_OVER_CORNER | f << 32 | g << 16 | v, owner, p, radius, base, n)


@inline
def corner_on(corner, n, m, lean, offset):
    """The corner moved along n onto the plane m.p = offset; lean = m.n."""
    return axpy((offset - dot(m, corner)) / lean, n, corner)


@kernel
def edge_crossings(found, owner, reference, f, n, base, verts, v, w, radius):
    """Points where the incident edge v-w enters or leaves the outline of face f."""
    first, last = reference.loop_start[f], reference.loop_start[f + 1]
    p = row(verts, v)
    d = sub(row(verts, w), p)
    t0, t1, side0, side1 = clip_to_polygon(reference.verts, reference.loop, first, last, n, p, d)
    margin = MERGE / max(norm(d), MERGE)
    if t0 > t1:
        return
    low, high = min(v, w), max(v, w)
    if side0 >= 0 and t0 > margin and t0 < 1.0 - margin:
        name = EDGE_OVER_SIDE | (f * 256 + side0 % 256) << 32 | low << 16 | high
        emit_point_face(found, name, owner, axpy(t0, d, p), radius, base, n)
    if side1 >= 0 and t1 > margin and t1 < 1.0 - margin:
        name = EDGE_OVER_SIDE | (f * 256 + side1 % 256) << 32 | low << 16 | high
        emit_point_face(found, name, owner, axpy(t1, d, p), radius, base, n)
