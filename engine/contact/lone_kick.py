"""Kick of an island that is one contact without rolling friction: no rows, no factorisation (lone.py has the algebra).

The secant of the gap depends on the answer through one number only, so the outer loop is a root search in it. Where the
closed form does not reach the tolerance the caller turns to the general solver. Everything is kept in vectors, and the
big tuples of arrays are handed on once: most islands of a scene of loose bodies come here, and handing tuples to every
small kernel costs more than what it does.
"""

from __future__ import annotations

from engine.collide.features import gap_rate
from engine.contact.lone import lone_impulse, lone_residual
from engine.contact.secants import MOST_SECANT_ROUNDS, strict_tolerance
from engine.jit import kernel
from engine.spin import midpoint_spin, spin_of, velocity_at
from engine.vec import add, cross, dot, put, quat_row, rotate, row, scale, sub


@kernel
def _body_part(q, inverse_mass, inverse_inertia, body, r, v, l, fall, n, t1, t2):
    """(velocity at the contact with gravity's share, responses nn, n1, n2, 11, 12, 22) of one body."""
    if inverse_mass[body] == 0.0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    turn = quat_row(q, body)
    w = spin_of(turn, inverse_inertia, body, row(l, body))
    u = velocity_at(add(row(v, body), fall), w, r)
    an = cross(r, n)
    a1 = cross(r, t1)
    a2 = cross(r, t2)
    sn = spin_of(turn, inverse_inertia, body, an)
    s1 = spin_of(turn, inverse_inertia, body, a1)
    s2 = spin_of(turn, inverse_inertia, body, a2)
    light = inverse_mass[body]
    return u, (light + dot(an, sn), dot(an, s1), dot(an, s2), light + dot(a1, s1), dot(a1, s2), light + dot(a2, s2))


@kernel
def lone_system(a, b, n, t1, t2, ra, rb, q, inverse_mass, inverse_inertia, v, l, fall):
    """One contact by itself: velocities (n, t1, t2) with the velocity change `fall` of gravity, and the responses."""
    ua, wa = _body_part(q, inverse_mass, inverse_inertia, a, ra, v, l, fall, n, t1, t2)
    ub, wb = _body_part(q, inverse_mass, inverse_inertia, b, rb, v, l, fall, n, t1, t2)
    u = sub(ua, ub)
    responses = (wa[0] + wb[0], wa[1] + wb[1], wa[2] + wb[2], wa[3] + wb[3], wa[4] + wb[4], wa[5] + wb[5])
    return (dot(u, n), dot(u, t1), dot(u, t2)), responses


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
def _across(body, q, inverse_mass, inverse_inertia, v, l, fall, r, p, h):
    """(velocity, angular momentum, spin, midpoint spin of the drift h) of a body given the impulse p at offset r."""
    light = inverse_mass[body]
    u = row(v, body)
    momentum = row(l, body)
    if light == 0.0:
        return u, momentum, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    u = add(add(u, fall), scale(light, p))
    momentum = add(momentum, cross(r, p))
    turn = quat_row(q, body)
    middle = midpoint_spin(turn, inverse_inertia, body, momentum, h)
    return u, momentum, spin_of(turn, inverse_inertia, body, momentum), middle


@kernel
def lone_kick(contacts, kick, c, x, q, v, l, inverse_mass, inverse_inertia, params, sign, right, responses, mu,
              friction, d, speed, accepted, v_out, l_out):  # fmt: skip
    """Impulse, secant and velocities across the kick (sign +1 forward, -1 backward) of contact c, alone in its island.

    right: right-hand side without the secant. Either mu > 0, or the contact slides along d with `friction` folded in.
    Returns the residual relative to 1 + speed, above the tolerance when this failed."""
    a = contacts.a[c]
    b = contacts.b[c]
    n = row(contacts.normal, c)
    t1 = row(kick.t1, c)
    t2 = row(kick.t2, c)
    ra = row(kick.ra, c)
    rb = row(kick.rb, c)
    xa = row(x, a)
    xb = row(x, b)
    point_a = add(xa, rotate(quat_row(q, a), row(contacts.point_a, c)))
    point_b = add(xb, rotate(quat_row(q, b), row(contacts.point_b, c)))
    dir_a = rotate(quat_row(q, a), row(contacts.dir_a, c))
    dir_b = rotate(quat_row(q, b), row(contacts.dir_b, c))
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
    for k in range(start, MOST_SECANT_ROUNDS):
        if k > 0:
            b_k = (right[0] + sign * secant, right[1], right[2])
            z = lone_impulse(b_k, column, t, mu)
            residual = lone_residual(z, b_k, column, t, mu, params.painleve_share, responses[0])
            if not residual <= limit:
                break
            p = scale(z[0], n)
            p = add(p, scale(z[1] - friction * d[0] * z[0], t1))
            p = add(p, scale(z[2] - friction * d[1] * z[0], t2))
        va, la, wa, middle_a = _across(a, q, inverse_mass, inverse_inertia, v, l, fall, ra, scale(sign, p), h)
        vb, lb, wb, middle_b = _across(b, q, inverse_mass, inverse_inertia, v, l, fall, rb, scale(-sign, p), h)
        rate = gap_rate(contacts.kind_a[c], point_a, dir_a, contacts.circle_a[c], va, middle_a,
                        contacts.kind_b[c], point_b, dir_b, contacts.circle_b[c], vb, middle_b,
                        contacts.round[c], xa, xb, n, h)  # fmt: skip
        found = rate - dot(sub(velocity_at(va, wa, ra), velocity_at(vb, wb, rb)), n)
        miss = found - secant
        if k == 0:
            b_k = (right[0] + sign * found, right[1], right[2])
            residual = lone_residual(z, b_k, column, t, mu, params.painleve_share, responses[0])
            done = residual <= accepted * (1.0 + speed)
        else:
            done = abs(miss) <= limit
        if done:
            put(kick.impulse, c, p)
            put(kick.torque, c, (0.0, 0.0, 0.0))
            kick.secant[c] = found
            if inverse_mass[a] > 0.0:
                put(v_out, a, va)
                put(l_out, a, la)
            if inverse_mass[b] > 0.0:
                put(v_out, b, vb)
                put(l_out, b, lb)
            return residual / (1.0 + speed)
        if k > 0:
            slope = (miss - last_miss) / (secant - last_secant) if k > 1 and secant != last_secant else -1.0
            last_secant = secant
            last_miss = miss
            # The secant method, unless a change between stick and slip has bent the line it draws.
            secant = secant - miss / slope if -2.0 < slope < -0.5 else found
    return max(residual, 1.0)
