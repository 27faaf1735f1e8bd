"""Takes of one hint should differ, and still be what was drawn: every seed but 0 turns and scales it a little.

The bounds leave room under what counts as following a hint (engine/arrivals/follows.py: 15 degrees, a quarter). Where
bodies are let go at the beginning of what was drawn, that beginning stays: arcs become higher or lower instead."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.decide.chance import draws
from engine.hints.lift import LiftError, lift_arc
from engine.scene.spec import Hint, Vector
from engine.scene.vectors import as_vector, turned_about, up_of

BOUNCE_TURN, SLIDE_TURN = 6.0, 4.0  # degrees, largest
SPEED = 0.05  # share of a speed: heights and lengths go with its square
TURN_OF_START, HIGHER = 1.5, 0.15  # degrees, share of an arc's height: largest, where the beginning is to stay


def varied(hint: Hint, seed: int, gravity: Vector, from_its_start: bool = False) -> Hint:
    """The hint as this seed understands it. Seed 0 takes it as drawn; a launch always means exactly what it says.
    from_its_start: what was drawn begins where it was drawn from."""
    if seed == 0 or hint.kind == "launch":
        return hint
    rng = draws(seed, "hint", hint.id or hint.body)
    if from_its_start and hint.stroke is not None and len(hint.stroke) > 1:
        return _from_its_start(hint, gravity, rng)
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


def _from_its_start(hint: Hint, gravity: Vector, rng: np.random.Generator) -> Hint:
    up, turn = up_of(gravity), math.radians(rng.uniform(-TURN_OF_START, TURN_OF_START))
    height = (1.0 + rng.uniform(-HIGHER, HIGHER)) * (hint.height or 0.0)
    if hint.stroke is None or hint.velocity is None or hint.height is None:
        direction = None if hint.direction is None else _turned(hint.direction, up, turn, 1.0)
        return replace(hint, direction=direction)
    start = as_vector(np.array(hint.stroke[0], float) - np.array(hint.stroke[-1], float))
    try:
        throw = lift_arc(_turned(start, up, turn, 1.0), (0.0, 0.0, 0.0), height, gravity)
    except LiftError:  # it begins near its top: no lower one does
        return hint
    speed = math.hypot(*throw.velocity)
    direction = as_vector(np.array(throw.velocity) / speed)
    return replace(hint, direction=direction, velocity=throw.velocity, speed=speed, height=height)


def _turned(value: Vector, up: np.ndarray, angle: float, factor: float) -> Vector:
    """Turned about the vertical, and scaled."""
    return as_vector(factor * turned_about(up, angle, np.array(value, float)))
