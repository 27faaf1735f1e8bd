"""How far from falling? Friction that could be lost, tilt and push that could be added, by true friction cones.

What some forces could hold is no margin, since nothing brings them about. Every answer here is where something begins
to move under the forces that the load itself makes (unforced.py), which is never more."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from engine.analysis.asked import LookUp, go_on
from engine.analysis.stability.balance import HeldBy, nearest_balance
from engine.analysis.stability.unforced import Unforced

HALVINGS = 12  # of the range of friction: to a fortieth of a per cent
SLACK = 1e-3  # of a limit of what can be held: with so much more friction it is, if anything can
MOST_FRICTION = 16.0  # times the scene's, asked of what does not stand
STEEPEST = math.radians(80.0)  # no tilt beyond it is asked for


def friction_needed(s: HeldBy, load: np.ndarray, look_up: LookUp = go_on, enough: float = 1.0) -> float:
    """The smallest share of the friction with which nothing moves, which is so with `enough`."""
    if holds_with(s, load, 0.0):
        return 0.0
    least = _first(lambda share: holds_with(s, load, share), 0.0, enough, look_up)
    if stands_with(s, load, (1.0 + SLACK) * least):
        return least
    return _first(lambda share: stands_with(s, load, share), least, enough, look_up)


def _first(holds: Callable[[float], bool], low: float, high: float, look_up: LookUp) -> float:
    for _ in range(HALVINGS):
        look_up()
        middle = 0.5 * (low + high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def friction_wanted(s: HeldBy, load: np.ndarray, look_up: LookUp = go_on) -> float | None:
    """How many times the friction would hold a load that is not held; None when no friction will."""
    if not s.mu.any() or not stands_with(s, load, MOST_FRICTION):
        return None
    return friction_needed(s, load, look_up, MOST_FRICTION)


def holds_with(s: HeldBy, load: np.ndarray, share: float) -> bool:
    """Whether some forces could."""
    return nearest_balance(s._replace(mu=share * s.mu), load).holds


def stands_with(s: HeldBy, load: np.ndarray, share: float) -> bool:
    """Whether those do that the load makes."""
    return Unforced(s._replace(mu=share * s.mu)).stands(load)


def tilts(
    s: HeldBy, gravity: np.ndarray, mass: np.ndarray, pull: np.ndarray, ways: np.ndarray, look_up: LookUp = go_on
) -> np.ndarray:
    """(k,) rad by which gravity (w,), acceleration `pull` (3,), may lean toward each of the unit ways (k, 3), at right
    angles to it, before something gives way."""
    strength = float(np.linalg.norm(pull))
    weights = np.tile(np.r_[np.ones(3), np.zeros(3)], len(gravity) // 6) * np.diag(mass)
    sideways = [strength * weights * np.tile(np.r_[way, np.zeros(3)], len(gravity) // 6) for way in ways]
    return np.arctan(Unforced(s, look_up).reaches(gravity, sideways, math.tan(STEEPEST)))


def pushes(
    s: HeldBy, load: np.ndarray, six: slice, ways: np.ndarray, most: float, look_up: LookUp = go_on
) -> np.ndarray:
    """(k,) N, up to `most`, with which the body with coordinates `six` may be pushed at its centre along each way."""
    push = np.zeros((len(ways), len(load)))
    push[:, six.start : six.start + 3] = ways
    return Unforced(s, look_up).reaches(load, list(push), most)


def circle(up: np.ndarray, count: int) -> np.ndarray:
    """(count, 3) unit vectors around `up`, from x where it is level."""
    first = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    first = first - (first @ up) * up
    first /= np.linalg.norm(first)
    angle = 2.0 * math.pi * np.arange(count)[:, None] / count
    return np.cos(angle) * first + np.sin(angle) * np.cross(up, first)
