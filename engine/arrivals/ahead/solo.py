"""One step backward of a single body; all others stand still, whatever it does to them.

The step of engine/step/backward.py without sleep: nobody else is awake, and nobody wakes. s.bodies has mass and inertia
only for the body. What it is told: (plan, body, glance, evening, counts), see flight.py.
"""

from __future__ import annotations

from engine.arrivals.ahead.around import detect_one, only_one
from engine.arrivals.ahead.even import share_again
from engine.arrivals.structure import LEANS
from engine.contact.kick import APART, CONTACTS, FREE, body_speed, speeds_after
from engine.decide.decide import call_up, decide, see_off
from engine.decide.plan import DUE
from engine.jit import bound, inline, kernel
from engine.kick.backward import backward_kick
from engine.step.ahead import add_ahead, meet_passed_before
from engine.step.backward import LAWFUL, backward_step
from engine.step.drift import drift
from engine.step.stages import group_by_body, judge_contacts, open_contacts, recall_impulses
from engine.vec import add, dot, norm, put, row, scale, sub

EVENTS, LAST, BLOCKER, STATUS, GLANCED = range(5)
"""Flight.counts: events, last step, who stands in the way (-1: nobody), status of NO_ROOM, whether it glanced off."""


@inline
def nobody_wakes(s, told, time):
    call_up(told[0], time)


@inline
def drift_alone(s, params, state, before):
    b = only_one(s.awake)
    drift(state.x[b : b + 1], state.q[b : b + 1], state.v[b : b + 1], state.l[b : b + 1],
          s.bodies.inverse_inertia[b : b + 1], -params.dt, before.x[b : b + 1], before.q[b : b + 1],
          s.spin[b : b + 1])  # fmt: skip


@inline
def look_alone(s, told, params, state, before):
    count, status = detect_one(
        s.geometry, s.detect, s.contacts, before.x, before.q, state.x, state.q, s.awake, s.is_static, params.slop
    )
    if status == 0:
        count, status = add_ahead(s, count)
    s.counts[CONTACTS] = count
    if status == 0 and count > 0:
        open_contacts(s, params, before)
        recall_impulses(s)
    return status


@inline
def measure_alone(s, params, state, before):
    speeds_after(s, params, before, state)


@inline
def sides_do_not_matter(s, told, params, state, before):
    leave_sides_alone(s, params)
    return LAWFUL


@inline
def choose_alone(s, told, time, params, state, before):
    plan, body, glance, _, counts = told
    if plan.counts[DUE] > 0:
        group_by_body(s.counts[CONTACTS], s.contacts.a, s.contacts.b, s.touching)
    decide(s, plan, time, params, before, state)
    counts[GLANCED] = 1 if glance_off(s, body, glance) else 0
    hold_others(s, params, body, state)


@inline
def undo_alone(s, params, state, before):
    return backward_kick(s, params, before, state, before)


@inline
def meet_alone(s, params, before):
    b = only_one(s.awake)
    spin = norm(row(before.l, b)) * s.passing.stiffest[b]
    if params.dt * (norm(row(before.v, b)) + spin * s.bodies.size[b]) <= s.passing.thinnest[0]:
        return 0, 0
    return meet_passed_before(s, params, before)


@inline
def others_stand_still(s, told, params, state, before):
    still_others(s, told[1], before)
    still_others(s, told[1], state)
    return LAWFUL


@inline
def nobody_sleeps(s, params, state, before):
    return


@inline
def see_one_off(s, told, params, before):
    see_off(told[0], s.bodies, params.rest_speed, before, before)


@inline
def judge_alone(s, told, params, before):
    _, body, _, evening, _ = told
    speed = body_speed(s.bodies, body, before, before)
    share_again(s.counts[CONTACTS], s.contacts, s.kick, body, s.bodies.size, before.x, speed, params, evening)
    judge_contacts(s, params, before, before)


@inline
def leave_sides_alone(s, params):
    """Whoever stays beside a neighbour, at rest or sliding along its face, need not push it: such a contact has no rows
    and must obey the law all the same. It could wedge the body between its neighbours, and drag them along."""
    kick = s.kick
    g = (params.gravity_x, params.gravity_y, params.gravity_z)
    for c in range(s.counts[CONTACTS]):
        if kick.hold[c] == FREE and abs(kick.after[c]) <= params.rest_speed:
            if abs(dot(row(s.contacts.normal, c), g)) <= LEANS * norm(g):
                kick.hold[c] = APART


@inline
def hold_others(s, params, body, state):
    """As rows of the body's island those it touches are given gravity: let them come with what it takes away, so that
    they are at rest where the kick judges its answers."""
    for c in range(s.counts[CONTACTS]):
        other = s.contacts.b[c] if s.contacts.a[c] == body else s.contacts.a[c]
        put(state.v, other, (params.dt * params.gravity_x, params.dt * params.gravity_y, params.dt * params.gravity_z))


@kernel
def still_others(s, body, side):
    """Whoever the body touches stays at rest."""
    for c in range(s.counts[CONTACTS]):
        other = s.contacts.b[c] if s.contacts.a[c] == body else s.contacts.a[c]
        for k in range(3):
            side.v[other, k] = 0.0
            side.l[other, k] = 0.0


@inline
def glance_off(s, body, glance):
    """Ask a bounce of a body that leaves without sliding for the level speed it took away. glance: of the friction over
    the normal impulse, a vector against the level motion; and the least speed (m/s) at which it bounces off then.

    Where nothing slides after a kick, any friction inside the cone explains it."""
    contacts, kick = s.contacts, s.kick
    lean, least = (glance[0], glance[1], glance[2]), glance[3]
    if lean[0] == 0.0 and lean[1] == 0.0 and lean[2] == 0.0:
        return False
    asked = False
    for c in range(s.counts[CONTACTS]):
        if kick.hold[c] == FREE and kick.after[c] > least:
            sign = 1.0 if contacts.a[c] == body else -1.0
            n = row(contacts.normal, c)
            level = sub(lean, scale(dot(lean, n), n))
            fast = (1.0 + 1.0 / kick.restitution[c]) * kick.after[c]
            put(kick.goal_t, c, add(row(kick.goal_t, c), scale(-sign * fast, level)))
            asked = True
    return asked


solo_step = bound(
    backward_step,
    "solo_step",
    begin=nobody_wakes,
    come_from=drift_alone,
    look=look_alone,
    measure=measure_alone,
    doubt=sides_do_not_matter,
    choose=choose_alone,
    undo=undo_alone,
    meet=meet_alone,
    answer=others_stand_still,
    rest=nobody_sleeps,
    see_out=see_one_off,
    judge=judge_alone,
    STOPS_ALONE=True,
)
