"""The way that a hint asks for, as places in the scene: for drawing it, and for taking hold of it. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from app.tools.sketch_lift import Place, place_of
from engine.hints.lift import LiftError, lift_arc, lift_line
from engine.hints.sketch import arc_hint, line_hint
from engine.scene.spec import Body, Hint, Scene, Vector
from engine.scene.vectors import as_vector

PLAIN_SPEED = 2.0  # m/s, where a hint tells only a direction
FLYING = ("bounce", "launch")
POINTS = 49  # of a parabola
SHORTEST = 0.02  # m


@dataclass(frozen=True)
class HintPath:
    """From where the body came to where it rests, of the point under the body; as far as it was drawn, to where the
    stroke ended on the body."""

    points: np.ndarray  # (n, 3) m
    top: np.ndarray  # (3,) its highest point
    height: float  # m, of the flight's top over its end
    landing: np.ndarray  # (3,) m/s just before it rests
    flies: bool
    place: Place

    @property
    def start(self) -> np.ndarray:
        first: np.ndarray = self.points[0]
        return first

    @property
    def end(self) -> np.ndarray:
        """Under the resting body."""
        return self.place.foot


def hint_path(scene: Scene, hint: Hint, body: Body) -> HintPath | None:
    """None where a hint tells no direction."""
    landing = _landing(hint)
    if landing is None or not np.any(landing):
        return None
    place = place_of(scene, body)
    gravity = np.array(scene.gravity)
    flies = hint.kind in FLYING and float(landing @ place.up) < 0.0 and bool(gravity.any())
    if flies:
        points = _thrown(hint, landing, place, gravity)
    else:
        direction = landing / np.linalg.norm(landing)
        length = hint.distance if hint.distance is not None else _sliding_length(hint, landing, place, gravity)
        points = place.foot - np.linspace(max(length, SHORTEST), 0.0, 2)[:, None] * direction
    height = float(((points - place.foot) @ place.up).max())
    points = points + np.linspace(0.0, 1.0, len(points))[:, None] * _drawn_end(hint, body, place)
    top = points[int(np.argmax(points @ place.up))]
    return HintPath(points, top, height, landing, flies, place)


def _drawn_end(hint: Hint, body: Body, place: Place) -> np.ndarray:
    """From under the body to where on it the stroke ended (m); nothing where that is not on the body."""
    if not hint.stroke:
        return np.zeros(3)
    away = np.array(hint.stroke[-1]) + np.array(body.position) - place.foot
    return away if float(np.linalg.norm(away)) <= 1.5 * max(place.width, place.height) else np.zeros(3)


def _landing(hint: Hint) -> np.ndarray | None:
    if hint.velocity is not None:
        return np.array(hint.velocity)
    if hint.direction is None:
        return None
    direction = np.array(hint.direction)
    speed = hint.speed if hint.speed is not None else PLAIN_SPEED
    return speed * direction / max(1e-12, math.hypot(*hint.direction))


def _thrown(hint: Hint, landing: np.ndarray, place: Place, gravity: np.ndarray) -> np.ndarray:
    """The flight before the landing, as long as the hint's distance; without one, from the same level."""
    sinking = -float(landing @ place.up)
    level = float(np.linalg.norm(landing + sinking * place.up))
    seconds = 2.0 * sinking / float(np.linalg.norm(gravity))
    if hint.distance is not None and level > 1e-9:
        seconds = hint.distance / level
    before = np.linspace(seconds, 0.0, POINTS)[:, None]
    return place.foot - before * landing + 0.5 * before**2 * gravity


def _sliding_length(hint: Hint, landing: np.ndarray, place: Place, gravity: np.ndarray) -> float:
    slowing = place.friction * max(-float(gravity @ place.normal), 0.0)
    return float(landing @ landing) / (2.0 * slowing) if slowing > 1e-6 else 0.25 * float(np.linalg.norm(landing))


def aimed(hint: Hint, path: HintPath, start: np.ndarray, top: float, gravity: Vector) -> Hint:
    """The same hint from another place, or with its top at another height (m over the end). What was drawn is no
    longer what it asks for, so that goes. Raises LiftError."""
    place = path.place
    if path.flies:
        flight = lift_arc(as_vector(start), as_vector(place.foot), top, gravity)
        made = arc_hint(hint.body, flight, hint.coefficient)
    else:
        slide = lift_line(as_vector(start), as_vector(place.foot), as_vector(place.normal), place.friction, gravity)
        if slide.distance < SHORTEST:
            raise LiftError("The line is too short.")
        made = line_hint(hint.body, slide, hint.coefficient)
    return replace(made, id=hint.id, time=hint.time, extra=hint.extra)
