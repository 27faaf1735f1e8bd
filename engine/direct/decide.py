"""Decide: the stage of a backward step in which the plan speaks. Coefficients of every contact, goals of those whose
body is to leave rest."""

from __future__ import annotations

import math

from engine.contact.kick import body_speed
from engine.direct.coefficients import choose
from engine.direct.launch import ask, from_the_open_side
from engine.direct.plan import DUE, LEAVING, LEFT, NEXT, STUCK, WAITING
from engine.direct.support import CONSTRAINED, UNTOUCHED, support_of
from engine.jit import kernel, standalone
from engine.vec import norm, row


@kernel
def call_up(plan, time):
    """Bodies that should leave rest at `time` (s before the end) join those that have been waiting to."""
    last = plan.queue.shape[0]
    while plan.counts[NEXT] < last and plan.time[plan.queue[plan.counts[NEXT]]] <= time + 1e-12:
        plan.due[plan.counts[DUE]] = plan.queue[plan.counts[NEXT]]
        plan.counts[DUE] += 1
        plan.counts[NEXT] += 1


@standalone
def decide(plan, time, count, contacts, kick, material, touching, bodies, params, x, q, v, l):
    """Coefficients and goals of the contacts; (x, q) is the configuration, (v, l) the velocities after the kick."""
    choose(plan, time, count, contacts, kick, material, bodies, params, x, q, v, l)
    _hold_slides(plan, count, contacts, kick, material)
    for i in range(plan.counts[DUE]):
        body = plan.due[i]
        first, last = touching.start[body], touching.start[body + 1]
        mine = touching.contacts[first:last]
        support = support_of(body, mine, contacts.a, contacts.normal, kick.hold)
        if support == CONSTRAINED:
            continue
        velocity = row(plan.velocity, body)
        if plan.drawn[body]:
            velocity = from_the_open_side(mine, contacts, kick, body, velocity, params.rest_speed)
        asked = ask(mine, contacts, kick, body, velocity, row(plan.spin, body), x, params.rest_speed,
                    plan.slide[body], plan.roll[body])  # fmt: skip
        if asked > 0 or support == UNTOUCHED:
            plan.mark[body] = LEAVING


@kernel
def _hold_slides(plan, count, contacts, kick, material):
    """A sliding body that has reached its asked-for speed slides on with the least friction it may have."""
    for c in range(count):
        a, b = contacts.a[c], contacts.b[c]
        fast = norm(row(kick.slide, c))
        if _is_held(plan, a, fast) or _is_held(plan, b, fast):
            kick.friction[c] = material.friction_low[c]


@kernel
def _is_held(plan, body, speed):
    limit = plan.fastest[body]
    return plan.slide[body] and plan.mark[body] != WAITING and math.isfinite(limit) and speed >= limit


@standalone
def see_off(plan, bodies, rest_speed, q, v, l):
    """After the kick: those who were asked to leave have left, or are stuck. (v, l) are the velocities before it."""
    remain = 0
    for i in range(plan.counts[DUE]):
        body = plan.due[i]
        if plan.mark[body] == LEAVING:
            moves = body_speed(body, bodies.size, q, bodies.inverse_inertia, v, l) > rest_speed
            plan.mark[body] = LEFT if moves else STUCK
        else:
            plan.due[remain] = body
            remain += 1
    plan.counts[DUE] = remain


@kernel
def damp(plan, dt, l):
    """The paper's angular damping of the momenta before the kick: an outside torque."""
    if plan.damping != 0.0:
        for body in range(l.shape[0]):
            for k in range(3):
                l[body, k] += -plan.damping * dt * l[body, k]
