"""Solve one island of the contact law: from last step's impulses if they are near, else cold, and never give up early.

Stages (solver.md sec. 5): unchanged -> nothing to do; near -> Newton; cold -> interior point, a few sweeps, Newton;
then Newton from longer and longer runs of sweeps. The best iterate is kept throughout.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.contact.blocks import Blocks, empty_blocks, find_pattern
from engine.contact.interior import InteriorWork, empty_interior, interior_point
from engine.contact.newton import NewtonWork, empty_newton, newton, residual_of
from engine.contact.sweeps import sweeps
from engine.jit import kernel, standalone

WARM_LIMIT = 1e-4  # relative residual above which last step's impulses are worth less than a cold start
MOST_OUTER = 400  # a low cap, not the method, was what limited convergence of tall towers


class SolverWork(NamedTuple):
    """Everything a solve needs besides the rows."""

    blocks: Blocks
    newton: NewtonWork
    interior: InteriorWork
    kept: np.ndarray  # (C, 6) best impulses of the stages so far


LARGEST_FACTORED = 1500  # bodies; beyond it the body graph's n x n table is not worth its memory
OVERSIZE_SWEEPS = 2000


def empty_solver_work(bodies: int, contacts: int, largest: int = LARGEST_FACTORED) -> SolverWork:
    """Work for islands of up to `bodies` bodies and `contacts` contacts, factorised up to `largest` bodies."""
    factored = min(bodies, largest)
    fill = min(factored * (factored - 1) // 2, 64 * factored)
    return SolverWork(
        blocks=empty_blocks(factored, fill, contacts),
        newton=empty_newton(bodies, contacts),
        interior=empty_interior(bodies, contacts),
        kept=np.zeros((max(contacts, 1), 6)),
    )


@standalone
def island_room(islands, number, rows, work):
    """(bodies, contacts) that rows and work must be enlarged to for these islands; (0, 0) when all fit."""
    bodies = 0
    contacts = 0
    for island in range(number):
        bodies = max(bodies, islands.body_start[island + 1] - islands.body_start[island])
        contacts = max(contacts, islands.contact_start[island + 1] - islands.contact_start[island])
    room = min(rows.body_a.shape[0], work.kept.shape[0])
    if bodies <= work.newton.y.shape[0] and contacts <= room:
        return 0, 0
    return bodies, contacts


@kernel
def _clear(z, m):
    for c in range(m):
        for k in range(6):
            z[c, k] = 0.0


@kernel
def _copy(source, target, m):
    for c in range(m):
        for k in range(6):
            target[c, k] = source[c, k]


@kernel
def _swept_start(rows, width, n, count, work):
    """Sweeps from the impulses in rows.z."""
    residual_of(rows, width, n, rows.z, work.newton.y, work.newton.w0)
    sweeps(rows, width, count, 0.0, rows.z, work.newton.y)


@standalone
def solve_island(rows, width, n, speed, tolerance, accepted, work):
    """Impulses rows.z (in: last step's, or zero) that obey the law to tolerance * (1 + speed).

    `speed` is the largest speed in the island (m/s). A start whose residual is at most accepted * (1 + speed) is kept
    as it is. Returns (residual relative to 1 + speed, factorisations)."""
    m = rows.body_a.shape[0]
    scale = 1.0 + speed
    target = tolerance * scale
    best = residual_of(rows, width, n, rows.z, work.newton.y, work.newton.w0)
    if best <= max(target, accepted * scale):
        return best / scale, 0
    blocks = work.blocks
    if n > blocks.degree.shape[0] or not find_pattern(
        n, rows.body_a, rows.body_b, blocks.touch, blocks.degree, blocks.body_at, blocks.place, blocks.start,
        blocks.below, blocks.slot,
    ):  # fmt: skip
        # Too large to factorise: sweeps get near, and the certificate says how near.
        _swept_start(rows, width, n, OVERSIZE_SWEEPS, work)
        return residual_of(rows, width, n, rows.z, work.newton.y, work.newton.w0) / scale, 0
    spent = 0
    _copy(rows.z, work.kept, m)
    for stage in range(4):
        sigma = 100.0
        growth = 10.0
        outer = MOST_OUTER
        if stage == 0:
            if best > WARM_LIMIT * scale:
                continue
            sigma = 1e3
            outer = 30
        elif stage == 1:
            _clear(rows.z, m)
            if width == 3:
                spent += interior_point(rows, n, 1e-6, rows.z, work.interior, blocks)
                _swept_start(rows, width, n, 5, work)
            else:
                _swept_start(rows, width, n, 40, work)
        else:
            _clear(rows.z, m)
            _swept_start(rows, width, n, 40 if stage == 2 else 400, work)
            sigma = 10.0
            growth = 10.0 if stage == 2 else 3.0
        r, factorisations = newton(rows, width, n, target, sigma, growth, outer, rows.z, work.newton, blocks)
        spent += factorisations
        if r < best:
            best = r
            _copy(rows.z, work.kept, m)
        if best <= target:
            break
    _copy(work.kept, rows.z, m)
    return best / scale, spent
