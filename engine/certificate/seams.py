"""Between the blocks of a tape: each is opened by itself, and must begin where the one before it ended."""

from __future__ import annotations

import numpy as np

from engine.model.arrays import State
from engine.tape.take import Take
from engine.tape.tape import Opened


class Seams:
    """Sees the blocks of a take in turn. Whoever is in a hand has no state."""

    def __init__(self, take: Take) -> None:
        self.take = take
        self.found: list[str] = []
        self.torn: dict[int, int] = {}  # a body, by the step that leads into the seam
        self._ended: State | None = None

    def see(self, opened: Opened) -> None:
        """The next block."""
        if self._ended is not None:
            free = opened.releases.step <= opened.first
            jumps = np.zeros(len(free), bool)
            for here, there in zip(self._ended, opened.states, strict=True):
                jumps |= (here != there[0]).any(axis=1)
            names, when = self.take.model.names, f"{float(self.take.times[opened.first]):.3f} s"
            for body in map(int, np.flatnonzero(jumps & free)):
                self.torn.setdefault(opened.first - 1, body)
                self.found.append(f'"{names[body]}" jumps between two blocks of the tape ({when})')
        self._ended = State(*(part[-1] for part in opened.states))
