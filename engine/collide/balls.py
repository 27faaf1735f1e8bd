"""Contacts of a ball with a plane, a ball or the face of a polytope, straight from the formulas.

These are most contacts of scenes with thousands of bodies, and need neither a placed core nor a manifold. Where the
nearest feature is an edge or a corner, or the centre is inside, the general code decides. Features carry the names that
code gives them.
"""

from __future__ import annotations

import math

from engine.collide.clip import INSIDE
from engine.collide.manifold import CORNER_ON_FACE, CORNERS, ZERO
from engine.collide.nearest import MEETING
from engine.jit import inline
from engine.model.arrays import FACE, PLANE, POINT, SPHERE
from engine.vec import add, axpy, dot, put, quat_row, rotate, rotate_back, row, scale, sub

APART, TOUCHING, UNDECIDED = range(3)


@inline
def nearest_face(c, face_start, normals, offsets, p):
    """(height, face) of the face of polytope p under c (body frame); face -1 when the foot is beside every face."""
    best, face = -math.inf, -1
    for f in range(face_start[p], face_start[p + 1]):
        height = dot(row(normals, f), c) - offsets[f]
        if height > best:
            best, face = height, f
    if face < 0 or best <= INSIDE:
        return best, -1
    foot = axpy(-best, row(normals, face), c)
    for f in range(face_start[p], face_start[p + 1]):
        if dot(row(normals, f), foot) - offsets[f] > INSIDE:
            return best, -1
    return best, face


@inline
def ball_pair(geometry, cores, part_a, part_b, x, q, slop):
    """How the ball part_a meets a plane, ball or polytope: (APART, TOUCHING or UNDECIDED, feature, kind, point and
    direction of b's feature in its body frame, gap, normal, contact point)."""
    a, b = geometry.part_body[part_a], geometry.part_body[part_b]
    kind_b = geometry.part_kind[part_b]
    qb = quat_row(q, b)
    radius = geometry.part_radius[part_a]
    centre = add(row(x, a), rotate(quat_row(q, a), row(geometry.part_center, part_a)))
    pb, db = row(geometry.part_center, part_b), ZERO
    if kind_b == SPHERE:
        other = geometry.part_radius[part_b]
        middle = add(row(x, b), rotate(qb, pb))
        apart = sub(centre, middle)
        distance = math.sqrt(dot(apart, apart))
        gap = distance - radius - other
        if gap > slop:
            return APART, CORNERS, POINT, pb, db, gap, ZERO, ZERO
        if distance <= MEETING:
            return UNDECIDED, CORNERS, POINT, pb, db, gap, ZERO, ZERO
        n = scale(1.0 / distance, apart)
        at = axpy(0.5 * (other - radius), n, scale(0.5, add(centre, middle)))
        return TOUCHING, CORNERS, POINT, pb, db, gap, n, at
    feature = CORNER_ON_FACE
    if kind_b == PLANE:
        db = row(geometry.part_axis, part_b)
        n = rotate(qb, db)
        height = dot(n, sub(centre, add(row(x, b), rotate(qb, pb))))
    else:
        c = rotate_back(qb, sub(centre, row(x, b)))
        height, f = nearest_face(c, cores.face_start, cores.normals, cores.offsets, part_b)
        if height - radius > slop:
            return APART, feature, FACE, pb, db, height - radius, ZERO, ZERO
        if f < 0:
            return UNDECIDED, feature, FACE, pb, db, height, ZERO, ZERO
        feature = CORNER_ON_FACE | (f - cores.face_start[part_b]) << 32
        pb = row(cores.verts, cores.vert_start[part_b] + cores.loop[cores.loop_start[f]])
        db = row(cores.normals, f)
        n = rotate(qb, db)
    gap = height - radius
    if gap > slop:
        return APART, feature, FACE, pb, db, gap, ZERO, ZERO
    return TOUCHING, feature, FACE, pb, db, gap, n, axpy(-0.5 * (height + radius), n, centre)


@inline
def store_ball(contacts, c, feature, kind_b, centre, radius, pb, db, other, gap, n, at):
    """Write a ball's contact as row c (bodies and parts are written already); other: radius of a second ball, or 0."""
    contacts.feature[c] = feature
    contacts.kind_a[c] = POINT
    contacts.kind_b[c] = kind_b
    contacts.gap[c] = gap
    contacts.circle_a[c] = radius
    contacts.circle_b[c] = other
    contacts.round[c] = radius + other
    put(contacts.point_a, c, centre)
    put(contacts.dir_a, c, ZERO)
    put(contacts.point_b, c, pb)
    put(contacts.dir_b, c, db)
    put(contacts.normal, c, n)
    put(contacts.point, c, at)
