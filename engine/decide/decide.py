"""Decide: the stage of a backward step in which the plan speaks. Coefficients of every contact, goals of those whose
body is to leave rest."""

from __future__ import annotations

from engine.contact.kick import CONTACTS, body_speed
from engine.decide.chain import come_in, follow_slides, move_on
from engine.decide.coefficients import choose
from engine.decide.launch import ask, from_the_open_side
from engine.decide.plan import DUE, LEAVING, LEFT, NEXT, STUCK
from engine.decide.support import CONSTRAINED, RIGHT_ANGLE, UNTOUCHED, support_of
from engine.jit import inline, kernel, standalone
from engine.vec import dot, norm, row

LEVEL_PULL = 1e-6  # friction: gravity along a way that is level but for rounding


@kernel
def call_up(plan, time):
    """Bodies that should leave rest at `time` (s before the end) join those that have been waiting to."""
    move_on(plan, time)
    last = plan.queue.shape[0]
    while plan.counts[NEXT] < last and plan.time[plan.queue[plan.counts[NEXT]]] <= time + 1e-12:
        plan.due[plan.counts[DUE]] = plan.queue[plan.counts[NEXT]]
        plan.counts[DUE] += 1
        plan.counts[NEXT] += 1


@standalone
def decide(s, plan, time, params, at, after):
    """Coefficients and goals of the contacts; `at` is the configuration, `after` has the velocities after the kick."""
    count, contacts, kick, material, v = s.counts[CONTACTS], s.contacts, s.kick, s.material, after.v
    touching = s.touching
    choose(s, plan, time, params, at, after)
    follow_slides(plan, params.dt, v)
    _hold_slides(plan, time, count, contacts, kick, material, params, v)
    for i in range(plan.counts[DUE]):
        body = plan.due[i]
        first, last = touching.start[body], touching.start[body + 1]
        mine = touching.contacts[first:last]
        support = support_of(body, mine, contacts.a, contacts.normal, kick.hold)
        if plan.articulation[body] >= 0:
            if not _may_leave(plan, plan.articulation[body], count, contacts, kick.hold):
                continue
        elif support == CONSTRAINED:
            continue
        velocity = row(plan.velocity, body)
        moving = plan.stage[body] > 0
        if moving and not come_in(plan, body, mine, contacts, kick, material, v, params.rest_speed):
            continue
        if plan.drawn[body]:
            velocity = from_the_open_side(mine, contacts, kick, body, velocity, params.rest_speed)
        asked = ask(mine, contacts, kick, body, velocity, row(plan.spin, body), at.x, params.rest_speed,
                    plan.slide[body], plan.roll[body])  # fmt: skip
        if asked > 0 or support == UNTOUCHED or moving or plan.articulation[body] >= 0:
            plan.mark[body] = LEAVING


@inline
def _may_leave(plan, group, count, contacts, hold):
    """Whether no two contacts of an articulation with other bodies oppose each other (support.py)."""
    for c in range(count):
        inside = plan.articulation[contacts.a[c]] == group
        if hold[c] != 0 or inside == (plan.articulation[contacts.b[c]] == group):
            continue
        for d in range(c):
            other = plan.articulation[contacts.a[d]] == group
            if hold[d] != 0 or other == (plan.articulation[contacts.b[d]] == group):
                continue
            product = dot(row(contacts.normal, c), row(contacts.normal, d))
            if (product if inside == other else -product) < -RIGHT_ANGLE:
                return False
    return True


@inline
def _hold_slides(plan, time, count, contacts, kick, material, params, v):
    """A sliding body that has reached its asked-for speed or length slides on with the least friction it may have, on
    a slope with as much as gravity pulls; until then with no more than keeps it from tipping."""
    gravity = (params.gravity_x, params.gravity_y, params.gravity_z)
    for c in range(count):
        for side in range(2):
            body = contacts.a[c] if side == 0 else contacts.b[c]
            if plan.held[body]:
                pull = dot(gravity, row(v, body))
                press = abs(dot(gravity, row(contacts.normal, c))) * norm(row(v, body))
                steady = pull / press if pull > LEVEL_PULL * press else 0.0
                kick.friction[c] = max(min(kick.friction[c], steady), material.friction_low[c])
            elif plan.slide[body] and plan.time[body] <= time:
                kick.friction[c] = min(kick.friction[c], max(plan.grip[body], material.friction_low[c]))


@standalone
def see_off(plan, bodies, rest_speed, at, before):
    """After the kick: those who were asked to leave have left, or are stuck. `before` has the velocities before it."""
    remain = 0
    for i in range(plan.counts[DUE]):
        body = plan.due[i]
        if plan.mark[body] == LEAVING:
            moves = body_speed(bodies, body, at, before) > rest_speed
            plan.mark[body] = LEFT if moves else STUCK
        else:
            plan.due[remain] = body
            remain += 1
    plan.counts[DUE] = remain
