"""The paper's model of contact states (001, figs 9 and 10), for comparison: a Markov chain run backward from rest.

    P(eta_{k-1} | eta_k)        from forward drops; only to fewer contacts, as impulses push and never pull

In every step the chain may let some resting contacts go. As in the paper each of them gets a small approach speed of
its own; or all of them those of one rigid turn about the contacts that stay (a pivot), at speeds that a dead landing
explains. Departures may be made rarer by a factor.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.arrivals.dropped.drop import ROW, Dropper
from engine.contact.backward_kick import backward_kick, mark_unexplained
from engine.contact.energy import measure
from engine.contact.kick import speeds_after, speeds_before
from engine.decide.chance import draws
from engine.jit import kernel
from engine.model.arrays import State, copy_state
from engine.step.drift import drift
from engine.step.scratch import CONTACTS, ISLANDS, enlarge, make_scratch
from engine.step.stages import find_contacts, free_flight, judge_contacts, link, remember
from engine.vec import add, cross, dot, norm, put, row, scale, sub, unit

DICE = 8  # uniform numbers per step
SLOWEST, FASTEST = 0.3, 0.95  # of the bounce speed: approach of a contact that is let go
SLIP, SLIP_SHARE = 0.3, 0.1  # m/s in each level direction, and in how many steps
PIVOT_SLOWEST, PIVOT_FASTEST = 0.1, 0.6  # m/s of the fastest contact of a pivot


@kernel
def draw_state(table, eta, first, rate, dice):
    """The state one step earlier: eta or fewer. In the first step away from rest it is fewer, if it ever was."""
    leaves = 0.0
    for new in range(eta):
        leaves += table[eta, new]
    stays = table[eta, eta]
    if leaves == 0.0:
        return eta
    share = leaves / (leaves + stays) if leaves + stays > 0.0 else 1.0
    if not first and dice[0] >= rate * share:
        return eta
    pick = dice[1] * leaves
    for new in range(eta):
        pick -= table[eta, new]
        if pick < 0.0:
            return new
    return eta - 1


@kernel
def let_go(contacts, kick, count, leaving, rest_speed, bounce_speed, pivot, x, dice):
    """Goals of the `leaving` resting contacts that lie farthest along a random direction, and of those that stay."""
    angle = 2.0 * math.pi * dice[2]
    d = (math.cos(angle), math.sin(angle), 0.0)
    highest = math.inf
    for _ in range(leaving):  # the next one along d
        best, chosen = -math.inf, -1
        for c in range(count):
            along = dot(row(contacts.point, c), d)
            if kick.hold[c] == 0 and kick.after[c] + kick.closing[c] <= rest_speed and best < along < highest:
                best, chosen = along, c
        if chosen < 0:
            break
        highest = best
        kick.goal_n[chosen] = (SLOWEST + (FASTEST - SLOWEST) * dice[3]) * bounce_speed
    if pivot:
        turn_about(contacts, kick, count, rest_speed, d, PIVOT_SLOWEST + (PIVOT_FASTEST - PIVOT_SLOWEST) * dice[4])


@kernel
def turn_about(contacts, kick, count, rest_speed, d, fastest):
    """Goals of one rigid turn: those who stay are its axis, the others come down with up to `fastest` (m/s)."""
    centre, stay = (0.0, 0.0, 0.0), 0
    for c in range(count):
        if kick.hold[c] == 0 and kick.after[c] + kick.closing[c] <= rest_speed and kick.goal_n[c] == 0.0:
            centre = add(centre, row(contacts.point, c))
            stay += 1
    if stay == 0:
        return
    centre = scale(1.0 / stay, centre)
    along = (-d[1], d[0], 0.0)
    for c in range(count):
        if kick.hold[c] == 0 and kick.after[c] + kick.closing[c] <= rest_speed and kick.goal_n[c] == 0.0:
            arm = sub(row(contacts.point, c), centre)
            if norm(arm) > 1e-9:
                along = unit(arm)
    most = 0.0
    for c in range(count):
        if kick.goal_n[c] > 0.0:
            most = max(most, abs(cross(along, sub(row(contacts.point, c), centre))[2]))
    if most == 0.0:
        return
    for c in range(count):
        if kick.goal_n[c] > 0.0:
            kick.goal_n[c] = fastest * abs(cross(along, sub(row(contacts.point, c), centre))[2]) / most


@kernel
def choose(contacts, kick, count, params, table, rate, pivot, first, x, dice):
    """Goals of this step by the chain; returns whether anything was let go."""
    resting = 0
    for c in range(count):
        if kick.hold[c] == 0 and kick.after[c] + kick.closing[c] <= params.rest_speed:
            resting += 1
    if resting == 0:
        return False
    eta = min(resting, table.shape[0] - 1)
    new = draw_state(table, eta, first, rate, dice)
    if dice[5] < SLIP_SHARE:
        for c in range(count):
            put(kick.goal_t, c, (SLIP * (2.0 * dice[6] - 1.0), SLIP * (2.0 * dice[7] - 1.0), 0.0))
    if new < eta:
        let_go(contacts, kick, count, resting - new, params.rest_speed, params.bounce_speed, pivot, x, dice)
    return new < eta


@kernel
def chain_steps(s, params, table, rate, pivot, first_step, dice, state, before, x_out, q_out, tier):
    """Backward steps by the chain (the stages of step/backward.py), from `state`, which moves along. Returns (steps
    done, status)."""
    bodies, kick, contacts = s.bodies, s.kick, s.contacts
    for k in range(first_step, dice.shape[0]):
        drift(state.x, state.q, state.v, state.l, bodies.inverse_inertia, -params.dt, before.x, before.q, s.spin)
        status = find_contacts(s, params, before.x, before.q, state.x, state.q)
        if status != 0:
            return k, status
        count = s.counts[CONTACTS]
        speeds_after(count, contacts, kick, before.x, before.q, bodies.inverse_inertia, state.v, state.l, s.spin,
                     params.dt)  # fmt: skip
        mark_unexplained(count, contacts, kick, before.q, bodies, state.v, state.l, params)
        status = link(s.counts, contacts, kick, bodies.inverse_mass, s.asleep, s.linkage, s.islands, s.rows, s.solver,
                      s.joint_work)  # fmt: skip
        if status != 0:
            return k, status
        choose(contacts, kick, count, params, table, rate, pivot, k == 0, before.x, dice[k])
        free_flight(-1.0, params, bodies.inverse_mass, s.asleep, state.v, state.l, before.v, before.l)
        backward_kick(
            contacts, kick, s.islands, s.counts[ISLANDS], before.x, before.q, state.v, state.l, bodies, s.root,
            s.root_mass, s.rows, s.solver, s.choice, s.material, params, before.v, before.l, s.other_spin,
        )  # fmt: skip
        speeds_before(count, contacts, kick, before.x, before.q, bodies.inverse_inertia, before.v, before.l, params.dt,
                      s.other_spin)  # fmt: skip
        judge_contacts(count, contacts, kick, before.q, bodies, s.material, params, before.v, before.l, s.tier,
                       s.residual)  # fmt: skip
        remember(count, contacts, kick, s.counts, s.warm)
        tier[k] = -1
        for c in range(count):
            tier[k] = max(tier[k], s.tier[c])
        for body in range(state.x.shape[0]):
            for i in range(3):
                state.x[body, i] = before.x[body, i]
                state.v[body, i] = before.v[body, i]
                state.l[body, i] = before.l[body, i]
            for i in range(4):
                state.q[body, i] = before.q[body, i]
        for i in range(3):
            x_out[k, i] = state.x[ROW, i]
        for i in range(4):
            q_out[k, i] = state.q[ROW, i]
        _, _, fastest = measure(bodies, params, state.x, state.q, state.v, state.l)
        if not fastest <= params.max_speed:
            return dice.shape[0], 0
    return dice.shape[0], 0


@dataclass(frozen=True)
class Chained:
    states: State  # poses from the earliest to the resting one; velocities are not kept
    tiers: np.ndarray  # (k,) int64  worst tier of every step, latest first; -1 without a contact


def chain_run(
    dropper: Dropper, rest: State, table: np.ndarray, steps: int, seed: int, rate: float = 1.0, pivot: bool = False
) -> Chained:
    """A backward run of the chain from the resting state `rest` of the dropper's body."""
    s, params = make_scratch(dropper.model), dropper.params
    state, before = copy_state(rest), copy_state(rest)
    dice = draws(seed, "chain").uniform(size=(steps, DICE))
    x, q, tier = np.zeros((steps, 3)), np.zeros((steps, 4)), np.full(steps, -1)
    done = 0
    while done < steps:
        done, status = chain_steps(s, params, table, rate, pivot, done, dice, state, before, x, q, tier)
        if status:
            s = enlarge(s, status)
    x, q = np.concatenate([x[::-1], rest.x[[ROW]]]), np.concatenate([q[::-1], rest.q[[ROW]]])
    return Chained(State(x, q, np.zeros_like(x), np.zeros_like(x)), tier)
