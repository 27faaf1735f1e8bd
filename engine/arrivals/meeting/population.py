"""Sequential Monte Carlo over decisions: several searches of one take go back side by side.

After every segment each is weighed by the energy of its moving bodies over what they may spend, those that found no way
weigh nothing, and the heavy ones are copied into the places of the light (systematic resampling). Copies go on with
random numbers of their own. Measured at equal time, the calmest of several single searches is as calm; populations are
kept for comparison.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from engine.arrivals.brief import Brief
from engine.arrivals.meeting.past import state_at
from engine.arrivals.meeting.search import Search
from engine.arrivals.meeting.tuning import TUNING
from engine.contact.energy import own_energies
from engine.decide.chance import draws
from engine.decide.plan import Plan
from engine.functions import exponential, mapped


class Population:
    """The searches of one take; one alone is a search like any other."""

    def __init__(self, brief: Brief, hints: int) -> None:
        """hints: bodies that have any."""
        count = brief.options.particles
        self.searches = [Search(brief, hints) for _ in range(count)]
        self.drawn = [0] * count  # the way that each goes by
        self.attempts = 0
        self._alive = [False] * count
        self._brief, self._segment = brief, max(1, round(TUNING.segment / brief.params.dt))

    @property
    def jumps(self) -> int:
        return sum(search.jumps for search in self.searches)

    @property
    def blamed(self) -> Counter[int]:
        return sum((search.blamed for search in self.searches), Counter())

    @property
    def leader(self) -> int:
        """The search that has come furthest, of several the calmest."""
        return min(range(len(self.searches)), key=self._rank)

    def _rank(self, i: int) -> tuple[bool, int, float, int]:
        search = self.searches[i]
        energy = float(search.reel.energy[search.reached - 1]) if search.reached else 0.0
        return not self._alive[i], -search.reached, energy, i

    def attempt(self, ways: Sequence[tuple[Plan, dict[int, int]]], most_jumps: int) -> bool:
        """Try to get to the start of the take, each by its own plan and releases; see Search.attempt."""
        number, self.attempts = self.attempts, self.attempts + 1
        count = len(self.searches)
        self.drawn = [number * count + i for i in range(count)]
        if count == 1:
            self._alive = [self.searches[0].attempt(*ways[0], most_jumps)]
            return self._alive[0]
        for search, (plan, release) in zip(self.searches, ways, strict=True):
            search.begin(plan, release, self._segment)
        self._alive = [True] * count
        seed, steps = self._brief.seed, self._brief.steps
        for first in range(0, steps, self._segment):
            last = min(first + self._segment, steps)
            for i, search in enumerate(self.searches):
                search.draw_anew(draws(seed, "lineage", number, first, i))
                tell = self._shared(first, last, i)
                self._alive[i] = search.advance(last, min(TUNING.segment_jumps, most_jumps), tell)
            if not any(self._alive):
                return False
            if last < steps:
                self._resample(draws(seed, "resampling", number, first).random())
        return True

    def _shared(self, first: int, last: int, i: int) -> Callable[[int], None]:
        """Tells how far all are while search i goes through a segment."""
        count = len(self.searches)
        return lambda done: self._brief.tell(first + (i * (last - first) + done - first) // count)

    def _resample(self, offset: float) -> None:
        """offset: 0 to 1, where systematic resampling begins to count."""
        weights = self._weights()
        count = len(weights)
        if all(self._alive) and 1.0 / float(np.sum(np.square(weights))) >= TUNING.few * count:
            return
        marks = (offset + np.arange(count)) / count
        copies = np.bincount(np.minimum(np.searchsorted(np.cumsum(weights), marks), count - 1), minlength=count)
        places = [i for i in range(count) if copies[i] == 0]
        for i in np.flatnonzero(copies > 1):
            for place in [places.pop(0) for _ in range(int(copies[i]) - 1)]:
                self.searches[place].become(self.searches[i])
                self.drawn[place], self._alive[place] = self.drawn[i], True

    def _weights(self) -> np.ndarray:
        """exp(-(energy - budget)/T) of each, over the bodies that have left; the sum is 1."""
        excess = np.array([_excess(search) for search in self.searches]) / TUNING.temperature
        excess[~np.array(self._alive)] = np.inf
        weights = mapped(exponential, excess.min() - excess)
        return weights / weights.sum()


def _excess(search: Search) -> float:
    """Energy of the moving bodies over that at the ending and their budgets, in mean budgets."""
    assert search.plan is not None
    budget, own = search.plan.budget, np.zeros(len(search.plan.budget))
    own_energies(search.model.bodies, search.params, state_at(search.past, search.reached), own)
    moves = ~search.past.asleep[search.reached] & (budget > 0.0)
    return float((own - search.plan.ending_energy - budget)[moves].sum() / budget[budget > 0.0].mean())
