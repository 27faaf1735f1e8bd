"""Aim: the direction in which a slide must begin, seen backward, so that as a whole it comes from the drawn side.

On level ground a box slides straight. On a slope gravity bends the way (sliding bodies end downhill), and a cylinder
pushed aslant rolls off to the side. Both are followed here in the plane, with the very steps the engine makes, for many
first directions at once.
"""

from __future__ import annotations

import math

import numpy as np

from engine.algebra import norms, times
from engine.arrivals.footing import Footing
from engine.functions import arc_tangent, cosine, sine, sine_cosine

DIRECTIONS = 64  # tried at once
ROUNDS = 5  # each a tenth as wide as the one before
DEFAULT_WAY = 0.2  # m, of slides without a length
LONGEST = 2.0  # s


def aimed(on: Footing, gravity: np.ndarray, dt: float, along: np.ndarray, way: float) -> tuple[np.ndarray, float]:
    """Unit direction of the first push for a slide along `along` over `way` (m), and by how many degrees it misses."""
    axes = np.stack([along, np.cross(on.normal, along)])
    pull = times(axes, gravity)
    brake = min(on.friction, on.sticky) * max(-float(times(gravity, on.normal)), 0.0)
    slip = times(times(axes, on.slip), axes.T)
    middle, width = 0.0, math.pi
    best, missed = 0.0, math.inf
    for _ in range(ROUNDS):
        angles = middle + width * np.linspace(-1.0, 1.0, DIRECTIONS + 1)
        ways = _ways(angles, pull, brake, slip, dt, way if math.isfinite(way) else DEFAULT_WAY)
        off = np.array([abs(arc_tangent(y, x)) for x, y in ways.tolist()])
        middle, width = float(angles[off.argmin()]), 0.1 * width
        if off.min() < missed:
            best, missed = middle, float(off.min())
    s, c = sine_cosine(best)
    return c * axes[0] + s * axes[1], math.degrees(missed)


def _ways(angles: np.ndarray, pull: np.ndarray, brake: float, slip: np.ndarray, dt: float, way: float) -> np.ndarray:
    """Where (k, 2) slides that end with a push in these directions come along, seen forward, over a length `way`."""
    v = dt * (brake * np.array([(cosine(angle), sine(angle)) for angle in angles.tolist()]) - pull)
    gone, length = dt * v, dt * norms(v)
    for _ in range(round(LONGEST / dt)):
        going = length < way
        if not going.any():
            break
        seen = times(v, slip.T)
        v = v + dt * (brake * seen / np.maximum(norms(seen, keepdims=True), 1e-300) - pull)
        gone = gone + np.where(going[:, None], dt * v, 0.0)
        length = length + np.where(going, dt * norms(v), 0.0)
    return gone
