"""That recorded contacts are contacts: their features belong to the parts they name, and these touch there.

Features are fixed in the bodies (collide/features.py), so whether a corner, an edge, a face or a rim is one of a part
is asked without any motion. Convex parts that touch do so along those normals n only along which they are not apart,

    s(n) = min over a of n.a - max over b of n.b = 0                                                     (1)

and where they touch both have a point. In a step bodies are found a little past that, by no more than they move in it.
"""

from __future__ import annotations

import math

from engine.jit import inline, kernel, standalone
from engine.model.arrays import (
    CAPSULE,
    CIRCLE,
    CYLINDER,
    FACE,
    LINE,
    PLANE,
    POINT,
    POLYTOPE,
    SPHERE,
    TRIANGLE,
)
from engine.vec import axpy, cross, dot, norm, quat_row, rotate, rotate_back, row, sub

WHOLE = 1.0  # m; by how much, at least, a feature is wrong that no part of the kind has


@kernel
def _off_segment(geometry, part, p):
    """Distance (m) of a point from the core of a ball or capsule, in the body frame."""
    away = sub(p, row(geometry.part_center, part))
    if geometry.part_kind[part] == SPHERE:
        return norm(away)
    k, half = row(geometry.part_axis, part), geometry.part_half[part]
    along = min(max(dot(k, away), -half), half)
    return norm(axpy(-along, k, away))


@kernel
def _off_cylinder(geometry, part, p):
    """How far a point is outside a cylinder along its axis or across it, in the body frame."""
    away, k = sub(p, row(geometry.part_center, part)), row(geometry.part_axis, part)
    along = dot(k, away)
    return max(abs(along) - geometry.part_half[part], norm(axpy(-along, k, away)) - geometry.part_radius[part])


@kernel
def _off_triangle(cores, part, p):
    """How far a point is from a triangle, above it or beyond its edges, in the body frame."""
    first, f = cores.vert_start[part], cores.face_start[part]
    n = row(cores.normals, f)
    off = abs(dot(n, p) - cores.offsets[f])
    for e in range(cores.edge_start[part], cores.edge_start[part + 1]):
        start, end = row(cores.verts, first + cores.edges[e, 0]), row(cores.verts, first + cores.edges[e, 1])
        outward = cross(sub(end, start), n)
        inner = row(cores.verts, first)
        for v in range(first, cores.vert_start[part + 1]):
            if dot(outward, sub(row(cores.verts, v), start)) < dot(outward, sub(inner, start)):
                inner = row(cores.verts, v)
        side = 1.0 if dot(outward, sub(inner, start)) <= 0.0 else -1.0
        off = max(off, side * dot(outward, sub(p, start)) / norm(outward))
    return off


@kernel
def outside(geometry, cores, part, p):
    """How far (m) a point is outside a part, at most; below zero inside. Body frame."""
    kind = geometry.part_kind[part]
    if kind == SPHERE or kind == CAPSULE:
        return _off_segment(geometry, part, p) - geometry.part_radius[part]
    if kind == CYLINDER:
        return _off_cylinder(geometry, part, p)
    if kind == PLANE:
        return dot(row(geometry.part_axis, part), sub(p, row(geometry.part_center, part)))
    if kind == TRIANGLE:
        return _off_triangle(cores, part, p)
    off = -math.inf
    for f in range(cores.face_start[part], cores.face_start[part + 1]):
        off = max(off, dot(row(cores.normals, f), p) - cores.offsets[f])
    return off


@inline
def _stray_point(geometry, cores, part, p, r):
    kind = geometry.part_kind[part]
    if kind == SPHERE or kind == CAPSULE:
        return _off_segment(geometry, part, p) + abs(r - geometry.part_radius[part])
    if kind == PLANE:
        return WHOLE
    return max(outside(geometry, cores, part, p), 0.0) + abs(r)


