"""Backward kick: from velocities after to velocities before, such that the forward law explains them.

Per contact (paper 001 sec. 3, eqs 7 to 10; here against the exact law):

    V_n+ > rest    it bounced: v_n- = -V_n+ / restitution
    V_n+ ~ 0       it rested or landed: any impulse in the cone explains it; v_n- = -goal_n, zero to go on resting
    slides after   friction was at its bound and its direction is known: folded into the normal column
    sticks after   any friction in the disc; v_t- = goal_t where the disc allows

It is one Coulomb problem with w = -(v- + goal), the same as the forward one but for its right-hand side.

Where the answer is passive at a bouncing contact (v_n- < -V_n+/restitution with no impulse: faster in than the law
allows) another choice of *which* contacts carried the bounce often obeys the law: with two corners down, if the impulse
of one must vanish, giving the whole bounce to the other one is legal. So such islands are solved again with some of
their bouncing contacts held PASSIVE, if need be with coefficients moved through their tuning ranges, and the most
honest answer is kept.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.contact.island_solver import copy_impulses, most_effort, solve_island
from engine.contact.kick import (
    APART,
    FREE,
    GHOST,
    PASSIVE,
    apply_impulses,
    body_speed,
    island_speed,
    open_island,
    relative_velocity,
    rows_to_impulses,
    scaled_velocities,
)
from engine.contact.lone_kick import folded, lone_kick, lone_system
from engine.contact.rows import own_responses, row_velocity
from engine.contact.secants import (
    FIRST_TOLERANCE,
    MOST_SECANT_ROUNDS,
    forget_secants,
    next_share,
    next_tolerance,
    update_secants,
    wanted_tolerance,
)
from engine.contact.tiers import PLASTIC
from engine.contact.verdict import judge_contact
from engine.jit import kernel, standalone
from engine.params import CAUGHT
from engine.vec import dot, row

MOST_SUBSET_CONTACTS = 5  # all subsets of up to this many bouncing contacts are tried, beyond it single ones
TUNINGS = 12  # ways to move the coefficients of a troubled island through their ranges, see _tune
OFFENCE = 1000.0  # what one contact that is not honest adds to an island's score
LEAST_RESTITUTION = 1e-2  # a material that does not bounce cannot explain a bounce; keeps 1/restitution finite


class Choice(NamedTuple):
    """The best answer so far of an island that is solved several times; capacity C."""

    impulse: np.ndarray  # (C, 3)
    torque: np.ndarray  # (C, 3)
    hold: np.ndarray  # (C,) int64
    restitution: np.ndarray  # (C,)
    friction: np.ndarray  # (C,)
    rolling: np.ndarray  # (C,)
    asked_restitution: np.ndarray  # (C,) what the director asked
    asked_friction: np.ndarray  # (C,)
    asked_rolling: np.ndarray  # (C,)
    base: np.ndarray  # (C,) m/s   normal right-hand side without the secant


def empty_choice(capacity: int) -> Choice:
    numbers = (np.zeros(capacity) for _ in range(7))
    return Choice(np.zeros((capacity, 3)), np.zeros((capacity, 3)), np.zeros(capacity, np.int64), *numbers)


@standalone
def mark_unexplained(count, contacts, kick, q, bodies, v, l, params):
    """GHOST every contact that approaches after the kick, or passes the surface: no forward kick leaves that behind.

    Half the certificate's tolerance, so that what passes here passes there. Of predicted contacts those are met that
    would have passed the surface a step earlier otherwise; where even that does not explain them, they are ghosts."""
    for c in range(count):
        fast = max(
            body_speed(contacts.a[c], bodies.size, q, bodies.inverse_inertia, v, l),
            body_speed(contacts.b[c], bodies.size, q, bodies.inverse_inertia, v, l),
        )
        reached = kick.after[c] + kick.closing[c]  # gap after the step, by dt
        lost = reached < -0.5 * params.certificate_tolerance * (1.0 + fast)
        kick.hold[c] = GHOST if lost else FREE
        if reached > params.rest_speed and kick.closing[c] != 0.0:
            if kick.closing[c] >= kick.after[c] - kick.pull[c]:
                kick.hold[c] = APART
            elif kick.after[c] <= params.rest_speed:
                kick.hold[c] = GHOST


@kernel
def _fold(rows, i, width, friction, rolling, slide, roll):
    """H_n = G_n - friction d.G_t - rolling e.G_r for unit slide d (t1, t2) and roll e; the response G_n.H_n."""
    for j in range(6):
        ha = rows.ga[i, 0, j] - friction * (slide[0] * rows.ga[i, 1, j] + slide[1] * rows.ga[i, 2, j])
        hb = rows.gb[i, 0, j] - friction * (slide[0] * rows.gb[i, 1, j] + slide[1] * rows.gb[i, 2, j])
        if width == 6:
            for k in range(3):
                ha -= rolling * roll[k] * rows.ga[i, 3 + k, j]
                hb -= rolling * roll[k] * rows.gb[i, 3 + k, j]
        rows.ha[i, j] = ha
        rows.hb[i, j] = hb
    response = 0.0
    for j in range(6):
        response += rows.ga[i, 0, j] * rows.ha[i, j] + rows.gb[i, 0, j] * rows.hb[i, j]
    return response


@kernel
def _directions(kick, c, params):
    """Unit slide (t1, t2) and unit roll of contact c after the kick; zero where it sticks."""
    s = row(kick.slide, c)
    r = row(kick.roll, c)
    fast = math.sqrt(dot(s, s))
    spin = math.sqrt(dot(r, r))
    slide = (0.0, 0.0)
    roll = (0.0, 0.0, 0.0)
    if fast > params.rest_speed and kick.friction[c] > 0.0:
        slide = (dot(s, row(kick.t1, c)) / fast, dot(s, row(kick.t2, c)) / fast)
    if spin * kick.length[c] > params.rest_speed and kick.rolling[c] > 0.0:
        roll = (r[0] / spin, r[1] / spin, r[2] / spin)
    return slide, roll


@kernel
def fold_and_ask(kick, islands, island, width, y, params, rows, choice):
    """Fold sliding contacts, silence PASSIVE ones, set right-hand sides. Lowers friction where it would jam."""
    first = islands.contact_start[island]
    for i in range(rows.body_a.shape[0]):
        c = islands.order[first + i]
        if kick.hold[c] == PASSIVE:
            _silence(rows, i, width)
            choice.base[c] = 1.0
            continue
        slide, roll = _directions(kick, c, params)
        if slide[0] != 0.0 or slide[1] != 0.0 or roll[0] != 0.0 or roll[1] != 0.0 or roll[2] != 0.0:
            frictionless = 0.0
            for j in range(6):
                frictionless += rows.ga[i, 0, j] ** 2 + rows.gb[i, 0, j] ** 2
            while (
                _fold(rows, i, width, rows.mu[i], rows.rolling[i], slide, roll) < params.painleve_share * frictionless
            ):
                rows.mu[i] *= 0.8
                rows.rolling[i] *= 0.8
                kick.friction[c] = rows.mu[i]
                kick.rolling[c] = rows.rolling[i] * kick.length[c]
            if slide[0] != 0.0 or slide[1] != 0.0:
                rows.mu[i] = 0.0
            if roll[0] != 0.0 or roll[1] != 0.0 or roll[2] != 0.0:
                rows.rolling[i] = 0.0
        for k in range(width):
            rows.rhs[i, k] = -row_velocity(rows, i, k, y)
        asked = kick.after[c] / kick.restitution[c] if kick.after[c] > params.rest_speed else kick.goal_n[c]
        choice.base[c] = rows.rhs[i, 0] - asked
        goal = row(kick.goal_t, c)
        rows.rhs[i, 1] += dot(goal, row(kick.t1, c))
        rows.rhs[i, 2] += dot(goal, row(kick.t2, c))
        if width == 6:
            for k in range(3):
                rows.rhs[i, 3 + k] += kick.goal_r[c, k] * kick.length[c]


@kernel
def _silence(rows, i, width):
    """Rows that neither act nor feel: their impulse stays zero."""
    for k in range(width):
        rows.rhs[i, k] = 1.0 if k == 0 else 0.0
        for j in range(6):
            rows.ga[i, k, j] = 0.0
            rows.gb[i, k, j] = 0.0
    for j in range(6):
        rows.ha[i, j] = 0.0
        rows.hb[i, j] = 0.0
    rows.mu[i] = 0.0
    rows.rolling[i] = 0.0


@kernel
def unfold(kick, islands, island, width, params, rows):
    """Write the folded friction and rolling impulses into z."""
    first = islands.contact_start[island]
    for i in range(rows.body_a.shape[0]):
        c = islands.order[first + i]
        if kick.hold[c] == PASSIVE:
            continue
        slide, roll = _directions(kick, c, params)
        if slide[0] != 0.0 or slide[1] != 0.0:
            for k in range(2):
                rows.z[i, 1 + k] = -kick.friction[c] * slide[k] * rows.z[i, 0]
        if width == 6 and (roll[0] != 0.0 or roll[1] != 0.0 or roll[2] != 0.0):
            for k in range(3):
                rows.z[i, 3 + k] = -kick.rolling[c] / kick.length[c] * roll[k] * rows.z[i, 0]


@kernel
def clear_folded(kick, islands, island, width, rows):
    """Impulses of folded and silent rows are not unknowns: take them out of the start."""
    first = islands.contact_start[island]
    for i in range(rows.body_a.shape[0]):
        c = islands.order[first + i]
        if kick.hold[c] == PASSIVE:
            rows.z[i, 0] = 0.0
        if rows.mu[i] == 0.0:
            rows.z[i, 1] = 0.0
            rows.z[i, 2] = 0.0
        if width == 6 and rows.rolling[i] == 0.0:
            for k in range(3, 6):
                rows.z[i, k] = 0.0


@standalone
def _solve(contacts, kick, islands, island, x, q, v, l, bodies, root, root_mass, all_rows, work, choice, params,
           v_out, l_out, spin):  # fmt: skip
    """Solve one island for the holds and decisions in `kick`; velocities before go to v_out, l_out. Returns (residual,
    speed, factorisations)."""
    first = islands.contact_start[island]
    last = islands.contact_start[island + 1]
    rows, width, n = open_island(contacts, kick, islands, island, q, bodies, root, root_mass, all_rows)
    scaled_velocities(islands, island, q, bodies.mass, root, params, -1.0, v, l, work.newton.trial)
    fold_and_ask(kick, islands, island, width, work.newton.trial, params, rows, choice)
    own_responses(rows, width, params.painleve_share)
    for i in range(last - first):
        if kick.hold[islands.order[first + i]] == PASSIVE:
            rows.an[i] = 1.0
            rows.at[i] = 1.0
            rows.ar[i] = 1.0
    speed = island_speed(islands, island, bodies.size, q, bodies.inverse_inertia, v, l)
    at_rest = speed == 0.0
    for i in range(first, last):
        speed = max(speed, abs(choice.base[islands.order[i]]))
    forget_secants(kick, islands, island)
    residual = 0.0
    change = 0.0
    last_change = math.inf
    share = 1.0
    strikes = 0
    effort = 0
    best = math.inf
    wanted = wanted_tolerance(params.solver_tolerance, speed, at_rest)
    tolerance = FIRST_TOLERANCE
    for _ in range(MOST_SECANT_ROUNDS):
        for i in range(last - first):
            c = islands.order[first + i]
            rows.rhs[i, 0] = choice.base[c]
            if kick.hold[c] == FREE:
                rows.rhs[i, 0] -= kick.secant[c]
        clear_folded(kick, islands, island, width, rows)
        residual, spent = solve_island(rows, width, n, speed, tolerance, 0.0, work)
        unfold(kick, islands, island, width, params, rows)
        rows_to_impulses(contacts, kick, islands, island, width, all_rows)
        apply_impulses(contacts, kick, islands, island, bodies.inverse_mass, -1.0, params, v, l, v_out, l_out)
        change = update_secants(contacts, kick, islands, island, x, q, bodies.inverse_inertia, v_out, l_out,
                                -params.dt, share, spin) / (1.0 + speed)  # fmt: skip
        if change <= wanted and (residual <= wanted or tolerance <= wanted):
            break
        effort += spent
        if max(residual, change) < best:
            best = max(residual, change)
            copy_impulses(rows.z, work.round, last - first)
        if effort > most_effort(n, work.blocks.pattern):
            break
        share, strikes = next_share(share, strikes, change, last_change)
        tolerance = next_tolerance(tolerance, wanted, change)
        last_change = change
    if best < max(residual, change):  # no round did it: the one that came nearest
        copy_impulses(work.round, rows.z, last - first)
        rows_to_impulses(contacts, kick, islands, island, width, all_rows)
        apply_impulses(contacts, kick, islands, island, bodies.inverse_mass, -1.0, params, v, l, v_out, l_out)
        update_secants(contacts, kick, islands, island, x, q, bodies.inverse_inertia, v_out, l_out, -params.dt, 1.0,
                       spin)  # fmt: skip
    return min(best, max(residual, change)), speed, effort


@kernel
def _lone(contacts, kick, c, x, q, v, l, size, inverse_mass, inverse_inertia, params, v_out, l_out):
    """Backward kick of contact c, alone in its island and without rolling friction; returns (residual, speed)."""
    i = contacts.a[c]
    j = contacts.b[c]
    t1 = row(kick.t1, c)
    t2 = row(kick.t2, c)
    fall = (-params.dt * params.gravity_x, -params.dt * params.gravity_y, -params.dt * params.gravity_z)
    u, responses = lone_system(i, j, row(contacts.normal, c), t1, t2, row(kick.ra, c), row(kick.rb, c), q,
                               inverse_mass, inverse_inertia, v, l, fall)  # fmt: skip
    asked = kick.after[c] / kick.restitution[c] if kick.after[c] > params.rest_speed else kick.goal_n[c]
    goal = row(kick.goal_t, c)
    b = (-u[0] - asked, dot(goal, t1) - u[1], dot(goal, t2) - u[2])
    d, _ = _directions(kick, c, params)
    mu = kick.friction[c]
    friction = 0.0
    if d[0] != 0.0 or d[1] != 0.0:
        while folded(responses, kick.friction[c], d)[0] < params.painleve_share * responses[0]:
            kick.friction[c] *= 0.8
        mu = 0.0
        friction = kick.friction[c]
    speed = max(body_speed(i, size, q, inverse_inertia, v, l), body_speed(j, size, q, inverse_inertia, v, l))
    speed = max(speed, abs(b[0]))
    residual = lone_kick(contacts, kick, c, x, q, v, l, inverse_mass, inverse_inertia, params, -1.0, b, responses, mu,
                         friction, d, speed, 0.0, v_out, l_out)  # fmt: skip
    return residual, speed


@standalone
def _offence(contacts, kick, islands, island, q, v_out, l_out, bodies, material, params, speed):
    """How far an island's answer is from honest: 0 when every contact is EXACT, TUNED or an asked-for landing.

    Thousands count contacts that are not; the rest prefers authored materials. A bounce that does not clear the surface
    in the step before would have no explanation there, so it counts as well."""
    total = 0.0
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        c = islands.order[i]
        u, w = relative_velocity(contacts, kick, c, q, bodies.inverse_inertia, v_out, l_out)
        kick.before[c] = dot(u, row(contacts.normal, c)) + kick.secant[c]
        tier, _, _, _, _, _ = judge_contact(contacts, kick, c, q, bodies, material, params, 1.0 + speed)
        total += tier
        asked = tier == PLASTIC and kick.goal_n[c] > 0.0
        if tier >= PLASTIC and not asked:
            total += OFFENCE * tier
        elif kick.after[c] > params.rest_speed:
            earlier = contacts.gap[c] - params.dt * kick.before[c]
            if earlier <= (params.slop if params.landing == CAUGHT else -params.slop):
                total += OFFENCE
    return total


@kernel
def keep_answer(kick, islands, island, choice):
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        c = islands.order[i]
        for k in range(3):
            choice.impulse[c, k] = kick.impulse[c, k]
            choice.torque[c, k] = kick.torque[c, k]
        choice.hold[c] = kick.hold[c]
        choice.restitution[c] = kick.restitution[c]
        choice.friction[c] = kick.friction[c]
        choice.rolling[c] = kick.rolling[c]


@kernel
def restore_answer(kick, islands, island, choice):
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        c = islands.order[i]
        for k in range(3):
            kick.impulse[c, k] = choice.impulse[c, k]
            kick.torque[c, k] = choice.torque[c, k]
        kick.hold[c] = choice.hold[c]
        kick.restitution[c] = choice.restitution[c]
        kick.friction[c] = choice.friction[c]
        kick.rolling[c] = choice.rolling[c]


@kernel
def _tune(kick, c, place, tuning, material, choice):
    """Coefficients of bouncing contact c, the place-th of its island, in the tuning of that number.

    0: as asked. 1 to 3: restitution one, two, three thirds of the way to the top of its range. 4 to 6: to the bottom.
    7, 8: top and bottom in turn. 9 to 11: as asked, top, bottom, all with the least friction."""
    up = 0.0
    down = 0.0
    if 1 <= tuning <= 3:
        up = tuning / 3.0
    elif 4 <= tuning <= 6:
        down = (tuning - 3) / 3.0
    elif tuning == 7 or tuning == 8:
        up = float((place + tuning) % 2)
        down = 1.0 - up
    elif tuning == 10:
        up = 1.0
    elif tuning == 11:
        down = 1.0
    asked = choice.asked_restitution[c]
    kick.restitution[c] = (
        asked
        + up * (max(material.restitution_top[c], asked) - asked)
        + down * (max(min(material.restitution_low[c], asked), LEAST_RESTITUTION) - asked)
    )
    kick.friction[c] = choice.asked_friction[c]
    kick.rolling[c] = choice.asked_rolling[c]
    if tuning >= 9:
        kick.friction[c] = min(material.friction_low[c], choice.asked_friction[c])


@kernel
def hold_and_tune(kick, islands, island, params, subset, tuning, bouncing, material, choice):
    """Hold a subset of the island's bouncing contacts PASSIVE and tune the rest; start cold."""
    place = 0
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        c = islands.order[i]
        kick.hold[c] = FREE
        for k in range(3):
            kick.impulse[c, k] = 0.0
            kick.torque[c, k] = 0.0
        if kick.after[c] > params.rest_speed:
            _tune(kick, c, place, tuning, material, choice)
            chosen = (subset >> place) & 1 == 1 if bouncing <= MOST_SUBSET_CONTACTS else subset == place + 1
            if chosen:
                kick.hold[c] = PASSIVE
            place += 1


