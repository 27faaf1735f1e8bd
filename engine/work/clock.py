"""How long it may still take."""

from __future__ import annotations

import math
import time

EARLY = 0.03  # share done before the time left is guessed


class Clock:
    """Guesses the time left from what is done."""

    def __init__(self) -> None:
        self._begun: float | None = None  # when the first progress was seen: loading the engine does not count

    def left(self, share: float) -> float | None:
        """s, after `share` of the work (0 to 1); None before there is enough to guess from."""
        now = time.monotonic()
        if self._begun is None and share > 0.0:
            self._begun = now
        if self._begun is None or share < EARLY:
            return None
        return (now - self._begun) * (1.0 - share) / share


def time_words(seconds: float) -> str:
    """6 s, or 3 min."""
    return f"{math.ceil(seconds)} s" if seconds <= 90.0 else f"{round(seconds / 60.0)} min"
