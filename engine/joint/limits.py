"""Limits of hinges and sliders: contacts without friction whose gap is the way left to the limit, in metres.

A slider's limit pushes along its axis at the anchor, exactly as a contact there would. A hinge's limit is a pure
torque: its row, secant and scale are made here.
"""

from __future__ import annotations

import math

from engine.contact.kick import CONTACTS, GHOST, pair_speed
from engine.contact.tiers import GHOSTED, judge
from engine.jit import inline, kernel, standalone
from engine.joint.closure import drifted, travel, wrapped
from engine.joint.linkage import FIRST_LIMIT, LIMITS, mover
from engine.model.joints import HINGE
from engine.spin import spin_of
from engine.vec import add, any_perpendicular, cross, dot, put, quat_row, rotate, row, scale, sub


@kernel
def limit_length(joints, j):
    """Metres per unit of travel."""
    return joints.length[j] if joints.kind[j] == HINGE else 1.0


@kernel
def _travel_here(joints, j, x, q):
    a, b = joints.a[j], joints.b[j]
    return travel(joints, j, row(x, a), quat_row(q, a), row(x, b), quat_row(q, b))


@kernel
def limit_gap(joints, j, x, q):
    """(way left to the nearer limit in m, its side: 1 lower, -1 upper); infinite without limits."""
    if joints.lo[j] == -math.inf and joints.hi[j] == math.inf:
        return math.inf, 1
    t = _travel_here(joints, j, x, q)
    below, above = t - joints.lo[j], joints.hi[j] - t
    if below <= above:
        return limit_length(joints, j) * below, 1
    return limit_length(joints, j) * above, -1


@standalone
def find_limits(s, params, at):
    """Put the limits that are reached behind the contacts, FREE and with authored restitution."""
    linkage, joints, count = s.linkage, s.linkage.joints, s.counts[CONTACTS]
    found = 0
    for j in range(joints.kind.shape[0]):
        linkage.limit[j] = -1
        linkage.side[j] = 0
        if s.asleep[mover(joints, j, s.bodies.inverse_mass)]:
            continue
        gap, side = limit_gap(joints, j, at.x, at.q)
        if gap <= params.slop:
            linkage.side[j] = side
            linkage.limit[j] = count + found
            linkage.owner[found] = j
            _open_limit(s, count + found, gap, j, at)
            found += 1
        else:
            linkage.push[j] = 0.0
    linkage.counts[LIMITS] = found
    linkage.counts[FIRST_LIMIT] = count


@inline
def _open_limit(s, c, gap, j, at):
    """Contact row c becomes the limit of joint j: the gap grows with the velocity of its body a along the normal."""
    contacts, kick, material, linkage = s.contacts, s.kick, s.material, s.linkage
    joints = linkage.joints
    place_limit(c, contacts, kick, linkage, j, s.bodies.inverse_mass, at.x, at.q)
    contacts.gap[c] = gap
    kick.hold[c] = 0
    kick.used[c] = 1
    kick.restitution[c] = joints.restitution[j]
    kick.forced[c] = 0
    kick.goal_n[c] = 0.0
    for k in range(3):
        kick.goal_t[c, k] = 0.0
        kick.goal_r[c, k] = 0.0
    material.friction[c] = 0.0
    material.friction_low[c] = 0.0
    material.friction_top[c] = 0.0
    material.restitution[c] = joints.restitution[j]
    material.restitution_low[c] = joints.restitution[j]
    material.restitution_top[c] = 1.0
    material.rolling[c] = 0.0
    set_limit_impulse(contacts, kick, linkage, j, linkage.push[j])


@kernel
def place_limit(c, contacts, kick, linkage, j, inverse_mass, x, q):
    """Bodies, normal and arms of the limit of joint j in contact row c."""
    joints = linkage.joints
    one = mover(joints, j, inverse_mass)
    other = joints.a[j] + joints.b[j] - one
    sign = float(linkage.side[j]) * (1.0 if one == joints.b[j] else -1.0)
    a, b = joints.a[j], joints.b[j]
    axis = rotate(quat_row(q, a), (joints.frame_a[j, 2, 0], joints.frame_a[j, 2, 1], joints.frame_a[j, 2, 2]))
    point = add(row(x, b), rotate(quat_row(q, b), row(joints.point_b, j)))
    n = scale(sign, axis)
    contacts.a[c] = one
    contacts.b[c] = other
    put(contacts.point, c, point)
    put(contacts.normal, c, n)
    put(kick.ra, c, sub(point, row(x, one)))
    put(kick.rb, c, sub(point, row(x, other)))
    t = any_perpendicular(n)
    put(kick.t1, c, t)
    put(kick.t2, c, cross(n, t))
    kick.length[c] = 1.0
    kick.friction[c] = 0.0
    kick.rolling[c] = 0.0
    kick.closing[c] = 0.0  # limits are caught where they are passed, whatever the landing law
    kick.pull[c] = 0.0
    for k in range(3):
        kick.slide[c, k] = 0.0
        kick.roll[c, k] = 0.0


@kernel
def set_limit_impulse(contacts, kick, linkage, j, z):
    """Impulse z (N s along the row) of the limit of joint j, as a push or as a torque."""
    c = linkage.limit[j]
    n = row(contacts.normal, c)
    if linkage.joints.kind[j] == HINGE:
        put(kick.impulse, c, (0.0, 0.0, 0.0))
        put(kick.torque, c, scale(linkage.joints.length[j] * z, n))
    else:
        put(kick.impulse, c, scale(z, n))
        put(kick.torque, c, (0.0, 0.0, 0.0))


