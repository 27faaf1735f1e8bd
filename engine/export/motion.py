"""Motion: where the bodies of a take are shown, over both of its halves when it runs on after the authored frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from engine.export.frames import Span
from engine.export.pivots import Pivot
from engine.tape.path import Path
from engine.tape.take import Take

NO_PIVOTS: Mapping[int, Pivot] = MappingProxyType({})


class TakeMotion:
    def __init__(self, take: Take, after: Take | None = None, pivots: Mapping[int, Pivot] = NO_PIVOTS) -> None:
        """Bodies with a pivot are told of by it: poses are those of the objects they came from."""
        self.take, self.after, self.pivots = take, after, pivots
        self._path = Path(take)
        self._onward = Path(after) if after is not None else None
        first, last = float(take.times[0]), float(take.times[-1])
        onward = float(after.times[-1] - after.times[0]) if after is not None else 0.0
        self.span = Span(first, last if take.backward else first, last + onward)

    def pose(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Positions (n, 3) m and orientations (n, 4); the authored pose bit for bit."""
        if self._onward is not None and self.after is not None and t > self.span.ending:
            return self._onward.at(t - self.span.ending + float(self.after.times[0]))
        return self._path.at(t)

    def sampled(
        self, times: np.ndarray, progress: Callable[[float], None] = lambda share: None
    ) -> tuple[np.ndarray, np.ndarray]:
        """(F, n, 3) and (F, n, 4). Moments that come twice (holds) are read once."""
        n = self.take.model.count
        positions, orientations = np.empty((len(times), n, 3)), np.empty((len(times), n, 4))
        for k, t in enumerate(times):
            if k and t == times[k - 1]:
                positions[k], orientations[k] = positions[k - 1], orientations[k - 1]
            else:
                positions[k], orientations[k] = self.pose(float(t))
            progress((k + 1) / len(times))
        for i, pivot in self.pivots.items():
            positions[:, i], orientations[:, i] = pivot.carried(positions[:, i], orientations[:, i])
        return positions, orientations

    def at(self, times: np.ndarray, body: int) -> tuple[np.ndarray, np.ndarray]:
        """(k, 3) and (k, 4) of one body."""
        positions, orientations = self.sampled(times)
        return positions[:, body], orientations[:, body]

    def halves(self) -> list[tuple[Take, float]]:
        """Every take, and what is to be added to its times."""
        shift = self.span.ending - float(self.after.times[0]) if self.after is not None else 0.0
        return [(self.take, 0.0)] + ([(self.after, shift)] if self.after is not None else [])
