"""Along the ground: an entrance that slides or rolls in is a hint that nobody drew. It says from where and how far."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.ending import Ending
from engine.decide.chance import draws
from engine.functions import sine_cosine
from engine.hints.lift import lift_line
from engine.hints.sketch import line_hint
from engine.model.compile import Model
from engine.scene.entrance import Entrance
from engine.scene.spec import Body, Capsule, Cylinder, Hint, Scene
from engine.scene.vectors import as_vector, up_of
from engine.shapes.ask import ask
from engine.shapes.turns import rotation_matrix

LENGTH = (4.0, 8.0)  # radii of the body's ball: how far it slides or rolls where nothing is asked
LEVEL = 0.9  # cosine: what stands steeper is not what a body slides on


def ways_along(
    scene: Scene, model: Model, ending: Ending, entrances: Mapping[int, Entrance], seed: int
) -> tuple[list[Hint], tuple[str, ...]]:
    """Hints of bodies that are to slide or roll in and have none of their own; and who cannot, and why."""
    drawn = {id(scene.find(hint.body)) for hint in scene.hints}
    hints, notes = [], []
    for body in scene.bodies:
        row = model.index(body)
        kind = entrances[row].kind if row in entrances else ""
        if kind not in ("slide", "roll") or id(body) in drawn:
            continue
        why = _why_not(kind, body, model, ending, row)
        if why:
            notes.append(f'"{body.name}" does not {kind} in: {why}')
            continue
        hints.append(_hint(kind, scene, body, model, ending, row, entrances[row], draws(seed, "along", body.name)))
    return hints, tuple(notes)


def _why_not(kind: str, body: Body, model: Model, ending: Ending, row: int) -> str:
    if not _friction(model, ending, row):
        return "it does not lie on level ground"
    if kind == "slide":
        return ""
    axis = _axis(body)
    if not ask(body.shape).rolls or (axis is not None and norm(axis) < LEVEL):
        return "it does not lie on its round side"
    return "" if body.material.rolling_friction > 0.0 else "without rolling friction nothing that rolls comes to rest"


def _friction(model: Model, ending: Ending, row: int) -> float:
    """The least of the contacts that carry a body; 0: none does."""
    up = up_of(as_vector(model.gravity)) if model.gravity.any() else np.zeros(3)
    found = [
        float(friction)
        for a, b, _, normal, friction in zip(*ending, strict=True)
        if row in (a, b) and abs(float(times(normal, up))) > LEVEL
    ]
    return min(found, default=0.0)


def _hint(
    kind: str, scene: Scene, body: Body, model: Model, ending: Ending, row: int, want: Entrance,
    rng: np.random.Generator,
) -> Hint:  # fmt: skip
    size, friction, gravity = float(model.bodies.size[row]), _friction(model, ending, row), norm(model.gravity)
    side = want.sector(scene.camera) or (0.0, 360.0)
    sine, cosine = sine_cosine(math.radians(side[0] + rng.uniform(-0.5, 0.5) * side[1]))
    if kind == "roll":
        sine, cosine = _across(body, sine, cosine)
    far = size * rng.uniform(*LENGTH)
    if kind == "slide" and want.speed is not None:
        far = np.square(rng.uniform(*want.speed)) / (2.0 * friction * gravity)
    start, rests = as_vector(far * np.array([cosine, sine, 0.0])), (0.0, 0.0, 0.0)
    if kind == "roll":
        return Hint("roll", body.id or body.name, direction=(-cosine, -sine, 0.0), distance=far, stroke=(start, rests))
    slide = lift_line(start, rests, as_vector(up_of(scene.gravity)), friction, scene.gravity)
    return line_hint(body.id or body.name, slide, stroke=[start, rests])


def _axis(body: Body) -> np.ndarray | None:
    """(2,) level part of the axis of what is round about one."""
    if not isinstance(body.shape, (Capsule, Cylinder)):
        return None
    found: np.ndarray = rotation_matrix(np.array(body.orientation, float))[:2, 2]
    return found


def _across(body: Body, sine: float, cosine: float) -> tuple[float, float]:
    """The nearest way that leads across the axis of what is round about one."""
    axis = _axis(body)
    if axis is None:
        return sine, cosine
    x, y = axis / norm(axis)
    sign = math.copysign(1.0, x * sine - y * cosine)
    return sign * float(x), -sign * float(y)
