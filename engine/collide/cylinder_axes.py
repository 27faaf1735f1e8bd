"""Separating axes of a cylinder against a core or another cylinder.

Every locally best axis of two such shapes belongs to a pair of features: a face or cap with anything, the side (an
axis line with a radius) with an edge or a corner, a rim (a circle) with an edge, a corner or another rim. Each
family gives its candidates in closed form or by a one- or two-parameter ascent (circles.py); the value taken is
always the true separation along the candidate, so a poor candidate can lose but never lie.

A cylinder is a tuple (centre, unit axis k, radius, half height, e): e is a unit vector perpendicular to k, fixed
in its body. Normals point from the second shape to the first.
"""

from __future__ import annotations

import math

import numpy as np

from engine.collide.axes import EXTREME, lowest
from engine.collide.circles import circle_circle_normal, circle_line_normal
from engine.collide.triangles import allows
from engine.jit import inline, kernel
from engine.vec import any_perpendicular, arc_tangent, axpy, cross, dot, norm, row, scale, sine_cosine, sub, unit

NONE, FACE_AXIS, CAP, SIDE_EDGE, SIDE_CORNER, RIM_EDGE, RIM_CORNER = (np.int64(i) for i in range(7))
FIRST_CAP, SECOND_CAP, SIDES, RIM_SIDE, SIDE_RIM, RIM_RIM = (np.int64(i) for i in range(7, 13))
ALONE = np.int64(0)  # number of a candidate that is the only one of its kind
TIE = 1e-9  # m: a later candidate must be better by more than this
ON_AXIS = 1e-12  # m: nearer to the axis than this there is no direction outward
ALONG = 1e-9  # sine of the angle below which a line is parallel to the axis
ARC_END = 1e-9  # how far past the end of its arc a normal still belongs to an edge
SHORT_ARC = 0.5  # cosine of an arc too short for two maxima of the separation
MARGIN = 0.1  # radii below the best flat axis at which a curved one may still be wanted, when the flat finds nothing
NUDGE = 0.1  # off the symmetry direction, where an ascent could start on a saddle
STARTS = 12  # directions from which the ascent between two overlapping rims starts


@kernel
def cylinder_top(cylinder, n):
    """Largest n.p over a cylinder."""
    c, k, r, half, _ = cylinder
    return dot(n, c) + half * abs(dot(n, k)) + r * norm(cross(n, k))


@kernel
def rim_centre(cylinder, sign):
    """Centre of the rim on the side sign = +-1 of the axis."""
    return axpy(sign * cylinder[3], cylinder[1], cylinder[0])


@kernel
def across(k, a):
    """Part of a perpendicular to the unit vector k."""
    return axpy(-dot(k, a), k, a)


@kernel
def outward(cylinder, a):
    """Unit direction of a across the axis; any one when a lies on the axis."""
    side = across(cylinder[1], a)
    return cylinder[4] if norm(side) < ON_AXIS else unit(side)


@kernel
def none():
    """No axis: (separation, family, number, sign, normal)."""
    return -math.inf, NONE, ALONE, 1.0, (0.0, 0.0, 0.0)


@kernel
def better(axis, s, family, i, sign, n):
    """The better of an axis and a candidate; the earlier one on a near tie."""
    if s > axis[0] + TIE:
        return s, family, i, sign, n
    return axis


@kernel
def core_normal(core, cylinder, family, i, sign, n_guess):
    """Normal (cylinder to core) of one candidate of the families of a core with a cylinder."""
    c, k, r, _, _ = cylinder
    n = n_guess
    if family == FACE_AXIS:
        n = scale(-1.0, row(core.normals, i))
    elif family == CAP:
        n = scale(sign, k)
    elif family == SIDE_CORNER:
        n = outward(cylinder, sub(row(core.verts, i), c))
    elif family == RIM_CORNER:
        offset = sub(row(core.verts, i), rim_centre(cylinder, sign))
        n = unit(axpy(-r, outward(cylinder, offset), offset))
    else:
        p = row(core.verts, core.edges[i, 0])
        e = unit(sub(row(core.verts, core.edges[i, 1]), p))
        if family == RIM_EDGE:
            n = circle_line_normal(sub(p, rim_centre(cylinder, sign)), k, r, e, n_guess)
        else:
            m = cross(k, e)
            n = outward(cylinder, sub(p, c)) if norm(m) < ALONG else unit(m)
            if dot(n, n_guess) < 0.0 and norm(m) >= ALONG:
                n = scale(-1.0, n)
    return n


