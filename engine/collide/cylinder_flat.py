"""Cylinders on flat faces: standing, lying and tilted on a polygon, a plane or another cylinder's cap.

Here the flat face belongs to the first part, the cylinder to the second, unless a name says otherwise.
"""

from __future__ import annotations

import math

from engine.collide.axes import FIRST, SECOND
from engine.collide.clip import INSIDE, clip_to_disc, clip_to_polygon, outside_polygon
from engine.collide.cylinder_axes import across, rim_centre
from engine.collide.features import rim_point
from engine.collide.flat import facing_face
from engine.collide.manifold import (
    CIRCLE_FACE,
    CORNER_ON_FACE,
    EDGE_ON_RIM,
    EDGE_ON_SIDE,
    EDGE_OVER_SIDE,
    FACE_CIRCLE,
    LINE_LINE,
    LINE_POINT,
    MERGE,
    POINT_LINE,
    RIM_ON_FACE,
    RIM_POINT,
    ZERO,
    emit,
    emit_point_face,
)
from engine.jit import inline, kernel, standalone
from engine.vec import axpy, cross, dot, norm, row, scale, sine_cosine, sub, unit

STANDING = 1e-6  # radians between axis and face normal below which the rim has no lowest point
UPRIGHT = 0.999  # cosine above which cap and face are compared as two flat faces
BROAD = 0.5  # cosine below which a cylinder rests on its side or a single rim point only
LYING = 0.1  # cosine below which an edge under the side is a contact of its own
RIM_POINTS = 8
APART = 0.8660254037844386  # cosine of the 30 degrees that fixed rim points keep from the lowest point


@kernel
def eighth(cylinder, sign, j):
    """Fixed rim point j of 8 and its direction from the rim's centre."""
    k, e = cylinder[1], cylinder[4]
    f = cross(k, e)
    s, c = sine_cosine(2.0 * math.pi * j / RIM_POINTS)
    out = axpy(c, e, scale(s, f))
    return axpy(cylinder[2], out, rim_centre(cylinder, sign)), out


@kernel
def end_number(sign):
    return 0 if sign > 0.0 else 1


@standalone
def cylinder_on_face(found, verts, loop, first, last, f, n, base, cylinder):
    """Rims, side and fixed rim points of a cylinder over face f, a polygon (no corners: a whole plane)."""
    _, k, r, _, _ = cylinder
    lean = dot(n, k)
    low = -1.0 if lean > 0.0 else 1.0
    down = scale(-1.0, n)
    tilted = norm(cross(n, k)) > STANDING
    if tilted:
        for sign in (low, -low):
            c = rim_centre(cylinder, sign)
            if outside_polygon(verts, loop, first, last, n, rim_point(c, k, r, down)) <= INSIDE:
                emit(found, RIM_ON_FACE | f << 32 | end_number(sign) << 16, FACE_CIRCLE, base, n, 0.0, c, k, r, down)
        if abs(lean) < LYING:
            side_over_edges(found, verts, loop, first, last, f, n, cylinder, low)
    if abs(lean) > BROAD:
        lowest = unit(across(k, down)) if tilted else ZERO
        for j in range(RIM_POINTS):
            p, out = eighth(cylinder, low, j)
            if dot(out, lowest) < APART and outside_polygon(verts, loop, first, last, n, p) <= INSIDE:
                emit_point_face(found, RIM_POINT | f << 32 | end_number(low) << 16 | j, FIRST, p, 0.0, base, n)


