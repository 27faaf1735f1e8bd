"""Kick of an island that is one contact without rolling friction: no rows, no factorisation (lone.py has the algebra).

The secant of the gap depends on the answer through one number only, so the outer loop is a root search in it. Where the
closed form does not reach the tolerance the caller turns to the general solver.
"""

from __future__ import annotations

from engine.contact.kick import apply_impulses
from engine.contact.lone import lone_impulse, lone_residual
from engine.contact.secants import MOST_SECANT_ROUNDS, strict_tolerance, update_secants
from engine.jit import kernel
from engine.spin import spin_of, velocity_at
from engine.vec import add, cross, dot, put, quat_row, row, scale, sub


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
def lone_system(contacts, kick, c, q, inverse_mass, inverse_inertia, v, l, fall):
    """Contact c by itself: velocities (n, t1, t2) with the velocity change `fall` of gravity, and the responses."""
    n = row(contacts.normal, c)
    t1 = row(kick.t1, c)
    t2 = row(kick.t2, c)
    ua, wa = _body_part(q, inverse_mass, inverse_inertia, contacts.a[c], row(kick.ra, c), v, l, fall, n, t1, t2)
    ub, wb = _body_part(q, inverse_mass, inverse_inertia, contacts.b[c], row(kick.rb, c), v, l, fall, n, t1, t2)
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
def _put_impulse(contacts, kick, c, z):
    p = scale(z[0], row(contacts.normal, c))
    p = add(p, scale(z[1], row(kick.t1, c)))
    put(kick.impulse, c, add(p, scale(z[2], row(kick.t2, c))))
    put(kick.torque, c, (0.0, 0.0, 0.0))


@kernel
def lone_kick(contacts, kick, islands, island, x, q, v, l, bodies, params, sign, b, responses, mu, friction, d, scale_,
              accepted, v_out, l_out, spin):  # fmt: skip
    """Impulse, secant and velocities across the kick (sign +1 forward, -1 backward) of a one-contact island.

    b: right-hand side without the secant. Either mu > 0, or the contact slides along d with `friction` folded in.
    `scale_` is one plus the speed. Returns the residual relative to it, above the tolerance when this failed."""
    c = islands.order[islands.contact_start[island]]
    t = (responses[1], responses[2], responses[3], responses[4], responses[5])
    h = folded(responses, friction, d)
    limit = strict_tolerance(params.solver_tolerance, scale_ - 1.0) * scale_
    if accepted > 0.0:
        p = row(kick.impulse, c)
        apply_impulses(contacts, kick, islands, island, bodies.inverse_mass, sign, params, v, l, v_out, l_out)
        update_secants(contacts, kick, islands, island, x, q, bodies.inverse_inertia, v_out, l_out,
                       sign * params.dt, 1.0, spin)  # fmt: skip
        z = (dot(p, row(contacts.normal, c)), dot(p, row(kick.t1, c)), dot(p, row(kick.t2, c)))
        residual = lone_residual(z, (b[0] + sign * kick.secant[c], b[1], b[2]), h, t, mu, params.painleve_share,
                                 responses[0])  # fmt: skip
        if residual <= accepted * scale_:
            return residual / scale_
    secant = 0.0
    last_secant = 0.0
    last_miss = 0.0
    residual = 0.0
    for k in range(MOST_SECANT_ROUNDS):
        right = (b[0] + sign * secant, b[1], b[2])
        z = lone_impulse(right, h, t, mu)
        residual = lone_residual(z, right, h, t, mu, params.painleve_share, responses[0])
        if not residual <= limit:
            break
        _put_impulse(contacts, kick, c, (z[0], z[1] - friction * d[0] * z[0], z[2] - friction * d[1] * z[0]))
        kick.secant[c] = secant
        apply_impulses(contacts, kick, islands, island, bodies.inverse_mass, sign, params, v, l, v_out, l_out)
        change = update_secants(contacts, kick, islands, island, x, q, bodies.inverse_inertia, v_out, l_out,
                                sign * params.dt, 1.0, spin)  # fmt: skip
        if change <= limit:
            break
        miss = kick.secant[c] - secant
        slope = (miss - last_miss) / (secant - last_secant) if k > 0 and secant != last_secant else -1.0
        last_secant = secant
        last_miss = miss
        # The secant method, unless a change between stick and slip has bent the line it draws.
        secant = secant - miss / slope if -2.0 < slope < -0.5 else kick.secant[c]
    return residual / scale_
