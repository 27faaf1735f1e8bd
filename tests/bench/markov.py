"""Contact states as a Markov chain that is run backward from rest (Twigg and James 2008, figs 9 and 10), for
comparison.

    P(eta_{k-1} | eta_k)        from forward drops; only to fewer contacts, as impulses push and never pull

In every step the chain may let some resting contacts go. As proposed, each of them gets a small approach speed of
its own; or all of them those of one rigid turn about the contacts that stay (a pivot), at speeds that a dead landing
explains. Departures may be made rarer by a factor.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.contact.energy import measure
from engine.contact.kick import CONTACTS
from engine.decide.chance import draws
from engine.jit import bound, inline, kernel
from engine.model.arrays import State, copy_state
from engine.model.compile import Model
from engine.model.states import move_state
from engine.params import Params
from engine.step.backward import backward_step
from engine.step.scratch import enlarge, make_scratch
from engine.vec import add, cross, dot, norm, put, row, scale, sine_cosine, sub, unit

ROW = 0  # of the body that came to rest
DICE = 8  # uniform numbers per step
SLOWEST, FASTEST = 0.3, 0.95  # of the bounce speed: approach of a contact that is let go
SLIP, SLIP_SHARE = 0.3, 0.1  # m/s in each level direction, and in how many steps
PIVOT_SLOWEST, PIVOT_FASTEST = 0.1, 0.6  # m/s of the fastest contact of a pivot


@inline
def draw_state(table, eta, first, rate, dice):
    """The state one step earlier: eta or fewer. In the first step away from rest it is fewer, if it ever was."""
    fewer = 0.0
    for new in range(eta):
        fewer += table[eta, new]
    stays = table[eta, eta]
    if fewer == 0.0:
        return eta
    share = fewer / (fewer + stays) if fewer + stays > 0.0 else 1.0
    if not first and dice[0] >= rate * share:
        return eta
    pick = dice[1] * fewer
    for new in range(eta):
        pick -= table[eta, new]
        if pick < 0.0:
            return new
    return eta - 1


@inline
def let_go(contacts, kick, count, leaving, rest_speed, bounce_speed, pivot, x, dice):
    """Goals of the `leaving` resting contacts that lie farthest along a random direction, and of those that stay."""
    sine, cosine = sine_cosine(2.0 * math.pi * dice[2])
    d = (cosine, sine, 0.0)
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


@inline
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


@inline
def nobody_is_called(s, told, time):
    return


@inline
def let_model_choose(s, told, time, params, state, before):
    """told: (table, rate, pivot, whether it is the first step, dice of this step)."""
    table, rate, pivot, first, dice = told
    choose(s.contacts, s.kick, s.counts[CONTACTS], params, table, rate, pivot, first, before.x, dice)


@inline
def nobody_sleeps(s, params, state, before):
    return


@inline
def nobody_was_asked(s, told, params, before):
    return


markov_step = bound(
    backward_step,
    "markov_step",
    begin=nobody_is_called,
    choose=let_model_choose,
    rest=nobody_sleeps,
    see_out=nobody_was_asked,
)


@kernel
def markov_steps(s, params, table, rate, pivot, first_step, dice, state, before, x_out, q_out, tier):
    """Backward steps by the chain from `state`, which moves along. Returns (steps done, status)."""
    for k in range(first_step, dice.shape[0]):
        status, _, _ = markov_step(s, (table, rate, pivot, k == 0, dice[k]), 0.0, params, state, before)
        if status != 0:
            return k, status
        tier[k] = -1
        for c in range(s.counts[CONTACTS]):
            tier[k] = max(tier[k], s.tier[c])
        move_state(before, state)
        for i in range(3):
            x_out[k, i] = state.x[ROW, i]
        for i in range(4):
            q_out[k, i] = state.q[ROW, i]
        _, _, fastest = measure(s.bodies, params, state)
        if not fastest <= params.max_speed:
            return dice.shape[0], 0
    return dice.shape[0], 0


@dataclass(frozen=True)
class MarkovRun:
    states: State  # poses from the earliest to the resting one; velocities are not kept
    tiers: np.ndarray  # (k,) int64  worst tier of every step, latest first; -1 without a contact


def markov_run(
    model: Model,
    params: Params,
    rest: State,
    table: np.ndarray,
    steps: int,
    seed: int,
    rate: float = 1.0,
    pivot: bool = False,
) -> MarkovRun:
    """A backward run of the chain from the resting state `rest`, in which the first body lies on the ground."""
    s = make_scratch(model)
    state, before = copy_state(rest), copy_state(rest)
    dice = draws(seed, "chain").uniform(size=(steps, DICE))
    x, q, tier = np.zeros((steps, 3)), np.zeros((steps, 4)), np.full(steps, -1)
    done = 0
    while done < steps:
        done, status = markov_steps(s, params, table, rate, pivot, done, dice, state, before, x, q, tier)
        if status:
            s = enlarge(s, status)
    x, q = np.concatenate([x[::-1], rest.x[[ROW]]]), np.concatenate([q[::-1], rest.q[[ROW]]])
    return MarkovRun(State(x, q, np.zeros_like(x), np.zeros_like(x)), tier)
