"""One backward step of a meeting: that of step/backward.py, refused where no law explains it.

Nothing is ignored and nothing pushed: a step that would need that names the bodies of the island in which it happened.
What it is told: (plan, past, seed, k), where k steps before the end it begins.
"""

from __future__ import annotations

import math

from engine.arrivals.meeting.leave import leave
from engine.arrivals.meeting.past import BOUNCE, KNOCK, LEAVE, NEVER, NOTHING
from engine.collide.islands import find_islands
from engine.contact.energy import body_energy
from engine.contact.kick import CONTACTS, GHOST, ISLANDS, body_speed, speeds_after
from engine.contact.tiers import GHOSTED
from engine.decide.chance import chance
from engine.decide.decide import call_up, decide, see_off
from engine.decide.plan import DUE
from engine.jit import bound, inline, kernel
from engine.kick.backward import backward_kick
from engine.rest import REST_OF_STRUCK_BODY
from engine.spin import spin_of
from engine.step.backward import LAWFUL, backward_step
from engine.step.stages import group_by_body, judge_contacts, wake
from engine.vec import quat_row, row

# Why a step was refused.
UNEXPLAINED, NO_LANDING, UNLAWFUL, UNSOLVED_ISLAND, OVERSPENT = range(1, 6)
"""UNEXPLAINED: a contact still closes after the kick; NO_LANDING: no drawn landing ends there; UNLAWFUL: coefficients
out of range; UNSOLVED_ISLAND: its impulses were not found; OVERSPENT: a body would have come with too much energy."""

OVERDRAFT = 3.0
"""Share of its energy budget that a body may reach: the budget bends coefficients, and cannot foresee what a collision
of several contacts at once gives one body."""

REDRAWN = 0.8  # share of collisions that a body decides differently when it is asked anew
BOUNCE_SPREAD, FRICTION_SPREAD = 0.5, 1.0  # shares of the tuning ranges over which they then vary
SOONEST, LATEST = 0.02, 0.27  # s after which a body that was knocked loose, or slides, must have landed
SLACK = 10.0  # solver tolerances that a kick may be off

# Slots of the random numbers of a step (those of leave.py are drawn under another pair).
ASKED, RESTITUTION, FRICTION, SLIDES = range(4)


@inline
def begin_again(s, told, time):
    plan, past, _, k = told
    release, decision = past.release[k + 1], past.decision[k]
    for body in range(release.shape[0]):
        release[body] = past.release[k, body]
        decision[body] = NOTHING
        if release[body] <= k:
            wake(body, s.asleep, s.ring)
    call_up(plan, time)
    for i in range(plan.counts[DUE]):
        wake(plan.due[i], s.asleep, s.ring)


@inline
def measure_contacts(s, params, state, before):
    speeds_after(s, params, before, state)


@inline
def ignore_nothing(s, told, params, state, before):
    contacts, kick, past = s.contacts, s.kick, told[1]
    for c in range(s.counts[CONTACTS]):
        if kick.hold[c] == GHOST:
            for other in range(s.counts[CONTACTS]):
                kick.used[other] = 1
            find_islands(s.counts[CONTACTS], contacts.a, contacts.b, kick.used, s.bodies.inverse_mass, s.islands)
            _blame(s.islands, contacts.a[c], past.conflict)
            return UNEXPLAINED
    return LAWFUL


@inline
def choose_anew(s, told, time, params, state, before):
    plan, past, seed, k = told
    if plan.counts[DUE] > 0:
        group_by_body(s.counts[CONTACTS], s.contacts.a, s.contacts.b, s.touching)
    decide(s, plan, time, params, before, state)
    _decide_anew(s, past, seed, k, params.rest_speed)


@inline
def undo_contacts(s, params, state, before):
    return backward_kick(s, params, before, state, before)


@inline
def let_leave(s, told, params, state, before):
    plan, past, seed, k = told
    stuck = leave(s, plan.budget, past, seed, k, params, state, before)
    if stuck >= 0:
        past.conflict[0] = 1
        past.conflict[1] = stuck
        return NO_LANDING
    return LAWFUL


@inline
def see_out_met(s, told, params, before):
    see_off(told[0], s.bodies, params.rest_speed, before, before)


@inline
def judge_met(s, told, params, before):
    judge_contacts(s, params, before, before)


