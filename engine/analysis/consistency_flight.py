"""Bodies at an instant as they would fly without contacts and joints: how gaps and closures would curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.model.arrays import State
from engine.model.compile import Model
from engine.step.drift import drift

INSTANT = 1e-4  # s, step of the differences
FLAT = 1e-6  # m/s^2: what rounding leaves of a second difference


class Poses(NamedTuple):
    x: np.ndarray  # (n, 3) m
    q: np.ndarray  # (n, 4)


def flight(model: Model, state: State, bodies: np.ndarray) -> list[Poses]:
    """Poses an instant before, now and an instant after, where `bodies` fall and no other does."""
    falling = np.zeros_like(state.x)
    falling[bodies] = model.gravity
    poses = []
    for h in (-INSTANT, 0.0, INSTANT):
        x, q, spin = np.empty_like(state.x), np.empty_like(state.q), np.empty_like(state.x)
        drift(state.x, state.q, state.v, state.l, model.bodies.inverse_inertia, h, x, q, spin)
        poses.append(Poses(x + 0.5 * h * h * falling, q))
    return poses


def curving(values: Sequence[np.ndarray]) -> np.ndarray:
    """Second derivative of what was read off the three poses of a flight."""
    before, now, after = values
    return np.asarray((before - 2.0 * now + after) / INSTANT**2)


def rate(values: Sequence[np.ndarray]) -> np.ndarray:
    return np.asarray((values[2] - values[0]) / (2.0 * INSTANT))
