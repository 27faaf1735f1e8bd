"""The paper's attraction (001 sec. 4, "Stacking"), for comparison: bodies that something holds in place are not let go.

Backward, the blow that a stack gave to a bouncing body has to be carried by what rests below it, and often contacts
that can only push cannot do that. The paper lets them pull: the normal impulses of bodies that are constrained
(support.py) may have any sign, so that their contacts go on resting. No material does that. The pulls stand on the tape
like any other impulse, are judged ASSISTED there, and count as outside pushes.
"""

from __future__ import annotations

from engine.contact.kick import FREE, PASSIVE, push, relative_velocity
from engine.contact.secants import update_secants
from engine.contact.verdict import own_response
from engine.decide.plan import LEAVING
from engine.decide.support import CONSTRAINED, support_of
from engine.jit import kernel, standalone
from engine.vec import add, axpy, dot, norm, put, row, scale, sub

MOST_ROUNDS = 8  # of secants, as in a kick
MOST_SWEEPS = 4000  # over the contacts of an island; what is left then is small, and shows


@standalone
def attract(plan, contacts, kick, islands, number, touching, x, q, bodies, params, held, v, l, spin):
    """Let constrained bodies be pulled where that keeps them at rest; what joints hold together is left alone.

    (v, l): velocities before the kick, as the law would have them; changed with the impulses. touching: contacts of
    every body; held, spin: work, one for each."""
    for island in range(number):
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
            if _pulls(plan, contacts, kick, held, c, bodies.inverse_mass, params.rest_speed):
                escapes = escapes or _before(contacts, kick, c, q, bodies, v, l) < -params.rest_speed
        change = 1.0 if escapes else 0.0
        for _ in range(MOST_ROUNDS):
            if change <= params.solver_tolerance:
                break
            _hold_on(plan, mine, contacts, kick, held, q, bodies, params, v, l)
            change = update_secants(contacts, kick, islands, island, x, q, bodies.inverse_inertia, v, l, -params.dt,
                                    1.0, spin)  # fmt: skip


@kernel
def _pulls(plan, contacts, kick, held, c, inverse_mass, rest_speed):
    """Whether contact c may pull: it rests, nobody at it is to leave, and one of its bodies is held in place."""
    a, b = contacts.a[c], contacts.b[c]
    moves = inverse_mass[b] > 0.0
    rests = kick.hold[c] == FREE and kick.after[c] <= rest_speed and kick.goal_n[c] == 0.0
    stays = plan.mark[a] != LEAVING and not (moves and plan.mark[b] == LEAVING)
    return rests and stays and (held[a] or (moves and held[b]))


@kernel
def _before(contacts, kick, c, q, bodies, v, l):
    """v_n- of contact c, m/s, under the velocities (v, l)."""
    u, _ = relative_velocity(contacts, kick, c, q, bodies.inverse_inertia, v, l)
    return dot(u, row(contacts.normal, c)) + kick.secant[c]


@kernel
def _hold_on(plan, mine, contacts, kick, held, q, bodies, params, v, l):
    """Impulses of an island by Gauss-Seidel: contacts that may pull keep v_n- = 0, and stick as far as friction allows;
    all others do what was asked of them, without pulling and with the friction that the law had for them."""
    none = (0.0, 0.0, 0.0)
    for _ in range(MOST_SWEEPS):
        largest = 0.0
        for c in mine:
            if kick.hold[c] == PASSIVE:
                continue
            n, p = row(contacts.normal, c), row(kick.impulse, c)
            now = dot(p, n)
            asked = kick.after[c] / kick.restitution[c] if kick.after[c] > params.rest_speed else kick.goal_n[c]
            response, across, _ = own_response(contacts, kick, c, q, bodies)
            normal = now + (_before(contacts, kick, c, q, bodies, v, l) + asked) / response
            level = axpy(-now, n, p)
            if _pulls(plan, contacts, kick, held, c, bodies.inverse_mass, params.rest_speed):
                level = _sticking(contacts, kick, c, q, bodies, level, kick.friction[c] * abs(normal), across, v, l)
            else:
                normal = max(normal, 0.0)
            more = sub(axpy(normal, n, level), p)
            put(kick.impulse, c, add(p, more))
            push(v, l, contacts.a[c], bodies.inverse_mass, row(kick.ra, c), more, none, -1.0)
            push(v, l, contacts.b[c], bodies.inverse_mass, row(kick.rb, c), more, none, 1.0)
            largest = max(largest, norm(more) * response)
        if largest <= params.solver_tolerance:
            return


@kernel
def _sticking(contacts, kick, c, q, bodies, level, most, response, v, l):
    """Friction impulse of contact c, `level` so far, that leaves it without sliding before the kick; no larger than
    `most`."""
    n = row(contacts.normal, c)
    u, _ = relative_velocity(contacts, kick, c, q, bodies.inverse_inertia, v, l)
    wanted = axpy(1.0 / response, axpy(-dot(u, n), n, u), level)
    size = norm(wanted)
    return scale(most / size, wanted) if size > most else wanted
