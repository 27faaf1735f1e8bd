"""Proximal semismooth Newton on the contact law, in body space.

One outer step with proximal weight sigma: find dy with  F(dy) = dy - H^T (Pi(z - S w(dy)) - z) = 0,  w = w_z + G dy,
by Newton with line search, each step one block factorisation of I + H^T D G. Then z <- Pi(...), and sigma grows: the
fixed points for every sigma are the solutions of the law; large sigma is plain Newton, small sigma always solvable.
Increments dy from a consistent y = H^T z keep full precision at large sigma.

What Newton asks of rows are three things: times, add_impulses and find_direction. Here they are those of contacts, each
of which moves two bodies, and `system` is their block factorisation; behind joints every contact moves every body, and
the same method is bound to dense rows (joint/dense.py).
"""

from __future__ import annotations

import math

import numpy as np

from engine.contact.blocks import assemble, factor, solve
from engine.contact.law import law_residual, project
from engine.contact.rows import row_velocity, velocities_of_impulses
from engine.jit import inline, kernel, standalone
from engine.record import Record

LARGEST_SIGMA = 1e11
SMALLEST_SIGMA = 1e-2
INNER_SHARE = 0.05  # inner tolerance as a share of the outer residual; an absolute one diverged
MOST_INNER = 20
MOST_HALVINGS = 6


class NewtonWork(Record):
    """Work arrays: N bodies, C contacts."""

    y: np.ndarray  # (N, 6)
    dy: np.ndarray  # (N, 6)
    trial: np.ndarray  # (N, 6)
    force: np.ndarray  # (N, 6)       F(dy)
    trial_force: np.ndarray  # (N, 6)
    direction: np.ndarray  # (N, 6)
    w0: np.ndarray  # (C, 6)          velocities at z
    w: np.ndarray  # (C, 6)
    projected: np.ndarray  # (C, 6)
    change: np.ndarray  # (C, 6)
    best: np.ndarray  # (C, 6)
    derivative: np.ndarray  # (C, 6, 6)


def empty_newton(bodies: int, contacts: int) -> NewtonWork:
    n, m = max(bodies, 1), max(contacts, 1)
    shapes = {name: (m, 6) for name in ("w0", "w", "projected", "change", "best")}
    return NewtonWork(
        *(np.zeros((m, 6, 6) if name == "derivative" else shapes.get(name, (n, 6))) for name in NewtonWork._fields)
    )


@inline
def times(rows, system, n, c, k, y):
    """Row k of contact c: (G y)_ck in m/s."""
    return row_velocity(rows, c, k, y)


@inline
def add_impulses(rows, system, width, n, z, y):
    """y += H^T z."""
    velocities_of_impulses(rows, width, z, y)


@inline
def find_direction(rows, system, width, n, work):
    """work.direction = (1 + H^T D G)^-1 work.force."""
    assemble(rows, width, n, work.derivative, system)
    factor(n, system)
    solve(n, system, work.force, work.direction)


@standalone
def residual_of(rows, system, width, n, z, work):
    """Law residual of z from scratch (never from increments): y = H^T z, w0 = G y + rhs, both left in `work`."""
    for i in range(n):
        for k in range(6):
            work.y[i, k] = 0.0
    add_impulses(rows, system, width, n, z, work.y)
    for c in range(rows.count[0]):
        for k in range(width):
            work.w0[c, k] = rows.rhs[c, k] + times(rows, system, n, c, k, work.y)
    return law_residual(rows, width, z, work.w0)


@standalone
def force_of(rows, system, width, n, dy, sigma, work, force):
    """force = dy - H^T(Pi(z - S(w0 + G dy)) - z) and its norm; leaves Pi in work.projected, D in work.derivative."""
    m, z = rows.count[0], rows.z
    for c in range(m):
        for k in range(width):
            work.w[c, k] = work.w0[c, k] + times(rows, system, n, c, k, dy)
    project(rows, width, z, work.w, sigma, work.projected, work.derivative)
    for c in range(m):
        for k in range(width):
            work.change[c, k] = z[c, k] - work.projected[c, k]
    for i in range(n):
        for k in range(6):
            force[i, k] = dy[i, k]
    add_impulses(rows, system, width, n, work.change, force)
    square = 0.0
    for i in range(n):
        for k in range(6):
            square += force[i, k] * force[i, k]
    return math.sqrt(square)


@kernel
def descend(rows, system, width, n, sigma, target, work):
    """Newton on F to |F| <= target. Returns (|F|, Newton steps); the answer is in work.projected."""
    for i in range(n):
        for k in range(6):
            work.dy[i, k] = 0.0
    size = force_of(rows, system, width, n, work.dy, sigma, work, work.force)
    for step in range(MOST_INNER):
        if size <= target:
            return size, step
        find_direction(rows, system, width, n, work)
        t = 1.0
        accepted = False
        trial_size = size
        for _ in range(MOST_HALVINGS):
            for i in range(n):
                for k in range(6):
                    work.trial[i, k] = work.dy[i, k] - t * work.direction[i, k]
            trial_size = force_of(rows, system, width, n, work.trial, sigma, work, work.trial_force)
            if trial_size <= (1.0 - 0.1 * t) * size:
                accepted = True
                break
            t *= 0.5
        for i in range(n):
            for k in range(6):
                work.dy[i, k] = work.trial[i, k]
                work.force[i, k] = work.trial_force[i, k]
        size = trial_size
        if not accepted:
            return size, step + 1
    return size, MOST_INNER


@standalone
def newton(rows, system, width, n, tolerance, sigma, growth, most_outer, most_factorisations, work):
    """Drive the law's residual of rows.z below `tolerance` (m/s). Returns the residual reached and the factorisations
    spent.

    rows.z keeps the best iterate. The pattern of blocks must be that of this island."""
    m, z = rows.count[0], rows.z
    largest = 0.0
    for c in range(m):
        largest = max(largest, rows.an[c])
    inner_scale = INNER_SHARE / math.sqrt(largest)
    best = math.inf
    spent = 0
    failures = 0
    r = residual_of(rows, system, width, n, z, work)
    for _ in range(most_outer):
        if r < best:
            best = r
            for c in range(m):
                for k in range(width):
                    work.best[c, k] = z[c, k]
        if r <= tolerance or not math.isfinite(r) or spent >= most_factorisations:
            break
        target = inner_scale * r
        size, steps = descend(rows, system, width, n, sigma, target, work)
        spent += steps
        solved = size <= 10.0 * target
        if solved or size < 1e3 * target:
            for c in range(m):
                for k in range(width):
                    z[c, k] = work.projected[c, k]
        if solved:
            failures = 0
            sigma = min(sigma * (growth if steps <= 6 else math.sqrt(growth)), LARGEST_SIGMA)
        else:
            failures += 1
            sigma = max(sigma * (0.1 if failures < 2 else 0.03), SMALLEST_SIGMA)
            growth = max(2.0, 0.6 * growth)
        r = residual_of(rows, system, width, n, z, work)
    if r < best:
        return r, spent
    for c in range(m):
        for k in range(width):
            z[c, k] = work.best[c, k]
    return best, spent
