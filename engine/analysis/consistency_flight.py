"""Bodies at an instant as they would fly without contacts and joints: how gaps and closures would curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.model.arrays import State
from engine.model.compile import Model
from engine.step.drift import drift

INSTANT = 2e-4  # s, step of the differences
AROUND = (-2.0, -1.0, 0.0, 1.0, 2.0)  # instants at which poses are taken
NOW = 2  # of them
BEND = np.array([-1.0, 16.0, -30.0, 16.0, -1.0]) / 12.0
"""Second difference whose error goes with INSTANT^4: of three poses, a turn of 5 rad/s was off by 2e-7."""
FLAT = 1e-6  # m/s^2: what rounding leaves of a second difference


class Poses(NamedTuple):
    x: np.ndarray  # (n, 3) m
    q: np.ndarray  # (n, 4)


def flight(model: Model, state: State, bodies: np.ndarray) -> list[Poses]:
    """Poses AROUND now, where `bodies` fall and no other does."""
    falling = np.zeros_like(state.x)
    falling[bodies] = model.gravity
    poses = []
    for h in INSTANT * np.array(AROUND):
        x, q, spin = np.empty_like(state.x), np.empty_like(state.q), np.empty_like(state.x)
        drift(state.x, state.q, state.v, state.l, model.bodies.inverse_inertia, h, x, q, spin)
        poses.append(Poses(x + 0.5 * h * h * falling, q))
    return poses


def curving(values: Sequence[np.ndarray]) -> np.ndarray:
    """Second derivative of what was read off the poses of a flight."""
    return np.asarray(np.tensordot(BEND, np.asarray(values), 1) / INSTANT**2)


def rate(values: Sequence[np.ndarray]) -> np.ndarray:
    return np.asarray((values[NOW + 1] - values[NOW - 1]) / (2.0 * INSTANT))
