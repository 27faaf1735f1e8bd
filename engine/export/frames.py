"""Frames: which moments of a take are written, and under which numbers. Counted from the authored pose, so that it is a
frame whatever the rate."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.errors import ExportError
from engine.export.settings import MOST_FRAMES, Settings, exact_rate


@dataclass(frozen=True)
class Span:
    """What there is to export, in s of the take. The authored pose is at `ending`."""

    first: float
    ending: float
    last: float


@dataclass(frozen=True)
class Frames:
    numbers: np.ndarray  # (F,) int64, as in the file
    times: np.ndarray  # (F,) s, of the take: held where it has not begun, or is over
    clock: np.ndarray  # (F,) s, the same without holding: evenly spaced
    ending: int | None  # place of the authored pose; None when it is cut off
    moving: slice  # places that are neither before the take nor after its last frame
    fps: float

    @property
    def count(self) -> int:
        return len(self.numbers)


def frame_range(span: Span, fps: float) -> tuple[int, int, int]:
    """First (0), ending and last frame of a take: the first is at or before its start."""
    rate = exact_rate(fps)
    ending = math.ceil((span.ending - span.first) * rate - 1e-6)
    return 0, ending, ending + math.ceil((span.last - span.ending) * rate - 1e-6)


def frames_of(span: Span, settings: Settings) -> Frames:
    """Raises ExportError for a range that the take does not have."""
    rate = exact_rate(settings.fps)
    _, ending, end = frame_range(span, settings.fps)
    first = 0 if settings.first is None else settings.first
    last = end if settings.last is None else settings.last
    if not 0 <= first <= last <= end:
        raise ExportError(f"frames {first} to {last} are asked for; at this rate the take has frames 0 to {end}")
    if last - first + settings.handles + settings.hold > MOST_FRAMES:
        raise ExportError(f"more than {MOST_FRAMES} frames are asked for")
    places = np.arange(first - settings.handles, last + settings.hold + 1)
    shown = np.minimum(places, last)  # after the last one everything stays
    times = np.clip(span.ending + (shown - ending) / rate, span.first, span.last)
    times[shown == ending] = span.ending
    here = np.flatnonzero((places == ending) & (places <= last))  # held frames show the last one, whatever their number
    return Frames(
        numbers=places - first + settings.start,
        times=times,
        clock=span.ending + (places - ending) / rate,
        ending=int(here[0]) if len(here) else None,
        moving=slice(max(0, settings.handles - first), settings.handles + last - first + 1),
        fps=rate,
    )