@inline
def side_over_edges(found, verts, loop, first, last, f, n, cylinder, low):
    """Where a lying cylinder's lowest line leaves the face: its side on the face's edge, LINE on LINE."""
    c, k, r, _, _ = cylinder
    down = scale(-1.0, n)
    start = rim_point(rim_centre(cylinder, low), k, r, down)
    d = sub(rim_point(rim_centre(cylinder, -low), k, r, down), start)
    t0, t1, side0, side1 = clip_to_polygon(verts, loop, first, last, n, start, d)
    margin = MERGE / max(norm(d), MERGE)
    if t0 > t1:
        return
    for t, side in ((t0, side0), (t1, side1)):
        if side < 0 or t < margin or t > 1.0 - margin:
            continue
        corner = row(verts, loop[first + side])
        following = loop[first + side + 1] if first + side + 1 < last else loop[first]
        e = unit(sub(row(verts, following), corner))
        if norm(cross(e, k)) > LYING:
            emit(found, EDGE_ON_SIDE | f << 32 | side << 16, LINE_LINE, corner, e, 0.0, c, k, r, down)


@kernel
def core_on_cap(found, core, radius, cylinder, sign):
    """The core (first, rounded) on a cylinder's cap (second): corners over the disc and edges across its rim."""
    m = scale(sign, cylinder[1])
    base = rim_centre(cylinder, sign)
    g = facing_face(core, m)
    end = end_number(sign)
    if g < 0:
        for v in range(core.verts.shape[0]):
            corner_on_cap(found, core.verts, v, radius, base, m, cylinder[2], end)
        for e in range(core.edges.shape[0]):
            edge_on_cap(found, core.verts, core.edges[e, 0], core.edges[e, 1], radius, base, m, cylinder[2], end)
        return
    start, stop = core.loop_start[g], core.loop_start[g + 1]
    for i in range(start, stop):
        corner_on_cap(found, core.verts, core.loop[i], radius, base, m, cylinder[2], end)
    for i in range(start, stop):
        following = core.loop[i + 1] if i + 1 < stop else core.loop[start]
        edge_on_cap(found, core.verts, core.loop[i], following, radius, base, m, cylinder[2], end)


@kernel
def corner_on_cap(found, verts, v, radius, base, m, r, end):
    p = row(verts, v)
    if norm(across(m, sub(p, base))) <= r + INSIDE:
        emit_point_face(found, CORNER_ON_FACE | v << 16 | (1 + end), SECOND, p, radius, base, m)


@kernel
def edge_on_cap(found, verts, v, w, radius, base, m, r, end):
    """Points where an edge crosses the rim of a cap."""
    p = row(verts, v)
    d = sub(row(verts, w), p)
    t0, t1 = clip_to_disc(base, m, r, p, d)
    margin = MERGE / max(norm(d), MERGE)
    if t0 > t1:
        return
    low, high = (v, w) if v < w else (w, v)
    for t, out in ((t0, 0), (t1, 1)):
        if t > margin and t < 1.0 - margin:
            name = EDGE_OVER_SIDE | low << 32 | high << 16 | (4 * end + 2 * (1 if v > w else 0) + out)
            emit_point_face(found, name, SECOND, axpy(t, d, p), radius, base, m)


@kernel
def face_and_cap(found, core, f, cylinder, sign):
    """A polytope's face and a cap that are parallel, or nearly so: corners of each over the other, crossings."""
    n = row(core.normals, f)
    first, last = core.loop_start[f], core.loop_start[f + 1]
    base = row(core.verts, core.loop[first])
    cylinder_on_face(found, core.verts, core.loop, first, last, f, n, base, cylinder)
    if abs(dot(n, cylinder[1])) > UPRIGHT:
        core_on_cap(found, core, 0.0, cylinder, sign)


