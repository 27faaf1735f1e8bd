"""Scale: how much larger, slower and faster things are than usual. Speeds, times and lengths follow the bodies' size
and gravity: a stack of houses falls like a stack of dice, only slower."""

from __future__ import annotations

import math
from dataclasses import dataclass

USUAL_SIZE, USUAL_GRAVITY = 0.14, 9.81  # m, m/s^2: of the bricks that look-ahead was tuned with


@dataclass(frozen=True)
class Scale:
    length: float = 1.0
    time: float = 1.0
    speed: float = 1.0


def scale_of(size: float, gravity: float) -> Scale:
    """Of bodies of this size (m, radius of the ball around them)."""
    length = size / USUAL_SIZE
    time = math.sqrt(length * USUAL_GRAVITY / gravity)
    return Scale(length, time, length / time)
