"""TimeAxis: which moment stands at which place across the tracks, and where frames are numbered. A value; no Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

Number = TypeVar("Number", float, np.ndarray)

MARGIN = 20.0  # px before the first frame and after the last, so that marks at both ends are whole
HOLD = 0.12  # of the length, shown after the last frame: there the bodies just stay
SHORTEST = 4.0  # frames across the tracks, zoomed in as far as it goes
NUMBER_APART = 72.0  # px between frame numbers, at least
TICK_APART = 8.0  # px between ticks, at least
LONG_STEPS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600)  # s between numbers, when a second is narrow


@dataclass(frozen=True)
class TimeAxis:
    first: float  # s at the left edge
    last: float  # s at the right edge
    left: float  # px
    width: float  # px

    def x(self, time: Number) -> Number:
        return self.left + (time - self.first) * self.scale

    def time(self, x: Number) -> Number:
        return self.first + (x - self.left) / self.scale

    @property
    def scale(self) -> float:
        """px per s."""
        return self.width / (self.last - self.first)

    def placed(self, left: float, width: float) -> TimeAxis:
        """The same span elsewhere on the screen."""
        return replace(self, left=left, width=max(1.0, width))

    def zoomed(self, factor: float, x: float, whole: TimeAxis, fps: float) -> TimeAxis:
        """Seen closer by a factor; the moment at `x` stays there, unless that would show more than `whole`."""
        span = self.last - self.first
        wanted = min(max(span / factor, SHORTEST / fps), whole.last - whole.first)
        here = self.time(x)
        first = here - (here - self.first) * wanted / span
        return replace(self, first=first, last=first + wanted).inside(whole)

    def moved(self, px: float, whole: TimeAxis) -> TimeAxis:
        """What was at x is at x + px now, as far as there is something to see."""
        by = -px / self.scale
        return replace(self, first=self.first + by, last=self.last + by).inside(whole)

    def inside(self, whole: TimeAxis) -> TimeAxis:
        by = max(0.0, whole.first - self.first) or min(0.0, whole.last - self.last)
        return replace(self, first=self.first + by, last=self.last + by) if by else self


def fitted(first: float, last: float, left: float, width: float) -> TimeAxis:
    """All of a motion, and a little of what comes after it."""
    end = last + HOLD * max(last - first, 1e-3)
    room = max(1.0, width - 2.0 * MARGIN)
    per_px = (end - first) / room
    return TimeAxis(first - MARGIN * per_px, end + MARGIN * per_px, left, max(1.0, width))


def number_step(px_per_frame: float, fps: float) -> int:
    """Frames from one number on the ruler to the next: parts of a second that are whole frames, or whole seconds."""
    second = max(1, round(fps))
    parts = [frames for frames in range(1, second + 1) if second % frames == 0]
    steps = parts + [second * seconds for seconds in LONG_STEPS[1:]]
    return next((step for step in steps if step * px_per_frame >= NUMBER_APART), steps[-1])


def tick_step(number_every: int, px_per_frame: float) -> int:
    """Frames from one tick to the next: a part of the step between numbers."""
    parts = (frames for frames in range(1, number_every + 1) if number_every % frames == 0)
    return next((frames for frames in parts if frames * px_per_frame >= TICK_APART), number_every)
