"""Clipping against the region above a face: the prism over a polygon, or the cylinder over a disc."""

from __future__ import annotations

import math

from engine.jit import kernel
from engine.vec import axpy, cross, dot, norm, row, sub

INSIDE = 1e-7  # m: a corner this far outside still counts as inside, so that flush corners stay corners


@kernel
def side_plane(verts, loop, first, last, i, n):
    """Outward unit normal and a point of side i of the prism over a polygon with normal n."""
    p = row(verts, loop[first + i])
    following = first + i + 1
    if following == last:
        following = first
    m = cross(sub(row(verts, loop[following]), p), n)
    length = norm(m)
    return (m[0] / length, m[1] / length, m[2] / length), p


@kernel
def outside_polygon(verts, loop, first, last, n, p):
    """How far p is outside the prism over a polygon: largest distance over a side plane, negative inside."""
    worst = -math.inf
    for i in range(last - first):
        m, corner = side_plane(verts, loop, first, last, i, n)
        worst = max(worst, dot(m, sub(p, corner)))
    return worst


@kernel
def clip_to_polygon(verts, loop, first, last, n, p, d):
    """Part t0..t1 of the segment p + t d, t in 0..1, inside the prism, and the sides that cut it (-1: none)."""
    t0, t1, side0, side1 = 0.0, 1.0, -1, -1
    for i in range(last - first):
        m, corner = side_plane(verts, loop, first, last, i, n)
        height, slope = dot(m, sub(p, corner)), dot(m, d)
        if abs(slope) <= 1e-14:
            if height > INSIDE:
                return 1.0, 0.0, -1, -1
            continue
        t = -height / slope
        if slope < 0.0 and t > t0:
            t0, side0 = t, i
        elif slope > 0.0 and t < t1:
            t1, side1 = t, i
    return t0, t1, side0, side1


@kernel
def clip_to_disc(centre, k, r, p, d):
    """Part t0..t1 of the segment p + t d, t in 0..1, inside the cylinder about (centre, k); t0 > t1 when none."""
    o = sub(p, centre)
    o = axpy(-dot(o, k), k, o)
    e = axpy(-dot(d, k), k, d)
    a, b, c = dot(e, e), dot(e, o), dot(o, o) - r * r
    if a <= 1e-28:
        if c <= 0.0:
            return 0.0, 1.0
        return 1.0, 0.0
    root = b * b - a * c
    if root < 0.0:
        return 1.0, 0.0
    root = math.sqrt(root)
    return max(0.0, (-b - root) / a), min(1.0, (-b + root) / a)