@inline
def _stray_line(geometry, cores, part, p, d, r):
    """The line must be an edge, or the axis of something round."""
    kind, centre = geometry.part_kind[part], row(geometry.part_center, part)
    off = WHOLE
    if kind == CYLINDER or kind == CAPSULE:
        away = cross(sub(p, centre), d)
        turned = norm(cross(d, row(geometry.part_axis, part))) * geometry.part_bound[part]
        off = norm(away) + turned + abs(r - geometry.part_radius[part])
    else:
        first = cores.vert_start[part]
        for e in range(cores.edge_start[part], cores.edge_start[part + 1]):
            start, end = row(cores.verts, first + cores.edges[e, 0]), row(cores.verts, first + cores.edges[e, 1])
            off = min(off, norm(cross(sub(start, p), d)) + norm(cross(sub(end, p), d)) + abs(r))
    return off + abs(norm(d) - 1.0)


@inline
def _stray_face(geometry, cores, part, p, d):
    kind, centre = geometry.part_kind[part], row(geometry.part_center, part)
    off = WHOLE
    if kind == PLANE:
        k = row(geometry.part_axis, part)
        off = norm(sub(d, k)) + abs(dot(k, sub(p, centre)))
    elif kind == CYLINDER:
        k = row(geometry.part_axis, part)
        up = 1.0 if dot(k, d) > 0.0 else -1.0
        high = up * dot(k, sub(p, centre)) - geometry.part_half[part]
        off = norm(axpy(-up, k, d)) * geometry.part_bound[part] + abs(high)
    elif kind == POLYTOPE or kind == TRIANGLE:
        for f in range(cores.face_start[part], cores.face_start[part + 1]):
            n = row(cores.normals, f)
            off = min(off, norm(sub(d, n)) * geometry.part_bound[part] + abs(dot(n, p) - cores.offsets[f]))
    return off


@inline
def _stray_circle(geometry, part, p, d, r):
    if geometry.part_kind[part] != CYLINDER:
        return WHOLE
    k, away = row(geometry.part_axis, part), sub(p, row(geometry.part_center, part))
    along = dot(k, away)
    off = norm(axpy(-along, k, away)) + abs(abs(along) - geometry.part_half[part])
    return off + abs(r - geometry.part_radius[part]) + norm(cross(d, k)) * geometry.part_bound[part]


@standalone
def stray(geometry, cores, part, kind, p, d, r):
    """By how much (m) a feature is none of this part; infinite when anything is not a number. Body frame."""
    off = math.inf
    if kind == POINT:
        off = _stray_point(geometry, cores, part, p, r)
    elif kind == LINE:
        off = _stray_line(geometry, cores, part, p, d, r)
    elif kind == FACE:
        off = _stray_face(geometry, cores, part, p, d)
    elif kind == CIRCLE:
        off = _stray_circle(geometry, part, p, d, r)
    return off if off == off else math.inf


@standalone
def beside(geometry, cores, part, x, q, point):
    """How far (m) a point of the world is outside a part, at most."""
    body = geometry.part_body[part]
    return outside(geometry, cores, part, rotate_back(quat_row(q, body), sub(point, row(x, body))))


@kernel
def _top(geometry, cores, part, x, q, n):
    """Largest n.p over a part; no number of a plane that n does not stand on."""
    body, kind = geometry.part_body[part], geometry.part_kind[part]
    turn, place = quat_row(q, body), row(x, body)
    own = rotate_back(turn, n)
    if kind == PLANE or kind == CYLINDER:
        k = row(geometry.part_axis, part)
        middle = dot(n, place) + dot(own, row(geometry.part_center, part))
        if kind == PLANE:
            return middle
        return middle + geometry.part_half[part] * abs(dot(own, k)) + geometry.part_radius[part] * norm(cross(own, k))
    top = -math.inf
    for v in range(cores.vert_start[part], cores.vert_start[part + 1]):
        top = max(top, dot(own, row(cores.verts, v)))
    return dot(n, place) + top + geometry.part_radius[part]


@standalone
def apart_along(geometry, cores, part_a, part_b, x, q, n):
    """(1), m: how far two parts are apart along n, which points from b to a. Along a plane's own normal only."""
    if geometry.part_kind[part_b] == PLANE:
        turn = quat_row(q, geometry.part_body[part_b])
        if norm(sub(rotate(turn, row(geometry.part_axis, part_b)), n)) > 1e-6:
            return -math.inf
    down = (-n[0], -n[1], -n[2])
    return -_top(geometry, cores, part_a, x, q, down) - _top(geometry, cores, part_b, x, q, n)
