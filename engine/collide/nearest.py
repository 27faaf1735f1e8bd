"""Nearest features of two separated cores."""

from __future__ import annotations

import math

from engine.collide.axes import lowest, support
from engine.collide.clip import outside_polygon
from engine.jit import inline, kernel
from engine.vec import any_perpendicular, axpy, dot, norm, row, sub, unit

CORNER, EDGE, FACET = range(3)
MEETING = 1e-12  # m: nearest points this close have no direction between them
PREFER = 1e-12  # m: a later pair of features must be nearer by more than this


@inline
def segment_feet(p, d, q, e):
    """Parameters in 0..1 of the nearest points of the segments p + s d and q + t e (either may be a point)."""
    r = sub(p, q)
    a, b, c = dot(d, d), dot(d, e), dot(e, e)
    f, g = dot(d, r), dot(e, r)
    s, t = 0.0, 0.0
    if a <= 0.0 and c <= 0.0:
        return s, t
    if a <= 0.0:
        return 0.0, min(max(g / c, 0.0), 1.0)
    if c <= 0.0:
        return min(max(-f / a, 0.0), 1.0), 0.0
    det = a * c - b * b
    if det > 1e-14 * a * c:
        s = min(max((b * g - c * f) / det, 0.0), 1.0)
    t = (b * s + g) / c
    if t < 0.0:
        t, s = 0.0, min(max(-f / a, 0.0), 1.0)
    elif t > 1.0:
        t, s = 1.0, min(max((b - f) / a, 0.0), 1.0)
    return s, t


@kernel
def corner_over_face(corners, base, best):
    """Nearest (corner, face) with the corner's foot inside the face: distance, corner, face (-1: none below best)."""
    bv, bf = -1, -1
    for f in range(base.normals.shape[0]):
        n = row(base.normals, f)
        for v in range(corners.shape[0]):
            p = row(corners, v)
            height = dot(n, p) - base.offsets[f]
            if height < 0.0 or height >= best - PREFER:
                continue
            if outside_polygon(base.verts, base.loop, base.loop_start[f], base.loop_start[f + 1], n, p) <= 0.0:
                best, bv, bf = height, v, f
    return best, bv, bf


@kernel
def edge_or_corner(core, e):
    """Ends of edge e; of a core without edges, its corner twice."""
    if core.edges.shape[0] == 0:
        return 0, 0
    return core.edges[e, 0], core.edges[e, 1]


@kernel
def at_corner(v, w, e, s):
    """The feature at parameter s of edge e = v-w: (kind, number)."""
    if v == w or s <= 0.0:
        return CORNER, v
    if s >= 1.0:
        return CORNER, w
    return EDGE, e


@kernel
def nearest_features(first, second, n):
    """Distance of two separated cores, kind and number of the nearest feature of each, and the nearest points.

    n is any direction (second to first) along which they are well separated; it only saves work.
    """
    best, v, f = corner_over_face(first.verts, second, math.inf)
    kind_a, i, kind_b, j = CORNER, v, FACET, f
    pa, pb = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if f >= 0:
        pa = row(first.verts, v)
        pb = axpy(-best, row(second.normals, f), pa)
    height, v, f = corner_over_face(second.verts, first, best)
    if f >= 0:
        best, kind_a, i, kind_b, j = height, FACET, f, CORNER, v
        pb = row(second.verts, v)
        pa = axpy(-best, row(first.normals, f), pb)
    top = support(second.verts, n)
    bottom = lowest(first.verts, n)
    for e in range(max(first.edges.shape[0], 1)):
        v0, v1 = edge_or_corner(first, e)
        p = row(first.verts, v0)
        d = sub(row(first.verts, v1), p)
        above = dot(n, p) + min(0.0, dot(n, d)) - top
        if above >= best:
            continue
        for g in range(max(second.edges.shape[0], 1)):
            w0, w1 = edge_or_corner(second, g)
            q = row(second.verts, w0)
            c = sub(row(second.verts, w1), q)
            if bottom - dot(n, q) - max(0.0, dot(n, c)) >= best:
                continue
            s, t = segment_feet(p, d, q, c)
            wa, wb = axpy(s, d, p), axpy(t, c, q)
            distance = norm(sub(wa, wb))
            if distance < best - PREFER:
                best, pa, pb = distance, wa, wb
                kind_a, i = at_corner(v0, v1, e, s)
                kind_b, j = at_corner(w0, w1, g, t)
    return best, kind_a, i, kind_b, j, pa, pb


@kernel
def direction_between(first, second, pa, pb, n):
    """Unit normal of the nearest points pa, pb; where points or segments meet, one across both of them.

    n: their common perpendicular if there is one, else zero.
    """
    apart = sub(pa, pb)
    if norm(apart) > MEETING:
        return unit(apart)
    if norm(n) > 0.5:
        return n
    along = (1.0, 0.0, 0.0)
    for core in (first, second):
        if core.edges.shape[0] > 0:
            along = unit(sub(row(core.verts, core.edges[0, 1]), row(core.verts, core.edges[0, 0])))
    return any_perpendicular(along)
