"""Projected Gauss-Seidel: sweeps over the contacts of an island, one projection of the law at a time.

Cheap and rough: the start of the exact solver and, with a fixed number of sweeps, the whole of the fast one.
"""

from __future__ import annotations

import math

from engine.contact.law import ball_factor
from engine.contact.rows import add_normal_impulse, add_row_impulse, row_velocity
from engine.jit import inline, kernel, standalone


@inline
def sweep_contact(rows, width, c, z, y):
    """Project one contact, keeping y = H^T z; returns the largest change of its velocities, m/s."""
    w = rows.rhs[c, 0] + row_velocity(rows, c, 0, y)
    new = max(0.0, z[c, 0] - w / rows.an[c])
    change = new - z[c, 0]
    moved = 0.0
    if change != 0.0:
        z[c, 0] = new
        add_normal_impulse(rows, c, change, y)
        moved = abs(change) * rows.an[c]
    if rows.mu[c] > 0.0:
        w1 = rows.rhs[c, 1] + row_velocity(rows, c, 1, y)
        w2 = rows.rhs[c, 2] + row_velocity(rows, c, 2, y)
        p1 = z[c, 1] - w1 / rows.at[c]
        p2 = z[c, 2] - w2 / rows.at[c]
        f = ball_factor(math.sqrt(p1 * p1 + p2 * p2), rows.mu[c] * z[c, 0])
        c1 = f * p1 - z[c, 1]
        c2 = f * p2 - z[c, 2]
        if c1 != 0.0 or c2 != 0.0:
            z[c, 1] += c1
            z[c, 2] += c2
            add_row_impulse(rows, c, 1, c1, y)
            add_row_impulse(rows, c, 2, c2, y)
            moved = max(moved, (abs(c1) + abs(c2)) * rows.at[c])
    if width == 6 and rows.rolling[c] > 0.0:
        p3 = z[c, 3] - (rows.rhs[c, 3] + row_velocity(rows, c, 3, y)) / rows.ar[c]
        p4 = z[c, 4] - (rows.rhs[c, 4] + row_velocity(rows, c, 4, y)) / rows.ar[c]
        p5 = z[c, 5] - (rows.rhs[c, 5] + row_velocity(rows, c, 5, y)) / rows.ar[c]
        f = ball_factor(math.sqrt(p3 * p3 + p4 * p4 + p5 * p5), rows.rolling[c] * z[c, 0])
        moved = max(moved, _turn(rows, c, 3, f * p3, z, y))
        moved = max(moved, _turn(rows, c, 4, f * p4, z, y))
        moved = max(moved, _turn(rows, c, 5, f * p5, z, y))
    return moved


@kernel
def _turn(rows, c, k, new, z, y):
    change = new - z[c, k]
    if change != 0.0:
        z[c, k] = new
        add_row_impulse(rows, c, k, change, y)
    return abs(change) * rows.ar[c]


@standalone
def sweeps(rows, width, count, tolerance, z, y):
    """Up to `count` sweeps, alternating direction; stops when nothing moves by more than `tolerance` (m/s).

    y must hold H^T z on entry and does on exit."""
    m = rows.count[0]
    for k in range(count):
        moved = 0.0
        for i in range(m):
            c = i if k % 2 == 0 else m - 1 - i
            moved = max(moved, sweep_contact(rows, width, c, z, y))
        if moved <= tolerance:
            return k + 1
    return count
