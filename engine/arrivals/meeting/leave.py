"""Leave: how a body that rests or slides alone came to do so, drawn as impulses inside the cones of its contacts.

An impulse in the cones is an arrival that the contacts can stop, so nothing has to be solved for. Of several draws the
first is taken in which every contact closes: a corner that opened before it stopped would have come out of the ground.
"""

from __future__ import annotations

import math

from engine.arrivals.meeting.past import LEAVE, NEVER
from engine.contact.kick import ISLANDS
from engine.decide.chance import chance
from engine.jit import inline, kernel, standalone
from engine.spin import spin_of, velocity_at
from engine.vec import add, axpy, cross, dot, norm, put, quat_row, row, scale, sine_cosine, sub

DRAWS = 24  # ways to leave that are tried in one step
SLOTS = 32  # random numbers of a draw
CALMEST, LIVELIEST = 0.03, 0.35  # share of a body's energy budget that it may land with
GRIP = 0.92  # share of the friction that a drawn impulse uses at most
UNEVEN = 1.6  # how much more than the others a contact may carry
TWISTS = 0.7  # share of the draws in which friction also turns the body about the vertical


@standalone
def leave(s, budget, past, seed, k, params, state, before):
    """Let bodies leave that are due, alone in their islands, and touch nothing that bounces. `state` has the velocities
    after the kick; those `before` it and the impulses are replaced.

    Returns a body for which no draw was any good, or -1."""
    bodies, contacts, kick, islands = s.bodies, s.contacts, s.kick, s.islands
    release, decision, nonce = past.release[k + 1], past.decision[k], past.nonce
    for island in range(s.counts[ISLANDS]):
        first, last = islands.contact_start[island], islands.contact_start[island + 1]
        body = islands.bodies[islands.body_start[island]]
        if islands.body_start[island + 1] - islands.body_start[island] > 1 or release[body] > k:
            continue
        rests = True
        for i in range(first, last):
            rests = rests and kick.after[islands.order[i]] <= params.rest_speed
        if not rests:
            continue
        good = False
        for attempt in range(DRAWS):
            _draw(seed, k, nonce[body], attempt, body, bodies.mass[body], budget[body], params.rest_speed,
                  islands.order[first:last], contacts, kick)  # fmt: skip
            if _closes(s, islands.order[first:last], body, params, state, before):
                good = True
                break
        if not good:
            return body
        decision[body] = LEAVE
        release[body] = NEVER
    return -1


@inline
def _draw(seed, k, nonce, attempt, body, mass, budget, rest_speed, mine, contacts, kick):
    """Impulses of the contacts `mine` that stop a landing with a share of the body's energy budget."""
    at = SLOTS * attempt
    share = CALMEST + (LIVELIEST - CALMEST) * chance(seed, body, -1, k, nonce, at)
    speed = math.sqrt(2.0 * share * budget / mass)
    sine, cosine = sine_cosine(2.0 * math.pi * chance(seed, body, -1, k, nonce, at + 1))
    grip = GRIP * math.sqrt(chance(seed, body, -1, k, nonce, at + 2))
    twist = (2.0 * chance(seed, body, -1, k, nonce, at + 3) - 1.0) * (GRIP - grip)
    if chance(seed, body, -1, k, nonce, at + 4) > TWISTS:
        twist = 0.0
    along = add(scale(cosine, row(kick.t1, mine[0])), scale(sine, row(kick.t2, mine[0])))
    total = 0.0
    for i in range(mine.shape[0]):
        total += _weight(seed, k, nonce, at, body, i)
    for i in range(mine.shape[0]):
        c = mine[i]
        n = row(contacts.normal, c)
        slip = row(kick.slide, c)
        fast = norm(slip)
        if fast > rest_speed:  # friction worked at its bound, against the slide that is known
            pull = scale(-kick.friction[c] / fast, slip)
        else:
            about = cross(n, row(kick.ra, c))
            far = norm(about)
            turning = scale(twist / far, about) if far > 1e-3 * kick.length[c] else (0.0, 0.0, 0.0)
            level = axpy(-dot(along, n), n, along)
            size = norm(level)
            pull = scale(kick.friction[c], axpy(grip / size if size > 1e-9 else 0.0, level, turning))
        push = mass * speed * _weight(seed, k, nonce, at, body, i) / total
        put(kick.impulse, c, scale(push, add(n, pull)))
        put(kick.torque, c, (0.0, 0.0, 0.0))


@kernel
def _weight(seed, k, nonce, at, body, i):
    return 1.0 + UNEVEN * chance(seed, body, -1, k, nonce, at + 8 + i % (SLOTS - 8)) ** 2


@inline
def _closes(s, mine, body, params, state, before):
    """Apply the impulses; does every contact close before them?"""
    bodies, contacts, kick = s.bodies, s.contacts, s.kick
    fall = (params.dt * params.gravity_x, params.dt * params.gravity_y, params.dt * params.gravity_z)
    u, momentum = sub(row(state.v, body), fall), row(state.l, body)
    for i in range(mine.shape[0]):
        p = row(kick.impulse, mine[i])
        u = axpy(-bodies.inverse_mass[body], p, u)
        momentum = sub(momentum, cross(row(kick.ra, mine[i]), p))
    put(before.v, body, u)
    put(before.l, body, momentum)
    w = spin_of(quat_row(before.q, body), bodies.inverse_inertia, body, momentum)
    closes = True
    for i in range(mine.shape[0]):
        c = mine[i]
        closes = closes and dot(velocity_at(u, w, row(kick.ra, c)), row(contacts.normal, c)) < 0.0
    return closes
