"""Ways: how far back flights are looked for, and in which measure.

A flight of a body that is under way from the first frame goes back to the start of the take. One that is let go ends
where a hand may have held it: soon, so that the authored materials are kept, and with room to fall. Speeds, times and
lengths follow the bodies' size and gravity: a stack of houses falls like a stack of dice, only slower.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from engine.algebra import norm, norms, times
from engine.arrivals.ahead.arrival import Arrival
from engine.arrivals.ahead.order import Letting
from engine.arrivals.ahead.tuning import AT_ANY_SPEED, LET_GO, MANNERS, Manner, Pace, softly
from engine.arrivals.brief import Brief

USUAL_SIZE, USUAL_GRAVITY = 0.14, 9.81  # m, m/s^2: of the bricks that look-ahead was tuned with


@dataclass(frozen=True)
class Scale:
    """How much larger, slower and faster things are than usual."""

    length: float = 1.0
    time: float = 1.0
    speed: float = 1.0


def scale_of(size: float, gravity: float) -> Scale:
    """Of bodies of this size (m, radius of the ball around them)."""
    length = size / USUAL_SIZE
    time = math.sqrt(length * USUAL_GRAVITY / gravity)
    return Scale(length, time, length / time)


@dataclass(frozen=True)
class Ways:
    """What is looked for."""

    manner: Manner
    pace: Pace = AT_ANY_SPEED
    scale: Scale = field(default_factory=Scale)
    longest: Mapping[int, int] = field(default_factory=dict)  # steps of a body's flight, of those who are let go
    letting: Letting | None = None

    @property
    def lets_go(self) -> bool:
        return bool(self.longest)


LONGEST, AT_LEAST = 1.1, 0.45  # s of usual bodies, and of any: how far back a release is looked for
FIRST_WAY = 0.7  # s of usual bodies: in a hand and in flight, of the first one to arrive
APART = 0.16  # s of usual bodies between a body and what it stands on
SOONEST = 0.18  # s before rest: who is let go later was laid there
NEAREST = 1.15  # sizes away from its place: who is let go nearer was laid there
ENOUGH = 2.5  # sizes of height, or of what its speed is worth: who has more is let go later


def flights(brief: Brief) -> Ways:
    return Ways(MANNERS[brief.options.manner])


def releases(brief: Brief) -> Ways:
    """Everybody is let go near its place."""
    rows = [int(row) for row in np.flatnonzero(brief.moves)]
    size = brief.model.bodies.size
    gravity = norm(brief.model.gravity)
    scale = scale_of(float(np.median(size[rows])), gravity)
    dt = brief.params.dt
    longest = {row: round(max(LONGEST * scale_of(float(size[row]), gravity).time, AT_LEAST) / dt) for row in rows}
    pace = softly(brief.params.bounce_speed, scale.speed)
    return Ways(LET_GO[brief.options.manner], pace, scale, longest, Letting(FIRST_WAY * scale.time, APART * scale.time))


def release_of(arrival: Arrival, size: float, gravity: np.ndarray, dt: float) -> int | None:
    """The step in which to let go of a body whose flight is known: at the top of its way, the first one that is far
    enough from its place; None where there is none."""
    g = norm(gravity)
    up = -gravity / g
    x, v = arrival.x[1:], arrival.v[1:]
    step = arrival.first + np.arange(len(x))
    free = ~np.isin(step, arrival.event_step)
    rises = times(v, up)
    far = norms(x - arrival.x[0]) >= NEAREST * size
    late = (step - arrival.first) * dt >= SOONEST
    # Seen backward it slows down as it rises: the top is where its upward speed passes through zero.
    top = np.zeros(len(x), bool)
    top[1:] = (rises[1:] >= 0.0) & (rises[:-1] < 0.0)
    good = np.flatnonzero(free & far & late & top)
    if len(good):
        return int(step[good[0]])
    worth = 0.5 * times(v * v, np.ones(3)) / g + times(x - arrival.x[0], up)
    good = np.flatnonzero(free & far & late & (worth <= 2.0 * ENOUGH * size))
    return int(step[good[0]]) if len(good) else None
