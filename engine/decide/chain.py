"""Chains: several hints on one body, latest first: it slid to rest, before that it landed, before that it bounced.

Before a slide a stage begins when its own time has come or, without one, when the slide has its length; before a hop at
the bounce where that began. A landing into a slide and a bounce into a hop are no free choice any more: friction acts
at its bound along the slide, and the bounce follows from how it went on. What is left to choose are the coefficients,
in the artist's ranges; they are set so that the body came in as asked, as far as they reach.
"""

from __future__ import annotations

import math

from engine.decide.plan import DUE, LEFT, WAITING
from engine.jit import inline
from engine.vec import dot, norm, row, scale, sub


@inline
def move_on(plan, time):
    """Bodies whose current stage is over at `time` (s before the end) take up the next and join those who wait."""
    for i in range(plan.chained.shape[0]):
        body = plan.chained[i]
        k = plan.next[body]
        if k < 0 or plan.mark[body] != LEFT or not _is_over(plan, body, plan.later.time[k], time):
            continue
        for j in range(3):
            plan.velocity[body, j] = plan.later.velocity[k, j]
            plan.spin[body, j] = plan.later.spin[k, j]
        plan.slide[body] = False
        plan.roll[body] = False
        plan.held[body] = False
        plan.stage[body] += 1
        plan.next[body] = plan.later.next[k]
        plan.mark[body] = WAITING
        plan.due[plan.counts[DUE]] = body
        plan.counts[DUE] += 1


@inline
def _is_over(plan, body, own_time, time):
    if not plan.slide[body]:
        return True  # the bounce at which its hop began is where it is, whatever time was asked
    if math.isfinite(own_time):
        return own_time <= time + 1e-12
    if math.isfinite(plan.reach[body]):
        return plan.way[body] >= plan.reach[body]
    return plan.held[body]


@inline
def follow_slides(plan, dt, v):
    """How far each sliding body has come, and whether it is as fast as it should get. v: velocities after the kick."""
    for i in range(plan.sliders.shape[0]):
        body = plan.sliders[i]
        if plan.slide[body] and plan.mark[body] == LEFT:
            speed = norm(row(v, body))
            plan.way[body] += dt * speed
            plan.held[body] = speed >= plan.fastest[body] or plan.way[body] >= plan.reach[body]


@inline
def come_in(plan, body, mine, contacts, kick, material, v, rest_speed):
    """Choose coefficients of a moving body's contacts such that it came in with the velocity of its stage.

    Returns whether it touches anything."""
    touched = False
    wanted = row(plan.velocity, body)
    now = row(v, body)
    for i in range(mine.shape[0]):
        c = mine[i]
        if kick.hold[c] != 0:
            continue
        touched = True
        n = scale(1.0 if contacts.a[c] == body else -1.0, row(contacts.normal, c))
        into = max(-dot(wanted, n), 0.0)
        if kick.after[c] > rest_speed:
            low, top = material.restitution_low[c], material.restitution_top[c]
            if into > 0.0:
                kick.restitution[c] = min(max(kick.after[c] / into, low), top)
            into = kick.after[c] / kick.restitution[c]
        slip = row(kick.slide, c)
        fast = norm(slip)
        if fast > rest_speed:
            along = scale((1.0 if contacts.a[c] == body else -1.0) / fast, slip)
            gained = dot(sub(wanted, now), along)
            push = into + max(dot(now, n), 0.0)
            friction = gained / push if push > 0.0 else kick.friction[c]
            top = min(material.friction[c], max(plan.grip[body], material.friction_low[c]))
            kick.friction[c] = min(max(friction, material.friction_low[c]), top)
    return touched