@kernel
def flat_axis(core, cylinder):
    """Best of the core's faces and the cylinder's caps."""
    best = none()
    for f in range(core.normals.shape[0]):
        n = scale(-1.0, row(core.normals, f))
        s = -core.offsets[f] - cylinder_top(cylinder, n)
        best = better(best, s, FACE_AXIS, f, 1.0, n)
    for sign in (1.0, -1.0):
        n = scale(sign, cylinder[1])
        s = lowest(core.verts, n) - cylinder_top(cylinder, n)
        best = better(best, s, CAP, ALONE, sign, n)
    return best


@kernel
def allowed_cap(core, cylinder, bend, beyond, turn):
    """For a triangle: its face, or a cap it may push against."""
    n = scale(-1.0, row(core.normals, 0))
    best = better(none(), -core.offsets[0] - cylinder_top(cylinder, n), FACE_AXIS, ALONE, 1.0, n)
    for sign in (1.0, -1.0):
        n = scale(sign, cylinder[1])
        s = lowest(core.verts, n) - cylinder_top(cylinder, n)
        if s > best[0] + TIE and allows(core, bend, beyond, turn, scale(-1.0, n)):
            best = (s, CAP, ALONE, sign, n)
    return best


@inline
def in_arc(core, e, n):
    """Can edge e be the lowest feature along n? If -n is between the normals of its two faces (if it has two)."""
    if core.edge_faces[e, 1] < 0:
        return True
    a, b = row(core.normals, core.edge_faces[e, 0]), row(core.normals, core.edge_faces[e, 1])
    along = cross(a, b)
    return dot(cross(n, a), along) >= -ARC_END and dot(cross(b, n), along) >= -ARC_END


@inline
def rim_meets_arc(core, e, cylinder, sign):
    """Is a best normal of this edge with a rim possible strictly between its two faces?

    The separation must rise inward from both ends of the arc. On a long arc, or where it bends upward at an end (deep
    overlap), it could have more than one maximum: then always yes.
    """
    if core.edge_faces[e, 1] < 0:
        return True
    a, b = row(core.normals, core.edge_faces[e, 0]), row(core.normals, core.edge_faces[e, 1])
    if dot(a, b) < SHORT_ARC:
        return True
    k, r = cylinder[1], cylinder[2]
    delta = sub(row(core.verts, core.edges[e, 0]), rim_centre(cylinder, sign))
    rising = True
    for end in range(2):
        n, other = (scale(-1.0, a), scale(-1.0, b)) if end == 0 else (scale(-1.0, b), scale(-1.0, a))
        side = across(k, n)
        if norm(side) < ALONG:
            return True
        inward = unit(across(n, other))
        tangent = scale(1.0 / norm(side), cross(k, side))
        bend = -r / norm(side) * dot(tangent, inward) ** 2 - (dot(n, delta) - r * norm(side))
        if bend >= 0.0:
            return True
        rising = rising and dot(inward, axpy(-r / norm(side), side, delta)) >= 0.0
    return rising


@inline
def arc_below(core, e, cylinder, floor):
    """Is the separation at edge e below `floor` all along the arc between its faces? (A bound; sharp on short arcs.)"""
    if core.edge_faces[e, 1] < 0:
        return False
    a, b = row(core.normals, core.edge_faces[e, 0]), row(core.normals, core.edge_faces[e, 1])
    delta = sub(row(core.verts, core.edges[e, 0]), cylinder[0])
    reach = norm(delta) + cylinder[2] + cylinder[3]  # largest slope of the separation per radian
    n = scale(-1.0, a)
    angle = arc_tangent(norm(cross(a, b)), dot(a, b))
    return dot(n, delta) - cylinder_top(cylinder, n) + dot(n, cylinder[0]) + reach * angle < floor


@kernel
def curved_axis(core, cylinder, floor, corners_at_rim, guarded, bend, beyond, turn):
    """Best axis of side and rims with edges and corners: (any, allowed by a triangle's neighbours if guarded).

    Edges that cannot separate by more than `floor` less MARGIN radii are left out.
    """
    best, may = none(), none()
    k = cylinder[1]
    floor -= MARGIN * cylinder[2]
    for e in range(core.edges.shape[0]):
        if arc_below(core, e, cylinder, floor):
            continue
        d = unit(sub(row(core.verts, core.edges[e, 1]), row(core.verts, core.edges[e, 0])))
        side = cross(k, d)
        skew = norm(side)
        up = unit(across(d, k)) if skew >= ALONG else any_perpendicular(d)
        for way in range(6):
            family = SIDE_EDGE if way < 2 else RIM_EDGE
            if way == 1 and skew < ALONG or way >= 2 and skew < ALONG:
                continue
            sign = 1.0 if way % 2 == 0 else -1.0
            if way >= 2 and not rim_meets_arc(core, e, cylinder, sign):
                continue
            start = scale(sign, side)
            if way >= 2:
                start = axpy(NUDGE if way < 4 else -NUDGE, side, scale(sign, up))
            n = core_normal(core, cylinder, family, e, sign, start)
            if not in_arc(core, e, n):
                continue
            low = lowest(core.verts, n)
            if dot(n, row(core.verts, core.edges[e, 0])) > low + EXTREME:
                continue
            s = low - cylinder_top(cylinder, n)
            best = better(best, s, family, e, sign, n)
            if guarded and s > may[0] + TIE and allows(core, bend, beyond, turn, scale(-1.0, n)):
                may = (s, family, e, sign, n)
    for v in range(core.verts.shape[0]):
        for family, sign in ((SIDE_CORNER, 1.0), (RIM_CORNER, 1.0), (RIM_CORNER, -1.0)):
            if family == RIM_CORNER and not corners_at_rim:
                continue
            n = core_normal(core, cylinder, family, v, sign, k)
            low = lowest(core.verts, n)
            if dot(n, row(core.verts, v)) > low + EXTREME:
                continue
            s = low - cylinder_top(cylinder, n)
            best = better(best, s, family, v, sign, n)
            if guarded and s > may[0] + TIE and allows(core, bend, beyond, turn, scale(-1.0, n)):
                may = (s, family, v, sign, n)
    return best, may if guarded else best


