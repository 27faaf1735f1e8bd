"""Many steps of the fast engine in one call."""

from __future__ import annotations

from engine.collide.kinds import Narrow
from engine.collide.passing import Passing
from engine.fast.candidates import Candidates
from engine.fast.general import touch_others
from engine.fast.halt import halt_passing
from engine.fast.movers import AWAKE, MOVING, ROWS, STEP, Movers, V, W, begin_bodies, end_bodies
from engine.fast.near import FastNear, any_strays, find_near
from engine.fast.pairs import LISTED, Pairs
from engine.fast.parts import Parts
from engine.fast.row_columns import FastRows
from engine.fast.rows import gather_rows, store_impulses
from engine.fast.sleep import LOOK_EVERY, rest_islands
from engine.fast.solve import fly, solve
from engine.fast.touch import TOUCH, touch_pairs, wake_touched
from engine.jit import kernel
from engine.model.states import keep_state
from engine.record import Record
from engine.rest import REST_OF_FAST_BODY


class Work(Record):
    """Everything a run works on."""

    movers: Movers
    parts: Parts
    near: FastNear
    pairs: Pairs
    narrow: Narrow
    passing: Passing
    found: Candidates
    rows: FastRows


@kernel
def run_steps(steps, work, bodies, params, others, may_sleep, record, first):
    """Up to `steps` steps; returns (steps done, status). A status means that a capacity was too small for the next
    step: enlarge it and call again. States after each step go to record[first...] if it has room. others: there are
    shapes without quick kernels."""
    m, parts, near, pairs, found, rows = work.movers, work.parts, work.near, work.pairs, work.found, work.rows
    dt, counts, status, rolling = params.dt, m.counts, 0, False
    for done in range(steps):
        if counts[AWAKE] > 0:
            begin_bodies(m, parts, 0, dt)
            if any_strays(near.origin, near.path, near.margin, near.spun, m.x, m.v, m.spin_travel, m.spin_reach, m.list,
                          counts[AWAKE], dt):  # fmt: skip
                status = find_near(near, parts, pairs, bodies, m, dt)
                if status != 0:
                    return done, status
            counts[ROWS] = 0
            if pairs.counts[LISTED] > 0:
                woken = True
                while woken:
                    touch_pairs(pairs, parts, found, m, dt)
                    if others:
                        touch_others(pairs, parts, work.narrow, found, m, dt)
                    woken = counts[AWAKE] < counts[MOVING] and wake_touched(pairs, parts, m, dt)
                status, rolling = gather_rows(pairs, m, rows, dt)
                if status != 0:
                    return done, status
            if counts[ROWS] > 0:
                solve(m, rows, params, rolling)
                store_impulses(pairs.point, rows.home, rows.hot, counts[ROWS])
            else:
                fly(m.motion, m.list, counts[AWAKE], params)
            halt_passing(m, pairs, work.narrow, work.passing, bodies.size)
            end_bodies(m)
            counts[STEP] += 1
            if may_sleep:
                watch(m.motion, m.mass, m.quiet, m.list, counts[AWAKE], dt)
                if counts[STEP] % LOOK_EVERY == 0:
                    rest_islands(m, rows, TOUCH)
        if first + done < record.x.shape[0]:
            keep_state(m, record, first + done)
    return steps, 0


@kernel
def watch(motion, mass, quiet, awake, count, dt):
    """For how long each awake body has been slow."""
    limit = REST_OF_FAST_BODY * REST_OF_FAST_BODY
    for k in range(count):
        i = awake[k]
        v = motion[i, V] ** 2 + motion[i, V + 1] ** 2 + motion[i, V + 2] ** 2
        w = motion[i, W] ** 2 + motion[i, W + 1] ** 2 + motion[i, W + 2] ** 2
        quiet[i] = quiet[i] + dt if v < limit and w * mass[i, 1] * mass[i, 1] < limit else 0.0
