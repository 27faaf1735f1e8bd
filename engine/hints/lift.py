"""From a drawn stroke to motion: an arc is a flight under gravity, a line a slide that friction brings to rest.

Inputs are points of the scene (the sketch tool finds them with the camera): where the body came from and where it
rests, both of the same point of the body. The window imports this file; it needs numpy only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.algebra import norm, times
from engine.scene.spec import Vector
from engine.scene.vectors import as_vector, up_of

SHORTEST = 1e-4  # m: a shorter way is none


class LiftError(ValueError):
    """A stroke that no body can follow, in words for artists."""


@dataclass(frozen=True)
class Throw:
    """A throw that ends where the body rests."""

    velocity: Vector  # m/s just before landing
    takeoff: Vector  # m/s at the start of the arc
    seconds: float  # from start to end
    height: float  # m, of the top over the end
    distance: float  # m, level, from start to end
    gravity: Vector  # m/s^2
    end: Vector

    def points(self, count: int = 33) -> np.ndarray:
        """Points (count, 3) of the parabola from start to end."""
        before = np.linspace(self.seconds, 0.0, count)[:, None]
        return np.array(self.end) - before * np.array(self.velocity) + 0.5 * before * before * np.array(self.gravity)


@dataclass(frozen=True)
class Slide:
    """A slide that friction ends where the body rests."""

    direction: Vector  # unit, in the contact plane, toward the end
    speed: float  # m/s at the start of the line
    seconds: float
    distance: float  # m
    deceleration: float  # m/s^2
    end: Vector

    def points(self, count: int = 2) -> np.ndarray:
        """Points (count, 3) from start to end."""
        before = np.linspace(self.distance, 0.0, count)[:, None]
        return np.array(self.end) - before * np.array(self.direction)


def lift_arc(start: Vector, end: Vector, height: float, gravity: Vector) -> Throw:
    """The throw from start to end whose top is `height` (m) above the end. Raises LiftError."""
    strength = math.hypot(*gravity)
    if strength == 0.0:
        raise LiftError("Without gravity nothing flies in an arc. Draw a line, or turn gravity on.")
    up = up_of(gravity)
    way = np.array(end, float) - np.array(start, float)
    climbed = height + float(times(way, up))  # from the start to the top
    if not height > SHORTEST:
        raise LiftError("The arc does not rise above where the body rests. Draw it higher.")
    if climbed < 0.0:
        raise LiftError("The arc does not rise above where it begins. Draw it higher, or begin it lower.")
    level = way - float(times(way, up)) * up
    rising, falling = math.sqrt(2.0 * climbed / strength), math.sqrt(2.0 * height / strength)
    along = level / (rising + falling)
    return Throw(
        velocity=as_vector(along - strength * falling * up),
        takeoff=as_vector(along + strength * rising * up),
        seconds=rising + falling,
        height=float(height),
        distance=norm(level),
        gravity=as_vector(np.array(gravity, float)),
        end=as_vector(np.array(end, float)),
    )


def lift_line(start: Vector, end: Vector, normal: Vector, friction: float, gravity: Vector) -> Slide:
    """The slide from start to end on a surface with this normal (unit, toward the body). Raises LiftError.

    Friction slows it by mu times gravity's part into the surface, less gravity's part along the way."""
    n = np.array(normal, float)
    way = np.array(end, float) - np.array(start, float)
    way = way - float(times(way, n)) * n
    distance = norm(way)
    if distance < SHORTEST:
        raise LiftError("The line has no length along the surface. Draw it longer.")
    direction = way / distance
    pull = np.array(gravity, float)
    deceleration = friction * max(-float(times(pull, n)), 0.0) - float(times(pull, direction))
    if deceleration <= 0.0:
        raise LiftError("Nothing would stop the slide there: the surface is too slippery or too steep.")
    speed = math.sqrt(2.0 * deceleration * distance)
    return Slide(as_vector(direction), speed, 2.0 * distance / speed, distance, deceleration, as_vector(np.array(end)))
