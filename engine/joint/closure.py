"""Equations of a joint: how far it is from closed, how it moves, how far it is turned or drawn out.

With anchors P_a, P_b (d = P_b - P_a) and axes A_x, A_y, A_z and B_x, B_y, B_z of the joint in its two bodies:

    ball     d = 0
    hinge    d = 0,                  A_x.B_z = A_y.B_z = 0           angle of B_x about A_z
    fixed    d = 0,                  A_x.B_z = A_y.B_z = A_x.B_y = 0
    slider   A_x.d = A_y.d = 0,      A_x.B_z = A_y.B_z = A_x.B_y = 0 distance A_z.d

Equations of direction are multiplied by the joint's length, so that all of them are in metres.
"""

from __future__ import annotations

import math

from engine.jit import inline, kernel
from engine.model.joints import BALL, FIXED, HINGE, SLIDER
from engine.spin import midpoint_spin, spin_of
from engine.vec import (
    add,
    arc_tangent,
    axpy,
    cross,
    dot,
    quat_exp,
    quat_mul,
    quat_row,
    quat_unit,
    rotate,
    row,
    scale,
    sub,
)


@kernel
def drifted(x, q, v, l, inverse_inertia, body, h):
    """(place, orientation) of one body after a drift of signed length h: that of step/drift.py, to the bit."""
    momentum = row(l, body)
    place = axpy(h, row(v, body), row(x, body))
    start = quat_row(q, body)
    if momentum[0] == 0.0 and momentum[1] == 0.0 and momentum[2] == 0.0:
        return place, start
    w = midpoint_spin(start, inverse_inertia, body, momentum, h)
    return place, quat_unit(quat_mul(quat_exp(scale(h, w)), start))


@kernel
def _axis(frame, j, k, turn):
    return rotate(turn, (frame[j, k, 0], frame[j, k, 1], frame[j, k, 2]))


@kernel
def closure(joints, j, xa, qa, xb, qb):
    """How far joint j is from closed: six numbers in m, those beyond its equations zero."""
    d = sub(add(xb, rotate(qb, row(joints.point_b, j))), add(xa, rotate(qa, row(joints.point_a, j))))
    kind = joints.kind[j]
    if kind == BALL:
        return d[0], d[1], d[2], 0.0, 0.0, 0.0
    ax, ay = _axis(joints.frame_a, j, 0, qa), _axis(joints.frame_a, j, 1, qa)
    bz = _axis(joints.frame_b, j, 2, qb)
    length = joints.length[j]
    first, second = length * dot(ax, bz), length * dot(ay, bz)
    if kind == HINGE:
        return d[0], d[1], d[2], first, second, 0.0
    third = length * dot(ax, _axis(joints.frame_b, j, 1, qb))
    if kind == FIXED:
        return d[0], d[1], d[2], first, second, third
    return dot(ax, d), dot(ay, d), first, second, third, 0.0


@kernel
def travel(joints, j, xa, qa, xb, qb):
    """Angle (rad, unwrapped about the middle of its range) of a hinge, distance (m) of a slider; else 0."""
    if joints.kind[j] == SLIDER:
        d = sub(add(xb, rotate(qb, row(joints.point_b, j))), add(xa, rotate(qa, row(joints.point_a, j))))
        return dot(_axis(joints.frame_a, j, 2, qa), d)
    if joints.kind[j] == HINGE:
        bx = _axis(joints.frame_b, j, 0, qb)
        angle = arc_tangent(dot(_axis(joints.frame_a, j, 1, qa), bx), dot(_axis(joints.frame_a, j, 0, qa), bx))
        return joints.middle[j] + wrapped(angle - joints.middle[j])
    return 0.0


@kernel
def wrapped(angle):
    """The same angle between -pi and pi."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@kernel
def _put(rows, j, k, sign, linear, angular):
    for i in range(3):
        rows[j, k, i] = sign * linear[i]
        rows[j, k, 3 + i] = sign * angular[i]


@kernel
def place_equations(joints, j, x, q, row_a, row_b):
    """Rows of the equations of joint j at (x, q): their rates are row_a (v_a, w_a) + row_b (v_b, w_b)."""
    a, b = joints.a[j], joints.b[j]
    qa, qb = quat_row(q, a), quat_row(q, b)
    ra, rb = rotate(qa, row(joints.point_a, j)), rotate(qb, row(joints.point_b, j))
    zero = (0.0, 0.0, 0.0)
    kind = joints.kind[j]
    ax, ay = _axis(joints.frame_a, j, 0, qa), _axis(joints.frame_a, j, 1, qa)
    k = 0
    if kind == SLIDER:
        # The reaction on a acts where b's anchor is: momentum is conserved.
        arm = sub(add(row(x, b), rb), row(x, a))
        for across in (ax, ay):
            _put(row_a, j, k, -1.0, across, cross(arm, across))
            _put(row_b, j, k, 1.0, across, cross(rb, across))
            k += 1
    else:
        for i in range(3):
            e = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
            _put(row_a, j, k, -1.0, e, cross(ra, e))
            _put(row_b, j, k, 1.0, e, cross(rb, e))
            k += 1
    if kind == BALL:
        return
    length = joints.length[j]
    by, bz = _axis(joints.frame_b, j, 1, qb), _axis(joints.frame_b, j, 2, qb)
    for across, other in ((ax, bz), (ay, bz), (ax, by)):
        if k < joints.rows[j]:
            torque = scale(length, cross(across, other))
            _put(row_a, j, k, 1.0, zero, torque)
            _put(row_b, j, k, -1.0, zero, torque)
            k += 1


@kernel
def row_rate(rows, j, k, u, w):
    """What a body with velocity u and spin w adds to the rate of equation k."""
    return (
        rows[j, k, 0] * u[0] + rows[j, k, 1] * u[1] + rows[j, k, 2] * u[2]
        + rows[j, k, 3] * w[0] + rows[j, k, 4] * w[1] + rows[j, k, 5] * w[2]
    )  # fmt: skip


@inline
def equation_rate(joints, j, k, row_a, row_b, q, inverse_inertia, v, l):
    """Rate (m/s) of equation k of joint j for the velocities of the instant."""
    a, b = joints.a[j], joints.b[j]
    wa = spin_of(quat_row(q, a), inverse_inertia, a, row(l, a))
    wb = spin_of(quat_row(q, b), inverse_inertia, b, row(l, b))
    return row_rate(row_a, j, k, row(v, a), wa) + row_rate(row_b, j, k, row(v, b), wb)


@kernel
def closure_after(joints, j, x, q, inverse_inertia, v, l, h):
    """Closure of joint j after a drift of signed length h, six numbers in m."""
    xa, qa = drifted(x, q, v, l, inverse_inertia, joints.a[j], h)
    xb, qb = drifted(x, q, v, l, inverse_inertia, joints.b[j], h)
    return closure(joints, j, xa, qa, xb, qb)
