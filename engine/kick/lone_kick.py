"""Kick of an island that is one contact without rolling friction: no rows, no factorisation (lone.py has the algebra).

The secant of the gap depends on the answer through one number only, so the outer loop is a root search in it. Where the
closed form does not reach the tolerance the caller turns to the general solver. Everything is kept in vectors: most
islands of a scene of loose bodies come here.
"""

from __future__ import annotations

from engine.collide.features import gap_rate
from engine.contact.lone import lone_impulse, lone_residual
from engine.jit import kernel
from engine.kick.rounds import MOST_ROUNDS, strict_tolerance
from engine.spin import midpoint_spin, spin_of, velocity_at
from engine.vec import add, cross, dot, put, quat_row, rotate, row, scale, sub


@kernel
def _body_part(s, c, body, r, fall, at, given):
    """(velocity at the contact with gravity's share, responses nn, n1, n2, 11, 12, 22) of one body."""
    inverse_inertia, light = s.bodies.inverse_inertia, s.bodies.inverse_mass[body]
    if light == 0.0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    turn = quat_row(at.q, body)
    w = spin_of(turn, inverse_inertia, body, row(given.l, body))
    u = velocity_at(add(row(given.v, body), fall), w, r)
    an = cross(r, row(s.contacts.normal, c))
    a1 = cross(r, row(s.kick.t1, c))
    a2 = cross(r, row(s.kick.t2, c))
    sn = spin_of(turn, inverse_inertia, body, an)
    s1 = spin_of(turn, inverse_inertia, body, a1)
    s2 = spin_of(turn, inverse_inertia, body, a2)
    return u, (light + dot(an, sn), dot(an, s1), dot(an, s2), light + dot(a1, s1), dot(a1, s2), light + dot(a2, s2))


@kernel
def lone_system(s, params, c, sign, at, given):
    """One contact by itself: velocities (n, t1, t2) with gravity's share, and the responses."""
    contacts, kick, h = s.contacts, s.kick, sign * params.dt
    fall = (h * params.gravity_x, h * params.gravity_y, h * params.gravity_z)
    ua, wa = _body_part(s, c, contacts.a[c], row(kick.ra, c), fall, at, given)
    ub, wb = _body_part(s, c, contacts.b[c], row(kick.rb, c), fall, at, given)
    u = sub(ua, ub)
    responses = (wa[0] + wb[0], wa[1] + wb[1], wa[2] + wb[2], wa[3] + wb[3], wa[4] + wb[4], wa[5] + wb[5])
    return (dot(u, row(contacts.normal, c)), dot(u, row(kick.t1, c)), dot(u, row(kick.t2, c))), responses


@kernel
def folded(responses, friction, d):
    """Response of the rows to a normal impulse that drags friction along the unit slide d (zero: no friction)."""
    w = responses
    return (
        w[0] - friction * (d[0] * w[1] + d[1] * w[2]),
        w[1] - friction * (d[0] * w[3] + d[1] * w[4]),
        w[2] - friction * (d[0] * w[4] + d[1] * w[5]),
    )


@kernel
def _across(bodies, body, fall, r, p, h, at, given):
    """(velocity, angular momentum, spin, midpoint spin of the drift h) of a body given the impulse p at offset r."""
    light, inverse_inertia = bodies.inverse_mass[body], bodies.inverse_inertia
    u = row(given.v, body)
    momentum = row(given.l, body)
    if light == 0.0:
        return u, momentum, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    u = add(add(u, fall), scale(light, p))
    momentum = add(momentum, cross(r, p))
    turn = quat_row(at.q, body)
    middle = midpoint_spin(turn, inverse_inertia, body, momentum, h)
    return u, momentum, spin_of(turn, inverse_inertia, body, momentum), middle