@kernel
def limit_impulse(contacts, kick, linkage, j):
    """The same back: N s along the row."""
    c = linkage.limit[j]
    n = row(contacts.normal, c)
    if linkage.joints.kind[j] == HINGE:
        return dot(row(kick.torque, c), n) / linkage.joints.length[j]
    return dot(row(kick.impulse, c), n)


@kernel
def limit_rate(contacts, kick, linkage, j, q, inverse_inertia, v, l):
    """Rate of the gap (m/s) for the velocities of the instant."""
    c = linkage.limit[j]
    a, b = contacts.a[c], contacts.b[c]
    n = row(contacts.normal, c)
    w = sub(
        spin_of(quat_row(q, a), inverse_inertia, a, row(l, a)), spin_of(quat_row(q, b), inverse_inertia, b, row(l, b))
    )
    if linkage.joints.kind[j] == HINGE:
        return linkage.joints.length[j] * dot(n, w)
    wa = spin_of(quat_row(q, a), inverse_inertia, a, row(l, a))
    wb = spin_of(quat_row(q, b), inverse_inertia, b, row(l, b))
    ua, ub = add(row(v, a), cross(wa, row(kick.ra, c))), add(row(v, b), cross(wb, row(kick.rb, c)))
    return dot(n, sub(ua, ub))


@kernel
def limit_secant(linkage, j, x, q, inverse_inertia, v, l, h):
    """(gap after a drift of signed length h - gap) / h, m/s."""
    joints = linkage.joints
    a, b = joints.a[j], joints.b[j]
    xa, qa = drifted(x, q, v, l, inverse_inertia, a, h)
    xb, qb = drifted(x, q, v, l, inverse_inertia, b, h)
    change = travel(joints, j, xa, qa, xb, qb) - _travel_here(joints, j, x, q)
    if joints.kind[j] == HINGE:
        change = joints.length[j] * wrapped(change)
    return linkage.side[j] * change / h


@standalone
def limit_speeds(s, h, at, side, speeds):
    """speeds[c] (kick.before or kick.after) of every limit: secants over the drift of signed length h with the
    velocities of `side`."""
    linkage, inverse_inertia = s.linkage, s.bodies.inverse_inertia
    for i in range(linkage.counts[LIMITS]):
        j = linkage.owner[i]
        speeds[linkage.limit[j]] = limit_secant(linkage, j, at.x, at.q, inverse_inertia, side.v, side.l, h)


@kernel
def limit_response(contacts, kick, linkage, j, q, bodies):
    """Response of a limit's row to its own impulse, 1/kg."""
    c = linkage.limit[j]
    a, b = contacts.a[c], contacts.b[c]
    n = row(contacts.normal, c)
    hinge = linkage.joints.kind[j] == HINGE
    ta = scale(linkage.joints.length[j], n) if hinge else cross(row(kick.ra, c), n)
    tb = scale(linkage.joints.length[j], n) if hinge else cross(row(kick.rb, c), n)
    mass = 0.0 if hinge else bodies.inverse_mass[a] + bodies.inverse_mass[b]
    return (
        mass
        + dot(ta, spin_of(quat_row(q, a), bodies.inverse_inertia, a, ta))
        + dot(tb, spin_of(quat_row(q, b), bodies.inverse_inertia, b, tb))
    )


@kernel
def judge_limit(contacts, kick, linkage, j, q, bodies, params, speed):
    """(tier, residual m/s, restitution, forced) of the limit of joint j: the contact law without friction."""
    c = linkage.limit[j]
    if kick.hold[c] == GHOST:
        return GHOSTED, 0.0, 0.0, 0
    authored = linkage.joints.restitution[j]
    tier, residual, restitution, forced, _, _ = judge(
        (limit_impulse(contacts, kick, linkage, j), 0.0, 0.0, 0.0, 0.0, 0.0),
        kick.before[c],
        kick.after[c],
        0.0,
        0.0,
        (0.0, 0.0),
        (0.0, 0.0, 0.0),
        (limit_response(contacts, kick, linkage, j, q, bodies), 1.0, 1.0),
        (0.0, 0.0, 0.0, authored, authored, 1.0, 0.0),
        params,
        1.0 + speed,
    )
    return tier, residual, restitution, forced


@standalone
def judge_limits(s, params, at, side):
    """s.tier and residual (relative to 1 + speed) of every limit, whose coefficients become those under which the law
    holds; their impulses are kept for the next step's start."""
    contacts, kick, linkage = s.contacts, s.kick, s.linkage
    for i in range(linkage.counts[LIMITS]):
        j = linkage.owner[i]
        c = linkage.limit[j]
        fast = max(pair_speed(s, c, at, side), abs(kick.before[c]))
        verdict, r, restitution, forced = judge_limit(contacts, kick, linkage, j, at.q, s.bodies, params, fast)
        s.tier[c] = verdict
        s.residual[c] = r / (1.0 + fast)
        kick.restitution[c] = restitution
        kick.forced[c] = forced
        linkage.push[j] = limit_impulse(contacts, kick, linkage, j)
