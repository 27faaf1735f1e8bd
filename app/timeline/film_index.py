"""FilmIndex: what the tracks look up in a film again and again, found once. Arrays only; no Qt."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.look.tiers import of_ranks, ranks, tier_rank
from app.timeline.time_axis import TimeAxis
from engine.scene.film import Film

NARROWEST = 5.0  # px of a stretch that is worse than exact: a single step must be seen from afar


class Stretch(NamedTuple):
    """Neighbouring steps of one tier, as they stand on the strip."""

    tier: int
    left: float  # px
    right: float
    first: int  # steps
    last: int


class FilmIndex:
    def __init__(self, film: Film) -> None:
        self.film = film
        self.moving = np.flatnonzero(np.isfinite(film.begin) & np.isfinite(film.rest))
        both = film.event_body.reshape(-1)
        event = np.repeat(np.arange(len(film.event_time)), 2)
        order = np.lexsort((film.event_time[event], both))
        order = order[both[order] >= 0]
        self._event = event[order]
        self._start = np.searchsorted(both[order], np.arange(len(film.bodies) + 1))

    def events(self, row: int) -> np.ndarray:
        """Places in `event_time` of what happens to a body, from the first to the last."""
        return self._event[self._start[row] : self._start[row + 1]]

    def event_near(self, row: int, time: float, reach: float) -> int | None:
        """The event of a body nearest to a moment, not further than `reach` s."""
        events = self.events(row)
        if not len(events):
            return None
        apart = np.abs(self.film.event_time[events] - time)
        best = int(np.argmin(apart))
        return int(events[best]) if apart[best] <= reach else None

    def step_at(self, time: float) -> int:
        return int(np.floor((time - self.film.step_first) / self.film.step_dt))

    def step_time(self, step: int) -> float:
        """s, the middle of a step."""
        return self.film.step_first + (step + 0.5) * self.film.step_dt

    def stretches(self, axis: TimeAxis) -> list[Stretch]:
        """The strip, pixel by pixel, the worst step of each; without contacts there is none. In the order in which
        they are to be painted: worse ones, which may be widened, come later."""
        tiers = self.film.step_tier
        columns = int(np.ceil(axis.width))
        edges = axis.time(axis.left + np.arange(columns + 1, dtype=float))
        step = (edges - self.film.step_first) / self.film.step_dt
        begin = np.clip(np.floor(step[:-1] + 1e-9), 0, len(tiers)).astype(np.int64)
        end = np.clip(np.maximum(np.ceil(step[1:] - 1e-9), begin + 1), 0, len(tiers)).astype(np.int64)
        inside = np.flatnonzero((end > begin) & (step[1:] > 0.0))
        if not len(inside):
            return []
        spans = np.stack([begin[inside], end[inside]], axis=1).reshape(-1)
        padded = ranks(np.append(tiers, -1))  # reduceat wants every place to exist, the end of the last one too
        worst = of_ranks(np.maximum.reduceat(padded, spans)[::2])
        cuts = np.flatnonzero(np.diff(worst)) + 1
        found = []
        for group in np.split(np.arange(len(inside)), cuts):
            tier, column = int(worst[group[0]]), inside[group]
            if tier >= 0:
                left, right = axis.left + float(column[0]), axis.left + float(column[-1] + 1)
                wider = max(0.0, NARROWEST - (right - left)) / 2.0 if tier > 0 else 0.0
                steps = int(begin[column[0]]), int(end[column[-1]]) - 1
                found.append(Stretch(tier, left - wider, right + wider, *steps))
        return sorted(found, key=lambda stretch: (tier_rank(stretch.tier), stretch.left))

    def marks(self, stretch: Stretch) -> np.ndarray:
        """Places in `mark_step` of what is told about a stretch: its steps of its tier."""
        steps, tiers = self.film.mark_step, self.film.mark_tier
        low, high = np.searchsorted(steps, [stretch.first, stretch.last + 1])
        return low + np.flatnonzero(tiers[low:high] == stretch.tier)


def glyphs(stretches: list[Stretch], apart: float) -> list[Stretch]:
    """Which stretches get a sign above the strip: all that are worse than exact, and where signs would cover each
    other, the worst of them."""
    kept: list[Stretch] = []
    signed = (one for one in stretches if one.tier > 0)
    for stretch in sorted(signed, key=lambda one: (-tier_rank(one.tier), one.left)):
        at = middle(stretch)
        if all(abs(at - middle(other)) >= apart for other in kept):
            kept.append(stretch)
    return kept


def middle(stretch: Stretch) -> float:
    return 0.5 * (stretch.left + stretch.right)
