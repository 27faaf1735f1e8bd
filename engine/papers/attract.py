"""Attraction (Twigg and James 2008, sec. 4, "Stacking"), for comparison: bodies that something holds in place are not
let go.

Backward, the blow that a stack gave to a bouncing body has to be carried by what rests below it, and often contacts
that can only push cannot do that. So they are let pull: the normal impulses of bodies that are constrained
(support.py) may have any sign, so that their contacts go on resting. No material does that. The pulls stand on the tape
like any other impulse, are judged ASSISTED there, and count as outside pushes.
"""

from __future__ import annotations

from engine.contact.kick import FREE, ISLANDS, PASSIVE, push, relative_velocity
from engine.contact.verdict import own_response
from engine.decide.plan import LEAVING
from engine.decide.support import CONSTRAINED, support_of
from engine.jit import inline, kernel, standalone
from engine.kick.rounds import follow
from engine.kick.sides import asked_speed
from engine.vec import add, axpy, dot, norm, put, row, scale, sub

MOST_ROUNDS = 8  # of secants, as in a kick
MOST_SWEEPS = 4000  # over the contacts of an island; what is left then is small, and shows


@standalone
def attract(s, plan, params, before):
    """Let constrained bodies be pulled where that keeps them at rest; what joints hold together is left alone.

    before: velocities before the kick, as the law would have them; changed with the impulses. s.touching has the
    contacts of every body."""
    contacts, kick, islands, touching, held = s.contacts, s.kick, s.islands, s.touching, s.awake
    for island in range(s.counts[ISLANDS]):
        jointed = False
        for i in range(islands.body_start[island], islands.body_start[island + 1]):
            body = islands.bodies[i]
            jointed = jointed or plan.articulation[body] >= 0
            mine = touching.contacts[touching.start[body] : touching.start[body + 1]]
            support = support_of(body, mine, contacts.a, contacts.normal, kick.hold)
            held[body] = support == CONSTRAINED and plan.mark[body] != LEAVING
        if jointed:
            continue
        mine = islands.order[islands.contact_start[island] : islands.contact_start[island + 1]]
        escapes = False
        for c in mine:
            if _pulls(plan, contacts, kick, held, c, s.bodies.inverse_mass, params.rest_speed):
                escapes = escapes or _before(s, c, before) < -params.rest_speed
        change = 1.0 if escapes else 0.0
        for _ in range(MOST_ROUNDS):
            if change <= params.solver_tolerance:
                break
            _hold_on(s, plan, params, mine, before)
            change, _ = follow(s, island, -params.dt, 1.0, before, before)


@kernel
def _pulls(plan, contacts, kick, held, c, inverse_mass, rest_speed):
    """Whether contact c may pull: it rests, nobody at it is to leave, and one of its bodies is held in place."""
    a, b = contacts.a[c], contacts.b[c]
    moves = inverse_mass[b] > 0.0
    rests = kick.hold[c] == FREE and kick.after[c] <= rest_speed and kick.goal_n[c] == 0.0
    stays = plan.mark[a] != LEAVING and not (moves and plan.mark[b] == LEAVING)
    return rests and stays and (held[a] or (moves and held[b]))


@kernel
def _before(s, c, before):
    """v_n- of contact c, m/s."""
    u, _ = relative_velocity(s, c, before, before)
    return dot(u, row(s.contacts.normal, c)) + s.kick.secant[c]


@inline
def _hold_on(s, plan, params, mine, before):
    """Impulses of an island by Gauss-Seidel: contacts that may pull keep v_n- = 0, and stick as far as friction allows;
    all others do what was asked of them, without pulling and with the friction that the law had for them."""
    contacts, kick, bodies, held = s.contacts, s.kick, s.bodies, s.awake
    none = (0.0, 0.0, 0.0)
    for _ in range(MOST_SWEEPS):
        largest = 0.0
        for c in mine:
            if kick.hold[c] == PASSIVE:
                continue
            n, p = row(contacts.normal, c), row(kick.impulse, c)
            now = dot(p, n)
            asked = asked_speed(kick, c, params)
            response, across, _ = own_response(contacts, kick, c, before.q, bodies)
            normal = now + (_before(s, c, before) + asked) / response
            level = axpy(-now, n, p)
            if _pulls(plan, contacts, kick, held, c, bodies.inverse_mass, params.rest_speed):
                level = _sticking(s, c, level, kick.friction[c] * abs(normal), across, before)
            else:
                normal = max(normal, 0.0)
            more = sub(axpy(normal, n, level), p)
            put(kick.impulse, c, add(p, more))
            push(before, contacts.a[c], bodies.inverse_mass, row(kick.ra, c), more, none, -1.0)
            push(before, contacts.b[c], bodies.inverse_mass, row(kick.rb, c), more, none, 1.0)
            largest = max(largest, norm(more) * response)
        if largest <= params.solver_tolerance:
            return


@inline
def _sticking(s, c, level, most, response, before):
    """Friction impulse of contact c, `level` so far, that leaves it without sliding before the kick; no larger than
    `most`."""
    n = row(s.contacts.normal, c)
    u, _ = relative_velocity(s, c, before, before)
    wanted = axpy(1.0 / response, axpy(-dot(u, n), n, u), level)
    size = norm(wanted)
    return scale(most / size, wanted) if size > most else wanted
