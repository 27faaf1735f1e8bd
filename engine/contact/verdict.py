"""Judge contacts of a kick: from impulses and speeds in the world to the rows of the contact law."""

from __future__ import annotations

from engine.contact.kick import GHOST
from engine.contact.tiers import GHOSTED, judge
from engine.jit import kernel
from engine.spin import spin_of
from engine.vec import cross, dot, quat_row, row


@kernel
def _turn_response(q, bodies, body, axis):
    """axis . I^-1 axis, world."""
    return dot(axis, spin_of(quat_row(q, body), bodies.inverse_inertia, body, axis))


@kernel
def own_response(contacts, kick, c, q, bodies):
    """(normal, tangent, rolling) responses of contact c to its own impulses, 1/kg: the scales of the residual."""
    a = contacts.a[c]
    b = contacts.b[c]
    ra = row(kick.ra, c)
    rb = row(kick.rb, c)
    mass = bodies.inverse_mass[a] + bodies.inverse_mass[b]
    n = row(contacts.normal, c)
    t1 = row(kick.t1, c)
    t2 = row(kick.t2, c)
    normal = mass + _turn_response(q, bodies, a, cross(ra, n)) + _turn_response(q, bodies, b, cross(rb, n))
    first = mass + _turn_response(q, bodies, a, cross(ra, t1)) + _turn_response(q, bodies, b, cross(rb, t1))
    second = mass + _turn_response(q, bodies, a, cross(ra, t2)) + _turn_response(q, bodies, b, cross(rb, t2))
    trace = 0.0
    for k in range(3):
        trace += bodies.inverse_inertia[a, k, k] + bodies.inverse_inertia[b, k, k]
    return normal, max(first, second), trace * kick.length[c] ** 2


@kernel
def judge_contact(s, c, params, at, scale):
    """tiers.judge of contact c: kick.before, after, slide, roll, impulse and torque are set. Rolling friction in m."""
    contacts, kick, material = s.contacts, s.kick, s.material
    if kick.hold[c] == GHOST:
        return GHOSTED, 0.0, 0.0, 0, 0.0, 0.0
    p = row(kick.impulse, c)
    slip = row(kick.slide, c)
    r = row(kick.roll, c)
    t1 = row(kick.t1, c)
    t2 = row(kick.t2, c)
    length = kick.length[c]
    z = (
        dot(p, row(contacts.normal, c)),
        dot(p, t1),
        dot(p, t2),
        kick.torque[c, 0] / length,
        kick.torque[c, 1] / length,
        kick.torque[c, 2] / length,
    )
    coefficients = (
        material.friction[c],
        material.friction_low[c],
        material.friction_top[c],
        material.restitution[c],
        material.restitution_low[c],
        material.restitution_top[c],
        material.rolling[c] / length,
    )
    tier, residual, restitution, forced, friction, rolling = judge(
        z,
        kick.before[c],
        kick.after[c],
        kick.closing[c],
        kick.pull[c],
        (dot(slip, t1), dot(slip, t2)),
        (r[0] * length, r[1] * length, r[2] * length),
        own_response(contacts, kick, c, at.q, s.bodies),
        coefficients,
        params,
        scale,
    )
    return tier, residual, restitution, forced, friction, rolling * length
