"""Starts: the states in which a motion may be let go, and what an artist would say of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.algebra import each_times, norms
from engine.arrivals.dropped.drop import ROW, Dropper
from engine.arrivals.dropped.motion import Motion
from engine.shapes.turns import rotation_matrices

ABOVE = 0.5  # radii: what is let go nearer to the vertical over its place comes from where its velocity says,
CREEPS = 0.05  # sqrt(g r): unless it is slower than this
LATEST = 0.8  # of the way to the first touch: a later release is none
LEAST_FLIGHT = 4  # steps of a flight between two touches, to be let go in it


class Starts(NamedTuple):
    """States of the free flight before a motion first touches, from its own start on, in the frame of the drop."""

    away: np.ndarray  # (k, 3) m     from where it rests
    height: np.ndarray  # (k,) m     over where it rests
    speed: np.ndarray  # (k,) m/s
    spin: np.ndarray  # (k,) rad/s
    side: np.ndarray  # (k, 2)       unit vectors on the ground to where it comes from; zero: straight from above
    apexes: np.ndarray  # (a,) int64 highest states of the later flights, in order


def starts_of(dropper: Dropper, motion: Motion) -> Starts:
    bodies, g = dropper.model.bodies, dropper.setting.gravity
    size = float(bodies.size[ROW])
    states = motion.flown(dropper.params, bodies, ROW)
    count = max(1, int(LATEST * int(motion.step[0])))
    x, q, v, l = (part[:count] for part in states)
    away = x - motion.x
    turn = rotation_matrices(q)
    own = each_times(turn.swapaxes(-1, -2), l)
    spin = norms(each_times(bodies.inverse_inertia[ROW], own))
    level, along = away[:, :2], -v[:, :2]
    far, fast = norms(level), norms(along)
    side = np.where(
        (far > ABOVE * size)[:, None],
        level / np.maximum(far, 1e-300)[:, None],
        along / np.maximum(fast, 1e-300)[:, None],
    )
    side[(far <= ABOVE * size) & (fast <= CREEPS * np.sqrt(g * size))] = 0.0
    return Starts(away, away[:, 2], norms(v), spin, side, _apexes(motion, states.x[:, 2]))


def _apexes(motion: Motion, height: np.ndarray) -> np.ndarray:
    """States in which the body is highest between two touches."""
    found = []
    for touched, again in zip(motion.step[:-1], motion.step[1:], strict=True):
        first, last = int(touched) + 1, int(again)
        if last - first >= LEAST_FLIGHT:
            found.append(first + int(np.argmax(height[first:last])))
    return np.array(found, np.int64)
