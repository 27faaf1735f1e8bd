"""Pages: libraries in portions, so that a first take waits a moment and many takes see hundreds of drops.

Which pages a take reads follows from its seed and from how many bodies are to come in, never from what is kept on
disk. One page of 24 drops would show in the statistics of many takes; sixty-four, one for every seed in turn, do
not."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property

import numpy as np

from engine.arrivals.dropped.drop import ROW, Dropper
from engine.arrivals.dropped.library import SEED, Patience, library
from engine.arrivals.dropped.motion import Motion
from engine.arrivals.dropped.seen import Seen
from engine.arrivals.dropped.starts import Starts, starts_of
from engine.arrivals.dropped.toss import Toss
from engine.decide.chance import draws

DROPS = 24  # of a page
PAGES = 64  # there are
THROWN = 6  # pages of throws for one wish at most
PATIENCE = Patience(tries=160, least=DROPS, most=160)
RARE = 2  # drops of a page, and fewer: nobody drops such a thing to have it come to rest like that
UPRIGHT = 0.3  # share of a random orientation with which such things are let go
FEW, SOME = 6, 24  # bodies for whom one page, or two will do; more have four
KEPT = 128  # motions of which all poses are kept, some 100 kB each
OTHER_SEEDS = 1000  # of the pages after the first, far from those of other samples of drops


class Pages:
    """Drops of one setting that rest on one side, for one take. rest: m of the centre of mass over the ground
    there. heard: called now and then while drops are made."""

    def __init__(
        self, dropper: Dropper, side: np.ndarray, rest: float, seed: int, bodies: int, heard: Callable[[], None]
    ) -> None:
        self.dropper, self.side, self._rest = dropper, side, rest
        self._first = int(draws(seed, "page").integers(PAGES))
        self._bodies, self._heard = bodies, heard
        self._starts: dict[int, Starts] = {}
        self._seen: dict[int, Seen] = {}
        self._kept: dict[tuple[str, int], tuple[Motion, ...]] = {}

    @cached_property
    def motions(self) -> tuple[Motion, ...]:
        """What there is to choose from where nothing is asked."""
        found = self._dropped
        if not self.is_rare:
            return found
        return found + tuple(motion for i in range(self._count) for motion in self._page(i, self.set_down))

    @property
    def is_rare(self) -> bool:
        """Whether drops hardly ever come to rest on this side."""
        return len(self._dropped) <= RARE * self._count

    @property
    def _count(self) -> int:
        return 1 if self._bodies <= FEW else 2 if self._bodies <= SOME else 4

    @cached_property
    def _dropped(self) -> tuple[Motion, ...]:
        return tuple(motion for i in range(self._count) for motion in self._page(i, None))

    @property
    def set_down(self) -> Toss:
        """How a chair is put on its feet: slowly, nearly upright, from not much higher than it is. Of drops in any
        orientation too few come to rest so."""
        return self._upright(1.1, 2.0)

    @property
    def near_ground(self) -> Toss:
        """The same for places that little else finds a way to."""
        return self._upright(0.3, 1.5)

    def _upright(self, low: float, high: float) -> Toss:
        """From heights in radii of the body's ball."""
        unit = math.sqrt(self.gravity * self.size)
        heights = low * self.size, high * self.size
        return Toss(heights, (0.0, 0.3 * unit), (0.0, 0.5 * unit / self.size), self._rest, UPRIGHT)

    def thrown(self, throw: Toss, page: int) -> tuple[Motion, ...]:
        return self._page(page, throw)

    def starts(self, motion: Motion) -> Starts:
        """Where a motion may be let go."""
        if id(motion) not in self._starts:
            self._starts[id(motion)] = starts_of(self.dropper, motion)
        return self._starts[id(motion)]

    def seen(self, motion: Motion) -> Seen:
        """Where a motion leads, in the frame of the drop."""
        if id(motion) not in self._seen:
            if len(self._seen) >= KEPT:
                self._seen.clear()
            states = motion.flown(self.dropper.params, self.dropper.model.bodies, ROW)
            self._seen[id(motion)] = Seen(states.x, states.q)
        return self._seen[id(motion)]

    def _page(self, i: int, throw: Toss | None) -> tuple[Motion, ...]:
        number = (self._first + i) % PAGES
        key = ("" if throw is None else throw.words, number)
        if key not in self._kept:

            def progress(found: int, wanted: int) -> bool:
                self._heard()
                return True

            seed = SEED if number == 0 else OTHER_SEEDS + number
            found = library(self.dropper.setting, self.side, DROPS, seed, progress, patience=PATIENCE, throw=throw)
            self._kept[key] = found.motions
        return self._kept[key]

    @property
    def gravity(self) -> float:
        """m/s^2"""
        return self.dropper.setting.gravity

    @property
    def size(self) -> float:
        """m, radius of the body's ball."""
        return float(self.dropper.model.bodies.size[ROW])
