"""Contacts of cylinders with planes, cores and each other."""

from __future__ import annotations

from engine.collide.axes import FIRST, SECOND
from engine.collide.cylinder_axes import (
    CAP,
    FACE_AXIS,
    FIRST_CAP,
    RIM_CORNER,
    RIM_EDGE,
    RIM_RIM,
    RIM_SIDE,
    SECOND_CAP,
    SIDE_CORNER,
    SIDE_EDGE,
    SIDE_RIM,
    SIDES,
    allowed_cap,
    cap_axis,
    core_normal,
    curved_axis,
    cylinder_normal,
    cylinder_top,
    flat_axis,
    rim_axis,
    rim_centre,
    side_axis,
)
from engine.collide.cylinder_flat import UPRIGHT, cap_on_cap, core_on_cap, cylinder_on_cap, end_number, face_and_cap
from engine.collide.features import line_feet, rim_point
from engine.collide.flat import facing_face
from engine.collide.manifold import (
    CIRCLE_CIRCLE,
    CIRCLE_LINE,
    CORNER_ON_RIM,
    CORNER_ON_SIDE,
    EDGE_ENDS,
    EDGE_ON_RIM,
    EDGES,
    LINE_CIRCLE,
    LINE_LINE,
    LINE_POINT,
    MERGE,
    POINT_CIRCLE,
    POINT_LINE,
    RIMS,
    ZERO,
    emit,
    keep_touching,
)
from engine.collide.rounded import ALONGSIDE
from engine.collide.solids import FACE_FIRST, edge_line
from engine.jit import inline, kernel, standalone
from engine.vec import cross, dot, norm, row, scale, sub

REACH = 2e-6  # m: how far past the end of a feature its contact may lie (twice the usual slop)


@kernel
def core_axis(core, cylinder, radius, guarded, bend, beyond, turn):
    """Best flat and best curved axis that may be used, and the separation over all axes."""
    flat = flat_axis(core, cylinder)
    curved, may = curved_axis(core, cylinder, flat[0], radius > 0.0, guarded, bend, beyond, turn)
    most = max(flat[0], curved[0])
    if guarded:
        flat = allowed_cap(core, cylinder, bend, beyond, turn)
    return flat, may, most


@kernel
def preferred(flat, curved):
    """Flat axes go first unless a curved one separates clearly more; returns (axis, the other)."""
    if curved[0] > flat[0] + FACE_FIRST:
        return curved, flat
    return flat, curved


@standalone
def core_on_cylinder(found, core, cylinder, past_core, past_cylinder, radius, guarded, bend, beyond, turn, slop):
    """Contacts of a core (first, rounded) with a cylinder (second); guarded: the core is a mesh triangle."""
    if guarded:
        t = row(core.normals, 0)
        under = core.offsets[0] - cylinder_top(cylinder, t)
        past_height = -cylinder_top(past_cylinder, scale(-1.0, row(past_core.normals, 0))) - past_core.offsets[0]
        if under > -slop and past_height < -slop:
            return
    flat = allowed_cap(core, cylinder, bend, beyond, turn) if guarded else flat_axis(core, cylinder)
    if flat[0] > radius + slop:
        return
    if flat[0] >= radius - slop:
        # Touching, not overlapping: if flat contacts are there no curved axis can separate by more than slop.
        core_axis_contacts(found, core, cylinder, radius, flat)
        if keep_touching(found, slop) > 0:
            return
    flat, curved, most = core_axis(core, cylinder, radius, guarded, bend, beyond, turn)
    if most > radius + slop:
        return
    axis, other = preferred(flat, curved)
    if axis[0] < -slop:
        past_flat, past_curved, _ = core_axis(past_core, past_cylinder, radius, guarded, bend, beyond, turn)
        past, _ = preferred(past_flat, past_curved)
        if past[0] > -slop:
            core_axis_contacts(found, core, cylinder, radius, past)
    if keep_touching(found, slop) == 0:
        core_axis_contacts(found, core, cylinder, radius, axis)
    if keep_touching(found, slop) == 0:
        core_axis_contacts(found, core, cylinder, radius, other)


