"""Takes of one hint should differ, and still be what was drawn: every seed but 0 turns and scales it a little.

The bounds leave room under what counts as following a hint (engine/arrivals/follows.py: 15 degrees, a quarter)."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.decide.chance import draws
from engine.scene.spec import Hint, Vector
from engine.scene.vectors import as_vector, turned_about, up_of

BOUNCE_TURN, SLIDE_TURN = 6.0, 4.0  # degrees, largest
SPEED = 0.05  # share of a speed: heights and lengths go with its square


def varied(hint: Hint, seed: int, gravity: Vector) -> Hint:
    """The hint as this seed understands it. Seed 0 takes it as drawn; a launch always means exactly what it says."""
    if seed == 0 or hint.kind == "launch":
        return hint
    rng = draws(seed, "hint", hint.id or hint.body)
    most = SLIDE_TURN if hint.kind in ("slide", "roll") else BOUNCE_TURN
    turn = math.radians(rng.uniform(-most, most))
    faster = 1.0 + rng.uniform(-SPEED, SPEED)
    up = up_of(gravity)
    return replace(
        hint,
        direction=None if hint.direction is None else _turned(hint.direction, up, turn, 1.0),
        velocity=None if hint.velocity is None else _turned(hint.velocity, up, turn, faster),
        speed=None if hint.speed is None else faster * hint.speed,
        distance=None if hint.distance is None else faster * faster * hint.distance,
    )


def _turned(value: Vector, up: np.ndarray, angle: float, factor: float) -> Vector:
    """Turned about the vertical, and scaled."""
    return as_vector(factor * turned_about(up, angle, np.array(value, float)))
