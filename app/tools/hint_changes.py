"""Changes of a hint as panels and menus make them, so that all it says stays consistent. No Qt."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from app.document.hint_edits import body_of
from app.tools.resting import friction_on, support_of
from engine.hints.sketch import bearing_of, with_bearing, with_kind, with_strength
from engine.scene.spec import Hint, Scene
from engine.scene.vectors import as_vector, up_of

HALF_SPEED = 2.7  # m/s that count as strength 0.5; strength 1 would be infinitely fast
UNSAID = 1.0  # m/s: how fast a bounce comes in that has no speed of its own; a slide then comes as fast as it may
PLAIN_DROP = 0.3  # m, of a drop whose height nothing tells


def as_kind(kind: str) -> Callable[[Scene, Hint], Hint]:
    """A bounce as a slide over the same distance, or the other way round."""

    def change(scene: Scene, hint: Hint) -> Hint:
        body = body_of(scene, hint)
        if kind == "slide" and bearing_of(hint, scene.gravity) is None:
            hint = _slanted(scene, hint)  # what drops from right above has no side to slide in from
        friction = friction_on(scene, body, support_of(scene, body)) if body is not None else 0.5
        changed = with_kind(hint, kind, scene.gravity, friction)
        return changed if changed is hint else replace(changed, coefficient=None, stroke=None)

    return change


def straight_down(scene: Scene, hint: Hint) -> Hint:
    """A bounce from right above, from as high as before."""
    up, strength = up_of(scene.gravity), math.hypot(*scene.gravity)
    height = hint.height if hint.height is not None else PLAIN_DROP
    speed = math.sqrt(2.0 * strength * height)
    down = as_vector(-up)
    return replace(
        hint, kind="bounce", direction=down, speed=speed, velocity=as_vector(-speed * up), height=height, distance=0.0,
        coefficient=None, stroke=None,
    )  # fmt: skip


def speed_of(hint: Hint) -> float:
    """m/s just before it rests (a bounce) or at the start of the line (a slide)."""
    if hint.velocity is not None:
        return math.hypot(*hint.velocity)
    return hint.speed if hint.speed is not None else 0.0


def strength_of(hint: Hint) -> float:
    """Its speed on a scale from 0 to 1 that has room for any."""
    speed = UNSAID if is_open(hint) else speed_of(hint)
    return speed / (speed + HALF_SPEED)


def is_open(hint: Hint) -> bool:
    """Does it leave to Generate how fast the body came?"""
    return hint.speed is None and hint.velocity is None


def at_strength(hint: Hint, strength: float) -> Hint:
    if not 0.0 < strength < 1.0:
        return hint
    wanted, speed = HALF_SPEED * strength / (1.0 - strength), speed_of(hint)
    if is_open(hint):
        return replace(hint, speed=wanted)
    return with_strength(hint, wanted / speed) if speed > 0.0 else hint


def side_of(scene: Scene, hint: Hint) -> float | None:
    """Where it comes from, in degrees as seen in the front view: 0 from behind, 90 from the right, -90 from the left,
    180 from the viewer's side. None: from right above."""
    bearing = bearing_of(hint, scene.gravity)
    return None if bearing is None else math.remainder(90.0 - bearing, 360.0)


def from_side(scene: Scene, hint: Hint, degrees: float) -> Hint:
    """Coming from another side; what drops from right above gets half of its speed that way."""
    if bearing_of(hint, scene.gravity) is None:
        hint = _slanted(scene, hint)
    return with_bearing(hint, (90.0 - degrees) % 360.0, scene.gravity)


def _slanted(scene: Scene, hint: Hint) -> Hint:
    up, speed = up_of(scene.gravity), speed_of(hint)
    east = np.cross(up, [0.0, 1.0, 0.0] if abs(up[1]) < 0.9 else [1.0, 0.0, 0.0])
    velocity = -speed * up + 0.5 * speed * east / np.linalg.norm(east)
    length = float(np.linalg.norm(velocity))
    flight = 2.0 * speed / max(1e-9, math.hypot(*scene.gravity))
    return replace(
        hint, velocity=as_vector(velocity), speed=length, direction=as_vector(velocity / length),
        distance=0.5 * speed * flight,
    )  # fmt: skip