@kernel
def separation(first, second, n):
    """Separation of two cylinders along n."""
    return -cylinder_top(first, scale(-1.0, n)) - cylinder_top(second, n)


@kernel
def cylinder_normal(first, second, family, sign, other_sign, n_guess):
    """Normal (second to first) of one candidate of the families of two cylinders."""
    ca, ka, ra, _, _ = first
    cb, kb, rb, _, _ = second
    n = n_guess
    if family == FIRST_CAP:
        n = scale(-sign, ka)
    elif family == SECOND_CAP:
        n = scale(sign, kb)
    elif family == SIDES:
        m = cross(ka, kb)
        if norm(m) < ALONG:
            n = outward(second, sub(ca, cb))
        else:
            n = scale(1.0 if dot(m, n_guess) >= 0.0 else -1.0, unit(m))
    elif family == RIM_SIDE:
        n = circle_line_normal(sub(rim_centre(first, sign), cb), ka, ra, kb, n_guess)
    elif family == SIDE_RIM:
        n = circle_line_normal(sub(ca, rim_centre(second, other_sign)), kb, rb, ka, n_guess)
    elif family == RIM_RIM:
        delta = sub(rim_centre(first, sign), rim_centre(second, other_sign))
        n = circle_circle_normal(delta, ka, ra, kb, rb, n_guess)
    return n


@kernel
def cap_axis(first, second):
    """Best cap of two cylinders; `sign` tells which end."""
    best = none()
    for family in (FIRST_CAP, SECOND_CAP):
        for sign in (1.0, -1.0):
            n = cylinder_normal(first, second, family, sign, sign, first[1])
            best = better(best, separation(first, second, n), family, ALONE, sign, n)
    return best


@kernel
def side_axis(first, second):
    """Best axis of a side of one cylinder with a side or a rim of the other; `sign` tells which rim."""
    best = none()
    ka, kb = first[1], second[1]
    m = cross(ka, kb)
    for sign in (1.0, -1.0):
        n = cylinder_normal(first, second, SIDES, sign, sign, scale(sign, m))
        best = better(best, separation(first, second, n), SIDES, ALONE, sign, n)
        if norm(m) < ALONG:
            continue
        for way in (1.0, -1.0):
            start = axpy(NUDGE * way, m, scale(sign, across(kb, ka)))
            n = cylinder_normal(first, second, RIM_SIDE, way, way, start)
            best = better(best, separation(first, second, n), RIM_SIDE, ALONE, way, n)
            start = axpy(NUDGE * way, m, scale(sign, across(ka, kb)))
            n = cylinder_normal(first, second, SIDE_RIM, way, way, start)
            best = better(best, separation(first, second, n), SIDE_RIM, ALONE, way, n)
    return best


@kernel
def rim_axis(first, second, n_near):
    """Best axis of two rims: ascents from n_near and, for overlapping shapes, from all around."""
    best = none()
    for sa in (1.0, -1.0):
        for sb in (1.0, -1.0):
            for start in range(-1, STARTS):
                n = n_near
                if start >= 0:  # points of a spiral spread evenly over the sphere
                    z = 1.0 - (2.0 * start + 1.0) / STARTS
                    wide = math.sqrt(1.0 - z * z)
                    s, c = sine_cosine(2.399963229728653 * start)
                    n = (wide * c, wide * s, z)
                n = cylinder_normal(first, second, RIM_RIM, sa, sb, n)
                best = better(best, separation(first, second, n), RIM_RIM, 0 if sb > 0.0 else 1, sa, n)
    return best