@kernel
def core_axis_contacts(found, core, cylinder, radius, axis):
    """Contacts along one axis of the families of a core with a cylinder."""
    _, family, i, sign, n = axis
    if family == FACE_AXIS:
        face_and_cap(found, core, i, cylinder, 1.0 if dot(row(core.normals, i), cylinder[1]) < 0.0 else -1.0)
    elif family == CAP:
        core_on_cap(found, core, radius, cylinder, sign)
        g = facing_face(core, scale(sign, cylinder[1]))
        if g >= 0 and abs(dot(row(core.normals, g), cylinder[1])) > UPRIGHT:
            face_and_cap(found, core, g, cylinder, sign)
    elif family == SIDE_EDGE:
        edge_on_side(found, core, i, radius, cylinder, core_normal(core, cylinder, family, i, sign, n))
    elif family == SIDE_CORNER:
        corner_on_side(found, core, i, radius, cylinder, core_normal(core, cylinder, family, i, sign, n))
    elif family == RIM_EDGE:
        edge_on_rim(found, core, i, radius, cylinder, sign, core_normal(core, cylinder, family, i, sign, n))
    elif family == RIM_CORNER:
        c = rim_centre(cylinder, sign)
        n = core_normal(core, cylinder, family, i, sign, n)
        name = CORNER_ON_RIM | i << 32 | end_number(sign) << 16
        emit(found, name, POINT_CIRCLE, row(core.verts, i), ZERO, radius, c, cylinder[1], cylinder[2], n)


@inline
def corner_on_side(found, core, v, radius, cylinder, n):
    """A corner on the side: POINT on LINE, if it is between the caps."""
    c, k, r, half, _ = cylinder
    p = row(core.verts, v)
    if abs(dot(k, sub(p, c))) <= half + REACH:
        emit(found, CORNER_ON_SIDE | v << 32, POINT_LINE, p, ZERO, radius, c, k, r, n)


@inline
def edge_on_side(found, core, e, radius, cylinder, n):
    """An edge across the side: LINE on LINE; along it: a contact at each end of the overlap."""
    c, k, r, half, _ = cylinder
    p, d, length = edge_line(core, e)
    if norm(cross(d, k)) > ALONGSIDE:
        wa, wb = line_feet(p, d, c, k)
        t = dot(d, sub(wa, p))
        if t >= -REACH and t <= length + REACH and abs(dot(k, sub(wb, c))) <= half + REACH:
            emit(found, EDGES | e << 32, LINE_LINE, p, d, radius, c, k, r, n)
        return
    for end in range(2):
        v = row(core.verts, core.edges[e, end])
        if abs(dot(k, sub(v, c))) <= half:
            emit(found, EDGE_ENDS | e << 32 | end, POINT_LINE, v, ZERO, radius, c, k, r, n)
    for sign in (1.0, -1.0):
        v = rim_centre(cylinder, sign)
        t = dot(d, sub(v, p))
        if t >= 0.0 and t <= length:
            emit(found, EDGE_ENDS | e << 32 | 1 << 16 | end_number(sign), LINE_POINT, p, d, radius, v, ZERO, r, n)


@inline
def edge_on_rim(found, core, e, radius, cylinder, sign, n):
    """An edge across a rim: LINE on CIRCLE, if they meet within the edge."""
    p, d, length = edge_line(core, e)
    c = rim_centre(cylinder, sign)
    t = dot(d, sub(rim_point(c, cylinder[1], cylinder[2], n), p))
    if t >= -REACH and t <= length + REACH:
        name = EDGE_ON_RIM | e << 32 | end_number(sign) << 16
        emit(found, name, LINE_CIRCLE, p, d, radius, c, cylinder[1], cylinder[2], n)


@standalone
def cylinder_pair(found, first, second, past_first, past_second, slop):
    """Contacts of two cylinders."""
    flat = cap_axis(first, second)
    if flat[0] > slop:
        return
    if flat[0] >= -slop:  # touching: see core_on_cylinder
        pair_axis_contacts(found, first, second, flat)
        if keep_touching(found, slop) > 0:
            return
    side = side_axis(first, second)
    most = max(flat[0], side[0])
    if most > slop:
        return
    if side[0] >= -slop:
        pair_axis_contacts(found, first, second, side)
        if keep_touching(found, slop) > 0:
            return
    rim = rim_axis(first, second, side[4] if side[0] > flat[0] else flat[4])
    if max(most, rim[0]) > slop:
        return
    curved = rim if rim[0] > side[0] + MERGE else side
    axis, other = preferred(flat, curved)
    if axis[0] < -slop:
        past = past_pair_axis(past_first, past_second)
        if past[0] > -slop:
            pair_axis_contacts(found, first, second, past)
    if keep_touching(found, slop) == 0:
        pair_axis_contacts(found, first, second, axis)
    if keep_touching(found, slop) == 0:
        pair_axis_contacts(found, first, second, other)


