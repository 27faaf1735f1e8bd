"""One backward step of a meeting: the stages of step/backward.py, refused where no law explains it.

Nothing is ignored and nothing pushed: a step that would need that names the bodies of the island in which it happened.
"""

from __future__ import annotations

import math

from engine.arrivals.meeting.leave import leave
from engine.arrivals.meeting.past import BOUNCE, KNOCK, LEAVE, NEVER, NOTHING
from engine.collide.islands import find_islands
from engine.contact.backward_kick import backward_kick, mark_unexplained
from engine.contact.energy import body_energy
from engine.contact.kick import GHOST, body_speed, speeds_after, speeds_before
from engine.contact.tiers import GHOSTED
from engine.decide.chance import chance
from engine.decide.decide import call_up, decide, see_off
from engine.decide.plan import DUE
from engine.jit import kernel, standalone
from engine.spin import spin_of
from engine.step.drift import drift
from engine.step.scratch import CONTACTS, ISLANDS, UNSOLVED
from engine.step.stages import (
    find_contacts,
    free_flight,
    group_by_body,
    judge_contacts,
    link,
    put_to_rest,
    remember,
    wake,
)
from engine.vec import quat_row, row

# Why a step was refused.
LAWFUL, UNEXPLAINED, NO_LANDING, UNLAWFUL, UNSOLVED_ISLAND, OVERSPENT = range(6)
"""UNEXPLAINED: a contact still closes after the kick; NO_LANDING: no drawn landing ends there; UNLAWFUL: coefficients
out of range; UNSOLVED_ISLAND: its impulses were not found; OVERSPENT: a body would have come with too much energy."""

OVERDRAFT = 3.0
"""Share of its energy budget that a body may reach: the budget bends coefficients, and cannot foresee what a collision
of several contacts at once gives one body."""

REDRAWN = 0.8  # share of collisions that a body decides differently when it is asked anew
BOUNCE_SPREAD, FRICTION_SPREAD = 0.5, 1.0  # shares of the tuning ranges over which they then vary
SOONEST, LATEST = 0.02, 0.27  # s after which a body that was knocked loose, or slides, must have landed
STILL = 10.0  # solver tolerances: a body that rests and is struck, and gets no faster, goes on resting
SLACK = 10.0  # solver tolerances that a kick may be off

# Slots of the random numbers of a step (those of leave.py are drawn under another pair).
ASKED, RESTITUTION, FRICTION, SLIDES = range(4)


