"""Where bodies whose way is known are on it, for those who look around (lookout.py)."""

from __future__ import annotations

import numpy as np

from engine.algebra import norms
from engine.arrivals.ahead.arrival import Arrival


class Paths:
    """Ways of bodies that are known, by row of the model."""

    def __init__(self, x: np.ndarray, q: np.ndarray, bodies: int) -> None:
        self.x, self.q, self.pace = x, q, np.zeros(bodies)
        self.since, self.until = np.zeros(bodies, np.int64), np.zeros(bodies, np.int64)

    def keep(self, arrival: Arrival, size: float) -> None:
        row, count = arrival.body, len(arrival.x)
        self.x[row, :count], self.q[row, :count] = arrival.x, arrival.q
        self.since[row], self.until[row] = arrival.first - 1, arrival.last
        moved = norms(np.diff(arrival.x[1:], axis=0))
        turned = 2.0 * norms(np.diff(arrival.q[1:], axis=0))
        self.pace[row] = float((moved + size * turned).max(initial=0.0))