@kernel
def lone_kick(s, params, c, sign, system, speed, accepted, at, given, found):
    """Impulse, secant and velocities across the kick of contact c, alone in its island.

    system: right-hand side without the secant, responses, mu, friction, d. Either mu > 0, or the contact slides along d
    with `friction` folded in. Returns the residual relative to 1 + speed, above the tolerance when this failed."""
    contacts, kick, inverse_mass = s.contacts, s.kick, s.bodies.inverse_mass
    right, responses, mu, friction, d = system
    a = contacts.a[c]
    b = contacts.b[c]
    n = row(contacts.normal, c)
    t1 = row(kick.t1, c)
    t2 = row(kick.t2, c)
    ra = row(kick.ra, c)
    rb = row(kick.rb, c)
    xa = row(at.x, a)
    xb = row(at.x, b)
    qa = quat_row(at.q, a)
    qb = quat_row(at.q, b)
    point_a, dir_a = add(xa, rotate(qa, row(contacts.point_a, c))), rotate(qa, row(contacts.dir_a, c))
    point_b, dir_b = add(xb, rotate(qb, row(contacts.point_b, c))), rotate(qb, row(contacts.dir_b, c))
    feature_a = contacts.kind_a[c], point_a, dir_a, contacts.circle_a[c]
    feature_b = contacts.kind_b[c], point_b, dir_b, contacts.circle_b[c]
    h = sign * params.dt
    fall = (h * params.gravity_x, h * params.gravity_y, h * params.gravity_z)
    t = (responses[1], responses[2], responses[3], responses[4], responses[5])
    column = folded(responses, friction, d)
    limit = strict_tolerance(params.solver_tolerance, speed) * (1.0 + speed)
    p = row(kick.impulse, c)
    z = (dot(p, n), dot(p, t1), dot(p, t2))
    secant = 0.0
    last_secant = 0.0
    last_miss = 0.0
    residual = 0.0
    start = 0 if accepted > 0.0 else 1  # round 0 only looks whether the impulse at hand is good enough
    for k in range(start, MOST_ROUNDS):
        if k > 0:
            b_k = (right[0] + sign * secant, right[1], right[2])
            z = lone_impulse(b_k, column, t, mu)
            residual = lone_residual(z, b_k, column, t, mu, params.painleve_share, responses[0])
            if not residual <= limit:
                break
            p = scale(z[0], n)
            p = add(p, scale(z[1] - friction * d[0] * z[0], t1))
            p = add(p, scale(z[2] - friction * d[1] * z[0], t2))
        va, la, wa, middle_a = _across(s.bodies, a, fall, ra, scale(sign, p), h, at, given)
        vb, lb, wb, middle_b = _across(s.bodies, b, fall, rb, scale(-sign, p), h, at, given)
        rate = gap_rate((feature_a, (xa, va, middle_a)), (feature_b, (xb, vb, middle_b)), n, h)
        secant_found = rate - dot(sub(velocity_at(va, wa, ra), velocity_at(vb, wb, rb)), n)
        miss = secant_found - secant
        if k == 0:
            b_k = (right[0] + sign * secant_found, right[1], right[2])
            residual = lone_residual(z, b_k, column, t, mu, params.painleve_share, responses[0])
            done = residual <= accepted * (1.0 + speed)
        else:
            done = abs(miss) <= limit
        if done:
            put(kick.impulse, c, p)
            put(kick.torque, c, (0.0, 0.0, 0.0))
            kick.secant[c] = secant_found
            if inverse_mass[a] > 0.0:
                put(found.v, a, va)
                put(found.l, a, la)
            if inverse_mass[b] > 0.0:
                put(found.v, b, vb)
                put(found.l, b, lb)
            return residual / (1.0 + speed)
        if k > 0:
            slope = (miss - last_miss) / (secant - last_secant) if k > 1 and secant != last_secant else -1.0
            last_secant = secant
            last_miss = miss
            # The secant method, unless a change between stick and slip has bent the line it draws.
            secant = secant - miss / slope if -2.0 < slope < -0.5 else secant_found
    return max(residual, 1.0)
