"""Right-hand sides of a kick: restitution forward, what is asked backward.

Backward, sliding contacts are folded. Friction was at its bound there and its direction is known, so that it goes with
the normal impulse, and one column of H stands for both."""

from __future__ import annotations

import math

from engine.contact.kick import PASSIVE
from engine.contact.law import normal_bias
from engine.contact.rows import row_velocity
from engine.jit import inline, kernel
from engine.vec import dot, row


@kernel
def bias(kick, c, params):
    """What restitution, or a predicted landing, adds to the normal law of contact c, m/s."""
    threshold = 0.0 if kick.forced[c] == 1 else params.bounce_speed
    return normal_bias(kick.before[c], kick.restitution[c], threshold, kick.closing[c], kick.pull[c])


@kernel
def law_sides(s, params, island, width, y):
    """rhs = G y, and in the normal rows restitution; s.base keeps the normal part without the secant."""
    islands, rows = s.islands, s.rows
    first = islands.contact_start[island]
    for i in range(rows.count[0]):
        c = islands.order[first + i]
        for k in range(width):
            rows.rhs[i, k] = row_velocity(rows, i, k, y)
        s.base[c] = rows.rhs[i, 0] + bias(s.kick, c, params)


@inline
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
def directions(kick, c, params):
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
def asked_speed(kick, c, params):
    """Approach speed before the kick: of a bounce by its restitution, at rest what is asked for, m/s."""
    return kick.after[c] / kick.restitution[c] if kick.after[c] > params.rest_speed else kick.goal_n[c]


@kernel
def fold_and_ask(s, params, island, width, y):
    """Fold sliding contacts, silence PASSIVE ones, set right-hand sides. Lowers friction where it would jam."""
    kick, islands, rows = s.kick, s.islands, s.rows
    first = islands.contact_start[island]
    for i in range(rows.count[0]):
        c = islands.order[first + i]
        if kick.hold[c] == PASSIVE:
            _silence(rows, i, width)
            s.base[c] = 1.0
            continue
        slide, roll = directions(kick, c, params)
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
        s.base[c] = rows.rhs[i, 0] - asked_speed(kick, c, params)
        goal = row(kick.goal_t, c)
        rows.rhs[i, 1] += dot(goal, row(kick.t1, c))
        rows.rhs[i, 2] += dot(goal, row(kick.t2, c))
        if width == 6:
            for k in range(3):
                rows.rhs[i, 3 + k] += kick.goal_r[c, k] * kick.length[c]


@inline
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


@inline
def unfold(s, params, island, width):
    """Write the folded friction and rolling impulses into z."""
    kick, islands, rows = s.kick, s.islands, s.rows
    first = islands.contact_start[island]
    for i in range(rows.count[0]):
        c = islands.order[first + i]
        if kick.hold[c] == PASSIVE:
            continue
        slide, roll = directions(kick, c, params)
        if slide[0] != 0.0 or slide[1] != 0.0:
            for k in range(2):
                rows.z[i, 1 + k] = -kick.friction[c] * slide[k] * rows.z[i, 0]
        if width == 6 and (roll[0] != 0.0 or roll[1] != 0.0 or roll[2] != 0.0):
            for k in range(3):
                rows.z[i, 3 + k] = -kick.rolling[c] / kick.length[c] * roll[k] * rows.z[i, 0]


@inline
def clear_folded(s, island, width):
    """Impulses of folded and silent rows are not unknowns: take them out of the start."""
    kick, islands, rows = s.kick, s.islands, s.rows
    first = islands.contact_start[island]
    for i in range(rows.count[0]):
        c = islands.order[first + i]
        if kick.hold[c] == PASSIVE:
            rows.z[i, 0] = 0.0
        if rows.mu[i] == 0.0:
            rows.z[i, 1] = 0.0
            rows.z[i, 2] = 0.0
        if width == 6 and rows.rolling[i] == 0.0:
            for k in range(3, 6):
                rows.z[i, k] = 0.0
