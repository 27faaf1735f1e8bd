"""A batch of takes of a large wall on two processes: how many are made and certified before the time is up."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass

import numpy as np

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.contact.tiers import GHOSTED
from engine.work.errand import Tell as TellShare
from engine.work.sample import takes_as_made
from engine.work.takes import Order, make_take
from engine.work.workers import Workers
from tests.bench.measure import Row, Tell
from tests.bench.scenes_director import bonded_wall

PROCESSES = 2


@dataclass(frozen=True)
class Judged:
    seed: int
    honest: bool  # whole, with nothing ghosted or assisted
    exact: float
    energy_ratio: float


def judged_take(order: Order, seed: int, tell: TellShare) -> Judged:
    """A take is made and certified where it was made; only the verdict is sent back."""
    take = make_take(order, seed, tell)
    report = certify(take)
    honest = take.stopped is None and bool(report.tiers.max() < GHOSTED)
    return Judged(seed, honest, report.exact_fraction, float(take.energy[0] / take.energy[-1]))


def batch(
    tell: Tell, takes: int = 64, courses: int = 5, width: int = 6, seconds: float = 4.5, limit: float = 180.0
) -> list[Row]:
    """`limit`: seconds by the clock, after which what is not finished is stopped. Loading the kernels counts."""
    scene = bonded_wall(courses, width)
    begun, found = time.perf_counter(), []
    with Workers(PROCESSES) as workers:
        coming = takes_as_made(
            scene, takes, seconds, executor=workers, options=Options(manner="preview"), work=judged_take
        )
        with contextlib.closing(coming):  # type: ignore[type-var]
            for judged in coming:
                spent = time.perf_counter() - begun
                if spent > limit:
                    break
                found.append(judged)
                tell(f"{len(scene.bodies)} bricks, {spent:.0f} s", len(found), takes)
    return [
        {
            "bricks": len(scene.bodies),
            "asked": takes,
            "made": len(found),
            "certified": sum(each.honest for each in found),
            "wall_s": min(time.perf_counter() - begun, limit),
            "processes": PROCESSES,
            "exact_median": float(np.median([each.exact for each in found])) if found else None,
            "energy_ratio": float(np.median([each.energy_ratio for each in found])) if found else None,
        }
    ]