@standalone
def meet_step(s, past, plan, seed, k, params, state, before):
    """`before`, the state one step before `state`, which is k steps before the end. Returns (status, why it was
    refused, residual); the bodies of a refused island are in past.conflict."""
    bodies, kick, contacts = s.bodies, s.kick, s.contacts
    release, decision = past.release[k + 1], past.decision[k]
    for body in range(release.shape[0]):
        release[body] = past.release[k, body]
        decision[body] = NOTHING
        if release[body] <= k:
            wake(body, s.asleep, s.ring)
    call_up(plan, (k + 1) * params.dt)
    for i in range(plan.counts[DUE]):
        wake(plan.due[i], s.asleep, s.ring)

    drift(state.x, state.q, state.v, state.l, bodies.inverse_inertia, -params.dt, before.x, before.q, s.spin)
    status = find_contacts(s, params, before.x, before.q, state.x, state.q)
    if status != 0:
        return status, LAWFUL, 0.0
    count = s.counts[CONTACTS]
    speeds_after(count, contacts, kick, before.x, before.q, bodies.inverse_inertia, state.v, state.l, s.spin, params.dt)
    mark_unexplained(count, contacts, kick, before.q, bodies, state.v, state.l, params)
    for c in range(count):
        if kick.hold[c] == GHOST:
            for other in range(count):
                kick.used[other] = 1
            find_islands(count, contacts.a, contacts.b, kick.used, bodies.inverse_mass, s.islands)
            _blame(s.islands, contacts.a[c], past.conflict)
            return 0, UNEXPLAINED, 0.0
    status = link(s.counts, contacts, kick, bodies.inverse_mass, s.asleep, s.linkage, s.islands, s.rows, s.solver,
                  s.joint_work)  # fmt: skip
    if status != 0:
        return status, LAWFUL, 0.0

    if plan.counts[DUE] > 0:
        group_by_body(count, contacts.a, contacts.b, s.touching)
    decide(plan, (k + 1) * params.dt, count, contacts, kick, s.material, s.touching, bodies, params, before.x, before.q,
           state.v, state.l)  # fmt: skip
    _decide_anew(seed, k, count, contacts, kick, s.material, past.nonce, params.rest_speed, decision)

    free_flight(-1.0, params, bodies.inverse_mass, s.asleep, state.v, state.l, before.v, before.l)
    residual, s.counts[UNSOLVED] = backward_kick(
        contacts, kick, s.islands, s.counts[ISLANDS], before.x, before.q, state.v, state.l, bodies, s.root,
        s.root_mass, s.rows, s.solver, s.choice, s.material, params, before.v, before.l, s.other_spin,
    )  # fmt: skip
    stuck = leave(seed, k, params, bodies, contacts, kick, s.islands, s.counts[ISLANDS], plan.budget, release,
                  past.nonce, before.x, before.q, state.v, state.l, before.v, before.l, decision)  # fmt: skip
    if stuck >= 0:
        past.conflict[0] = 1
        past.conflict[1] = stuck
        return 0, NO_LANDING, residual
    put_to_rest(s.islands, s.counts[ISLANDS], kick, bodies, before.q, state.v, state.l, before.v, before.l,
                params.solver_tolerance, s.asleep, s.ring)  # fmt: skip

    see_off(plan, bodies, params.rest_speed, before.q, before.v, before.l)
    speeds_before(count, contacts, kick, before.x, before.q, bodies.inverse_inertia, before.v, before.l, params.dt,
                  s.other_spin)  # fmt: skip
    judge_contacts(count, contacts, kick, before.q, bodies, s.material, params, before.v, before.l, s.tier, s.residual)
    worst, why = -1, LAWFUL
    for c in range(count):
        if s.tier[c] >= GHOSTED:
            worst, why = c, UNLAWFUL
    if why == LAWFUL and not residual <= SLACK * params.solver_tolerance:
        why = UNSOLVED_ISLAND
        for c in range(count):
            if worst < 0 or not s.residual[c] <= s.residual[worst]:
                worst = c
    if why != LAWFUL:
        _blame(s.islands, contacts.a[worst], past.conflict)
        return 0, why, residual
    spender = _overspent(s.islands, s.counts[ISLANDS], params, bodies, plan.budget, plan.ending_energy, before)
    if spender >= 0:
        _blame(s.islands, spender, past.conflict)
        return 0, OVERSPENT, residual
    _knocked(seed, k, params, bodies, s, plan.time, past.nonce, state, before, release, decision)
    remember(count, contacts, kick, s.counts, s.warm)
    return 0, LAWFUL, residual


@kernel
def _blame(islands, body, conflict):
    """Name the bodies of an island: who made the failing contact what it is may be any of them."""
    island = islands.island_of[body]
    first, last = islands.body_start[island], islands.body_start[island + 1]
    conflict[0] = last - first
    for i in range(first, last):
        conflict[1 + i - first] = islands.bodies[i]


@kernel
def _overspent(islands, number, params, bodies, budget, ending_energy, state):
    """A body that was kicked and has more energy than it may, or -1."""
    gravity = (params.gravity_x, params.gravity_y, params.gravity_z)
    for i in range(islands.body_start[number]):
        body = islands.bodies[i]
        if budget[body] == 0.0:
            continue
        momentum = row(state.l, body)
        w = spin_of(quat_row(state.q, body), bodies.inverse_inertia, body, momentum)
        own = body_energy(bodies.mass[body], gravity, params.dt, row(state.x, body), row(state.v, body), momentum, w)
        if own - ending_energy[body] > OVERDRAFT * budget[body]:
            return body
    return -1


@kernel
def _decide_anew(seed, k, count, contacts, kick, material, nonce, rest_speed, decision):
    """Bodies that were asked before decide their collisions differently, inside the artist's ranges."""
    for c in range(count):
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


@kernel
def _knocked(seed, k, params, bodies, s, hinted, nonce, state, before, release, decision):
    """Bodies that rested and were struck either go on resting or slid in; who slides needs a time to have landed,
    unless a hint speaks of it (hinted: s before the end, else infinite)."""
    still = STILL * params.solver_tolerance
    for i in range(s.islands.body_start[s.counts[ISLANDS]]):
        body = s.islands.bodies[i]
        if s.asleep[body] or decision[body] == LEAVE:
            continue
        came_in = body_speed(body, bodies.size, before.q, bodies.inverse_inertia, state.v, state.l)
        if came_in == 0.0:
            if body_speed(body, bodies.size, before.q, bodies.inverse_inertia, before.v, before.l) <= still:
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