@kernel
def remember_asked(kick, islands, island, params, choice):
    """Keep what the director asked; returns the number of bouncing contacts."""
    bouncing = 0
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        c = islands.order[i]
        choice.asked_restitution[c] = kick.restitution[c]
        choice.asked_friction[c] = kick.friction[c]
        choice.asked_rolling[c] = kick.rolling[c]
        if kick.after[c] > params.rest_speed:
            bouncing += 1
    return bouncing


@standalone
def backward_kick(contacts, kick, islands, number, x, q, v, l, bodies, root, root_mass, all_rows, work, choice,
                  material, params, v_out, l_out, spin):  # fmt: skip
    """Velocities before the kick for every body in an island. kick.after, slide, roll and the decisions are set;
    kick.impulse holds the warm start and receives the answer. Returns (worst relative residual, unsolved islands)."""
    worst = 0.0
    unsolved = 0
    for island in range(number):
        if islands.joined[island]:
            continue
        bouncing = remember_asked(kick, islands, island, params, choice)
        subsets = (1 << bouncing) - 1 if bouncing <= MOST_SUBSET_CONTACTS else bouncing + 1
        first = islands.contact_start[island]
        n = islands.body_start[island + 1] - islands.body_start[island]
        lone = islands.contact_start[island + 1] - first == 1 and kick.rolling[islands.order[first]] == 0.0
        best = math.inf
        best_residual = math.inf
        tried = 0
        effort = 0
        for attempt in range(max(TUNINGS * subsets, 1)):  # the first is what was asked, from the warm start
            if attempt > 0:
                if best < OFFENCE and attempt % subsets == 0 or effort > most_effort(n, work.blocks.pattern):
                    break
                hold_and_tune(kick, islands, island, params, attempt % subsets, attempt // subsets, bouncing, material,
                         choice)  # fmt: skip
            residual = math.inf
            speed = 0.0
            if lone:
                residual, speed = _lone(contacts, kick, islands.order[first], x, q, v, l, bodies.size,
                                        bodies.inverse_mass, bodies.inverse_inertia, params, v_out, l_out)  # fmt: skip
            if not residual <= params.solver_tolerance:
                residual, speed, spent = _solve(contacts, kick, islands, island, x, q, v, l, bodies, root, root_mass,
                                                all_rows, work, choice, params, v_out, l_out, spin)  # fmt: skip
                effort += spent
            found = _offence(contacts, kick, islands, island, q, v_out, l_out, bodies, material, params, speed)
            tried += 1
            if attempt == 0 or (residual <= params.solver_tolerance and found < best):
                best = found
                best_residual = residual
                if best < OFFENCE and attempt == 0:
                    break
                keep_answer(kick, islands, island, choice)
        if tried > 1:
            restore_answer(kick, islands, island, choice)
            apply_impulses(contacts, kick, islands, island, bodies.inverse_mass, -1.0, params, v, l, v_out, l_out)
        worst = max(worst, best_residual)
        if not best_residual <= params.solver_tolerance:
            unsolved += 1
    return worst, unsolved
