"""How a search goes about it: quickly, or until arrivals look like ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.arrivals.ahead.draw import HOP, KERN, LIFT, OUT, SKIP, SLIDE, TILT


@dataclass(frozen=True)
class Manner:
    mix: Mapping[str, float]  # kinds of arrival by weight
    tries: int  # candidates of a body; three times as many when none of them works
    choose_from: int  # candidates that work, of which the best is kept
    most_turn: float  # degrees a body may turn in the last 0.1 s
    repairs: int = 12  # times a body without a way may have others give up theirs


PREVIEW = Manner({OUT: 0.25, SLIDE: 0.2, SKIP: 0.2, KERN: 0.15, TILT: 0.1, LIFT: 0.1}, 64, 2, 180.0)
NATURAL = Manner({HOP: 0.3, SKIP: 0.3, SLIDE: 0.2, KERN: 0.1, OUT: 0.05, LIFT: 0.05}, 128, 6, 15.0)

MANNERS: Mapping[str, Manner] = {"preview": PREVIEW, "natural": NATURAL}
