"""The ladder: how high a body was that bounced flat and straight until it stayed, for every speed at which it stayed.

Seen backward each bounce is 1/restitution times faster than the one after it, so that a small change of the last one
decides how high the first one was; and steps are long beside the last bounces. So they are run through once, all at a
time, and arrivals are drawn from those that come from a wanted height.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

RUNGS = 480  # speeds that are tried
SLOWEST = 0.03  # of the fastest
SURELY = 1.08  # times the fastest at which a body stays: whoever comes faster bounces


@dataclass(frozen=True)
class Ladder:
    """Landings, by the speed at which a body stays."""

    speed: np.ndarray  # (r,) m/s
    top: np.ndarray  # (r,) m, of the first bounce that is high enough; nan: none within the time
    clear: np.ndarray  # (r,) s before rest at which it last touched before that
    off: np.ndarray  # (r,) m/s after that touch, as time runs forward
    time: np.ndarray  # (r,) s before rest at which it was on top

    def drawn(
        self, rng: np.random.Generator, high: tuple[float, float], hurries: bool, slowest: float = 0.0
    ) -> tuple[float, float] | None:
        """A landing from the wanted heights (m): its speed, `slowest` at least, and the speed after its first bounce;
        None where there is none. Of those who hurry, one that is quickly out of the way."""
        good = np.flatnonzero((self.top >= high[0]) & (self.top <= high[1]) & (self.speed >= slowest))
        if not len(good):
            return None
        if hurries:
            good = good[np.argsort(self.time[good], kind="stable")[: max(len(good) // 4, 1)]]
        pick = int(good[int(rng.integers(len(good)))])
        return float(self.speed[pick]), float(self.off[pick])


@lru_cache(maxsize=64)
def ladder(
    bounce: float, gravity: float, dt: float, slop: float, fastest: float, least: float, soonest: float, seconds: float
) -> Ladder:
    """fastest: m/s at which a body may stay; it bounces from a little more on. least, soonest: m, and s before
    rest, of a top that counts."""
    speed = np.linspace(SLOWEST * fastest, fastest, RUNGS)
    z, v = np.zeros(RUNGS), -speed
    top, clear, off, time = (np.full(RUNGS, np.nan) for _ in range(4))
    touched, left = np.zeros(RUNGS), speed.copy()
    lawful = np.ones(RUNGS, bool)
    for step in range(1, round(seconds / dt)):
        z = z - dt * v
        rising = v > 0.0
        hits = z <= slop
        lawful &= ~(hits & (~rising | (v < SURELY * bounce * fastest)))
        before = np.where(hits, -v / max(bounce, 1e-3), v + gravity * dt)
        late = step * dt >= soonest
        found = late & ~hits & lawful & np.isnan(top) & (v < 0.0) & (before >= 0.0) & (z >= least)
        top[found], clear[found], off[found], time[found] = z[found], touched[found], left[found], step * dt
        touched, left = np.where(hits, step * dt, touched), np.where(hits, v, left)
        v = before
    return Ladder(speed, top, clear, off, time)
