"""Contacts with one triangle of a static mesh: one-sided, and deaf to edges where the surface does not bend outward.

A normal is allowed when it lies between the triangle's own and that of its neighbours (the normal cone of the
surface there), so that what slides over a tiled floor is never caught by an inner edge.
"""

from __future__ import annotations

import numpy as np

from engine.collide.axes import EDGE_PAIR, EXTREME, FIRST_FACE, PARALLEL, SECOND, SECOND_FACE, lowest, support
from engine.collide.cores import CONVEX, INNER
from engine.collide.flat import face_manifold
from engine.collide.manifold import keep_touching
from engine.collide.nearest import EDGE, nearest_features
from engine.collide.rounded import corner_or_edge, edges_alongside
from engine.collide.solids import FACE_FIRST, axis_contacts
from engine.jit import kernel, standalone
from engine.vec import arc_tangent, cross, dot, norm, rotate, row, scale, sub, unit

ONLY = np.int64(0)  # number of a triangle's face, of a capsule's edge
LEAN = 1e-6  # radians a normal may lean out of the normal cone


@kernel
def allows(triangle, bend, beyond, turn, n):
    """May the surface push along n? bend, beyond: Cores' columns of its three edges, turn: its body's orientation."""
    t = row(triangle.normals, 0)
    up = dot(n, t)
    if up < -LEAN:
        return False
    for k in range(3):
        d = sub(row(triangle.verts, triangle.edges[k, 1]), row(triangle.verts, triangle.edges[k, 0]))
        outward = unit(cross(d, t))
        lean = dot(n, outward)
        if lean <= LEAN:
            continue
        if bend[k] == INNER:
            return False
        if bend[k] == CONVEX:
            m = rotate(turn, row(beyond, k))
            if arc_tangent(lean, up) > arc_tangent(dot(m, outward), dot(m, t)) + LEAN:
                return False
    return True


@kernel
def triangle_axis(first, triangle, bend, beyond, turn):
    """Best allowed axis of a solid and a triangle, as axis_contacts wants it; and the largest separation of all."""
    t = row(triangle.normals, 0)
    best, kind, bi, bj, bn = lowest(first.verts, t) - triangle.offsets[0], SECOND_FACE, 0, 0, t
    most = best
    for f in range(first.normals.shape[0]):
        n = scale(-1.0, row(first.normals, f))
        s = -first.offsets[f] - support(triangle.verts, n)
        most = max(most, s)
        if s > best + FACE_FIRST and allows(triangle, bend, beyond, turn, n):
            best, kind, bi, bj, bn = s, FIRST_FACE, f, f, n
    for i in range(first.edges.shape[0]):
        d = sub(row(first.verts, first.edges[i, 1]), row(first.verts, first.edges[i, 0]))
        for j in range(3):
            e = sub(row(triangle.verts, triangle.edges[j, 1]), row(triangle.verts, triangle.edges[j, 0]))
            c = cross(d, e)
            if norm(c) <= PARALLEL * norm(d) * norm(e):
                continue
            for sign in (1.0, -1.0):
                n = scale(sign, unit(c))
                low, top = lowest(first.verts, n), support(triangle.verts, n)
                s = low - top
                most = max(most, s)
                touching = dot(n, row(first.verts, first.edges[i, 0])) <= low + EXTREME
                touching = touching and dot(n, row(triangle.verts, triangle.edges[j, 0])) >= top - EXTREME
                if touching and s > best + FACE_FIRST and allows(triangle, bend, beyond, turn, n):
                    best, kind, bi, bj, bn = s, EDGE_PAIR, i, j, n
    return (best, kind, bi, bj, bn), most


@standalone
def solid_on_triangle(found, first, triangle, past_first, past_triangle, bend, beyond, turn, slop):
    """Contacts of a polytope (first) on a triangle (second)."""
    t = row(triangle.normals, 0)
    was_above = lowest(past_first.verts, row(past_triangle.normals, 0)) - past_triangle.offsets[0] > -slop
    if triangle.offsets[0] - support(first.verts, t) > -slop and not was_above:
        return
    axis, most = triangle_axis(first, triangle, bend, beyond, turn)
    if most > slop:
        return
    if axis[0] < -slop:
        past = triangle_axis(past_first, past_triangle, bend, beyond, turn)
        if past[0][0] > -slop:
            axis_contacts(found, first, triangle, 0.0, 0.0, past[0])
    if keep_touching(found, slop) == 0:
        axis_contacts(found, first, triangle, 0.0, 0.0, axis)
    if keep_touching(found, slop) == 0 and axis[1] != SECOND_FACE:
        face_manifold(found, SECOND, triangle, ONLY, first, 0.0)


@standalone
def rounded_on_triangle(found, first, triangle, past_first, past_triangle, radius, bend, beyond, turn, slop):
    """Contacts of a ball or capsule (first) on a triangle (second)."""
    t = row(triangle.normals, 0)
    above = lowest(first.verts, t) - triangle.offsets[0]
    if above > radius + slop:
        return
    if above <= 0.0:  # the core reaches under the surface: only what came from above is pushed back up
        past = lowest(past_first.verts, row(past_triangle.normals, 0)) - past_triangle.offsets[0]
        if above > -0.5 * radius or past > 0.0:
            face_manifold(found, SECOND, triangle, ONLY, first, radius)
        return
    distance, kind_a, i, kind_b, j, pa, pb = nearest_features(first, triangle, t)
    if distance > radius + slop:
        return
    if above > distance - FACE_FIRST:
        face_manifold(found, SECOND, triangle, ONLY, first, radius)
        if keep_touching(found, slop) > 0:
            return
    n = unit(sub(pa, pb))
    if kind_b > EDGE or not allows(triangle, bend, beyond, turn, n):
        return
    if kind_b == EDGE and first.edges.shape[0] == 1:
        edges_alongside(found, first, triangle, radius, 0.0, ONLY, j, n)
        if keep_touching(found, slop) > 0:
            return
    if kind_a <= EDGE:
        corner_or_edge(found, first, triangle, radius, 0.0, kind_a, i, kind_b, j, n)
