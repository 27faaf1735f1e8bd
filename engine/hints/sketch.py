"""Hints as sketched: made from lifted strokes, and changed afterwards so that all they say stays consistent.

A *bounce* carries the landing velocity (direction and speed say the same), the height of its arc over the resting place
and the level distance it covers. A *slide* carries its direction in the contact plane, the speed at the start of the
line and the line's length. `strength` scales speeds; under the same gravity and friction lengths then go with its
square and times with itself. The window imports this file.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from engine.algebra import norm, times
from engine.functions import arc_tangent
from engine.hints.lift import LiftError, Slide, Throw, lift_arc
from engine.scene.spec import Hint, Vector
from engine.scene.vectors import as_vector, up_of
from engine.shapes.turns import turning

MOST_POINTS = 64  # of a stroke kept in a hint
NEW_ARC = 0.25  # height of an arc made from a line, in lengths of the line: it lands at 45 degrees


def arc_hint(body: str, flight: Throw, coefficient: float | None = None, stroke: Iterable[Vector] = ()) -> Hint:
    """stroke: the drawn points lifted into the scene, relative to where the body rests."""
    speed = math.hypot(*flight.velocity)
    return Hint(
        "bounce",
        body,
        direction=as_vector(np.array(flight.velocity) / speed),
        speed=speed,
        velocity=flight.velocity,
        coefficient=coefficient,
        height=flight.height,
        distance=flight.distance,
        stroke=kept_points(stroke),
    )


def line_hint(body: str, slide: Slide, coefficient: float | None = None, stroke: Iterable[Vector] = ()) -> Hint:
    return Hint(
        "slide",
        body,
        direction=slide.direction,
        speed=slide.speed,
        coefficient=coefficient,
        distance=slide.distance,
        stroke=kept_points(stroke),
    )


def thrown(hint: Hint, gravity: Vector) -> Hint:
    """The same hint; a bounce that gives its height or its distance, but no speed, with the velocity that these mean:
    of an arc that ends as high as it began. Without a height it lands at 45 degrees; so it does without a distance when
    it is to come along the ground, and else as steep as its direction is."""
    strength = math.hypot(*gravity)
    asked = hint.height is not None or hint.distance is not None
    if hint.kind != "bounce" or not asked or hint.speed is not None or hint.velocity is not None or strength == 0.0:
        return hint
    up = up_of(gravity)
    travel = -up if hint.direction is None else np.array(hint.direction, float)
    down = max(-float(times(travel, up)), 0.0)
    level = travel - float(times(travel, up)) * up
    wide = norm(level)
    height = hint.height if hint.height is not None else NEW_ARC * (hint.distance or 0.0)
    if height <= 0.0:
        return hint
    falling = math.sqrt(2.0 * strength * height)
    if hint.distance is not None:
        fast = hint.distance * strength / (2.0 * falling) if wide > 0.0 else 0.0
    else:
        fast = falling * (wide / down if down > 0.0 else 1.0) if wide > 0.0 else 0.0
    velocity = fast * level / max(wide, 1e-300) - falling * up
    speed = norm(velocity)
    return replace(
        hint,
        velocity=as_vector(velocity),
        direction=as_vector(velocity / speed),
        speed=speed,
        height=height,
    )


def kept_points(stroke: Iterable[Vector]) -> tuple[Vector, ...] | None:
    """At most MOST_POINTS of a stroke, its ends among them; None when there are none."""
    points = list(stroke)
    if len(points) > MOST_POINTS:
        points = [points[i] for i in np.linspace(0, len(points) - 1, MOST_POINTS).round().astype(int)]
    return tuple((float(x), float(y), float(z)) for x, y, z in points) or None


def bearing_of(hint: Hint, gravity: Vector) -> float | None:
    """Where it comes from: degrees, 0 to 360, counter-clockwise from the x axis seen from above. None: from above."""
    travel = _travel(hint)
    if travel is None:
        return None
    up = up_of(gravity)
    east, north = _level_axes(up)
    x, y = -float(times(travel, east)), -float(times(travel, north))
    if math.hypot(x, y) < 1e-9 * norm(travel):
        return None
    return math.degrees(arc_tangent(y, x)) % 360.0


def with_bearing(hint: Hint, bearing: float, gravity: Vector) -> Hint:
    """The same hint, coming from another side (degrees as in bearing_of)."""
    now = bearing_of(hint, gravity)
    if now is None:
        return hint
    turn = turning(up_of(gravity), math.radians(bearing - now))
    return _moved(hint, turn, 1.0)


def with_strength(hint: Hint, strength: float) -> Hint:
    """The same hint with its speeds times `strength`, its lengths times the square."""
    if not (math.isfinite(strength) and strength > 0.0):
        raise ValueError(f"strength must be a positive number, not {strength!r}")
    return _moved(hint, np.eye(3), strength)


def with_kind(hint: Hint, kind: str, gravity: Vector, friction: float = 0.5) -> Hint:
    """A bounce as a slide over the same distance, or the other way round; other kinds only change their name."""
    if kind == hint.kind:
        return hint
    up, travel = up_of(gravity), _travel(hint)
    level = None if travel is None else travel - float(times(travel, up)) * up
    if {kind, hint.kind} != {"bounce", "slide"} or level is None or not level.any():
        return replace(hint, kind=kind)
    direction = level / norm(level)
    strength = math.hypot(*gravity)
    if kind == "slide":
        distance = hint.distance if hint.distance is not None else hint.height
        speed = None if distance is None else math.sqrt(2.0 * friction * strength * distance)
        return replace(
            hint, kind=kind, direction=as_vector(direction), speed=speed, velocity=None, height=None, distance=distance
        )
    distance = hint.distance
    if distance is None:
        distance = np.square(hint.speed or 1.0) / (2.0 * max(friction, 1e-3) * max(strength, 1e-9))
    try:
        flight = lift_arc(as_vector(-distance * direction), (0.0, 0.0, 0.0), NEW_ARC * distance, gravity)
    except LiftError:
        return replace(hint, kind=kind)
    made = arc_hint(hint.body, flight, hint.coefficient)
    return replace(made, id=hint.id, time=hint.time, stroke=hint.stroke, extra=hint.extra)


def _travel(hint: Hint) -> np.ndarray | None:
    """Direction of travel, any length."""
    value = hint.velocity if hint.velocity is not None else hint.direction
    return None if value is None else np.array(value, float)


def _moved(hint: Hint, turn: np.ndarray, strength: float) -> Hint:
    """Turned about the resting place, speeds times strength."""

    def turned(value: Vector | None, scale: float) -> Vector | None:
        return None if value is None else as_vector(scale * times(turn, np.array(value, float)))

    def scaled(value: float | None, scale: float) -> float | None:
        return None if value is None else scale * value

    lengths = strength * strength
    points = None if hint.stroke is None else lengths * times(np.array(hint.stroke, float), turn.T)
    return replace(
        hint,
        direction=turned(hint.direction, 1.0),
        velocity=turned(hint.velocity, strength),
        speed=scaled(hint.speed, strength),
        height=scaled(hint.height, lengths),
        distance=scaled(hint.distance, lengths),
        stroke=None if points is None else kept_points(as_vector(point) for point in points),
    )


def _level_axes(up: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """East (the level part of x, or of y where x is upright) and north."""
    x = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    east = x - float(times(x, up)) * up
    east /= norm(east)
    return east, np.cross(up, east)
