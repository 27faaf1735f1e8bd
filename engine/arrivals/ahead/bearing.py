"""What those at rest bear in a step: handed down from body to body, or found for all of them together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.arrivals.ahead.carry import Bears, Carrying, Load
from engine.arrivals.ahead.pushes import Pushes, Rests, borne, make_pushes, remainder_of
from engine.arrivals.ahead.standing import Remainders
from engine.arrivals.ahead.supports import settle
from engine.arrivals.ahead.tuning import TUNING
from engine.arrivals.structure import Structure


def loads_of(pushes: Pushes, some: Iterable[int]) -> list[Load]:
    return [Load(int(pushes.body[p]), pushes.impulse[p], pushes.turn[p]) for p in some]


@dataclass(frozen=True)
class Bearing:
    structure: Structure
    rests: Rests
    remainders: Remainders
    carrying: Carrying

    def _some(self, step: int) -> range:
        return range(int(self.rests.others_start[step]), int(self.rests.others_start[step + 1]))

    def pressed_at(self, step: int) -> set[int]:
        """Bodies that something presses on."""
        return {int(self.rests.others.body[p]) for p in self._some(step)}

    def together(self, step: int, more: Iterable[Load] = ()) -> Bears | None:
        """What the structure's contacts bear, asked of all bodies at once; None where they cannot, or are too many."""
        loads = [*loads_of(self.rests.others, self._some(step)), *more]
        resting = self.structure.moves & (self.rests.until >= step)
        gone = int((self.rests.until[self.rests.order] < step).sum())
        held = resting & (self.rests.burden.held_from <= gone)
        loaded = {load.body for load in loads if not held[load.body]}
        bearers = self.structure.bearers(loaded, resting & ~held, TUNING.most_together)
        if len(bearers) > TUNING.most_together:  # each has a contact at least
            return None
        if len({int(c) for body in bearers for c in self.structure.rows_of[body]}) > TUNING.most_together:
            return None
        standing = self.remainders.standing(resting, held)
        return None if standing.falls else self.carrying.carry(resting, held, standing, loads)

    def at(self, step: int) -> Bears | None:
        """What the structure's contacts bear, None where nothing carries what presses."""
        if borne(self.rests, make_pushes(0), step, 0):
            _, at = remainder_of(self.rests, step)
            found = Bears(np.empty((self.structure.count, 3)), np.empty((self.structure.count, 3)))
            settle(self.rests.burden, self.rests.impulse[at], self.rests.torque[at], *found)
            return found
        return self.together(step)