@kernel
def cylinder_on_cap(found, owner, holder, holder_sign, guest):
    """A cylinder (guest) on the cap of another (holder); owner: which part the holder is."""
    m = scale(holder_sign, holder[1])
    base = rim_centre(holder, holder_sign)
    k, r = guest[1], guest[2]
    lean = dot(m, k)
    low = -1.0 if lean > 0.0 else 1.0
    down = scale(-1.0, m)
    tilted = norm(cross(m, k)) > STANDING
    whose = (1 if owner == FIRST else 0) * 4 + 2 * end_number(holder_sign)
    if tilted:
        for sign in (low, -low):
            c = rim_centre(guest, sign)
            if norm(across(m, sub(rim_point(c, k, r, down), base))) > holder[2] + INSIDE:
                continue
            name = RIM_ON_FACE | whose << 32 | end_number(sign) << 16
            if owner == FIRST:
                emit(found, name, FACE_CIRCLE, base, m, 0.0, c, k, r, down)
            else:
                emit(found, name, CIRCLE_FACE, c, k, r, base, m, 0.0, m)
        if abs(lean) < LYING:
            side_over_rim(found, owner, holder, base, m, guest, low, whose)
    if abs(lean) > BROAD:
        lowest = unit(across(k, down)) if tilted else ZERO
        for j in range(RIM_POINTS):
            p, out = eighth(guest, low, j)
            if dot(out, lowest) < APART and norm(across(m, sub(p, base))) <= holder[2] + INSIDE:
                emit_point_face(found, RIM_POINT | whose << 32 | end_number(low) << 16 | j, owner, p, 0.0, base, m)


@inline
def side_over_rim(found, owner, holder, base, m, guest, low, whose):
    """Where a lying cylinder's lowest line leaves a cap: a point of the rim there under the cylinder's side.

    (Rim and line lie in one plane: as CIRCLE and LINE they would have no smooth gap.)
    """
    c, k, r, _, _ = guest
    down = scale(-1.0, m)
    start = rim_point(rim_centre(guest, low), k, r, down)
    d = sub(rim_point(rim_centre(guest, -low), k, r, down), start)
    t0, t1 = clip_to_disc(base, m, holder[2], start, d)
    margin = MERGE / max(norm(d), MERGE)
    if t0 > t1:
        return
    for t, out in ((t0, 0), (t1, 1)):
        if t < margin or t > 1.0 - margin:
            continue
        p = axpy(t, d, start)
        p = axpy(-dot(m, sub(p, base)), m, p)
        name = EDGE_ON_RIM | whose << 32 | end_number(low) << 16 | out
        if owner == FIRST:
            emit(found, name, POINT_LINE, p, ZERO, 0.0, c, k, r, down)
        else:
            emit(found, name, LINE_POINT, c, k, r, p, ZERO, 0.0, m)


@kernel
def cap_on_cap(found, first, first_sign, second, second_sign):
    """Two caps face to face: fixed rim points of each over the other, and the crossings of the rims.

    When one disc lies inside the other its own eight points hold it.
    """
    ca, cb = rim_centre(first, first_sign), rim_centre(second, second_sign)
    ma, mb = scale(first_sign, first[1]), scale(second_sign, second[1])
    ra, rb = first[2], second[2]
    between = across(mb, sub(ca, cb))
    apart = norm(between)
    if apart >= ra + rb:
        return
    if apart + ra <= rb + INSIDE:
        cylinder_on_cap(found, SECOND, second, second_sign, first)
        return
    if apart + rb <= ra + INSIDE:
        cylinder_on_cap(found, FIRST, first, first_sign, second)
        return
    cylinder_on_cap(found, SECOND, second, second_sign, first)
    cylinder_on_cap(found, FIRST, first, first_sign, second)
    along = (apart * apart + rb * rb - ra * ra) / (2.0 * apart)
    high = math.sqrt(max(0.0, rb * rb - along * along))
    u = scale(1.0 / apart, between)
    for side, sign in ((0, 1.0), (1, -1.0)):
        p = axpy(along, u, axpy(sign * high, cross(mb, u), cb))
        p = axpy(-dot(ma, sub(p, ca)) / dot(ma, mb), mb, p)  # onto the first cap, whose point it is
        name = EDGE_OVER_SIDE | 8 << 32 | end_number(first_sign) << 16 | (2 * end_number(second_sign) + side)
        emit_point_face(found, name, SECOND, p, 0.0, cb, mb)