@inline
def past_pair_axis(first, second):
    """The axis that separated two cylinders best one step away."""
    flat = cap_axis(first, second)
    side = side_axis(first, second)
    rim = rim_axis(first, second, side[4] if side[0] > flat[0] else flat[4])
    axis, _ = preferred(flat, rim if rim[0] > side[0] + MERGE else side)
    return axis


@kernel
def pair_axis_contacts(found, first, second, axis):
    """Contacts along one axis of the families of two cylinders."""
    _, family, i, sign, n = axis
    other_sign = sign if family != RIM_RIM else 1.0 if i == 0 else -1.0
    n = cylinder_normal(first, second, family, sign, other_sign, n)
    if family == FIRST_CAP or family == SECOND_CAP:
        facing = dot(first[1], second[1])
        if abs(facing) > UPRIGHT:
            # The other cap is the one that looks at this one.
            back = -sign if facing > 0.0 else sign
            if family == FIRST_CAP:
                cap_on_cap(found, first, sign, second, back)
            else:
                cap_on_cap(found, first, back, second, sign)
        elif family == FIRST_CAP:
            cylinder_on_cap(found, FIRST, first, sign, second)
        else:
            cylinder_on_cap(found, SECOND, second, sign, first)
    elif family == SIDES:
        side_on_side(found, first, second, n)
    elif family == RIM_SIDE:
        rim_on_side(found, first, sign, second, FIRST, n)
    elif family == SIDE_RIM:
        rim_on_side(found, second, sign, first, SECOND, n)
    elif family == RIM_RIM:
        ca, cb = rim_centre(first, sign), rim_centre(second, other_sign)
        name = RIMS | end_number(sign) << 32 | end_number(other_sign) << 16
        emit(found, name, CIRCLE_CIRCLE, ca, first[1], first[2], cb, second[1], second[2], n)


@kernel
def rim_on_side(found, rimmed, sign, sided, owner, n):
    """A rim on a side: CIRCLE on LINE, if it is between the caps; owner: whose the rim is."""
    c, k, r, half, _ = sided
    centre = rim_centre(rimmed, sign)
    touch = rim_point(centre, rimmed[1], rimmed[2], scale(-1.0, n) if owner == FIRST else n)
    if abs(dot(k, sub(touch, c))) > half + REACH:
        return
    name = EDGE_ON_RIM | 8 << 32 | end_number(sign) << 16 | (1 if owner == FIRST else 0)
    if owner == FIRST:
        emit(found, name, CIRCLE_LINE, centre, rimmed[1], rimmed[2], c, k, r, n)
    else:
        emit(found, name, LINE_CIRCLE, c, k, r, centre, rimmed[1], rimmed[2], n)


@inline
def side_on_side(found, first, second, n):
    """Two sides: crossing LINE on LINE, or alongside each other with a contact at each end of the overlap."""
    ca, ka, ra, ha, _ = first
    cb, kb, rb, hb, _ = second
    if norm(cross(ka, kb)) > ALONGSIDE:
        wa, wb = line_feet(ca, ka, cb, kb)
        if abs(dot(ka, sub(wa, ca))) <= ha + REACH and abs(dot(kb, sub(wb, cb))) <= hb + REACH:
            emit(found, EDGES | 1, LINE_LINE, ca, ka, ra, cb, kb, rb, n)
        return
    for sign in (1.0, -1.0):
        v = rim_centre(first, sign)
        if abs(dot(kb, sub(v, cb))) <= hb:
            emit(found, EDGE_ENDS | 2 << 16 | end_number(sign), POINT_LINE, v, ZERO, ra, cb, kb, rb, n)
    for sign in (1.0, -1.0):
        v = rim_centre(second, sign)
        if abs(dot(ka, sub(v, ca))) <= ha:
            emit(found, EDGE_ENDS | 3 << 16 | end_number(sign), LINE_POINT, ca, ka, ra, v, ZERO, rb, n)
