"""Solve one island of the contact law: from last step's impulses if they are near, else cold, and never give up early.

An unchanged island costs one evaluation of the law. Else Newton, from a start that is

    WARM        last step's impulses, when they are near
    SWEPT       a few sweeps from zero: best for small islands, for balls and for hits
    CENTRED     the interior point's answer: finds how a large stack at rest carries its load (no rolling rows)
    LONG_SWEPT  many sweeps

until one reaches the tolerance. The best iterate is kept throughout.
"""

from __future__ import annotations

import numpy as np

from engine.contact.blocks import Blocks, empty_blocks
from engine.contact.interior import InteriorWork, empty_interior, interior_point
from engine.contact.newton import NewtonWork, empty_newton, newton, residual_of
from engine.contact.pattern import find_pattern
from engine.contact.sweeps import sweeps
from engine.jit import inline, kernel, standalone
from engine.record import Record

WARM_LIMIT = 3e-3  # relative residual above which last step's impulses are worth less than a cold start
WARM, SWEPT, CENTRED, LONG_SWEPT = range(4)
MOST_OUTER = 200  # a low cap, not the method, was what limited convergence of tall towers
MOST_FACTORISATIONS = 500  # of one start; most solves that succeed need 5 to 200, a few of hit walls more
MOST_IN_ALL = 3000  # of one kick; impacts that took more were not solved by ten times as many
MOST_BLOCKS = 4_000_000
"""6x6 blocks that the factorisations of one kick may have in all: where contacts slide, large islands may not converge
at all, and what is left then goes to the certificate. For a wall of 100 bricks that is no limit; for a pile of 1000
boxes it is some hundred factorisations, about ten seconds."""


class SolverWork(Record):
    """Everything a solve needs besides the rows."""

    blocks: Blocks
    newton: NewtonWork
    interior: InteriorWork
    kept: np.ndarray  # (C, 6) best impulses of the stages so far
    round: np.ndarray  # (C, 6) best impulses of the secant rounds so far


FILL_PER_BODY = 64  # blocks of a factorisation there is room for; a cube of 1000 bodies needs 32, of 4096 already 76
OVERSIZE_SWEEPS = 2000


def empty_solver_work(bodies: int, contacts: int, fill_per_body: int = FILL_PER_BODY) -> SolverWork:
    """Work for islands of up to `bodies` bodies and `contacts` contacts."""
    fill = min(bodies * (bodies - 1) // 2, fill_per_body * bodies)
    return SolverWork(
        blocks=empty_blocks(bodies, fill, contacts),
        newton=empty_newton(bodies, contacts),
        interior=empty_interior(bodies, contacts),
        kept=np.zeros((max(contacts, 1), 6)),
        round=np.zeros((max(contacts, 1), 6)),
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
def most_effort(n, pattern):
    """Factorisations that an island of n bodies (whose pattern this is) is worth in one kick."""
    return min(MOST_IN_ALL, max(200, MOST_BLOCKS // (n + pattern.start[n])))


@inline
def _clear(z, m):
    for c in range(m):
        for k in range(6):
            z[c, k] = 0.0


@kernel
def copy_impulses(source, target, m):
    for c in range(m):
        for k in range(6):
            target[c, k] = source[c, k]


@kernel
def _swept_start(rows, width, n, count, work):
    """Sweeps from the impulses in rows.z."""
    residual_of(rows, work.blocks, width, n, rows.z, work.newton)
    sweeps(rows, width, count, 0.0, rows.z, work.newton.y)


@standalone
def solve_island(rows, width, n, speed, tolerance, accepted, work):
    """Impulses rows.z (in: last step's, or zero) that obey the law to tolerance * (1 + speed).

    `speed` is the largest speed in the island (m/s). A start whose residual is at most accepted * (1 + speed) is kept
    as it is. Returns (residual relative to 1 + speed, factorisations)."""
    m = rows.count[0]
    scale = 1.0 + speed
    target = tolerance * scale
    best = residual_of(rows, work.blocks, width, n, rows.z, work.newton)
    if best <= max(target, accepted * scale):
        return best / scale, 0
    blocks = work.blocks
    if not find_pattern(n, rows.body_a[:m], rows.body_b[:m], blocks.pattern):
        # Too entangled to factorise in this room: sweeps get near, and the certificate says how near.
        _swept_start(rows, width, n, OVERSIZE_SWEEPS, work)
        return residual_of(rows, blocks, width, n, rows.z, work.newton) / scale, 0
    spent = 0
    all_in_all = most_effort(n, blocks.pattern)
    copy_impulses(rows.z, work.kept, m)
    for stage in range(4):
        most = min(MOST_FACTORISATIONS, all_in_all - spent)
        if most <= 0:
            break
        if stage == WARM and best > WARM_LIMIT * scale or stage == CENTRED and width == 6:
            continue
        sigma = 10.0
        growth = 10.0
        outer = MOST_OUTER
        if stage == WARM:
            sigma = 1e3
            outer = 30
        else:
            _clear(rows.z, m)
        if stage == SWEPT:
            _swept_start(rows, width, n, 20 if m <= 16 else 100, work)
            outer = 60
        elif stage == CENTRED:
            spent += interior_point(rows, n, 1e-6, rows.z, work.interior, blocks)
            _swept_start(rows, width, n, 5, work)
            sigma = 100.0
        elif stage == LONG_SWEPT:
            _swept_start(rows, width, n, 400, work)
            growth = 3.0
        r, factorisations = newton(rows, blocks, width, n, target, sigma, growth, outer, most, work.newton)
        spent += factorisations
        if r < best:
            best = r
            copy_impulses(rows.z, work.kept, m)
        if best <= target:
            break
    copy_impulses(work.kept, rows.z, m)
    return best / scale, spent
