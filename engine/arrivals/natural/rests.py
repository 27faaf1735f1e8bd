"""When bodies that are dropped come to rest: one after another over the take, as asked or by chance. Whoever has a
long way rests late, so that it begins within the take."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

import numpy as np

from engine.algebra import norm
from engine.arrivals.brief import Brief
from engine.arrivals.natural.tuning import EARLY, FALL, HAND
from engine.arrivals.scale import scale_of
from engine.arrivals.stagger import staggered
from engine.arrivals.times import FIRST_REST, asked_times, in_order
from engine.decide.chance import draws


def latest_rest(brief: Brief) -> int:
    """The step by which everybody rests who is not asked to do so later."""
    return max(min(brief.steps - round(FIRST_REST / brief.params.dt), brief.steps - 1), 0)


def rest_of_one(brief: Brief, row: int, lasts: int | None = None) -> dict[int, int]:
    """A single body comes in as soon as a hand has had the time to bring it, or not much later: a take that begins
    empty is longer than it needs to be. lasts: steps of its drop; None: unknown as yet, it rests late."""
    dt = brief.params.dt
    asked = asked_times(brief.scene, brief.model).get(row)
    if asked is not None:
        return {row: max(min(brief.steps - round(asked / dt), brief.steps - 1), 0)}
    latest = latest_rest(brief)
    if lasts is None or brief.entrances[row].start is not None:
        return {row: latest}
    hand = round(HAND * scale_of(float(brief.model.bodies.size[row]), norm(brief.model.gravity)).time / dt)
    soonest = min(lasts + hand, latest)
    return {row: soonest + round(EARLY * float(draws(brief.seed, "rests").uniform()) * (latest - soonest))}


def rests_of_many(brief: Brief, rows: list[int], least: Mapping[int, int]) -> dict[int, int]:
    """First step at rest, by row. least: before which each cannot rest if its drop is to begin within the take."""
    model, dt, steps = brief.model, brief.params.dt, brief.steps
    seconds = steps * dt
    slowest = float(model.bodies.size[rows].max())
    soonest = min((HAND + FALL) * scale_of(slowest, norm(model.gravity)).time, 0.8 * seconds)
    left = max(seconds - soonest - FIRST_REST, 0.0)
    asked = asked_times(brief.scene, model)
    groups = staggered(brief, rows)
    if groups is not None:
        between = left / max(len(groups) - 1, 1)
        if brief.scene.stagger is not None and brief.scene.stagger.seconds is not None:
            between = min(between, brief.scene.stagger.seconds)
        last = FIRST_REST + between * (len(groups) - 1)
        times = {row: last - between * i for i, group in enumerate(groups) for row in group}
    else:
        between = left / max(len(rows) - 1, 1)
        if brief.scene.stagger is not None and brief.scene.stagger.seconds is not None:
            between = min(between, brief.scene.stagger.seconds)
        places = [FIRST_REST + between * i for i in range(len(rows))]  # from the last one on
        most = {row: (steps - least.get(row, 0)) * dt for row in rows}
        times = _dealt(places, most, draws(brief.seed, "rests"))
    for row in rows:
        if brief.entrances[row].start is not None:  # a hand is to leave its start in time: it rests as late as it can
            times[row] = FIRST_REST
    times = in_order(brief.scene, model, {row: time for row, time in times.items() if row not in asked}) | {
        row: time for row, time in asked.items() if row in rows
    }
    return {row: max(min(steps - round(time / dt), steps - 1), 0) for row, time in times.items()}


def _dealt(places: list[float], most: Mapping[int, float], rng: np.random.Generator) -> dict[int, float]:
    """Times (s before the end) by row, as many as there are, increasing, each at most as long as it may be: dealt by
    chance, and to another one only where that is too long. Where too few are short they are shortened."""
    times = [min(pair) for pair in zip(places, sorted(most.values()), strict=True)]
    dealt = dict(zip(most, map(int, rng.permutation(len(times))), strict=True))
    free = list(range(len(times)))
    found = {}
    for row in sorted(most, key=lambda row: (most[row], row)):  # who has the least to choose from chooses first
        short = bisect_left(free, True, key=lambda i: times[i] > most[row])
        at = bisect_left(free, dealt[row])
        if at >= short or free[at] != dealt[row]:
            at = int(rng.integers(short))
        found[row] = times[free.pop(at)]
    return found