@inline
def accept(s, told, params, state, before, residual):
    """Whether law and budgets explain the step; then those who were struck are looked at."""
    plan, past, seed, k = told
    worst, why = -1, LAWFUL
    for c in range(s.counts[CONTACTS]):
        if s.tier[c] >= GHOSTED:
            worst, why = c, UNLAWFUL
    if why == LAWFUL and not residual <= SLACK * params.solver_tolerance:
        why = UNSOLVED_ISLAND
        for c in range(s.counts[CONTACTS]):
            if worst < 0 or not s.residual[c] <= s.residual[worst]:
                worst = c
    if why != LAWFUL:
        _blame(s.islands, s.contacts.a[worst], past.conflict)
        return why
    spender = _overspent(s, plan, params, before)
    if spender >= 0:
        _blame(s.islands, spender, past.conflict)
        return OVERSPENT
    _knocked(s, plan, past, seed, k, params, state, before)
    return LAWFUL


@kernel
def _blame(islands, body, conflict):
    """Name the bodies of an island: who made the failing contact what it is may be any of them."""
    island = islands.island_of[body]
    first, last = islands.body_start[island], islands.body_start[island + 1]
    conflict[0] = last - first
    for i in range(first, last):
        conflict[1 + i - first] = islands.bodies[i]


@inline
def _overspent(s, plan, params, state):
    """A body that was kicked and has more energy than it may, or -1."""
    islands, bodies, budget, ending_energy = s.islands, s.bodies, plan.budget, plan.ending_energy
    gravity = (params.gravity_x, params.gravity_y, params.gravity_z)
    for i in range(islands.body_start[s.counts[ISLANDS]]):
        body = islands.bodies[i]
        if budget[body] == 0.0:
            continue
        momentum = row(state.l, body)
        w = spin_of(quat_row(state.q, body), bodies.inverse_inertia, body, momentum)
        own = body_energy(bodies.mass[body], gravity, params.dt, row(state.x, body), row(state.v, body), momentum, w)
        if own - ending_energy[body] > OVERDRAFT * budget[body]:
            return body
    return -1


@inline
def _decide_anew(s, past, seed, k, rest_speed):
    """Bodies that were asked before decide their collisions differently, inside the artist's ranges."""
    contacts, kick, material, nonce, decision = s.contacts, s.kick, s.material, past.nonce, past.decision[k]
    for c in range(s.counts[CONTACTS]):
        if kick.after[c] <= rest_speed:
            continue
        a, b = contacts.a[c], contacts.b[c]
        decision[a] = BOUNCE
        decision[b] = BOUNCE
        asked = nonce[a] + nonce[b]
        if asked == 0 or chance(seed, a, b, k, asked, ASKED) > REDRAWN:
            continue
        low, top = material.restitution[c], material.restitution_top[c]
        other = kick.restitution[c] + BOUNCE_SPREAD * (top - low) * (chance(seed, a, b, k, asked, RESTITUTION) - 0.5)
        kick.restitution[c] = min(max(other, min(low, kick.restitution[c])), max(top, kick.restitution[c]))
        low, top = material.friction_low[c], material.friction[c]
        other = kick.friction[c] + FRICTION_SPREAD * (top - low) * (chance(seed, a, b, k, asked, FRICTION) - 0.5)
        kick.friction[c] = min(max(other, low), top)


@inline
def _knocked(s, plan, past, seed, k, params, state, before):
    """Bodies that rested and were struck either go on resting or slid in; who slides needs a time to have landed,
    unless a hint speaks of it (hinted: s before the end, else infinite)."""
    hinted, nonce, release, decision = plan.time, past.nonce, past.release[k + 1], past.decision[k]
    still = REST_OF_STRUCK_BODY * params.solver_tolerance
    for i in range(s.islands.body_start[s.counts[ISLANDS]]):
        body = s.islands.bodies[i]
        if s.asleep[body] or decision[body] == LEAVE:
            continue
        came_in = body_speed(s.bodies, body, before, state)
        if came_in == 0.0:
            if body_speed(s.bodies, body, before, before) <= still:
                s.asleep[body] = True
                s.ring[body] = body
                for j in range(3):
                    before.v[body, j] = 0.0
                    before.l[body, j] = 0.0
                continue
            decision[body] = KNOCK
            if not math.isfinite(hinted[body]):
                release[body] = _landing_step(seed, k, params.dt, body, nonce)
        elif release[body] == NEVER and decision[body] == NOTHING and not math.isfinite(hinted[body]):
            release[body] = _landing_step(seed, k, params.dt, body, nonce)


@kernel
def _landing_step(seed, k, dt, body, nonce):
    after = SOONEST + (LATEST - SOONEST) * chance(seed, body, body, k, nonce[body], SLIDES)
    return k + 1 + int(after / dt)


meet_step = bound(
    backward_step,
    "meet_step",
    begin=begin_again,
    measure=measure_contacts,
    doubt=ignore_nothing,
    choose=choose_anew,
    undo=undo_contacts,
    answer=let_leave,
    see_out=see_out_met,
    judge=judge_met,
    close=accept,
)
