"""Overhead: what is asked of a release so that a hand can bring the body there, from above if from nowhere else."""

from __future__ import annotations

import numpy as np

from engine.arrivals.brief import Brief
from engine.arrivals.hands import LEAST_CARRY, LetGo, from_above, hand_seconds

UNTURNED = np.array([1.0, 0.0, 0.0, 0.0])


class Overhead:
    """Of the bodies of a brief, by row. Steps count states of the take in forward time."""

    def __init__(self, brief: Brief) -> None:
        self.brief, self.dt = brief, brief.params.dt

    def least(self, row: int, x: np.ndarray) -> int:
        """The first step in which a body can be let go at x (m)."""
        is_carried = self.brief.entrances[row].start is not None
        return self.most(row) if is_carried or self._is_brought(row, x) else 1

    def most(self, row: int) -> int:
        """The first step in which it can be let go anywhere."""
        is_carried = self.brief.entrances[row].start is not None
        seconds = LEAST_CARRY if is_carried else hand_seconds(self.brief.model, row)
        return max(round(seconds / self.dt), 1)

    def way(self, row: int, step: int, x: np.ndarray) -> np.ndarray:
        """(k, 3) m in the k steps before it is let go at x in `step`; none where nobody brings it from above."""
        if step <= 0 or self.brief.entrances[row].start is not None or not self._is_brought(row, x):
            return np.zeros((0, 3))
        let_go = LetGo(row, step, x, UNTURNED, np.zeros(3), np.zeros(3))
        hand = from_above(self.brief.model, self.brief.stage, let_go, self.dt)
        return hand.places(np.arange(int(np.ceil(hand.step[0])), step), self.dt)

    def _is_brought(self, row: int, x: np.ndarray) -> bool:
        size = float(self.brief.model.bodies.size[row])
        return self.brief.entrances[row].before == "entering" and self.brief.stage.shows(x, size)
