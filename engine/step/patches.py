"""Planar patches as physics: the contacts of two parts that share a normal are one contact, with one wrench.

The normal forces of a patch P matter only by their resultant and moment, a wrench [m_T, f_N] in the cone K_P over the
hull of P, and the corners are kept apart exactly when the twist [w_T, v_N] lies in its dual; the two are complementary
(de Mont-Marin et al. 2025, proposition 1). A wrench of K_P is a sum over at most three corners, so three *bearers* are
its coordinates: only they get rows, three normal unknowns instead of one per corner. Is the twist outside of the dual
cone, then some corner sinks in: it takes the place of a bearer that bears nothing, and the kick is solved again. Each
exchange moves to a neighbouring simplex of K_P; at the end the law holds at every corner, and the ordinary certificate
says so. Friction acts at the bearers. Where a patch turns about its normal while it slides, friction depends on how
the load is shared, of which the law of points says nothing either: there the two may differ.

A corner that is no bearer is held APART: no rows, no impulse, and the law all the same.
"""

from __future__ import annotations

import math

from engine.contact.kick import APART, CONTACTS, FREE, pair_speed
from engine.contact.law import normal_bias
from engine.jit import inline, kernel, standalone
from engine.vec import cross, dot, row, sub

CARRIERS = 3
SAME_NORMAL = 1e-12  # 1 - cosine
THIN = 1e-6  # of a triangle: twice its area over the square of its longest side
MOST_EXCHANGES = 8  # rounds of a kick; patches that want more get rows for all their corners
SINKS = 10.0  # solver tolerances of speed at which a corner without rows must carry


@kernel
def _run_end(first, count, contacts):
    """End of the contacts of two parts that begin with `first`; they stand together."""
    last = first + 1
    while (
        last < count
        and contacts.part_a[last] == contacts.part_a[first]
        and contacts.part_b[last] == contacts.part_b[first]
    ):
        last += 1
    return last


@kernel
def _bounces(kick, c, params):
    return normal_bias(kick.before[c], kick.restitution[c], params.bounce_speed, 0.0, 0.0) != 0.0


@inline
def _is_patch(first, last, contacts, kick, params):
    """Whether these contacts act as one: one normal, and all of them bounce or none, so that the speeds that the law
    looks at are those of one rigid motion."""
    if last - first <= CARRIERS:
        return False
    for c in range(first, last):
        alike = 1.0 - dot(row(contacts.normal, first), row(contacts.normal, c)) <= SAME_NORMAL
        alike = alike and _bounces(kick, c, params) == _bounces(kick, first, params)
        if not alike or kick.rolling[c] > 0.0 or kick.hold[c] != FREE:
            return False
    return True


@kernel
def _squared(contacts, i, j):
    d = sub(row(contacts.point, i), row(contacts.point, j))
    return dot(d, d)


@kernel
def _area(contacts, i, j, k):
    """Twice the area of a triangle of contacts, m^2."""
    p = row(contacts.point, i)
    d = cross(sub(row(contacts.point, j), p), sub(row(contacts.point, k), p))
    return math.sqrt(dot(d, d))


@kernel
def _is_thin(contacts, i, j, k):
    longest = max(_squared(contacts, i, j), _squared(contacts, j, k), _squared(contacts, i, k))
    return _area(contacts, i, j, k) <= THIN * longest


@kernel
def _heaviest(first, last, kick, contacts, but, but_also):
    """The contact with the largest warm normal impulse, of those not yet chosen; -1 when no other bears anything."""
    best = -1
    most = 0.0
    for c in range(first, last):
        bears = dot(row(kick.impulse, c), row(contacts.normal, c))
        if c != but and c != but_also and bears > most:
            best = c
            most = bears
    return best


@inline
def _starting_bearers(first, last, contacts, kick):
    """Those that carried in the last step; what is missing to a triangle as far out as possible."""
    i = _heaviest(first, last, kick, contacts, -1, -1)
    j = _heaviest(first, last, kick, contacts, i, -1) if i >= 0 else -1
    k = _heaviest(first, last, kick, contacts, i, j) if j >= 0 else -1
    if i < 0:
        i = first
        for c in range(first + 1, last):
            if _squared(contacts, first, c) > _squared(contacts, first, i):
                i = c
    if j < 0:
        j = first
        for c in range(first, last):
            if _squared(contacts, i, c) > _squared(contacts, i, j):
                j = c
    if k < 0 or _is_thin(contacts, i, j, k):
        k = i
        for c in range(first, last):
            if k == i or _area(contacts, i, j, c) > _area(contacts, i, j, k):
                k = c
    return i, j, k


@standalone
def choose_bearers(s, params):
    """Three bearers for every patch; its other corners are held APART. Returns how many those are."""
    count, contacts, kick = s.counts[CONTACTS], s.contacts, s.kick
    held = 0
    first = 0
    while first < count:
        last = _run_end(first, count, contacts)
        if _is_patch(first, last, contacts, kick, params):
            i, j, k = _starting_bearers(first, last, contacts, kick)
            if not _is_thin(contacts, i, j, k):
                for c in range(first, last):
                    if c != i and c != j and c != k:
                        kick.hold[c] = APART
                        held += 1
        first = last
    return held


@kernel
def _law_speed(kick, c, params):
    """What must not be negative at a corner that bears nothing, m/s."""
    return kick.after[c] + normal_bias(kick.before[c], kick.restitution[c], params.bounce_speed, 0.0, 0.0)


@inline
def _sinking(s, params, first, last, at, after):
    """The corner without rows that sinks in fastest; -1 when the twist lies in the dual cone."""
    kick, worst = s.kick, -1
    lowest = -SINKS * params.solver_tolerance * (1.0 + pair_speed(s, first, at, after))
    for c in range(first, last):
        if kick.hold[c] == APART:
            speed = _law_speed(kick, c, params)
            if speed < lowest:
                lowest = speed
                worst = c
    return worst


@inline
def _leaving(first, last, contacts, kick, params, comes):
    """The bearer that gives way to corner `comes`: of those that bear nothing the one that lifts most, such that a
    triangle is left; -1 when there is none."""
    best = -1
    most = 0.0
    for c in range(first, last):
        if kick.hold[c] == APART or dot(row(kick.impulse, c), row(contacts.normal, c)) > 0.0:
            continue
        one = -1
        other = -1
        for each in range(first, last):
            if kick.hold[each] != APART and each != c:
                other = one
                one = each
        if _is_thin(contacts, one, other, comes):
            continue
        lifts = _law_speed(kick, c, params)
        if best < 0 or lifts > most:
            best = c
            most = lifts
    return best


@standalone
def exchange_bearers(s, params, at, after, rounds):
    """Corners that sink in become bearers. Returns how many patches changed: none when the law holds at every corner.

    kick.after and impulse are those of the kick just solved; `after` has the velocities after it."""
    count, contacts, kick = s.counts[CONTACTS], s.contacts, s.kick
    changed = 0
    first = 0
    while first < count:
        last = _run_end(first, count, contacts)
        comes = _sinking(s, params, first, last, at, after)
        if comes >= 0:
            changed += 1
            going = _leaving(first, last, contacts, kick, params, comes) if rounds < MOST_EXCHANGES else -1
            if going >= 0:
                kick.hold[going] = APART
                kick.hold[comes] = FREE
            else:
                for c in range(first, last):
                    kick.hold[c] = FREE
        first = last
    return changed
