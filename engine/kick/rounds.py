"""The outer loop of a kick: impulses and the secants of the gaps over the drift beside it, found together.

The loop starts without secants and solves the first rounds loosely. Redundant contacts of one body (corners of a face,
ends of an edge) are nearly consistent at the answer, but not with the secants of another motion: then the law holds
only with internal stresses at the bounds of friction, which take hundreds of factorisations to find and are thrown away
in the next round.
"""

from __future__ import annotations

import math

from engine.contact.island_solver import copy_impulses, most_effort, solve_island
from engine.contact.kick import FREE, apply_impulses, contact_secant, relative_velocity, rows_to_impulses
from engine.jit import inline, kernel, standalone
from engine.kick.sides import clear_folded, unfold
from engine.rest import RESIDUAL_OF_RESTING_ISLAND
from engine.spin import midpoint_spin
from engine.vec import dot, put, quat_row, row

MOST_ROUNDS = 40  # contraction ~ dt |w|: 1e-13 in about ten rounds at 60 rad/s
FIRST_TOLERANCE = 1e-5  # relative residual to which the first round is solved
LEAST_SHARE = 0.25  # of a change of the secants that is followed
KEEPS_BEST = True  # of the rounds that did not do it; behind joints impulses of one round mean nothing in the next
INEXACT = 0.02  # later rounds: to this share of the last change of the secants, and to the full tolerance in the end


@kernel
def strict_tolerance(solver_tolerance, speed):
    """Relative tolerance of a solve in an island whose fastest body has `speed` (m/s): tighter in a fast one, so that
    its slow bodies too obey the law to the solver's tolerance; rounding grows with the speed, hence the hundredth."""
    return 0.3 * solver_tolerance * (1.0 + min(speed, 2.0 + 0.01 * speed)) / (1.0 + speed)


@inline
def wanted_tolerance(solver_tolerance, speed, at_rest):
    """strict_tolerance, and much tighter for an island without momentum: it falls asleep, and what speed the solve
    leaves is taken away."""
    return strict_tolerance(solver_tolerance, speed) * (RESIDUAL_OF_RESTING_ISLAND if at_rest else 1.0)


@inline
def next_share(share, strikes, change, last_change):
    """(share, strikes): how far to follow the secants next. Less where the rounds go to and fro between two answers,
    that is where the change twice did not shrink as it should when `share` of it was followed."""
    if change <= (1.0 - 0.5 * share) * last_change:
        return min(1.0, 2.0 * share), 0
    if strikes < 1:
        return share, strikes + 1
    return max(0.5 * share, LEAST_SHARE), 0


@kernel
def forget(s, island):
    """kick.secant = 0 for an island: normal velocities are those of the instant."""
    islands = s.islands
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        s.kick.secant[islands.order[i]] = 0.0


@inline
def loosest(s, params, island, wanted, scale, at):
    """Below this (relative) nothing of what `follow` finds open needs to be closed any further."""
    return wanted


@inline
def set_sides(s, island, width, sign):
    """Right-hand sides of the normal rows: what was asked, and the secants."""
    kick, islands, rows = s.kick, s.islands, s.rows
    first = islands.contact_start[island]
    for i in range(rows.count[0]):
        c = islands.order[first + i]
        rows.rhs[i, 0] = s.base[c]
        if sign > 0.0 or kick.hold[c] == FREE:
            rows.rhs[i, 0] += sign * kick.secant[c]


@inline
def solve(s, island, width, sign, speed, tolerance, accepted):
    """(residual, relative; factorisations) of the impulses in rows.z."""
    n = s.islands.body_start[island + 1] - s.islands.body_start[island]
    return solve_island(s.rows, width, n, speed, tolerance, accepted, s.solver)


@kernel
def give(s, params, island, width, sign, given, found):
    """Impulses from the rows, and the velocities they lead to."""
    rows_to_impulses(s, island, width)
    apply_impulses(s, params, island, sign, given, found)


@kernel
def follow(s, island, h, share, at, found):
    """kick.secant moves by `share` of the way to that of the drift of signed length h that follows. Returns the largest
    whole change, m/s, and what else is open."""
    islands, kick, contacts = s.islands, s.kick, s.contacts
    spins_of_drift(s, island, h, at, found)
    change = 0.0
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        c = islands.order[i]
        u, _ = relative_velocity(s, c, at, found)
        secant = contact_secant(contacts, c, at, found, s.other_spin, h)
        step = secant - dot(u, row(contacts.normal, c)) - kick.secant[c]
        change = max(change, abs(step))
        kick.secant[c] += share * step
    return change, 0.0


@kernel
def spins_of_drift(s, island, h, at, found):
    """other_spin: midpoint spins of an island's bodies over the drift of signed length h."""
    islands = s.islands
    for i in range(islands.body_start[island], islands.body_start[island + 1]):
        body = islands.bodies[i]
        turn = quat_row(at.q, body)
        put(s.other_spin, body, midpoint_spin(turn, s.bodies.inverse_inertia, body, row(found.l, body), h))


@standalone
def find_impulses(s, params, island, width, sign, speed, at_rest, accepted, at, given, found):
    """Impulses and velocities of one island whose rows are open; their normal sides without secants are in s.base.
    `accepted` (relative): from where on the start, or a round, is good enough. Returns (residual, relative;
    factorisations)."""
    m, n = s.rows.count[0], s.islands.body_start[island + 1] - s.islands.body_start[island]
    scale = 1.0 + speed
    wanted = wanted_tolerance(params.solver_tolerance, speed, at_rest)
    enough = max(wanted, accepted)
    closed = loosest(s, params, island, wanted, scale, at)
    if accepted > 0.0:
        apply_impulses(s, params, island, sign, given, found)
        follow(s, island, sign * params.dt, 1.0, at, found)
    else:
        forget(s, island)
    residual, change, opened, miss, last_change = 0.0, 0.0, 0.0, 0.0, math.inf
    best, share, strikes, effort = math.inf, 1.0, 0, 0
    tolerance, polished = FIRST_TOLERANCE, False
    for _ in range(MOST_ROUNDS):
        set_sides(s, island, width, sign)
        if sign < 0.0:
            clear_folded(s, island, width)
        residual, spent = solve(s, island, width, sign, speed, tolerance, accepted)
        if sign < 0.0:
            unfold(s, params, island, width)
        give(s, params, island, width, sign, given, found)
        change, opened = follow(s, island, sign * params.dt, share, at, found)
        change, opened = change / scale, opened / scale
        miss = max(residual, change, 0.0 if opened <= closed else opened)
        if change <= enough and opened <= closed and (residual <= enough or tolerance <= wanted):
            if polished or opened <= wanted:
                break
            polished = True  # rounding hides how near it is: one round more makes sure of the last digits
        effort += spent
        if KEEPS_BEST and miss < best:
            best = miss
            copy_impulses(s.rows.z, s.solver.round, m)
        if effort > most_effort(n, s.solver.blocks.pattern):
            break
        if not KEEPS_BEST and not math.isfinite(change + opened):
            return math.inf, effort
        largest = max(change, opened)
        share, strikes = next_share(share, strikes, largest, last_change)
        tolerance = max(wanted, min(INEXACT * largest, tolerance))  # and all that is wanted once they stand still
        last_change = largest
    if best < miss:  # no round did it: the one that came nearest
        copy_impulses(s.solver.round, s.rows.z, m)
        give(s, params, island, width, sign, given, found)
        follow(s, island, sign * params.dt, 1.0, at, found)
    return min(best, miss), effort
